// Worlds, compared with servers that have nothing else.

package rest_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/account"
	"almanac/internal/race"
	"almanac/internal/rest"
	"almanac/store"
)

// fixtureTime is when these tests happen, by the clocks of the servers.
var fixtureTime = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

// An exchanged answer is all of an answer.
type exchanged struct {
	Status int
	Header http.Header
	Body   string
}

// exchange sends a request as the administrator, to a host of the same name
// whatever the server, so that links are the same. Headers are names and values.
func exchange(t testing.TB, srv *almanactest.Server, method, path, body string, headers ...string) exchanged {
	t.Helper()
	return exchangeAs(t, srv.Client(), srv, method, path, body, headers...)
}

// exchangeAs is exchange as whoever the client is.
func exchangeAs(t testing.TB, client *http.Client, srv *almanactest.Server, method, path, body string, headers ...string) exchanged {
	t.Helper()
	hr, err := http.NewRequest(method, srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	hr.Host = "calendar.example.org"
	if body != "" {
		hr.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		hr.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(hr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return exchanged{resp.StatusCode, resp.Header, string(text)}
}

// seed stores the same in whatever server.
func seedTown(srv *almanactest.Server) {
	hall := &store.Venue{Name: "Town Hall"}
	srv.Seed(hall, &store.Term{Name: "Music"})
	for n := range 12 {
		srv.Seed(store.Event{Title: fmt.Sprintf("Concert %d", n), Venues: []int64{hall.ID}, Categories: []int64{1}})
	}
	srv.Seed(store.Event{Post: store.Post{Status: store.Future, Date: fixtureTime.Add(2 * time.Hour)}, Title: "Announced later",
		Venues: []int64{hall.ID}})
}

// Every world answers as a server of its own would that keeps nothing, byte for
// byte, whatever is done to the others meanwhile.
func TestWorldsAreServersOfTheirOwn(t *testing.T) {
	race.Alone(t)
	rng := rand.New(rand.NewPCG(8, 1))
	one := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Worlds: true})
	seedTown(one)
	const worlds = 4 // the first is the server's own
	var alone [worlds]*almanactest.Server
	var saved [worlds]*almanactest.Snapshot
	for i := range alone {
		alone[i] = almanactest.Start(t, almanactest.Options{Now: fixtureTime, CacheBytes: -1})
		seedTown(alone[i])
		saved[i] = alone[i].Snapshot()
	}
	world := func(i int) []string {
		if i == 0 {
			return nil
		}
		return []string{"Almanac-World", fmt.Sprintf("World %d", i)}
	}
	for i := range worlds {
		exchange(t, one, "POST", "/_almanac/snapshots", `{"name":"some time"}`, world(i)...)
	}
	for step := range 600 {
		i, id := rng.IntN(worlds), 2+rng.IntN(16)
		method, path, body := "GET", "/cal/events/v1/events", ""
		var more []string
		switch n := rng.IntN(20); {
		case n == 0:
			method, body = "POST", fmt.Sprintf(`{"title":"New %d","start_date":"tomorrow 20:00","end_date":"tomorrow 21:00","venue":1}`, step)
		case n == 1:
			method, path, body = "PATCH", fmt.Sprintf("/cal/events/v1/events/%d", id), fmt.Sprintf(`{"title":"Step %d"}`, step)
		case n == 2:
			method, path, body = "PATCH", "/cal/events/v1/venues/1", fmt.Sprintf(`{"venue":"Hall %d"}`, rng.IntN(3))
		case n == 3:
			method, path = "DELETE", fmt.Sprintf("/cal/events/v1/events/%d", id)
		case n == 4:
			exchange(t, one, "POST", "/_almanac/clock", `{"advance":"20m"}`, world(i)...)
			alone[i].Clock.Advance(20 * time.Minute)
		case n == 5:
			exchange(t, one, "POST", "/_almanac/snapshots", `{"name":"some time"}`, world(i)...)
			saved[i] = alone[i].Snapshot()
		case n == 6:
			exchange(t, one, "POST", "/_almanac/restore", `{"name":"some time"}`, world(i)...)
			alone[i].Restore(saved[i])
		case n == 7 && rng.IntN(3) == 0:
			exchange(t, one, "POST", "/_almanac/reset", "", world(i)...)
			alone[i].Reset()
		case n < 11:
			path = fmt.Sprintf("/cal/events/v1/events/%d", id)
		case n < 13:
			path = "/cal/events/v1/venues"
		case n < 14:
			more = []string{"Almanac-Clock", fixtureTime.Add(time.Duration(rng.IntN(48)) * time.Hour).Format(time.RFC3339)}
		}
		as := account.Administrator
		if method == "GET" && rng.IntN(3) > 0 {
			as = "" // what strangers ask for is kept whole
		}
		got := exchangeAs(t, one.As(as), one, method, path, body, append(more, world(i)...)...)
		want := exchangeAs(t, alone[i].As(as), alone[i], method, path, body, more...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d: %s %s in world %d (-alone, +world):\n%s", step, method, path, i, diff)
		}
		if method != "GET" || want.Status != 200 {
			continue
		}
		more = append(more, "If-None-Match", want.Header.Get("ETag"))
		if again := exchangeAs(t, one.As(as), one, method, path, body, append(more, world(i)...)...); again.Status != 304 {
			t.Fatalf("step %d: GET %s in world %d: the tag that it was answered with is not known: %d", step, path, i, again.Status)
		}
	}
}

// What a world begins with is what was seeded, not what was done to it since.
func TestWorldBeginsSeeded(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: fixtureTime, Worlds: true})
	srv.Seed(store.Event{Title: "Seeded"})
	exchange(t, srv, "PATCH", "/cal/events/v1/events/1", `{"title":"Changed"}`)
	srv.Clock.Advance(time.Hour)
	title := func(headers ...string) string {
		a := exchange(t, srv, "GET", "/cal/events/v1/events/1?_fields=title", "", headers...)
		return a.Body + a.Header.Get("Date")[17:22]
	}
	if got := title("Almanac-World", "One"); got != `{"title":"Seeded"}12:00` {
		t.Errorf("a new world has %s", got)
	}
	if got := exchange(t, srv, "POST", "/_almanac/snapshots", `{"name":"Seeded"}`); got.Status != 201 {
		t.Errorf("answered %d %s", got.Status, got.Body)
	}
	if got := title("Almanac-World", "Two"); got != `{"title":"Changed"}13:00` {
		t.Errorf("a world made after that has %s", got)
	}
	if got := title("Almanac-World", "oNE"); got != `{"title":"Seeded"}12:00` {
		t.Errorf("the first world has %s", got)
	}
	exchange(t, srv, "PATCH", "/cal/events/v1/events/1", `{"title":"Again"}`)
	exchange(t, srv, "POST", "/_almanac/reset", "")
	if got := title(); got != `{"title":"Changed"}13:00` {
		t.Errorf("after a reset the server has %s", got)
	}
	exchange(t, srv, "DELETE", "/_almanac/worlds/ONE", "")
	if got := title("Almanac-World", "one"); got != `{"title":"Changed"}13:00` {
		t.Errorf("a world of the same name as one before has %s", got)
	}
}

// newFixture makes a server without a network, for tests in a synctest bubble,
// with a store that is closed at its end.
func newFixture(t *testing.T, o rest.Options) *rest.Server {
	t.Helper()
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	accounts, err := account.Memory(account.User{Account: account.Account{ID: 1, Login: "admin", Role: account.Administrator},
		Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	o.Store, o.Accounts, o.Fixture = st, accounts, true
	s, err := rest.New(o, func(on func(string, *rest.Op)) {
		on("GET /cal/events/v1/events", rest.Events.List)
		on("POST /cal/events/v1/events", rest.Events.Create)
		on("GET /_almanac/worlds", rest.Worlds.List)
		on("POST /_almanac/faults", rest.Faults.Create)
		on("GET /_almanac/requests", rest.Requests.List)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A world that nobody asks for goes, however its own clock is set; one that a
// test holds stays.
func TestWorldTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFixture(t, rest.Options{Worlds: true, WorldTTL: time.Minute})
		in := func(world string) { serve(s, "GET", "/cal/events/v1/events", "", "Almanac-World", world) }
		names := func() string {
			return serve(s, "GET", "/_almanac/worlds", "", "Authorization", "Bearer secret").Body.String()
		}
		held, leave, err := s.World("Held", nil)
		if err != nil {
			t.Fatal(err)
		}
		in("one")
		in("two")
		held.Clock().Advance(time.Hour)
		<-time.After(40 * time.Second)
		in("two")
		<-time.After(40 * time.Second)
		if got, want := names(), `{"worlds":[{"name":"held","requests":0},{"name":"two","requests":2}]}`; got != want {
			t.Errorf("after 80 seconds there are %s, want %s", got, want)
		}
		leave()
		<-time.After(2 * time.Minute)
		if got, want := names(), `{"worlds":[]}`; got != want {
			t.Errorf("after two more minutes there are %s, want %s", got, want)
		}
		if err := held.Store().Update(1, func(*store.Tx) error { return nil }); err != store.ErrClosed {
			t.Errorf("the store of a world that is gone answers %v, want that it is closed", err)
		}
	})
}

// There may be so many worlds, and a request for one more says what helps.
func TestTooManyWorlds(t *testing.T) {
	t.Parallel()
	s := newFixture(t, rest.Options{Worlds: true})
	const most = 4096
	for n := range most {
		if w := serve(s, "GET", "/cal/events/v1/events", "", "Almanac-World", fmt.Sprint("test ", n)); w.Code != 200 {
			t.Fatalf("world %d: %d %s", n, w.Code, w.Body)
		}
	}
	w := serve(s, "GET", "/cal/events/v1/events", "", "Almanac-World", "one more")
	if w.Code != 503 || !strings.Contains(w.Body.String(), "DELETE /_almanac/worlds/NAME") {
		t.Errorf("one more: %d %s", w.Code, w.Body)
	}
	s.DropWorld("Test 17")
	if w := serve(s, "GET", "/cal/events/v1/events", "", "Almanac-World", "one more"); w.Code != 200 {
		t.Errorf("in the place of another: %d %s", w.Code, w.Body)
	}
}
