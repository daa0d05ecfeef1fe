package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/cli"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// This file prints the logs of servers, through run.

// told is the output of log for the changes of fill, without times.
var told = []string{
	`     1  0         identity    "calendar.example.org"`,
	`     2  0         accounts         1  created    "admin"  role administrator,token "first" made,link made`,
	`     3  "admin"   venues           1  created    "Town Hall"`,
	`     4  "admin"   organizers       2  created    "The Town"`,
	`     5  "admin"   categories       1  created    "Music"`,
	`     6  "admin"   tags             2  created    "free"`,
	`     7  "admin"   tags             3  created    "new"`,
	`     7  "admin"   events           3  created    "Concert & Café"`,
	`     8  "admin"   events           4  created    "Fair"`,
	`     9  "admin"   events           5  created    "Not yet"`,
	`    10  "admin"   events           6  created    "Never"`,
	`    11  "admin"   events           4  changed    "Fair"  description`,
	`    12  "admin"   events           6  trashed    "Never"  former,slug,status`,
}

func TestLogCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	fill(t, s.Admin())
	segment := readFile(t, filepath.Join(dir, "log", "00000000000000000001.jsonl"))
	raw := strings.SplitAfter(segment, "\n")
	hashes := regexp.MustCompile(`"sha256":"[0-9a-f]+"`)
	lines := func(which ...int) string {
		var b strings.Builder
		for _, i := range which {
			fmt.Fprintf(&b, "2031-05-10T12:00:00.000Z  %s\n", told[i])
		}
		return b.String()
	}
	tests := []struct {
		name  string
		flags []string
		want  string
	}{
		{"everything", nil, lines(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)},
		{"a kind", []string{"-kind", "tags"}, lines(5, 6)},
		{"a record", []string{"-kind", "events", "-id", "4"}, lines(8, 11)},
		{"a number, of two kinds", []string{"-id", "3"}, lines(6, 7)},
		{"the last ones", []string{"-n", "3"}, lines(10, 11, 12)},
		{"the last ones of a kind", []string{"-n", "1", "-kind", "tags"}, lines(6)},
		{"more than there are", []string{"-n", "99", "-kind", "venues"}, lines(2)},
		{"accounts", []string{"-kind", "accounts", "-id", "1"}, lines(1)},
		{"nothing", []string{"-kind", "images"}, ""},
		{"no series", []string{"-kind", "series"}, ""},
		{"the lines", []string{"-json"}, hashes.ReplaceAllString(segment, `"sha256":"…"`)},
		{"the lines of a kind", []string{"-json", "-kind", "tags"}, raw[5] + raw[6]},
		{"the last line", []string{"-json", "-n", "1"}, raw[11]},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			exit, stdout, stderr := runCommand(
				t,
				append([]string{"log", "-data", dir}, test.flags...)...)
			if diff := cmp.Diff(test.want, stdout); diff != "" || exit != 0 || stderr != "" {
				t.Errorf(
					"exit status %d, stderr %q, stdout (-want, +got):\n%s",
					exit,
					stderr,
					diff,
				)
			}
		})
	}
}

// A name is never more than a part of its line.
func TestLogQuotes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"A \"Town\" Hall \u001b[2J"}`)
	_, stdout, _ := runCommand(t, "log", "-data", dir)
	if strings.Count(stdout, "\n") != 3 || strings.ContainsRune(stdout, '\x1b') ||
		!strings.Contains(stdout, `Hall`) {
		t.Errorf("printed %q", stdout)
	}
}

// Damage ends the log with an error, after what is before it.
func TestLogOfDamage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	fill(t, s.Admin())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	text, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(segment, bytes.Replace(text, []byte("Music"), []byte("Musik"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	exit, stdout, stderr := runCommand(t, "log", "-data", dir)
	if exit != 1 || strings.Count(stdout, "\n") != 4 ||
		!strings.Contains(stderr, "00000000000000000001.jsonl: line 5") {
		t.Errorf("exit status %d, stdout %q, stderr %q", exit, stdout, stderr)
	}
	at := bytes.Index(text, []byte("Music"))
	if err := os.WriteFile(segment, bytes.Replace(text, text[at:at+5], make([]byte, 5), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	exit, stdout, stderr = runCommand(t, "log", "-data", dir)
	if exit != 1 || strings.Count(stdout, "\n") != 4 || !strings.Contains(stderr, "line 5") ||
		!strings.Contains(stderr, "was written later") {
		t.Errorf("NULs: exit status %d, stdout %q, stderr %q", exit, stdout, stderr)
	}
}

// An event that is cancelled, postponed or takes place after all is told apart from other changes
// of an event.
func TestLogOfStates(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	c := s.Admin()
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Fair","start_date":"2031-06-01","end_date":"2031-06-01"}`,
	)
	for _, change := range []string{`{"event_status":"canceled","title":"Off"}`, `{"event_status_reason":"Rain"}`,
		`{"event_status":"postponed"}`, `{"event_status":"scheduled"}`} {
		c.Must(t, "PUT", v1+"/events/1", change)
	}
	_, stdout, _ := runCommand(t, "log", "-data", dir, "-kind", "events")
	var got []string
	for line := range strings.Lines(stdout) {
		got = append(got, strings.Fields(line)[5])
	}
	if diff := cmp.Diff([]string{"created", "cancelled", "changed", "postponed", "changed"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, stdout)
	}
}

// log -follow prints each change when it is made, and ends on interrupt without an error.
func TestLogFollow(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	c := s.Admin()
	for _, name := range []string{"first", "second"} {
		c.Must(t, "POST", v1+"/tags", `{"name":"`+name+`"}`)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(
			ctx,
			[]string{"log", "-data", dir, "-follow", "-n", "1", "-kind", "tags"},
			cli.Process{
				Getenv: none,
				Stdout: in,
				Stderr: &lockedBuffer{},
			},
		)
		in.Close()
		ended <- err
	}()
	lines := bufio.NewScanner(out)
	next := func() string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("log -follow ended: %v", lines.Err())
		}
		return lines.Text()
	}
	want := func(part string) {
		t.Helper()
		if got := next(); !strings.Contains(got, part) {
			t.Errorf("printed %q, want %q in it", got, part)
		}
	}
	want(`tags             2  created    "second"`)
	c.Must(t, "POST", v1+"/venues", `{"venue":"Town Hall"}`)
	c.Must(t, "POST", v1+"/tags/1", `{"name":"third"}`)
	want(`tags             1  changed    "third"  name`)
	c.Must(t, "DELETE", v1+"/tags/1", "")
	want(`tags             1  removed    "third"`)
	interrupt()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	if lines.Scan() {
		t.Errorf("printed more: %q", lines.Text())
	}
}

// A head that was kept elsewhere is in the log, until that is cut off or written anew.
func TestHeadOfLog(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	fill(t, s.Admin())
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	text := readFile(t, segment)
	exit, stdout, stderr := runCommand(t, "log", "-data", dir, "-head")
	number, head, _ := strings.Cut(strings.TrimSuffix(stdout, "\n"), " ")
	if exit != 0 || stderr != "" || number != strconv.Itoa(strings.Count(text, "\n")) {
		t.Fatalf("exit status %d, stdout %q, stderr %q", exit, stdout, stderr)
	}
	verifies := func(what string, want int) {
		t.Helper()
		exit, stdout, stderr := runCommand(t, "verify", "-data", dir, "-since", head)
		if exit != want || exit == 0 && !strings.Contains(stdout, head+" is transaction "+number) {
			t.Errorf("%s: exit status %d, stdout %q, stderr %q", what, exit, stdout, stderr)
		}
	}
	verifies("the log", 0)
	cut := text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
	if err := os.WriteFile(segment, []byte(cut), 0o600); err != nil {
		t.Fatal(err)
	}
	verifies("a log without its last line", 1)
	st, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Update(1, func(tx *store.Tx) error {
		return tx.Put(&store.Venue{
			Name: "Another Hall",
		})
	}); err != nil {
		t.Error(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	verifies("a log with another last line", 1)
	for _, flag := range []string{"-json", "-follow", "-n=1", "-id=1", "-kind=events"} {
		exit, _, stderr := runCommand(t, "log", "-data", dir, "-head", flag)
		if exit != 2 || !strings.Contains(stderr, "-head: goes with -data alone") {
			t.Errorf("%s: exit status %d, stderr %q", flag, exit, stderr)
		}
	}
}
