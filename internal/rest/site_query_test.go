package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/resttest"
)

// The forms of addresses in queries, which the original answers beside those of pages, show the
// same, or lead to the page of an event.
func TestPageQueries(t *testing.T) {
	t.Parallel()
	c := fair(t)
	h := site(t, c)
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
		{"/?post_type=tribe_events&tribe_events_cat=music&eventDisplay=list", "Music"}, {"/?tribe_events_cat=jazz", "Jazz"},
		{"/?post_type=tribe_events&tag=kids", "Kids"}, {"/?tribe_events_cat=nothing", "There is nothing at this address"},
		{"/?tribe_venue=hall", "Hall"}, {"/?tribe_organizer=ann", "Ann"}, {"/events/?tribe-bar-search=child", "Events with “child”"},
	} {
		rec := resttest.Serve(h, http.MethodGet, home+c.fill(t, tt.query), "", "Accept", "text/html")
		if strings.HasPrefix(tt.want, "/") {
			if got := rec.Header().Get("Location"); rec.Code != http.StatusMovedPermanently || got != home+tt.want {
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
