package almanactest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/contract"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// get reads JSON from a server, as the administrator.
func get[T any](t *testing.T, srv *almanactest.Server, path string) T {
	t.Helper()
	resp, err := srv.Client().Get(srv.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v\n%s", path, resp.Status, err, body)
	}
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("GET %s: %v\n%s", path, err, body)
	}
	return v
}

// A shown has the members of a record that these tests compare.
type shown struct {
	ID                   int64
	Status, Slug, Author string
	Date                 string
	Title, Name          string
	Venue                any
	Start                string `json:"start_date"`
	End                  string `json:"end_date"`
	UTCStart             string `json:"utc_start_date"`
	Timezone             string
	Categories           []struct{ Name, Slug string }
}

// now is when most of these tests happen: 20:00 of the day before in New York.
var now = time.Date(2031, 5, 10, 0, 0, 0, 0, time.UTC)

func TestSeedFillsIn(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now, Zone: "America/New_York"})
	music := &store.Term{Name: "Music"}
	hall := &store.Venue{Name: "Town Hall"}
	srv.Seed(music, hall, store.Organizer{
		Name: "Town",
	}, store.Image{
		URL: "https://example.org/a.png",
	})
	srv.Seed(
		store.Event{Title: "Concert", Venues: []int64{hall.ID}, Categories: []int64{music.ID}},
		store.Event{Title: "Concert"},
		&store.Event{
			Post: store.Post{
				Status: store.Draft,
				Slug:   "mine",
				Author: 2,
				Date:   now.Add(-time.Hour),
			},
			Title:    "Rehearsal",
			Timezone: "Europe/Paris",
			Start:    store.WallOf(now),
			End:      store.WallOf(now.Add(time.Minute)),
		},
	)

	list := get[struct{ Events []shown }](
		t,
		srv,
		"/cal/events/v1/events?_fields=events&starts_after=2031-01-01",
	)
	for i := range list.Events {
		if venue, ok := list.Events[i].Venue.(map[string]any); ok {
			list.Events[i].Venue = venue["venue"]
		}
	}
	want := []shown{
		{
			ID:         6,
			Status:     "draft",
			Slug:       "mine",
			Author:     "2",
			Date:       "2031-05-09 19:00:00",
			Title:      "Rehearsal",
			Venue:      []any{},
			Start:      "2031-05-10 00:00:00",
			End:        "2031-05-10 00:01:00",
			UTCStart:   "2031-05-09 22:00:00",
			Timezone:   "Europe/Paris",
			Categories: []struct{ Name, Slug string }{},
		},
		{
			ID:         4,
			Status:     "publish",
			Slug:       "concert",
			Author:     "1",
			Date:       "2031-05-09 20:00:00",
			Title:      "Concert",
			Venue:      "Town Hall",
			Start:      "2031-05-10 12:00:00",
			End:        "2031-05-10 13:00:00",
			UTCStart:   "2031-05-10 16:00:00",
			Timezone:   "America/New_York",
			Categories: []struct{ Name, Slug string }{{"Music", "music"}},
		},
		{
			ID:         5,
			Status:     "publish",
			Slug:       "concert-2",
			Author:     "1",
			Date:       "2031-05-09 20:00:00",
			Title:      "Concert",
			Venue:      []any{},
			Start:      "2031-05-10 12:00:00",
			End:        "2031-05-10 13:00:00",
			UTCStart:   "2031-05-10 16:00:00",
			Timezone:   "America/New_York",
			Categories: []struct{ Name, Slug string }{},
		},
	}
	if diff := cmp.Diff(want, list.Events); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
}

// Later changes of a seeded record do not change the store.
func TestSeedCopies(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{})
	e := &store.Event{Title: "Concert"}
	srv.Seed(e)
	e.Title = "Theatre"
	e.Slug = "theatre"
	e.Start = 0
	got := get[shown](t, srv, fmt.Sprintf("/cal/events/v1/events/%d", e.ID))
	if got.Title != "Concert" || got.Slug != "concert" {
		t.Errorf("served %q (%s), want the event as it was seeded", got.Title, got.Slug)
	}
}

// A recorder is a testing.TB whose Errorf and Fatalf can be looked at.
type recorder struct {
	testing.TB
	failed, fatal string
}

func (r *recorder) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestSeedRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		record any
		want   string
	}{
		{"something else", 5, "record 1: cannot store a int"},
		{"a taken slug", store.Event{
			Post: store.Post{
				Slug: "first",
			},
			Title: "Second",
		}, "the slug is another record's"},
		{"an unknown venue", store.Event{
			Title:  "Second",
			Venues: []int64{99},
		}, "a link leads to no record"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			srv := contract.Start(r, almanactest.Options{})
			done := make(chan struct{})
			go func() {
				defer close(done)
				srv.Seed(store.Event{Title: "First"}, test.record)
			}()
			<-done
			if !strings.Contains(r.fatal, test.want) {
				t.Errorf("the test ended with %q, want %q", r.fatal, test.want)
			}
			_ = srv.Store.View(func(v *store.View) error {
				if v.Len(store.Events) != 0 {
					t.Error("a part of what was refused is stored")
				}
				return nil
			})
		})
	}
}

func TestCallers(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{})
	tests := []struct {
		role   account.Role
		status int
	}{
		{account.Administrator, http.StatusCreated},
		{account.Editor, http.StatusCreated},
		{account.Author, http.StatusCreated},
		{account.Contributor, http.StatusForbidden},
		{account.Subscriber, http.StatusForbidden},
		{"", http.StatusUnauthorized},
	}
	for _, test := range tests {
		resp, err := srv.As(test.role).
			Post(srv.URL+"/cal/events/v1/categories", "application/x-www-form-urlencoded",
				strings.NewReader("name="+string(test.role)+"-music"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.status {
			t.Errorf("%q was answered %s, want %d", test.role, resp.Status, test.status)
		}
	}
}

func TestClientKeepsTokenToItself(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{})
	var sent string
	other := httptest.NewServer(
		http.HandlerFunc(
			func(_ http.ResponseWriter, r *http.Request) { sent = r.Header.Get("Authorization") },
		),
	)
	defer other.Close()
	resp, err := srv.Client().Get(other.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if sent != "" {
		t.Errorf("another server was sent %q", sent)
	}

	request, err := http.NewRequest(http.MethodGet, srv.URL+"/cal/events/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer nobody")
	if resp, err = srv.Client().Do(request); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("an authorization of the caller's own was answered %s, want 401", resp.Status)
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now})
	srv.Seed(store.Event{Title: "Concert"})
	count := func() int {
		return get[struct{ Total int }](t, srv, "/cal/events/v1/events").Total
	}
	if n := count(); n != 1 {
		t.Errorf("%d events are ahead, want 1", n)
	}
	srv.Clock.Advance(100 * time.Hour)
	if n := count(); n != 0 {
		t.Errorf("%d events are ahead after a hundred hours, want none", n)
	}
}

// A series of a seed has its events two years ahead of the clock, however that is moved,
// and a reset takes back what was made.
func TestClockMovesHorizons(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	srv := contract.Start(t, almanactest.Options{Now: now})
	srv.SeedFile("@city")
	meetings := func() (starts []string) {
		t.Helper()
		for path := "/cal/events/v1/events?search=Community+Choir&per_page=50&starts_after=0001-01-01"; path != ""; {
			page := get[struct {
				Next   string `json:"next_rest_url"`
				Events []struct {
					Start string `json:"start_date"`
				}
			}](t, srv, path)
			for _, e := range page.Events {
				starts = append(starts, e.Start)
			}
			path = strings.TrimPrefix(page.Next, srv.URL)
		}
		return starts
	}
	tuesdays := func(until string) (starts []string) {
		for day := time.Date(2031, 5, 13, 18, 0, 0, 0, time.UTC); day.Format(time.DateOnly) < until; day = day.AddDate(0, 0, 14) {
			starts = append(starts, day.Format(time.DateTime))
		}
		return starts
	}
	if diff := cmp.Diff(tuesdays("2033-06-10"), meetings()); diff != "" {
		t.Errorf("at first (-want, +got):\n%s", diff)
	}
	srv.Clock.Advance(24 * time.Hour)
	if diff := cmp.Diff(tuesdays("2033-06-10"), meetings()); diff != "" {
		t.Errorf("a day later (-want, +got):\n%s", diff)
	}
	srv.Clock.Advance(time.Date(2034, 1, 31, 12, 0, 0, 0, time.UTC).Sub(now.Add(24 * time.Hour)))
	if diff := cmp.Diff(tuesdays("2036-03-02"), meetings()); diff != "" {
		t.Errorf("years later (-want, +got):\n%s", diff)
	}
	srv.Reset()
	if diff := cmp.Diff(tuesdays("2033-06-10"), meetings()); diff != "" {
		t.Errorf("reset (-want, +got):\n%s", diff)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{
		PerPage:    2,
		MaxPerPage: 3,
		Currency:   "€",
		Also:       "/wp-json/tribe/events/v1",
	})
	for range 5 {
		srv.Seed(store.Event{Title: "Concert", Cost: store.Cost{Entries: []string{"5"}}})
	}
	type page struct {
		Events []struct{ Cost string }
		Next   string `json:"next_rest_url"`
	}
	p := get[page](t, srv, "/wp-json/tribe/events/v1/events")
	if len(p.Events) != 2 || p.Events[0].Cost != "€5" ||
		!strings.HasPrefix(p.Next, srv.URL+"/wp-json/tribe/events/v1/events/?") {
		t.Errorf("served %+v", p)
	}
	if p = get[page](t, srv, "/cal/events/v1/events?per_page=50"); len(p.Events) != 3 {
		t.Errorf("a page of 50 has %d events, want 3", len(p.Events))
	}
}

// A store that a test brings is served, and is open after the server's end.
func TestStore(t *testing.T) {
	t.Parallel()
	s := apitest.Store(t, nil)
	c, err := almanactest.Generate(s, 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("server", func(t *testing.T) {
		srv := contract.Start(t, almanactest.Options{Store: s})
		if got := get[shown](t, srv, fmt.Sprintf("/cal/events/v1/events/%d", c.Events[3])); got.ID != c.Events[3] {
			t.Errorf("served %+v", got)
		}
		srv.Seed(store.Event{Title: "Concert"})
	})
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Update(1, func(*store.Tx) error { return nil }); err != nil {
		t.Errorf("the store was closed: %v", err)
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	if _, _, err := almanactest.Handler(almanactest.Options{}); err == nil {
		t.Error("there is a handler without a store")
	}
	s := apitest.Store(t, nil)
	handler, token, err := almanactest.Handler(almanactest.Options{Store: s, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/cal/events/v1/tags", strings.NewReader("name=open-air"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusCreated {
		t.Errorf("answered %d: %s", w.Code, w.Body)
	}
}

// Servers know nothing of each other.
func TestParallel(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			srv := contract.Start(t, almanactest.Options{})
			for range n {
				srv.Seed(store.Event{Title: "Concert"})
			}
			if got := get[struct{ Total int }](t, srv, "/cal/events/v1/events").Total; got != n {
				t.Errorf("%d events, want %d", got, n)
			}
		})
	}
}

// A server leaves nothing running. Tests that run in parallel are not running
// while this one does.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Run("server", func(t *testing.T) {
		srv := contract.Start(t, almanactest.Options{})
		srv.Seed(store.Event{Title: "Concert"})
		get[shown](t, srv, "/cal/events/v1/events/1")
	})
	waitForGoroutines(t)
}

// waitForGoroutines waits until nothing of a server runs any more.
func waitForGoroutines(t *testing.T) {
	t.Helper()
	deadline := time.Now().
		Add(10 * time.Minute)
		// a closed connection's goroutines end soon, not at once
	for {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		text := string(stacks)
		if !strings.Contains(text, "almanac/store.") && !strings.Contains(text, "net/http.") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("goroutines are left:\n%s", stacks)
		}
		runtime.Gosched()
	}
}
