// Plans against a full scan: events.

package filters_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/internal/people/access"
	"almanac/store"
)

// A wanted word of a search, as the test knows it without reading it.
type wantedWord struct {
	text    string
	without bool
}

// An eventQuery is a filter with what the test has to know of it.
type eventQuery struct {
	*filters.Events
	words    []wantedWord
	password string
}

func pointer(rng *rand.Rand) *bool { b := rng.IntN(2) == 0; return &b }

func rangeOf(rng *rand.Rand) store.Range {
	r := store.Always()
	if rng.IntN(2) == 0 {
		r.Min = monday + store.Wall(rng.IntN(45))*6*hour + store.Wall(rng.IntN(2))
	}
	if rng.IntN(2) == 0 {
		r.Max = monday + store.Wall(rng.IntN(45))*6*hour - store.Wall(rng.IntN(2))
	}
	return r
}

func viewerOf(rng *rand.Rand) access.Viewer {
	return []access.Viewer{{}, {
		Own: 1 + rng.Int64N(4),
	}, {
		All: true,
	}, {
		All: true,
		Own: 2,
	}}[rng.IntN(4)]
}

func statusesOf(rng *rand.Rand) []store.Status {
	all := []store.Status{
		store.Publish,
		store.Future,
		store.Draft,
		store.Pending,
		store.Private,
		store.Trash,
		"inherit",
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:rng.IntN(3)]
}

// orders by which events can be listed, and two that are none.
var eventOrders = []string{
	"",
	"start_date",
	"end_date",
	"date",
	"modified",
	"title",
	"id",
	"colour",
}

// ids returns a list of ids as a query has them: some unknown, some twice, some
// lists empty.
func ids(rng *rand.Rand, most int64) []int64 {
	list := []int64{}
	for range rng.IntN(5) {
		list = append(list, rng.Int64N(most+3))
	}
	return list
}

func randomEvents(rng *rand.Rand, w *world) *eventQuery {
	q := &eventQuery{Events: filters.AllEvents()}
	last := w.events[len(w.events)-1].ID
	maybe := func(set func()) {
		if rng.IntN(12) == 0 {
			set()
		}
	}
	q.Viewer = viewerOf(rng)
	q.OrderBy = eventOrders[rng.IntN(len(eventOrders))]
	q.Desc = rng.IntN(2) == 0
	if rng.IntN(2) == 0 {
		q.Statuses = statusesOf(rng)
	}
	if rng.IntN(2) == 0 {
		q.Start = rangeOf(rng)
		q.End = rangeOf(rng)
	}
	if rng.IntN(3) == 0 { // a day, perhaps with nothing else
		if q.Day = new(q.End.Min); rng.IntN(2) == 0 {
			q.Start.Min = store.Always().Min
			q.End.Max = store.Always().Max
		}
		if *q.Day == store.Always().Min {
			q.Day = nil
		}
	}
	maybe(func() { q.Categories = ids(rng, 20) })
	maybe(func() { q.Tags = ids(rng, 30) })
	maybe(func() { q.Venues = ids(rng, 20) })
	maybe(func() { q.Organizers = ids(rng, 30) })
	maybe(func() {
		q.Include = []int64{}
		for range rng.IntN(60) {
			q.Include = append(q.Include, rng.Int64N(last+9))
		}
	})
	maybe(func() { q.Parent = w.events[rng.IntN(8)].ID })
	maybe(func() { q.Series = some(rng, append(w.series, 1), 3) })
	maybe(func() { q.Recurring = pointer(rng) })
	q.FirstOfSeries = rng.IntN(3) == 0
	maybe(func() { q.HiddenSeries = hiddenSeries(rng, w) })
	maybe(func() { q.Slug = fmt.Sprint("event-", rng.IntN(len(w.events)+5)) })
	maybe(func() { q.Featured = pointer(rng) })
	maybe(func() { q.States = []string{"", store.Canceled, store.Postponed}[rng.IntN(3):] })
	maybe(func() { q.Ticketed = pointer(rng) })
	maybe(func() { q.Lasting = true })
	maybe(func() { q.Free = pointer(rng) })
	maybe(func() { q.Located = pointer(rng) })
	maybe(func() {
		q.Near = &filters.Near{
			Geo: store.Geo{
				Lat: -60 + 120*rng.Float64(),
				Lng: -180 + 360*rng.Float64(),
			},
			Kilometres: 12_000 * rng.Float64(),
		}
	})
	maybe(func() { q.ModifiedAfter = made.Add(time.Duration(rng.IntN(50)) * time.Hour) })
	maybe(func() {
		q.Written = &filters.Written{Exclude: ids(rng, last+9)}
		if rng.IntN(2) == 0 {
			q.Written.Authors = ids(rng, 4)
		}
		if rng.IntN(2) == 0 {
			q.Written.After = made.Add(time.Duration(rng.IntN(50)) * time.Hour)
		}
		if rng.IntN(2) == 0 {
			q.Written.Before = made.Add(time.Duration(rng.IntN(50)) * time.Hour)
		}
	})
	maybe(func() { q.ModifiedBefore = made.Add(time.Duration(rng.IntN(50)) * time.Hour) })
	if rng.IntN(3) == 0 {
		if q.password = []string{"", "one", "wrong"}[rng.IntN(3)]; q.password != "" ||
			rng.IntN(2) == 0 {
			q.Opens = func(e *store.Event) bool { return e.Password == q.password }
		}
		var text []string
		for range 1 + rng.IntN(2) {
			word := vocabulary[rng.IntN(len(vocabulary)-2)]
			if rng.IntN(4) == 0 {
				word += " " + vocabulary[rng.IntN(len(vocabulary))]
			}
			wanted := wantedWord{plainly(word), rng.IntN(4) == 0}
			if strings.Contains(word, " ") || rng.IntN(4) == 0 {
				word = `"` + word + `"`
			}
			if wanted.without {
				word = "-" + word
			}
			q.words = append(q.words, wanted)
			text = append(text, word)
		}
		q.Names = rng.IntN(2) == 0
		q.Search = filters.ParseSearch(strings.Join(text, []string{" ", ", ", " + "}[rng.IntN(3)]))
	}
	return q
}

// wants says whether an event is asked for, in the words of the specification.
func (q *eventQuery) wants(w *world, e *store.Event) bool {
	mine := q.Viewer.All || q.Viewer.Own == e.Author
	if e.HideFromListings || e.Status != store.Publish && !mine {
		return false
	}
	if len(q.Statuses) == 0 && e.Status == store.Trash ||
		len(q.Statuses) > 0 && !slices.Contains(q.Statuses, e.Status) {
		return false
	}
	if e.Start < q.Start.Min || e.Start > q.Start.Max || e.End < q.End.Min || e.End > q.End.Max {
		return false
	}
	if q.Day != nil && e.Start < *q.Day && e.End <= *q.Day {
		return false
	}
	oneOf := func(asked, has []int64) bool {
		return asked == nil ||
			slices.ContainsFunc(asked, func(id int64) bool { return slices.Contains(has, id) })
	}
	if !oneOf(q.Venues, e.Venues) || !oneOf(q.Organizers, e.Organizers) ||
		!oneOf(q.Tags, e.Tags) ||
		!oneOf(q.Include, []int64{e.ID}) {
		return false
	}
	if q.Categories != nil { // each with all below it
		asked := slices.Clone(q.Categories)
		for range w.categories {
			for _, c := range w.categories {
				if c.Parent != 0 && slices.Contains(asked, c.Parent) &&
					!slices.Contains(asked, c.ID) {
					asked = append(asked, c.ID)
				}
			}
		}
		if !oneOf(asked, e.Categories) {
			return false
		}
	}
	if q.Lasting && e.End-e.Start <= 7*24*hour {
		return false
	}
	if q.States != nil && !slices.Contains(q.States, e.State) {
		return false
	}
	if q.Parent != 0 && e.Parent != q.Parent || q.Slug != "" && e.Slug != q.Slug {
		return false
	}
	series := q.seriesSeen(e)
	if q.Series != nil &&
		(e.Recurrence == nil || !slices.Contains(q.Series, e.Recurrence.Series)) {
		return false
	}
	if q.Recurring != nil && *q.Recurring != (series != 0) {
		return false
	}
	if q.Featured != nil && e.Featured != *q.Featured ||
		q.Ticketed != nil && e.Ticketed != *q.Ticketed {
		return false
	}
	// The lowest amount, or a word.
	free := slices.Contains(
		[]string{"0", "10 0.00", "Free", "Free 3", "無料"},
		strings.Join(e.Entries, " "),
	)
	if e.Password != "" && (q.Opens == nil || e.Password != q.password) {
		free = false // the caller does not know the cost
	}
	if q.Free != nil && free != *q.Free {
		return false
	}
	if !q.ModifiedAfter.IsZero() && !e.Modified.After(q.ModifiedAfter) ||
		!q.ModifiedBefore.IsZero() && !e.Modified.Before(q.ModifiedBefore) {
		return false
	}
	if by := q.Written; by != nil && (slices.Contains(by.Exclude, e.ID) ||
		by.Authors != nil && !slices.Contains(by.Authors, e.Author) ||
		!by.After.IsZero() && !e.Date.After(by.After) || !by.Before.IsZero() && !e.Date.Before(by.Before)) {
		return false
	}
	hasPlace := false
	isNear := false
	for _, id := range e.Venues {
		if v := venueOf(w, id); v.Geo != nil && v.Status == store.Publish {
			geo := v.Geo
			hasPlace = true
			isNear = isNear || q.Near != nil && apart(*geo, q.Near.Geo) <= q.Near.Kilometres
		}
	}
	if q.Located != nil && *q.Located != hasPlace || q.Near != nil && !isNear {
		return false
	}
	if len(q.words) > 0 && e.Password != "" && e.Password != q.password && !mine {
		return false
	}
	for _, word := range q.words {
		there := strings.Contains(plainly(e.Title), word.text) ||
			strings.Contains(plainly(e.Excerpt), word.text) ||
			strings.Contains(plainly(e.Description), word.text) ||
			q.Names && q.isNamed(w, e, word.text)
		if there == word.without {
			return false
		}
	}
	return true
}

// isNamed says whether a text is in a name of what the event is linked to, or of a category above,
// as far as the viewer sees it.
func (q *eventQuery) isNamed(w *world, e *store.Event, text string) bool {
	sees := func(p store.Post) bool {
		return p.Status == store.Publish ||
			p.Status != store.Trash && (q.Viewer.All || q.Viewer.Own == p.Author)
	}
	for _, v := range w.venues {
		if slices.Contains(e.Venues, v.ID) && sees(v.Post) &&
			strings.Contains(plainly(v.Name), text) {
			return true
		}
	}
	for _, o := range w.organizers {
		if slices.Contains(e.Organizers, o.ID) && sees(o.Post) &&
			strings.Contains(plainly(o.Name), text) {
			return true
		}
	}
	for _, g := range w.tags {
		if slices.Contains(e.Tags, g.ID) && strings.Contains(plainly(g.Name), text) {
			return true
		}
	}
	linked := slices.Clone(e.Categories)
	for range w.categories {
		for _, c := range w.categories {
			if slices.Contains(linked, c.ID) && c.Parent != 0 {
				linked = append(linked, c.Parent)
			}
		}
		slices.Sort(linked)
		linked = slices.Compact(linked)
	}
	return slices.ContainsFunc(w.categories, func(c *store.Term) bool {
		return slices.Contains(linked, c.ID) && strings.Contains(plainly(c.Name), text)
	})
}

// firsts leaves the first event of each series, when those are asked for.
func (q *eventQuery) firsts(events []*store.Event) []*store.Event {
	if !q.FirstOfSeries {
		return events
	}
	byStart := eventQuery{Events: filters.AllEvents()}
	first := map[int64]*store.Event{}
	for _, e := range events {
		if s := q.seriesSeen(e); s != 0 && (first[s] == nil || byStart.before(e, first[s]) < 0) {
			first[s] = e
		}
	}
	return slices.DeleteFunc(slices.Clone(events), func(e *store.Event) bool {
		s := q.seriesSeen(e)
		return s != 0 && first[s] != e
	})
}

// seriesSeen returns the series of an event, 0 for none and for a hidden one.
func (q *eventQuery) seriesSeen(e *store.Event) int64 {
	if e.Recurrence == nil || slices.Contains(q.HiddenSeries, e.Recurrence.Series) {
		return 0
	}
	return e.Recurrence.Series
}

// before returns the order of two events.
func (q *eventQuery) before(a, b *store.Event) int {
	order := 0
	switch q.OrderBy {
	case "end_date":
		order = int(a.End - b.End)
	case "date":
	case "modified":
		order = int(a.Modified.Sub(b.Modified) / time.Second)
	case "title":
		order = cmp.Or(
			cmp.Compare(plainly(a.Title), plainly(b.Title)),
			cmp.Compare(a.Title, b.Title),
		)
	case "id":
		order = int(a.ID - b.ID)
	default:
		order = int(a.Start - b.Start)
	}
	order = cmp.Or(order, int(a.Date.Sub(b.Date)/time.Second), int(a.ID-b.ID))
	if q.Desc {
		return -order
	}
	return order
}

// joined asks for every page of a listing and returns them as one, after a look
// at what lies behind the end.
func joined[T any](t *testing.T, size, want int, find func(offset, limit int) ([]T, int)) []T {
	t.Helper()
	var all []T
	for offset := 0; ; offset += size {
		page, total := find(offset, size)
		if total != want {
			t.Fatalf("%d in all at offset %d, want %d", total, offset, want)
		}
		if rest := max(0, want-offset); len(page) != min(rest, size) {
			t.Fatalf("%d on a page of %d at offset %d of %d", len(page), size, offset, want)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

func TestEventsAgainstFullScan(t *testing.T) {
	t.Parallel()
	const rounds = 6
	for round := range uint64(rounds) {
		t.Run(fmt.Sprint("seed ", seed, ", ", round), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, round))
			// The last world is large enough for several blocks, and for sets that are
			// kept.
			events := 250
			asked := queries(2_400, 50_000) / rounds
			if round == rounds-1 {
				events = 9_000
				asked = queries(60, 600)
			}
			w := newWorld(t, rng, events)
			w.churn(t, rng)
			found := 0
			for range asked {
				q := randomEvents(rng, w)
				var want []*store.Event
				for _, e := range w.events {
					if q.wants(w, e) {
						want = append(want, e)
					}
				}
				matching := want
				want = q.firsts(matching)
				slices.SortFunc(want, q.before)
				err := w.store.View(func(v *store.View) error {
					size := 1 + rng.IntN(60) + len(want)/20
					got := joined(
						t,
						size,
						len(want),
						func(offset, limit int) ([]*store.Event, int) {
							found := q.Find(v, offset, limit)
							if err := found.Finish(t.Context(), math.MaxInt64); err != nil {
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
					for _, e := range w.events[:250] {
						if q.Match(v, e) != slices.Contains(matching, e) {
							t.Errorf("%+v matches event %d: %t", *q.Events, e.ID, q.Match(v, e))
						}
					}
					return nil
				})
				if err != nil || t.Failed() {
					t.Fatalf("words %+v, near %+v: %v", q.words, q.Near, err)
				}
				if len(want) > 0 {
					found++
				}
			}
			t.Logf("%d of the queries found something", found)
		})
	}
}

func keys[T store.Record](records []T) []int64 {
	var ids []int64
	for _, r := range records {
		ids = append(ids, r.Key())
	}
	return ids
}
