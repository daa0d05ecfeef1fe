// The routes for tests, as programs in any language call them.

package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/store"
)

// Every route, with what it answers. Requests follow each other on one server.
func TestControl(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Zone: "Europe/Rome", Worlds: true})
	srv.Seed(store.Event{Title: "Concert"})
	const form = "application/x-www-form-urlencoded"
	tests := []struct {
		name         string
		method, path string
		body         string
		headers      []string
		status       int
		want         string // the body, or a part of it
	}{
		{"the clock", "GET", "clock", "", nil, 200,
			`{"now":"2031-05-10T12:00:00Z","local":"2031-05-10 14:00:00","timezone":"Europe/Rome","frozen":true,"real":false}`},
		{"set by JSON", "POST", "clock", `{"now":"2031-05-11T00:00:00Z"}`, nil, 200, `"local":"2031-05-11 02:00:00"`},
		{"set by JSON that is called a form", "PUT", "clock", `{"now":"2031-05-12T00:00:00.25Z"}`, []string{"Content-Type", form}, 200,
			`"now":"2031-05-12T00:00:00.25Z"`},
		{"set by a form, by the site's clock", "PATCH", "clock", "now=2031-05-13+00:00:00", []string{"Content-Type", form}, 200,
			`"now":"2031-05-12T22:00:00Z"`},
		{"set by a query", "POST", "clock?now=2031-05-13T00:00:00Z&advance=-90", "", nil, 200, `"now":"2031-05-12T23:58:30Z"`},
		{"advanced", "POST", "clock", `{"advance":"1h1m30s"}`, nil, 200, `"now":"2031-05-13T01:00:00Z"`},
		{"let go", "POST", "clock", `{"frozen":false}`, nil, 200, `"frozen":false,"real":false`},
		{"set and frozen", "POST", "clock", `{"now":"2031-05-13T00:00:00Z","frozen":true}`, nil, 200,
			`{"now":"2031-05-13T00:00:00Z","local":"2031-05-13 02:00:00","timezone":"Europe/Rome","frozen":true,"real":false}`},
		{"the real time", "POST", "clock", `{"real":true}`, nil, 200, `"frozen":false,"real":true`},
		{"the real time and another", "POST", "clock", `{"real":true,"advance":1}`, nil, 400, `"real":"real goes with no other`},
		{"no time", "POST", "clock", `{"now":"noon","advance":"soon","frozen":"perhaps"}`, nil, 400,
			`Invalid parameter(s): advance, frozen, now.`},
		{"a misspelled member", "POST", "clock", `{"advnace":"1h"}`, nil, 400,
			`advnace is no member of this request; there are now, advance, frozen, real.`},
		{"no JSON", "POST", "clock", `{"now":`, nil, 400, `rest_invalid_json`},
		{"the clock of a world", "GET", "clock", "", []string{"Almanac-World", "one"}, 200, `"now":"2031-05-10T12:00:00Z"`},

		{"worlds", "GET", "worlds", "", nil, 200, `{"worlds":[{"name":"one","requests":0}]}`},
		{"a world less", "DELETE", "worlds/One", "", nil, 200, `{"name":"one"}`},
		{"no such world", "DELETE", "worlds/One", "", nil, 404, `almanac_no_such_world`},
		{"a world with an escaped name", "GET", "clock", "", []string{"Almanac-World", "test [A b]%"}, 200, `"now"`},
		{"which goes", "DELETE", "worlds/Test%20%5bA%20b%5D%25/", "", nil, 200, `{"name":"test [a b]%"}`},

		{"snapshots", "GET", "snapshots", "", nil, 200, `{"snapshots":[{"name":"seeded"}]}`},
		{"a snapshot", "POST", "snapshots", `{"name":"Before it all"}`, nil, 201, `{"name":"before it all"}`},
		{"its list", "GET", "snapshots", "", nil, 200, `{"snapshots":[{"name":"before it all"},{"name":"seeded"}]}`},
		{"a change", "POST", "../cal/events/v1/tags", `{"name":"free"}`, nil, 201, `"id":1`},
		{"back", "POST", "restore", `{"name":"before it all"}`, nil, 200, `{"name":"before it all"}`},
		{"the same change", "POST", "../cal/events/v1/tags", `{"name":"other"}`, nil, 201, `"id":1`},
		{"back to nowhere", "POST", "restore", `{"name":"later"}`, nil, 404, `almanac_no_such_snapshot`},
		{"back without a name", "POST", "restore", "", nil, 400, `"name":"name is needed`},
		{"a snapshot without a name", "POST", "snapshots", `{"name":""}`, nil, 400, `"name":"name must be a name`},
		{"a snapshot less", "DELETE", "snapshots/before%20it%20all", "", nil, 200, `{"name":"before it all"}`},
		{"no such snapshot", "DELETE", "snapshots/before%20it%20all", "", nil, 404, `almanac_no_such_snapshot`},
		{"the first snapshot", "DELETE", "snapshots/seeded", "", nil, 400, `almanac_snapshot_needed`},

		{"a fault", "POST", "faults",
			`{"method":["get","HEAD"],"path":"/cal/events/v1/**","count":1,"status":503,"code":"closed","retry_after":90,"delay":"1ms"}`, nil, 201,
			`{"id":1,"method":"GET,HEAD","path":"/cal/events/v1/**","count":1,"delay":"1ms","status":503,"code":"closed",` +
				`"retry_after":"1m30s","fired":0}`},
		{"another", "POST", "faults",
			`{"skip":1,"probability":0.5,"seed":18446744073709551615,"applied":true,"reset":true,"cut":-1,
				"malformed":true,"dribble":0.25,"count":1}`, nil, 201,
			`{"id":2,"skip":1,"count":1,"probability":0.5,"seed":18446744073709551615,"applied":true,"reset":true,` +
				`"cut":-1,"malformed":true,"dribble":"250ms","fired":0}`},
		{"what goes wrong", "GET", "../cal/events/v1/tags", "", nil, 503, `{"code":"closed",`},
		{"the faults", "GET", "faults", "", nil, 200, `"retry_after":"1m30s","fired":1},{"id":2,`},
		{"a fault less", "DELETE", "faults/1", "", nil, 200, `{"id":1}`},
		{"no such fault", "DELETE", "faults/1", "", nil, 404, `almanac_no_such_fault`},
		{"no fault at all", "POST", "faults", `{"count":1}`, nil, 400, `something has to go wrong`},
		{"not numbers", "POST", "faults", `{"count":"x","probability":"y","seed":-1,"delay":"z","reset":"?"}`, nil, 400,
			`Invalid parameter(s): count, delay, probability, reset, seed.`},
		{"faults less", "DELETE", "faults", "", nil, 200, `{"faults":[]}`},

		{"all as it was", "POST", "reset", "", nil, 200, `"now":"2031-05-10T12:00:00Z"`},
		{"a reset of something", "POST", "reset?name=a", "", nil, 400, `name is no member of this request, which takes none.`},
		{"as it was", "GET", "../cal/events/v1/tags?hide_empty=0&_fields=total", "", nil, 200, `{"total":0}`},
		{"one request since", "GET", "requests?_fields=before,requests", "", nil, 200, `"path":"/cal/events/v1/tags"`},
		{"in a language", "GET", "../fr/_almanac/clock", "", nil, 200, `"now"`},
		{"another method", "PUT", "reset", "", nil, 404, `rest_no_route`},
		{"what there is", "OPTIONS", "clock", "", nil, 200, `"methods":["GET","POST","PUT","PATCH"]`},
	}
	for _, test := range tests {
		path := "/_almanac/" + test.path
		if below, ok := strings.CutPrefix(test.path, "../"); ok {
			path = "/" + below
		}
		a := exchange(t, srv, test.method, path, test.body, test.headers...)
		if a.Status != test.status || !strings.Contains(a.Body, test.want) {
			t.Errorf("%s: %d %s, want %d with %s", test.name, a.Status, a.Body, test.status, test.want)
		}
		if !json.Valid([]byte(a.Body)) {
			t.Errorf("%s: no JSON: %s", test.name, a.Body)
		}
	}
	if n := len(srv.Requests()); n != 1 {
		t.Errorf("%d requests are noted since the reset, want the one that is for no test", n)
	}
}

// What is on a disk cannot be taken back, and that is what is said; all else of a
// fixture works.
func TestControlOnDisk(t *testing.T) {
	t.Parallel()
	st, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Store: st, Worlds: true})
	srv.Seed(store.Event{Title: "Concert"})
	for _, request := range []struct{ method, path, body, world string }{
		{"POST", "/_almanac/reset", "", ""}, {"POST", "/_almanac/snapshots", `{"name":"a"}`, ""}, {"GET", "/_almanac/clock", "", "one"},
	} {
		var headers []string
		if request.world != "" {
			headers = []string{"Almanac-World", request.world}
		}
		if a := exchange(t, srv, request.method, request.path, request.body, headers...); a.Status != 400 ||
			!strings.Contains(a.Body, "almanac_on_disk") {
			t.Errorf("%s %s: %d %s", request.method, request.path, a.Status, a.Body)
		}
	}
	srv.Fault(almanactest.Fault{Status: 500, Count: 1})
	if a := exchange(t, srv, "GET", "/cal/events/v1/events", ""); a.Status != 500 {
		t.Errorf("a fault was answered %d", a.Status)
	}
	if a := exchange(t, srv, "GET", "/cal/events/v1/events?_fields=total", "", "Almanac-Clock",
		"2040-01-01T00:00:00Z"); a.Body != `{"total":0}` {
		t.Errorf("in 2040: %s", a.Body)
	}
	if n := len(srv.Requests()); n != 2 {
		t.Errorf("%d requests are noted, want 2", n)
	}
}
