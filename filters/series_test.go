// Lists with only the first event of each series, and of events without a series.

package filters_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/internal/people/access"
	"almanac/store"
)

// Plain lists, which are counted rather than looked through, in a calendar that is
// large enough for it.
func TestSeriesAgainstFullScan(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(seed, 77))
	w := newWorld(t, rng, 9_000)
	w.churn(t, rng)
	for range queries(60, 2_000) {
		q := &eventQuery{Events: filters.AllEvents()}
		q.Start = rangeOf(rng)
		q.End = rangeOf(rng)
		q.Viewer = []access.Viewer{{}, {}, {Own: 2}, {All: true}}[rng.IntN(4)]
		if rng.IntN(2) == 0 {
			q.HiddenSeries = hiddenSeries(rng, w)
		}
		no := false
		switch q.FirstOfSeries = rng.IntN(2) == 0; rng.IntN(4) {
		case 0:
			q.Recurring = &no
		case 1:
			q.Featured = &no
		case 2:
			q.Categories = []int64{1}
		}
		var want []*store.Event
		for _, e := range w.events {
			if q.wants(w, e) {
				want = append(want, e)
			}
		}
		want = q.firsts(want)
		slices.SortFunc(want, q.before)
		err := w.store.View(func(v *store.View) error {
			got := joined(
				t,
				1+rng.IntN(60)+len(want)/20,
				len(want),
				func(offset, limit int) ([]*store.Event, int) {
					found := q.Find(v, offset, limit)
					if err := found.Finish(t.Context(), 0); err != nil {
						t.Fatal(err)
					}
					return found.Events, found.Total
				},
			)
			if !slices.Equal(got, want) {
				t.Errorf(
					"%+v finds (-want +got):\n%s",
					*q.Events,
					gocmp.Diff(keys(want), keys(got)),
				)
			}
			return nil
		})
		if err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
}

// hiddenSeries returns some ids of series, in order.
func hiddenSeries(rng *rand.Rand, w *world) []int64 {
	ids := some(rng, w.series, 1+len(w.series)/2)
	slices.Sort(ids)
	return ids
}

// How the first events are found does not tell an author what others have not
// published.
func TestSeriesPlanTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rand.New(rand.NewPCG(seed, 78)), 250)
	plan := func() (plan store.Plan) {
		f := filters.AllEvents()
		f.Viewer = access.Viewer{Own: 2}
		f.FirstOfSeries = true
		if err := w.store.View(func(v *store.View) error { plan = f.Find(v, 0, 10).Plan; return nil }); err != nil {
			t.Fatal(err)
		}
		return plan
	}
	err := w.store.Update(1, func(tx *store.Tx) error {
		for range 100 { // more than there are drafts of series
			if err := tx.Put(&store.Event{
				Post: store.Post{
					Author: 2,
					Status: store.Draft,
				},
				Timezone: "UTC",
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before := plan()
	err = w.store.Update(1, func(tx *store.Tx) error {
		for i := range 400 {
			series := &store.Series{
				Event: store.Event{
					Post: store.Post{
						Author: 3,
						Status: store.Draft,
					},
					Timezone: "UTC",
				},
			}
			if err := tx.Put(series); err != nil {
				return err
			}
			e := series.Event
			e.Start = monday + store.Wall(i)*hour
			e.End = e.Start
			e.Recurrence = &store.Recurrence{Series: series.ID, Start: e.Start}
			if err := tx.Put(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if after := plan(); after != before {
		t.Errorf("found by %+v, and before there were drafts of others by %+v", after, before)
	}
}

// recurring is a calendar of n events over ten years. A third are of series of 105 events each, a
// week apart.
func recurring(b *testing.B, n int) *store.Store {
	b.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	put := func(tx *store.Tx, i int, start store.Wall, r *store.Recurrence) error {
		return tx.Put(&store.Event{
			Post: store.Post{
				Status: store.Publish,
				Date:   made,
			},
			Title:      fmt.Sprint("Event ", i),
			Start:      start,
			End:        start + 2*hour,
			Recurrence: r,
		})
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	const events = 105
	for i := 0; i < n; {
		err := s.Update(1, func(tx *store.Tx) error {
			series := &store.Series{
				Event: store.Event{
					Post: store.Post{
						Status: store.Publish,
					},
					Timezone: "UTC",
				},
				Rule: "FREQ=WEEKLY",
			}
			if err := tx.Put(series); err != nil {
				return err
			}
			first := monday + store.Wall(rng.IntN(8*365))*day + store.Wall(rng.IntN(24))*hour
			for j := range events {
				start := first + store.Wall(7*j)*day
				if err := put(tx, i, start, &store.Recurrence{
					Series: series.ID,
					Start:  start,
				}); err != nil {
					return err
				}
				for range 2 {
					if err := put(tx, i, monday+store.Wall(rng.IntN(3650*24))*hour, nil); err != nil {
						return err
					}
				}
				i += 3
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// The cost of a page beside a page of a plain list.
func BenchmarkSeries(b *testing.B) {
	yes := true
	no := false
	for _, n := range []int{100_000, 1_000_000} {
		s := recurring(b, n)
		for _, bench := range []struct {
			name   string
			offset int
			set    func(*filters.Events)
		}{
			{"plain", 0, func(*filters.Events) {}},
			{"plain, page 100", 990, func(*filters.Events) {}},
			{"first of series", 0, func(f *filters.Events) { f.FirstOfSeries = true }},
			{"first of series, page 100", 990, func(f *filters.Events) { f.FirstOfSeries = true }},
			{"first of series of series alone", 0, func(f *filters.Events) {
				f.FirstOfSeries = true
				f.Recurring = &yes
			}},
			{"of no series", 0, func(f *filters.Events) { f.Recurring = &no }},
			{"of one series", 0, func(f *filters.Events) {
				f.Series = []int64{1}
				f.Start = store.Always()
				f.End = store.Always()
			}},
		} {
			b.Run(fmt.Sprintf("%s of %d", bench.name, n), func(b *testing.B) {
				f := filters.AllEvents()
				f.Start.Min = monday + 365*day
				f.End.Max = monday + 1095*day
				bench.set(f)
				b.ReportAllocs()
				for b.Loop() {
					s.View(func(v *store.View) error {
						if found := f.Find(v, bench.offset, 10); len(found.Events) == 0 ||
							!found.Finished() {
							b.Fatal("nothing found")
						}
						return nil
					})
				}
			})
		}
	}
}

// How events are found does not tell which are of series that are hidden.
func TestHiddenSeriesPlan(t *testing.T) {
	t.Parallel()
	plans := func(recurs bool) (all []store.Plan) {
		w := newWorld(t, rand.New(rand.NewPCG(seed, 79)), 250)
		var hidden []int64
		err := w.store.Update(1, func(tx *store.Tx) error {
			series := &store.Series{
				Event: store.Event{
					Post: store.Post{
						Author: 3,
						Status: store.Draft,
					},
					Timezone: "UTC",
				},
			}
			if err := tx.Put(series); err != nil {
				return err
			}
			hidden = []int64{series.ID}
			for i := range 40 {
				e := series.Event
				e.Status = store.Publish
				e.Start = monday + store.Wall(i)*hour
				e.End = e.Start + 3*hour
				if recurs {
					e.Recurrence = &store.Recurrence{Series: series.ID, Start: e.Start}
				}
				if err := tx.Put(&e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		no := false
		for from := monday - 10*hour; from < monday+50*hour; from += 5 * hour {
			for _, first := range []bool{false, true} {
				f := filters.AllEvents()
				f.End.Min = from
				f.HiddenSeries = hidden
				if f.FirstOfSeries = first; !first {
					f.Recurring = &no
				}
				if err := w.store.View(func(v *store.View) error { all = append(all, f.Find(v, 0, 10).Plan); return nil }); err != nil {
					t.Fatal(err)
				}
			}
		}
		return all
	}
	if diff := gocmp.Diff(plans(false), plans(true)); diff != "" {
		t.Errorf("(-events of no series, +events of a series that is hidden)\n%s", diff)
	}
}
