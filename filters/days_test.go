package filters_test

import (
	"math"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/store"
)

// The days of a calendar, found together, are those that are found one by one, which are
// compared with a search of all records elsewhere.
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
	some, many := 0, 0
	for i := range asked {
		q := randomEvents(rng, w)
		if i%10 == 0 {
			q = &eventQuery{Events: filters.AllEvents()} // which are read some at a time
		}
		if rng.IntN(3) > 0 {
			q.Search = filters.ParseSearch("")
		}
		if rng.IntN(3) > 0 {
			q.OrderBy, q.Desc = "", false
		}
		first, n, most := monday+store.Wall(rng.IntN(20)-5)*day, 1+rng.IntN(31), rng.IntN(4)
		_ = w.store.View(func(v *store.View) error {
			if rng.IntN(2) == 0 { // as pages do
				q.Start, q.End = store.Range{Min: math.MinInt64, Max: first + store.Wall(n)*day - 1}, store.Range{Min: first, Max: math.MaxInt64}
			}
			days, total := q.Days(v, first, n, most)
			if all := q.Find(v, 0, 0); total != all.Total || len(days) != n {
				t.Fatalf("%+v: %d days of %d, %d events in all, want %d", *q.Events, len(days), n, total, all.Total)
			}
			for i, got := range days {
				on, from := *q.Events, first+store.Wall(i)*day
				on.Day, on.Start.Max, on.End.Min = &from, from+day-1, from
				found := on.Find(v, 0, most)
				if !found.Finished() {
					continue // too many texts have to be read
				}
				some, many = some+len(got.Events), max(many, got.Total)
				if diff := gocmp.Diff(keys(found.Events), keys(got.Events)); diff != "" || got.Total != found.Total {
					t.Fatalf("%+v on day %d of %d: %d events, want %d (-want +got):\n%s", *q.Events, i, n, got.Total, found.Total, diff)
				}
			}
			return nil
		})
	}
	if some < asked || many < len(w.events)/10 {
		t.Errorf("only %d events were found, of one day %d", some, many)
	}
}
