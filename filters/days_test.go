package filters_test

import (
	"math"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/store"
)

// The days of a calendar, found together, equal the days found one by one, which are compared with
// a search of all records elsewhere.
func TestDays(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(seed, 40))
	for _, size := range []struct{ events, queries int }{{400, queries(600, 20_000)}, {6000, queries(30, 300)}} {
		w := newWorld(t, rng, size.events)
		w.churn(t, rng)
		compareDays(t, rng, w, size.queries)
	}
}

func compareDays(t *testing.T, rng *rand.Rand, w *world, asked int) {
	t.Helper()
	some := 0
	many := 0
	around := 0
	for i := range asked {
		q := randomEvents(rng, w)
		switch i % 10 {
		case 0:
			q = &eventQuery{Events: filters.AllEvents()} // which are read some at a time
		case 1, 2: // some days have no matching event
			q = &eventQuery{Events: filters.AllEvents()}
			q.Viewer = viewerOf(rng)
			q.Tags = []int64{w.tags[rng.IntN(len(w.tags))].ID}
			q.Start = rangeOf(rng)
			q.End = rangeOf(rng)
		}
		if rng.IntN(3) > 0 {
			q.Search = filters.ParseSearch("")
		}
		if rng.IntN(3) > 0 {
			q.OrderBy = ""
			q.Desc = false
		}
		first := monday + store.Wall(rng.IntN(20)-5)*day
		n := 1 + rng.IntN(1+rng.IntN(31))
		most := rng.IntN(4)
		_ = w.store.View(func(v *store.View) error {
			if rng.IntN(2) == 0 { // as pages do
				q.Start = store.Range{Min: math.MinInt64, Max: first + store.Wall(n)*day - 1}
				q.End = store.Range{Min: first, Max: math.MaxInt64}
			}
			got := q.Days(v, first, n, most)
			if all := q.Find(v, 0, 0); got.Total != all.Total || len(got.Days) != n {
				t.Fatalf(
					"%+v: %d days of %d, %d events in all, want %d",
					*q.Events,
					len(got.Days),
					n,
					got.Total,
					all.Total,
				)
			}
			around += compareAround(t, v, q, got, first, n)
			for i, got := range got.Days {
				on := *q.Events
				from := first + store.Wall(i)*day
				on.Day = &from
				on.Start.Max = from + day - 1
				on.End.Min = from
				found := on.Find(v, 0, most)
				if !found.Finished() {
					continue // too many texts have to be read
				}
				some = some + len(got.Events)
				many = max(many, got.Total)
				if diff := gocmp.Diff(keys(found.Events), keys(got.Events)); diff != "" ||
					got.Total != found.Total {
					t.Fatalf(
						"%+v on day %d of %d: %d events, want %d (-want +got):\n%s",
						*q.Events,
						i,
						n,
						got.Total,
						found.Total,
						diff,
					)
				}
			}
			return nil
		})
	}
	if some < asked || many < len(w.events)/10 || around < asked/4 {
		t.Errorf(
			"only %d events were found, of one day %d, and %d around them",
			some,
			many,
			around,
		)
	}
}

// compareAround compares what is around n days with all events that start before and behind them.
// It returns how many there are.
func compareAround(
	t *testing.T,
	v *store.View,
	q *eventQuery,
	got filters.Days,
	first store.Wall,
	n int,
) (around int) {
	t.Helper()
	all := *q.Events
	all.Start = store.Always()
	all.End = store.Always()
	all.Day = nil
	all.OrderBy = "start_date"
	all.Desc = false
	all.FirstOfSeries = false
	found := all.Find(v, 0, math.MaxInt32)
	if !found.Finished() || q.FirstOfSeries {
		return 0
	}
	var want filters.Days
	for _, e := range found.Events {
		switch {
		case e.Start < first:
			want.Before = e
		case e.Start >= first+store.Wall(n)*day && want.After == nil:
			want.After = e
		}
	}
	for _, pair := range [][2]*store.Event{{want.Before, got.Before}, {want.After, got.After}} {
		if pair[0] != pair[1] {
			t.Fatalf(
				"%+v: beside %d days from %d is %+v, want %+v",
				*q.Events,
				n,
				first,
				pair[1],
				pair[0],
			)
		}
		if pair[0] != nil {
			around++
		}
	}
	return around
}

// The nearest event before a moment, or behind it, is the first of all of them in the order of a
// calendar, however far it is, of the first events of series too.
func TestNearestOfAll(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(seed, 42))
	w := newWorld(t, rng, 600)
	calendar := &filters.Calendar{
		Times: func(e *store.Event) (start, end, last store.Wall) {
			ahead := store.Wall(e.ID%5-2) * 43_200
			return e.Start + ahead, e.End + ahead, e.End + ahead
		},
		Elsewhere: true,
		Sticky:    true,
	}
	found := 0
	for range queries(1500, 20_000) {
		q := randomEvents(rng, w)
		if rng.IntN(2) == 0 {
			q.Calendar = calendar
		}
		q.FirstOfSeries = rng.IntN(2) == 0
		away := []store.Wall{-3000, -200, -40, 0, 10, 40, 200, 3000}[rng.IntN(8)]
		moment := monday + away*day
		_ = w.store.View(func(v *store.View) error {
			first := func(start store.Range, desc bool) []*store.Event {
				all := *q.Events
				all.Start = start
				all.End = store.Always()
				all.Day = nil
				all.OrderBy = "start_date"
				all.Desc = desc
				return all.Find(v, 0, 1).Events
			}
			check := func(name string, e *store.Event, want []*store.Event) {
				var got []*store.Event
				if e != nil {
					got = append(got, e)
				}
				if diff := gocmp.Diff(keys(want), keys(got)); diff != "" {
					t.Fatalf("%+v: %s %d (-want +got):\n%s", *q.Events, name, moment, diff)
				}
				found += len(got)
			}
			before := store.Range{Min: math.MinInt64, Max: moment - 1}
			check("before", q.Before(v, moment), first(before, true))
			from := store.Range{Min: moment, Max: math.MaxInt64}
			check("from", q.From(v, moment), first(from, false))
			return nil
		})
	}
	if found < 200 {
		t.Errorf("only %d events were found", found)
	}
}

// The pages of an upcoming list have all events but the ongoing ones, which are found apart, of
// the first events of the list.
func TestFindUpcoming(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(seed, 41))
	w := newWorld(t, rng, 3000)
	apart := 0
	turned := 0
	_ = w.store.View(func(v *store.View) error {
		for range queries(100, 2000) {
			f := filters.AllEvents()
			midnight := monday + store.Wall(rng.IntN(20)-5)*day
			f.Viewer = viewerOf(rng)
			f.End.Min = midnight - store.Wall(rng.IntN(2))
			if rng.IntN(2) == 0 {
				f.Tags = []int64{w.tags[rng.IntN(len(w.tags))].ID}
			}
			var ongoing, rest, got []*store.Event
			all := f.Find(v, 0, math.MaxInt32)
			for _, e := range all.Events {
				if len(ongoing) < 200 && f.IsOngoing(e, midnight) {
					ongoing = append(ongoing, e)
				} else {
					rest = append(rest, e)
				}
			}
			limit := 1 + rng.IntN(100)
			for offset := 0; offset <= len(got); offset += limit {
				found, others := f.FindUpcoming(v, midnight, offset, limit)
				if diff := gocmp.Diff(keys(ongoing), keys(others)); diff != "" ||
					found.Total != all.Total {
					t.Fatalf(
						"%d events of %d, ongoing (-want, +got):\n%s",
						found.Total,
						all.Total,
						diff,
					)
				}
				got = append(got, found.Events...)
			}
			if diff := gocmp.Diff(keys(rest), keys(got)); diff != "" {
				t.Fatalf("pages of %d (-want, +got):\n%s", limit, diff)
			}
			apart = apart + len(ongoing)
			turned = turned + len(rest)/limit
		}
		return nil
	})
	if apart < 100 || turned < 100 {
		t.Errorf("only %d ongoing events, and %d pages", apart, turned)
	}
}
