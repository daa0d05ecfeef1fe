package command

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// This file is the life of a server: start, flags that change what it serves,
// stop, start again.

func TestRestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "data")
	first := startServer(t, on(dir, still...)...)
	if first.Token == "" {
		t.Fatal("the first start printed no token")
	}
	c := first.Admin()
	fill(t, c)
	before := c.Everything(t)
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}

	second := startServer(t, on(dir, still...)...)
	if second.Token != "" {
		t.Error("the second start printed a token")
	}
	c.URL = second.URL
	c.Client = second.Client
	if diff := cmp.Diff(before, c.Everything(t)); diff != "" {
		t.Errorf("after a restart (-before, +after):\n%s", diff)
	}
	again := c.Do(t, "POST", v1+"/categories", `{"name":"Music"}`)
	if again.Status != 400 || !strings.Contains(again.Body, `"term_exists"`) {
		t.Errorf("what was there before is made again: %d %s", again.Status, again.Body)
	}
}

func TestReadyLine(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var stdout, stderr lockedBuffer
	err := run(ctx, []string{"-memory", "-addr", "127.0.0.1:0"}, cli.Process{
		Getenv: none,
		Stdout: stopper{&stdout, stop},
		Stderr: &stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	var ready map[string]any
	if err := json.Unmarshal([]byte(stdout.String()), &ready); err != nil {
		t.Fatalf("%q: %v", &stdout, err)
	}
	token, _ := ready["token"].(string)
	url, _ := ready["url"].(string)
	host, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	if err != nil || host != "127.0.0.1" || port == "0" {
		t.Errorf("url is %q", url)
	}
	link, _ := ready["desk"].(string)
	if secret, ok := strings.CutPrefix(link, url+"/desk/link?token="); !ok || len(secret) < 64 {
		t.Errorf("desk is %q", link)
	}
	want := map[string]any{
		"url":   url,
		"api":   url + v1 + "/",
		"pid":   float64(os.Getpid()),
		"token": token,
		"desk":  link,
	}
	if diff := cmp.Diff(want, ready); diff != "" || strings.Count(stdout.String(), "\n") != 1 ||
		len(token) < 64 {
		t.Errorf("ready line (-want, +got):\n%s", diff)
	}
	if strings.Contains(stderr.String(), token) {
		t.Error("the token is in the log")
	}
}

// A stopper ends the server as soon as it says that it is ready.
type stopper struct {
	*lockedBuffer
	stop func()
}

func (s stopper) Write(p []byte) (int, error) {
	defer s.stop()
	return s.lockedBuffer.Write(p)
}

func TestMemory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, "-memory")...)
	fill(t, s.Admin())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a server in memory made %s (%v)", dir, err)
	}
}

func TestDirectoryInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	startServer(t, on(dir)...)
	err := serveOnce(t, on(dir)...)
	if cli.Status(err) != 2 ||
		!strings.Contains(err.Error(), dir+" is in use by another almanac") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("a second server on the directory ended with %d: %v", cli.Status(err), err)
	}
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory")
	taken := strings.TrimPrefix(s.URL, "http://")
	dir := filepath.Join(t.TempDir(), "data")
	err := serveOnce(t, on(dir, "-addr", taken)...)
	if cli.Status(err) != 2 || !strings.Contains(err.Error(), taken) ||
		!strings.Contains(err.Error(), "port 0") {
		t.Errorf("a second server on the port ended with %d: %v", cli.Status(err), err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the server that found no port left %s (%v)", dir, err)
	}
}

// A start that fails must not have made the administrator: the token would
// never be seen.
func TestFailedFirstStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if err := serveOnce(t, on(dir, "-also", "/nothing")...); cli.Status(err) != 2 {
		t.Fatalf("-also /nothing ended with %v", err)
	}
	if s := startServer(t, on(dir)...); s.Token == "" {
		t.Error("the first start that worked printed no token")
	}
}

func TestClockFlags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		flags []string
		exact bool
	}{
		{"-clock runs on", nil, false},
		{"-freeze stands still", []string{"-freeze"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := startServer(
				t,
				append(
					test.flags,
					"-memory",
					"-timezone",
					"America/New_York",
					"-clock",
					"2031-05-10 21:30:00",
				)...)
			c := s.Admin()
			var e struct {
				Date     string
				DateUTC  string `json:"date_utc"`
				Timezone string
			}
			body := c.Must(
				t,
				"POST",
				v1+"/events",
				`{"title":"Concert","start_date":"tomorrow 20:00","end_date":"tomorrow 22:00"}`,
			)
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				t.Fatal(err)
			}
			if !test.exact { // the start of the server and this event may be a second apart, or some
				e.Date, e.DateUTC = e.Date[:len("2031-05-10 21:3")], e.DateUTC[:len("2031-05-11 01:3")]
			}
			want := []string{"2031-05-10 21:30:00", "2031-05-11 01:30:00", "America/New_York"}
			if !strings.HasPrefix(want[0], e.Date) || !strings.HasPrefix(want[1], e.DateUTC) ||
				e.Timezone != want[2] {
				t.Errorf("made at %+v, want %v", e, want)
			}
		})
	}
}

func TestPageAndCurrencyFlags(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory", "-per-page", "2", "-max-per-page", "3", "-currency", "€")
	c := s.Admin()
	for range 5 {
		c.Must(
			t,
			"POST",
			v1+"/events",
			`{"title":"Concert","start_date":"2031-05-10","end_date":"2031-05-10","cost":"7"}`,
		)
	}
	for query, want := range map[string]int{"": 2, "&per_page=50": 3, "&per_page=1": 1} {
		var list struct {
			Events []struct{ Cost string }
			Total  int
		}
		if err := json.Unmarshal([]byte(c.Must(t, "GET", v1+"/events?starts_after=2031-01-01"+query, "")), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Events) != want || list.Total != 5 || list.Events[0].Cost != "€7" {
			t.Errorf(
				"with %q: %d of %d events, the first costs %q; want %d of 5 at €7",
				query,
				len(list.Events),
				list.Total,
				list.Events[0].Cost,
				want,
			)
		}
	}
}

func TestSeedFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "seed.json")
	replace(t, file, `{"venues":[{"id":7,"venue":"Town Hall"}],"events":[
		{"title":"Concert","start_date":"2031-05-11 20:00","end_date":"2031-05-11 23:00","venue":7,"categories":["Music"]}]}`)
	flags := on(filepath.Join(dir, "data"), append(still, "-seed", file)...)
	events := func(s *testServer) (list struct {
		Events []struct {
			Title      string
			Venue      struct{ Venue string }
			Categories []struct{ Name string }
		}
	}) {
		if err := json.Unmarshal([]byte(s.Admin().Must(t, "GET", v1+"/events", "")), &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	first := startServer(t, flags...)
	list := events(first)
	if len(list.Events) != 1 || list.Events[0].Title != "Concert" ||
		list.Events[0].Venue.Venue != "Town Hall" ||
		len(list.Events[0].Categories) != 1 {
		t.Errorf("the seed grew to %+v", list)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if list = events(startServer(t, flags...)); len(list.Events) != 1 {
		t.Errorf("after a restart: %+v", list)
	}

	replace(t, file, `{"venues":[{"$name":"hall","venue":"Town Hall"}],"events":[
		{"title":"Concert","start_date":"@tomorrow 20:00","end_date":"@start+3h","venue":"$hall","categories":["Music"]}]}`)
	relative := startServer(t, append([]string{"-memory", "-seed", file}, still...)...)
	if again := events(relative); !cmp.Equal(list, again) {
		t.Errorf("by names and relative dates the seed grew to %+v", again)
	}
	if got := relative.Admin().Must(t, "GET", v1+"/events/2?_fields=start_date,utc_end_date",
		""); got != `{"start_date":"2031-05-11 20:00:00","utc_end_date":"2031-05-11 23:00:00"}` {
		t.Errorf("relative dates became %s", got)
	}

	replace(
		t,
		file,
		`{"events":[{"title":"Concert","start_date":"never","end_date":"never"},{"title":"Fair"}]}`,
	)
	data := filepath.Join(dir, "other")
	if err := serveOnce(t, on(data, "-memory", "-seed", file)...); cli.Status(err) != 2 ||
		!strings.Contains(
			err.Error(),
			"seed.json:1: events[0].start_date: ",
		) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a bad seed ended with %d: %v", cli.Status(err), err)
	}
}

func TestUsersFlag(t *testing.T) {
	t.Parallel()
	file := usersFile(t)
	s := startServer(t, "-memory", "-users", file)
	if s.Token != "" {
		t.Error("a token was printed although there are accounts")
	}
	stranger := caller{URL: s.URL, Client: s.Client}
	editor := s.As("token of editor")
	const category = `{"name":"Music"}`
	if a := stranger.Do(t, "POST", v1+"/categories", category); a.Status != 401 {
		t.Errorf("a stranger was answered %d", a.Status)
	}
	if a := editor.Do(t, "POST", v1+"/categories", category); a.Status != 201 {
		t.Errorf("an editor was answered %d", a.Status)
	}
	const basic = "Basic ZWRpdG9yOnRva2VuIG9mIGVkaXRvcg==" // editor:token of editor
	if a := stranger.Do(t, "DELETE", v1+"/categories/1", "", "Authorization", basic); a.Status != 200 {
		t.Errorf("an editor by Basic was answered %d", a.Status)
	}

	// The file changes while the server runs: first to nonsense, which leaves
	// the accounts as they were, then to others.
	replace(t, file, `{"users":`)
	if a := editor.Do(t, "POST", v1+"/categories", `{"name":"Theatre"}`); a.Status != 201 {
		t.Errorf("with a broken users file, the editor was answered %d", a.Status)
	}
	replace(t, file, `{"users":[{"id":9,"login":"new","role":"editor","token":"another"}]}`)
	if a := editor.Do(t, "POST", v1+"/categories", category); a.Status != 401 ||
		!strings.Contains(a.Body, "rest_invalid_token") {
		t.Errorf("a token that was taken away was answered %d", a.Status)
	}
	editor.Token = "another"
	if a := editor.Do(t, "POST", v1+"/categories", category); a.Status != 201 {
		t.Errorf("a token that was added was answered %d", a.Status)
	}
}

// serveOnce runs serve, which must not get as far as being ready.
func serveOnce(t *testing.T, flags ...string) error {
	t.Helper()
	return serveWith(t, none, flags...)
}

func serveWith(t *testing.T, getenv func(string) string, flags ...string) error {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var stdout, stderr lockedBuffer
	args := append([]string{"serve", "-addr", "127.0.0.1:0"}, flags...)
	err := run(ctx, args, cli.Process{
		Getenv: getenv,
		Stdout: stopper{&stdout, stop},
		Stderr: &stderr,
	})
	if stdout.String() != "" {
		t.Errorf("serve %q was ready", flags)
	}
	if err != nil && stderr.String() != "" {
		t.Errorf("serve %q wrote more than one line: %s", flags, &stderr)
	}
	return err
}

// -strict-input refuses what is named in a header without it.
func TestStrictInput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flags  []string
		status int
	}{{nil, 201}, {[]string{"-strict-input"}, 400}} {
		s := startServer(t, append(test.flags, "-memory")...)
		a := s.Admin().Do(t, "POST", v1+"/tags", `{"name":"free","colour":"red"}`)
		if ignored := a.Header.Get("X-Almanac-Ignored"); a.Status != test.status ||
			(ignored == "colour") != (a.Status == 201) {
			t.Errorf("%q: %d, X-Almanac-Ignored: %q; %s", test.flags, a.Status, ignored, a.Body)
		}
	}
}

// The first start without a time zone says that times are in UTC; others do not.
func TestHintOfZone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	for _, tt := range []struct {
		name  string
		flags []string
		want  bool
	}{
		{"the first start", on(dir), true},
		{"the second start", on(dir), false},
		{"with a zone", on(t.TempDir(), "-timezone", "Europe/Rome"), false},
		{"in memory", []string{"-memory"}, false},
	} {
		s := startServer(t, tt.flags...)
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(s.Stderr.String(), "-timezone Europe/Berlin"); got != tt.want {
			t.Errorf("%s: hinted: %v, want %v\n%s", tt.name, got, tt.want, s.Stderr)
		}
	}
}
