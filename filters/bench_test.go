// The cost of a page.

package filters_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"almanac/filters"
	"almanac/store"
)

// calendar has n events, evenly over ten years; two are listed. One of a hundred lasts half a
// year.
func calendar(b *testing.B, n int) *store.Store {
	b.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	err = s.Update(1, func(tx *store.Tx) error {
		for range 200 {
			if err := tx.Put(&store.Venue{
				Post: store.Post{
					Status: store.Publish,
				},
				Name: words(rng, 2),
			}); err != nil {
				return err
			}
		}
		for i := range n {
			start := monday + 3650*day/store.Wall(n)*store.Wall(i)
			length := 2 * hour
			if i%100 == 0 {
				length = 180 * day
			}
			e := &store.Event{
				Post: store.Post{
					Author:      1 + int64(i%4),
					Status:      store.Publish,
					Date:        made,
					Description: words(rng, 40),
				},
				Title:  words(rng, 3),
				Start:  start,
				End:    start + length,
				Venues: []int64{1 + int64(i%200)},
			}
			if i%20 == 0 {
				e.Status = store.Draft
			}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkEvents(b *testing.B) {
	window := store.Range{Min: monday + 365*day, Max: monday + 1095*day}
	for _, n := range []int{10_000, 100_000} {
		s := calendar(b, n)
		for _, bench := range []struct {
			name   string
			offset int
			set    func(*filters.Events)
		}{
			{"default window", 0, func(*filters.Events) {}},
			{"default window, page 100", 990, func(*filters.Events) {}},
			{"default window of an editor", 0, func(f *filters.Events) { f.Viewer.All = true }},
			{"default window, latest first", 0, func(f *filters.Events) { f.Desc = true }},
			{"default window by title", 0, func(f *filters.Events) { f.OrderBy = "title" }},
			{"one venue", 0, func(f *filters.Events) { f.Venues = []int64{7} }},
			{"search in the window", 0, func(f *filters.Events) { f.Search = filters.ParseSearch("jazzy market") }},
			{"one day", 0, func(f *filters.Events) {
				f.Start.Min = window.Min
				f.End.Max = window.Min + day - 1
			}},
		} {
			b.Run(fmt.Sprintf("%s of %d", bench.name, n), func(b *testing.B) {
				f := filters.AllEvents()
				f.Start.Min = window.Min
				f.End.Max = window.Max
				bench.set(f)
				b.ReportAllocs()
				for b.Loop() {
					s.View(func(v *store.View) error {
						found := f.Find(v, bench.offset, 10)
						if err := found.Finish(b.Context(), math.MaxInt64); err != nil {
							b.Fatal(err)
						}
						if len(found.Events) == 0 {
							b.Fatal("nothing found")
						}
						return nil
					})
				}
			})
		}
	}
}

func BenchmarkDays(b *testing.B) {
	yes := true
	for _, n := range []int{10_000, 300_000} {
		s := calendar(b, n)
		for _, bench := range []struct {
			name string
			set  func(*filters.Events)
		}{
			{"all", func(*filters.Events) {}},
			{"all, for an editor", func(f *filters.Events) { f.Viewer.All = true }},
			{"those of a venue", func(f *filters.Events) { f.Venues = []int64{7} }},
			{"featured", func(f *filters.Events) { f.Featured = &yes }},
		} {
			b.Run(fmt.Sprintf("%s of %d", bench.name, n), func(b *testing.B) {
				f := filters.AllEvents()
				bench.set(f)
				b.ReportAllocs()
				for i := store.Wall(0); b.Loop(); i++ {
					s.View(func(v *store.View) error {
						if d := f.Days(v, monday+(1000+i%36*30)*day, 30, 6); len(d.Days) != 30 {
							b.Fatal("no days")
						}
						return nil
					})
				}
			})
		}
	}
}
