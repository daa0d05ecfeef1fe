package tec_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/store"
	"almanac/tec"
)

// plant fills an empty calendar.
func (c *calendar) plant(file string) (tec.Report, error) {
	return tec.Plant(c.Store, strings.NewReader(file), "seed.json", c.options)
}

// The least that a record of a seed says is enough.
func TestPlantMinimal(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	report, err := c.plant(`{
		"events":[
			{"title":"Tea & Cake","start_date":"2031-05-12","end_date":"2031-05-12 15:00"},
			{"title":"Fair","start_date":"tomorrow 9am","end_date":"+2 days","all_day":true,"cost":"5-7 €","image":"https://a.example/f.JPG","author":3},
			{"title":"Draft","start_date":"2031-05-12","end_date":"2031-05-12","status":"draft"}],
		"venues":[{"venue":"Hall"}],"organizers":[{"organizer":"Choir"}],"categories":[{"name":"Music"}],"tags":[{"name":"Free"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"events created": 3, "venues created": 1, "organizers created": 1, "categories created": 1, "tags created": 1, "images created": 1}
	if diff := cmp.Diff(want, counts(report)); diff != "" {
		t.Errorf("counts (-want, +got):\n%s", diff)
	}
	events := all[*store.Event](c, store.Events)
	day := func(d, hour, minute, second int) store.Wall {
		return store.WallOf(time.Date(2031, 5, d, hour, minute, second, 0, time.UTC))
	}
	published := store.Post{Author: 7, Status: store.Publish, Date: noon, Modified: noon}
	wantEvents := map[string]*store.Event{
		"tea-cake": {Post: published, Title: "Tea & Cake", Start: day(12, 0, 0, 0), End: day(12, 15, 0, 0), Timezone: "America/New_York"},
		"fair": {Post: published, Title: "Fair", Start: day(11, 0, 0, 0), End: day(12, 23, 59, 59), AllDay: true, Timezone: "America/New_York",
			Cost: []string{"5 €", "7 €"}},
		"": {Post: store.Post{Author: 7, Status: store.Draft, Date: noon, Undated: true}, Title: "Draft", Start: day(12, 0, 0, 0), End: day(12, 0, 0, 0), Timezone: "America/New_York"},
	}
	wantEvents["fair"].Author = 3
	ignore := cmp.Options{cmpopts.IgnoreTypes(store.Meta{}), cmpopts.IgnoreFields(store.Post{}, "Slug", "Image")}
	if diff := cmp.Diff(wantEvents, events, ignore); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	if image := all[*store.Image](c, store.Images)["https://a.example/f.JPG"]; image == nil || image.ID != events["fair"].Image || image.Extension != "JPG" {
		t.Errorf("image %+v of the event's %d", image, events["fair"].Image)
	}
	wantVenue := &store.Venue{Post: published, Name: "Hall", ShowMap: true, ShowMapLink: true}
	if diff := cmp.Diff(wantVenue, all[*store.Venue](c, store.Venues)["hall"], ignore); diff != "" {
		t.Errorf("venue (-want, +got):\n%s", diff)
	}
}

// Records of a seed keep their ids and name each other by them, in any order;
// what has no id gets one that nobody names.
func TestPlantIDs(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	_, err := c.plant(`{
		"events":[
			{"id":40,"title":"Child","start_date":"2031-05-12","end_date":"2031-05-12","post_parent":41,"venue":7,"organizer":[8,{"organizer":"Choir"},{"id":8}],"categories":[5,"Music","rock"],"tags":["New",{"name":"new"}]},
			{"id":41,"title":"Parent","start_date":"2031-05-12","end_date":"2031-05-12","venue":[{"venue":"hall"}],"organizer":{"organizer":"Band"}},
			{"title":"No id","start_date":"2031-05-12","end_date":"2031-05-12","organizer":"8"}],
		"venues":[{"venue":"Other"},{"id":7,"venue":"Hall"}],
		"organizers":[{"id":8,"organizer":"Choir"}],
		"categories":[{"id":6,"name":"Rock","parent":5},{"id":5,"name":"Music"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	events, organizers := all[*store.Event](c, store.Events), all[*store.Organizer](c, store.Organizers)
	tags, categories := all[*store.Term](c, store.Tags), all[*store.Term](c, store.Categories)
	want := map[string]any{
		"parent": int64(41), "venue": []int64{7}, "organizer": []int64{8}, "categories": []int64{5, 6}, "tags": []int64{tags["new"].ID},
		"venue by name": []int64{7}, "organizer inside": []int64{organizers["band"].ID}, "organizer by text": []int64{8}, "rock below": int64(5),
	}
	got := map[string]any{
		"parent": events["child"].Parent, "venue": events["child"].Venues, "organizer": events["child"].Organizers,
		"categories": events["child"].Categories, "tags": events["child"].Tags,
		"venue by name": events["parent"].Venues, "organizer inside": events["parent"].Organizers, "organizer by text": events["no-id"].Organizers,
		"rock below": categories["rock"].Parent,
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

// A seed is planted whole or not at all.
func TestPlantRefuses(t *testing.T) {
	t.Parallel()
	event := func(more string) string {
		return `{"title":"E","start_date":"2031-05-12","end_date":"2031-05-12"` + more + `}`
	}
	tests := []struct{ name, file, want string }{
		{"a record", list(event(``), event(`,"timezone":"Nowhere"`)), `seed.json: record 2 (events): time zone "Nowhere"`},
		{"a bad date", list(`{"title":"E","start_date":"someday","end_date":"2031-05-12"}`), `seed.json: record 1 (events): "someday" is not a date`},
		{"an unknown venue", list(event(`,"venue":9`)), "venue: there is no 9 among the venues"},
		{"an unknown category", list(event(`,"categories":[9]`)), "categories: there is no 9 among them"},
		{"an unknown parent", list(event(`,"post_parent":9`)), "post_parent: there is no event 9 in the seed"},
		{"an unknown category above", `{"categories":[{"name":"C","parent":9}]}`, "parent: there is no category 9 in the seed"},
		{"an id twice", list(event(`,"id":9`), event(`,"id":9`)), "seed.json: record 2 (events 9): has the id 9, which another of the events has"},
		{"an id of two kinds", `{"venues":[{"id":9,"venue":"V"}],"events":[` + event(`,"id":9`) + `]}`, "seed.json: record 2 (events 9): store: "},
		{"many", list(event(`,"cost":{}`), event(`,"cost":{}`), event(`,"cost":{}`), event(`,"cost":{}`), event(`,"cost":{}`), event(`,"cost":{}`), event(`,"cost":{}`)), "and 2 more"},
		{"no JSON", `{"events":[`, "seed.json: ends in the middle"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			report, err := c.plant(test.file)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if n := counts(report); len(n) > 0 {
				t.Errorf("something was planted: %v", n)
			}
			if events := all[*store.Event](c, store.Events); len(events) > 0 {
				t.Errorf("%d events were stored", len(events))
			}
		})
	}
	t.Run("a store with records", func(t *testing.T) {
		t.Parallel()
		c := newCalendar(t)
		c.mustLoad(`{"tags":[{"name":"T"}]}`)
		if _, err := c.plant(list(event(``))); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("error %v", err)
		}
	})
}
