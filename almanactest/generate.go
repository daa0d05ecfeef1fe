// A generated calendar: many records, the same every time.

package almanactest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"almanac/internal/text/markup"
	"almanac/store"
)

// Where the generated events are, and how many records share a transaction.
const (
	firstYear, lastYear = 2030, 2032
	recordsPerUpdate    = 2000

	quarter = store.Wall(15 * 60)
	day     = 96 * quarter
)

// A Calendar says what Generate made.
type Calendar struct {
	Words []string // of the texts, the most common first, in lower case

	// Ids, in ascending order. Of all but events the first are used the most.
	Categories, Tags, Venues, Organizers, Events []int64
}

// Generate fills a store with n events and their venues, organizers and terms. In an empty store
// the records, with their ids, are always the same, so that measurements and expectations stay
// comparable.
//
// An event has a title and a description, together of about 600 bytes, of made-up words, few of
// them common and most rare; one venue, one organizer, one or two categories and up to four tags.
// Events start on the quarter hours from 07:00 to 21:45 of the years 2030 to 2032, in an order
// independent of their ids. Most last 1 to 4 hours; 3 of 100 last 2 to 9 whole days, and 1 of 200
// lasts 1 to 6 months. Of all events 10 % are featured, 20 % ticketed and 30 % have a price; 1 %
// are drafts, 0.5 % are hidden from lists and 0.1 % need the password "open". All are dated in
// 2029, by the account 1, in UTC.
//
// From 100,000 events on there are 5,000 venues, half with coordinates and an address, 5,000
// organizers, 2,000 tags, and 200 categories in a tree of four levels with five roots. Fewer
// events have proportionally fewer, at least eight of each.
//
// Generate uses many transactions: after an error, a part is stored.
func Generate(s *store.Store, n int) (*Calendar, error) {
	rng := rand.New(rand.NewPCG(2030, 2032))
	c := &Calendar{Words: vocabulary(rng)}
	g := &generator{Calendar: c, rng: rng, byWord: newSkew(len(c.Words), 3)}
	share := func(most int) int { return max(8, min(most, most*n/100_000)) }

	for _, step := range []struct {
		ids    *[]int64
		n      int
		record func(i int) store.Record
	}{
		{&c.Categories, share(200), g.category},
		{&c.Tags, share(2_000), g.tag},
		{&c.Venues, share(5_000), g.venue},
		{&c.Organizers, share(5_000), g.organizer},
		{&c.Events, n, g.event},
	} {
		if err := putMany(s, step.ids, step.n, step.record); err != nil {
			return nil, fmt.Errorf("almanactest: generate: %w", err)
		}
		g.measure()
	}
	return c, nil
}

// putMany stores the records that record makes of 0 to n-1, and adds their ids
// to a list as it goes, where record sees them.
func putMany(s *store.Store, ids *[]int64, n int, record func(i int) store.Record) error {
	*ids = slices.Grow(*ids, n)
	for from := 0; from < n; from += recordsPerUpdate {
		err := s.Update(1, func(tx *store.Tx) error {
			for i := from; i < min(n, from+recordsPerUpdate); i++ {
				r := record(i)
				if err := tx.Put(r); err != nil {
					return err
				}
				*ids = append(*ids, r.Key())
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A generator makes records. Every random number comes from rng, in one order.
type generator struct {
	*Calendar
	rng    *rand.Rand
	byWord skew
	text   []byte // reused

	byCategory, byTag, byVenue, byOrganizer skew // of the records that are there
}

// measure decides how much the records that are there are used: a few terms
// much, a large venue ten times as much as a small one.
func (g *generator) measure() {
	g.byCategory, g.byTag = newSkew(len(g.Categories), 3), newSkew(len(g.Tags), 10)
	g.byVenue = newSkew(len(g.Venues), 1+len(g.Venues)/10)
	g.byOrganizer = newSkew(len(g.Organizers), 1+len(g.Organizers)/10)
}

// category makes a category: five stand on top, and each has five below it.
func (g *generator) category(i int) store.Record {
	t := &store.Term{
		Taxonomy: store.Categories,
		Name:     capital(g.Words[500+i]),
		Slug:     g.Words[500+i],
	}
	if i >= 5 {
		t.Parent = g.Categories[i/5-1]
	}
	return t
}

func (g *generator) tag(i int) store.Record {
	return &store.Term{Taxonomy: store.Tags, Name: g.Words[1000+i], Slug: g.Words[1000+i]}
}

func (g *generator) venue(i int) store.Record {
	name := g.name(2)
	v := &store.Venue{Post: g.post(name, i), Name: name, ShowMap: true, ShowMapLink: true}
	v.Description = g.sentences(100)
	if i%2 == 0 {
		v.Address = fmt.Sprintf("%d %s Street", 1+g.rng.IntN(200), g.name(1))
		v.City = g.name(1)
		v.Country = "Ruritania"
		v.Zip = fmt.Sprintf("%05d", g.rng.IntN(100_000))
		v.Phone = fmt.Sprintf("+999 555 %04d", i)
		v.Website = "https://" + v.Slug + ".example.org"
		// Whole numbers first: every machine divides them alike.
		v.Geo = &store.Geo{
			Lat: float64(g.rng.IntN(1_200_000)-600_000) / 10_000,
			Lng: float64(g.rng.IntN(3_600_000)-1_800_000) / 10_000,
		}
	}
	return v
}

func (g *generator) organizer(i int) store.Record {
	name := g.name(2)
	o := &store.Organizer{
		Post:  g.post(name, i),
		Name:  name,
		Phone: fmt.Sprintf("+999 556 %04d", i),
	}
	o.Website = "https://" + o.Slug + ".example.org"
	o.Email = "office@" + o.Slug + ".example.org"
	return o
}

func (g *generator) event(i int) store.Record {
	title := g.name(2 + g.rng.IntN(4))
	e := &store.Event{
		Post:             g.post(title, i),
		Title:            title,
		Timezone:         "UTC",
		ShowMap:          true,
		ShowMapLink:      true,
		Categories:       g.some(1+g.rng.IntN(2), g.Categories, g.byCategory),
		Tags:             g.some(g.rng.IntN(5), g.Tags, g.byTag),
		Venues:           g.some(1, g.Venues, g.byVenue),
		Organizers:       g.some(1, g.Organizers, g.byOrganizer),
		Featured:         g.chance(100),
		Ticketed:         g.chance(200),
		HideFromListings: g.chance(5),
	}
	e.Description = g.sentences(480 + g.rng.IntN(240) - len(title))
	e.Start, e.End, e.AllDay = g.times()
	if g.chance(300) {
		e.Entries = []string{prices[g.rng.IntN(len(prices))]}
	}
	if g.chance(10) {
		e.Status = store.Draft
	}
	if g.chance(1) {
		e.Password = "open"
	}
	return e
}

var prices = [...]string{"5", "8", "12", "15", "20", "25.50", "40", "120"}

// times returns when an event is.
func (g *generator) times() (start, end store.Wall, allDay bool) {
	first := store.WallOf(time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC))
	days := (store.WallOf(time.Date(lastYear+1, 1, 1, 0, 0, 0, 0, time.UTC)) - first) / day
	start = first + g.upTo(days)*day
	switch kind := g.rng.IntN(1000); {
	case kind < 5:
		start += (28 + g.upTo(60)) * quarter
		return start, start + (30+g.upTo(150))*day, false
	case kind < 35:
		return start, start + (2+g.upTo(8))*day - 1, true
	}
	start += (28 + g.upTo(60)) * quarter
	return start, start + (4+g.upTo(13))*quarter, false
}

// post makes what events, venues and organizers have in common. The number
// makes the slug the only one.
func (g *generator) post(name string, number int) store.Post {
	date := time.Date(2029, 1, 1, 8, 0, 0, 0, time.UTC).
		Add(time.Duration(g.rng.IntN(300*24*3600)) * time.Second)
	return store.Post{
		Author:   1,
		Status:   store.Publish,
		Date:     date,
		Modified: date.Add(time.Duration(g.rng.IntN(60*24*3600)) * time.Second),
		Slug:     fmt.Sprintf("%s-%d", markup.Slug(name), number+1),
	}
}

// some picks n of the ids by their use, each once.
func (g *generator) some(n int, ids []int64, use skew) []int64 {
	if n == 0 {
		return nil
	}
	picked := make([]int64, 0, n)
	for len(picked) < n {
		if id := ids[use.pick(g.rng)]; !slices.Contains(picked, id) {
			picked = append(picked, id)
		}
	}
	return picked
}

// chance is true for some of a thousand.
func (g *generator) chance(perMille int) bool { return g.rng.IntN(1000) < perMille }

// upTo returns a number below n.
func (g *generator) upTo(n store.Wall) store.Wall { return store.Wall(g.rng.Int64N(int64(n))) }
