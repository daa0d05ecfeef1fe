// Pages of the days that visitors ask for in words.

package site_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// soonPart finds parts of a page: its title, its heading, the row and its marked link, its events,
// and the next event where it has none.
var soonPart = regexp.MustCompile(
	`<title>(.*) – |<h1>(.*)</h1>|class="soon"|aria-current="page">(.*)</a>|<h[23]>.*<bdi>(.*)</bdi>|` +
		`<div class="empty">|<li>(<a href="[^"]*">Next event.*</a>)`,
)

// A page of a word has the dates in its title, feeds of its own, and a row of links to pages of
// other words. An empty page tells the next event. On the next day it is another page, whatever
// was remembered.
func TestSoonPages(t *testing.T) {
	t.Parallel()
	c := sample.New(t) // on a Friday evening
	music := c.Add(&store.Term{Name: "Music"})
	entry := c.Add(&store.Term{Name: "Entry"})
	gratis := c.Add(&store.Term{Name: "Gratis", Slug: "free", Parent: entry})
	free := store.Cost{Entries: []string{"0"}}
	for _, e := range []store.Event{
		{
			Title: "Over",
			Start: sample.Local(t, "2026-11-20 10:00:00"),
		}, {
			Title: "Sunday",
			Start: sample.Local(t, "2026-11-22 10:00:00"),
			Cost:  free,
		},
		{Title: "Monday", Start: sample.Local(t, "2026-11-23 10:00:00"), Categories: []int64{music}},
		{Title: "Costly", Start: sample.Local(t, "2026-12-01 10:00:00"), Categories: []int64{gratis}},
	} {
		e.End = e.Start + 3600
		c.Add(&e)
	}
	h := sample.Visited(t, c)
	ask := func(path string, header ...string) (string, int, string) {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			append(header, "Accept", "text/html")...)
		return rec.Body.String(), rec.Code, rec.Header().Get("Etag")
	}
	const row = `class="soon"`
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"/events/today/", []string{"Friday, November\u00a020, 2026", row, "Today", "Friday, November\u00a020, 2026", "Over"}},
		{"/events/tomorrow/", []string{"Tomorrow, November\u00a021, 2026", row, "Tomorrow",
			"Tomorrow, November\u00a021, 2026", `<div class="empty">`,
			`<a href="http://example.com/events/2026-11-22/">Next event: Sunday, November 22, 2026</a>`}},
		{"/events/this-weekend/", []string{"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", row, "This weekend",
			"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", "Sunday"}},
		{"/events/?eventDisplay=this-week&tribe-bar-date=2031-01-01", []string{
			"This week, November\u00a015\u2009–\u2060\u2009\u206021, 2026", row, "This week",
			"This week, November\u00a015\u2009–\u2060\u2009\u206021, 2026", "Over"}},
		{"/events/category/music/this-weekend/", []string{
			"Music · This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", row, "This weekend",
			"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", `<div class="empty">`,
			`<a href="http://example.com/events/category/music/2026-11-23/">Next event: Monday, November 23, 2026</a>`}},
		{"/events/free/", []string{"Free", "List", row, "Free", "Free", "Sunday"}},
		{"/events/this-weekend/free/", []string{"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", row, "This weekend",
			"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", "Sunday"}},
		{"/events/category/entry/free/", []string{"Gratis", "List", row, "Gratis", "Costly"}}, // a category of this name
		{"/embed/events/this-weekend/", []string{"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026",
			"This weekend, November\u00a021\u2009–\u2060\u2009\u206022, 2026", "Sunday"}},
	} {
		body, status, _ := ask(tt.path)
		var got []string
		for _, part := range soonPart.FindAllStringSubmatch(body, -1) {
			text := strings.Join(part[1:], "")
			if text == "" {
				text = part[0]
			}
			got = append(got, strings.ReplaceAll(text, "\u202f", " "))
		}
		if diff := cmp.Diff(tt.want, got); status != http.StatusOK || diff != "" {
			t.Errorf("%s: %d (-want +got):\n%s", tt.path, status, diff)
		}
	}
	weekend, _, tag := ask("/events/this-weekend/")
	for _, want := range []string{`<link rel="canonical" href="http://example.com/events/this-weekend/">`,
		`href="http://example.com/cal/events/v1/events.ics?when=weekend"`, `href="http://example.com/events/tomorrow/"`,
		`<link rel="alternate" href="http://example.com/cal/events/v1/events/?when=weekend">`} {
		if !strings.Contains(weekend, want) {
			t.Errorf("the weekend has no %s", want)
		}
	}
	for _, path := range []string{"/events/this-weekend/ical/", "/events/this-weekend/feed/", v1 + "/events.csv?when=weekend",
		v1 + "/events.atom?when=weekend&free=true", v1 + "/events.feed.json?when=weekend"} {
		if body, status, _ := ask(path); status != http.StatusOK ||
			!strings.Contains(body, "Sunday") ||
			strings.Contains(body, "Monday") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/events/this-weekend/2026-11-22/", "/events/weekend/", "/events/free/month/"} {
		if _, status, _ := ask(path); status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, status)
		}
	}
	c.Clock.Set(sample.Evening.AddDate(0, 0, 3)) // on Monday evening: the next weekend
	after, status, _ := ask("/events/this-weekend/", "If-None-Match", tag)
	if status != http.StatusOK || !strings.Contains(after, "<h1>This weekend, November\u00a028") {
		t.Errorf("after the weekend: %d %s", status, after)
	}
}

// The link to free events stands where it leads to one: not behind the last of them, nor in a
// category of paid ones.
func TestSoonFree(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	music := c.Add(&store.Term{Name: "Music"})
	art := c.Add(&store.Term{Name: "Art"})
	for _, e := range []store.Event{
		{
			Title: "Over",
			Start: sample.Local(t, "2026-11-18 10:00:00"),
			Cost: store.Cost{
				Entries: []string{"0"},
			},
			Categories: []int64{music},
		},
		{
			Title: "Sunday",
			Start: sample.Local(t, "2026-11-22 10:00:00"),
			Cost: store.Cost{
				Entries: []string{"Free"},
			},
			Categories: []int64{art},
		},
		{
			Title: "Monday",
			Start: sample.Local(t, "2026-11-23 10:00:00"),
			Cost: store.Cost{
				Entries: []string{"12"},
			},
			Categories: []int64{music},
		},
		{Title: "Unknown", Start: sample.Local(t, "2026-11-24 10:00:00"), Categories: []int64{art}},
	} {
		e.End = e.Start + 3600
		c.Add(&e)
	}
	h := sample.Visited(t, c)
	row := regexp.MustCompile(`(?s)<nav class="soon".*?</nav>`)
	for _, day := range []struct {
		name string
		has  map[string]bool
	}{
		{"Friday", map[string]bool{"/events/": true, "/events/category/art/": true, "/events/category/art/month/2031-07/": true,
			"/events/past/": true, "/events/month/": true, "/events/today/": true,
			"/events/?tribe-bar-search=Sunday": true, "/events/category/music/": false, "/events/category/music/month/": false,
			"/events/?tribe-bar-search=Monday": false, "/events/?tribe-bar-date=2026-12-01": false, "/events/free/": true,
			"/events/category/music/free/": true}}, // where it is the page that is shown
		{"Monday", map[string]bool{
			"/events/":                           false,
			"/events/category/art/":              false,
			"/events/month/":                     false,
			"/events/?tribe-bar-date=2026-11-20": true,
		}},
	} {
		got := map[string]bool{}
		for path := range day.has {
			rec := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+path,
				"",
				"Accept",
				"text/html",
			)
			links := row.FindString(rec.Body.String())
			if rec.Code != http.StatusOK || links == "" {
				t.Errorf("%s: %d without a row", path, rec.Code)
			}
			got[path] = strings.Contains(links, ">Free</a>")
		}
		if diff := cmp.Diff(day.has, got); diff != "" {
			t.Errorf("on %s (-want +got):\n%s", day.name, diff)
		}
		c.Clock.Set(sample.Evening.AddDate(0, 0, 3))
	}
}
