package site_test

import (
	"net/http/httptest"
	"testing"

	"almanac/internal/api"
	"almanac/internal/tools/sample"
)

// TestAddressesOfPages asks which view, or which feed, answers at the address of a page.
func TestAddressesOfPages(t *testing.T) {
	server := sample.Visited(t, sample.New(t)).(*api.Server)
	for path, want := range map[string]string{
		"/events/":                     "page.list",
		"/events/month/":               "page.month",
		"/events/week/2031-05-10/":     "page.month",
		"/de/events/featured/":         "page.list",
		"/pt-br/venue/choir/":          "page.list",
		"/event/choir/":                "page.event",
		"/event/choir/all/":            "page.list",
		"/events/2031-05/":             "page.month",
		"/events/2031-05-10/":          "page.list",
		"/events/?eventDisplay=week":   "page.month",
		"/events/category/a/b/month/":  "page.month",
		"/?p=5":                        "page.event",
		"/events/list/?tribe_events=x": "page.event",
		"/event/choir/2031-05-10/2/":   "page.event",
		"/events/?ical=1":              "events.calendar",
		"/tag/x/feed/":                 "events.legacy-rss",
		"/event/choir/ical/":           "events.read-calendar",
		"/events/feed/atom/":           "events.atom",
		"/events/nothing/":             "page.none",
	} {
		if m := server.Match(httptest.NewRequest("GET", path, nil)); m.Op.Name != want {
			t.Errorf("%s: %s answers, want %s", path, m.Op.Name, want)
		}
	}
}
