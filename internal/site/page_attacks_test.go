// Requests for pages that nobody sends who only reads them.

package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
)

// guardedSite is visited with the limits that servers have, at an address of its own.
func guardedSite(t *testing.T, c *sample.Calendar) http.Handler {
	t.Helper()
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	s, err := api.New(api.Options{
		Store:    c.Store,
		Accounts: accounts,
		Clock:    c.Clock,
		Pages:    true,
		URL:      &url.URL{Scheme: "https", Host: "calendar.example.org"},
	}, almanactest.Routes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The form for passwords lets nobody in beyond the page that it answers with: it sets no cookie,
// sends nobody elsewhere, and is not cached, whatever site the form was on. Guessers have to wait
// as in the API, and a correct password tells nothing then.
func TestPagePasswordGuesses(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := guardedSite(t, c)
	before := c.Store.State()
	ask := func(password string) *httptest.ResponseRecorder {
		return apitest.Serve(
			h,
			http.MethodPost,
			"https://calendar.example.org/event/locked/?redirect_to=//evil.example",
			"password="+password+
				"&redirect_to=https://evil.example/",
			"Content-Type",
			"application/x-www-form-urlencoded",
			"Accept",
			"text/html",
			"Origin",
			"https://evil.example",
			"Referer",
			"https://evil.example/",
		)
	}
	for i := range 12 {
		password := fmt.Sprint("guess", i)
		status := http.StatusOK
		inside := false
		switch {
		case i == 0:
			password = "pw"
			inside = true
		case i == 11:
			password = "pw"
			status = http.StatusTooManyRequests
		}
		w := ask(password)
		if (w.Header().Get("Retry-After") != "") != (status == http.StatusTooManyRequests) {
			t.Errorf("%s: Retry-After is %q", password, w.Header().Get("Retry-After"))
		}
		if w.Code != status || strings.Contains(w.Body.String(), "the secret words") != inside {
			t.Errorf("%d %s: %d, want %d and inside %v", i, password, w.Code, status, inside)
		}
		for _, name := range []string{"Set-Cookie", "Location", "Refresh", "Access-Control-Allow-Credentials"} {
			if field := w.Header().Get(name); field != "" {
				t.Errorf("%s: %s is %q", password, name, field)
			}
		}
		if control := w.Header().Get("Cache-Control"); !strings.Contains(control, "no-store") {
			t.Errorf("%s: Cache-Control is %q", password, control)
		}
		if strings.Contains(w.Body.String(), "evil.example") {
			t.Errorf("%s: the page leads elsewhere", password)
		}
	}
	if w := apitest.Serve(h, http.MethodGet, "https://calendar.example.org/event/locked/?password=pw", "", "Accept",
		"text/html"); w.Code !=
		http.StatusOK ||
		strings.Contains(w.Body.String(), "the secret words") {
		t.Errorf("a password in the address: %d %s", w.Code, w.Body)
	}
	if c.Store.State() != before {
		t.Error("something was stored")
	}
}

// Whatever is asked in the place of a page: the answer is a page or says that there is none, it
// leads nobody elsewhere, names no host but that of the site, and what it is does not depend on
// fields that caches do not look at.
func TestPageRequests(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := guardedSite(t, c)
	const origin = "https://calendar.example.org"
	get := apitest.Serve(h, http.MethodGet, origin+"/events/", "", "Accept", "text/html")
	for _, fields := range [][]string{{"X-Forwarded-Host", "evil.example"}, {"Forwarded", "host=evil.example;proto=http"},
		{"X-Forwarded-Proto", "http"}, {"X-Original-URL", "/event/one/"}, {"X-Forwarded-Prefix", "/evil"}, {"Range", "bytes=0-9"},
		{"If-Modified-Since", "Wed, 01 Jan 2099 00:00:00 GMT"}, {"If-None-Match", `"x"`}, {"Cookie", "a=b"}, {"Referer",
			"https://evil.example/"},
		{"User-Agent", "evil.example"}, {"Content-Type", "text/html"}, {"Origin", ""}} {
		w := apitest.Serve(
			h,
			http.MethodGet,
			origin+"/events/",
			"",
			append([]string{"Accept", "text/html"}, fields...)...)
		if w.Code != http.StatusOK || w.Body.String() != get.Body.String() {
			t.Errorf("%q: %d, another page", fields, w.Code)
		}
	}
	evil := httptest.NewRequest(http.MethodGet, "https://evil.example/events/", nil)
	evil.Header.Set("Accept", "text/html")
	if w := apitest.Record(h, evil); strings.Contains(fmt.Sprint(w.Body, w.Header()), "evil") {
		t.Error("the page names a host that is not the site's")
	}
	if head := apitest.Serve(h, http.MethodHead, origin+"/events/", "", "Accept",
		"text/html"); head.Code != get.Code || head.Body.Len() > 0 ||
		head.Header().
			Get("ETag") !=
			get.Header().
				Get("ETag") ||
		head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
	if vary := get.Header().Get("Vary"); !strings.Contains(vary, "Accept-Encoding") ||
		!strings.Contains(vary, "Authorization") {
		t.Errorf("Vary is %q", vary)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} {
		for _, path := range []string{"/events/", "/venue/hall/", "/sitemap.xml", "/"} {
			if w := apitest.Serve(h, method, origin+path, ""); w.Code != http.StatusNotFound &&
				w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, w.Code)
			}
		}
	}
	for _, path := range []string{"//events/", "/events//", "/events/./", "/events/../events/", "/%65vents/", "/EVENTS/Month/",
		"/events/%2e%2e/",
		"/events/%00/", "/event/%ff/", "/event/one%2f/", "/event/one/../two/", "/event//", "/events/month/2031-13/", "/events/0000-00-00/",
		"/events/9999-12-31/", "/events/week/9998-12-31/", "/events/month/1000-01/", "/events/page/0/", "/events/page/99999999999999999999/",
		"/events/category/" + strings.Repeat("a/", 500), "/event/" + strings.Repeat("x", 5000), "/events/?" + strings.Repeat("a=b&", 5000),
		"/events/?tribe-bar-search=" + strings.Repeat("a+", 3000), "/events/;x", "/events/%0d%0aSet-Cookie:%20a=b", "/de/de/events/",
		"/xx/events/",
		"/assets/..%2f..%2fetc%2fpasswd", "/assets/style.css", "/events/list/list/", "/?p=-1", "/?p=1e9", "/events.php",
		"/\\evil.example/"} {
		u, err := url.Parse(origin)
		if err != nil {
			t.Fatal(err)
		}
		at, query, _ := strings.Cut(path, "?")
		u.Path = at
		u.RawQuery = query
		if decoded, err := url.PathUnescape(at); err == nil {
			u.Path = decoded
			u.RawPath = at
		}
		r := httptest.NewRequest(http.MethodGet, origin+"/", nil)
		r.URL = u
		r.RequestURI = path
		r.Header.Set("Accept", "text/html")
		w := apitest.Record(h, r)
		if !slices.Contains([]int{200, 400, 404, 414}, w.Code) ||
			w.Header().Get("Location") != "" ||
			w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%.100s: %d %v", path, w.Code, w.Header())
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			for _, wrong := range apitest.ReadPage(w.Body.String(), origin).Wrong {
				t.Errorf("%.100s: %.300s", path, wrong)
			}
		}
	}
}

// An error is the same for all requests: the page that says it to people, as a 404, changes it for
// no program.
func TestRefusedPages(t *testing.T) {
	t.Parallel()
	h := sample.Visited(t, sample.Fair(t))
	for _, tt := range []struct {
		path   string
		status int
	}{{"/events/", http.StatusNotFound}, {"/cal/events/v1/events", http.StatusUnauthorized}} {
		rec := apitest.Serve(
			h,
			http.MethodGet,
			"http://example.com"+tt.path,
			"",
			"Accept",
			"text/html",
			"Authorization",
			"Bearer wrong",
		)
		if rec.Code != tt.status {
			t.Errorf("%s with a wrong token: %d, want %d", tt.path, rec.Code, tt.status)
		}
	}
}
