package seed_test

import (
	"maps"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/write/seed"
	"almanac/store"
)

var noon = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC) // a Saturday

type calendar struct {
	testing.TB
	*store.Store
	options seed.Options
}

// newCalendar returns an empty store of a site in New York. It is checked when the test ends.
func newCalendar(t testing.TB) *calendar {
	t.Helper()
	return newCalendarAt(t, noon, "America/New_York")
}

func newCalendarAt(t testing.TB, now time.Time, zone string) *calendar {
	t.Helper()
	s := apitest.Store(t, func() time.Time { return now })
	site, err := caltime.LoadZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	return &calendar{TB: t, Store: s, options: seed.Options{Site: site, Now: now, Account: 7}}
}

// plant fills an empty calendar.
func (c *calendar) plant(file string) error {
	return seed.Plant(c.Store, []byte(file), "seed.json", c.options)
}

func (c *calendar) mustPlant(file string) {
	c.Helper()
	if err := c.plant(file); err != nil {
		c.Fatal(err)
	}
}

func (c *calendar) plantFile(name string) error { return seed.PlantFile(c.Store, name, c.options) }

// count returns how many records of a kind there are.
func (c *calendar) count(k store.Kind) (n int) {
	_ = c.View(func(v *store.View) error {
		n = v.Len(k)
		return nil
	})
	return n
}

func all[R store.Record](c *calendar, k store.Kind) map[string]R {
	return apitest.Records[R](c, c.Store, k)
}

// Minimal records are valid.
func TestPlantMinimal(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{
		"events":[
			{"title":"Tea & Cake","start_date":"2031-05-12","end_date":"2031-05-12 15:00"},
			{"title":"Fair","start_date":"tomorrow 9am","end_date":"+2 days","all_day":true,"cost":"5-7 €",
				"image":"https://a.example/f.JPG","author":3},
			{"title":"Draft","start_date":"2031-05-12","end_date":"2031-05-12","status":"draft"}],
		"venues":[{"venue":"Hall"}],"organizers":[{"organizer":"Choir"}],"categories":[{"name":"Music"}],"tags":[{"name":"Free"}]}`)
	for k, want := range []int{
		store.Events:     3,
		store.Venues:     1,
		store.Organizers: 1,
		store.Categories: 1,
		store.Tags:       1,
		store.Images:     1,
	} {
		if got := c.count(store.Kind(k)); got != want {
			t.Errorf("%d %v, want %d", got, store.Kind(k), want)
		}
	}
	events := all[*store.Event](c, store.Events)
	day := func(d, hour, minute, second int) store.Wall {
		return store.WallOf(time.Date(2031, 5, d, hour, minute, second, 0, time.UTC))
	}
	published := store.Post{Author: 7, Status: store.Publish, Date: noon, Modified: noon}
	wantEvents := map[string]*store.Event{
		"tea-cake": {
			Post:     published,
			Title:    "Tea & Cake",
			Start:    day(12, 0, 0, 0),
			End:      day(12, 15, 0, 0),
			Timezone: "America/New_York",
		},
		"fair": {
			Post:     published,
			Title:    "Fair",
			Start:    day(11, 0, 0, 0),
			End:      day(12, 23, 59, 59),
			AllDay:   true,
			Timezone: "America/New_York",
			Cost:     store.Cost{Entries: []string{"5 €", "7 €"}, Wording: "5-7 €"},
		},
		"": {
			Post: store.Post{
				Author:  7,
				Status:  store.Draft,
				Date:    noon,
				Undated: true,
			},
			Title:    "Draft",
			Start:    day(12, 0, 0, 0),
			End:      day(12, 0, 0, 0),
			Timezone: "America/New_York",
		},
	}
	wantEvents["fair"].Author = 3
	ignore := cmp.Options{
		cmpopts.IgnoreTypes(store.Meta{}),
		cmpopts.IgnoreFields(store.Post{}, "Slug", "Image"),
	}
	if diff := cmp.Diff(wantEvents, events, ignore); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	if image := all[*store.Image](c, store.Images)["https://a.example/f.JPG"]; image == nil ||
		image.ID != events["fair"].Image ||
		image.Extension != "JPG" {
		t.Errorf("image %+v of the event's %d", image, events["fair"].Image)
	}
	wantVenue := &store.Venue{Post: published, Name: "Hall", ShowMap: true, ShowMapLink: true}
	if diff := cmp.Diff(wantVenue, all[*store.Venue](c, store.Venues)["hall"], ignore); diff != "" {
		t.Errorf("venue (-want, +got):\n%s", diff)
	}
}

// Records of a seed keep their ids and reference each other by them, in any order; generated ids
// collide with none.
func TestPlantIDs(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{
		"events":[
			{"id":40,"title":"Child","start_date":"2031-05-12","end_date":"2031-05-12","post_parent":41,"venue":7,"organizer":[8,
				{"organizer":"Choir"},{"id":8}],"categories":[5,"Music","rock"],"tags":["New",{"name":"new"}]},
			{"id":41,"title":"Parent","start_date":"2031-05-12","end_date":"2031-05-12","venue":[{"venue":"hall"}],"organizer":{"organizer":"Band"}},
			{"title":"No id","start_date":"2031-05-12","end_date":"2031-05-12","organizer":"8"}],
		"venues":[{"venue":"Other"},{"id":7,"venue":"Hall"}],
		"organizers":[{"id":8,"organizer":"Choir"}],
		"categories":[{"id":6,"name":"Rock","parent":5},{"id":5,"name":"Music"}]}`)
	events := all[*store.Event](c, store.Events)
	organizers := all[*store.Organizer](c, store.Organizers)
	tags := all[*store.Term](c, store.Tags)
	categories := all[*store.Term](c, store.Categories)
	want := map[string]any{
		"parent":            int64(41),
		"venue":             []int64{7},
		"organizer":         []int64{8},
		"categories":        []int64{5, 6},
		"tags":              []int64{tags["new"].ID},
		"venue by name":     []int64{7},
		"organizer inside":  []int64{organizers["band"].ID},
		"organizer by text": []int64{8},
		"rock below":        int64(5),
	}
	got := map[string]any{
		"parent":            events["child"].Parent,
		"venue":             events["child"].Venues,
		"organizer":         events["child"].Organizers,
		"categories":        events["child"].Categories,
		"tags":              events["child"].Tags,
		"venue by name":     events["parent"].Venues,
		"organizer inside":  events["parent"].Organizers,
		"organizer by text": events["no-id"].Organizers,
		"rock below":        categories["rock"].Parent,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want, +got):\n%s", diff)
	}
	if id := events["no-id"].ID; id <= 41 {
		t.Errorf("an event without id got %d", id)
	}
	if diff := cmp.Diff([]string{"hall", "other"}, slices.Sorted(maps.Keys(all[*store.Venue](c, store.Venues)))); diff != "" {
		t.Errorf("venues (-want, +got):\n%s", diff)
	}
}

type zones struct {
	testing.TB
	*caltime.Zones
}

func newZones(t testing.TB) zones { return zones{t, &caltime.Zones{}} }

// instant returns the instant of a local time in a zone.
func (z zones) instant(localTime store.Wall, zone string) time.Time {
	z.Helper()
	loaded, err := z.Load(zone)
	if err != nil {
		z.Fatal(err)
	}
	return loaded.Instant(localTime.Time())
}
