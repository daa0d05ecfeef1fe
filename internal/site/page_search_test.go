// Searches of visitors.

package site_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Pages find what visitors read: names of places, organizers, categories and tags, with the quotes
// and dashes of any keyboard. So do the feeds of a search. The API's search finds what the
// original's does, with these signs.
func TestSearchesOfPages(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	roxy := c.Add(&store.Venue{Name: "The Roxy – Blue Hall"})
	secret := c.Add(&store.Venue{Name: "Backroom", Post: store.Post{Status: store.Draft}})
	smith := c.Add(&store.Organizer{Name: "O’Neill & Smith"})
	stage := c.Add(&store.Term{Name: "Theatre"})
	musical := c.Add(&store.Term{Name: "Musicals", Parent: stage})
	outdoor := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Outdoor"})
	for _, e := range []store.Event{
		{Title: "Jazz", Venues: []int64{roxy}, Tags: []int64{outdoor}},
		{Title: "Hair", Venues: []int64{secret}, Categories: []int64{musical}},
		{
			Title:      "Talk",
			Organizers: []int64{smith},
			Post: store.Post{
				Description: "Don't miss this 3 x 4 … in 2026-27.",
			},
		},
		{Title: "Locked", Venues: []int64{roxy}, Password: "secret"},
		{
			Title: "Roxy’s Birthday",
			Post: store.Post{
				Description: "<p>Don’t stay at home: 3×4 games</p>",
			},
		},
	} {
		e.Start = sample.Local(t, "2026-12-01 10:00:00")
		e.End = e.Start + 3600
		c.Add(&e)
	}
	h := sample.Visited(t, c)
	get := func(path string) string {
		return apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		).Body.String()
	}
	titles := func(text string, form *regexp.Regexp) string {
		var all []string
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			all = append(
				all,
				strings.ReplaceAll(strings.ReplaceAll(m[1], "&#8217;", "’"), "'", "’"),
			)
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
	heading := regexp.MustCompile(`<h[23]>.*<bdi>(.*)</bdi>`)
	summary := regexp.MustCompile("\r\nSUMMARY:(.*)\r\n")
	for _, tt := range []struct{ search, page, api string }{
		{"Roxy", "Jazz, Roxy’s Birthday", "Roxy’s Birthday"},
		{"roxy jazz", "Jazz", ""},
		{"roxy -jazz", "Roxy’s Birthday", "Roxy’s Birthday"},
		{"roxy -hall", "Roxy’s Birthday", "Roxy’s Birthday"},
		{"hair -theatre", "", "Hair"},
		{`"blue hall"`, "Jazz", ""},
		{`"roxy - blue"`, "Jazz", ""},
		{`"hall jazz"`, "", ""},
		{"backroom", "", ""},
		{"theatre", "Hair", ""},
		{"musicals", "Hair", ""},
		{"outdoor", "Jazz", ""},
		{"O'Neill", "Talk", ""},
		{"o‘neill", "Talk", ""},
		{"Don’t", "Roxy’s Birthday, Talk", "Roxy’s Birthday, Talk"},
		{"don't", "Roxy’s Birthday, Talk", "Roxy’s Birthday, Talk"},
		{"“don’t miss”", "Talk", "Talk"},
		{"roxy's", "Roxy’s Birthday", "Roxy’s Birthday"},
		{"3x4", "Roxy’s Birthday", "Roxy’s Birthday"},
		{"4 ...", "Talk", "Talk"},
		{"2026–27", "Talk", "Talk"},
	} {
		query := url.QueryEscape(tt.search)
		page := get("/events/?tribe-bar-search=" + query)
		if diff := cmp.Diff(tt.page, titles(page, heading)); diff != "" {
			t.Errorf("%s on the page (-want +got):\n%s", tt.search, diff)
		}
		if diff := cmp.Diff(tt.page, titles(get("/events/?ical=1&tribe-bar-search="+query), summary)); diff != "" {
			t.Errorf("%s in its calendar (-want +got):\n%s", tt.search, diff)
		}
		feed := regexp.MustCompile(`href="http://example.com(/cal/events/v1/events.ics\?[^"]*)"`).
			FindStringSubmatch(page)
		if feed == nil {
			t.Fatalf("%s has no feed: %s", tt.search, page)
		}
		if diff := cmp.Diff(tt.page, titles(get(html.UnescapeString(feed[1])), summary)); diff != "" {
			t.Errorf("%s in %s (-want +got):\n%s", tt.search, feed[1], diff)
		}
		var list struct{ Events []struct{ Title string } }
		if err := json.Unmarshal([]byte(get(v1+"/events?search="+query)), &list); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range list.Events {
			all = append(all, strings.ReplaceAll(e.Title, "&#8217;", "’"))
		}
		slices.Sort(all)
		if diff := cmp.Diff(tt.api, strings.Join(all, ", ")); diff != "" {
			t.Errorf("%s in the API (-want +got):\n%s", tt.search, diff)
		}
	}
}
