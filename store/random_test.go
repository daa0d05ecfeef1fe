// Random transactions, alone and many at once, against the model.

package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// A writer makes random changes to a transaction and to a model alike.
type writer struct {
	t   testing.TB
	rng *rand.Rand
}

var errWanted = errors.New("wanted")

func (w *writer) pick(texts []string) string {
	if w.rng.IntN(3) == 0 {
		return ""
	}
	return texts[w.rng.IntN(len(texts)-1)] // the last is never used
}

// some returns up to two ids of a kind, now and then one of them twice.
func (w *writer) some(m *model, k Kind) []int64 {
	ids := slices.Sorted(maps.Keys(m.records[k]))
	if len(ids) == 0 || w.rng.IntN(2) == 0 {
		return nil
	}
	one := ids[w.rng.IntN(len(ids))]
	two := ids[w.rng.IntN(len(ids))]
	return []int64{one, two}[:1+w.rng.IntN(2)]
}

func (w *writer) one(m *model, k Kind) int64 {
	if ids := w.some(m, k); ids != nil {
		return ids[0]
	}
	return 0
}

func (w *writer) post(m *model) Post {
	p := Post{
		Author: int64(w.rng.IntN(3)),
		Status: []Status{Publish, Publish, Draft, Future, Private, Trash}[w.rng.IntN(6)],
		Date:   testTime.Add(time.Duration(w.rng.IntN(3)) * time.Second),
		Slug:   w.pick(modelSlugs),
		Image:  w.one(m, Images),
	}
	for range w.rng.IntN(3) {
		if o := w.pick(modelOrigins); o != "" && !slices.Contains(p.Origins, o) {
			p.Origins = append(p.Origins, o)
		}
	}
	return p
}

func (w *writer) event(m *model) *Event {
	start := Wall(w.rng.IntN(4) * 3600)
	return &Event{
		Post:             w.post(m),
		Title:            "T",
		Start:            start,
		End:              start + Wall(w.rng.IntN(2)*3600),
		Timezone:         "UTC",
		HideFromListings: w.rng.IntN(5) == 0,
		Categories:       w.some(m, Categories),
		Tags:             w.some(m, Tags),
		Venues:           w.some(m, Venues),
		Organizers:       w.some(m, Organizers),
		Parent:           w.one(m, Events),
	}
}

// record makes a record with links to existing records. It may have a slug or an
// address that is taken.
func (w *writer) record(m *model, k Kind) Record {
	switch k {
	case Events:
		e := w.event(m)
		if series := w.one(m, AllSeries); series != 0 {
			e.Recurrence = &Recurrence{
				Series:  series,
				Start:   Wall(w.rng.IntN(6) * 3600),
				Changed: [][]string{nil, {"a", "b"}}[w.rng.IntN(2)],
			}
		}
		return e
	case AllSeries:
		s := &Series{Event: *w.event(m), Rule: "FREQ=DAILY", RDates: []Wall{3600, 7200}}
		if w.rng.IntN(2) == 0 {
			s.Horizon = WallOf(testTime.AddDate(2, 0, w.rng.IntN(3)))
		}
		return s
	case Venues:
		return &Venue{Post: w.post(m), Name: w.pick(modelNames), Geo: &Geo{Lat: 1, Lng: 2}}
	case Organizers:
		return &Organizer{Post: w.post(m), Name: w.pick(modelNames)}
	case Accounts:
		a := &Account{
			Meta: Meta{
				ID: 1 + w.rng.Int64N(modelAccounts),
			},
			Removed: w.rng.IntN(5) == 0,
		}
		if !a.Removed {
			a.Login = "login" + w.pick(modelNames)
			a.Role = "editor"
			a.Tokens = []Secret{{Name: w.pick(modelSlugs), Plain: w.rng.IntN(2) == 0}}
			if w.rng.IntN(2) == 0 {
				a.Feeds = []Secret{{Name: w.pick(modelSlugs), Filter: w.pick(modelSlugs)}}
			}
		}
		if !a.Removed && w.rng.IntN(2) == 0 {
			a.SignIns = []SignIn{{SHA256: w.pick(modelSlugs), Created: testTime}}
			a.Links = []Link{{SHA256: w.pick(modelSlugs), Expires: testTime, Invites: true}}
		}
		return a
	case Images:
		return &Image{URL: modelURLs[w.rng.IntN(len(modelURLs)-1)]}
	default:
		t := &Term{Taxonomy: k, Name: w.pick(modelNames), Slug: w.pick(modelSlugs)}
		if k == Categories {
			t.Parent = w.one(m, k)
		}
		return t
	}
}

// allowed reports whether the rules let a record be put, as far as records
// made by record can break them.
func (m *model) allowed(r Record) bool {
	slug, _, origins := fields(r)
	for _, other := range m.records[r.Kind()] {
		otherSlug, _, otherOrigins := fields(other)
		switch {
		case other.Key() == r.Key():
			continue
		case slug != "" && slug == otherSlug,
			slices.ContainsFunc(origins, func(o string) bool { return slices.Contains(otherOrigins, o) }):
			return false
		case r.Kind() == Images && r.(*Image).URL == other.(*Image).URL:
			return false
		case r.Kind() == Events && sameInstance(r.(*Event), other.(*Event)):
			return false
		}
	}
	if t, ok := r.(*Term); ok && t.ID != 0 {
		for up := t.Parent; up != 0; up = m.records[t.Taxonomy][up].(*Term).Parent {
			if up == t.ID {
				return false
			}
		}
	}
	return true
}

// sameInstance reports whether two events are the same instance of a series.
func sameInstance(a, b *Event) bool {
	return a.Recurrence != nil && b.Recurrence != nil && a.Status != Trash && b.Status != Trash &&
		a.Recurrence.Series == b.Recurrence.Series && a.Recurrence.Start == b.Recurrence.Start
}

// put puts a record into both.
func (w *writer) put(tx *Tx, m *model, r Record) {
	w.t.Helper()
	before := r.Key()
	allowed := m.allowed(r)
	next := m.next(r.Kind())
	if id := tx.NextID(r.Kind()); id != *next && r.Kind() != Accounts {
		w.t.Fatalf("the next id of %s is %d, want %d", r.Kind(), id, *next)
	}
	old := m.records[r.Kind()][before]
	given := slices.Clone(record.FormerOf(r))
	former := gaveUp(old, r)
	err := tx.Put(r)
	if err != nil {
		former = given
	}
	if !slices.Equal(former, record.FormerOf(r)) {
		w.t.Fatalf("put %s: earlier slugs %q, want %q", r.Kind(), record.FormerOf(r), former)
	}
	if allowed != (err == nil) {
		w.t.Fatalf("put %s: %v, want allowed: %t", r.Kind(), err, allowed)
	}
	if err != nil {
		if r.Key() != before {
			w.t.Fatalf("refused, and has the id %d now", r.Key())
		}
		return
	}
	if before == 0 {
		if r.Key() != *next {
			w.t.Fatalf("a new record of %s has the id %d, want %d", r.Kind(), r.Key(), *next)
		}
		*next++
	}
	if record.MetaOf(r).Rev != tx.Seq() {
		w.t.Fatalf("revision %d, want %d", record.MetaOf(r).Rev, tx.Seq())
	}
	m.records[r.Kind()][r.Key()] = r
}

// change makes one random change.
func (w *writer) change(tx *Tx, m *model) {
	w.t.Helper()
	k := Kind(w.rng.IntN(int(kinds)))
	if w.rng.IntN(3) == 0 {
		k = Events
	}
	id := w.one(m, k)
	switch {
	case id == 0 || w.rng.IntN(4) == 0:
		w.put(tx, m, w.record(m, k))
	case k.IsTerm() && w.rng.IntN(3) == 0:
		w.removeTerm(tx, m, k, id)
	default:
		r := w.record(m, k)
		setKey(r, id, 0)
		w.put(tx, m, r)
	}
}

// removeTerm removes a term, from events and from terms below it first.
func (w *writer) removeTerm(tx *Tx, m *model, k Kind, id int64) {
	w.t.Helper()
	linked := m.events(func(e *Event) bool { return hasLink(e, k, id) })
	made := m.series(func(s *Series) bool { return hasLink(&s.Event, k, id) })
	below := m.sorted(k, func(r Record) bool { return r.(*Term).Parent == id })
	if len(linked)+len(made)+len(below) > 0 {
		if tx.Remove(k, id) == nil {
			w.t.Fatalf("%s %d was removed while there are links to it", k, id)
		}
	}
	others := func(ids []int64) (left []int64) { // nil for none, as what is read again, so that identical finds them equal
		for _, other := range ids {
			if other != id {
				left = append(left, other)
			}
		}
		return left
	}
	without := func(e Event) *Event {
		e.Categories, e.Tags = others(e.Categories), others(e.Tags)
		return &e
	}
	for _, e := range linked {
		w.put(tx, m, without(*e))
	}
	for _, s := range made {
		next := *s
		next.Event = *without(s.Event)
		w.put(tx, m, &next)
	}
	for _, r := range below {
		next := *r.(*Term)
		next.Parent = 0
		w.put(tx, m, &next)
	}
	must(w.t, tx.Remove(k, id))
	delete(m.records[k], id)
	if err := tx.Remove(k, id); !errors.Is(err, ErrNotFound) {
		w.t.Fatalf("removed twice: %v", err)
	}
}

// transaction makes a transaction of several changes, some within a Try that
// fails. It returns the model after it.
func (w *writer) transaction(tx *Tx, before *model) *model {
	w.t.Helper()
	m := before.clone()
	m.seq++
	if tx.Seq() != m.seq {
		w.t.Fatalf("transaction %d, want %d", tx.Seq(), m.seq)
	}
	for range 1 + w.rng.IntN(4) {
		w.change(tx, m)
	}
	if w.rng.IntN(2) == 0 {
		err := tx.Try(func() error {
			scratch := m.clone()
			w.change(tx, scratch)
			must(w.t, tx.Try(func() error { w.change(tx, scratch); return nil }))
			w.change(tx, scratch)
			return errWanted
		})
		if err != errWanted {
			w.t.Fatalf("Try gives %v", err)
		}
		w.change(tx, m)
	}
	if w.rng.IntN(6) == 0 {
		m.same(w.t, &tx.Reader)
	}
	return m
}

// after returns the model as it is after a transaction, when nothing but checkpoints of
// the store came since.
func (m *model) after(s *Store, seq uint64) *model {
	if s.journal == nil || seq <= m.seq {
		return m
	}
	same := *m // nobody changes the records of a model that others have seen
	same.seq = seq
	return &same
}

// update runs a random transaction. Some fail and some panic.
func (w *writer) update(s *Store, m **model) {
	ending := w.rng.IntN(8)
	defer func() {
		if p := recover(); p != nil && p != errWanted {
			panic(p)
		}
	}()
	err := s.Update(1, func(tx *Tx) error {
		*m = (*m).after(s, tx.Seq()-1)
		after := w.transaction(tx, *m)
		switch ending {
		case 0:
			return errWanted
		case 1:
			panic(errWanted)
		}
		if len(tx.touched) > 0 {
			*m = after // seen by the transactions of the same batch
		}
		return nil
	})
	if (ending == 0) != (err == errWanted) || ending > 1 && err != nil {
		w.t.Errorf("ending %d: %v", ending, err)
	}
}

const randomSeed = 20_310_510

func TestRandomTransactions(t *testing.T) {
	t.Parallel()
	for _, memory := range []bool{true, false} {
		t.Run(fmt.Sprintf("memory %t", memory), func(t *testing.T) {
			t.Parallel()
			t.Logf("seed %d", randomSeed)
			o := Options{Now: func() time.Time { return testTime }}
			if !memory {
				o.Dir = t.TempDir()
				o.Segment = 4000
				o.Snapshot = 10_000
				o.Keep = -1 // pruned all the time
			}
			s, err := Open(o)
			must(t, err)
			m := newModel()
			check := func() {
				t.Helper()
				must(
					t,
					s.Check(),
					s.View(func(v *View) error { m.after(s, v.Seq()).sameView(t, v); return nil }),
				)
			}
			for round := range 16 {
				if round%2 == 0 {
					w := &writer{t, rand.New(rand.NewPCG(randomSeed, uint64(round)))}
					for range 5 {
						w.update(s, &m)
					}
				} else {
					randomAtOnce(t, s, &m, round)
				}
				check()
				if memory {
					continue
				}
				if round == 7 {
					must(t, s.Snapshot(t.Context()))
				}
				if round%5 == 4 {
					must(t, s.Close())
					s, err = Open(o)
					must(t, err)
					check()
					reload(s, m)
				}
			}
			must(t, s.Close())
			check() // a View sees the last state
			if memory {
				return
			}
			s, err = Open(o)
			must(t, err)
			check()
			must(t, s.Close())
			if names, err := os.ReadDir(filepath.Join(o.Dir, wal.LogDir)); err != nil ||
				names[0].Name() == filepath.Base(wal.SegmentName(1)) {
				t.Errorf("nothing was pruned: %v, %v", names, err)
			}
		})
	}
}

// randomAtOnce runs transactions of several goroutines. One whole transaction
// follows the other, so that they may share the model.
func randomAtOnce(t *testing.T, s *Store, m **model, round int) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			w := &writer{t, rand.New(rand.NewPCG(randomSeed, uint64(100*round+i)))}
			w.update(s, m)
		})
	}
	all.Wait()
}

// reload puts the records of a store that was opened again into the model, in
// place of equal ones, so that they are known to be stored.
func reload(s *Store, m *model) {
	for k := range kinds {
		m.records[k] = maps.Clone(s.index.records[k])
	}
}
