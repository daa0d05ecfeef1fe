package command

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file asks one calendar by several names.

// asHost asks for a path of a server by another host than its address.
func asHost(t *testing.T, s *testServer, host, path string) string {
	t.Helper()
	request, err := http.NewRequest("GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	answer, err := s.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("GET %s of %s: %s %v", path, host, answer.Status, err)
	}
	return string(text)
}

// identityOf returns what almanac identity prints.
func identityOf(t *testing.T, dir string) string {
	t.Helper()
	exit, out, stderr := runCommand(t, "identity", "-data", dir)
	if exit != 0 {
		t.Fatalf("identity ended with %d: %s", exit, stderr)
	}
	return strings.TrimSpace(out)
}

// named is every name that a document gives a record, feeds themselves included.
var named = regexp.MustCompile(
	`"global_id":"[^"]*"|"global_id_lineage":\[[^]]*\]|\nUID:\S*|X-UID="?[^":;]*|` +
		`<guid[^>]*>[^<]*|<id>[^<]*|"id":"[^"]*"|[\w.]*\?id=\d+`,
)

// A calendar has one identity, whichever host it is asked by, and takes back by one address what
// it gave by another.
func TestIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir, "-clock", "2031-05-01 12:00:00")...)
	c := s.Admin()
	fill(t, c)
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Choir","start_date":"2031-05-13 19:00:00","end_date":"2031-05-13 20:00:00",`+
			`"venue":1,"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}`,
	)
	made := identityOf(t, dir)
	if !regexp.MustCompile(`^[a-z2-7]{26}\.invalid$`).MatchString(made) {
		t.Errorf("the identity is %q", made)
	}
	if !strings.Contains(
		s.Stderr.String(),
		"identity="+made+` from="a random name, as there is no -url"`,
	) {
		t.Errorf("the log does not tell of it: %s", s.Stderr)
	}
	paths := []string{
		v1 + "/events",
		v1 + "/events/3",
		v1 + "/venues",
		v1 + "/organizers",
		v1 + "/events.ics",
		v1 + "/events.ics?expand=true",
		v1 + "/events.csv",
		v1 + "/events.rss",
		v1 + "/events.atom",
		v1 + "/events.feed.json",
		v1 + "/events/3.ics",
		"/events/?ical=1",
		"/events/feed/",
		"/de" + v1 + "/events",
	}
	before := map[string][]string{}
	for _, path := range paths {
		before[path] = named.FindAllString(asHost(t, s, "a.example", path), -1)
		if len(before[path]) == 0 {
			t.Errorf("%s names nothing", path)
		}
		for _, name := range before[path] {
			if strings.Contains(name, "?id=") && !strings.Contains(name, made+"?id=") {
				t.Errorf("%s names %s", path, name)
			}
		}
		for _, host := range []string{"b.example:8080", "[::1]", "evil.example", made} {
			if diff := cmp.Diff(before[path], named.FindAllString(asHost(t, s, host, path), -1)); diff != "" {
				t.Errorf("%s of %s (-a.example, +%[2]s):\n%s", path, host, diff)
			}
		}
	}
	if all := strings.Join(before[v1+"/events.ics"], ""); !strings.Contains(
		all,
		"UID:"+made+"?id=3",
	) ||
		!strings.Contains(all, "X-UID") {
		t.Errorf("the calendar names %s", all)
	}

	// A file that was taken at one address goes back at another, into a server and into its
	// directory.
	state := c.Everything(t)
	table := filepath.Join(t.TempDir(), "events.csv")
	calendar := filepath.Join(t.TempDir(), "events.ics")
	replace(t, table, asHost(t, s, "a.example:81", v1+"/events.csv"))
	replace(t, calendar, asHost(t, s, "b.example", v1+"/events.ics"))
	if got := sums(t, mustImport(t, "-to", s.URL, "-token", s.Token, table)); got[0]+got[1]+got[3] > 0 {
		t.Errorf("the table into the server: %v", got)
	}
	if diff := cmp.Diff(state, c.Everything(t)); diff != "" {
		t.Errorf("after the import (-want, +got):\n%s", diff)
	}
	text := readFile(t, table)
	replace(t, table, strings.Replace(text, "\r\nFair,", "\r\nFair of the Town,", 1))
	if got := sums(t, mustImport(t, "-to", s.URL, "-token", s.Token, table)); got[0] > 0 ||
		got[1] != 1 {
		t.Errorf("one cell was changed: %v", got)
	}
	if got := sums(t, mustImport(t, "-to", s.URL, "-token", s.Token, calendar)); got[0]+got[3] > 0 {
		t.Errorf("the calendar into the server: %v", got)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{table, calendar} {
		if got := sums(t, mustImport(t, "-data", dir, file)); got[0]+got[3] > 0 {
			t.Errorf("%s into the directory: %v", file, got)
		}
	}

	exported := mustRun(
		t,
		"export",
		"-data",
		dir,
		"-format",
		"ical",
		"-url",
		"https://calendar.example.org",
		"-",
	)
	if !strings.Contains(exported, "UID:"+made+"?id=3") {
		t.Errorf("the export has other UIDs: %s", exported)
	}

	// It stays at the next start, whatever the address is then.
	s = startServer(
		t,
		on(dir, "-url", "https://calendar.example.org", "-clock", "2031-01-01 12:00:00")...)
	if got := named.FindAllString(asHost(t, s, "a.example", v1+"/events/3.ics"), -1); !strings.Contains(
		got[0],
		made+"?id=3",
	) {
		t.Errorf("after a restart %q", got)
	}
}

// A server that runs changes the identity, and keeps no answer with the former one. Imported ids
// that were another's now are its own, and no new record gets one.
func TestIdentitySetBesideServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir, append(still, "-url", "http://first.example")...)...)
	c := s.Admin()
	stranger := s.As("")
	fill(t, c)
	site := filepath.Join(t.TempDir(), "site.json")
	replace(t, site, `{"events":[{"id":4000,"global_id":"new.example?id=4000",`+
		`"global_id_lineage":["new.example?id=4000"],"title":"Late","slug":"late",`+
		`"start_date":"2031-05-13 19:00:00","end_date":"2031-05-13 20:00:00","timezone":"UTC"}]}`)
	mustImport(t, "-to", s.URL, "-token", s.Token, site)
	paths := []string{v1 + "/events", v1 + "/events/3", v1 + "/events/3.ics", v1 + "/events.ics"}
	before := map[string]http.Header{}
	for _, path := range paths {
		a := stranger.Do(t, "GET", path, "")
		if !strings.Contains(a.Body, "first.example?id=3") {
			t.Fatalf("%s: %s", path, a.Body)
		}
		before[path] = a.Header
	}
	exit, _, stderr := runCommand(t, "identity", "-data", dir, "-set", "new.example")
	if exit != 0 || !strings.Contains(stderr, `is new.example; it was "first.example"`) {
		t.Fatalf("exit status %d, %s", exit, stderr)
	}
	for _, path := range paths {
		a := stranger.Do(t, "GET", path, "", "If-None-Match", before[path].Get("ETag"))
		if a.Status != 200 || !strings.Contains(a.Body, "new.example?id=3") ||
			strings.Contains(a.Body, "first.example?id=3") {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	a := c.Must(t, "POST", v1+"/events", `{"title":"Ours","start_date":"tomorrow","end_date":"tomorrow"}`)
	if !strings.Contains(a, `"global_id":"new.example?id=4001"`) {
		t.Errorf("a new event is %s", a)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if got := identityOf(t, dir); got != "new.example" {
		t.Errorf("afterwards it is %q", got)
	}
	s = startServer(t, on(dir, append(still, "-read-only")...)...)
	exit, _, stderr = runCommand(t, "identity", "-data", dir, "-set", "third.example")
	if exit != 1 || !strings.Contains(stderr, "-read-only") || identityOf(t, dir) != "new.example" {
		t.Errorf("on a server that changes nothing: exit status %d, %s", exit, stderr)
	}
}

// The command changes it and names the consequences; audit, log and verify show it.
func TestIdentitySet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(
		t,
		on(dir, "-url", "https://Calendar.example.org:8443/dates/", "-seed", "@small")...)
	if got := identityOf(t, dir); got != "Calendar.example.org/dates" {
		t.Errorf("the identity is %q", got)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"https://calendar.example.org", "calendar.example.org:80", "a b", "x?id=1", "-x", "ü.example", "a/b ",
		"a.example/../x", "a.example/./x", "a.example//x", "a..example/..",
		"[::1"} {
		if exit, _, stderr := runCommand(t, "identity", "-data", dir, "-set", wrong); exit != 2 ||
			!strings.Contains(stderr, "must be a host") {
			t.Errorf("%q: exit status %d, %s", wrong, exit, stderr)
		}
	}
	exit, _, stderr := runCommand(t, "identity", "-data", dir, "-set", "new.example")
	if exit != 0 ||
		!strings.Contains(
			stderr,
			`the identity is new.example; it was "Calendar.example.org/dates"`,
		) ||
		!strings.Contains(stderr, "subscribers see these events anew") {
		t.Errorf("exit status %d, %s", exit, stderr)
	}
	_, log, _ := runCommand(t, "log", "-data", dir)
	var told []string
	for line := range strings.Lines(log) {
		if _, is, found := strings.Cut(line, "  identity  "); found {
			told = append(told, strings.TrimSpace(is))
		}
	}
	if diff := cmp.Diff([]string{`"Calendar.example.org/dates"`, `"new.example"`}, told); diff != "" {
		t.Errorf("the log tells (-want, +got):\n%s", diff)
	}
	if _, out, _ := runCommand(t, "audit", "-data", dir); !regexp.MustCompile(`\bidentity +new\.example\n`).
		MatchString(out) {
		t.Errorf("audit does not tell of it:\n%s", out)
	}
	if exit, out, stderr := runCommand(t, "verify", "-data", dir); exit != 0 {
		t.Errorf("verify ended with %d: %s%s", exit, out, stderr)
	}
	earlier := filepath.Join(t.TempDir(), "earlier")
	mustRun(t, "restore", "-from", dir, "-data", earlier, "-seq", "1")
	if got := identityOf(t, earlier); got != "Calendar.example.org/dates" {
		t.Errorf("an earlier state has %q", got)
	}
	s = startServer(t, on(dir)...)
	got := asHost(t, s, "a.example", v1+"/events?per_page=1&starts_after=2000-01-01")
	if !strings.Contains(got, `"global_id":"new.example?id=`) {
		t.Errorf("events have %s", got)
	}
	table := filepath.Join(t.TempDir(), "events.csv") // with addresses of that host, at a port
	replace(t, table, asHost(t, s, "new.example:81", v1+"/events.csv?start_date=2000-01-01"))
	token := mustUsers(t, "token", "-data", dir, "admin")
	if got := sums(t, mustImport(t, "-to", s.URL, "-token", token, table)); got[0]+got[1]+got[3] > 0 ||
		got[2] == 0 {
		t.Errorf("a table that was taken at a port: %v", got)
	}
}

// A directory without an identity, as earlier versions made it, says so, and gets one at its next
// start.
func TestIdentityOfOlderDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mustImport(t, "-data", dir, sample("lindmoor.json"))
	if exit, _, stderr := runCommand(t, "identity", "-data", dir); exit != 1 ||
		!strings.Contains(stderr, "has no identity yet") {
		t.Errorf("exit status %d, %s", exit, stderr)
	}
	s := startServer(t, on(dir, "-url", "http://calendar.example.org:80")...)
	got := identityOf(t, dir)
	if got != "calendar.example.org" ||
		!strings.Contains(s.Stderr.String(), "identity=calendar.example.org from=-url") {
		t.Errorf("identity %q, %s", got, s.Stderr)
	}
}

// Imported records keep the ids that they have, also in a calendar that has the name of their
// former site, where these ids were the ids of other records. No record that is made here gets one
// of them.
func TestIdentityOfFormerSite(t *testing.T) {
	t.Parallel()
	record := func(id int, title string) string {
		return strings.NewReplacer("ID", strconv.Itoa(id), "TITLE", title).
			Replace(`{"id":ID,"global_id":"old.example?id=ID",` +
				`"global_id_lineage":["old.example?id=ID"],"title":"TITLE","slug":"s-ID","start_date":"2031-05-13 19:00:00",` +
				`"end_date":"2031-05-13 20:00:00","timezone":"UTC","modified_utc":"2030-01-01 00:00:00",` +
				`"venue":{"id":7,"global_id":"old.example?id=7","venue":"Hall","slug":"hall"}}`)
	}
	site := filepath.Join(t.TempDir(), "site.json")
	replace(
		t,
		site,
		`{"events":[`+record(
			9,
			"Nine",
		)+","+record(
			2,
			"Two",
		)+","+record(
			1,
			"One",
		)+","+record(
			4000,
			"Last",
		)+`]}`,
	)
	for _, online := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "data")
		if !online {
			mustImport(t, "-data", dir, site)
		}
		s := startServer(
			t,
			on(dir, "-url", "https://old.example", "-clock", "2031-05-01 12:00:00")...)
		if online {
			if s.Token == "" {
				t.Fatal("no token")
			}
			mustImport(t, "-to", s.URL, "-token", s.Token, site)
		}
		uids := func() (all []string) {
			for _, line := range strings.Split(asHost(t, s, "a.example", v1+"/events.ics"), "\r\n") {
				if uid, ok := strings.CutPrefix(line, "UID:"); ok {
					all = append(all, uid)
				}
			}
			return all
		}
		want := []string{
			"old.example?id=9",
			"old.example?id=2",
			"old.example?id=1",
			"old.example?id=4000",
		}
		if diff := cmp.Diff(want, uids()); diff != "" {
			t.Errorf("online %t: UIDs (-want, +got):\n%s", online, diff)
		}
		if !online {
			s.Token = mustUsers(t, "token", "-data", dir, "admin")
		}
		c := s.Admin()
		c.Must(
			t,
			"POST",
			v1+"/events",
			`{"title":"Ours","start_date":"2031-05-14 19:00:00","end_date":"2031-05-14 20:00:00"}`,
		)
		if want = append(want, "old.example?id=4001"); cmp.Diff(want, uids()) != "" {
			t.Errorf("online %t: with one more: %s", online, cmp.Diff(want, uids()))
		}
		table := filepath.Join(t.TempDir(), "events.csv")
		replace(t, table, asHost(t, s, "a.example", v1+"/events.csv"))
		all := filepath.Join(t.TempDir(), "all.json")
		replace(t, all, asHost(t, s, "a.example", v1+"/events?per_page=50"))
		for _, file := range []string{site, table, all} {
			if got := sums(t, mustImport(t, "-to", s.URL, "-token", s.Token, file)); got[0]+got[1]+got[3] > 0 {
				t.Errorf("online %t: %s again: %v", online, filepath.Base(file), got)
			}
		}
	}
}
