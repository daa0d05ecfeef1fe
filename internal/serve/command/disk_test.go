package command

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file fills the disk: no file of the server's process can grow beyond a
// size.

// skipWithoutLimits skips a test where a process cannot limit itself.
func skipWithoutLimits(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("no limit for the size of files on " + runtime.GOOS)
	}
}

// A diskTest is a data directory with room for little.
type diskTest struct {
	caller
	dir, users string
	titles     []string // of the events that were stored, in order
	made       int
}

// start starts a server, and returns what kills it.
func (d *diskTest) start(t *testing.T, l limits) func() {
	t.Helper()
	cmd := childCommand(t, d.dir, d.users, l)
	d.caller = caller{URL: startProcess(t, cmd).URL, Token: "token of admin", Client: http.DefaultClient}
	return func() { end(t, cmd) }
}

// create creates an event of some 200 bytes, with all that it has in it.
func (d *diskTest) create(t *testing.T) answer {
	t.Helper()
	d.made++
	title := fmt.Sprintf("Concert %d", d.made)
	a := d.Do(t, "POST", v1+"/events", fmt.Sprintf(
		`{"title":%q,"start_date":"2031-05-11","end_date":"2031-05-11","venue":{"venue":%q},"tags":[%q]}`,
		title,
		title,
		title,
	))
	if a.Status == http.StatusCreated {
		d.titles = append(d.titles, title)
	}
	return a
}

// stored returns the titles of all events, and of their venues and tags.
func (d *diskTest) stored(t *testing.T) (titles []string) {
	t.Helper()
	const whole = "?per_page=1000000&hide_empty=0&starts_after=1970-01-01&orderby=id"
	venues := list[shownPost](t, d.caller, "venues", whole)
	tags := list[shownTerm](t, d.caller, "tags", "?per_page=1000000&hide_empty=0")
	for _, e := range list[shownEvent](t, d.caller, "events", whole) {
		if titles = append(titles, e.Title); e.Venue.Venue != e.Title || len(e.Tags) != 1 ||
			e.Tags[0].Name != e.Title {
			t.Errorf("%q is there in part: %+v", e.Title, e)
		}
	}
	if len(venues) != len(titles) || len(tags) != len(titles) {
		t.Errorf("%d events, %d venues and %d tags", len(titles), len(venues), len(tags))
	}
	return titles
}

func (d *diskTest) compare(t *testing.T, when string) {
	t.Helper()
	if diff := cmp.Diff(d.titles, d.stored(t)); diff != "" {
		t.Errorf("%s (-stored, +shown):\n%s", when, diff)
	}
}

// refused checks that every kind of write is refused, and says why.
func (d *diskTest) refused(t *testing.T, when string) {
	t.Helper()
	for _, write := range []struct{ method, path, body string }{
		{"POST", "/venues", `{"venue":"Town Hall"}`},
		{"POST", "/categories", `{"name":"Music"}`},
		{"PUT", "/events/2", `{"description":"Changed."}`},
		{"DELETE", "/events/2", ""},
		{"DELETE", "/tags/1", ""},
	} {
		d.isUnavailable(
			t,
			when+", "+write.method+" "+write.path,
			d.Do(t, write.method, v1+write.path, write.body),
		)
	}
}

func (d *diskTest) isUnavailable(t *testing.T, when string, a answer) {
	t.Helper()
	var body struct {
		Code, Message string
		Data          struct{ Status int }
	}
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil || a.Status != 503 ||
		body.Code != "rest_store_unavailable" || body.Data.Status != 503 || !strings.Contains(body.Message, "disk") ||
		a.Header.Get("Retry-After") != "5" {
		t.Errorf("%s: answered %d %v %s", when, a.Status, a.Header, a.Body)
	}
}

func newDiskTest(t *testing.T) *diskTest {
	t.Helper()
	skipWithoutLimits(t)
	return &diskTest{dir: filepath.Join(t.TempDir(), "data"), users: usersFile(t)}
}

// When the log cannot grow, writes are refused and reading goes on, also after a
// start on the full disk. With room again everything goes on.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	full := limits{File: 20_000}
	end := d.start(t, full)
	var a answer
	for a = d.create(t); a.Status == http.StatusCreated; {
		a = d.create(t)
	}
	d.isUnavailable(t, "the first write too many", a)
	if len(d.titles) < 10 {
		t.Fatalf("%d events fitted", len(d.titles))
	}
	d.refused(t, "on a full disk")
	d.compare(t, "on a full disk")
	end()

	end = d.start(t, full)
	d.compare(t, "started on a full disk")
	for a = d.create(t); a.Status == http.StatusCreated; {
		a = d.create(t) // the truncated write left some room
	}
	d.isUnavailable(t, "a write after a start on a full disk", a)
	d.refused(t, "after a start on a full disk")
	d.compare(t, "after a start on a full disk")
	end()

	d.start(t, limits{})
	d.compare(t, "with room again")
	for range 20 {
		if a := d.create(t); a.Status != http.StatusCreated {
			t.Fatalf("with room again, a write was answered %d %s", a.Status, a.Body)
		}
	}
	d.compare(t, "after writing again")
}

// When there is room for the log and none for a snapshot, nobody notices.
func TestDiskFullForSnapshots(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	cmd := childCommand(t, d.dir, d.users, limits{Segment: 4000, Snapshot: 4000, File: 8000})
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	d.caller = caller{URL: startProcess(t, cmd).URL, Token: "token of admin", Client: http.DefaultClient}
	for range 100 {
		if a := d.create(t); a.Status != http.StatusCreated {
			t.Fatalf("answered %d %s\n%s", a.Status, a.Body, &stderr)
		}
	}
	end(t, cmd)
	if !strings.Contains(stderr.String(), "snapshot written") ||
		!strings.Contains(stderr.String(), "snapshot failed") {
		t.Errorf("not both, snapshots that fitted and that did not:\n%s", &stderr)
	}
	d.start(t, limits{Segment: 4000, Snapshot: 4000})
	d.compare(t, "after a start with room")
}
