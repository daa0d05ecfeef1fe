package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// outsideModule is a module that uses this one. %q is the directory of this one.
const outsideModule = `module example.org/outside

go 1.26

require almanac v0.0.0

replace almanac => %q
`

// outsideTest uses each public package for its purpose, as a program of somebody else does: no
// internal package can be named here.
const outsideTest = `package outside

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/filters"
	"almanac/i18n"
	"almanac/store"
)

// A program that is tested with a server creates an event, lists it, and meets a fault.
func TestServer(t *testing.T) {
	noon := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	srv := almanactest.Start(t, almanactest.Options{Now: noon, Zone: "Europe/Paris"})
	hall := &store.Venue{Name: "Town Hall"}
	srv.Seed(hall, almanactest.Event("Market"))

	body, err := json.Marshal(map[string]any{"title": "Concert", "start_date": "2031-05-11 20:00:00", "end_date": "2031-05-11 22:00:00",
		"venue": hall.ID})
	if err != nil {
		t.Fatal(err)
	}
	const path = "/cal/events/v1/events"
	resp, err := srv.As("editor").Post(srv.URL+path, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body.Close(); resp.StatusCode != http.StatusCreated {
		t.Fatalf("created: %s", resp.Status)
	}
	list := func() (titles []string) {
		resp, err := srv.Client().Get(srv.URL + path + "?start_date=2031-05-11&search=concert")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var list struct {
			Events []struct {
				Title string
				Venue struct{ Venue string }
			}
		}
		if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		for _, e := range list.Events {
			titles = append(titles, e.Title+" at "+e.Venue.Venue)
		}
		return titles
	}
	if got := list(); len(got) != 1 || got[0] != "Concert at Town Hall" {
		t.Errorf("listed: %q", got)
	}
	srv.Fault(almanactest.Fault{Path: path, Status: http.StatusServiceUnavailable})
	resp, err = srv.Client().Get(srv.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body.Close(); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("with a fault: %s", resp.Status)
	}
	srv.Reset()
	if got := list(); len(got) != 0 {
		t.Errorf("after a reset: %q", got)
	}
}

// A program chooses all that the options have.
func TestOptions(t *testing.T) {
	limits := almanactest.DefaultLimits()
	limits.Body, limits.Rate = 100, almanactest.Rate{N: 2, Per: time.Hour}
	seen := 0
	srv := almanactest.Start(t, almanactest.Options{Limits: &limits, PerPage: 5, MaxPerPage: 20, Currency: "EUR", NoPages: true,
		CacheBytes: 1 << 20, Explain: true, StrictInput: true, Also: "/wp-json/tribe/events/v1",
		Tokens: map[almanactest.Role]string{almanactest.Editor: "of an editor"},
		Observe: func(almanactest.Exchange) { seen++ }})
	var role almanactest.Role = almanactest.Editor
	for _, want := range []int{http.StatusUnauthorized, http.StatusOK, http.StatusTooManyRequests} {
		hr, err := http.NewRequest(http.MethodGet, srv.URL+"/cal/events/v1/tags", nil)
		if err != nil {
			t.Fatal(err)
		}
		if want != http.StatusUnauthorized {
			hr.Header.Set("Authorization", "Bearer of an editor")
		} else {
			hr.Header.Set("Authorization", "Bearer of nobody")
		}
		resp, err := srv.As(role).Do(hr)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("%s, want %d", resp.Status, want)
		}
	}
	if seen != 3 {
		t.Errorf("%d exchanges were seen", seen)
	}
	var clock *almanactest.Clock = srv.Clock
	if clock.Advance(time.Hour); clock.Now().Before(time.Now().Add(59 * time.Minute)) {
		t.Errorf("the clock is at %v", clock.Now())
	}
}

// A program keeps a calendar in a directory, and finds its events after a restart.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	open := func() *store.Store {
		s, err := store.Open(store.Options{Dir: dir, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	start := store.WallOf(time.Date(2031, 5, 10, 20, 0, 0, 0, time.UTC))
	err := s.Update(1, func(tx *store.Tx) error {
		music := &store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"}
		if err := tx.Put(music); err != nil {
			return err
		}
		for i, title := range []string{"Concert", "Market", "Choir"} {
			e := &store.Event{Title: title, Start: start + store.Wall(i), End: start + 7200}
			e.Status = store.Publish
			if title != "Market" {
				e.Categories = []int64{music.ID}
			}
			if err := tx.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open()
	defer s.Close()
	f := filters.AllEvents()
	var found *filters.Found
	err = s.View(func(v *store.View) error {
		f.Categories = []int64{v.BySlug(store.Categories, "music").Key()}
		f.Start.Min = start + 1
		found = f.Find(v, 0, 10)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Finish(t.Context(), 1<<20); err != nil {
		t.Fatal(err)
	}
	if found.Total != 1 || found.Events[0].Title != "Choir" {
		t.Errorf("%d events: %v", found.Total, found.Events)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if report, err := store.Verify(t.Context(), dir, store.VerifyOptions{}); err != nil || len(report.Findings) > 0 {
		t.Errorf("verified: %v, %v", report.Findings, err)
	}
}

// A program shows texts and dates in the language of its user.
func TestLanguages(t *testing.T) {
	language, ok := i18n.Negotiate("de-CH, en;q=0.5", i18n.Languages())
	if !ok || language.Tag != "de" {
		t.Fatalf("%v, %v", language.Tag, ok)
	}
	if date := language.Locale().Full(time.Date(2031, 5, 10, 0, 0, 0, 0, time.UTC)); date != "Samstag, 10. Mai 2031" {
		t.Error(date)
	}
	if got, english := language.Text("page.parameters"), i18n.English().Text("page.parameters"); got == "" || got == english {
		t.Errorf("%q in German, %q in English", got, english)
	}
	if one, many := language.Count("site.events", 1), language.Count("site.events", 22); one == many {
		t.Errorf("one and many are both %q", one)
	}
}
`

// The public packages are of use to a module that is not this one: it is tested here without a
// network, and with no other module.
func TestOutside(t *testing.T) {
	atTop(t)
	t.Parallel()
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          fmt.Sprintf(outsideModule, top),
		"outside_test.go": outsideTest,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "test", "./...")
	run.Dir = dir
	run.Env = append(
		os.Environ(),
		"GOFLAGS=-mod=mod",
		"GOPROXY=off",
		"GOWORK=off",
		"GOMODCACHE="+t.TempDir(),
	)
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("go test: %v\n%s", err, out)
	}
}
