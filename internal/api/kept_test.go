package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"testing"
	"time"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/race"

	"github.com/google/go-cmp/cmp"
)

// keptPaths are addresses whose answers depend on the records and on the time: by days, by moments
// and not at all.
var keptPaths = []string{
	v1 + "/events", v1 + "/events?per_page=3&page=2", v1 + "/events?search=gala", v1 + "/events?when=today",
	v1 + "/events?when=this-week", v1 + "/events?start_date=now&strict_dates=true",
	v1 + "/events?starts_after=%2B2+hours&strict_dates=1", v1 + "/events?starts_before=now", v1 + "/events?free=1",
	v1 + "/events?modified_after=-1+hour", v1 + "/events?slug=weekly", v1 + "/events?context=edit",
	v1 + "/events?first_of_series=1", v1 + "/events?_fields=events.id,total", v1 + "/events?status=publish,future",
	v1 + "/events/{gala}", v1 + "/events/by-slug/weekly", v1 + "/events/by-slug/gala", v1 + "/events/{locked}",
	v1 + "/venues", v1 + "/venues?only_with_upcoming=1", v1 + "/venues/{hall}", v1 + "/organizers", v1 + "/categories",
	v1 + "/tags?hide_empty=0", v1 + "/series", v1 + "/series/{weekly}", v1 + "/doc", v1, "/", "/docs",
	v1 + "/events.ics", v1 + "/events.csv", v1 + "/events.rss", v1 + "/events.atom", v1 + "/events.feed.json",
	"/events/", "/events/past/", "/events/today/", "/events/tomorrow/", "/events/this-weekend/", "/events/month/",
	"/events/week/", "/events/free/", "/events/2026-11-25/", "/events/category/music/", "/venue/hall/", "/event/gala/",
	"/event/talk/", "/event/weekly-first/", "/events/?tribe-bar-search=gala", "/events/?ical=1", "/events/feed/",
	"/sitemap.xml", "/robots.txt", "/embed/events/", "/de/events/", "/de/cal/events/v1/events",
}

// later returns a time after another one: some moments or hours later, or about the end of the day.
func later(rng *rand.Rand, now time.Time, zone *time.Location) time.Time {
	switch rng.IntN(4) {
	case 0:
		return now.Add(time.Duration(rng.Int64N(int64(90 * time.Minute))))
	case 1:
		local := now.In(zone)
		end := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone)
		return end.Add(time.Duration(rng.IntN(3)-1) * time.Second)
	case 2:
		return now.Truncate(time.Minute).Add(time.Minute)
	}
	return now.Add(time.Duration(rng.IntN(1500)) * time.Millisecond)
}

// Whatever is written, and however the time goes on, over midnights and past the moments of
// scheduled events: what a server keeps equals what is made anew, for strangers and for accounts.
func TestKeptEqualsAnewAlone(t *testing.T) {
	race.Alone(t)
	steps := 2_000
	if os.Getenv("ALMANAC_LONG") != "" {
		steps = 10_000
	}
	s := newStage(t)
	rng := rand.New(rand.NewPCG(47, 2))
	var made []string // addresses of events
	write := func(method, path, body string) {
		t.Helper()
		w := apitest.Serve(
			s.keeping,
			method,
			"http://example.com"+path,
			body,
			"Authorization",
			apitest.Bearer("admin"),
		)
		if w.Code >= http.StatusInternalServerError || w.Code == http.StatusUnauthorized {
			t.Fatalf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
		}
		if method == http.MethodPost {
			made = append(made, w.Header().Get("Content-Location"))
		}
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	kept := int64(0)
	for n := range steps {
		now := s.clock.Now()
		switch rng.IntN(8) {
		case 0:
			at := now.In(zone).Add(time.Duration(rng.IntN(72)-8) * time.Hour)
			status := []string{"publish", "publish", "draft", "future", "private"}[rng.IntN(5)]
			date := now.In(zone).Add(time.Duration(rng.IntN(600)) * time.Second)
			write(http.MethodPost, v1+"/events", fmt.Sprintf(
				`{"title":"Event %d","status":%q,"date":%q,"start_date":%q,"end_date":%q,"cost":%q,"venue":%d,"categories":["music"]}`,
				n,
				status,
				date.Format(time.DateTime),
				at.Format(time.DateTime),
				at.Add(time.Duration(rng.IntN(5))*time.Hour).Format(time.DateTime),
				[]string{"", "0", "5"}[rng.IntN(3)],
				s.ids["hall"],
			))
		case 1:
			if len(made) == 0 {
				continue
			}
			path := made[rng.IntN(len(made))]
			if rng.IntN(3) == 0 {
				write(http.MethodDelete, path[len("http://example.com"):], "")
				continue
			}
			write(
				http.MethodPatch,
				path[len("http://example.com"):],
				fmt.Sprintf(`{"title":"Changed %d"}`, n),
			)
		case 2:
			write(
				http.MethodPatch,
				fmt.Sprint(v1, "/venues/", s.ids["hall"]),
				fmt.Sprintf(`{"venue":"Hall %d"}`, n),
			)
		default:
			path := s.named(keptPaths[rng.IntN(len(keptPaths))])
			token := []string{"", "", "", "admin", "ada"}[rng.IntN(5)]
			ask := func(h http.Handler, coding string) (int, http.Header, string) {
				r := apitest.Request(
					http.MethodGet,
					"http://example.com"+path,
					"",
					"Accept",
					"text/html",
					"Accept-Encoding",
					coding,
				)
				if token != "" {
					r.Header.Set("Authorization", apitest.Bearer(token))
				}
				w := apitest.Record(h, r)
				return w.Code, w.Header(), unpacked(t, w)
			}
			before := s.keeping.Measure().Cache.Hits
			coding := []string{"", "gzip"}[rng.IntN(2)]
			for range 3 { // the time goes on in between
				wantCode, wantHeader, want := ask(s.keepless, coding)
				for range 2 {
					code, header, got := ask(s.keeping, coding)
					diff := cmp.Diff(wantHeader, header)
					if diff != "" || code != wantCode || got != want {
						t.Fatalf(
							"step %d, %v, %s by %q: %d, want %d (-anew, +kept):\n%s%s",
							n,
							s.clock.Now(),
							path,
							token,
							code,
							wantCode,
							diff,
							cmp.Diff(want, got),
						)
					}
				}
				s.clock.Set(later(rng, s.clock.Now(), zone))
			}
			kept += s.keeping.Measure().Cache.Hits - before
		}
	}
	if kept < int64(steps)/8 {
		t.Errorf("%d answers were kept in %d steps", kept, steps)
	}
}
