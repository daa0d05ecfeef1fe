package site_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/internal/wire/feed"
	"almanac/store"
)

// Pages and feeds say, in fields of GET and HEAD and in their heads, where the API is and what of
// it they show; redirects, calendars and the API say nothing of that kind.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	const home, root = "http://example.com", "/cal/events/v1/"
	link := regexp.MustCompile(`<link rel="alternate" href="([^"]*)">`)
	record := regexp.MustCompile(
		`<link rel="alternate" type="application/json" title="JSON" href="([^"]*)">`,
	)
	for _, tt := range []struct{ path, root, record string }{
		{"/", root, ""}, {"/events/", root, ""}, {"/events/page/1/", root, ""}, {"/events/month/2031-04/", root, ""},
		{"/events/today/", root, ""},
		{"/event/one/", root + "events/{One}", root + "events/{One}"},
		{"/de/event/one/", "/de" + root + "events/{One}", "/de" + root + "events/{One}"},
		{"/event/locked/", root + "events/{Locked}", root + "events/{Locked}"},
		{"/events/category/music/", root + "events/?categories=music", root + "categories/{Music}"},
		{"/events/category/music/jazz/month/2031-04/", root + "events/?categories=jazz", root + "categories/{Jazz}"},
		{"/tag/free-entry/", root + "events/?tags=free-entry", root + "tags/{Free Entry}"},
		{"/fr/events/tag/kids/", "/fr" + root + "events/?tags=kids", "/fr" + root + "tags/{Kids}"},
		{"/venue/hall/", root + "venues/{Hall}", root + "venues/{Hall}"},
		{"/organizer/ann/", root + "organizers/{Ann}", root + "organizers/{Ann}"},
		{"/events/featured/", root + "events/?featured=1", ""}, {"/events/?featured=1", root + "events/?featured=1", ""},
		{"/events/?tribe-bar-search=one", root, ""}, {"/event/nothing/", root, ""}, {"/events/category/nothing/", root, ""},
		{"/events/feed/", root, "feed"}, {"/events/category/music/feed/", root + "events/?categories=music", "feed"},
		{"/events/?ical=1", "", ""}, {"/robots.txt", "", ""}, {"/sitemap.xml", "", ""},
		{"/cal/events/v1/events", "", ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			rec := apitest.Serve(h, method, home+tt.path, "", "Accept", "text/html")
			want := map[string]string{"VERSION": "", "ROOT": "", "ORIGIN": ""}
			if tt.root != "" {
				want = map[string]string{
					"VERSION": "v1",
					"ROOT":    home + c.Fill(t, tt.root),
					"ORIGIN":  home,
				}
			}
			for name, value := range want {
				if got := strings.Join(rec.Header()["X-TEC-API-"+name], ", "); got != value {
					t.Errorf("%s %s: %s is %q, want %q", method, tt.path, name, got, value)
				}
			}
			if !strings.Contains(rec.Header().Get("Content-Type"), "html") ||
				method == http.MethodHead {
				continue
			}
			body := rec.Body.String()
			said := strings.Join(rec.Header()["Link"], ", ")
			for _, meta := range []string{`<meta name="tec-api-version" content="v1">`, `<meta name="tec-api-origin" content="` + home + `">`} {
				if !strings.Contains(body, meta) {
					t.Errorf("%s has no %s", tt.path, meta)
				}
			}
			if found := link.FindStringSubmatch(body); found == nil || found[1] != want["ROOT"] {
				t.Errorf("%s links to %q, want %s", tt.path, found, want["ROOT"])
			}
			found := record.FindStringSubmatch(body)
			if (found != nil) != (tt.record != "") ||
				found != nil && (found[1] != home+c.Fill(t, tt.record) ||
					!strings.Contains(said, "<"+found[1]+`>; rel="alternate"; title="JSON"; type="application/json"`)) {
				t.Errorf(
					"%s names the record %q, and in its fields %s, want %s",
					tt.path,
					found,
					said,
					tt.record,
				)
			}
			if !strings.Contains(said, `rel="https://api.w.org/"`) {
				t.Errorf("%s: Link is %s", tt.path, said)
			}
			if short := `<http://example.com` + map[bool]string{
				true: "/de",
			}[strings.HasPrefix(tt.path, "/de")] + c.Fill(t, "/?p={One}") +
				">; rel=shortlink"; strings.HasSuffix(tt.path, "/event/one/") && !strings.Contains(said, short) {
				t.Errorf("%s: Link is %s, want %s in it", tt.path, said, short)
			}
		}
	}
}

// Where the API has a second path, pages in every language and the front page lead to an index
// that lists the namespace there; answers of each namespace lead to an index that lists it.
func TestPagesLeadToIndex(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	root := regexp.MustCompile(`^<http://example\.com([^>]*)>; rel="https://api\.w\.org/"`)
	for _, tt := range []struct{ also, namespace string }{
		{"/wp-json/tribe/events/v1", "tribe/events/v1"}, {"/tribe/events/v1", "tribe/events/v1"}, {"", "cal/events/v1"},
	} {
		h := sample.Site(t, c, api.Options{Also: tt.also})
		asked := map[string]string{
			v1 + "/events":         "cal/events/v1",
			"/de" + v1 + "/events": "cal/events/v1",
		}
		if tt.also != "" {
			asked[tt.also+"/events"] = tt.namespace
		}
		for _, page := range []string{"/events/", "/event/one/", "/embed/events/", "/events/feed/", "/events/month/", "/event/nothing/",
			"/events/?ical=1"} {
			asked[page] = tt.namespace
			if tt.also != "" {
				asked["/de"+page], asked["/zh-Hans"+page] = tt.namespace, tt.namespace
			}
		}
		asked["/"] = tt.namespace
		for address, namespace := range asked {
			for range 3 { // it is remembered in between
				found := root.FindStringSubmatch(
					strings.Join(askFor(h, address).Header()["Link"], ", "),
				)
				if found == nil {
					t.Errorf("-also %q: %s leads to no index", tt.also, address)
					continue
				}
				index := apitest.Serve(h, http.MethodGet, "http://example.com"+found[1], "")
				if !strings.Contains(index.Body.String(), `"`+namespace+`"`) {
					t.Errorf(
						"-also %q: %s leads to %s, which does not list %s: %.200s",
						tt.also,
						address,
						found[1],
						namespace,
						index.Body,
					)
				}
			}
		}
	}
}

// Readers find the feeds in the head of a page, with the types that they look for as they are
// written: not all of them read HTML.
func TestFeedsInHeads(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sample.Visited(t, c)
	for _, path := range []string{"/", "/events/category/music/", "/events/month/2031-04/", "/event/one/", "/venue/hall/", "/de/events/"} {
		body := page(h, path).Body.String()
		head, _, _ := strings.Cut(body, "</head>")
		for _, f := range []*feed.Format{&feed.RSS, &feed.Atom, &feed.JSON, &feed.Calendar} {
			media, _, _ := strings.Cut(f.Media, ";")
			if !strings.Contains(head, `<link rel="alternate" type="`+media+`" title="`) {
				t.Errorf("%s has no link of the type %s in its head: %s", path, media,
					regexp.MustCompile(`<link rel="alternate" type.*`).FindAllString(head, -1))
			}
		}
	}
}

// A choice whose name shows nothing is called by its slug, or by its id.
func TestOptionsHaveTexts(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	at := sample.Local(t, "2027-04-10 12:00:00")
	last := int64(0)
	for n, name := range []string{"", " ", "<br>", "\u202e", "\u00a0\u2066", "\t"} {
		slug := "place-" + string(rune('a'+n))
		hall := c.Add(&store.Venue{Name: name, Post: store.Post{Slug: slug}})
		last = hall
		kind := c.Add(&store.Term{Name: name, Slug: "kind-" + slug})
		c.Add(&store.Event{
			Title:      slug,
			Start:      at,
			End:        at,
			Venues:     []int64{hall},
			Categories: []int64{kind},
		})
	}
	for _, path := range []string{"/events/", "/events/?venue=" + strconv.FormatInt(last, 10), "/de/events/month/"} {
		body := page(sample.Visited(t, c), path).Body.String()
		options := regexp.MustCompile(`<option[^>]*>([^<]*)</option>`).
			FindAllStringSubmatch(body, -1)
		named := 0
		for _, option := range options {
			if strings.TrimSpace(option[1]) == "" {
				t.Errorf("%s has an option without a text: %s", path, option[0])
			}
			if strings.HasPrefix(option[1], "place-") ||
				strings.HasPrefix(option[1], "kind-place-") {
				named++
			}
		}
		if named != 11 { // the name <br> of a category is a text
			t.Errorf("%s calls %d choices by their slugs, of %q, want 11", path, named, options)
		}
	}
}

// In every form of the answer, and with any text, json_ld can be copied into a script element of a
// page as it stands.
func TestJSONLDClosesNoScript(t *testing.T) {
	t.Parallel()
	const attack = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
	c := sample.New(t)
	_, hall := apitest.Do(
		t,
		c.As(account.Contributor),
		"POST",
		c.URL+v1+"/venues",
		`{"venue":"Hall","description":"`+attack+`"}`,
	)
	_, ann := apitest.Do(
		t,
		c.As(account.Author),
		"POST",
		c.URL+v1+"/organizers",
		`{"organizer":"Ann","description":"`+attack+`"}`,
	)
	_, fair := apitest.Do(
		t,
		c.As(account.Author),
		"POST",
		c.URL+v1+"/events",
		`{"title":"Fair","start_date":"tomorrow","end_date":"tomorrow","description":"`+attack+`"}`,
	)
	event := store.Event{
		Post: store.Post{
			Description: attack,
		},
		Title: "Both",
		Start: sample.Local(t, "2031-04-10 12:00:00"),
		End:   sample.Local(t, "2031-04-10 12:00:00"),
	}
	event.Venues = []int64{int64(hall["id"].(float64))}
	event.Organizers = []int64{int64(ann["id"].(float64))}
	c.Add(&event)
	c.IDs["Hall"], c.IDs["Ann"], c.IDs["Fair"] = int64(
		hall["id"].(float64),
	), int64(
		ann["id"].(float64),
	), int64(
		fair["id"].(float64),
	)
	for _, path := range []string{"/events/{Fair}", "/events/{Both}", "/venues/{Hall}", "/organizers/{Ann}"} {
		for _, form := range []string{"", "_pretty", "_fields=json_ld",
			"_fields=json_ld.description,json_ld.location.description&_pretty", "_envelope&_fields=json_ld", "_jsonp=show&_fields=json_ld"} {
			_, body := c.Send(t, account.Editor, "GET", v1+path+"?"+form)
			_, ld, ok := strings.Cut(string(body), `"json_ld":`)
			if !ok || !strings.Contains(ld, `\u003c/script>\u003cscript>`) {
				t.Errorf("%s?%s: the text is not in json_ld: %s", path, form, body)
			}
			if strings.Contains(ld, "</script") {
				t.Errorf("%s?%s: json_ld closes a script element: %s", path, form, ld)
			}
		}
	}
}
