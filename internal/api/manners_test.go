// The manners of HTTP around every route.

package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// HEAD is GET without the body; its entity tag, and those of all GETs, answer
// what has not changed with 304.
func TestHeadAndEntityTags(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	for _, path := range []string{"", "/doc", "/events", "/events?starts_after=2000-01-01", "/events/{One}", "/events/by-slug/two",
		"/venues", "/venues/{Hall}", "/tags", "/categories/{Music}",
		"/events/9999", "/events?page=9", "/nothing", "/events/{Draft}"} {
		get, body := c.Send(t, "", "GET", v1+path)
		head, none := c.Send(t, "", "HEAD", v1+path)
		get.Header.Del("Date")
		head.Header.Del("Date")
		if diff := cmp.Diff(get.Header, head.Header); diff != "" ||
			head.StatusCode != get.StatusCode ||
			len(none) > 0 {
			t.Errorf(
				"HEAD %s: %d and %d bytes, GET: %d; headers (-GET, +HEAD):\n%s",
				path,
				head.StatusCode,
				len(none),
				get.StatusCode,
				diff,
			)
		}
		tag := get.Header.Get("ETag")
		if get.StatusCode != http.StatusOK {
			if tag != "" {
				t.Errorf("%s: %d with the entity tag %s", path, get.StatusCode, tag)
			}
			continue
		}
		for condition, want := range map[string]int{
			tag:             304,
			`"x", W/` + tag: 304,
			"*":             304,
			`"x"`:           200,
		} {
			again, rest := c.Send(t, "", "GET", v1+path, "If-None-Match: "+condition)
			if again.StatusCode != want || (len(rest) == 0) != (want == 304) ||
				again.Header.Get("ETag") != tag {
				t.Errorf(
					"%s if not %s: %d, %d bytes, %s; want %d",
					path,
					condition,
					again.StatusCode,
					len(rest),
					again.Header.Get("ETag"),
					want,
				)
			}
		}
		zipped, small := c.Send(t, "", "GET", v1+path, "Accept-Encoding: br, gzip;q=0.5")
		if zipped.Header.Get("Content-Encoding") == "gzip" {
			zip, err := gzip.NewReader(bytes.NewReader(small))
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := io.ReadAll(zip); err != nil || !bytes.Equal(plain, body) {
				t.Errorf("%s: compressed, it says something else: %v", path, err)
			}
			if again, _ := c.Send(t, "", "GET", v1+path, "Accept-Encoding: gzip",
				"If-None-Match: "+zipped.Header.Get("ETag")); again.StatusCode != 304 {
				t.Errorf(
					"%s: the entity tag of the compressed answer gives %d",
					path,
					again.StatusCode,
				)
			}
		} else if len(body) > 2000 {
			t.Errorf("%s: %d bytes, not compressed", path, len(body))
		}
		if plain, _ := c.Send(t, "", "GET", v1+path, "Accept-Encoding: gzip;q=0"); plain.Header.Get(
			"Content-Encoding",
		) != "" {
			t.Errorf("%s: compressed against the will of the client", path)
		}
	}
}

// HEAD that is meant by a request of another method has an answer without a body too. Its length
// is that of the bytes sent, or the client would wait for the rest.
func TestHeadByOverride(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	nothing, _ := c.Send(t, "", "GET", v1+"/nothing")
	for _, tt := range []struct{ method, path, header, length string }{
		{"POST", "/events/{One}?_method=HEAD", "Accept: */*", "0"},
		{"POST", "/events/{One}", "X-HTTP-Method-Override: head", "0"},
		{"GET", "/events?per_page=1", "X-HTTP-Method-Override: HEAD", "0"},
		{"POST", "/events/9999?_method=head&_envelope", "Accept-Encoding: gzip", "0"},
		{"HEAD", "/nothing", "X-HTTP-Method-Override: HEAD", nothing.Header.Get("Content-Length")},
	} {
		resp, body := c.Send(t, "", tt.method, v1+tt.path, tt.header)
		if got := resp.Header.Get("Content-Length"); got != tt.length || len(body) != 0 {
			t.Errorf(
				"%s %s with %s: Content-Length %s, %d bytes; want %s and none",
				tt.method,
				tt.path,
				tt.header,
				got,
				len(body),
				tt.length,
			)
		}
	}
}

// A write is held back when the record is not in the state that it names, and
// answers with the state that it made.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	for _, path := range []string{"/events/{One}?title=New", "/venues/{Hall}?venue=New", "/organizers/{Ann}?organizer=New",
		"/categories/{Jazz}?name=New", "/tags/{Kids}?name=New", "/events/by-slug/two?title=New"} {
		single, _, _ := strings.Cut(path, "?")
		read, _ := c.Send(t, account.Editor, "GET", v1+single)
		stale := read.Header.Get("ETag")
		if resp, body := c.Send(t, account.Editor, "PATCH", v1+path, `If-Match: "x"`); resp.StatusCode != http.StatusPreconditionFailed {
			t.Errorf("%s if \"x\": %d %s", path, resp.StatusCode, body)
		}
		changed, body := c.Send(t, account.Editor, "PATCH", v1+path, "If-Match: "+stale)
		if changed.StatusCode != http.StatusOK {
			t.Errorf("%s if as read: %d %s", path, changed.StatusCode, body)
		}
		if read, _ = c.Send(t, account.Editor, "GET", v1+single); read.Header.Get(
			"ETag",
		) != changed.Header.Get(
			"ETag",
		) {
			t.Errorf(
				"%s: the write answers with %s, a read with %s",
				path,
				changed.Header.Get("ETag"),
				read.Header.Get("ETag"),
			)
		}
		for _, method := range []string{"PUT", "DELETE"} {
			if resp, _ := c.Send(t, account.Editor, method, v1+path, "If-Match: "+stale); resp.StatusCode != http.StatusPreconditionFailed {
				t.Errorf("%s %s with the tag of before: %d", method, path, resp.StatusCode)
			}
		}
		if resp, _ := c.Send(t, account.Editor, "DELETE", v1+path, "If-Match: *"); resp.StatusCode != http.StatusOK {
			t.Errorf("DELETE %s whatever it is: %d", path, resp.StatusCode)
		}
	}
}

// The requests and answers that pages of other sites may use (CORS).
func TestOtherOrigins(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	for _, path := range []string{"/events", "/events/9999", "/nothing"} {
		for _, method := range []string{"GET", "OPTIONS"} {
			resp, _ := c.Send(
				t,
				"",
				method,
				v1+path,
				"Origin: https://page.example",
				"Access-Control-Request-Method: PATCH",
				"Access-Control-Request-Headers: authorization",
			)
			h := resp.Header
			if h.Get("Access-Control-Allow-Origin") != "https://page.example" ||
				!strings.Contains(h.Get("Access-Control-Allow-Methods"), "PATCH") ||
				!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") ||
				!strings.Contains(h.Get("Access-Control-Expose-Headers"), "X-TEC-TotalPages") ||
				!strings.Contains(h.Get("Vary"), "Origin") ||
				h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s %s: %v", method, path, h)
			}
		}
	}
	if resp, _ := c.Send(t, "", "GET", v1+"/events"); resp.Header.Get(
		"Access-Control-Allow-Origin",
	) != "" {
		t.Error("a request without an origin is allowed one")
	}
}

// One way of asking for each of the parameters and headers that every route
// takes.
func TestEveryRoute(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	c.Add(&store.Venue{Name: "Doomed"})
	const noRoute = `{"body":{"code":"rest_no_route","message":"There is no such route, or it does not take this method. GET the index, ` +
		`cal/events/v1, for those there are. The nearest is …`
	for _, tt := range []struct {
		name, method, path string
		header             string
		status             int
		want               string // the body, or its beginning before …
	}{
		{"fields in the order of the record", "GET", v1 + "/events/{One}?_fields=title,id,venue.city", "", 200,
			`{"id":{One},"title":"One","venue":{"city":"Albany"}}`},
		{"fields as a list", "GET", v1 + "/events/{One}?_fields[]=slug&_fields[]=status", "", 200, `{"status":"publish","slug":"one"}`},
		{"fields do not lead into lists", "GET", v1 + "/events?_fields=events.title,total&starts_after=2000-01-01", "", 200,
			`{"events":[],"total":10}`},
		{"fields that are not there", "GET", v1 + "/events/{One}?_fields=nothing", "", 200, `{}`},
		{"errors keep their fields", "GET", v1 + "/events/9999?_fields=total", "", 404, `{"code":"rest-event-not-found",…`},
		{"an envelope", "GET", v1 + "/events/{One}?_envelope&_fields=id", "", 200, `{"body":{"id":{One}},"status":200,"headers":{…`},
		{"an envelope about an error", "GET", v1 + "/events/9999?_envelope=1", "", 200, `{"body":{"code":"rest-event-not-found",…`},
		{"a script", "GET", v1 + "/events/{One}?_jsonp=a.b&_fields=id", "", 200, `/**/a.b({"id":{One}})`},
		{"an envelope about no route", "GET", v1 + "/nothing?_envelope", "", 200, noRoute},
		{"an envelope about no method", "PUT", v1 + "/events?_envelope", "", 200, noRoute},
		{"an envelope about no id", "GET", v1 + "/events/x?_envelope", "", 200, noRoute},
		{"an envelope far from every route", "GET", "/apple-touch-icon.png?_envelope=0", "", 200, noRoute},
		{"an envelope about a login", "GET", v1 + "/events?_envelope", "Authorization: Bearer wrong", 200,
			`{"body":{"code":"rest_invalid_token",…`},
		{"a script about an error", "GET", v1 + "/events/9999?_jsonp=a", "", 404, `/**/a({"code":"rest-event-not-found",…`},
		{"a script about no route", "GET", v1 + "/nothing?_jsonp=a", "", 404, `/**/a({"code":"rest_no_route",…`},
		{"more than a name of a function", "GET", v1 + "/events/{One}?_jsonp=alert(1)&_fields=id", "", 400,
			`{"code":"rest_callback_invalid","message":"_jsonp must be the name of a function: …`},
		{"no name of a function", "GET", v1 + "/events/{One}?_jsonp=&_fields=id", "", 200, `{"id":{One}}`},
		{"data for search engines is whole", "GET", v1 + "/events/{One}?_fields=json_ld.name", "", 200,
			`{"json_ld":{"@context":"http://schema.org",…`},
		{"indented", "GET", v1 + "/events/{One}?_pretty&_fields=id", "", 200, "{\n    \"id\": {One}\n}\n"},
		{"a slash at the end", "GET", v1 + "/events/{One}/?_fields=id", "", 200, `{"id":{One}}`},
		{"capitals in the route", "GET", "/Cal/EVENTS/v1/Events/By-Slug/ONE?_fields=id", "", 200, `{"id":{One}}`},
		{"leading zeros", "GET", v1 + "/events/000{One}?_fields=id", "", 200, `{"id":{One}}`},
		{"a number too large", "GET", v1 + "/events/99999999999999999999", "", 404, `{"code":"rest-event-not-found",…`},
		{"two slashes", "GET", v1 + "//events", "", 404, `{"code":"rest_no_route",…`},
		{"two slashes before", "GET", "/" + v1 + "/events/{One}", "", 404, `{"code":"rest_no_route",…`},
		{"an index file", "GET", "/index.php" + v1 + "/events/{One}?_fields=id", "", 200, `{"id":{One}}`},
		{"an encoded slash", "GET", v1 + "/events/by-slug/o%2Fne", "", 404, `{"code":"rest_no_route",…`},
		{"a negative id", "GET", v1 + "/events/-1", "", 404, `{"code":"rest_no_route",…`},
		{"an id of another kind", "GET", v1 + "/events/{Hall}", "", 400, `{"code":"rest-invalid-event-id",…`},
		{"by the query", "GET", "/?rest_route=/cal/events/v1/events/{One}&_fields=id", "", 200, `{"id":{One}}`},
		{"by the query, in a language", "GET", "/en/?rest_route=/cal/events/v1/events/{One}/&_fields=rest_url", "", 200,
			`{"rest_url":"{url}/en/cal/events/v1/events/{One}"}`},
		{"by the query before the path", "GET", v1 + "/events?rest_route=/nothing", "", 404, `{"code":"rest_no_route",…`},
		{"a method by header", "GET", v1 + "/venues/{Doomed}?_fields=status", "X-HTTP-Method-Override: delete", 200, `{"status":"trash"}`},
		{"a method by parameter", "POST", v1 + "/venues/{Doomed}?_method=DELETE", "", 410, `{"code":"venue-is-in-trash",…`},
		{"no method by parameter of a GET", "GET", v1 + "/venues/{Hall}?_method=DELETE&_fields=status", "", 200, `{"status":"publish"}`},
		{"a method that the route has not", "DELETE", v1 + "/events", "", 404, `{"code":"rest_no_route",…`},
		{"a nonce on a read", "GET", v1 + "/events/{One}?_fields=id&_wpnonce=1", "X-WP-Nonce: 1", 200, `{"id":{One}}`},
	} {
		headers := []string{}
		if tt.header != "" {
			headers = append(headers, tt.header)
		}
		resp, body := c.Send(t, account.Administrator, tt.method, tt.path, headers...)
		want, begins := strings.CutSuffix(strings.ReplaceAll(tt.want, "{url}", c.URL), "…")
		want = strings.ReplaceAll(want, "{One}", c.Fill(t, "{One}"))
		if got := string(body); resp.StatusCode != tt.status ||
			got != want && !(begins && strings.HasPrefix(got, want)) {
			t.Errorf(
				"%s: %s %s: %d %.200s, want %d %s",
				tt.name,
				tt.method,
				tt.path,
				resp.StatusCode,
				got,
				tt.status,
				want,
			)
		}
	}
}

// The answers with texts of a language link to their translations.
func TestSiblings(t *testing.T) {
	t.Parallel()
	c := sample.New(t)
	for path, want := range map[string]string{
		"/":                           "<{url}/en/>; rel=\"alternate\"; hreflang=\"en\"",
		v1:                            "<{url}/en/cal/events/v1>; rel=\"alternate\"; hreflang=\"en\"",
		"/en" + v1 + "/doc":           "<{url}/cal/events/v1/doc>; rel=\"alternate\"; hreflang=\"x-default\"",
		"/en/?rest_route=" + v1 + "/": "<{url}/cal/events/v1>; rel=\"alternate\"; hreflang=\"x-default\"",
	} {
		resp, _ := c.Send(t, "", "GET", path)
		if links := strings.Join(resp.Header.Values("Link"), ", "); !strings.Contains(
			links,
			strings.ReplaceAll(want, "{url}", c.URL),
		) {
			t.Errorf("%s: Link is %s, want %s among it", path, links, want)
		}
	}
}

// Answers for people in a terminal end with one line end: refusals, indented JSON, and all other
// types. JSON for programs ends with its last brace, as that of the original.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	h := sharedFair(t, c, api.Options{})
	for _, tt := range []struct {
		path string
		ends bool
	}{
		{"/robots.txt", true}, {"/sitemap.xml", true}, {"/favicon.ico", true}, {"/events/", true}, {"/events/month/", true},
		{"/event/one/", true}, {"/event/locked/", true}, {"/venue/hall/", true}, {"/event/nothing/", true}, {"/embed/events/", true},
		{"/docs", true}, {"/docs/events", true}, {"/docs?q=date", true}, {"/events/feed/", true}, {"/event/one/?ical=1", true},
		{v1 + "/events.ics", true}, {v1 + "/events.csv", true}, {v1 + "/events.rss", true}, {v1 + "/events.atom", true},
		{v1 + "/events.feed.json", true}, {v1 + "/events/{One}.ics", true},
		{v1 + "/nothing", true}, {v1 + "/events/9999", true}, {v1 + "/events/{Draft}", true}, {v1 + "/events?page=none", true},
		{v1 + "/events/9999?_pretty", true}, {v1 + "/events/{One}?_pretty", true}, {v1 + "/events?_pretty&_envelope", true},
		{"/_almanac/health", true}, {"/_almanac/health/ready", true},
		{"/", false}, {v1, false}, {v1 + "/doc", false}, {v1 + "/events", false}, {v1 + "/events/{One}", false},
		{v1 + "/venues/{Hall}", false}, {v1 + "/tags", false}, {v1 + "/events/{One}?_fields=id", false},
		{v1 + "/events/9999?_envelope", false}, {v1 + "/events/9999?_jsonp=f", false}, {v1 + "/events/{One}?_jsonp=f&_pretty", false},
	} {
		rec := apitest.Serve(h, http.MethodGet, "http://example.com"+c.Fill(t, tt.path), "")
		body := rec.Body.String()
		if got := strings.HasSuffix(body, "\n"); got != tt.ends || body == "" {
			t.Errorf(
				"%s: %d, ends with a line end: %v, want %v: …%q",
				tt.path,
				rec.Code,
				got,
				tt.ends,
				body[max(0, len(body)-40):],
			)
		}
		if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/json") &&
			strings.HasSuffix(body, "\n\n") {
			t.Errorf("%s ends with two", tt.path)
		}
		if n := rec.Header().Get("Content-Length"); n != "" && n != strconv.Itoa(len(body)) {
			t.Errorf("%s: Content-Length: %s, but %d bytes", tt.path, n, len(body))
		}
	}
}

// A page of a refusal that is broken is answered by the refusal itself, and the log of the server
// names the place.
func TestBrokenRefusal(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	op := api.NewPage(
		"page.broken",
		func(*api.Call) (*respond.Response, error) { return nil, api.ErrForbidden },
		func(*api.Call, *api.Error) (*respond.Response, error) { panic("there is no page") },
	)
	var log bytes.Buffer
	s, err := api.New(api.Options{
		Store:    st,
		Accounts: accounts,
		Logger:   slog.New(slog.NewTextHandler(&log, nil)),
	},
		func(on func(string, *api.Op)) { on("GET /broken", op) })
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/broken", nil))
	if w.Code != http.StatusForbidden ||
		!strings.Contains(w.Body.String(), `"code":"rest_forbidden"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "panic in page.broken: there is no page") {
		t.Errorf("the log: %s", &log)
	}
}
