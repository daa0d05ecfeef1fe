package rest_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/resttest"
)

// Pages and feeds say, in fields of GET and HEAD and in their heads, where the API is and what of
// it they show; redirects, calendars and the API say nothing of that kind.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	c := fair(t)
	h := site(t, c)
	const home, root = "http://example.com", "/cal/events/v1/"
	link := regexp.MustCompile(`<link rel="alternate" href="([^"]*)">`)
	record := regexp.MustCompile(`<link rel="alternate" type="application/json" title="JSON" href="([^"]*)">`)
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
			rec := resttest.Serve(h, method, home+tt.path, "", "Accept", "text/html")
			want := map[string]string{"VERSION": "", "ROOT": "", "ORIGIN": ""}
			if tt.root != "" {
				want = map[string]string{"VERSION": "v1", "ROOT": home + c.fill(t, tt.root), "ORIGIN": home}
			}
			for name, value := range want {
				if got := strings.Join(rec.Header()["X-TEC-API-"+name], ", "); got != value {
					t.Errorf("%s %s: %s is %q, want %q", method, tt.path, name, got, value)
				}
			}
			if !strings.Contains(rec.Header().Get("Content-Type"), "html") || method == http.MethodHead {
				continue
			}
			body, said := rec.Body.String(), strings.Join(rec.Header()["Link"], ", ")
			for _, meta := range []string{`<meta name="tec-api-version" content="v1">`, `<meta name="tec-api-origin" content="` + home + `">`} {
				if !strings.Contains(body, meta) {
					t.Errorf("%s has no %s", tt.path, meta)
				}
			}
			if found := link.FindStringSubmatch(body); found == nil || found[1] != want["ROOT"] {
				t.Errorf("%s links to %q, want %s", tt.path, found, want["ROOT"])
			}
			found := record.FindStringSubmatch(body)
			if (found != nil) != (tt.record != "") || found != nil && (found[1] != home+c.fill(t, tt.record) ||
				!strings.Contains(said, "<"+found[1]+`>; rel="alternate"; title="JSON"; type="application/json"`)) {
				t.Errorf("%s names the record %q, and in its fields %s, want %s", tt.path, found, said, tt.record)
			}
			if !strings.Contains(said, `rel="https://api.w.org/"`) {
				t.Errorf("%s: Link is %s", tt.path, said)
			}
			if short := `<http://example.com` + map[bool]string{true: "/de"}[strings.HasPrefix(tt.path, "/de")] + c.fill(t, "/?p={One}") +
				">; rel=shortlink"; strings.HasSuffix(tt.path, "/event/one/") && !strings.Contains(said, short) {
				t.Errorf("%s: Link is %s, want %s in it", tt.path, said, short)
			}
		}
	}
}
