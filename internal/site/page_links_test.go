// Links of pages to calendars, telephones and crawlers.

package site_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// The forms of other calendars get the whole event, in the form of queries that all of them read.
func TestAddLinks(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	hall := c.Add(&store.Venue{
		Name:    "Town Hall",
		Address: "1 Main St",
		City:    "York",
		Zip:     "YO1",
		Country: "United Kingdom",
		Phone:   "+44 (0)1904 55-01.00 ext. 5",
	})
	long := strings.Repeat("word ", 300)
	for _, e := range []store.Event{
		{
			Title:    "Tea + Cake",
			Timezone: "Europe/Paris",
			Start:    sample.Local(t, "2026-12-01 20:00:00"),
			End:      sample.Local(t, "2026-12-01 22:00:00"),
			Venues:   []int64{hall},
			Post: store.Post{
				Description: "<p>Bring a friend & a cup.</p>",
				Slug:        "tea",
			},
		},
		{
			Title:    "Offset",
			Timezone: "UTC+5.5",
			Start:    sample.Local(t, "2026-12-02 20:00:00"),
			End:      sample.Local(t, "2026-12-02 22:00:00"),
			Post:     store.Post{Description: long, Slug: "offset"},
		},
		{
			Title:  "Fair",
			AllDay: true,
			Start:  sample.Local(t, "2026-12-03 00:00:00"),
			End:    sample.Local(t, "2026-12-04 23:59:59"),
			Post:   store.Post{Slug: "fair", Description: strings.Repeat("祭", 1200)},
		},
	} {
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
	const place, home = "Town Hall, 1 Main St, York YO1, United Kingdom", "http://example.com/event/"
	cut := strings.TrimSpace(strings.Repeat("word ", 200)) + "…\n\n" + home + "offset/"
	fair := strings.Repeat("祭", 1000) + "…\n\n" + home + "fair/"
	for slug, want := range map[string][2]url.Values{
		"tea": {
			{
				"action":   {"TEMPLATE"},
				"text":     {"Tea + Cake"},
				"dates":    {"20261201T200000/20261201T220000"},
				"ctz":      {"Europe/Paris"},
				"location": {place},
				"details":  {"Bring a friend & a cup.\n\n" + home + "tea/"},
			},
			{
				"path":     {"/calendar/action/compose"},
				"rru":      {"addevent"},
				"subject":  {"Tea + Cake"},
				"location": {place},
				"startdt":  {"2026-12-01T20:00:00+01:00"},
				"enddt":    {"2026-12-01T22:00:00+01:00"},
				"body":     {"Bring a friend & a cup.\n\n" + home + "tea/"},
			},
		},
		"offset": {
			{
				"action":   {"TEMPLATE"},
				"text":     {"Offset"},
				"dates":    {"20261202T143000Z/20261202T163000Z"},
				"location": {""},
				"details":  {cut},
			},
			{
				"path":     {"/calendar/action/compose"},
				"rru":      {"addevent"},
				"subject":  {"Offset"},
				"location": {""},
				"startdt":  {"2026-12-02T20:00:00+05:30"},
				"enddt":    {"2026-12-02T22:00:00+05:30"},
				"body":     {cut},
			},
		},
		"fair": {
			{
				"action":   {"TEMPLATE"},
				"text":     {"Fair"},
				"dates":    {"20261203/20261205"},
				"location": {""},
				"details":  {fair},
			},
			{
				"path":     {"/calendar/action/compose"},
				"rru":      {"addevent"},
				"subject":  {"Fair"},
				"location": {""},
				"allday":   {"true"},
				"startdt":  {"2026-12-03"},
				"enddt":    {"2026-12-05"},
				"body":     {fair},
			},
		},
	} {
		page := get("/event/" + slug + "/")
		for i, host := range []string{"calendar.google.com", "outlook.live.com"} {
			link := regexp.MustCompile(`href="(https://` + regexp.QuoteMeta(host) + `[^"]*)"`).
				FindStringSubmatch(page)
			if link == nil {
				t.Fatalf("%s has no link to %s: %s", slug, host, page)
			}
			address := html.UnescapeString(link[1])
			u, err := url.Parse(address)
			if err != nil || strings.Contains(address, "+") {
				t.Errorf("%s: %v", address, err)
			}
			if diff := cmp.Diff(want[i], u.Query()); diff != "" {
				t.Errorf("%s at %s (-want +got):\n%s", slug, host, diff)
			}
		}
	}
	page := get("/event/tea/")
	subscribe := url.QueryEscape("webcal://example.com/cal/events/v1/events.ics")
	for _, want := range []string{
		`<a href="https://calendar.google.com/calendar/render?cid=` + subscribe +
			`" rel="external nofollow">Subscribe in Google Calendar (Android)</a>`,
		`<a href="tel:+441904550100" dir="ltr">+44 (0)1904 55-01.00 ext. 5</a>`,
		`<a href="webcal://example.com/cal/events/v1/events.ics">Subscribe to all events (iPhone, iPad, Mac)</a>`} {
		if !strings.Contains(html.UnescapeString(page), want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

// Crawlers may fetch feeds (RFC 9309), and pages of today lead to the feeds of today.
func TestFeedsAreFound(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.New(t))
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
	want := "User-agent: *\nAllow: /cal/events/v1/events.\nAllow: /cal/events/v1/*.ics\nDisallow: /cal/events/v1/\n" +
		"Sitemap: http://example.com/sitemap.xml\n"
	if diff := cmp.Diff(want, get("/robots.txt")); diff != "" {
		t.Errorf("robots.txt (-want +got):\n%s", diff)
	}
	for path, feed := range map[string]string{
		"/events/today/":      "events.rss?when=today",
		"/events/2026-11-20/": "events.rss?when=today",
		"/events/2026-11-21/": "events.rss",
		"/events/tomorrow/":   "events.rss?when=tomorrow",
		"/events/":            "events.rss",
	} {
		if page := get(path); !strings.Contains(
			page,
			`href="http://example.com/cal/events/v1/`+feed+`"`,
		) {
			t.Errorf("%s does not lead to %s: %s", path, feed, page)
		}
	}
}

// Pages understand plain text: addresses are links, and lines with a dash are a list. Search
// engines and lists have it as text, and the API as the original makes it.
func TestPlainTextOnPages(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const typed, list = "Bring\n- a friend\n- https://example.org/", `<p>Bring</p>
<ul><li>a friend</li><li><a href="https://example.org/" rel="nofollow ugc noopener">https://example.org/</a></li></ul>`
	post := store.Post{Slug: "tea", Description: typed}
	c.Add(&store.Venue{Name: "Hall", Post: post})
	c.Add(&store.Organizer{Name: "Ann", Post: post})
	c.Add(&store.Event{
		Title: "Tea",
		Start: sample.Local(t, "2026-12-01 10:00:00"),
		End:   sample.Local(t, "2026-12-01 11:00:00"),
		Post:  post,
	})
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
	for _, path := range []string{"/event/tea/", "/venue/tea/", "/organizer/tea/"} {
		page := strings.NewReplacer(">\n<li", "><li", ">\n</ul", "></ul").Replace(get(path))
		if !strings.Contains(page, list) {
			t.Errorf("%s: no %s in %s", path, list, page)
		}
	}
	event := get("/event/tea/")
	for _, want := range []string{` · Bring • a friend • https://example.org/">`,
		"details=Bring%0A%0A-%20a%20friend%0A-%20https%3A%2F%2Fexample.org%2F%0A%0Ahttp"} {
		if !strings.Contains(event, want) {
			t.Errorf("no %s in %s", want, event)
		}
	}
	for path, want := range map[string]string{
		v1 + "/events/by-slug/tea": `"description":"<p>Bring<br />\n&#8211; a friend<br />\n&#8211; https://example.org/</p>"`,
		"/event/tea/":              `"description":"Bring • a friend • https://example.org/"`,
		"/venue/tea/":              `"description":"Bring • a friend • https://example.org/"`,
		"/events/":                 "Bring • a friend • https://example.org/",
	} {
		if text := get(path); !strings.Contains(text, want) {
			t.Errorf("%s: no %s in %s", path, want, text)
		}
	}
}

// An event without a date is not over. Its page offers the file that updates it, even after the
// date that it had.
func TestPostponedEventIsNotOver(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for slug, state := range map[string]string{"later": store.Postponed, "never": store.Canceled} {
		c.Add(&store.Event{
			Title: slug,
			State: state,
			Start: sample.Local(t, "2026-11-01 10:00:00"),
			End:   sample.Local(t, "2026-11-01 11:00:00"),
			Post:  store.Post{Slug: slug},
		})
	}
	h := sample.Visited(t, c)
	for slug, want := range map[string][]string{
		"later": {"Update in your calendar"},
		"never": {"This event is over."},
	} {
		page := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com/event/"+slug+"/",
			"",
			"Accept",
			"text/html",
		).Body.String()
		got := regexp.MustCompile(`Update in your calendar|Remove from your calendar|This event is over\.`).
			FindAllString(page, -1)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", slug, diff)
		}
	}
}
