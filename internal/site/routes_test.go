package site_test

import (
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/render"
	"almanac/store"
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

// Each view has its lines among the routes and in the manual, and pages lead to it. A day is at
// the address of a date.
func TestViewsAreNamed(t *testing.T) {
	manual, err := os.ReadFile("../../docs/pages.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	almanactest.Routes(func(pattern string, _ *api.Op) {
		named[pattern] = true
	})
	page := look(t, sample.Visited(t, sample.Fair(t)), "/events/")
	for _, view := range slices.DeleteFunc(slices.Clone(render.Views), func(view string) bool {
		return view == "day"
	}) {
		if !named["GET /events/"+view] {
			t.Errorf("routes.go has no line of the view %s", view)
		}
		if !strings.Contains(string(manual), "`/events/"+view+"/`") {
			t.Errorf("docs/pages.md does not name /events/%s/", view)
		}
		at := strings.TrimSuffix("/events/"+view, "/list") + "/"
		if !regexp.MustCompile(`<a [^>]*href="http://example\.com` + at + `"`).MatchString(page) {
			t.Errorf("/events/ does not lead to %s", at)
		}
	}
}

// dayViews yields the views that begin at the day in an address. Lists begin or end there, and
// the other words name their days themselves.
func dayViews(yield func(view, base string) bool) {
	others := []string{"list", "past", "tomorrow", "this-weekend", "this-week"}
	for _, view := range render.Views {
		base := "/events/category/music/" + view + "/"
		if !slices.Contains(others, view) && !yield(view, base) {
			return
		}
	}
}

// A view of days names them, has their events alone, all on one page, and leads to those beside.
func TestViewsOfDays(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	music := []int64{c.Add(&store.Term{Name: "Music"})}
	for title, day := range map[string]string{
		"Before": "2020-01-05", "One": "2031-05-12", "Two": "2031-05-12", "After": "2040-01-05",
	} {
		at := sample.Local(t, day+" 12:00:00")
		c.Add(&store.Event{Title: title, Categories: music, Start: at, End: at + 60})
	}
	h := sample.Site(t, c, api.Options{PerPage: 1})
	for _, base := range dayViews {
		page := look(t, h, base+"2031-05-12/")
		_, before, _ := strings.Cut(textOf(page, `rel="prev" href="[^"]*`), "example.com")
		_, after, _ := strings.Cut(textOf(page, `rel="next" href="[^"]*`), "example.com")
		got := textOf(page, `<h1>.*?</h1>`) + ":"
		for _, at := range []string{before, base + "2031-05-12/", after} {
			body := askFor(h, at).Body.String()
			for _, title := range []string{"Before", "One", "Two", "After"} {
				if strings.Contains(body, "<bdi>"+title+"</bdi>") {
					got += " " + title
				}
			}
		}
		if !strings.HasSuffix(got, "2031: Before One Two After") {
			t.Errorf("%s, with those beside: %q", base, got)
		}
	}
}

// Search engines and queries have one address for the same days, but for a week, which begins on
// other days in other languages, and for today. Days far from every event are not listed.
func TestAddressesOfDays(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	const canonical = `rel="canonical" href="[^"]*`
	for view, base := range dayViews {
		page := look(t, h, base+"2031-04-10/")
		next := look(t, h, base+"2031-04-11/")
		sameDays := textOf(page, `<h1>.*?</h1>`) == textOf(next, `<h1>.*?</h1>`)
		own := textOf(page, canonical)
		if isOne := own == textOf(next, canonical); view != "week" && isOne != sameDays {
			t.Errorf("%s: same days on the next day %t, same address %t", base, sameDays, isOne)
		}
		query := "/events/?tribe_events_cat=music&tribe-bar-date=2031-04-10&eventDisplay=" + view
		to := askFor(h, query).Header().Get("Location")
		if view != "today" && own != `rel="canonical" href="`+to {
			t.Errorf("%s leads to %q, and not to the address with %s", query, to, own)
		}
		now := askFor(h, base).Header().Get("X-Robots-Tag")
		far := askFor(h, base+"2500-01-01/").Header().Get("X-Robots-Tag")
		if now != "all" || far != "noindex" {
			t.Errorf("%s: robots are told %q, and far from every event %q", base, now, far)
		}
	}
}
