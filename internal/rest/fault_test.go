// Faults, as the programs meet them that are tested with them.

package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/rest"
	"almanac/store"
)

// Which requests a rule is about, and in which order.
func TestFaultsPick(t *testing.T) {
	t.Parallel()
	const events = "/cal/events/v1/events"
	get := func(path string) string { return "GET " + path }
	tests := []struct {
		name     string
		faults   []rest.Fault // by status
		requests []string
		want     []int
	}{
		{"all", []rest.Fault{{Status: 500}}, []string{get(events), get("/nothing"), "POST " + events, "OPTIONS " + events},
			[]int{500, 500, 500, 500}},
		{"one method", []rest.Fault{{Method: "POST", Status: 500}}, []string{get(events), "POST " + events}, []int{200, 500}},
		{"two methods", []rest.Fault{{Method: "PUT,GET", Status: 500}}, []string{get(events), "POST " + events}, []int{500, 400}},
		{"the method that is meant", []rest.Fault{{Method: "DELETE", Status: 500}}, []string{"POST " + events + "/1?_method=DELETE"}, []int{500}},
		{"one path", []rest.Fault{{Path: events, Status: 500}}, []string{get(events), get(events + "/1"), get("/CAL/events/v1/Events/"),
			get("/docs")}, []int{500, 200, 500, 200}},
		{"a path of every base address", []rest.Fault{{Path: events + "/{id}", Status: 500}},
			[]string{get("/fr" + events + "/1"), get(events + "/1"), get(events)}, []int{500, 500, 200}},
		{"a path of one base address", []rest.Fault{{Path: "/fr/**", Status: 500}},
			[]string{get("/fr" + events), get("/fr"), get(events)}, []int{500, 500, 200}},
		{"the path of -also", []rest.Fault{{Path: "/wp-json/tribe/events/v1/events", Status: 500}},
			[]string{get("/wp-json/tribe/events/v1/events"), get(events)}, []int{500, 200}},
		{"parts of segments", []rest.Fault{{Path: "/cal/events/v1/e*/by-slug/conc*", Status: 500}},
			[]string{get(events + "/by-slug/concert"), get(events + "/by-slug/fair")}, []int{500, 400}},
		{"what is below", []rest.Fault{{Path: events + "/**", Status: 500}}, []string{get(events + "/by-slug/concert"), get(events),
			get("/cal/events/v1/venues")}, []int{500, 500, 200}},
		{"a number of times", []rest.Fault{{Count: 2, Status: 500}}, []string{get(events), get(events), get(events)}, []int{500, 500, 200}},
		{"later", []rest.Fault{{Skip: 1, Count: 1, Status: 500}}, []string{get(events), get(events), get(events)}, []int{200, 500, 200}},
		{"one after the other", []rest.Fault{{Count: 1, Status: 500}, {Status: 503}}, []string{get(events), get(events), get(events)},
			[]int{500, 503, 503}},
		{"the routes for tests never", []rest.Fault{{Status: 500}}, []string{get("/_almanac/clock"), get("/_almanac/faults"),
			"OPTIONS /_almanac/faults"}, []int{200, 200, 200}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Also: "/wp-json/tribe/events/v1"})
			srv.Seed(store.Event{Title: "Concert"})
			for _, f := range test.faults {
				srv.Fault(f)
			}
			var got []int
			for _, request := range test.requests {
				method, path, _ := strings.Cut(request, " ")
				got = append(got, exchange(t, srv, method, path, "").Status)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("statuses (-want, +got):\n%s", diff)
			}
		})
	}
}

// The same seed picks the same requests, another seed picks others, and in the
// long run their share is what was asked for.
func TestFaultProbability(t *testing.T) {
	t.Parallel()
	const requests = 400
	run := func(seed uint64) string {
		s := newFixture(t, rest.Options{})
		if _, err := s.Own().AddFault(rest.Fault{Probability: 0.3, Seed: seed, Status: 500}); err != nil {
			t.Fatal(err)
		}
		var picked strings.Builder
		for range requests {
			fmt.Fprintf(&picked, "%d", serve(s, "GET", "/cal/events/v1/events", "").Code/100)
		}
		return picked.String()
	}
	one, again, other := run(1), run(1), run(2)
	if one != again || one == other {
		t.Errorf("seed 1 picked\n%s, then\n%s; seed 2\n%s", one, again, other)
	}
	if n := strings.Count(one, "5"); n < requests/5 || n > requests*2/5 {
		t.Errorf("%d of %d requests went wrong, want about three of ten", n, requests)
	}
}

func TestFaultStatus(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime})
	remove := srv.Fault(rest.Fault{Status: 429, RetryAfter: 1100 * time.Millisecond})
	a := exchange(t, srv, "POST", "/cal/events/v1/tags", `{"name":"free"}`, "Origin", "http://app.example.org")
	var body struct {
		Code, Message string
		Data          struct{ Status int }
	}
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		t.Fatal(err)
	}
	if a.Status != 429 || a.Header.Get("Retry-After") != "2" || body.Code != "almanac_fault" || body.Message == "" || body.Data.Status != 429 {
		t.Errorf("answered %d %v %s", a.Status, a.Header, a.Body)
	}
	if a.Header.Get("Access-Control-Allow-Origin") == "" || a.Header.Get("Content-Type") != "application/json; charset=UTF-8" {
		t.Errorf("the answer is not like those of errors: %v", a.Header)
	}
	remove()
	srv.Fault(rest.Fault{Status: 503, Code: "maintenance", Message: "Back at noon.", Applied: true})
	a = exchange(t, srv, "POST", "/cal/events/v1/tags", `{"name":"late"}`)
	if a.Status != 503 || !strings.HasPrefix(a.Body, `{"code":"maintenance","message":"Back at noon.",`) ||
		a.Header.Get("Retry-After") != "" || a.Header.Get("Location") != "" {
		t.Errorf("answered %d %v %s", a.Status, a.Header, a.Body)
	}
	_ = srv.Store.View(func(v *store.View) error {
		if v.BySlug(store.Tags, "free") != nil || v.BySlug(store.Tags, "late") == nil {
			t.Error("of the two tags the one has to be missing whose request did not take effect")
		}
		return nil
	})
}

// What breaks on the wire, in plain answers and in compressed ones.
func TestFaultsOnTheWire(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime})
	srv.Seed(store.Event{Post: store.Post{Description: strings.Repeat("A long evening. ", 300)}, Title: "Concert"})
	const path = "/cal/events/v1/events/1"
	get := func(f rest.Fault, encoding string) (*http.Response, []byte, error) {
		t.Helper()
		defer srv.Fault(f)()
		hr, err := http.NewRequest("GET", srv.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		hr.Header.Set("Accept-Encoding", encoding)
		resp, err := srv.Client().Do(hr)
		if err != nil {
			return nil, nil, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return resp, body, err
	}
	for _, encoding := range []string{"identity", "gzip"} {
		whole, body, err := get(rest.Fault{Delay: 1}, encoding)
		if err != nil || whole.StatusCode != 200 {
			t.Fatalf("%v %v", whole, err)
		}

		for cut, want := range map[int]int{-1: 0, 10: 10, 1 << 20: len(body) - 1} {
			resp, got, err := get(rest.Fault{Cut: cut}, encoding)
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, body[:want]) ||
				resp.Header.Get("Content-Length") != whole.Header.Get("Content-Length") {
				t.Errorf("%s, cut at %d: %d bytes of %v, and %v", encoding, cut, len(got), resp.Header["Content-Length"], err)
			}
		}

		resp, got, err := get(rest.Fault{Malformed: true}, encoding)
		if err != nil || resp.StatusCode != 200 || json.Valid(got) || !bytes.HasPrefix(got, []byte(`{"id":1,`)) || resp.Header.Get("ETag") != "" {
			t.Errorf("%s, malformed: %v %v %.60s", encoding, resp, err, got)
		}

		if _, got, err := get(rest.Fault{Dribble: 100 * time.Microsecond}, encoding); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s, in small pieces: %d bytes, %v", encoding, len(got), err)
		}

		if _, _, err := get(rest.Fault{Reset: true}, encoding); !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
			t.Errorf("%s, reset: %v", encoding, err)
		}
	}

	// An update whose answer is lost has happened.
	defer srv.Fault(rest.Fault{Method: "PATCH", Reset: true, Applied: true})()
	hr, err := http.NewRequest("PATCH", srv.URL+path, strings.NewReader(`{"title":"Fair"}`))
	if err != nil {
		t.Fatal(err)
	}
	hr.Header.Set("Content-Type", "application/json")
	if _, err := srv.Client().Do(hr); err == nil {
		t.Error("a reset was answered")
	}
	if a := exchange(t, srv, "GET", path+"?_fields=title", ""); a.Body != `{"title":"Fair"}` {
		t.Errorf("after an update whose answer was lost: %s", a.Body)
	}
}

// Delays take the time that was asked for, by whatever clock the world has, and
// end when nobody waits any more.
func TestFaultDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFixture(t, rest.Options{})
		delay := func(f rest.Fault, ctx context.Context) (took time.Duration, aborted bool) {
			remove, err := s.Own().AddFault(f)
			if err != nil {
				t.Fatal(err)
			}
			defer remove()
			started := time.Now()
			defer func() {
				took = time.Since(started)
				if p := recover(); p == http.ErrAbortHandler {
					aborted = true
				} else if p != nil {
					panic(p)
				}
			}()
			s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/cal/events/v1/events", nil).WithContext(ctx))
			return
		}
		for _, f := range []rest.Fault{{Delay: time.Hour}, {Delay: time.Hour, Applied: true}, {Dribble: time.Hour},
			{Delay: 59 * time.Minute, Status: 500, Dribble: time.Minute}} {
			if took, aborted := delay(f, t.Context()); aborted || took != time.Hour {
				t.Errorf("%+v took %v (aborted: %v)", f, took, aborted)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if took, aborted := delay(f, ctx); !aborted || took != time.Second {
				t.Errorf("%+v took %v when the client left after a second (aborted: %v)", f, took, aborted)
			}
			cancel()
		}
		time.AfterFunc(time.Minute, s.Close)
		if took, aborted := delay(rest.Fault{Delay: time.Hour}, t.Context()); !aborted || took != time.Minute {
			t.Errorf("a delay took %v when the server ended after a minute (aborted: %v)", took, aborted)
		}
	})
}

// A Fault is about a route by any pattern that a request to it meets.
func TestFaultReaches(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime})
	for _, f := range []rest.Fault{
		{Path: "/"}, {Path: "/DOCS/"}, {Path: "/fr/docs"}, {Path: "/cal/events/v1"}, {Path: "/*/cal/**"}, {Path: "/cal/events/v1/events/7"},
		{Path: "/cal/events/v1/events/*", Method: "HEAD"}, {Path: "/cal/events/v1/tags", Method: "PUT,OPTIONS"},
		{Path: "/cal/events/v1/venues/by-slug/a*"},
	} {
		f.Status = 500
		srv.Fault(f)() // ends the test if it is refused
	}
}

// A Fault that cannot be is refused, with the name of the field.
func TestFaultCheck(t *testing.T) {
	t.Parallel()
	s := newFixture(t, rest.Options{})
	tests := []struct {
		fault rest.Fault
		want  string
	}{
		{rest.Fault{}, "status, delay, reset, cut, malformed or dribble is needed"},
		{rest.Fault{Count: 1}, "status, delay, reset, cut, malformed or dribble is needed"},
		{rest.Fault{Status: 200}, "status must"},
		{rest.Fault{Status: 600}, "status must"},
		{rest.Fault{Reset: true, Code: "a"}, "status is needed"},
		{rest.Fault{Status: 500, Method: "get"}, "method must"},
		{rest.Fault{Status: 500, Method: "GET,"}, "method must"},
		{rest.Fault{Status: 500, Path: "cal"}, "path must"},
		{rest.Fault{Status: 500, Path: "/[a"}, "path must"},
		{rest.Fault{Status: 500, Path: "/cal/events/v1/evnts"}, "that of no route"},
		{rest.Fault{Status: 500, Path: "/cal/events/v1/events/1/2"}, "that of no route"},
		{rest.Fault{Status: 500, Path: "/xx/cal/events/v1/**"}, "that of no route"},
		{rest.Fault{Status: 500, Path: "/cal/events/v1/events", Method: "PUT,DELETE"},
			`path "PUT,DELETE /cal/events/v1/events", with the method`},
		{rest.Fault{Status: 500, Method: "BREW"}, "that of no route"},
		{rest.Fault{Status: 500, Count: -1}, "count must"},
		{rest.Fault{Status: 500, Skip: -1}, "skip must"},
		{rest.Fault{Status: 500, Probability: 1.5}, "probability must"},
		{rest.Fault{Status: 500, Probability: math.NaN()}, "probability must"},
		{rest.Fault{Delay: -1}, "delay must"},
		{rest.Fault{Status: 500, RetryAfter: -1}, "retry_after must"},
	}
	for _, test := range tests {
		if _, err := s.Own().AddFault(test.fault); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.fault, err, test.want)
		}
	}
	for range 1000 {
		if _, err := s.Own().AddFault(rest.Fault{Status: 500}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Own().AddFault(rest.Fault{Status: 500}); err == nil {
		t.Error("a thousand and one faults are in force")
	}
}
