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

// WordsIndexed reports whether the words of all events are indexed: not so for a
// while after a large store was opened. Until then, searches read texts.
func (v *View) WordsIndexed() bool {
	return v.base.partitions[listed].words != nil && v.base.partitions[unlisted].words != nil
}

// Linked yields all events, hidden ones too, of a venue or an organizer: the
// published ones, the others, and the hidden ones, of each the latest first.
func (v *View) Linked(k Kind, id int64) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for _, part := range v.base.partitions {
			for r := range part.linkedTo(k, id).Backward() {
				if !yield(part.events.At(r)) {
					return
				}
			}
		}
	}
}

// Posts is venues or organizers, newest first, read by position: what it costs to
// read some does not depend on where they stand.
type Posts interface {
	// Len returns the number of records.
	Len() int

	// Range yields the records from position from, 0 or more, up to and without
	// position to, or to the end.
	Range(from, to int) iter.Seq[Record]
}

// Posts returns the venues or organizers that are published, or the others.
func (v *View) Posts(k Kind, published bool) Posts {
	if published {
		return &v.base.posts[k][0]
	}
	return &v.base.posts[k][1]
}

// Len returns the number of records of a kind.
func (v *View) Len(k Kind) int { return v.base.records[k].Len() }
