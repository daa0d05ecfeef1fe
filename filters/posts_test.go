// Plans against a full scan: venues and organizers.

package filters_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/filters"
	"almanac/store"
)

// shown returns what a venue or organizer is looked at by.
func shown(
	r store.Record,
) (p *store.Post, name string, texts []string, linked func(*store.Event) []int64) {
	switch r := r.(type) {
	case *store.Venue:
		texts = []string{r.Name, r.Address, r.City, r.Province, r.State, r.StateProvince, r.Zip, r.Phone}
		p = &r.Post
		name = r.Name
		linked = func(e *store.Event) []int64 { return e.Venues }
	case *store.Organizer:
		texts = []string{r.Name, r.Phone, r.Website, r.Email}
		p = &r.Post
		name = r.Name
		linked = func(e *store.Event) []int64 { return e.Organizers }
	}
	return p, name, append(texts, p.Description, p.Excerpt), linked
}

// A postQuery is a filter with what the test has to know of it.
type postQuery struct {
	filters.Posts
	words []string
	blank bool // a search without words
	now   store.Wall
}

func randomPosts(rng *rand.Rand, w *world) *postQuery {
	q := &postQuery{now: monday + store.Wall(rng.IntN(60))*6*hour}
	q.Kind = []store.Kind{store.Venues, store.Organizers}[rng.IntN(2)]
	q.Ended = func(e *store.Event) bool { return e.End < q.now }
	q.Opens = func(e *store.Event) bool { return e.Password == "one" }
	q.Viewer = viewerOf(rng)
	q.OrderBy = []string{"", "date", "modified", "title", "id", "slug"}[rng.IntN(6)]
	q.Desc = rng.IntN(2) == 0
	if rng.IntN(2) == 0 {
		q.Statuses = statusesOf(rng)
	}
	maybe := func(set func()) {
		if rng.IntN(5) == 0 {
			set()
		}
	}
	maybe(func() { q.Event = w.events[rng.IntN(len(w.events))].ID })
	maybe(func() { q.Event = 9_999 })
	maybe(func() { q.HasEvents = pointer(rng) })
	maybe(func() { q.Upcoming = true })
	maybe(func() { q.Include = ids(rng, 30) })
	maybe(func() { q.Exclude = ids(rng, 30) })
	maybe(func() {
		for range 1 + rng.IntN(2) {
			q.words = append(
				q.words,
				[]string{"night", "cafe", "marche", "strasse", "jazz", "10115", "org", "ete"}[rng.IntN(8)],
			)
		}
		q.Search = filters.ParseWords(
			strings.ToUpper(strings.Join(q.words, []string{" ", "-", " & "}[rng.IntN(3)])),
		)
	})
	if rng.IntN(40) == 0 {
		q.words = nil
		q.blank = true
		q.Search = filters.ParseWords([]string{" ", "--", "% &"}[rng.IntN(3)])
	}
	return q
}

func (q *postQuery) wants(w *world, r store.Record) bool {
	p, _, texts, linked := shown(r)
	mine := func(author int64) bool { return q.Viewer.All || q.Viewer.Own == author }
	if p.Status != store.Publish && !mine(p.Author) {
		return false
	}
	if len(q.Statuses) == 0 && p.Status == store.Trash ||
		len(q.Statuses) > 0 && !slices.Contains(q.Statuses, p.Status) {
		return false
	}
	if q.Include != nil && !slices.Contains(q.Include, p.ID) || slices.Contains(q.Exclude, p.ID) {
		return false
	}
	if q.blank {
		return false
	}
	if len(q.words) > 0 {
		inOne := false
		for _, text := range texts {
			all := true
			for _, word := range q.words {
				all = all && strings.Contains(plainly(text), word)
			}
			inOne = inOne || all
		}
		if !inOne {
			return false
		}
	}
	has := false
	upcoming := false
	inTrash := p.Status == store.Trash
	for _, e := range w.events {
		if !inTrash && slices.Contains(linked(e), p.ID) && e.Status != store.Trash &&
			(e.Status == store.Publish || mine(e.Author)) {
			has = true
			upcoming = upcoming || e.End >= q.now
		}
	}
	if q.HasEvents != nil && *q.HasEvents != has || q.Upcoming && !upcoming {
		return false
	}
	if q.Event != 0 {
		e := eventOf(w, q.Event)
		return e != nil && !inTrash && e.Password != "two" &&
			(e.Status == store.Publish || mine(e.Author)) &&
			slices.Contains(linked(e), p.ID)
	}
	return true
}

func (q *postQuery) before(a, b store.Record) int {
	p, nameA, _, _ := shown(a)
	r, nameB, _, _ := shown(b)
	date := int(p.Date.Sub(r.Date) / time.Second)
	order := 0
	switch q.OrderBy {
	case "": // newest first, whatever Desc says
		return cmp.Or(-date, int(r.ID-p.ID))
	case "date":
		order = date
	case "modified":
		order = int(p.Modified.Sub(r.Modified) / time.Second)
	case "title":
		order = cmp.Or(cmp.Compare(plainly(nameA), plainly(nameB)), cmp.Compare(nameA, nameB))
	case "slug":
		order = cmp.Compare(p.Slug, r.Slug)
	}
	if order = cmp.Or(order, int(p.ID-r.ID)); q.Desc {
		return -order
	}
	return order
}

func TestPostsAgainstFullScan(t *testing.T) {
	t.Parallel()
	const rounds = 3
	for round := range uint64(rounds) {
		t.Run(fmt.Sprint("seed ", seed, ", ", round), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, round))
			w := newWorld(t, rng, 60)
			for range queries(1_200, 50_000) / rounds {
				q := randomPosts(rng, w)
				var all, want []store.Record
				for _, r := range w.venues {
					if q.Kind == store.Venues {
						all = append(all, r)
					}
				}
				for _, r := range w.organizers {
					if q.Kind == store.Organizers {
						all = append(all, r)
					}
				}
				for _, r := range all {
					if q.wants(w, r) {
						want = append(want, r)
					}
				}
				slices.SortFunc(want, q.before)
				w.store.View(func(v *store.View) error {
					got := joined(
						t,
						1+rng.IntN(12),
						len(want),
						func(offset, limit int) ([]store.Record, int) {
							found, total, _ := q.Find(filters.Inside(v), offset, limit)
							return found, total
						},
					)
					if !slices.Equal(got, want) {
						t.Errorf("finds (-want +got):\n%s", gocmp.Diff(keys(want), keys(got)))
					}
					for _, r := range all {
						if q.Match(v, r) != slices.Contains(want, r) {
							t.Errorf("matches %d: %t", r.Key(), q.Match(v, r))
						}
					}
					return nil
				})
				if t.Failed() {
					t.Fatalf("%+v", q)
				}
			}
		})
	}
}

// A date is compared by its second.
func TestWrittenSeconds(t *testing.T) {
	t.Parallel()
	date := time.Date(2031, 5, 10, 12, 0, 1, 400_000_000, time.UTC)
	second := date.Truncate(time.Second)
	for _, tt := range []struct {
		w   filters.Written
		has bool
	}{
		{filters.Written{After: second}, false},
		{filters.Written{After: second.Add(-time.Second)}, true},
		{filters.Written{Before: second}, false},
		{filters.Written{Before: second.Add(time.Second)}, true},
	} {
		if tt.w.Has(1, 1, date) != tt.has {
			t.Errorf("%+v: has the date is not %v", tt.w, tt.has)
		}
	}
}
