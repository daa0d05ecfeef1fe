package site_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/text/qr"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	chosen "almanac/internal/wire/pages"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Pages for frames are bare, lead out of the frame, name the page itself to search engines, and
// may be framed by whom the owner named; no other page may be framed by anybody.
func TestEmbed(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	alone := sample.Visited(t, c)
	h := sample.Site(t, c, api.Options{
		Look: chosen.Look{
			Ancestors: []string{"https://choir.example", "https://*.example"},
		},
	})
	ancestors := func(h http.Handler, path string) string {
		policy := apitest.Serve(h, http.MethodGet, "http://example.com"+path, "", "Accept", "text/html").
			Header().
			Get("Content-Security-Policy")
		return policy[strings.LastIndex(policy, "; ")+2:]
	}
	for _, tt := range []struct {
		path, page, has string
		status          int
	}{
		{"/embed/events/", "/events/", "<bdi>Two</bdi>", 200}, {"/embed/events", "/events/", "<bdi>Two</bdi>", 200},
		{"/embed/events/month/2031-04/", "/events/month/2031-04/", "<bdi>Two</bdi>", 200},
		{"/embed/events/2031-04-10/", "/events/2031-04-10/", "<bdi>Two</bdi>", 200},
		{"/embed/events/category/music/", "/events/category/music/", "<bdi>Two</bdi>", 200},
		{"/de/embed/events/past/", "/de/events/past/", "<bdi>Past</bdi>", 200}, {"/embed/event/one/", "/event/one/", "<bdi>One</bdi>", 200},
		{"/embed/venue/hall/", "/venue/hall/", "<bdi>Hall</bdi>", 200},
		{"/embed/event/locked/", "/event/locked/", `action="http://example.com/event/locked/"`, 200},
		{"/embed/event/draft/", "", "", 404}, {"/embed/nothing/", "", "", 404}, {"/embed/embed/events/", "", "", 404},
	} {
		for range 3 { // it may be remembered, and so may the page itself
			own := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+strings.Replace(tt.path, "/embed", "", 1),
				"",
				"Accept",
				"text/html",
			)
			rec := apitest.Serve(
				h,
				http.MethodGet,
				"http://example.com"+tt.path,
				"",
				"Accept",
				"text/html",
			)
			body := rec.Body.String()
			if rec.Code != tt.status || !strings.Contains(body, tt.has) ||
				!strings.Contains(body, `<base target="_top">`) ||
				strings.Contains(body, "<header") ||
				strings.Contains(body, `<footer class="site`) ||
				!strings.Contains(body, ">All events</a>") && !strings.HasPrefix(tt.path, "/de") ||
				strings.Contains(body, `href="http://example.com/embed`) ||
				!strings.Contains(body, `<link rel="canonical" href="http://example.com`+tt.page) ||
				rec.Header().Get("X-Robots-Tag") != "noindex" ||
				strings.Contains(body, `hreflang="`) {
				t.Errorf("%s: %d %s %s", tt.path, rec.Code, rec.Header(), body)
			}
			if tt.status == 200 &&
				(!strings.Contains(own.Body.String(), "<header") || strings.Contains(own.Body.String(), "<base")) {
				t.Errorf("the page itself: %s", own.Body)
			}
		}
		if got, want := ancestors(h, tt.path), "frame-ancestors https://choir.example https://*.example"; got != want {
			t.Errorf("%s: %s, want %s", tt.path, got, want)
		}
		if got, want := ancestors(alone, tt.path), "frame-ancestors 'none'"; got != want {
			t.Errorf("%s of a site that named nobody: %s, want %s", tt.path, got, want)
		}
	}
	for _, path := range []string{"/events/", "/event/one/", "/de/events/month/2031-04/", "/venue/hall/", "/docs", "/event/nothing/"} {
		if got, want := ancestors(h, path), "frame-ancestors 'none'"; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	// Lists, months and events have the code of their own frame, which is there.
	code := regexp.MustCompile(
		`<code>&lt;iframe src=&#34;http://example\.com([^&]*)&#34; title=&#34;`,
	)
	for path, words := range map[string]string{
		"/events/":                    "Show this page on your site",
		"/de/events/month/":           "Diese Seite auf Ihrer Website zeigen",
		"/events/month/2031-04/":      "Show this page on your site",
		"/de/events/category/music/":  "Diese Seite auf Ihrer Website zeigen",
		"/de/event/one/":              "Diese Seite auf Ihrer Website zeigen",
		"/venue/hall/":                "Show this page on your site",
		"/events/?tribe-bar-search=T": "Show this page on your site",
	} {
		body := look(t, h, path)
		codes := code.FindAllStringSubmatch(body, -1)
		if len(codes) != 1 || !strings.Contains(body, "<summary>"+words+"</summary>") {
			t.Errorf("%s has %d codes of frames, want one below %q", path, len(codes), words)
			continue
		}
		prefix, below, _ := strings.Cut(path, "/event")
		want := prefix + "/embed/event" + below
		if strings.HasPrefix(path, "/venue") {
			want = "/embed" + path
		}
		if got := codes[0][1]; got != want {
			t.Errorf("%s has the code of %s, want %s", path, got, want)
		}
		look(t, h, codes[0][1])
		if code.MatchString(look(t, alone, path)) {
			t.Errorf("%s has code that works on no site", path)
		}
	}
	for _, path := range []string{"/event/locked/", "/event/nothing/", "/docs/embed"} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+path,
			"",
			"Accept",
			"text/html",
		)
		if code.MatchString(rec.Body.String()) {
			t.Errorf("%s has the code of a frame", path)
		}
	}
	if body := look(t, h, "/embed/events/?compact"); !strings.Contains(
		body,
		`<body class="compact">`,
	) ||
		!strings.Contains(
			body,
			`href="webcal://example.com/cal/events/v1/events.ics">Subscribe</a>`,
		) ||
		strings.Contains(
			look(t, h, "/events/?compact")+look(t, h, "/embed/events/"),
			`class="compact"`,
		) {
		t.Errorf("a compact frame, and pages that are none: %s", body)
	}
	if docs := look(t, h, "/de/docs"); !strings.Contains(
		docs,
		`href="http://example.com/de/events/">Alle Veranstaltungen<`,
	) {
		t.Error("the description does not lead back to the calendar")
	}
	// Pages for frames are no addresses of calendars.
	rec := apitest.Serve(
		h,
		http.MethodGet,
		"http://example.com/embed/events/?ical=1",
		"",
		"Accept",
		"text/html",
	)
	if !regexp.MustCompile(`^<!DOCTYPE html>`).MatchString(rec.Body.String()) {
		t.Errorf("a calendar in a frame: %s", rec.Body)
	}
}

// A poster has the QR code of the page itself, in the language of the poster; the page has none.
func TestPoster(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	for _, path := range []string{"/event/one/", "/de/event/one/"} {
		want := fmt.Sprintf(`<path d="%s"/>`, qr.Encode("http://example.com"+path).Path())
		if !strings.Contains(look(t, h, path+"?print=poster"), want) ||
			strings.Contains(look(t, h, path), "<svg") {
			t.Errorf("%s: no code of the poster, or one of the page", path)
		}
		link := `href="http://example.com` + path + `?print=poster"`
		if !strings.Contains(look(t, h, path), link) ||
			strings.Contains(look(t, h, path+"?print=poster"), link) {
			t.Errorf("%s does not lead to its poster, or the poster to itself", path)
		}
	}
}

// The pages of events, venues and organizers show the picture of their record, or link to it if
// its host is not allowed. Previews of links get both.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	const shows, leads = `<img src="%s" alt="" width="640" height="480" decoding="async">`,
		`<a href="%s" rel="external nofollow">Show the picture (%s)</a>`
	pictures := []struct{ url, whole, want string }{
		{"http://example.com/hall.png", "http://example.com/hall.png", shows},
		{"https://Pictures.example/hall.png", "https://Pictures.example/hall.png", shows},
		{
			"https://tracker.example/hall.png?a=b&c",
			"https://tracker.example/hall.png?a=b&amp;c",
			leads,
		},
		{"http://example.com:8080/hall.png", "http://example.com:8080/hall.png", leads},
		{
			"//tracker.example/hall.png",
			"",
			"",
		}, {"javascript:alert(1)", "", ""}, {"https://example.com@tracker.example/hall.png", "", ""},
		{"/uploads/hall.png", "", ""}, {"http://", "", ""},
	}
	for i, p := range pictures {
		post := store.Post{
			Slug: fmt.Sprint("hall-", i),
			Image: c.Add(&store.Image{
				URL:    p.url,
				Width:  640,
				Height: 480,
			}),
		}
		noon := sample.Local(t, "2027-04-10 12:00:00")
		c.Add(&store.Event{
			Post:  post,
			Title: fmt.Sprint("Event ", i),
			Start: noon,
			End:   noon + 3600,
		})
		c.Add(&store.Venue{Post: post, Name: fmt.Sprint("Venue ", i)})
		c.Add(&store.Organizer{Post: post, Name: fmt.Sprint("Organizer ", i)})
	}
	h := sample.Site(t, c, api.Options{Look: chosen.Look{PictureHosts: []string{"pictures.example"}}})
	for i, p := range pictures {
		want := []string{"", ""}
		switch host := regexp.MustCompile(`//([^/]*)/`).FindStringSubmatch(p.whole); p.want {
		case shows:
			want[0] = fmt.Sprintf(shows, p.whole)
		case leads:
			want[0] = fmt.Sprintf(leads, p.whole, host[1])
		}
		if p.whole != "" {
			want[1] = `<meta property="og:image" content="` + p.whole + `">`
		}
		for _, path := range []string{"/event/", "/venue/", "/organizer/"} {
			head, body, _ := strings.Cut(look(t, h, fmt.Sprint(path, "hall-", i, "/")), "<body>")
			got := []string{
				regexp.MustCompile(`<img [^>]*>|<a [^>]*>Show the picture[^<]*</a>`).
					FindString(body),
				regexp.MustCompile(`<meta property="og:image"[^>]*>`).FindString(head),
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, the picture %s (-want, +got):\n%s", path, p.url, diff)
			}
		}
	}
}
