package almanactest_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/contract"
	"almanac/internal/tools/race"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Tests of the control of a server by a test.

// send sends a request and returns the status, as the administrator.
func send(t testing.TB, srv *almanactest.Server, method, path, body string) int {
	t.Helper()
	hr, err := http.NewRequest(method, srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	hr.Header.Set("Content-Type", "application/json")
	resp, err := srv.Client().Do(hr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

// titles returns the titles of the events that are ahead.
func titles(t *testing.T, srv *almanactest.Server) string {
	t.Helper()
	var all []string
	for _, e := range get[struct{ Events []shown }](t, srv, "/cal/events/v1/events").Events {
		all = append(all, fmt.Sprint(e.ID, " ", e.Title))
	}
	return strings.Join(all, ", ")
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now})
	srv.Seed(store.Event{Title: "Concert"})
	kept := srv.Store
	first := srv.Snapshot()
	srv.Seed(store.Event{Title: "Fair"})
	srv.Clock.Advance(time.Minute)
	second := srv.Snapshot()
	for range 2 {
		srv.Restore(first)
		if got := titles(t, srv); got != "1 Concert" || !srv.Clock.Now().Equal(now) {
			t.Errorf("at first there are %s at %v", got, srv.Clock.Now())
		}
		if n := send(t, srv, "POST", "/cal/events/v1/events",
			`{"title":"Theatre","start_date":"tomorrow","end_date":"tomorrow"}`); n != http.StatusCreated {
			t.Errorf("answered %d", n)
		}
		if got := titles(t, srv); got != "2 Theatre, 1 Concert" {
			t.Errorf("after another event there are %s", got)
		}
		srv.Restore(second)
		if got := titles(t, srv); got != "1 Concert, 2 Fair" ||
			!srv.Clock.Now().Equal(now.Add(time.Minute)) {
			t.Errorf("later there are %s at %v", got, srv.Clock.Now())
		}
	}
	if n := len(srv.Requests()); srv.Store != kept || n != 8 {
		t.Errorf("%d requests were seen, want 8; the store is the same: %v", n, srv.Store == kept)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now})
	srv.Reset()
	if got := titles(t, srv); got != "" {
		t.Errorf("an empty server has %s", got)
	}
	srv.Seed(store.Event{Title: "Concert"})
	send(t, srv, "PATCH", "/cal/events/v1/events/1", `{"title":"Fair"}`)
	srv.Clock.Advance(time.Hour)
	remove := srv.Fault(almanactest.Fault{Status: 500})
	srv.Reset()
	remove() // does nothing any more
	if n := len(srv.Requests()); n != 0 || !srv.Clock.Now().Equal(now) {
		t.Errorf("after a reset %d requests were seen, and it is %v", n, srv.Clock.Now())
	}
	if got := titles(t, srv); got != "1 Concert" {
		t.Errorf("after a reset there are %s", got)
	}
	if err := srv.Store.Update(1, func(tx *store.Tx) error {
		return tx.Put(&store.Term{
			Taxonomy: store.Tags,
			Name:     "free",
			Slug:     "free",
		})
	}); err != nil {
		t.Fatal(err)
	}
	srv.Seed() // makes what there is now that to return to
	srv.Reset()
	if n := get[struct{ Total int }](t, srv, "/cal/events/v1/tags?hide_empty=0").Total; n != 1 {
		t.Errorf("after a reset there are %d tags, want the one that was there", n)
	}
}

// A thousand tests in one server, side by side, each alone in its world.
func TestThousandWorldsAlone(t *testing.T) {
	race.Alone(t)
	manyWorlds(t, 1000)
}

// A tenth of them are enough for the race detector.
func TestHundredWorlds(t *testing.T) {
	t.Parallel()
	manyWorlds(t, 100)
}

func manyWorlds(t *testing.T, count int) {
	srv := contract.Start(t, almanactest.Options{Now: now})
	hall := &store.Venue{Name: "Town Hall"}
	srv.Seed(hall)
	var records []any
	for n := range 100 {
		records = append(records, store.Event{
			Title:  fmt.Sprintf("Concert %d", n),
			Venues: []int64{hall.ID},
		})
	}
	srv.Seed(records...)
	var names sync.Map
	t.Run("worlds", func(t *testing.T) {
		for n := range count {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				w := srv.World(t)
				if other, taken := names.LoadOrStore(w.Name(), n); taken {
					t.Errorf("test %d has the world of test %d", n, other)
				}
				w.Clock.Advance(time.Duration(n%20) * time.Hour)
				id := int64(2 + n%100)
				path := fmt.Sprintf("/cal/events/v1/events/%d", id)
				title := fmt.Sprintf("Mine %d", n)
				if status := send(t, w, "PATCH", path, `{"title":"`+title+`"}`); status != http.StatusOK {
					t.Fatalf("an update was answered %d", status)
				}
				made := get[shown](t, w, path)
				if made.Title != title {
					t.Errorf("the event is %q, want %q", made.Title, title)
				}
				w.Seed(store.Event{Title: "Own"})
				own := get[shown](t, w, "/cal/events/v1/events/by-slug/own")
				if own.ID != 102 || own.Date != w.Clock.Now().Format("2006-01-02 15:04:05") {
					t.Errorf(
						"a new event is %d of %s, want 102 of %v",
						own.ID,
						own.Date,
						w.Clock.Now(),
					)
				}
				if n := len(w.Requests()); n != 3 {
					t.Errorf("%d requests were seen, want 3", n)
				}
				if n%100 == 0 {
					if err := w.Store.Check(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	})
	if got := get[struct{ Total int }](t, srv, "/cal/events/v1/events").Total; got != 100 {
		t.Errorf("the server has %d events, want the 100 that were seeded", got)
	}
	if n := len(get[struct{ Worlds []any }](t, srv, "/_almanac/worlds").Worlds); n != 0 {
		t.Errorf("%d worlds are left", n)
	}
}

// A world is for whoever says its name; the clients of it do.
func TestWorldClients(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now})
	w := srv.World(t)
	w.Seed(store.Event{Title: "Concert"})
	if got := titles(t, w); got != "1 Concert" || titles(t, srv) != "" || srv.Name() != "" {
		t.Errorf("the world has %s, the server %q %s", got, srv.Name(), titles(t, srv))
	}
	hr, err := http.NewRequest("GET", srv.URL+"/cal/events/v1/events/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	hr.Header.Set("Almanac-World", w.Name())
	for _, role := range []account.Role{account.Editor, ""} {
		resp, err := srv.As(role).Do(hr)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%q, who named the world, was answered %s", role, resp.Status)
		}
	}
	hr.Header.Set("Almanac-World", "none")
	resp, err := w.Client().Do(hr) // a name of the request's own counts
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf(
			"a world that there is not was answered %s, since nobody may make one",
			resp.Status,
		)
	}
	other := w.World(t)
	if got := titles(t, other); got != "" || other.Name() == w.Name() {
		t.Errorf("a world of a world has %s", got)
	}
}

// A forbidden call ends the test, with the reason.
func TestWorldRefuses(t *testing.T) {
	t.Parallel()
	disk, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	tests := []struct {
		name string
		do   func(*almanactest.Server, testing.TB)
		want string
	}{
		{
			"a reset",
			func(srv *almanactest.Server, _ testing.TB) { srv.Reset() },
			"only a store in memory",
		},
		{
			"a snapshot",
			func(srv *almanactest.Server, _ testing.TB) { srv.Snapshot() },
			"only a store in memory",
		},
		{
			"a world",
			func(srv *almanactest.Server, tb testing.TB) { srv.World(tb) },
			"only a store in memory",
		},
		{"no fault", func(srv *almanactest.Server, _ testing.TB) {
			srv.Fault(almanactest.Fault{
				Status: 302,
			})
		},
			"status must be that of an error, 400 to 599."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{TB: t}
			srv := contract.Start(r, almanactest.Options{Store: disk})
			done := make(chan struct{})
			go func() {
				defer close(done)
				test.do(srv, r)
			}()
			<-done
			if !strings.Contains(r.fatal, test.want) {
				t.Errorf("the test ended with %q, want %q", r.fatal, test.want)
			}
		})
	}
}

// Nothing waits any more when a test has ended, whatever was going on.
func TestNoWorldIsLeftBehind(t *testing.T) {
	waiting := make(chan error, 1)
	t.Run("server", func(t *testing.T) {
		srv := contract.Start(t, almanactest.Options{Worlds: true})
		w := srv.World(t)
		w.Seed(store.Event{Title: "Concert"})
		get[shown](t, w, "/cal/events/v1/events/1")
		hr, err := http.NewRequest("GET", srv.URL+"/cal/events/v1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		hr.Header.Set("Almanac-World", "made by a request")
		resp, err := srv.Client().Do(hr)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()

		// A request that would be answered in an hour.
		srv.Fault(almanactest.Fault{Delay: time.Hour, Count: 1})
		go func() {
			_, err := srv.Client().Get(srv.URL + "/cal/events/v1/events")
			waiting <- err
		}()
		for len(srv.Requests()) == 0 {
			runtime.Gosched()
		}
	})
	if err := <-waiting; err == nil {
		t.Error("a request that was to wait for an hour was answered")
	}
	waitForGoroutines(t)
}

// The name of a test is part of that of its world, as far as it can be.
func TestWorldNames(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{})
	var got []string
	for _, name := range []string{"a/b c", "Zürich#01", strings.Repeat("long", 100)} {
		t.Run(name, func(t *testing.T) {
			w := srv.World(t)
			titles(t, w)
			got = append(got, w.Name())
		})
	}
	want := []string{
		"testworldnames-a-b_c-1",
		"testworldnames-z-rich#01-2",
		"testworldnames-" + strings.Repeat("long", 100)[:135] + "-3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want, +got):\n%s", diff)
	}
}

// loggedTest is a test whose output is read.
type loggedTest struct {
	testing.TB
	out *strings.Builder
}

func (l loggedTest) Output() io.Writer { return l.out }

// Requests are logged in the output of the test whose world they are in.
func TestWorldOutput(t *testing.T) {
	t.Parallel()
	parent := &strings.Builder{}
	child := &strings.Builder{}
	t.Run("server", func(t *testing.T) {
		srv := contract.Start(loggedTest{t, parent}, almanactest.Options{Now: now})
		var world *almanactest.Server
		t.Run("world", func(t *testing.T) {
			world = srv.World(loggedTest{t, child})
			titles(t, world)
		})
		lines := child.String()
		if n := strings.Count(lines, "msg=request"); n != 1 ||
			strings.Contains(parent.String(), "msg=request") {
			t.Errorf(
				"the test of the world has %d lines of requests, the parent test has:\n%s",
				n,
				parent,
			)
		}
		titles(t, srv)
		if n := strings.Count(parent.String(), "msg=request"); n != 1 || child.String() != lines {
			t.Errorf(
				"the parent test has %d lines of requests, that of the world has more:\n%s",
				n,
				child,
			)
		}
	})
}

// A client repeats a request if its reused connection was reset, as Fault says, but not after a
// part of the answer.
func TestResetIsRepeated(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now})
	client := srv.Client()
	get := func() error {
		resp, err := client.Get(srv.URL + "/cal/events/v1/events")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
		return err
	}
	for _, test := range []struct {
		name  string
		fault almanactest.Fault
		shows bool
		seen  int
	}{
		{"reset", almanactest.Fault{Reset: true, Count: 1}, false, 2},
		{"cut", almanactest.Fault{Cut: -1, Count: 1}, true, 1},
		{"reset of all", almanactest.Fault{Reset: true}, true, 2},
	} {
		if err := get(); err != nil { // leaves a connection that is kept
			t.Fatal(err)
		}
		before := len(srv.Requests())
		remove := srv.Fault(test.fault)
		err := get()
		if seen := len(srv.Requests()) - before; (err != nil) != test.shows || seen != test.seen {
			t.Errorf(
				"%s: the client saw the error %v and the server %d requests, want %d",
				test.name,
				err,
				seen,
				test.seen,
			)
		}
		remove()
	}
}

// endedTest is a test that ends when its end is called, and notes how it failed.
type endedTest struct {
	testing.TB
	ends   []func()
	failed []string
}

func (e *endedTest) Cleanup(f func()) { e.ends = append(e.ends, f) }
func (e *endedTest) Errorf(f string, args ...any) {
	e.failed = append(e.failed, fmt.Sprintf(f, args...))
}

func (e *endedTest) end() []string {
	for _, f := range slices.Backward(e.ends) {
		f()
	}
	return e.failed
}

// With FailUnexpected the end of a world and that of a server fail the test for requests
// that no route took, and for no others.
func TestFailUnexpected(t *testing.T) {
	t.Parallel()
	ask := func(srv *almanactest.Server, method, path string) {
		t.Helper()
		request, err := http.NewRequest(method, srv.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := srv.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	const api = "/cal/events/v1"
	for _, fails := range []bool{true, false} {
		server := &endedTest{TB: t}
		world := &endedTest{TB: t}
		srv := contract.Start(server, almanactest.Options{FailUnexpected: fails, Worlds: true})
		w := srv.World(world)
		ask(w, "GET", api+"/event/3")
		ask(w, "GET", api+"/events/undefined")
		ask(w, "PUT", api+"/tags?name=a")
		ask(w, "GET", api+"/events/99") // there is no such record, and a route for it
		remove := w.Fault(almanactest.Fault{Status: 503})
		ask(w, "GET", api+"/nothing")
		remove()
		ask(srv, "GET", "/forgotten")
		srv.Reset()
		ask(srv, "GET", "/wp-json/tribe/events/v1/events")
		var wantWorld, wantServer []string
		if fails {
			wantWorld = []string{
				fmt.Sprintf(
					"almanactest: almanac_unexpected_requests: World %q was asked for what no route takes: "+
						"GET %s/event/3, GET %s/events/undefined, PUT %s/tags.",
					w.Name(),
					api,
					api,
					api,
				),
			}
			wantServer = []string{
				`almanactest: almanac_unexpected_requests: World "" was asked for what no route takes: ` +
					`GET /wp-json/tribe/events/v1/events.`,
			}
		}
		if diff := cmp.Diff(wantWorld, world.end()); diff != "" {
			t.Errorf("the world with %t (-want, +got):\n%s", fails, diff)
		}
		if diff := cmp.Diff(wantServer, server.end()); diff != "" {
			t.Errorf("the server with %t (-want, +got):\n%s", fails, diff)
		}
	}
}
