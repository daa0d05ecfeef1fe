package site_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/wire/render"
	"almanac/store"
)

// slugged serves the fair with other words in the addresses of its pages.
func slugged(t *testing.T, s render.Slugs) http.Handler {
	t.Helper()
	c := subscribed(t)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(api.Options{
		Store:      c.Store,
		Accounts:   accounts,
		Clock:      c.Clock,
		Pages:      true,
		NoLimits:   true,
		EventBase:  s.Event,
		EventsBase: s.Events,
		Also:       "/wp-json/tribe/events/v1",
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	c.Change(t, store.Events, "Market", func(r store.Record) { r.(*store.Event).Slug = "bazaar" })
	return h
}

func askFor(h http.Handler, path string) *httptest.ResponseRecorder {
	return apitest.Serve(h, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html")
}

// A site that named the addresses of its pages otherwise has them there, in every language and
// form, and ours lead there.
func TestSlugs(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		slugs render.Slugs
		tests [][2]string // a path, and its redirect target, status or content
	}{
		{render.Slugs{Event: "termin", Events: "termine"}, [][2]string{
			{"/termine/", `<link rel="canonical" href="http://example.com/termine/"`}, {"/termine", "200"}, {"/TERMINE/Month/2026-12/", "200"},
			{"/termine/", `hreflang="ar" href="http://example.com/ar/termine/"`}, {"/", "200"},
			{"/de/termine/month/", `<link rel="canonical" href="http://example.com/de/termine/month/"`},
			{"/termin/may/", `<link rel="canonical" href="http://example.com/termin/may/"`},
			{"/ar/termin/may/", `<link rel="canonical" href="http://example.com/ar/termin/may/"`},
			{"/pt-BR/termin/may/", "200"}, {"/wp-json/termin/may/", "200"},
			{"/termin/may/ical/", "URL:http://example.com/termin/may/"}, {"/termin/may/?ical=1", "BEGIN:VEVENT"},
			{"/termine/?ical=1", "URL:http://example.com/termin/may/"}, {"/de/termine/ical/", "BEGIN:VEVENT"},
			{"/termine/feed/", "<link>http://example.com/termin/may/</link>"}, {"/sitemap.xml", "<loc>http://example.com/termin/may/</loc>"},
			{"/termine/category/music/jazz-blues/", "200"}, {"/termine/tag/outdoor/", "200"}, {"/tag/outdoor/", "200"}, {"/venue/hall/", "200"},
			{"/embed/termine/", `<link rel="canonical" href="http://example.com/termine/"`}, {"/de/embed/termin/may/", "200"},
			{"/?p={May}", "/termin/may/"}, {"/termin/market/", "/termin/bazaar/"}, {"/de/termin/market/?ical=1", "/de/termin/bazaar/?ical=1"},
			{"/events/", "/termine/"}, {"/events", "/termine/"}, {"/events/month/2026-12/?a=b", "/termine/month/2026-12/?a=b"},
			{"/event/may/", "/termin/may/"}, {"/pt-br/event/may", "/pt-BR/termin/may/"}, {"/event/may/ical/", "/termin/may/ical/"},
			{"/events/?ical=1", "/termine/?ical=1"}, {"/wp-json/events/", "/wp-json/termine/"}, {"/EVENT/a%3Fb/", "/termin/a%3Fb/"},
			{"/embed/events/", "/embed/termine/"}, {"/de/embed/event/may/?x=1", "/de/embed/termin/may/?x=1"},
			{"/events/category/music/", "/termine/category/music/"}, {"/event/may/2026-12-01/", "/termin/may/2026-12-01/"},
			{"/event/%2f%2fevil.example/", "404"}, {"/event/..%2f%2fevil.example/", "404"},
			{"/eventsx/", "404"}, {"/termin/", "404"}, {"/termin/nothing/", "404"}, {"/embed/termin/nothing/", "404"}, {"/embed/nothing/", "404"},
			{v1 + "/events", `"url":"http://example.com/termin/jazz/"`},
			{"/sitemap.xml", "<loc>http://example.com/termine/category/"},
			{v1 + "/categories", `"url":"http://example.com/termine/category/music/jazz-blues/"`},
			{"/de" + v1 + "/events.csv", "http://example.com/termin/jazz/"}, {v1 + "/events.atom", `href="http://example.com/termin/jazz/"`},
			{v1 + "/events.feed.json", `"url":"http://example.com/termin/jazz/"`},
		}},
		{render.Slugs{
			Event:  "events",
			Events: "calendar",
		}, [][2]string{ // one of ours with another meaning
			{"/events/may/", `<link rel="canonical" href="http://example.com/events/may/"`}, {"/calendar/month/", "200"},
			{"/event/may/", "/events/may/"}, {"/events/", "404"}, {"/events/month/", "404"}, {"/embed/events/may/", "200"},
			{"/embed/event/may/", "/embed/events/may/"}, {"/events/may/ical/", "URL:http://example.com/events/may/"}, {"/?p={May}", "/events/may/"},
		}},
		{render.Slugs{Event: "events", Events: "event"}, [][2]string{
			{"/events/may/", "200"}, {"/event/month/", "200"}, {"/event/may/", "404"}, {"/event/?ical=1", "URL:http://example.com/events/may/"},
		}},
		{render.Slugs{
			Event:  "event",
			Events: "events",
		}, [][2]string{{"/events/", "200"}, {"/event/may/", "200"}, {"/termine/", "404"}}},
	} {
		h := slugged(t, set.slugs)
		for _, tt := range set.tests {
			path := tt[0]
			if strings.Contains(path, "{May}") {
				path = strings.ReplaceAll(path, "{May}", mayID(t, h))
			}
			rec := askFor(h, path)
			got := strings.TrimPrefix(rec.Header().Get("Location"), "http://example.com")
			if rec.Code != http.StatusMovedPermanently {
				got = http.StatusText(rec.Code)
			}
			switch want := tt[1]; {
			case want == "200" || want == "404":
				if want != map[int]string{200: "200", 404: "404"}[rec.Code] {
					t.Errorf("%v: %s: %d to %q, want %s", set.slugs, path, rec.Code, got, want)
				}
			case want[0] == '/':
				if got != want {
					t.Errorf("%v: %s: %d to %q, want %s", set.slugs, path, rec.Code, got, want)
				}
			default:
				body := strings.ReplaceAll(rec.Body.String(), "\r\n ", "")
				if rec.Code != http.StatusOK || !strings.Contains(body, want) {
					t.Errorf(
						"%v: %s: %d, want %s in %.300s",
						set.slugs,
						path,
						rec.Code,
						want,
						body,
					)
				}
			}
		}
	}
}

// A form for a password that was sent to an address of before, of an event that got another slug
// or of a site that got other words, is sent again to where the event is, which opens it. It is
// told nothing that a reader of the address is not.
func TestPasswordElsewhere(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	h, err := api.New(api.Options{
		Store:      c.Store,
		Accounts:   accounts,
		Clock:      c.Clock,
		Pages:      true,
		NoLimits:   true,
		EventBase:  "termin",
		EventsBase: "termine",
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	for name, slug := range map[string]string{
		"Locked":  "now-locked",
		"private": "still-private",
		"draft":   "still-draft",
	} {
		c.Change(t, store.Events, name, func(r store.Record) { r.(*store.Event).Slug = slug })
	}
	for _, tt := range []struct{ path, want string }{
		{"/termin/now-locked/", "opened"}, {"/termin/locked/", "/termin/now-locked/"}, {"/termin/locked", "/termin/now-locked/"},
		{"/event/now-locked/", "/termin/now-locked/"}, {"/event/locked/?a=b", "/termin/locked/?a=b"},
		{"/de/event/locked/", "/de/termin/locked/"}, {"/de/termin/locked/", "/de/termin/now-locked/"},
		{"/termin/private/", "404"}, {"/termin/still-private/", "404"}, {"/termin/draft/", "404"}, {"/termin/nothing/", "404"},
		{"/event/%2f%2fevil.example/", "404"},
	} {
		rec := apitest.Serve(
			h,
			http.MethodPost,
			"http://example.com"+tt.path,
			"password=pw",
			"Content-Type",
			"application/x-www-form-urlencoded",
			"Accept",
			"text/html",
		)
		got := strings.TrimPrefix(rec.Header().Get("Location"), "http://example.com")
		switch {
		case rec.Code == http.StatusOK && strings.Contains(rec.Body.String(), "within"):
			got = "opened"
		case rec.Code == http.StatusNotFound:
			got = "404"
		case rec.Code != http.StatusPermanentRedirect:
			got += http.StatusText(rec.Code)
		}
		if got != tt.want || strings.Contains(fmt.Sprint(rec.Header()), "pw") {
			t.Errorf("%s: %q, want %q, with %v", tt.path, got, tt.want, rec.Header())
		}
		read := askFor(h, tt.path)
		if there := rec.Code == http.StatusNotFound; there != (read.Code == http.StatusNotFound) {
			t.Errorf("%s: %d, but %d to who reads", tt.path, rec.Code, read.Code)
		}
	}
}

func mayID(t *testing.T, h http.Handler) string {
	t.Helper()
	var e struct{ ID json.Number }
	rec := apitest.Serve(h, http.MethodGet, "http://example.com"+v1+"/events/by-slug/may", "")
	if err := json.Unmarshal(rec.Body.Bytes(), &e); err != nil || e.ID == "" {
		t.Fatalf("%v: %s", err, rec.Body)
	}
	return e.ID.String()
}

// No page leads to an address that the site does not have.
func TestSlugsOfLinks(t *testing.T) {
	t.Parallel()
	h := slugged(t, render.Slugs{Event: "termin", Events: "termine"})
	ours := regexp.MustCompile(`example\.com(?:/de)?/events?(?:[/?"]|$)`)
	skipped := regexp.MustCompile(
		`^http://example\.com/(?:[a-z]{2}|pt-br|pt-pt|zh-hans)/|/cal/|\d{4}-\d\d|/(?:week|month)/|[?]`,
	)
	for _, prefix := range []string{"", "/de", "/embed"} {
		first := "http://example.com" + prefix + "/termine/"
		found := map[string]bool{first: true}
		waiting := []string{first, "http://example.com" + prefix + "/termin/nothing/"}
		events := 0
		for ; len(waiting) > 0 && len(found) < 500; waiting = waiting[1:] {
			path := strings.TrimPrefix(waiting[0], "http://example.com")
			if strings.Contains(path, "/termin/") {
				events++
			}
			body := askFor(h, path).Body.String()
			if link := ours.FindString(body); link != "" {
				t.Errorf("%s has %s", path, link)
			}
			for _, target := range targets(body) {
				link, _, _ := strings.Cut(target, "#")
				own := strings.TrimPrefix(link, "http://example.com/de")
				if prefix != "/de" {
					own = link
				}
				if strings.HasPrefix(link, "http://example.com/") && !found[link] &&
					!skipped.MatchString(strings.ToLower(own)) {
					found[link] = true
					waiting = append(waiting, link)
				}
			}
		}
		if events < 5 || len(waiting) > 0 {
			t.Errorf("%d events below %q, and %d addresses wait", events, prefix, len(waiting))
		}
	}
}
