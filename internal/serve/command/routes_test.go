package command

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Routing of requests: the behaviour of net/http that the server uses, and the parts that it
// replaces.

func TestRoutes(t *testing.T) {
	t.Parallel()
	s := startServer(t, append(still, "-memory")...)
	c := s.Admin()
	fill(t, c)
	tests := []struct {
		name         string
		method, path string
		headers      []string
		status       int
		want         string // a part of the body; of errors, the code
		why          string
	}{
		{
			name:   "an event",
			method: "GET",
			path:   v1 + "/events/4",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "by slug",
			method: "GET",
			path:   v1 + "/events/by-slug/fair",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "a slash at the end",
			method: "GET",
			path:   v1 + "/events/4/",
			status: 200,
			want:   `"title":"Fair"`,
			why:    "a redirect would turn a POST into a GET",
		},
		{
			name:   "a slash at the end of the index",
			method: "GET",
			path:   v1 + "/",
			status: 200,
			want:   `"namespace":"cal/events/v1"`,
		},
		{
			name:   "two slashes at the end",
			method: "GET",
			path:   v1 + "/events/4//",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a write with a slash at the end",
			method: "POST",
			path:   v1 + "/events/4/?title=Fair",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "HEAD",
			method: "HEAD",
			path:   v1 + "/events/4",
			status: 200,
			why:    "a GET pattern takes HEAD",
		},
		{name: "HEAD of nothing", method: "HEAD", path: v1 + "/nothing", status: 404},
		{
			name:   "letter case",
			method: "GET",
			path:   "/CAL/Events/v1/EVENTS/By-Slug/Fair",
			status: 200,
			want:   `"title":"Fair"`,
		},

		{
			name:   "by-slug alone",
			method: "GET",
			path:   v1 + "/events/by-slug",
			status: 404,
			want:   "rest_no_route",
			why:    "{id} matches any segment, and by-slug is no id",
		},
		{
			name:   "by-slug with an empty slug",
			method: "GET",
			path:   v1 + "/events/by-slug/",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "an id with a letter",
			method: "GET",
			path:   v1 + "/events/4a",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a negative id",
			method: "GET",
			path:   v1 + "/events/-4",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "an id beyond all",
			method: "GET",
			path:   v1 + "/events/99999999999999999999",
			status: 404,
			want:   "rest-event-not-found",
		},
		{
			name:   "a slug with a slash",
			method: "GET",
			path:   v1 + "/events/by-slug/fa%2Fir",
			status: 404,
			want:   "rest_no_route",
			why:    "{slug} is unescaped",
		},
		{
			name:   "a slug that is escaped",
			method: "GET",
			path:   v1 + "/events/by-slug/%66air",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "a bad escape",
			method: "GET",
			path:   v1 + "/events/by-slug/%25",
			status: 400,
			want:   "rest_invalid_param",
		},
		{
			name:   "more below an event",
			method: "GET",
			path:   v1 + "/events/4/venue",
			status: 404,
			want:   "rest_no_route",
		},

		{
			name:   "two slashes",
			method: "GET",
			path:   "/cal//events/v1/events/4",
			status: 404,
			want:   "rest_no_route",
			why:    "the original has no route with them, and the mux would redirect",
		},
		{
			name:   "two slashes at the front",
			method: "GET",
			path:   "/" + v1 + "/events/4",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "index.php at the front",
			method: "GET",
			path:   "/index.php" + v1 + "/events/4",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "dots",
			method: "GET",
			path:   "/cal/events/v1/venues/../events",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a dot",
			method: "GET",
			path:   "/cal/events/v1/./events",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "dots that are escaped",
			method: "GET",
			path:   "/cal/events/v1/venues/%2e%2e/events",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a write with two slashes",
			method: "POST",
			path:   "/cal/events/v1//events/4?title=Fair",
			status: 404,
			want:   "rest_no_route",
		},

		{
			name:   "PUT of a list",
			method: "PUT",
			path:   v1 + "/events",
			status: 404,
			want:   "rest_no_route",
			why:    "the mux would answer 405 in plain text",
		},
		{
			name:   "DELETE of a list",
			method: "DELETE",
			path:   v1 + "/venues",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "POST of the description",
			method: "POST",
			path:   v1 + "/doc",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "POST of a term by slug",
			method: "POST",
			path:   v1 + "/tags/by-slug/free",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a method of no standard",
			method: "BREW",
			path:   v1 + "/events",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "nothing here",
			method: "GET",
			path:   "/index.html",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a longer namespace",
			method: "GET",
			path:   "/cal/events/v1000/events",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "OPTIONS",
			method: "OPTIONS",
			path:   v1 + "/events",
			status: 200,
			want:   `"methods":["GET","POST"]`,
		},

		{
			name:    "the method in a header",
			method:  "POST",
			path:    v1 + "/events/4",
			headers: []string{"X-HTTP-Method-Override", "put"},
			status:  200,
			want:    `"title":"Fair"`,
		},
		{
			name:   "the method in the query",
			method: "POST",
			path:   v1 + "/events/6?_method=DELETE",
			status: 410,
			want:   "event-is-in-trash",
		},
		{
			name:   "the method in the query of a GET",
			method: "GET",
			path:   v1 + "/events/4?_method=DELETE",
			status: 200,
			want:   `"title":"Fair"`,
			why:    "a link must not delete",
		},

		{
			name:   "?rest_route=",
			method: "GET",
			path:   "/?rest_route=/cal/events/v1/events/4",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "?rest_route= with parameters",
			method: "GET",
			path:   "/?rest_route=/cal/events/v1/events&search=fair&starts_after=2031-01-01",
			status: 200,
			want:   `"title":"Fair"`,
		},
		{
			name:   "?rest_route= of nothing",
			method: "GET",
			path:   "/?rest_route=/wp/v2/posts",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "?rest_route= that is unclean",
			method: "GET",
			path:   "/?rest_route=/cal/events/v1//events",
			status: 404,
			want:   "rest_no_route",
		},

		{
			name:   "the root",
			method: "GET",
			path:   "/",
			status: 200,
			want:   `"namespaces":["cal/events/v1"]`,
		},
		{
			name:   "a language",
			method: "GET",
			path:   "/en/cal/events/v1/events/4",
			status: 200,
			want:   `/en/cal/events/v1/events/4`,
		},
		{
			name:   "the root of a language",
			method: "GET",
			path:   "/en/",
			status: 200,
			want:   `"namespaces":["cal/events/v1"]`,
		},
		{
			name:   "no language",
			method: "GET",
			path:   "/xx/cal/events/v1/events",
			status: 404,
			want:   `"language":"must be one of ar, cs, da, `,
		},
		{
			name:   "a language by a shorter tag",
			method: "GET",
			path:   "/pt/cal/events/v1/events/4",
			status: 200,
			want:   `/pt-PT/cal/events/v1/events/4`,
		},
		{
			name:   "a language by an old tag",
			method: "GET",
			path:   "/IW/cal/events/v1/events/4",
			status: 200,
			want:   `/he/cal/events/v1/events/4`,
		},
		{
			name:   "a language with a region",
			method: "GET",
			path:   "/de_AT/cal/events/v1/events/4/",
			status: 200,
			want:   `/de/cal/events/v1/events/4`,
		},
		{
			name:   "the root of a language by an old tag",
			method: "GET",
			path:   "/no",
			status: 200,
			want:   `/nb/cal/events/v1/doc`,
		},
		{name: "the page", method: "GET", path: "/docs", status: 200, want: "<!DOCTYPE html>"},
		{
			name:   "the page of a language",
			method: "GET",
			path:   "/ar/docs/",
			status: 200,
			want:   `<html lang="ar" dir="rtl">`,
		},
		{
			name:   "the page of a language by an old tag",
			method: "GET",
			path:   "/iw/docs",
			status: 200,
			want:   `<html lang="he" dir="rtl">`,
		},
		{
			name:   "the page of no language",
			method: "GET",
			path:   "/xx/docs/",
			status: 404,
			want:   `"language":"must be one of ar, cs, da, `,
		},
		{
			name:   "the page below a path",
			method: "GET",
			path:   "/xx/yy/docs",
			status: 404,
			want:   "rest_no_route",
		},
		{
			name:   "a path that was not asked for with -also",
			method: "GET",
			path:   "/wp-json/tribe/events/v1/events",
			status: 404,
			want:   "rest_no_route",
		},
	}
	before := c.Everything(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := c.Do(t, test.method, test.path, "", test.headers...)
			if a.Status != test.status || !strings.Contains(a.Body, test.want) {
				t.Errorf(
					"%s %s: %d %.300s; want %d with %q %s",
					test.method,
					test.path,
					a.Status,
					a.Body,
					test.status,
					test.want,
					test.why,
				)
			}
			if test.method == "HEAD" && a.Body != "" {
				t.Errorf("HEAD was answered with a body: %s", a.Body)
			}
			if location := a.Header.Get("Location"); location != "" {
				t.Errorf(
					"%s %s leads to %s: nothing is redirected",
					test.method,
					test.path,
					location,
				)
			}
			if test.status >= 400 && test.method != "HEAD" {
				wantError(t, a)
			}
		})
	}
	if diff := cmp.Diff(before, c.Everything(t)); diff != "" {
		t.Errorf("looking for routes changed what is stored:\n%s", diff)
	}
}

// wantError checks that an answer has the form of errors.
func wantError(t *testing.T, a answer) {
	t.Helper()
	var e struct {
		Code, Message string
		Data          struct{ Status int }
	}
	if err := json.Unmarshal([]byte(a.Body), &e); err != nil || e.Code == "" || e.Message == "" ||
		e.Data.Status != a.Status {
		t.Errorf("not the body of an error with status %d (%v): %s", a.Status, err, a.Body)
	}
	if got := a.Header.Get("Content-Type"); got != "application/json; charset=UTF-8" {
		t.Errorf("Content-Type is %q", got)
	}
}

// Existing clients find the API where their site had it, and links that stay
// there.
func TestAlso(t *testing.T) {
	t.Parallel()
	s := startServer(
		t,
		"-memory",
		"-per-page",
		"1",
		"-also",
		"/wp-json/tribe/events/v1",
		"-clock",
		"2031-05-10 12:00:00",
		"-freeze",
	)
	c := s.Admin()
	fill(t, c)
	const theirs = "/wp-json/tribe/events/v1"
	for _, path := range []string{theirs + "/events", "/?rest_route=/tribe/events/v1/events",
		"/index.php?rest_route=/tribe/events/v1/events"} {
		t.Run(path, func(t *testing.T) {
			var list struct {
				Events []struct {
					RestURL string `json:"rest_url"`
				}
				Next string `json:"next_rest_url"`
				Self string `json:"rest_url"`
			}
			a := c.Do(t, "GET", path, "")
			if err := json.Unmarshal([]byte(a.Body), &list); err != nil || len(list.Events) != 1 {
				t.Fatalf("%d (%v): %s", a.Status, err, a.Body)
			}
			for _, link := range []string{list.Self, list.Next, list.Events[0].RestURL} {
				if !strings.HasPrefix(link, s.URL+theirs+"/events/") {
					t.Errorf("a link leads to %s, want it below %s", link, theirs)
				}
			}
			if strings.Contains(a.Body, v1) {
				t.Errorf("a link leads to the other address: %s", a.Body)
			}
			if next := c.Do(t, "GET", strings.TrimPrefix(list.Next, s.URL), ""); next.Status != http.StatusOK {
				t.Errorf("the next page was answered %d: %s", next.Status, next.Body)
			}
		})
	}
	var root struct{ Namespaces []string }
	if err := json.Unmarshal([]byte(c.Must(t, "GET", "/wp-json/", "")), &root); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tribe/events/v1", "wp/v2"}, root.Namespaces); diff != "" {
		t.Errorf("namespaces of /wp-json/ (-want, +got):\n%s", diff)
	}
	if a := c.Do(t, "GET", v1+"/events/4", ""); a.Status != 200 ||
		!strings.Contains(a.Body, s.URL+v1+"/events/4") {
		t.Errorf("the neutral address was answered %d: %s", a.Status, a.Body)
	}
}

// Behind a proxy, links have the public address, whatever host was asked.
func TestURLFlag(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory", "-url", "https://calendar.example.org/dates/")
	c := s.Admin()
	fill(t, c)
	var e struct {
		RestURL  string `json:"rest_url"`
		GlobalID string `json:"global_id"`
	}
	if err := json.Unmarshal([]byte(c.Must(t, "GET", v1+"/events/4", "")), &e); err != nil {
		t.Fatal(err)
	}
	if want := "https://calendar.example.org/dates/cal/events/v1/events/4"; e.RestURL != want {
		t.Errorf("rest_url is %s, want %s", e.RestURL, want)
	}
	if want := "calendar.example.org/dates?id=4"; e.GlobalID != want {
		t.Errorf("global_id is %s, want %s", e.GlobalID, want)
	}
}

// Every row of docs/differences.md has sections in the conversation that shows what
// it says, and every section a row; TestConversations plays them.
func TestDifferencesAreShown(t *testing.T) {
	numbers := func(file, pattern string) (found []string) {
		text := readFile(t, file)
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		return found
	}
	rows := numbers("docs/differences.md", `(?m)^\| ([A-Z]\d+) \| .+ \| .+ \| .*\|$`)
	sections := slices.Compact(
		numbers("testdata/conversations/differences.txt", `(?m)^== ([A-Z]\d+) `),
	)
	if len(rows) == 0 {
		t.Error("docs/differences.md has no rows")
	}
	if diff := cmp.Diff(rows, sections); diff != "" {
		t.Errorf(
			"rows of docs/differences.md, and sections of the conversation (-rows +sections):\n%s",
			diff,
		)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil || !strings.Contains(string(readme), "](docs/differences.md)") {
		t.Errorf("README.md does not lead to docs/differences.md (%v)", err)
	}
}
