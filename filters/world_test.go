// Generated stores, and the folding and geometry that the tests do themselves.

package filters_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/store"
)

const seed = 20_310_510

// queries returns how many random queries a test asks: some, or with
// ALMANAC_LONG=1 very many.
func queries(some, many int) int {
	if os.Getenv("ALMANAC_LONG") != "" {
		return many
	}
	return some
}

// A world is a store with its records as plain lists.
type world struct {
	store      *store.Store
	events     []*store.Event
	venues     []*store.Venue
	organizers []*store.Organizer
	categories []*store.Term
	tags       []*store.Term
	series     []int64
}

var (
	monday = store.WallOf(time.Date(2031, 5, 5, 0, 0, 0, 0, time.UTC))
	made   = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
)

const (
	hour = store.Wall(3600)
	day  = 24 * hour
)

// vocabulary has words that hold others, accents and capitals.
var vocabulary = []string{
	"Night",
	"night",
	"Nightfall",
	"market",
	"Marché",
	"CAFÉ",
	"Café",
	"cafe",
	"jazz",
	"Jazzy",
	"100%",
	"under_score",
	"Straße",
	"été",
	"the",
	"of",
}

// plainly folds what is in the vocabulary, without asking the package.
func plainly(s string) string {
	return strings.NewReplacer("é", "e", "ß", "ss").Replace(strings.ToLower(s))
}

func words(rng *rand.Rand, most int) string {
	var some []string
	for range rng.IntN(most + 1) {
		some = append(some, vocabulary[rng.IntN(len(vocabulary))])
	}
	return strings.Join(some, " ")
}

// some returns up to n ids, each once.
func some(rng *rand.Rand, ids []int64, n int) []int64 {
	var picked []int64
	for _, i := range rng.Perm(len(ids))[:min(rng.IntN(n+1), len(ids))] {
		picked = append(picked, ids[i])
	}
	return picked
}

func post(rng *rand.Rand, slug string) store.Post {
	p := store.Post{
		Author: 1 + rng.Int64N(4),
		Status: []store.Status{
			store.Publish, store.Publish, store.Publish, store.Publish, store.Publish,
			store.Future, store.Draft, store.Pending, store.Private, store.Trash,
		}[rng.IntN(10)],
		Date:        made.Add(time.Duration(rng.IntN(5)) * time.Hour),
		Modified:    made.Add(time.Duration(rng.IntN(50)) * time.Hour),
		Description: words(rng, 4),
		Excerpt:     words(rng, 2),
	}
	if rng.IntN(3) > 0 {
		p.Slug = slug
	}
	return p
}

// newWorld makes a store of n events and what goes with them.
func newWorld(t testing.TB, rng *rand.Rand, n int) *world {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		s.Close()
	})
	w := &world{store: s}
	var venues, organizers, categories, tags []int64
	put := func(tx *store.Tx, r store.Record) int64 {
		if err := tx.Put(r); err != nil {
			t.Fatal(err)
		}
		return r.Key()
	}
	err = s.Update(1, func(tx *store.Tx) error {
		for i := range 20 {
			v := &store.Venue{
				Post:    post(rng, fmt.Sprint("venue-", i)),
				Name:    words(rng, 2),
				City:    words(rng, 1),
				Address: words(rng, 2),
				Zip:     "10115",
			}
			if rng.IntN(2) == 0 {
				v.Geo = &store.Geo{Lat: -60 + 120*rng.Float64(), Lng: -180 + 360*rng.Float64()}
			}
			venues = append(venues, put(tx, v))
			w.venues = append(w.venues, v)
		}
		for i := range 10 {
			o := &store.Organizer{
				Post:    post(rng, fmt.Sprint("organizer-", i)),
				Name:    words(rng, 2),
				Email:   words(rng, 1),
				Website: "https://example.org/" + plainly(words(rng, 1)),
			}
			organizers = append(organizers, put(tx, o))
			w.organizers = append(w.organizers, o)
		}
		for i := range 20 {
			c := &store.Term{
				Taxonomy:    store.Categories,
				Name:        words(rng, 2),
				Slug:        fmt.Sprint("category-", i),
				Description: words(rng, 2),
			}
			if len(categories) > 0 && rng.IntN(4) > 0 {
				c.Parent = categories[rng.IntN(len(categories))]
			}
			categories = append(categories, put(tx, c))
			w.categories = append(w.categories, c)
		}
		for i := range 10 {
			g := &store.Term{
				Taxonomy: store.Tags,
				Name:     words(rng, 2),
				Slug:     fmt.Sprint("tag-", i),
			}
			tags = append(tags, put(tx, g))
			w.tags = append(w.tags, g)
		}
		for range 2 + n/25 {
			w.series = append(w.series, put(tx, &store.Series{
				Event: store.Event{
					Timezone: "UTC",
				},
				Rule: "FREQ=DAILY",
			}))
		}
		var parents []int64
		for i := range n {
			start := monday + store.Wall(rng.IntN(40))*6*hour
			e := &store.Event{
				Post:             post(rng, fmt.Sprint("event-", i)),
				Title:            words(rng, 3),
				Timezone:         "UTC",
				Start:            start,
				End:              start + []store.Wall{0, hour, 2 * hour, day, 9 * day}[rng.IntN(5)],
				HideFromListings: rng.IntN(8) == 0,
				Featured:         rng.IntN(3) == 0,
				Ticketed:         rng.IntN(3) == 0,
				Categories:       some(rng, categories, 2),
				Tags:             some(rng, tags, 2),
				Venues:           some(rng, venues, 2),
				Organizers:       some(rng, organizers, 2),
			}
			e.Cost.Entries = strings.Fields(
				[]string{"", "0", "10 0.00", "5", "Free", "Free 3", "無料", "Donation"}[rng.IntN(8)],
			)
			e.State = []string{"", "", store.Canceled, store.Postponed}[rng.IntN(4)]
			if rng.IntN(6) == 0 {
				e.Password = []string{"one", "two"}[rng.IntN(2)]
			}
			if len(parents) > 0 && rng.IntN(4) == 0 {
				e.Parent = parents[rng.IntN(min(len(parents), 6))]
			}
			if rng.IntN(3) == 0 {
				e.Recurrence = &store.Recurrence{
					Series: w.series[rng.IntN(len(w.series))],
					Start:  store.Wall(i),
				}
			}
			parents = append(parents, put(tx, e))
			w.events = append(w.events, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// churn changes, trashes and moves some of the events, and of their linked records, so that
// indexes saw not only additions.
func (w *world) churn(t testing.TB, rng *rand.Rand) {
	t.Helper()
	err := w.store.Update(1, func(tx *store.Tx) error {
		for range len(w.events) / 4 {
			i := rng.IntN(len(w.events))
			next := *w.events[i]
			next.Start += store.Wall(rng.IntN(9)-4) * 6 * hour
			next.End = next.Start + store.Wall(rng.IntN(3))*day
			next.Featured = !next.Featured
			next.HideFromListings = rng.IntN(8) == 0
			next.Cost = w.events[rng.IntN(len(w.events))].Cost
			next.Title = words(rng, 3)
			next.Status = w.events[rng.IntN(len(w.events))].Status
			if rng.IntN(4) == 0 {
				next.Recurrence = nil
			}
			next.Tags = w.events[rng.IntN(len(w.events))].Tags
			next.Categories = w.events[rng.IntN(len(w.events))].Categories
			if err := tx.Put(&next); err != nil {
				return err
			}
			w.events[i] = &next
		}
		for range 5 {
			i := rng.IntN(len(w.venues))
			next := *w.venues[i]
			if next.Geo == nil {
				next.Geo = &store.Geo{Lat: 10, Lng: 20}
			} else {
				next.Geo = nil
			}
			if err := tx.Put(&next); err != nil {
				return err
			}
			w.venues[i] = &next
		}
		for range 5 {
			i := rng.IntN(len(w.categories))
			next := *w.categories[i]
			next.Parent = 0
			if i > 0 && rng.IntN(3) > 0 {
				next.Parent = w.categories[rng.IntN(i)].ID
			}
			// Refused where it would end up below itself: then it stays.
			if err := tx.Try(func() error { return tx.Put(&next) }); err == nil {
				w.categories[i] = &next
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// apart returns the kilometres between two points by their angle at the centre
// of the earth.
func apart(a, b store.Geo) float64 {
	vector := func(g store.Geo) [3]float64 {
		lat := g.Lat * math.Pi / 180
		lng := g.Lng * math.Pi / 180
		return [3]float64{
			math.Cos(lat) * math.Cos(lng),
			math.Cos(lat) * math.Sin(lng),
			math.Sin(lat),
		}
	}
	p := vector(a)
	q := vector(b)
	cross := math.Hypot(math.Hypot(p[1]*q[2]-p[2]*q[1], p[2]*q[0]-p[0]*q[2]), p[0]*q[1]-p[1]*q[0])
	return 6371.0088 * math.Atan2(cross, p[0]*q[0]+p[1]*q[1]+p[2]*q[2])
}

func venueOf(w *world, id int64) *store.Venue {
	for _, v := range w.venues {
		if v.ID == id {
			return v
		}
	}
	return nil
}

func eventOf(w *world, id int64) *store.Event {
	for _, e := range w.events {
		if e.ID == id {
			return e
		}
	}
	return nil
}
