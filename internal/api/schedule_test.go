package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Nothing is published before its time, and everything is the moment the clock
// says so, by whatever request comes first.
func TestScheduledIsPublishedWhenItsTimeComes(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{
		Now: time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC),
	})
	total := func(path string) any {
		_, body := apitest.Do(t, srv.As(""), "GET", srv.URL+path, "")
		return body["total"]
	}
	_, made := apitest.Do(
		t,
		srv.Client(),
		"POST",
		srv.URL+"/cal/events/v1/events",
		`{"title":"Premiere","start_date":"2031-06-01 20:00","end_date":"2031-06-01 22:00","date":"2031-05-02 09:00:00"}`,
	)
	apitest.Do(t, srv.Client(), "POST", srv.URL+"/cal/events/v1/venues",
		`{"venue":"New Hall","status":"future","date":"2031-05-02 09:00:01"}`)
	if made["status"] != "future" {
		t.Fatalf("made with status %v, want future", made["status"])
	}

	srv.Clock.Set(time.Date(2031, 5, 2, 8, 59, 59, 0, time.UTC))
	if got := total("/cal/events/v1/events"); got != 0.0 {
		t.Errorf("a second before: %v events, want none", got)
	}
	srv.Clock.Advance(time.Second)
	if got := total("/cal/events/v1/events"); got != 1.0 {
		t.Errorf("at its time: %v events, want 1", got)
	}
	if got := total("/cal/events/v1/venues"); got != 0.0 {
		t.Errorf("a second before its time: %v venues, want none", got)
	}
	srv.Clock.Advance(time.Hour)
	status, read := apitest.Do(
		t,
		srv.As(""),
		"GET",
		srv.URL+"/cal/events/v1/venues/by-slug/new-hall",
		"",
	)
	if status != http.StatusOK || read["status"] != "publish" {
		t.Errorf("an hour later the venue is answered with %d %v", status, read)
	}

	_, read = apitest.Do(t, srv.As(""), "GET", srv.URL+"/cal/events/v1/events/1", "")
	delete(read, "json_ld")
	made["status"] = "publish"
	for _, name := range []string{"url", "website"} {
		made[name] = strings.Replace(
			made[name].(string),
			"/?post_type=tribe_events&p=1",
			"/event/premiere/",
			1,
		)
		made[name] = strings.Replace(
			made[name].(string),
			"/?post_type=tribe_events&amp;p=1",
			"/event/premiere/",
			1,
		)
	}
	if diff := cmp.Diff(made, read); diff != "" {
		t.Errorf("publishing changed more than the status (-made +published):\n%s", diff)
	}
}

// What is due is published in transactions of bounded work, so that others write in between.
func TestManyAreDue(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	srv := almanactest.Start(t, almanactest.Options{Now: now})
	var all []any
	for n := range 1_200 {
		e := &store.Event{Title: "Fair", Start: store.WallOf(now), End: store.WallOf(now)}
		e.Slug = fmt.Sprint("fair", n)
		e.Status = store.Future
		e.Date = now.Add(time.Hour)
		all = append(all, e)
	}
	srv.Seed(all...)
	srv.Clock.Advance(time.Hour)
	before := srv.Store.Seq()
	_, body := apitest.Do(t, srv.As(""), "GET", srv.URL+"/cal/events/v1/events", "")
	steps := srv.Store.Seq() - before
	if body["total"] != 1_200.0 || steps != 3 {
		t.Errorf(
			"the next request sees %v events, published in %d transactions",
			body["total"],
			steps,
		)
	}
}

// When the clock is set back, what is public stays public, also in an update, what is written then
// is scheduled by the new time, changes are told on, and pages of the present show the new day.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	later := time.Date(2031, 5, 3, 12, 0, 0, 0, time.UTC)
	srv := almanactest.Start(t, almanactest.Options{Now: later})
	const list = "/cal/events/v1/events"
	ask := func(method, path, body string) map[string]any {
		t.Helper()
		status, got := apitest.Do(t, srv.Client(), method, srv.URL+path, body)
		if status != http.StatusOK && status != http.StatusCreated {
			t.Fatalf("%s %s: %d %v", method, path, status, got)
		}
		return got
	}
	ask(
		"POST",
		list,
		`{"title":"Premiere","start_date":"2031-05-03 20:00","end_date":"2031-05-03 22:00","date":"2031-05-02 09:00:00"}`,
	)
	today := func() string {
		resp, err := srv.As("").Get(srv.URL + "/events/today/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if !strings.Contains(today(), "Premiere") ||
		!strings.Contains(today(), "Premiere") { // the second one is remembered
		t.Error("the event is not on the page of its day")
	}

	srv.Clock.Set(later.AddDate(0, 0, -2))
	if strings.Contains(today(), "Premiere") {
		t.Error("the page of today is that of another day")
	}
	if got := ask("PATCH", list+"/1", `{"title":"First night"}`); got["status"] != "publish" {
		t.Errorf("an update makes a public event %v", got["status"])
	}
	ask(
		"POST",
		list,
		`{"title":"Second","start_date":"2031-05-04 20:00","end_date":"2031-05-04 22:00","date":"2031-05-02 09:00:00"}`,
	)
	total := func() any {
		_, body := apitest.Do(t, srv.As(""), "GET", srv.URL+list, "")
		return body["total"]
	}
	if got := total(); got != 1.0 {
		t.Errorf("%v events after the clock was set back, want 1", got)
	}
	srv.Clock.Set(time.Date(2031, 5, 2, 9, 0, 0, 0, time.UTC))
	if got := total(); got != 2.0 {
		t.Errorf("%v events at the time of the second one, want 2", got)
	}
}
