package site_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/i18n"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/render"
	"almanac/store"
)

// known returns what a page, a calendar or a feed is told by: where it leads, its status if there
// is none, its titles, or its heading.
func known(t *testing.T, h http.Handler, address string) string {
	t.Helper()
	rec := askFor(h, address)
	if to := rec.Header().Get("Location"); to != "" {
		return strings.TrimPrefix(to, "http://example.com")
	}
	if extension := extensionOf[rec.Header().Get("Content-Type")]; rec.Code == http.StatusOK &&
		extension != "" {
		return extension + " " + strings.Join(sample.Titles(t, extension, rec.Body.String()), ", ")
	}
	_, heading, _ := strings.Cut(rec.Body.String(), "<h1")
	_, heading, _ = strings.Cut(heading, ">")
	heading, _, _ = strings.Cut(heading, "</h1>")
	if rec.Code != http.StatusOK {
		heading = fmt.Sprint(rec.Code)
	}
	return regexp.MustCompile(`<[^>]*>`).ReplaceAllString(heading, "")
}

// No address leads to itself, by whatever method and in whatever language it is asked: of every
// route, the beginnings of its path are asked too. Unless everything is asked, an address of a
// language is asked by one method of one site, which are others at the next address.
func TestNoAddressLeadsToItself(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	var paths []string
	almanactest.Routes(func(pattern string, _ *api.Op) {
		_, path, _ := strings.Cut(pattern, " ")
		path = regexp.MustCompile(`\{\w+(\.\.\.)?\}`).
			ReplaceAllString(strings.ReplaceAll(path, "{$}", ""), "choir")
		for end := range path {
			if path[end] == '/' {
				paths = append(paths, path[:end+1])
			}
		}
		paths = append(paths, path, path+"/")
	})
	for _, evil := range []string{"//evil.example", "/\\evil.example", "/%2f%2fevil.example", "/https:%2f%2fevil.example"} {
		paths = append(
			paths,
			evil+"/event/choir/",
			"/event"+evil+"/",
			"/event/choir"+evil+"/",
			"/events"+evil+"/",
			"/embed"+evil+"/",
		)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	methods := []string{"GET", "POST", "OPTIONS"}
	for site, slugs := range []render.Slugs{{}, {
		Event:  "termin",
		Events: "termine",
	}, {
		Event:  "events",
		Events: "event",
	}} {
		h := sample.Site(t, c, api.Options{
			EventBase:  slugs.Event,
			EventsBase: slugs.Events,
			Also:       "/wp-json/tribe/events/v1",
		})
		bases := []string{"", "/wp-json"}
		for _, l := range i18n.Languages() {
			bases = append(bases, "/"+l.Tag)
		}
		for i, base := range bases {
			for j, path := range paths {
				if i > 1 && !sample.Long && (i+j)%3 != site {
					continue
				}
				for k, method := range methods {
					if i > 1 && !sample.Long && (i/3+j/3)%len(methods) != k {
						continue
					}
					rec := apitest.Serve(
						h,
						method,
						"http://example.com"+base+path,
						"",
						"Accept",
						"text/html",
					)
					to, isOurs := strings.CutPrefix(
						rec.Header().Get("Location"),
						"http://example.com/",
					)
					if to = "/" + strings.TrimSuffix(to, "/"); !isOurs {
						to = rec.Header().Get("Location")
					}
					if rec.Code == http.StatusTemporaryRedirect || to != "" &&
						(!isOurs || strings.EqualFold(to, strings.TrimSuffix(base+path, "/"))) {
						t.Errorf("%v: %s %s: %d to %q", slugs, method, base+path, rec.Code, to)
					}
				}
			}
		}
	}
	h := siteOf(t, c, "")
	for _, path := range []string{"/venue/", "/organizer/", "/tag/", "/ja/venue/", "/zh-Hans/tag/"} {
		if got := known(t, h, path); got != "404" {
			t.Errorf("%s: %s, want 404", path, got)
		}
	}
	for _, path := range []string{"/embed/", "/embed"} {
		if got := known(t, h, path); got != "Upcoming events" {
			t.Errorf("%s: %s, want the list", path, got)
		}
	}
}

// The server answers the same as the original at addresses of other views, in queries of its host,
// and in other spellings; also in languages, in frames and where the site has chosen other words.
func TestOldAddresses(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	h := sample.Site(t, c, api.Options{PerPage: 4})
	const (
		upcoming = "Running, Morning, Late, Midnight"
		whole    = ".ics Summer, Running, Yesterday, Morning, Late, Midnight, Fair, Locked, Jazz, Market, May"
		typed    = "/?post_type=tribe_events"
	)
	for _, tt := range [][2]string{
		{"/events/photo/", "Upcoming events"}, {"/events/map/", "Upcoming events"}, {"/events/summary/", "Upcoming events"},
		{"/events/category/music/photo/", "Music"}, {"/events/tag/outdoor/map/", "Outdoor"}, {"/events/Photo/page/2/", "Upcoming events"},
		{"/events/photo/?ical=1", whole}, {"/events/map/?ical=1", whole}, {"/events/summary/ical/", whole},
		{"/events/category/music/photo/?ical=1", ".ics Running, Jazz, May"}, {"/events/category/photo/", "404"},
		{"/embed/events/photo/", "Upcoming events"}, {"/events/photograph/", "404"},
		{"/events/feed/", ".rss " + upcoming}, {"/events/feed/?paged=2", ".rss Fair, Locked, Jazz, Market"},
		{"/events/page/2/feed/", ".rss Fair, Locked, Jazz, Market"},
		{"/events/feed/?paged=1", ".rss " + upcoming}, {"/events/feed/?paged=0", ".rss " + upcoming},
		{"/events/feed/?paged=x", ".rss " + upcoming},
		{"/events/feed/?paged=9", "404"}, {"/events/feed/?paged=99999999999999999999", "400"}, {typed + "&feed=rss2&paged=3", ".rss May"},
		{"/events/?ical=1&paged=2", whole}, {typed + "&paged=9", "404"}, {"/venue/hall/?paged=2", "404"},
		{"/?tribe_events_cat=music&paged=2", "/events/category/music/page/2/"},
		{typed + "&s=market", "Events with “market”"}, {"/?s=market&post_type=tribe_events&ical=1", ".ics Market"},
		{"/?s=market", "example.com"}, {"/?s=market&post_type=post", "example.com"}, {typed + "&s=", "Upcoming events"},
		{"/events/?s=market", "Events with “market”"}, {"/events/list/?s=market&ical=1", ".ics Market"},
		{typed + "&eventDisplay=month&eventDate=2031-05", "May 2031"}, {typed + "&eventDisplay=month&eventDate=2031-05&ical=1", ".ics May"},
		{"/events/month/?eventDate=2031-05", "May 2031"}, {typed + "&eventDisplay=day&eventDate=2026-12-31&ical=1", ".ics Jazz"},
		{"/events/list/?eventDate=2027-01-02&feed=rss2", ".rss Market, May"}, {"/events/month/?eventDate=5", "404"},
		{"/events/list/?tribe_event_display=past&ical=1", ".ics Old, Summer, Yesterday"},
		{"/event/mark/", "/event/market/"}, {"/event/hid/?ical=1", "/event/hidden/?ical=1"}, {"/event/ma/", "404"}, {"/event/draf/", "404"},
		{"/event/go/", "404"},
		{"//events//", "Upcoming events"}, {"/events///month//2026-12/", "December 2026"}, {"//event//may//?ical=1", ".ics May"},
		{"/index.php/events/", "Upcoming events"}, {"/INDEX.php/event/may/", "May"}, {"/index.php?post_type=tribe_events&ical=1", whole},
		{"/index.php/", "example.com"}, {"//index.php//events//feed/", ".rss " + upcoming}, {"/index.phpx/events/", "404"},
		{"/events/index.php/", "404"}, {"/index.php/index.php/events/", "404"},
		{"/events/./", "404"}, {"//events/..//", "404"},
	} {
		if got := known(t, h, tt[0]); got != tt[1] {
			t.Errorf("%s:\n got %s\nwant %s", tt[0], got, tt[1])
		}
		switch at := "/de" + tt[0]; {
		case strings.Contains(strings.ToLower(tt[0]), "index.php"):
		case strings.HasPrefix(tt[1], ".") || strings.HasPrefix(tt[1], "4"):
			if got := known(t, h, at); got != tt[1] {
				t.Errorf("%s:\n got %s\nwant %s", at, got, tt[1])
			}
		default:
			if got := known(t, h, at); got == "404" {
				t.Errorf("%s: %s", at, got)
			}
		}
	}
	second := `href="http://example.com/events/page/3/"`
	three := sample.Site(t, c, api.Options{PerPage: 3}) // Running is on now
	for _, address := range []string{typed + "&paged=2", "/events/photo/page/2/", "/events/page/2/"} {
		if body := askFor(three, address).Body.String(); !strings.Contains(body, second) ||
			!strings.Contains(body, "noindex") {
			t.Errorf(
				"%s is not the second page: no %s, or not kept from search engines",
				address,
				second,
			)
		}
	}
	for address, want := range map[string]string{
		"/events/photo/":                  "/events/",
		"/de/events/tag/outdoor/summary/": "/de/events/tag/outdoor/",
	} {
		if link := `<link rel="canonical" href="http://example.com` + want + `">`; !strings.Contains(
			askFor(h, address).Body.String(),
			link,
		) {
			t.Errorf("%s does not say that it is %s", address, want)
		}
	}
	for _, file := range []string{"/de/wp-sitemap.xml", "/de/wp-sitemap-posts-tribe_events-1.xml"} {
		old := askFor(h, file)
		now := askFor(h, "/de/sitemap.xml")
		if old.Code != http.StatusOK || old.Body.String() != now.Body.String() {
			t.Errorf("%s: %d, %s", file, old.Code, old.Body)
		}
	}
	if rec := apitest.Serve(h, http.MethodPost, "http://example.com//cal/events/v1//events", `{}`); rec.Code != http.StatusNotFound {
		t.Errorf("a write at an address with two slashes: %d", rec.Code)
	}
	h = sample.Site(t, c, api.Options{EventBase: "termin", EventsBase: "termine"})
	for _, tt := range [][2]string{
		{"/termine/photo/", "Upcoming events"}, {"/termine/map/?ical=1", whole}, {"/events/photo/", "/termine/photo/"},
	} {
		if got := known(t, h, tt[0]); got != tt[1] {
			t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
		}
	}
}

// Below the root that programs for the original know there is JSON, even if Accept names HTML, and
// every answer outside of an API leads to that root.
func TestRootOfPrograms(t *testing.T) {
	t.Parallel()
	h := sample.Site(t, sample.New(t), api.Options{Also: "/wp-json/tribe/events/v1"})
	const root = `"namespaces":["tribe/events/v1"`
	for path, want := range map[string]string{
		"/wp-json/":               root,
		"/wp-json":                root,
		"/?rest_route=/":          root,
		"/index.php?rest_route=/": root,
		"/wp-json/nothing":        "rest_no_route",
		"/":                       "<!DOCTYPE html>",
		"/nothing/":               "<!DOCTYPE html>",
		"/de/":                    "<!DOCTYPE html>",
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
		)
		if link := rec.Header().Values("Link"); !strings.Contains(rec.Body.String(), want) ||
			len(link) == 0 ||
			link[0] != `<http://example.com/wp-json/>; rel="https://api.w.org/"` {
			t.Errorf("%s: %s, Link %q; want %s in it", path, rec.Body, link, want)
		}
	}
}

// The feed of a tag among all posts has the newest publication first, as the original; others go
// by starts.
func TestOrderOfFeeds(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	tag := c.Add(&store.Term{Taxonomy: store.Tags, Name: "Outdoor"})
	for i, title := range []string{"third", "first", "second"} { // by publication, oldest first
		day := fmt.Sprintf("2027-01-0%d ", []int{3, 1, 2}[i])
		c.Add(&store.Event{
			Title: title,
			Post: store.Post{
				Date: sample.Evening.AddDate(0, 0, i-9),
			},
			Tags:  []int64{tag},
			Start: sample.Local(t, day+"10:00:00"),
			End:   sample.Local(t, day+"11:00:00"),
		})
	}
	h := sample.Site(t, c, api.Options{})
	for address, want := range map[string]string{
		"/tag/outdoor/feed/":        ".rss second, first, third",
		"/de/tag/outdoor/feed/":     ".rss second, first, third",
		"/events/tag/outdoor/feed/": ".rss first, second, third",
		"/events/feed/":             ".rss first, second, third",
		"/tag/outdoor/?ical=1":      ".ics first, second, third",
	} {
		if got := known(t, h, address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// The dates of a series have the addresses that the paid edition of the original gives them, and
// so has the list of them all; to a stranger who may not read the series they are addresses of
// nothing.
func TestAddressesOfSeries(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	c.AddSeries(t, store.Event{Title: "Choir", Post: store.Post{Status: store.Publish}})
	_, hidden := c.AddSeries(t, store.Event{
		Title: "Sketch",
		Post: store.Post{
			Status: store.Private,
			Author: sample.EditorID,
		},
	})
	c.Add(&store.Event{Title: "Plain choir", Post: store.Post{Slug: "plain"}})
	_, twice := c.AddSeries(t, store.Event{
		Title: "Twice",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	_, split := c.AddSeries(t, store.Event{
		Title: "Split",
		Post: store.Post{
			Status: store.Publish,
		},
	})
	err := c.Store.Update(1, func(tx *store.Tx) error {
		second := *tx.Event(twice[1].ID) // on the day of the first, later
		second.Start = twice[0].Start + 7200
		second.End = twice[0].End + 7200
		second.Recurrence = &store.Recurrence{
			Series: twice[0].Recurrence.Series,
			Start:  second.Start,
		}
		second.Slug = "twice-2031-05-06-2"
		third := *tx.Event(twice[2].ID)
		third.Start = twice[0].Start + 14400
		third.End = twice[0].End + 14400
		third.Slug = "elsewhere"
		shown := *tx.Event(hidden[0].ID)
		shown.Status = store.Publish
		later := *tx.Series(split[2].Recurrence.Series)
		later.Meta = store.Meta{}
		for _, record := range []store.Record{&second, &third, &shown, &later} {
			if err := tx.Put(record); err != nil {
				return err
			}
		}
		last := *tx.Event(split[2].ID)
		last.Recurrence = &store.Recurrence{Series: later.ID, Start: last.Start}
		return tx.Put(&last)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, slugs := range []render.Slugs{{}, {Event: "termin", Events: "termine"}} {
		h := sample.Site(t, c, api.Options{
			EventBase:  slugs.Event,
			EventsBase: slugs.Events,
			PerPage:    2,
		})
		for _, tt := range [][2]string{
			{"/event/choir/2031-05-13/", "/event/choir-2031-05-13/"}, {"/event/choir/2031-05-13/?ical=1", ".ics Choir"},
			{"/event/choir/2031-05-13/ical/", ".ics Choir"}, {"/embed/event/choir/2031-05-13/", "Choir"},
			{"/event/choir/2031-05-13/1/", "/event/choir-2031-05-13/"}, {"/event/choir/2031-05-13/2/", "404"},
			{"/event/twice/2031-05-06/", "/event/twice-2031-05-06/"}, {"/event/twice/2031-05-06/2/", "/event/twice-2031-05-06-2/"},
			{"/event/twice/2031-05-06/2/?ical=1", ".ics Twice"}, {"/event/twice/2031-05-06/3/", "/event/elsewhere/"},
			{"/event/twice/2031-05-06/4/", "404"}, {"/event/twice/2031-05-06/99999/", "404"}, {"/event/twice/2031-02-30/", "404"},
			{"/event/choir/", "/event/choir/all/"}, {"/event/choir/?ical=1", "/event/choir/all/?ical=1"},
			{"/embed/event/choir/", "/embed/event/choir/all/"}, {"/?tribe_events=choir-2031-05-13", "/event/choir-2031-05-13/"},
			{"/event/choir/all/", "Choir"}, {"/event/CHOIR/all/page/2/", "Choir"}, {"/event/choir/all/page/3/", "404"},
			{"/event/choir/all/?ical=1", ".ics Choir"}, {"/event/choir/all/ical/", ".ics Choir"}, {"/event/choir/all/feed/", ".rss Choir, Choir"},
			{"/embed/event/choir/all/", "Choir"}, {"/event/split/all/?ical=1", ".ics Split, Split"}, {"/event/choir/all/month/", "404"},
			{"/event/plain/all/", "404"}, {"/event/plain/2026-11-20/", "404"}, {"/event/nothing/all/", "404"}, {"/event/nothing/all/?ical=1", "404"},
			{"/event/sketch/", "404"}, {"/event/sketch/all/", "404"}, {"/event/sketch/all/?ical=1", "404"}, {"/event/sketch/2031-05-06/", "404"},
			{"/event/sketch/2031-05-06/?ical=1", "404"}, {"/event/choir/list/", "404"}, {"/event/choir/2031-05-13/x/", "404"},
		} {
			for _, base := range []string{"", "/de", "/pt-BR"} {
				address := strings.Replace(base+tt[0], "/event/", slugs.Page("/event/"), 1)
				want := tt[1]
				if strings.HasPrefix(want, "/") {
					want = strings.Replace(base+want, "/event/", slugs.Page("/event/"), 1)
				}
				if got := known(t, h, address); got != want {
					t.Errorf("%s:\n got %s\nwant %s", address, got, want)
				}
			}
		}
		now := c.Clock.Now()
		c.Clock.Set(now.AddDate(20, 0, 0)) // when all dates are past
		all := askFor(h, slugs.Page("/event/")+"choir/all/")
		c.Clock.Set(now)
		for _, want := range []string{`<link rel="canonical" href="http://example.com` + slugs.Page("/event/") + `choir/all/">`,
			slugs.Page("/event/") + "choir-2031-05-06/", slugs.Page("/event/") + "choir-2031-05-13/", slugs.Page("/event/") + "choir/all/page/2/",
			"/events.ics?series="} {
			if !strings.Contains(all.Body.String(), want) {
				t.Errorf("the page of all dates has no %s", want)
			}
		}
		if body := all.Body.String(); strings.Contains(body, "choir/all/past/") ||
			strings.Contains(body, "choir-2031-05-20/") {
			t.Errorf("the page of all dates leads to %s", body)
		}
	}
	if status := apitest.Serve(siteOf(t, c, ""), http.MethodGet, "http://example.com/event/sketch/all/", "", "Accept", "text/html",
		"Authorization", "Bearer secret"); status.Code != http.StatusOK {
		t.Errorf("the administrator is shown %d", status.Code)
	}

	// A date that everybody saw, and that was taken away, was there; one of the private series was
	// not.
	for _, e := range []*store.Event{hidden[1], twice[0]} {
		address := fmt.Sprintf("%s%s/events/%d", c.URL, v1, e.ID)
		if status, _ := apitest.Do(t, c.As(account.Administrator), "DELETE", address, ""); status != 200 {
			t.Fatal(status)
		}
	}
	h := siteOf(t, c, "")
	for _, tt := range [][2]string{{"/event/twice/2031-05-06/", "/event/twice-2031-05-06-2/"}, {"/event/sketch/2031-05-13/", "404"}} {
		if got := known(t, h, tt[0]); got != tt[1] {
			t.Errorf("%s, in the trash: %s, want %s", tt[0], got, tt[1])
		}
	}
}
