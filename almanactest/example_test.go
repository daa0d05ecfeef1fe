package almanactest_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/store"
)

// A printing test stands where those of examples with an output are: it prints why it failed.
type printing struct {
	testing.TB
	ends []func()
}

func (p *printing) Helper()                           {}
func (p *printing) Output() io.Writer                 { return io.Discard }
func (p *printing) Cleanup(end func())                { p.ends = append(p.ends, end) }
func (p *printing) Errorf(format string, args ...any) { fmt.Printf(format, args...) }

func (p *printing) end() {
	for _, end := range slices.Backward(p.ends) {
		end()
	}
}

// A test of a program that reads calendars: the two lines that it takes, and
// what the program then finds.
func Example() {
	var t *testing.T // that of your test
	noon := store.WallOf(time.Now().Add(24 * time.Hour))
	evening := noon + 6*60*60

	srv := almanactest.NewServer(t)
	srv.Seed(store.Event{Title: "Concert", Start: noon, End: evening})

	resp, err := srv.Client().Get(srv.URL + "/cal/events/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct {
		Events []struct{ Title string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list.Events) != 1 || list.Events[0].Title != "Concert" {
		t.Errorf("found %v", list.Events)
	}
}

// The test decides what time it is.
func ExampleStart() {
	var t *testing.T // that of your test
	srv := almanactest.Start(t, almanactest.Options{
		Now:  time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC),
		Zone: "Europe/Paris",
	})
	srv.Clock.Advance(48 * time.Hour)
	// Here your program reads the calendar of May 12 from srv.URL.
}

// Pointers get the ids of the stored records, so that records can be linked.
func ExampleServer_Seed() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	hall := &store.Venue{Name: "Town Hall"}
	music := &store.Term{Name: "Music"}
	srv.Seed(hall, music)
	srv.Seed(store.Event{
		Title:      "Concert",
		Venues:     []int64{hall.ID},
		Categories: []int64{music.ID},
	})
}

// Requests of somebody who may not do everything.
func ExampleServer_As() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	resp, err := srv.As(account.Subscriber).
		Post(srv.URL+"/cal/events/v1/events", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	// Here your program meets a 4xx.
}

// The clock stands still, runs or jumps. Scheduled events are published when it reaches their
// time.
func ExampleServer_clock() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	srv.Clock.Freeze()
	srv.Clock.Set(
		time.Date(2031, 3, 30, 0, 59, 59, 0, time.UTC),
	) // a second before clocks go forward in Europe
	srv.Clock.Advance(time.Second)
	srv.Clock.Resume()
}

// One server for many tests that run at the same time, each alone in a world of its
// own.
func ExampleServer_World() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	srv.Seed(store.Event{Title: "Concert"})
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := srv.World(t)
			w.Seed(store.Event{Title: "Only in " + name})
			w.Clock.Advance(48 * time.Hour)
			resp, err := w.Client().Get(w.URL + "/cal/events/v1/events")
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			// A client of your own says which world it is for:
			// request.Header.Set("Almanac-World", w.Name())
		})
	}
}

// Cases that follow each other begin with the same records and the same ids.
func ExampleServer_Reset() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	srv.Seed(store.Event{Title: "Concert"})
	for _, method := range []string{"PATCH", "DELETE"} {
		srv.Reset()
		request, err := http.NewRequest(method, srv.URL+"/cal/events/v1/events/1?title=Fair", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := srv.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
}

// Back to any moment, as often as one likes.
func ExampleServer_Snapshot() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	before := srv.Snapshot()
	srv.Seed(store.Event{Title: "Concert"})
	after := srv.Snapshot()
	srv.Restore(before) // there is no concert
	srv.Restore(after)  // there is
}

// Did the program that is tested ask as it should?
func ExampleServer_Requests() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	// Here your program creates an event.
	for _, r := range srv.Requests() {
		if r.Operation == "events.create" && r.Header.Get("Content-Type") != "application/json" {
			t.Errorf(
				"created by %s %s with %q, which was answered %d %s",
				r.Method,
				r.Path,
				r.Body,
				r.Status,
				r.Answer,
			)
		}
	}
}

// What does the program do when things go wrong?
func ExampleServer_Fault() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)

	// The first two requests find the calendar busy.
	srv.Fault(almanactest.Fault{Status: 429, RetryAfter: time.Second, Count: 2})
	// Of all lists every third, about, comes late, and the same ones each time.
	srv.Fault(almanactest.Fault{
		Method:      "GET",
		Path:        "/cal/events/v1/events",
		Delay:       2 * time.Second,
		Probability: 0.3,
		Seed:        1,
	})
	// An event is created, and nobody learns of it.
	remove := srv.Fault(almanactest.Fault{
		Method:  "POST",
		Path:    "/cal/events/v1/**",
		Reset:   true,
		Applied: true,
	})
	remove()
	// Nobody can read what comes.
	srv.Fault(almanactest.Fault{Malformed: true})
}

// Events that a test says little of, with all that belongs to them.
func ExampleEvent() {
	t := &printing{} // that of your test
	defer t.end()
	srv := almanactest.Start(t, almanactest.Options{
		Now: time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC),
	})

	hall := almanactest.Venue("Town Hall").With(func(v *store.Venue) { v.City = "Springfield" })
	concert := almanactest.Event("Concert").
		At(hall).
		Categories("Music").
		Starting("@tomorrow 20:00").
		Lasting(2 * time.Hour)
	srv.Seed(
		concert,
		concert.Starting("@tomorrow+1w 20:00").Tags("encore"),
		almanactest.Event("Fair").AllDay(2),
	)

	resp, err := srv.Client().Get(srv.URL + "/cal/events/v1/events")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	var list struct {
		Events []struct {
			Title string
			Start string `json:"start_date"`
			End   string `json:"end_date"`
			Venue any
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		panic(err)
	}
	for _, e := range list.Events {
		venue, _ := e.Venue.(map[string]any)
		fmt.Println(e.Start, e.End, e.Title, venue["id"], venue["city"])
	}
	// Output:
	// 2031-05-11 00:00:00 2031-05-12 23:59:59 Fair <nil> <nil>
	// 2031-05-11 20:00:00 2031-05-11 22:00:00 Concert 1 Springfield
	// 2031-05-18 20:00:00 2031-05-18 22:00:00 Concert 1 Springfield
}

// Did the program that is tested ask for all that it should, and for nothing else?
func ExampleServer_WantRequests() {
	t := &printing{} // that of your test
	defer t.end()
	srv := almanactest.NewServer(t)
	for _, query := range []string{"?page=1", "?page=2", "?page=2"} { // in its place, your program
		resp, err := srv.Client().Get(srv.URL + "/cal/events/v1/events" + query)
		if err != nil {
			panic(err)
		}
		resp.Body.Close()
	}
	srv.WantRequests(
		"GET /cal/events/v1/venues 200",
		"GET /cal/events/v1/events?page=1 200",
		"GET /cal/events/v1/events?page=2 404",
	)
	// Output:
	// almanactest: not the requests that are wanted (-wanted, +seen):
	// - GET /cal/events/v1/venues 200
	//   GET /cal/events/v1/events?page=1 200
	//   GET /cal/events/v1/events?page=2 404
	// + GET /cal/events/v1/events?page=2 404
}

// What did the program that is tested send?
func ExampleServer_WantRequest() {
	t := &printing{} // that of your test
	defer t.end()
	srv := almanactest.NewServer(t)
	resp, err := srv.Client().
		Post(srv.URL+"/cal/events/v1/tags", "application/json", strings.NewReader(`{"name":"free"}`))
	if err != nil {
		panic(err)
	}
	resp.Body.Close()
	fmt.Printf("%s\n", srv.WantRequest("tags.create").Body)
	// Output: {"name":"free"}
}

// A program that speaks to calendars over TLS alone, with a client of its own.
func ExampleServer_certificate() {
	t := &printing{} // that of your test
	defer t.end()
	srv := almanactest.Start(t, almanactest.Options{TLS: true})
	trusted := x509.NewCertPool()
	trusted.AddCert(srv.Certificate)
	client := &http.Client{
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{
				RootCAs: trusted,
			},
			ForceAttemptHTTP2: true,
		},
	}
	defer client.CloseIdleConnections()
	resp, err := client.Get(srv.URL + "/cal/events/v1/events")
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Proto, resp.Status)
	// Output: HTTP/2.0 200 OK
}
