// Effects of transactions as readers see them: the last steps of records in lists, and states by viewer, which a change
// that an account may not see leaves as they are.

package store

import (
	"crypto/sha256"
	"maps"
	"math"
	"slices"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// A Standing decides which callers find a record in a list. The Status is "" for a record that
// is in no list: it does not exist, or is in the trash or hidden from listings. Terms are published.
type Standing struct {
	Status Status
	Author int64
}

// StandingOf returns the standing of a record, which may be nil.
func StandingOf(r Record) Standing {
	if e, ok := r.(*Event); r == nil || ok && e.HideFromListings {
		return Standing{}
	}
	p := PostOf(r)
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

// A Step is the effect of one transaction on one record.
type Step struct {
	State StateID // of the transaction
	Time  int64   // of it, in nanoseconds of Unix
	ID    int64
	Kind  Kind
	Was   Standing // before it
}

// A StateID stands for the state after a transaction. Its name is unique among stores, also after a
// rollback. Key is derived from the full history; a caller that sees only part of it cannot compute it.
type StateID struct{ Name, Key [8]byte }

func stateID(head [sha256.Size]byte) (m StateID) {
	sum := sha256.Sum256(append([]byte("mark "), head[:]...))
	return StateID{[8]byte(sum[:8]), [8]byte(sum[8:])}
}

// stepsMost is how many steps are remembered: some ten megabytes at most. A reader that
// missed more reads less by starting anew.
const stepsMost = 1 << 17

// Steps are the last steps, by consecutive numbers from 1 on.
type Steps struct {
	all   []Step
	most  int
	first int64   // number of the oldest step in all
	floor StateID // of the state before the first
}

func (s Steps) clone() Steps {
	s.all = slices.Clone(s.all)
	return s
}

// First returns the number of the first step.
func (s *Steps) First() int64 { return s.first }

// Last returns the number of the last step, which is smaller when there is none.
func (s *Steps) Last() int64 { return s.first + int64(len(s.all)) - 1 }

// At returns the step with a number.
func (s *Steps) At(number int64) Step { return s.all[number-s.first] }

// Place names the state after the step with a number, or before the first one, by the mark of
// its transaction and how many steps of that are left.
func (s *Steps) Place(number int64) (at StateID, left int) {
	if number < s.first {
		return s.floor, 0
	}
	at = s.At(number).State
	for number++; number <= s.Last() && s.At(number).State == at; number++ {
		left++
	}
	return at, left
}

// Find returns the mark with a name, with the number of the last step before the state that it
// stands for, and whether it is known.
func (s *Steps) Find(name [8]byte) (m StateID, last int64, ok bool) {
	for last = s.Last(); last >= s.first; last-- {
		if m = s.At(last).State; m.Name == name {
			return m, last, true
		}
	}
	return s.floor, s.first - 1, name == s.floor.Name
}

// step adds the steps of a transaction that is about to be applied. Images have none: they
// are in no list.
func (s *Steps) step(e *wal.Entry, get func(Kind, int64) Record) {
	after := stateID(e.Head)
	change := record.ChangeOf(e)
	if change.Identity != "" { // every record has another name
		s.first, s.all, s.floor = s.Last()+1, nil, after
		return
	}
	add := func(k Kind, id int64) {
		if k != Images {
			s.all = append(s.all, Step{after, e.Time.UnixNano(), id, k, StandingOf(get(k, id))})
		}
	}
	change.Each(func(r Record) { add(r.Kind(), r.Key()) })
	for _, gone := range change.Removed {
		add(gone.Kind, gone.ID)
	}
	// Transactions are forgotten as a whole, so that the floor is a state.
	for len(s.all) > s.most || len(s.all) > 0 && s.all[0].State == s.floor {
		s.floor = s.all[0].State
		s.all = s.all[1:]
		s.first++
	}
}

// Steps returns the last steps before the state.
func (v *View) Steps() *Steps { return &v.base.steps }

// Oldest returns the time since which Options.Keep keeps the log, in nanoseconds of Unix:
// the smallest number if Keep does not limit it.
func (s *Store) Oldest() int64 {
	if s.keep <= 0 {
		return math.MinInt64
	}
	return s.now().Add(-s.keep).UnixNano()
}

// When returns the time of a step, UTC.
func (s Step) When() time.Time { return time.Unix(0, s.Time).UTC() }

// seen is hashes that stand for what may be seen, by whom: everybody sees what is
// published, and accounts what is theirs beside it. They begin with the head of
// the chain when the store is opened, and each transaction adds the head of its
// line to those whose users may see something of it. So equal hashes mean that the
// same is seen; after a store was opened again they are others.
type seen struct {
	public [sha256.Size]byte
	own    map[int64][sha256.Size]byte // by account; only what changed since the store was opened
}

func (s seen) clone() seen { return seen{s.public, maps.Clone(s.own)} }

// note adds a transaction that is about to be applied.
func (x *index) note(e *wal.Entry) {
	public, owners := x.shows(record.ChangeOf(e))
	if public {
		x.seen.public = chainHash(x.seen.public, e.Head)
	}
	for account := range owners {
		x.seen.own[account] = chainHash(x.seen.own[account], e.Head)
	}
}

// shows says who may see something of a change before or after it: everybody,
// or the authors of unpublished records. Terms are for everybody. A change of an
// existing image is seen; a new image is shown only after another record links to it. An upload is seen
// by its author, and by everybody who sees a record with it.
func (x *index) shows(c *Change) (public bool, owners map[int64]struct{}) {
	owner := func(id int64) {
		if owners == nil {
			owners = map[int64]struct{}{}
		}
		owners[id] = struct{}{}
	}
	see := func(r Record) {
		p := PostOf(r)
		i, _ := r.(*Image)
		switch {
		case r.Kind() == Accounts:
		case i != nil && i.Directory != "":
			owner(i.Author)
			for viewer := range x.pictured[i.ID] {
				if public = public || viewer == 0; viewer != 0 {
					owner(viewer)
				}
			}
		case p == nil || p.Status == Publish:
			public = true
		default:
			owner(p.Author)
		}
	}
	c.Each(func(r Record) {
		if r.Kind() == AllSeries { // its events show its rule
			for _, e := range (&Reader{base: x}).EventsOf(AllSeries, r.Key()) {
				see(e)
			}
		}
		old := x.records[r.Kind()][r.Key()]
		if i, isImage := r.(*Image); !isImage || old != nil || i.Directory != "" {
			see(r)
		}
		if old != nil {
			see(old)
		}
	})
	for _, gone := range c.Removed {
		if old := x.records[gone.Kind][gone.ID]; old != nil {
			see(old)
		}
	}
	return public, owners
}

// chainHash adds a hash to another.
func chainHash(a, b [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append(a[:], b[:]...))
}

// HeadFor returns the hash of the state for an account that sees published records and its
// own; 0 is anonymous. Callers that see everything use Head.
func (v *View) HeadFor(account int64) [sha256.Size]byte {
	public, own := v.base.seen.public, v.base.seen.own[account]
	if account == 0 || own == [sha256.Size]byte{} {
		return public
	}
	return chainHash(public, own)
}
