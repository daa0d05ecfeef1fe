package site_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// siteOf is visited with a name.
func siteOf(t *testing.T, c *sample.Calendar, name string) http.Handler {
	t.Helper()
	return sample.Site(t, c, api.Options{Name: name})
}

// shownTitles finds what a page leads to, in its part for people.
var shownTitles = regexp.MustCompile(
	`<a href="http://example\.com[^"]*/event/[^"]*"><bdi>([^<]*)</bdi></a>`,
)

// Every view shows what strangers may see, at its addresses and in its language.
func TestPages(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	for _, tt := range []struct {
		path, heading string
		status        int
		want          string // titles
	}{
		{"/events/", "Upcoming events", 200, "One, Two, Three, Child, Locked"},
		{"/events", "Upcoming events", 200, "One, Two, Three, Child, Locked"},
		{"/", "Fair", 200, "One, Two, Three, Child, Locked"},
		{"/de/events/list/", "Kommende Veranstaltungen", 200, "One, Two, Three, Child, Locked"},
		{"/events/past/", "Past events", 200, "Past"},
		{"/events/month/2031-04/", "April 2031", 200, "One, Two, Three, Child, Locked"},
		{"/events/2031-04/", "April 2031", 200, "One, Two, Three, Child, Locked"},
		{"/fr/events/month/2031-04/", "avril 2031", 200, "One, Two, Three, Child, Locked"},
		{"/events/month/2031-05/", "May 2031", 200, ""},
		{"/events/week/2031-04-10/", "Apr 6 – 12, 2031", 200, "One, Two, Three, Child, Locked"},
		{"/events/2031-04-10/", "Thursday, April 10, 2031", 200, "One, Two, Three, Child, Locked"},
		{"/events/today/", "Friday, November 20, 2026", 200, ""},
		{"/events/category/music/", "Music", 200, "One, Two"}, {"/events/category/music/jazz/", "Jazz", 200, "Two"},
		{"/events/category/music/month/2031-04/", "April 2031", 200, "One, Two"},
		{"/events/tag/kids/", "Kids", 200, "Three"}, {"/tag/kids/", "Kids", 200, "Three"},
		{"/events/featured/", "Featured", 200, "Two, Locked"},
		{"/events/?tribe-bar-search=child", "Events with “child”", 200, "Child"},
		{"/events/?tribe-bar-date=2031-04-11", "Upcoming events", 200, ""},
		{"/venue/hall/", "Hall", 200, "One"}, {"/organizer/ann/", "Ann", 200, "One, Two"},
		{"/event/one/", "One", 200, ""}, {"/event/hidden/", "Hidden", 200, ""}, {"/ja/event/two/", "Two", 200, ""},
		{"/event/draft/", "There is nothing at this address", 404, ""}, {"/event/private/", "There is nothing at this address", 404, ""},
		{"/event/nothing/", "There is nothing at this address", 404, ""}, {"/nothing/", "There is nothing at this address", 404, ""},
		{"/de/nothing", "Unter dieser Adresse gibt es nichts", 404, ""},
		{"/venue/cellar/", "There is nothing at this address", 404, ""},
		{"/events/category/nothing/", "There is nothing at this address", 404, ""},
		{"/events/page/2/", "There is nothing at this address", 404, ""}, {"/events/2031-02-30/", "There is nothing at this address", 404, ""},
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+tt.path,
			"",
			"Accept",
			"text/html",
		)
		body := rec.Body.String()
		var got []string
		seen := map[string]bool{}
		for _, match := range shownTitles.FindAllStringSubmatch(body, -1) {
			if !seen[match[1]] && strings.Contains(body[:strings.Index(body, match[0])], "<main") {
				got = append(got, match[1])
				seen[match[1]] = true
			}
		}
		if strings.HasPrefix(tt.path, "/event/") || strings.HasPrefix(tt.path, "/ja/event/") {
			got = nil // others at the same place
		}
		heading := regexp.MustCompile(`<h1[^>]*>(?:<a[^>]*>)?(?:<bdi>)?([^<]*)`).
			FindStringSubmatch(body)
		if rec.Code != tt.status || heading == nil ||
			strings.Join(
				strings.Fields(strings.Map(plainSpaces, heading[1])),
				" ",
			) != tt.heading ||
			strings.Join(got, ", ") != tt.want {
			t.Errorf(
				"%s: %d, %q, %q; want %d, %q, %q",
				tt.path,
				rec.Code,
				heading,
				strings.Join(got, ", "),
				tt.status,
				tt.heading,
				tt.want,
			)
		}
		if tt.status == http.StatusOK {
			tag := rec.Header().Get("ETag")
			again := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+tt.path,
				"",
				"Accept",
				"text/html",
				"If-None-Match",
				tag,
			)
			if tag == "" || again.Code != http.StatusNotModified {
				t.Errorf("%s, asked again with %q: %d, want 304", tt.path, tag, again.Code)
			}
		}
		if policy := rec.Header().Get("Content-Security-Policy"); !strings.HasPrefix(
			policy,
			"default-src 'none'",
		) ||
			strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", tt.path, policy)
		}
	}
}

// plainSpaces replaces the special spaces in dates of some languages.
func plainSpaces(c rune) rune {
	switch c {
	case '\u00a0', '\u202f', '\u2009':
		return ' '
	}
	return c
}

// With -pages=false, and for programs, the same addresses answer as before.
func TestPagesAreForPeople(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	if rec := apitest.Serve(h, http.MethodGet, "http://example.com/", ""); !strings.Contains(
		rec.Body.String(),
		`"namespaces"`,
	) {
		t.Errorf("the root for programs: %.200s", rec.Body)
	}
	if rec := apitest.Serve(h, http.MethodGet, "http://example.com/events/?ical=1", ""); !strings.HasPrefix(
		rec.Body.String(),
		"BEGIN:VCALENDAR",
	) {
		t.Errorf("the calendar of the list: %.200s", rec.Body)
	}
	alone, _, err := almanactest.Handler(almanactest.Options{Store: c.Store, NoPages: true})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/":               `"namespaces"`,
		"/events/":        "rest_no_route",
		"/event/one/":     "rest_no_route",
		"/robots.txt":     "rest_no_route",
		"/sitemap.xml":    "rest_no_route",
		"/favicon.ico":    "<svg",
		"/events/?ical=1": "BEGIN:VCALENDAR",
	} {
		if body := apitest.Serve(alone, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html").Body.String(); !strings.Contains(
			body,
			want,
		) {
			t.Errorf("%s of a server without pages: %.200s, want %s", path, body, want)
		}
	}
}

// An event with a password shows no content before the password is sent, in a form that puts it
// into no address; the opened page is not cached.
func TestPagePassword(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	ask := func(method, body string) string {
		t.Helper()
		rec := apitest.Serve(
			h,
			method,
			"http://example.com/event/locked/",
			body,
			"Content-Type",
			"application/x-www-form-urlencoded",
			"Accept",
			"text/html",
		)
		if rec.Code != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, body, rec.Code, rec.Body)
		}
		if method == http.MethodPost && rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control is %q", body, rec.Header().Get("Cache-Control"))
		}
		return rec.Body.String()
	}
	const inside, form, wrong = "the secret words", `<form class="unlock"`, `role="alert"`
	for _, tt := range []struct {
		method, password     string
		inside, form, refuse bool
	}{{http.MethodGet, "", false, true, false}, {http.MethodPost, "no", false, true, true}, {http.MethodPost, "pw", true, false, false}} {
		body := ask(tt.method, url.Values{"password": {tt.password}}.Encode())
		got := []bool{
			strings.Contains(body, inside),
			strings.Contains(body, form),
			strings.Contains(body, wrong),
		}
		if diff := cmp.Diff([]bool{tt.inside, tt.form, tt.refuse}, got); diff != "" {
			t.Errorf("password %q: inside, form, refusal (-want, +got):\n%s", tt.password, diff)
		}
	}
}

// No text of a record becomes markup, and nothing that is stored as HTML runs or loads.
func TestPagesAreHarmless(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>` + "\u202e" + `<a href="javascript:alert(3)">x</a>`
	long := strings.Repeat("W", 10_000)
	category := c.Add(&store.Term{Name: evil, Slug: "evil"})
	venue := c.Add(&store.Venue{
		Post: store.Post{
			Slug:        "evil",
			Description: evil,
		},
		Name:    evil,
		Address: evil,
		City:    evil,
		Country: evil,
		Phone:   evil,
		Website: "javascript:alert(4)",
	})
	organizer := c.Add(&store.Organizer{
		Post: store.Post{
			Slug:        "evil",
			Description: evil,
		},
		Name:  evil,
		Email: evil,
		Phone: evil,
	})
	c.Add(&store.Event{
		Post: store.Post{
			Slug:        "evil",
			Description: evil + long,
			Excerpt:     evil,
		},
		Title:      evil + long,
		Categories: []int64{category},
		Venues:     []int64{venue},
		Organizers: []int64{organizer},
		Website:    "javascript:alert(5)",
		Cost: store.Cost{
			Entries: []string{evil},
		},
		Start: sample.Local(t, "2027-04-10 12:00:00"),
		End:   sample.Local(t, "2027-04-12 13:00:00"),
	})
	h := sample.Visited(t, c)
	element := regexp.MustCompile(
		`(?is)<(script|img|iframe|object|embed|style|svg|link|meta|base|form)\b[^>]*>`,
	)
	for _, path := range []string{"/events/", "/events/month/2027-04/", "/events/2027-04-11/", "/events/category/evil/",
		"/venue/evil/", "/organizer/evil/",
		"/event/evil/", "/events/?tribe-bar-search=" + url.QueryEscape(evil), "/ar/events/"} {
		body := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		).Body.String()
		for _, tag := range element.FindAllString(body, -1) {
			bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, "")
			switch name, _, _ := strings.Cut(strings.ToLower(tag[1:]), " "); {
			case name == "script" && tag != `<script type="application/ld+json">`,
				regexp.MustCompile(`(?i)\bon\w+\s*=`).MatchString(bare),
				strings.Contains(" iframe object embed style svg base ", " "+name+" "):
				t.Errorf("%s has %s", path, tag)
			}
		}
		if regexp.MustCompile(`(?i)(href|src|action)="\s*(javascript|data):`).MatchString(body) {
			t.Errorf("%s has an address that runs", path)
		}
		if data := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindStringSubmatch(body); data != nil &&
			strings.Contains(data[1], "<") {
			t.Errorf("%s: a sign < in the data: %.300s", path, data[1])
		}
	}
}

// The links of a page to the same in other languages lead there, from each language.
func TestPageLanguages(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	alternate := regexp.MustCompile(
		`<link rel="alternate" hreflang="([^"]*)" href="http://example\.com([^"]*)">`,
	)
	for _, from := range []string{"/event/one/", "/pt-BR/event/one/", "/ZH-hans/event/one/"} {
		body := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+from,
			"",
			"Accept",
			"text/html",
		).Body.String()
		found := alternate.FindAllStringSubmatch(body, -1)
		if len(found) != 21 { // twenty languages and the neutral address
			t.Errorf("%s has %d links to other languages, want 21", from, len(found))
		}
		for _, link := range found {
			rec := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+link[2],
				"",
				"Accept",
				"text/html",
			)
			if want := `<html lang="` + strings.Replace(link[1], "x-default", "en", 1) + `"`; rec.Code != http.StatusOK ||
				!strings.Contains(rec.Body.String(), want) {
				t.Errorf("%s, %s: %s: %d, want %s", from, link[1], link[2], rec.Code, want)
			}
		}
	}
}

// The filter of a page stays when the language is switched, and is no part of the canonical
// address for search engines. A view that a query asks for is.
func TestPageAddresses(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	canonical := regexp.MustCompile(`<link rel="canonical" href="http://example\.com([^"]*)">`)
	german := regexp.MustCompile(
		`<a lang="de" dir="ltr" hreflang="de" href="http://example\.com([^"]*)"`,
	)
	for _, tt := range []struct{ path, canonical, german string }{
		{"/events/?tribe-bar-search=child&x=y", "/events/", "/de/events/?tribe-bar-search=child"},
		{"/fr/events/month/2031-04/?tribe-bar-search=child&featured=true", "/fr/events/month/2031-04/",
			"/de/events/month/2031-04/?featured=true&tribe-bar-search=child"},
		{"/events/list/?eventDisplay=past&tribe-bar-search=a", "/events/list/?eventDisplay=past",
			"/de/events/list/?eventDisplay=past&tribe-bar-search=a"},
		{"/events/?eventDisplay=photo", "/events/", "/de/events/"}, {"/events/past/?eventDisplay=past", "/events/past/", "/de/events/past/"},
		{"/events/category/music/", "/events/category/music/", "/de/events/category/music/"}, {"/event/one/", "/event/one/", "/de/event/one/"},
		{"/venue/hall/", "/venue/hall/", "/de/venue/hall/"}, {"/events/2031-04-10/", "/events/2031-04-10/", "/de/events/2031-04-10/"},
		{"/events/2031-04/", "/events/month/2031-04/", "/de/events/2031-04/"},
		{"/events/month/2031-04/", "/events/month/2031-04/", "/de/events/month/2031-04/"},
		{"/events/month/2031-04-10/", "/events/month/2031-04/", "/de/events/month/2031-04-10/"},
		{"/events/category/music/2031-04/featured/", "/events/category/music/month/2031-04/featured/",
			"/de/events/category/music/2031-04/featured/"},
		{"/events/day/2031-04-10/", "/events/2031-04-10/", "/de/events/day/2031-04-10/"},
		{"/events/week/2031-04-10/", "/events/week/2031-04-10/", "/de/events/week/2031-04-10/"},
		{"/events/featured/", "/events/featured/", "/de/events/featured/"},
		{"/events/?utm_source=x&page=2&fbclid=y", "/events/", "/de/events/"}, {"/events/page/1/", "/events/", "/de/events/"},
		{"/fr/events/today/?utm_source=x", "/fr/events/2026-11-20/", "/de/events/today/"},
		{"/events/today/2031-04-10/", "/events/2031-04-10/", "/de/events/today/2031-04-10/"},
		{"/events/category/music/today/", "/events/category/music/2026-11-20/", "/de/events/category/music/today/"},
		{"/events/?eventDisplay=day&tribe-bar-date=2031-04-10", "/events/2031-04-10/",
			"/de/events/?eventDisplay=day&tribe-bar-date=2031-04-10"},
		{"/events/?eventDisplay=month&tribe-bar-date=2031-04-10", "/events/month/2031-04/",
			"/de/events/?eventDisplay=month&tribe-bar-date=2031-04-10"},
		{"/events/?eventDisplay=week&tribe-bar-date=2031-04-10", "/events/week/2031-04-10/",
			"/de/events/?eventDisplay=week&tribe-bar-date=2031-04-10"},
	} {
		body := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+tt.path,
			"",
			"Accept",
			"text/html",
		).Body.String()
		got := []string{"none", "none"}
		for i, pattern := range []*regexp.Regexp{canonical, german} {
			if found := pattern.FindStringSubmatch(body); found != nil {
				got[i] = html.UnescapeString(found[1])
			}
		}
		if diff := cmp.Diff([]string{tt.canonical, tt.german}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}

// Pages of today and later pages of a list lead to themselves in all languages, at the address
// that search engines know them by, which stays the same tomorrow.
func TestCanonicalAlternates(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	talks := c.Add(&store.Term{Name: "Talks"})
	for i := range 60 { // more than a page of a day has
		c.Add(&store.Event{
			Title:      fmt.Sprint("Talk ", i),
			Categories: []int64{talks},
			Start:      sample.Local(t, "2026-11-20 12:00:00"),
			End:        sample.Local(t, "2026-11-20 13:00:00"),
		})
	}
	h := sample.Visited(t, c)
	alternate := regexp.MustCompile(
		`<link rel="alternate" hreflang="([^"]*)" href="http://example\.com([^"]*)">`,
	)
	for path, want := range map[string]string{
		"/events/today/":                     "/events/2026-11-20/",
		"/events/today/?x=y":                 "/events/2026-11-20/",
		"/events/?eventDisplay=day":          "/events/2026-11-20/",
		"/events/today/page/2/":              "/events/2026-11-20/page/2/",
		"/events/page/2/":                    "/events/page/2/",
		"/events/page/2/?x=y&page=3":         "/events/page/2/",
		"/events/category/talks/page/2/?x=y": "/events/category/talks/page/2/",
	} {
		for _, language := range []string{"", "/de", "/ar"} {
			rec := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+language+path,
				"",
				"Accept",
				"text/html",
			)
			found := alternate.FindAllStringSubmatch(rec.Body.String(), -1)
			for _, link := range found {
				if as := strings.TrimPrefix(link[2], "/"+link[1]); as != want {
					t.Errorf("%s%s: in %s it is %s", language, path, link[1], link[2])
				}
			}
			if !strings.Contains(
				rec.Body.String(),
				`<link rel="canonical" href="http://example.com`+language+want+`">`,
			) ||
				len(found) != 21 {
				t.Errorf(
					"%s%s: %d without a link to %s, or with %d to other languages",
					language,
					path,
					rec.Code,
					want,
					len(found),
				)
			}
		}
	}
}

// Parts of a calendar far from every event, but for the present one, are not for search engines
// and lead to nothing that is farther away; years that have no neighbours are nothing.
func TestFarPages(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t)) // from January 2020 to April 2031; it is November 2026
	dated := regexp.MustCompile(`<a [^>]*href="[^"]*/(\d{4}-\d\d(?:-\d\d)?)/`)
	for path, robots := range map[string]string{
		"/events/month/2020-01/": "all", "/events/week/2020-01-01/": "all", "/events/2020-01-01/": "all", "/events/month/2031-04/": "all",
		"/events/month/": "all", "/events/month/2026-11/": "all", "/events/week/": "all", "/events/today/": "all", "/events/2026-11-20/": "all",
		"/events/month/2026-12/": "noindex", "/events/2026-11-21/": "noindex", "/events/month/2019-12/": "noindex",
		"/events/month/1000-01/": "noindex", "/events/week/1000-01-01/": "noindex", "/events/1000-01-01/": "noindex",
		"/events/month/2031-05/": "noindex", "/events/week/2031-05-01/": "noindex", "/events/2031-05-01/": "noindex",
		"/events/month/9998-12/": "noindex", "/events/week/9998-12-31/": "noindex", "/events/9998-12-31/": "noindex",
		"/events/category/music/month/2500-01/": "noindex", "/events/?eventDisplay=month&tribe-bar-date=2500-01": "noindex",
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		)
		meta := strings.Contains(
			rec.Body.String(),
			`<meta name="robots" content="noindex, follow">`,
		)
		if got := rec.Header().Get("X-Robots-Tag"); rec.Code != http.StatusOK || got != robots ||
			meta != (robots == "noindex") {
			t.Errorf("%s: %d, %q, want %q", path, rec.Code, got, robots)
		}
		_, main, _ := strings.Cut(rec.Body.String(), "<main")
		main, _, _ = strings.Cut(main, "</main>")
		for _, link := range dated.FindAllStringSubmatch(main, -1) {
			all := strings.Contains(path, "category") &&
				strings.Contains(path, link[1]) // of the same month
			if (link[1] < "2019-12-29" || link[1] > "2031-04-10") && !all {
				t.Errorf("%s leads to %s", path, link[0])
			}
		}
	}
	for _, day := range []string{"0999-12-31", "0001-01-01", "0000-01-01", "9999-01-01", "9999-12-31", "10000-01-01"} {
		for _, path := range []string{"/events/" + day + "/", "/events/week/" + day + "/", "/events/month/" + day[:len(day)-3] + "/",
			"/events/?eventDisplay=month&tribe-bar-date=" + day, "/events/?tribe-bar-date=" + day} {
			if rec := apitest.Serve(h, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html"); rec.Code != http.StatusNotFound {
				t.Errorf("%s: %d", path, rec.Code)
			}
		}
	}
}

// An event of thousands of years does not make search engines list a page for each of its days.
func TestDaysOfLongEvents(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for _, e := range []struct{ title, from, to string }{
		{"Age", "1000-01-01 00:00:00", "9998-12-31 00:00:00"}, {"Decade", "2020-02-03 10:00:00", "2030-02-03 10:00:00"},
		{"Year", "2040-03-01 10:00:00", "2041-03-01 10:00:00"}, {"Camp", "2050-07-04 10:00:00", "2050-07-06 10:00:00"},
	} {
		c.Add(&store.Event{Title: e.title, Start: sample.Local(t, e.from), End: sample.Local(t, e.to)})
	}
	h := sample.Visited(t, c)
	for path, robots := range map[string]string{
		"/events/1000-01-01/": "all", "/events/month/1000-01/": "all", "/events/week/1000-01-01/": "all", "/events/1000-01-02/": "noindex",
		"/events/1492-10-12/": "noindex", "/events/month/1492-10/": "noindex", "/events/week/5000-01-01/": "noindex",
		"/events/2020-02-03/": "all", "/events/2020-02-04/": "noindex", "/events/month/2020-02/": "all", "/events/month/2020-03/": "noindex",
		"/events/today/": "all", "/events/2026-11-20/": "all", "/events/month/2026-11/": "all", "/events/week/": "all",
		"/events/2026-11-21/": "noindex", "/events/month/2026-12/": "noindex",
		"/events/2040-10-10/": "all", "/events/month/2041-02/": "all", "/events/2050-07-06/": "all", "/events/2050-07-07/": "noindex",
	} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		)
		if got := rec.Header().Get("X-Robots-Tag"); rec.Code != http.StatusOK || got != robots {
			t.Errorf("%s: %d, %q, want %q", path, rec.Code, got, robots)
		}
		if !strings.Contains(rec.Body.String(), "Age") {
			t.Errorf("%s is without the event of every day", path)
		}
	}
}

// Search engines are asked not to list what not everybody may read, what is a part of another
// page, and what is none.
func TestIndexedPages(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	const form = "application/x-www-form-urlencoded"
	for _, tt := range []struct{ method, path, token, body, robots string }{
		{"GET", "/event/one/", "", "", "all"}, {"GET", "/de/event/one/", "", "", "all"}, {"GET", "/event/hidden/", "", "", "all"},
		{"GET", "/venue/hall/", "", "", "all"}, {"GET", "/organizer/ann/", "", "", "all"}, {"GET", "/events/category/music/", "", "", "all"},
		{"GET", "/event/locked/", "", "", "noindex"}, {"GET", "/de/event/locked/", "", "", "noindex"},
		{"GET", "/event/locked/", "secret", "", "noindex"}, {"POST", "/event/locked/", "", "password=no", "noindex"},
		{"GET", "/event/private/", "secret", "", "noindex"}, {"GET", "/event/draft/", "secret", "", "noindex"},
		{"GET", "/event/future/", "secret", "", "noindex"}, {"GET", "/embed/event/one/", "", "", "noindex"},
		{"GET", "/embed/events/", "", "", "noindex"}, {"GET", "/events/page/1/", "", "", "noindex"},
		{"GET", "/event/nothing/", "", "", "noindex"}, {"GET", "/events/category/nothing/", "", "", "noindex"},
		{"GET", "/event/draft/", "", "", "noindex"}, {"GET", "/event/trash/", "", "", "noindex"},
	} {
		for range 3 {
			rec := apitest.Serve(
				h,
				tt.method,
				"http://example.com"+tt.path,
				tt.body,
				"Accept",
				"text/html",
				"Authorization",
				apitest.Bearer(tt.token),
				"Content-Type",
				form,
			)
			meta := strings.Contains(
				rec.Body.String(),
				`<meta name="robots" content="noindex, follow">`,
			)
			if got := rec.Header().Get("X-Robots-Tag"); got != tt.robots ||
				meta != (tt.robots == "noindex") {
				t.Errorf(
					"%s %s by %q: %d, %q and in the head %v, want %q",
					tt.method,
					tt.path,
					tt.token,
					rec.Code,
					got,
					meta,
					tt.robots,
				)
			}
		}
	}
}
