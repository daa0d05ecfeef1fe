// Reading: one consistent state, with the lists that pages come from.

package store

// A View is the state of the store at one moment. The lists it gives are valid
// until the function that received it returns.
type View struct {
	Reader
	seq uint64
}

// View calls f with the current state and returns its error. Nothing is
// committed while f runs, so f works in memory only and waits for nobody;
// writing to a client, for one, is left to the caller. f must not call View or
// Update: a waiting writer would turn that into a deadlock.
func (s *Store) View(f func(*View) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return f(&View{Reader: Reader{base: s.index, now: s.now().UTC()}, seq: s.position.Seq})
}

// Seq gives the sequence number of the last transaction, 0 before the first.
func (v *View) Seq() uint64 { return v.seq }

// Listed gives the published events, by start. Hidden ones are not in it.
func (v *View) Listed() *List[*Event] { return v.base.listed }

// Unlisted gives the events of every other status, by start. Hidden ones are
// not in it.
func (v *View) Unlisted() *List[*Event] { return v.base.unlisted }

// Linked gives all events, hidden ones too, of a venue, an organizer, a
// category, a tag or (kind Events) a parent event, by start.
func (v *View) Linked(k Kind, id int64) *List[*Event] { return v.base.linked[k][id] }

// Posts gives the venues or organizers, newest first.
func (v *View) Posts(k Kind) *List[Record] { return v.base.posts[k] }

// Len gives the number of records of a kind.
func (v *View) Len(k Kind) int { return len(v.base.records[k]) }
