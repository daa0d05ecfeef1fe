package almanactest_test

import (
	"encoding/json"
	"testing"
	"time"

	"almanac/account"
	"almanac/almanactest"
	"almanac/store"
)

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

// Pointers get the ids of what was stored, so that records can be linked.
func ExampleServer_Seed() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	hall, music := &store.Venue{Name: "Town Hall"}, &store.Term{Name: "Music"}
	srv.Seed(hall, music)
	srv.Seed(store.Event{Title: "Concert", Venues: []int64{hall.ID}, Categories: []int64{music.ID}})
}

// Requests of somebody who may not do everything.
func ExampleServer_As() {
	var t *testing.T // that of your test
	srv := almanactest.NewServer(t)
	resp, err := srv.As(account.Subscriber).Post(srv.URL+"/cal/events/v1/events", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	// Here your program meets a 4xx.
}
