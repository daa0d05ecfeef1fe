// Answers after a store was rolled back: undone records do not come back, though new ones have the
// same numbers.

package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// An asker asks a handler.
type asker struct {
	t     *testing.T
	h     http.Handler
	token string
}

func (a asker) ask(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	a.t.Helper()
	if body != "" {
		headers = append(headers, "Authorization", apitest.Bearer(a.token))
	}
	return apitest.Serve(a.h, method, "http://a.example/cal/events/v1"+path, body, headers...)
}

// shows asks so often that whatever may be kept is, and compares each answer. It
// returns the entity tag.
func (a asker) shows(path, want string, not ...string) (tag string) {
	a.t.Helper()
	for range 4 {
		w := a.ask("GET", path, "")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, want) {
			a.t.Fatalf("%s: %d without %q:\n%s", path, w.Code, want, body)
		}
		for _, text := range not {
			if strings.Contains(body, text) {
				a.t.Fatalf("%s: %q is there again:\n%s", path, text, body)
			}
		}
		tag = w.Header().Get("ETag")
	}
	return tag
}

func TestNothingUndoneIsServed(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, token, err := almanactest.Handler(almanactest.Options{Store: s, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	a := asker{t, h, token}
	write := func(method, path, body string) {
		t.Helper()
		if w := a.ask(method, path, body); w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	write("POST", "/venues", `{"venue":"Town Hall"}`)
	write("POST", "/categories", `{"name":"Music"}`)
	write(
		"POST",
		"/events",
		`{"title":"Concert","start_date":"2031-06-02 20:00","end_date":"2031-06-02 22:00","venue":1,"categories":[1]}`,
	)
	p, err := s.Savepoint()
	if err != nil {
		t.Fatal(err)
	}

	// Each shows the venue or the category, or counts what is of it.
	paths := []string{"/events", "/events/2", "/events/by-slug/concert", "/venues", "/venues/1"}
	before := map[string]string{}
	for _, path := range paths {
		before[path] = a.shows(path, "Town Hall")
	}
	before["/categories"] = a.shows("/categories", `"count":1`)

	undone := map[string]string{}
	const rounds = 3
	for round := range rounds {
		name := fmt.Sprint("Name ", round)
		seq := s.Seq()
		write("PUT", "/venues/1", fmt.Sprintf(`{"venue":%q}`, name))
		write(
			"POST",
			"/events",
			fmt.Sprintf(
				`{"title":%q,"start_date":"2031-06-03","end_date":"2031-06-03","categories":[1],"status":%q}`,
				name,
				[]string{"publish", "draft"}[round%2],
			),
		)
		if s.Seq() != seq+2 || seq != 3 {
			t.Fatalf("transactions %d to %d: they should be the same each time", seq, s.Seq())
		}
		for _, path := range paths {
			tag := a.shows(path, name, "Town Hall", fmt.Sprint("Name ", round-1))
			if tag == before[path] || tag == undone[path] {
				t.Errorf("%s: two states have the tag %s", path, tag)
			}
			for _, old := range []string{before[path], undone[path]} {
				if w := a.ask("GET", path, "", "If-None-Match", old); old != "" &&
					w.Code != http.StatusOK {
					t.Errorf("%s: %d to who has another state", path, w.Code)
				}
			}
			undone[path] = tag
		}
		a.shows("/categories", fmt.Sprintf(`"count":%d`, 2-round%2))
		if err := s.RollBack(p); err != nil {
			t.Fatal(err)
		}
		// No request in between: the cache has the state that is undone.
	}

	for _, path := range paths {
		if tag := a.shows(path, "Town Hall", "Name "); tag != before[path] {
			t.Errorf("%s: what was before has another tag than before", path)
		}
		if w := a.ask("GET", path, "", "If-None-Match", before[path]); w.Code != http.StatusNotModified {
			t.Errorf("%s: %d to who has what was before", path, w.Code)
		}
	}
	if tag := a.shows("/categories", `"count":1`); tag != before["/categories"] {
		t.Error("the categories have another tag than before")
	}
	if w := a.ask("PUT", "/venues/1", `{"venue":"New"}`, "If-Match", undone["/venues/1"]); w.Code != http.StatusPreconditionFailed {
		t.Errorf("a write to what was undone: %d", w.Code)
	}
}
