// Steps: what the last transactions did to the records that lists show.

package store

import (
	"cmp"
	"crypto/sha256"
	"math"
	"time"

	"almanac/store/sharing"
)

// A Standing is what decides who finds a record in a list: its status and its author. The
// Status of what nobody finds, since it is not there, in the trash or hidden from listings,
// is "". Terms are published.
type Standing struct {
	Status Status
	Author int64
}

// StandingOf returns the standing of a record, which may be nil.
func StandingOf(r Record) Standing {
	if e, ok := r.(*Event); r == nil || ok && e.HideFromListings {
		return Standing{}
	}
	p := postOf(r)
	if p == nil {
		return Standing{Status: Publish}
	}
	for _, status := range []Status{Publish, Future, Draft, Pending, Private} { // not the text of the record, which would stay in memory
		if p.Status == status {
			return Standing{status, p.Author}
		}
	}
	return Standing{}
}

// A Step is what one transaction did to one record. One of Images stands for a transaction that
// did nothing to any other.
type Step struct {
	Mark Mark  // of the transaction
	Time int64 // of it, in nanoseconds of Unix
	ID   int64
	Kind Kind
	Was  Standing // before it
}

// A Mark stands for the state after a transaction: by a name, which another store does not
// have, nor the same one when it was rolled back and went another way. Who has not all that was
// ever committed knows no Key, which goes with the name.
type Mark struct{ Name, Key [8]byte }

func markOf(head [sha256.Size]byte) (m Mark) {
	sum := sha256.Sum256(append([]byte("mark "), head[:]...))
	return Mark{[8]byte(sum[:8]), [8]byte(sum[8:])}
}

// stepsMost is how many steps are remembered: some ten megabytes at most. Whoever missed more
// has less to read when he begins anew.
const stepsMost = 1 << 17

// firstStep is the number of the first step, with room before it for those that are recalled.
const firstStep = 1 << 40

// Steps are the last steps, by consecutive numbers. They are changed as the indexes are, and
// shared as these.
type Steps struct {
	all         sharing.Tree[Step]
	most        int64
	first, next int64
	floor       Mark // of the state before the first
	opened      Mark // of the state before firstStep
}

func newSteps(most int, floor [sha256.Size]byte) Steps {
	return Steps{most: int64(cmp.Or(most, stepsMost)), first: firstStep, next: firstStep, floor: markOf(floor), opened: markOf(floor)}
}

// First returns the number of the first step.
func (s *Steps) First() int64 { return s.first }

// Last returns the number of the last step, which is smaller when there is none.
func (s *Steps) Last() int64 { return s.next - 1 }

// At returns the step with a number.
func (s *Steps) At(number int64) Step { return s.all.Get(number) }

// Place names the state after the step with a number, or before the first one, by the mark of
// its transaction and how many steps of that are left.
func (s *Steps) Place(number int64) (at Mark, left int) {
	if number < s.first {
		return s.floor, 0
	}
	at = s.At(number).Mark
	for number++; number < s.next && s.At(number).Mark == at; number++ {
		left++
	}
	return at, left
}

// Find returns the mark with a name, with the number of the last step before the state that it
// stands for, and whether it is known.
func (s *Steps) Find(name [8]byte) (m Mark, last int64, ok bool) {
	for last = s.next - 1; last >= s.first; last-- {
		if m = s.At(last).Mark; m.Name == name {
			return m, last, true
		}
	}
	if name == s.opened.Name && s.first <= firstStep {
		return s.opened, firstStep - 1, true
	}
	return s.floor, s.first - 1, name == s.floor.Name
}

// step adds the steps of a transaction that is about to be applied. Images have none: they
// are in no list.
func (x *index) step(e *entry) {
	s := &x.steps
	mark := markOf(e.Head)
	add := func(k Kind, id int64) {
		if k == Images {
			return
		}
		step := Step{mark, e.Time.UnixNano(), id, k, StandingOf(x.records[k].Get(id))}
		s.all.Put(x.by, s.next, step)
		s.next++
	}
	e.Change.each(func(r Record) { add(r.Kind(), r.Key()) })
	for _, gone := range e.Change.Removed {
		add(gone.Kind, gone.ID)
	}
	// Transactions are forgotten as a whole, so that the floor is a state.
	for s.next-s.first > s.most || s.first < s.next && s.At(s.first).Mark == s.floor {
		s.floor = s.At(s.first).Mark
		s.all.Delete(x.by, s.first)
		s.first++
	}
}

// Steps returns the last steps before the state.
func (v *View) Steps() *Steps { return &v.base.steps }

// Oldest returns the time of which everything since is kept, as Options.Keep says, in
// nanoseconds of Unix: the smallest number if that is not said.
func (s *Store) Oldest() int64 {
	if s.keep <= 0 {
		return math.MinInt64
	}
	return s.now().Add(-s.keep).UnixNano()
}

// When returns the time of a step, UTC.
func (s Step) When() time.Time { return time.Unix(0, s.Time).UTC() }
