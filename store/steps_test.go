package store

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stepsOf returns all steps that a store remembers, without those that are about no record.
func stepsOf(s *Store) (all []Step) {
	_ = s.View(func(v *View) error {
		for n := v.Steps().First(); n <= v.Steps().Last(); n++ {
			if step := v.Steps().At(n); step.Kind != Images {
				all = append(all, step)
			}
		}
		return nil
	})
	return all
}

// placeOf names the state that a store is in.
func placeOf(s *Store) (at StateID) {
	_ = s.View(func(v *View) error {
		at, _ = v.Steps().Place(v.Steps().Last())
		return nil
	})
	return at
}

// findPlace looks for a state, and returns how many steps come after it.
func findPlace(s *Store, at StateID) (after int, ok bool) {
	_ = s.View(func(v *View) error {
		var n int64
		var m StateID
		if m, n, ok = v.Steps().Find(at.Name); ok && m != at {
			panic("another mark with this name")
		}
		for n++; n <= v.Steps().Last(); n++ {
			if v.Steps().At(n).Kind != Images {
				after++
			}
		}
		return nil
	})
	return after, ok
}

// scramble writes, hides, trashes and removes any records.
func scramble(t *testing.T, r *rand.Rand, s *Store) {
	t.Helper()
	statuses := []Status{Publish, Future, Draft, Pending, Private, Trash}
	update(t, s, func(tx *Tx) error {
		for range 1 + r.IntN(4) {
			post := Post{Status: statuses[r.IntN(len(statuses))], Author: r.Int64N(3), Date: time.Unix(r.Int64N(1e9), 0)}
			var record Record
			switch r.IntN(6) {
			case 0:
				record = &Venue{Post: post, Name: "Hall"}
			case 1:
				record = &Image{URL: "https://example.org/" + time.Unix(r.Int64N(1e9), 0).String()}
			case 2:
				for term := range tx.Each(Tags) {
					return tx.Remove(Tags, term.Key())
				}
				record = &Term{Taxonomy: Tags, Name: "A", Slug: time.Unix(r.Int64N(1e9), 0).String()}
			default:
				e := &Event{Post: post, Title: "E", HideFromListings: r.IntN(3) == 0}
				if n := r.Int64N(12); tx.Event(n) != nil {
					e.ID = n
				}
				record = e
			}
			if err := tx.Put(record); err != nil {
				return err
			}
		}
		return nil
	})
}

// Steps tell what was done to records, and how these stood before. After a restart the steps of
// the log after its last snapshot are there, as many as are remembered at all.
func TestSteps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
		disk := newMemFiles()
		o := Options{Now: func() time.Time { now = now.Add(time.Second); return now }, Segment: 2000, Snapshot: -1}
		var want []Step
		saved := 0                  // steps before the last snapshot
		states := map[StateID]int{} // the number of steps before each
		for range 1 + r.IntN(4) {   // runs of a server
			s := on(t, o, disk)
			if got := stepsOf(s); !slices.Equal(got, want[saved:]) {
				t.Fatalf("seed %d: after a restart (-want +got):\n%s", seed, cmp.Diff(want[saved:], got))
			}
			states[placeOf(s)] = len(want)
			for range r.IntN(30) {
				before := map[Removal]Standing{}
				_ = s.View(func(v *View) error {
					for _, k := range []Kind{Events, Venues, Tags} {
						for record := range v.Each(k) {
							before[Removal{Kind: k, ID: record.Key()}] = StandingOf(record)
						}
					}
					return nil
				})
				known := len(stepsOf(s))
				scramble(t, r, s)
				steps := stepsOf(s)[known:]
				for _, step := range steps {
					if was := before[Removal{Kind: step.Kind, ID: step.ID}]; was != step.Was {
						t.Fatalf("seed %d: %+v, and it was %+v", seed, step, was)
					}
				}
				if want = append(want, steps...); len(steps) > 0 {
					states[placeOf(s)] = len(want)
				}
				if r.IntN(8) == 0 {
					must(t, s.Snapshot(t.Context()))
					saved = len(want)
				}
			}
			must(t, s.Check(), s.Close())
		}
		for _, most := range []int{10_000, 60, 10} {
			o.Steps = most
			s := on(t, o, disk)
			got := stepsOf(s)
			const largest = 4 // steps of a transaction
			if len(got) > most || len(got) < min(len(want)-saved, most-largest) || !slices.Equal(got, want[len(want)-len(got):]) {
				t.Fatalf("seed %d: %d steps of %d, %d of them after the snapshot, and %d may be:\n%s", seed, len(got), len(want),
					len(want)-saved, most, cmp.Diff(want[len(want)-min(len(got), len(want)):], got))
			}
			for at, n := range states {
				after, ok := findPlace(s, at)
				if ok && after != len(want)-n || !ok && len(want)-n < len(got) {
					t.Fatalf("seed %d: after %d steps of %d there are %d more; known: %t", seed, n, len(want), after, ok)
				}
			}
			must(t, s.Check(), s.Close())
		}
	}
}

// No more steps are remembered than may be, and no state is mistaken for another when the
// oldest go.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{Steps: 20})
	must(t, err)
	closeAfter(t, s)
	r := rand.New(rand.NewPCG(1, 1))
	done, known := 0, map[StateID]int{}
	for range 300 {
		known[placeOf(s)] = done
		before := stepsOf(s)
		scramble(t, r, s)
		after := stepsOf(s)
		for n := min(len(before), len(after)); ; n-- { // older steps keep their places, but the oldest may be gone
			if slices.Equal(before[len(before)-n:], after[:n]) {
				done += len(after) - n
				break
			}
		}
		if len(after) > 20 {
			t.Fatalf("%d steps are remembered", len(after))
		}
		for at, n := range known {
			if after, ok := findPlace(s, at); ok && after != done-n || !ok && done-n <= 20-4 {
				t.Fatalf("%d steps ago: %d, known: %t", done-n, after, ok)
			}
		}
	}
}

// A store that goes another way from a savepoint has the states before it, and not those that
// it has left.
func TestStepsOfForks(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	must(t, err)
	closeAfter(t, s)
	put(t, s, &Venue{Name: "A"})
	first := placeOf(s)
	saved, err := s.Savepoint()
	must(t, err)
	put(t, s, &Venue{Name: "B"})
	left := placeOf(s)
	fork := saved.Fork(nil)
	closeAfter(t, fork)
	put(t, fork, &Venue{Name: "C"})
	must(t, s.RollBack(saved))
	put(t, s, &Venue{Name: "D"})
	for name, s := range map[string]*Store{"rolled back": s, "forked": fork} {
		if after, ok := findPlace(s, first); !ok || after != 1 {
			t.Errorf("%s: %d steps after the first, %t", name, after, ok)
		}
		if _, ok := findPlace(s, left); ok {
			t.Errorf("%s: the state that was left is known", name)
		}
	}
	if _, ok := findPlace(s, placeOf(fork)); ok {
		t.Error("a state of the fork is known elsewhere")
	}
	other, err := Open(Options{})
	must(t, err)
	closeAfter(t, other)
	if _, ok := findPlace(other, first); ok {
		t.Error("a state of another store is known")
	}
}
