// Headers of every answer for caches and browsers.

package api_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/sample"
)

// A shared cache may keep public answers, and asks before it shows them again. It must not keep
// private answers, answers opened by a password, and refusals.
func TestCacheControl(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	const public, private = "public, no-cache", "no-cache, must-revalidate, max-age=0, no-store, private"
	for _, tt := range []struct {
		name, method, path string
		role               account.Role
		headers            []string
		status             int
		want               string
	}{
		{"a list", "GET", "/events", "", nil, 200, public},
		{"a list, asked for the second time", "GET", "/events", "", nil, 200, public},
		{"a list, asked for the third time", "GET", "/events", "", nil, 200, public},
		{"a list that has not changed", "GET", "/events", "", []string{"If-None-Match: *"}, 304, public},
		{"its head", "HEAD", "/events", "", nil, 200, public},
		{"an event", "GET", "/events/{One}", "", nil, 200, public},
		{"an event by slug", "GET", "/events/by-slug/one", "", nil, 200, public},
		{"in another form", "GET", "/events/{One}?_fields=id&_jsonp=x", "", nil, 200, public},
		{"the description", "GET", "/doc", "", nil, 200, public},
		{"the index", "GET", "", "", nil, 200, public},
		{"terms", "GET", "/tags", "", nil, 200, public},
		{"with an account", "GET", "/events", account.Subscriber, nil, 200, private},
		{"with an account that has it already", "GET", "/events", account.Editor, []string{"If-None-Match: *"}, 304, private},
		{"the description, with an account", "GET", "/doc", account.Editor, nil, 200, private},
		{"with a login that means nothing", "GET", "/events", "", []string{"Authorization: Basic !"}, 200, private},
		{"with a wrong login", "GET", "/events", "", []string{"Authorization: Bearer x"}, 401, private},
		{"with another method than it has", "GET", "/events", "", []string{"X-HTTP-Method-Override: GET"}, 200, private},
		{"opened by a password", "GET", "/events/{Locked}?password=pw", "", nil, 200, private},
		{"a list with a password", "GET", "/events?password=pw&end_date=2031-12-31", "", nil, 200, private},
		{"a list with a password, again", "GET", "/events?password=pw&end_date=2031-12-31", "", nil, 200, private},
		{"locked", "GET", "/events/{Locked}", "", nil, 403, private},
		{"what may be public later", "GET", "/events/{Draft}", "", nil, 403, private},
		{"refused", "GET", "/events/{Draft}?_envelope", "", nil, 200, private},
		{"not there", "GET", "/events/9999", "", nil, 404, private},
		{"no page", "GET", "/events?page=9", "", nil, 404, private},
		{"no route", "GET", "/nothing", "", nil, 404, private},
		{"what a route takes", "OPTIONS", "/events", "", nil, 200, private},
		{"a write", "POST", "/tags?name=New", account.Editor, nil, 201, private},
		{"a write of a stranger", "POST", "/tags?name=New", "", nil, 401, private},
	} {
		resp, _ := c.Send(t, tt.role, tt.method, v1+tt.path, tt.headers...)
		if got := resp.Header.Get("Cache-Control"); resp.StatusCode != tt.status ||
			got != tt.want ||
			(resp.Header.Get("Expires") != "") != (got == private) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, resp.StatusCode, got, tt.status, tt.want)
		}
		if vary := resp.Header.Get("Vary"); !strings.Contains(vary, "Authorization") ||
			!strings.Contains(vary, "Origin") ||
			!strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s: it varies by %q", tt.name, vary)
		}
		if got := resp.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: the type may be guessed: %q", tt.name, got)
		}
	}

	// A cache that knows a request by its address would show everybody what a body
	// has asked for.
	for _, body := range []string{`{"search":"nothing"}`, " "} {
		req, err := http.NewRequest("GET", c.URL+v1+"/events", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := c.As("").Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Cache-Control"); resp.StatusCode != 200 || got != private {
			t.Errorf(
				"a GET with the body %q: %d %s, want 200 %s",
				body,
				resp.StatusCode,
				got,
				private,
			)
		}
	}
}

// Pages of other sites may read, and never with what a browser sends by itself.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	const page = "https://page.example"
	for _, tt := range []struct {
		method, path string
		role         account.Role
	}{
		{"GET", "/events", ""}, {"GET", "/events", account.Editor}, {"GET", "/events/{Draft}", ""}, {"OPTIONS", "/events", ""},
		{"POST", "/tags?name=New", account.Editor}, {"GET", "/nothing", ""},
	} {
		for _, origin := range []string{page, "null"} {
			resp, _ := c.Send(
				t,
				tt.role,
				tt.method,
				v1+tt.path,
				"Origin: "+origin,
				"Cookie: wordpress_logged_in=x",
			)
			h := resp.Header
			if got := h.Get("Access-Control-Allow-Origin"); got != origin {
				t.Errorf("%s %s from %s: open to %q", tt.method, tt.path, origin, got)
			}
			if h["Access-Control-Allow-Credentials"] != nil || h["Set-Cookie"] != nil {
				t.Errorf("%s %s from %s: with credentials: %v", tt.method, tt.path, origin, h)
			}
		}
	}
}
