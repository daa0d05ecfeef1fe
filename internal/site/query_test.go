package site_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"

	"github.com/google/go-cmp/cmp"
)

// The page of a category is known by one address, that which records show, and that of a tag by
// one too, whatever other leads to it; a page of chosen events is none for search engines.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	for _, tt := range []struct{ path, want string }{
		{"/events/category/jazz/", "/events/category/music/jazz/"}, {"/events/category/music/jazz/", "/events/category/music/jazz/"},
		{"/events/category/jazz/month/2031-04/", "/events/category/music/jazz/month/2031-04/"},
		{"/de/events/category/JAZZ/", "/de/events/category/music/jazz/"}, {"/embed/events/category/jazz/", "/events/category/music/jazz/"},
		{"/tag/kids/", "/events/tag/kids/"}, {"/events/tag/kids/", "/events/tag/kids/"}, {"/events/category/music/", "/events/category/music/"},
	} {
		body := askFor(h, tt.path).Body.String()
		if want := `<link rel="canonical" href="http://example.com` + tt.want + `">`; !strings.Contains(
			body,
			want,
		) {
			t.Errorf("%s: no %s", tt.path, want)
		}
	}
	if body := askFor(h, "/sitemap.xml").Body.String(); !strings.Contains(
		body,
		"/events/category/music/jazz/<",
	) {
		t.Errorf("the category is not in the sitemap by that: %s", body)
	}
	if rec := askFor(h, c.Fill(t, "/events/?event_ids[]={One}")); rec.Header().
		Get("X-Robots-Tag") !=
		"noindex" {
		t.Errorf("a page of chosen events: %q", rec.Header().Get("X-Robots-Tag"))
	}
}

// The forms of addresses in queries, which the original answers beside those of pages, show the
// same, or lead to the page of an event.
func TestPageQueries(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	const home = "http://example.com"
	for _, tt := range []struct{ query, want string }{ // the address of the page, or a heading
		{"/?p={One}", "/event/one/"}, {"/?post_type=tribe_events&p={One}", "/event/one/"}, {"/?tribe_events=one", "/event/one/"},
		{"/?post_type=tribe_events&tribe_events=one", "/event/one/"}, {"/de/?p={One}", "/de/event/one/"},
		{"/events/?p={Hidden}", "/event/hidden/"},
		{"/?p={Locked}", "/event/locked/"},
		{"/?p={Draft}", "There is nothing at this address"}, {"/?p={Private}", "There is nothing at this address"},
		{"/?p={Hall}", "There is nothing at this address"}, {"/?p=0", "There is nothing at this address"},
		{"/?p=x", "There is nothing at this address"}, {"/?tribe_events=nothing", "There is nothing at this address"},
		{"/?post_type=tribe_events", "Upcoming events"}, {"/?post_type=tribe_events&eventDisplay=list", "Upcoming events"},
		{"/?post_type=tribe_events&eventDisplay=past", "Past events"}, {"/events/list/?eventDisplay=past", "Past events"},
		{"/?post_type=tribe_events&eventDisplay=month&tribe-bar-date=2031-04", "April 2031"},
		{"/events/?eventDisplay=month&tribe-bar-date=2031-04-10", "April 2031"}, {"/?eventDisplay=month", "November 2026"},
		{"/events/month/?tribe-bar-date=2031-04", "April 2031"},
		{"/?post_type=tribe_events&tribe_events_cat=music&eventDisplay=list", "/events/category/music/"},
		{"/?tribe_events_cat=jazz", "/events/category/music/jazz/"}, {"/ar/?tribe_events_cat=jazz", "/ar/events/category/music/jazz/"},
		{"/?post_type=tribe_events&tribe_events_cat=jazz&eventDisplay=month", "/events/category/music/jazz/month/"},
		{"/?tribe_events_cat=jazz&eventDisplay=month&tribe-bar-date=2031-04", "/events/category/music/jazz/month/2031-04/"},
		{"/events/?tag=kids&eventDisplay=day&tribe-bar-date=2031-04-10", "/events/tag/kids/2031-04-10/"},
		{"/?tribe_events_cat=music&eventDisplay=past&tribe-bar-search=x+y", "/events/category/music/past/?tribe-bar-search=x+y"},
		{"/?post_type=tribe_events&tag=kids", "/events/tag/kids/"}, {"/?tribe_events_cat=nothing", "There is nothing at this address"},
		{"/events/category/music/jazz/", "Jazz"}, {"/embed/events/?tag=kids", "Kids"},
		{"/events/?event_ids[]={One}", "1 event"}, {"/events/?event_ids[]={One}&event_ids[]={Two}", "2 events"},
		{"/?post_type=tribe_events&event_ids={One},{Two}", "2 events"}, {"/events/?event_ids[]={Past}", "1 event"},
		{"/events/?event_ids[]={Private}", "0 events"}, {"/events/?event_ids[]={Draft}", "0 events"},
		{"/events/?event_ids[]=x", "There is nothing at this address"}, {"/events/?event_ids[]=", "There is nothing at this address"},
		{"/?tribe_venue=hall", "Hall"}, {"/?tribe_organizer=ann", "Ann"}, {"/events/?tribe-bar-search=child", "Events with “child”"},
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			home+c.Fill(t, tt.query),
			"",
			"Accept",
			"text/html",
		)
		if strings.Contains(tt.query, "?p=") || strings.Contains(tt.query, "?tribe_events=") ||
			strings.Contains(tt.query, "?post_type=") {
			link := apitest.Serve(
				h,
				http.MethodGet,
				home+c.Fill(t, tt.query),
				"",
				"Accept",
				"*/*",
			) // as programs that check links ask
			if diff := cmp.Diff(rec.Body.String(), link.Body.String()); diff != "" ||
				link.Code != rec.Code {
				t.Errorf(
					"%s is another page, %d, where HTML is not named (-named, +anything):\n%s",
					tt.query,
					link.Code,
					diff,
				)
			}
		}
		if strings.HasPrefix(tt.want, "/") {
			if got := rec.Header().Get("Location"); rec.Code != http.StatusMovedPermanently ||
				got != home+tt.want {
				t.Errorf("%s: %d, %q, want %s", tt.query, rec.Code, got, tt.want)
			}
			continue
		}
		status := http.StatusOK
		if strings.HasPrefix(tt.want, "There is nothing") {
			status = http.StatusNotFound
		}
		_, heading, _ := strings.Cut(rec.Body.String(), "<h1")
		heading, _, _ = strings.Cut(heading, "</h1>")
		if rec.Code != status || !strings.Contains(heading, tt.want) {
			t.Errorf("%s: %d, %.200q, want %d, %s", tt.query, rec.Code, heading, status, tt.want)
		}
	}
}
