package pull

import (
	"bytes"
	compare "cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
	"almanac/store"
)

const events = "/cal/events/v1/events"

// A document is the answer of a site.
type document struct {
	code     int // 0 is 200
	body     string
	cut      bool
	redirect string
}

// A site has documents.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	docs map[string]document
}

func newSite(t *testing.T) *site {
	s := &site{docs: map[string]document{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) put(path string, d document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = d
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.docs[r.URL.RequestURI()]
	switch {
	case !ok:
		http.NotFound(w, r)
	case d.redirect != "":
		http.Redirect(w, r, d.redirect, http.StatusFound)
	default:
		if d.cut {
			w.Header().Set("Content-Length", fmt.Sprint(len(d.body)+100))
		}
		if d.code != 0 {
			w.WriteHeader(d.code)
		}
		_, _ = io.WriteString(w, d.body)
	}
}

// A calendar is the target: a directory, or a server if it has an address.
type calendar struct {
	dir, url, token string
	handler         http.Handler
	store           *store.Store
	list, state     string // files
}

func newCalendar(t *testing.T, runs bool) *calendar {
	dir := t.TempDir()
	c := &calendar{
		dir:   filepath.Join(dir, "data"),
		list:  filepath.Join(dir, "sources.json"),
		state: filepath.Join(dir, "sources.state.json"),
	}
	if runs {
		c.open(t)
		s := httptest.NewServer(c.handler)
		c.url = s.URL
		t.Cleanup(func() { s.Close(); c.store.Close() })
	}
	return c
}

func (c *calendar) open(t *testing.T) {
	t.Helper()
	var err error
	if c.store, err = store.Open(store.Options{Dir: c.dir}); err != nil {
		t.Fatal(err)
	}
	if c.handler, c.token, err = almanactest.Handler(almanactest.Options{
		Store: c.store,
	}); err != nil {
		t.Fatal(err)
	}
}

// with calls f while the store is open.
func (c *calendar) with(t *testing.T, f func()) {
	t.Helper()
	if c.url == "" {
		c.open(t)
		defer func() {
			if err := c.store.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	f()
}

// pull runs the command with a list of sources.
func (c *calendar) pull(
	t *testing.T,
	sources string,
	flags ...string,
) (status int, out, errs string) {
	t.Helper()
	writeFile(t, c.list, sources)
	to := []string{"-data", c.dir}
	if c.url != "" {
		to = []string{"-to", c.url, "-token", c.token}
	}
	var stdout, stderr bytes.Buffer
	noSleep := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	mover := cli.Program{Name: "almanac-move", Commands: cli.Table{command(noSleep)}}
	status = mover.Main(
		t.Context(),
		append(append(append([]string{"pull"}, to...), flags...), c.list),
		cli.Process{Getenv: func(string) string { return "" }, Stdout: &stdout, Stderr: &stderr},
	)
	return status, stdout.String(), stderr.String()
}

func (c *calendar) must(t *testing.T, sources string) string {
	t.Helper()
	status, out, errs := c.pull(t, sources)
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	return out
}

// request sends a request as administrator.
func (c *calendar) request(t *testing.T, method, path, body string) string {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if w.Code/100 != 2 {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.String()
}

// an event as tests compare it.
type event struct {
	ID            int64
	Title, Status string
	Start         string
}

func (c *calendar) events(t *testing.T) (all []event, seq uint64) {
	t.Helper()
	c.with(t, func() {
		seq = uint64(c.store.Seq())
		_ = c.store.View(func(v *store.View) error {
			for r := range v.Each(store.Events) {
				e := r.(*store.Event)
				all = append(all, event{e.ID, e.Title, string(e.Status), e.Start.String()})
			}
			return nil
		})
	})
	return all, seq
}

// lines returns the events, one a line, without ids.
func (c *calendar) lines(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	all, _ := c.events(t)
	slices.SortFunc(all, func(a, b event) int {
		return compare.Or(strings.Compare(a.Start, b.Start), strings.Compare(a.Title, b.Title))
	})
	for _, e := range all {
		fmt.Fprintf(&b, "%s %s %s\n", e.Start[:10], e.Title, e.Status)
	}
	return b.String()
}

func (c *calendar) id(t *testing.T, title string) int64 {
	t.Helper()
	all, _ := c.events(t)
	for _, e := range all {
		if e.Title == title {
			return e.ID
		}
	}
	t.Fatalf("there is no event %q: %v", title, all)
	return 0
}

func (c *calendar) rename(t *testing.T, title, to string) {
	t.Helper()
	path := fmt.Sprintf("%s/%d", events, c.id(t, title))
	c.with(t, func() { c.request(t, "PATCH", path, `{"title":"`+to+`"}`) })
}

func sourceList(t *testing.T, list ...map[string]string) string {
	t.Helper()
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ics makes a calendar; an event is its properties, separated by bars.
func ics(events ...string) string {
	b := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
	for _, e := range events {
		b += "BEGIN:VEVENT\r\n" + strings.ReplaceAll(e, "|", "\r\n") + "\r\nEND:VEVENT\r\n"
	}
	return b + "END:VCALENDAR\r\n"
}

func eachTarget(t *testing.T, test func(*testing.T, *calendar)) {
	for _, runs := range []bool{false, true} {
		t.Run(map[bool]string{false: "data", true: "to"}[runs], func(t *testing.T) {
			t.Parallel()
			test(t, newCalendar(t, runs))
		})
	}
}

// forms write documents of events with some titles, in a version.
var forms = map[string]func(titles []string, version int) string{
	"ics": func(titles []string, version int) string {
		var all []string
		for i, title := range titles {
			all = append(
				all,
				fmt.Sprintf(
					"UID:%d@club.example|DTSTART:2999051%dT200000Z|SUMMARY:%s|LAST-MODIFIED:200%d0101T000000Z",
					i,
					i,
					title,
					version,
				),
			)
		}
		return ics(all...)
	},
	"ics that was stamped now": func(titles []string, version int) string {
		var all []string
		for i, title := range titles {
			all = append(
				all,
				fmt.Sprintf(
					"UID:%d@club.example|DTSTART:2999051%dT200000Z|SUMMARY:%s|DTSTAMP:299%d0101T000000Z",
					i,
					i,
					title,
					version,
				),
			)
		}
		return ics(all...)
	},
	"csv": func(titles []string, _ int) string {
		b := "UID,EVENT NAME,EVENT START DATE,EVENT VENUE NAME\n"
		for i, title := range titles {
			b += fmt.Sprintf("%d@club.example,%s,2999-05-1%d,Hall\n", i, title, i)
		}
		return b
	},
	"json": func(titles []string, version int) string {
		var all []string
		for i, title := range titles {
			all = append(
				all,
				fmt.Sprintf(
					`{"id":%d,"global_id":"old.example?id=%d","title":"%s","start_date":"2999-05-1%d 20:00:00",`+
						`"end_date":"2999-05-1%d 21:00:00","modified_utc":"200%d-01-01 00:00:00","status":"publish"}`,
					i,
					i,
					title,
					i,
					i,
					version,
				),
			)
		}
		return `{"events":[` + strings.Join(
			all,
			",",
		) + `],"total":` + fmt.Sprint(
			len(titles),
		) + `}`
	},
}

// The way of a source decides which version holds, after changes here, there, at both or nowhere.
// Another run changes nothing.
func TestAs(t *testing.T) {
	t.Parallel()
	for as, want := range map[string]string{
		"keep":      "2999-05-10 A publish\n2999-05-11 B here publish\n2999-05-12 C there publish\n2999-05-13 D here publish\n",
		"once":      "2999-05-10 A publish\n2999-05-11 B here publish\n2999-05-12 C publish\n2999-05-13 D here publish\n",
		"overwrite": "2999-05-10 A publish\n2999-05-11 B publish\n2999-05-12 C there publish\n2999-05-13 D there publish\n",
	} {
		for form, write := range forms {
			t.Run(as+" "+form, func(t *testing.T) {
				eachTarget(t, func(t *testing.T, c *calendar) {
					s := newSite(t)
					list := sourceList(t, map[string]string{
						"name": "club",
						"url":  s.URL + "/d",
						"as":   as,
					})
					s.put("/d", document{body: write([]string{"A", "B", "C", "D"}, 1)})
					c.must(t, list)
					_, first := c.events(t)
					c.must(t, list)
					if _, again := c.events(t); again != first {
						t.Errorf("the second pull made %d transactions", again-first)
					}
					c.rename(t, "B", "B here")
					c.rename(t, "D", "D here")
					s.put("/d", document{body: write([]string{"A", "B", "C there", "D there"}, 2)})
					for range 2 {
						c.must(t, list)
						if diff := cmp.Diff(want, c.lines(t)); diff != "" {
							t.Error(diff)
						}
					}
					_, before := c.events(t)
					out := c.must(t, list)
					if _, after := c.events(t); after != before {
						t.Errorf("the last pull made %d transactions\n%s", after-before, out)
					}
				})
			})
		}
	}
}

// A site whose days end late brings its whole days, twice without a change.
func TestDaysThatEndLate(t *testing.T) {
	t.Parallel()
	eachTarget(t, func(t *testing.T, c *calendar) {
		s := newSite(t)
		s.put("/events", document{body: `{"events":[{"id":4,"global_id":"club.example?id=4","title":"Fair","all_day":true,` +
			`"start_date":"2999-08-09 04:00:00","end_date":"2999-08-11 03:59:59","modified_utc":"2001-01-01 00:00:00"}]}`})
		sources := sourceList(t, map[string]string{"name": "club", "url": s.URL + "/events", "as": "keep"})
		c.must(t, sources)
		all, seq := c.events(t)
		if len(all) != 1 || all[0].Start != "2999-08-09 00:00:00" {
			t.Errorf("events %v", all)
		}
		c.must(t, sources)
		if _, again := c.events(t); again != seq {
			t.Errorf("%d transactions the second time", again-seq)
		}
	})
}
