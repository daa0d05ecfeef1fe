// The examples of the document, as a server gives them.

package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the examples of the document")

const examples = "openapi/examples"

// TestDocExamples sends what the document says can be sent, and compares the
// answers with those it shows. -update writes the answers instead.
func TestDocExamples(t *testing.T) {
	clock := caltime.Frozen(time.Date(2031, 5, 1, 9, 0, 0, 0, time.UTC))
	st, err := store.Open(store.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	accounts, err := account.Memory(account.User{
		Account: account.Account{
			ID:    1,
			Login: "admin",
			Role:  account.Administrator,
		},
		Token: "secret",
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Store:    st,
		Accounts: accounts,
		Clock:    clock,
		URL: &url.URL{
			Scheme: "https",
			Host:   "calendar.example.org",
		},
	}, listed)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{
		"Media.json":       true,
		"MediaList.json":   true,
		"MediaUpdate.json": true,
	} // see package media
	for _, test := range []struct {
		method, path string
		sent         string // name of an example; "" for nothing
		status       int
		answered     string // name of an example; "" if it is not shown
	}{
		{"POST", "/categories", "CategoryCreate", 201, "Category"},
		{"POST", "/tags", "TagCreate", 201, "Tag"},
		{"POST", "/venues", "VenueCreate", 201, "Venue"},
		{"POST", "/organizers", "OrganizerCreate", 201, "Organizer"},
		{"POST", "/events", "EventCreate", 201, "Event"},
		{"GET", "/categories", "", 200, "CategoryList"},
		{"GET", "/tags", "", 200, "TagList"},
		{"GET", "/venues", "", 200, "VenueList"},
		{"GET", "/organizers", "", 200, "OrganizerList"},
		{"GET", "/events", "", 200, "EventList"},
		{"PATCH", "/categories/1", "CategoryUpdate", 200, ""},
		{"PATCH", "/tags/2", "TagUpdate", 200, ""},
		{"PATCH", "/venues/1", "VenueUpdate", 200, ""},
		{"PATCH", "/organizers/2", "OrganizerUpdate", 200, ""},
		{"PATCH", "/events/by-slug/summer-concert", "EventUpdate", 200, ""},
		{"GET", "/events?page=0", "", 400, "Error"},
		{"GET", "/series", "", 200, "SeriesList"},
		{"GET", "/series/4", "", 200, "Series"},
	} {
		if test.path == "/series" {
			addSeries(t, st)
		}
		var body []byte
		if test.sent != "" {
			used[test.sent+".json"] = true
			if body, err = os.ReadFile(filepath.Join(examples, test.sent+".json")); err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(body, []byte("'")) {
				t.Errorf("%s: a quotation mark would end the one of a shell", test.sent)
			}
		}
		hr := httptest.NewRequest(test.method, "/cal/events/v1"+test.path, bytes.NewReader(body))
		hr.Header.Set("Content-Type", "application/json")
		if test.method != http.MethodGet {
			hr.Header.Set("Authorization", "Bearer secret")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, hr)
		if w.Code != test.status {
			t.Fatalf(
				"%s %s: status %d, want %d: %s",
				test.method,
				test.path,
				w.Code,
				test.status,
				w.Body,
			)
		}
		if test.answered == "" {
			continue
		}
		used[test.answered+".json"] = true
		var got bytes.Buffer
		if err := json.Indent(&got, bytes.TrimSpace(w.Body.Bytes()), "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		name := filepath.Join(examples, test.answered+".json")
		if *update {
			if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s %s (-example +answer):\n%s", test.method, test.path, diff)
		}
	}
	files, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !used[file.Name()] && !strings.HasPrefix(file.Name(), ".") {
			t.Errorf("no request shows that %s is true", file.Name())
		}
	}
}

// addSeries makes a series of two dates.
func addSeries(t *testing.T, st *store.Store) {
	t.Helper()
	start := store.WallOf(time.Date(2031, 5, 6, 19, 0, 0, 0, time.UTC))
	event := store.Event{
		Post: store.Post{
			Author: 1,
			Status: store.Publish,
			Slug:   "choir",
		},
		Title:    "Choir",
		Timezone: "Europe/Paris",
		Start:    start,
		End:      start + 7200,
	}
	err := st.Update(1, func(tx *store.Tx) error {
		s := &store.Series{
			Event:   event,
			Rule:    "FREQ=WEEKLY;COUNT=4;BYDAY=TU",
			EXDates: []store.Wall{start + 604800},
		}
		if err := tx.Put(s); err != nil {
			return err
		}
		for _, week := range []store.Wall{0, 2, 3} {
			e := event
			e.Start = start + week*604800
			e.End = start + week*604800 + 7200
			e.Recurrence = &store.Recurrence{Series: s.ID, Start: start + week*604800}
			e.Slug += "-" + e.Start.Time().Format(time.DateOnly)
			if err := tx.Put(&e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
