// What requests say to fixtures in their header fields, and to whom the routes for
// tests are open.

package rest_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/rest"
	"almanac/store"
)

// serve asks a server without a network. Headers are names and values.
func serve(s *rest.Server, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	hr := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		hr.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		hr.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, hr)
	return w
}

func TestFixtureFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 201)
	tests := []struct {
		name    string
		headers []string
		status  int
		code    string
	}{
		{"a world", []string{"Almanac-World", "TestLogin [chrome] #3"}, 200, ""},
		{"a world without a name", []string{"Almanac-World", " "}, 400, "almanac_invalid_world"},
		{"a world with a slash", []string{"Almanac-World", "a/b"}, 400, "almanac_invalid_world"},
		{"a world of dots", []string{"Almanac-World", ".."}, 400, "almanac_invalid_world"},
		{"a world with a letter that is not ASCII", []string{"Almanac-World", "Zürich"}, 400, "almanac_invalid_world"},
		{"a world with a long name", []string{"Almanac-World", long[1:]}, 200, ""},
		{"a world with a longer name", []string{"Almanac-World", long}, 400, "almanac_invalid_world"},
		{"two worlds", []string{"Almanac-World", "a", "Almanac-World", "b"}, 400, "almanac_invalid_world"},
		{"a time", []string{"Almanac-Clock", "2030-03-31T00:59:59Z"}, 200, ""},
		{"a time with an offset", []string{"Almanac-Clock", "2030-03-31T00:59:59.5+02:00"}, 200, ""},
		{"a time of the site", []string{"Almanac-Clock", "2030-03-31 00:59:59"}, 200, ""},
		{"a time of the site with a T", []string{"Almanac-Clock", "2030-03-31T00:59:59"}, 200, ""},
		{"words", []string{"Almanac-Clock", "tomorrow"}, 400, "almanac_invalid_clock"},
		{"a day that there is not", []string{"Almanac-Clock", "2030-02-30 12:00:00"}, 400, "almanac_invalid_clock"},
		{"no time", []string{"Almanac-Clock", ""}, 400, "almanac_invalid_clock"},
		{"the year 0", []string{"Almanac-Clock", "0000-12-31T23:59:59Z"}, 400, "almanac_invalid_clock"},
		{"the year 9999", []string{"Almanac-Clock", "9999-12-31 23:59:59"}, 400, "almanac_invalid_clock"},
		{"the year 1969", []string{"Almanac-Clock", "1969-12-31 23:59:59"}, 200, ""},
		{"two times", []string{"Almanac-Clock", "2030-03-31T00:59:59Z", "Almanac-Clock", "2030-03-31T00:59:59Z"}, 400, "almanac_invalid_clock"},
	}
	s := newFixture(t, rest.Options{Worlds: true})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := serve(s, "GET", "/cal/events/v1/events", "", test.headers...)
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.code) {
				t.Errorf("%d %s, want %d %s", w.Code, w.Body, test.status, test.code)
			}
		})
	}
	one := newFixture(t, rest.Options{})
	if w := serve(one, "GET", "/cal/events/v1/events", "", "Almanac-World", "a"); w.Code != 400 ||
		!strings.Contains(w.Body.String(), "-worlds") {
		t.Errorf("a server without worlds answers %d %s", w.Code, w.Body)
	}
}

// A browser that asks whether a page may send the fields learns that it may, and
// nobody else sees that the server is a fixture.
func TestFixturePreflight(t *testing.T) {
	t.Parallel()
	s := newFixture(t, rest.Options{})
	w := serve(s, "OPTIONS", "/cal/events/v1/events", "", "Origin", "http://localhost:3000", "Access-Control-Request-Headers", "almanac-world")
	if got := w.Header().Get("Access-Control-Allow-Headers"); !strings.HasSuffix(got, ", Almanac-World, Almanac-Clock") {
		t.Errorf("allowed are %s", got)
	}
	w = serve(s, "GET", "/cal/events/v1/events", "", "Origin", "http://localhost:3000")
	for name, values := range w.Header() {
		if strings.Contains(strings.Join(values, ","), "Almanac") {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// Other servers take no notice of what is said to fixtures, and have none of
// their routes.
func TestNoFixture(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	handler, token, err := almanactest.Handler(almanactest.Options{Store: st, Now: fixtureTime})
	if err != nil {
		t.Fatal(err)
	}
	s := handler.(*rest.Server)
	defer s.Close()
	w := serve(s, "GET", "/cal/events/v1/events", "", "Almanac-World", "a/b", "Almanac-Clock", "never")
	if w.Code != 200 || strings.Contains(strings.Join(w.Header()["Vary"], ","), "Almanac") || w.Header()["Date"] != nil {
		t.Errorf("answered %d %v", w.Code, w.Header())
	}
	for _, route := range []string{"worlds", "clock", "faults", "requests", "snapshots"} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			if w := serve(s, method, "/_almanac/"+route, "", "Authorization", "Bearer "+token); w.Code != 404 ||
				!strings.Contains(w.Body.String(), "rest_no_route") {
				t.Errorf("%s /_almanac/%s: %d %s", method, route, w.Code, w.Body)
			}
		}
	}
	if _, _, err := s.World("a", nil); err == nil {
		t.Error("there is a world")
	}
}

// The routes for tests are open to programs on this machine, and to others with
// the token of an administrator.
func TestControlCallers(t *testing.T) {
	t.Parallel()
	s := newFixture(t, rest.Options{})
	tests := []struct {
		name       string
		from, host string
		headers    []string
		status     int
	}{
		{"this machine", "127.0.0.1:5000", "127.0.0.1:8080", nil, 200},
		{"this machine by its name", "127.0.0.1:5000", "localhost:8080", nil, 200},
		{"this machine by IPv6", "[::1]:5000", "[::1]:8080", nil, 200},
		{"this machine by IPv6, without a port", "[::1]:5000", "[::1]", nil, 200},
		{"a page of this machine", "127.0.0.1:5000", "127.0.0.1:8080", []string{"Origin", "http://localhost:3000"}, 200},
		{"another machine", "192.0.2.1:5000", "127.0.0.1:8080", nil, 403},
		{"another machine with the token", "192.0.2.1:5000", "fixture:8080", []string{"Authorization", "Bearer secret"}, 200},
		{"another machine with another token", "192.0.2.1:5000", "fixture:8080", []string{"Authorization", "Bearer other"}, 401},
		{"a name that leads here", "127.0.0.1:5000", "rebound.example.org:8080", nil, 403},
		{"a page of another site", "127.0.0.1:5000", "127.0.0.1:8080", []string{"Origin", "https://example.org"}, 403},
		{"a page of no site", "127.0.0.1:5000", "127.0.0.1:8080", []string{"Origin", "null"}, 403},
		{"by way of a proxy", "127.0.0.1:5000", "127.0.0.1:8080", []string{"X-Forwarded-For", "127.0.0.1"}, 403},
		{"nobody knows from where", "@", "127.0.0.1:8080", nil, 403},
	}
	for _, test := range tests {
		hr := httptest.NewRequest("GET", "/_almanac/worlds", nil)
		hr.RemoteAddr, hr.Host = test.from, test.host
		for i := 0; i < len(test.headers); i += 2 {
			hr.Header.Set(test.headers[i], test.headers[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, hr)
		if w.Code != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, w.Code, w.Body, test.status)
		}
	}
}

// A request that brings its own time goes by it in all that it does, and leaves
// the clock alone.
func TestClockOfARequest(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Zone: "Europe/Rome"})
	srv.Seed(store.Event{Title: "Concert"},
		store.Event{Post: store.Post{Status: store.Future, Date: fixtureTime.Add(time.Hour)}, Title: "Announced later"})
	const list = "/cal/events/v1/events?_fields=total,rest_url"
	total := func(headers ...string) string {
		a := exchangeAs(t, srv.As(""), srv, "GET", list, "", headers...)
		_, count, _ := strings.Cut(a.Body, `"total":`)
		return strings.TrimSuffix(count, "}")
	}
	a := exchange(t, srv, "GET", list, "", "Almanac-Clock", "2030-03-31T00:59:59Z")
	if !strings.Contains(a.Body, "start_date=2030-03-31+00%3A00%3A00") || a.Header.Get("Date") != "Sun, 31 Mar 2030 00:59:59 GMT" {
		t.Errorf("the default window is not that of the time asked for: %v %s", a.Header["Date"], a.Body)
	}
	a = exchange(t, srv, "GET", list, "", "Almanac-Clock", "2030-03-31 01:59:59")
	if a.Header.Get("Date") != "Sun, 31 Mar 2030 00:59:59 GMT" {
		t.Errorf("by the clock of Rome: %v", a.Header["Date"])
	}

	// What is published by then is seen then, and by nobody else.
	before := total()
	if got := total("Almanac-Clock", "2031-05-10T13:00:00Z"); got != "2" {
		t.Errorf("at the time of publication there are %s", got)
	}
	if got := total("Almanac-Clock", "2031-05-10T12:59:59Z"); got != "1" {
		t.Errorf("a second before there are %s", got)
	}
	if after := total(); before != "1" || after != before {
		t.Errorf("the others see %s before and %s after", before, after)
	}

	// Stamps are of the time that the request brings, also those of a write.
	made := exchange(t, srv, "POST", "/cal/events/v1/events", `{"title":"New","start_date":"tomorrow","end_date":"tomorrow"}`,
		"Almanac-Clock", "2031-12-31T23:30:00Z")
	for _, want := range []string{`"date":"2032-01-01 00:30:00"`, `"modified_utc":"2031-12-31 23:30:00"`,
		`"start_date":"2032-01-02 00:00:00"`, `"status":"publish"`} {
		if !strings.Contains(made.Body, want) {
			t.Errorf("made %s, want %s in it", made.Body, want)
		}
	}
	if got := total(); got != "2" {
		t.Errorf("after a write of next year there are %s", got)
	}
	if got := exchange(t, srv, "GET", "/cal/events/v1/events/2?_fields=status", "").Body; got != `{"status":"future"}` {
		t.Errorf("after a write of next year the scheduled event is %s", got)
	}
	if diff := cmp.Diff(fixtureTime, srv.Clock.Now()); diff != "" {
		t.Errorf("the clock moved (-before, +after):\n%s", diff)
	}
}
