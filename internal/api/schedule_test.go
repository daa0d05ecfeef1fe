package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/apitest"

	"github.com/google/go-cmp/cmp"
)

// Nothing is published before its time, and everything is the moment the clock
// says so, by whatever request comes first.
func TestScheduledIsPublishedWhenItsTimeComes(t *testing.T) {
	t.Parallel()
	srv := almanactest.Start(t, almanactest.Options{Now: time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)})
	total := func(path string) any {
		_, body := apitest.Do(t, srv.As(""), "GET", srv.URL+path, "")
		return body["total"]
	}
	_, made := apitest.Do(t, srv.Client(), "POST", srv.URL+"/cal/events/v1/events",
		`{"title":"Premiere","start_date":"2031-06-01 20:00","end_date":"2031-06-01 22:00","date":"2031-05-02 09:00:00"}`)
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
	status, read := apitest.Do(t, srv.As(""), "GET", srv.URL+"/cal/events/v1/venues/by-slug/new-hall", "")
	if status != http.StatusOK || read["status"] != "publish" {
		t.Errorf("an hour later the venue is answered with %d %v", status, read)
	}

	_, read = apitest.Do(t, srv.As(""), "GET", srv.URL+"/cal/events/v1/events/1", "")
	delete(read, "json_ld")
	made["status"] = "publish"
	for _, name := range []string{"url", "website"} {
		made[name] = strings.Replace(made[name].(string), "/?post_type=tribe_events&p=1", "/event/premiere/", 1)
		made[name] = strings.Replace(made[name].(string), "/?post_type=tribe_events&amp;p=1", "/event/premiere/", 1)
	}
	if diff := cmp.Diff(made, read); diff != "" {
		t.Errorf("publishing changed more than the status (-made +published):\n%s", diff)
	}
}
