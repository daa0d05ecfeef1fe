package api_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/site"
)

// TestRoutesNamePages asks for the page of each route: the operation that the route names answers.
func TestRoutesNamePages(t *testing.T) {
	server := visited(t, newCalendar(t)).(*api.Server)
	asked := map[string]bool{}
	almanactest.Routes(func(pattern string, op *api.Op) {
		if !isPageOp(op) || op == site.View {
			return
		}
		for _, base := range []string{"", "/de", "/pt-br"} {
			path := strings.NewReplacer("{slug}", "choir", "{day}", "2031-05-10").
				Replace(strings.TrimPrefix(pattern, "GET "))
			m := server.Match(httptest.NewRequest("GET", base+path+"/", nil))
			if asked[op.Name] = true; m.Op.Name != op.Name {
				t.Errorf(
					"%s%s: %s answers, and the route names %s",
					base,
					path,
					m.Op.Name,
					op.Name,
				)
			}
		}
	})
	for _, op := range []*api.Op{site.List, site.Month, site.Event} {
		if !asked[op.Name] {
			t.Errorf("no route names %s", op.Name)
		}
	}
	for path, want := range map[string]string{
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
