// Pages that are remembered, on the next day.

package site_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"

	"github.com/google/go-cmp/cmp"
)

// A page cached on one day shows no other day as today, and no event as over, or as not over, at
// another time: a server with a cache answers like a server without, at any time, asked again and
// again.
func TestPagesOfAnotherDay(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	zone, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	serve := func(bytes int64, explain bool) http.Handler {
		s, err := api.New(api.Options{
			Store:      c.Store,
			Accounts:   accounts,
			Clock:      c.Clock,
			Site:       zone,
			Pages:      true,
			NoLimits:   true,
			CacheBytes: bytes,
			Explain:    explain,
		}, almanactest.Routes)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	keeping := serve(0, false)
	joining := serve(0, true)
	keepless := serve(-1, false)
	paths := []string{
		"/events/",
		"/events/month/2031-04/",
		"/de/events/month/2031-04/",
		"/events/week/2031-04-10/",
		"/events/2031-04-10/",
		"/events/today/",
		"/events/past/",
		"/event/one/",
		"/venue/hall/",
		"/events/tomorrow/",
		"/events/this-weekend/",
		"/events/category/music/this-week/",
		"/events/free/",
		"/events/tomorrow/ical/",
		v1 + "/events?when=today",
		v1 + "/events.ics?when=tomorrow",
		v1 + "/events.rss?when=weekend",
	}
	today := map[string]bool{}
	over := map[bool]bool{}
	for _, now := range []string{"2031-04-09T12:00:00Z", "2031-04-10T03:59:59Z", "2031-04-10T04:00:00Z", "2031-04-10T13:00:00Z",
		"2031-04-11T12:00:00Z", "2031-04-10T13:00:00Z", "2032-01-01T12:00:00Z"} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		c.Clock.Set(at)
		for _, path := range paths {
			for range 3 {
				ask := func(h http.Handler) string {
					return apitest.Serve(
						h,
						http.MethodGet,
						"http://example.com"+path,
						"",
						"Accept",
						"text/html",
					).Body.String()
				}
				want := ask(keepless)
				for name, h := range map[string]http.Handler{
					"keeping": keeping,
					"joining": joining,
				} {
					if diff := cmp.Diff(want, ask(h)); diff != "" {
						t.Fatalf("%s at %s, %s (-anew +kept):\n%s", path, now, name, diff)
					}
				}
				if path == "/event/one/" {
					over[strings.Contains(want, "This event is over.")] = true
				}
				if _, cell, ok := strings.Cut(want, `aria-current="date"`); ok &&
					strings.Contains(path, "month") {
					_, day, _ := strings.Cut(cell, `datetime="`)
					day = day[:len("2031-04-10")]
					if local := zone.Wall(at).Format(time.DateOnly); day != local {
						t.Errorf("%s at %s shows %s as today, want %s", path, now, day, local)
					}
					today[day] = true
				}
			}
		}
	}
	if len(today) != 3 || len(over) != 2 {
		t.Errorf("today is %v, and an event is over: %v", today, over)
	}
}

// Shared caches distinguish the page at the root from the JSON there, and keep public answers
// alone.
func TestPagesInSharedCaches(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	for _, tt := range []struct{ path, accept, authorization, vary, control string }{
		{"/", "text/html", "", "Origin, Authorization, Accept-Encoding, Accept", "public, no-cache"},
		{"/", "application/json", "", "Origin, Authorization, Accept-Encoding, Accept", "public, no-cache"},
		{"/events/", "text/html", "", "Origin, Authorization, Accept-Encoding", "public, no-cache"},
		{"/events/month/2031-04/", "text/html", "", "Origin, Authorization, Accept-Encoding", "public, no-cache"},
		{"/events/", "text/html", "Bearer secret", "Origin, Authorization, Accept-Encoding",
			"no-cache, must-revalidate, max-age=0, no-store, private"},
	} {
		fields := []string{"Accept", tt.accept}
		if tt.authorization != "" {
			fields = append(fields, "Authorization", tt.authorization)
		}
		got := apitest.Serve(h, http.MethodGet, "http://example.com"+tt.path, "", fields...).
			Header()
		if got.Get("Vary") != tt.vary || got.Get("Cache-Control") != tt.control {
			t.Errorf(
				"%s as %s: Vary %q, Cache-Control %q",
				tt.path,
				tt.accept,
				got.Get("Vary"),
				got.Get("Cache-Control"),
			)
		}
	}
}
