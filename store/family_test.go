// Families of forks: against a model for each, all at once, and how large they are.

package store

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// A relative is a store of a family, with what it should hold.
type relative struct {
	s *Store
	m *model
}

// A past is a savepoint with what it should hold.
type past struct {
	p *Savepoint
	m *model
}

// TestForkFamily changes forks of forks at random and rolls them back to
// savepoints of their own and of each other, each against a model of its own.
func TestForkFamily(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(randomSeed, seed))
			w := &writer{t, rng}
			now := func() time.Time { return testTime }
			s, err := Open(Options{Now: now})
			must(t, err)
			all := []relative{{s, newModel()}}
			pasts := []past(nil)
			check := func(r relative) {
				t.Helper()
				must(
					t,
					r.s.Check(),
					r.s.View(func(v *View) error { r.m.sameView(t, v); return nil }),
				)
			}
			for range 300 {
				r := &all[rng.IntN(len(all))]
				switch kind := rng.IntN(20); {
				case kind < 12:
					w.update(r.s, &r.m)
				case kind < 14:
					pasts = append(pasts, past{savepoint(t, r.s), r.m.clone()})
				case kind < 16 && len(pasts) > 0:
					to := pasts[rng.IntN(len(pasts))]
					must(t, r.s.RollBack(to.p))
					r.m = to.m.clone()
				case kind == 16 && len(all) < 6:
					fork, err := r.s.Fork(nil)
					must(t, err)
					all = append(all, relative{fork, r.m.clone()})
				case kind == 17 && len(pasts) > 0 && len(all) < 6:
					from := pasts[rng.IntN(len(pasts))]
					all = append(all, relative{from.p.Fork(now), from.m.clone()})
				case kind == 18 && len(all) > 1:
					must(t, r.s.Close())
					check(*r)
					*r, all = all[len(all)-1], all[:len(all)-1]
				case kind == 19:
					check(*r)
				}
			}
			for _, r := range all {
				must(t, r.s.Close())
				check(r)
			}
			for _, old := range pasts {
				fork := old.p.Fork(nil)
				check(relative{fork, old.m})
				must(t, fork.Close())
			}
		})
	}
}

// TestForksAtOnce reads, writes, forks and rolls back all at the same time. Check
// finds mistakes that the race detector does not see.
func TestForksAtOnce(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, category("Music", 0), &Term{
		Taxonomy: Tags,
		Name:     "Free",
		Slug:     "free",
	}, &Venue{
		Name: "Hall",
	})
	write := func(s *Store, who, n int) {
		update(t, s, func(tx *Tx) error {
			for i := range 20 {
				e := &Event{
					Post: Post{
						Status:      Publish,
						Description: fmt.Sprint("by ", who, " for ", i),
					},
					Title:      fmt.Sprint("Concert ", n),
					Start:      Wall(3600 * (n*20 + i) % 7777),
					End:        7777 * 3600,
					Categories: []int64{1},
					Tags:       []int64{2},
					Venues:     []int64{1},
				}
				if id := int64(2 + (n+i*7)%200); tx.Event(id) != nil {
					e.ID = id
				}
				if err := tx.Put(e); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for n := range 20 {
		write(s, 0, n)
	}
	base := savepoint(t, s)
	any := func(*Event) bool { return true }
	stores := []*Store{s, base.Fork(nil), base.Fork(nil)}
	var all sync.WaitGroup
	for i, s := range stores {
		closeAfter(t, s)
		all.Go(func() {
			for n := range 40 {
				write(s, i, n)
				if n%8 == 7 && i > 0 {
					must(t, s.RollBack(base))
				}
			}
		})
		all.Go(func() {
			for range 40 {
				must(t, s.View(func(v *View) error {
					n := v.Find(&Query{
						Published: true,
						Start:     Always(),
						End:       Always(),
						Links:     []Links{{"venue", Venues, []int64{1}}},
						Match:     any,
					}).Total
					if all := len(listOf(v, true)); n != all || n != v.Count(Categories, 1) {
						t.Errorf(
							"%d events, %d at the venue, %d of the category",
							all,
							n,
							v.Count(Categories, 1),
						)
					}
					word := &Text{Words: []string{"concert"}, Open: any}
					v.Find(&Query{
						Published: true,
						Start:     Always(),
						End:       Always(),
						Text:      word,
						Match:     any,
					})
					return nil
				}))
			}
		})
		all.Go(func() {
			for n := range 10 {
				fork, err := s.Fork(nil)
				must(t, err)
				write(fork, 9, n)
				must(t, fork.Check(), fork.Close())
			}
		})
	}
	all.Wait()
	fork := base.Fork(nil)
	closeAfter(t, fork)
	if fork.Seq() != 21 {
		t.Errorf("the savepoint is of %d now", fork.Seq())
	}
}
