// Reading: one consistent state, with the lists that pages come from.

package store

import (
	"crypto/sha256"
	"iter"
)

// A View is the state of the store at one moment. The lists it returns are valid
// until the function that received it returns.
type View struct {
	Reader
	state *State
}

// View calls f with the current state and returns its error. Nothing is
// committed while f runs, so f works in memory only and waits for nobody;
// writing to a client, for one, is left to the caller. f must not call View or
// Update: a waiting writer would turn that into a deadlock.
func (s *Store) View(f func(*View) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return f(&View{Reader: Reader{base: s.index, now: s.now().UTC()}, state: s.state.Load()})
}

// Seq returns the sequence number of the last transaction, 0 before the first.
func (v *View) Seq() uint64 { return v.state.at.Seq }

// Head returns the hash that stands for everything that was ever committed: equal
// heads mean equal states. It is zero before the first transaction.
func (v *View) Head() [sha256.Size]byte { return v.state.at.Head }

// State returns the state of the store.
func (v *View) State() *State { return v.state }

// Linked yields all events of a venue or an organizer: first published, then unpublished,
// then hidden events, each group with the latest event first.
func (v *View) Linked(k Kind, id int64) iter.Seq[*Event] { return v.base.linked(k, id) }

// Posts returns the published or the unpublished venues or organizers, newest first.
// The slice is the store's, and valid as long as the View.
func (v *View) Posts(k Kind, published bool) []Record {
	if published {
		return v.base.posts[k][0]
	}
	return v.base.posts[k][1]
}

// Len returns the number of records of a kind.
func (v *View) Len(k Kind) int { return len(v.base.records[k]) }

// Seq returns the sequence number of the last transaction before the state.
func (s *State) Seq() uint64 { return s.at.Seq }
