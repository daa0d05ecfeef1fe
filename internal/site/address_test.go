package site

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/wire/params"

	"github.com/google/go-cmp/cmp"
)

// parse reads a printed address.
func parse(t *testing.T, path, query string) address {
	t.Helper()
	decoded, err := url.PathUnescape(strings.TrimSuffix(path, "/"))
	if err != nil {
		t.Fatalf("%q: %v", path, err)
	}
	a, ok := parseAddress(decoded, nil, nil)
	if !ok {
		t.Fatalf("%q is no address", path)
	}
	in, err := params.Read(params.Source{
		Method: http.MethodGet,
		Query:  strings.TrimPrefix(query, "?"),
	})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return a.with(in)
}

// TestAddress reads addresses that have several readings, and prints them.
func TestAddress(t *testing.T) {
	for path, want := range map[string]address{
		"":                              {Root: true},
		"/month/2031-05":                {Root: true, View: "month", Day: "2031-05"},
		"/events":                       {},
		"/events/feed/atom":             {Format: "feed/atom"},
		"/events/2031-05/featured":      {Day: "2031-05", Featured: true},
		"/events/category/list":         {Category: "list"},
		"/events/category/a/list":       {Category: "a", View: "list"},
		"/events/category/a/b/2031-05":  {Above: "a/", Category: "b", Day: "2031-05"},
		"/events/category/2031-05/list": {Category: "2031-05", View: "list"},
		"/tag/jazz/page/2/ical":         {Tag: "jazz", Page: "2", Format: "ical"},
		"/events/this-weekend/free":     {View: "this-weekend", Free: true},
		"/events/featured/free/page/2":  {Featured: true, Free: true, Page: "2"},
		"/events/category/a/free":       {Category: "a", Free: true},
		"/events/category/a/free/month": {Above: "a/", Category: "free", View: "month"},
		"/tag/free/tomorrow/feed":       {Tag: "free", View: "tomorrow", Format: "feed"},
		"/venue/hall/month":             {Venue: "hall", View: "month"},
		"/event/choir/all/page/2":       {Series: "choir", Page: "2"},
		"/series/choir":                 {Series: "choir"},
		"/series/choir/page/2":          {Series: "choir", Page: "2"},
		"/event/choir/2031-05-10/12": {
			Event:  "choir",
			Date:   "2031-05-10",
			Number: "12",
			queryFilters: queryFilters{
				Single: true,
			},
		},
		"/event/all": {Event: "all", queryFilters: queryFilters{Single: true}},
	} {
		got, ok := parseAddress(path, nil, nil)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(address{})); !ok || diff != "" {
			t.Errorf("%s: %t (-want +got):\n%s", path, ok, diff)
		}
	}
	for _, path := range []string{"events", "/", "/events/", "/events//list", "/events/category", "/event", "/event/choir/all/month",
		"/series", "/series/choir/month",
		"/event/choir/2031-05", "/events/list/month", "/events/this-week/2031-05-10", "/events/free/featured",
		"/events/2031-5-10", "/events/page", "/events/feed/rss3", "/events/ical/x"} {
		if a, ok := parseAddress(path, nil, nil); ok {
			t.Errorf("%s is read as %+v", path, a)
		}
	}
}

// TestQueryBeforePath reads addresses whose query differs from their path, and prints what counts.
func TestQueryBeforePath(t *testing.T) {
	for _, tt := range [][3]string{
		{"/events/featured", "featured=0", "/events/"}, {"/events/month/2031-05", "eventDisplay=week", "/events/week/2031-05/"},
		{"/venue/hall", "tribe_venue=cellar", "/venue/cellar/"}, {"/events/category/a/b", "tribe_events_cat=c", "/events/category/c/"},
		{"/events/page/2", "paged=3", "/events/page/3/"}, {"/events/feed", "ical=1", "/events/ical/"}, {"", "feed=rss2", "/"},
		{"/events/2031-05-10", "eventDisplay=this-week", "/events/this-week/"},
		{"", "feed=rss2&post_type=tribe_events", "/feed/rss2/"}, {"/events", "eventDisplay=other", "/events/list/"},
	} {
		a := parse(t, tt[0], tt[1])
		if got := a.Path(); got != tt[2] {
			t.Errorf("%s?%s is %s, want %s", tt[0], tt[1], got, tt[2])
		}
	}
	for digits, want := range map[string]string{
		"":   "",
		"0":  "",
		"1":  "",
		"01": "",
		"2":  "2",
		"x":  "",
	} {
		if got := numberOf(digits); got != want {
			t.Errorf("page %q has the number %q, want %q", digits, got, want)
		}
	}
}

// FuzzAddress prints what it reads, and reads that again: the same.
func FuzzAddress(f *testing.F) {
	for _, seed := range [][2]string{{"", "p=5"}, {"/events/category/a/b/month/2031-05/featured/page/2/feed/atom", "tag=x"},
		{"/event/café/2031-05-10/3", ""}, {"/month", "featured=1&tribe-bar-date=2031-05&categories=3&venue=7&event_ids=1,2"},
		{"/organizer/a?b/photo", "eventDisplay=week&s=x&post_type=tribe_events&ical"}, {"/event/x/all/page/03", "featured=0"},
		{"/events/tag/x/tomorrow/featured/free/feed", "eventDisplay=this-week&tribe-bar-date=2031-05"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		read, ok := parseAddress(path, nil, nil)
		in, err := params.Read(params.Source{Method: http.MethodGet, Query: query})
		if !ok || err != nil {
			return
		}
		a := read.with(in)
		for _, text := range []string{a.Event, a.Above, a.Category, a.Series, a.Tag, a.Venue, a.Organizer} {
			if strings.ContainsAny(strings.TrimSuffix(text, "/"), "/%?#") {
				return // no slug of a record
			}
		}
		if a.Format != "" && a.feed() == noFeed {
			return
		}
		first := a.Path()
		again := parse(t, first, a.Query())
		if diff := cmp.Diff(first+a.Query(), again.Path()+again.Query()); diff != "" {
			t.Errorf("%s ? %s (-first +again):\n%s", path, query, diff)
		}
		if a.display() != again.display() || a.isFeatured() != again.isFeatured() ||
			a.operation() != again.operation() {
			t.Errorf(
				"%s ? %s: another view after it was printed: %s",
				path,
				query,
				first+a.Query(),
			)
		}
	})
}
