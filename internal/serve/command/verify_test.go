package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// This file verifies the directories of servers, through run.

// runCommand runs a command and returns its exit status and what it printed.
func runCommand(t testing.TB, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, diagnostics bytes.Buffer
	err := run(t.Context(), args, cli.Process{Getenv: none, Stdout: &out, Stderr: &diagnostics})
	if err != nil {
		fmt.Fprintln(&diagnostics, "almanac:", err)
	}
	return cli.Status(err), out.String(), diagnostics.String()
}

// headIn returns the head in the report of verify.
func headIn(t testing.TB, report string) string {
	t.Helper()
	head := regexp.MustCompile(`(?m)^head +([0-9a-f]{64})$`).FindStringSubmatch(report)
	if head == nil {
		t.Fatalf("no head in %q", report)
	}
	return head[1]
}

func TestVerifyCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	s.Admin().Must(t, "POST", v1+"/venues", `{"venue":"Town Hall"}`)
	exit, report, stderr := runCommand(t, "verify", "-data", dir)
	if exit != 0 || stderr != "" {
		t.Fatalf("beside a server: exit status %d, stderr %q", exit, stderr)
	}
	head := headIn(t, report)
	if exit, alone, _ := runCommand(t, "verify", "-head", "-data", dir); exit != 0 ||
		alone != head+"\n" {
		t.Errorf("verify -head: exit status %d, printed %q, want %q", exit, alone, head)
	}
	s.Admin().Must(t, "POST", v1+"/tags", `{"name":"free"}`)

	exit, report, stderr = runCommand(t, "verify", "-data", dir, "-since", head)
	for _, want := range []string{
		"log        1 segment, 4 transactions, ",
		"from       2031-05-10T12:00:00Z, transaction 1\n",
		"to         2031-05-10T12:00:00Z, transaction 4\n",
		"snapshots  none\n",
		"records    0 events, 1 venues, 0 organizers, 0 categories, 1 tags, 0 images, 1 accounts\n",
		"since      " + head + " is transaction 3 of 2031-05-10T12:00:00Z\n",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("printed %q, want %q in it", report, want)
		}
	}
	if exit != 0 || stderr != "" || headIn(t, report) == head {
		t.Errorf("exit status %d, stderr %q, head %s", exit, stderr, headIn(t, report))
	}
	if exit, report, _ := runCommand(t, "verify", "-data", dir, "-since", strings.ToUpper(head[:8])); exit != 0 ||
		!strings.Contains(report, head+" is transaction 3") {
		t.Errorf("the first digits: exit status %d, %q", exit, report)
	}
	if exit, _, stderr := runCommand(t, "verify", "-data", dir, "-since", "0123456789"); exit != 1 ||
		!strings.Contains(stderr, "no transaction of this log has this head") {
		t.Errorf("an unknown head: exit status %d, %q", exit, stderr)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}

	segment := filepath.Join(dir, "log", "00000000000000000001.jsonl")
	text, err := os.ReadFile(segment)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(segment, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(append(bytes.Clone(text), `{"seq":5`...))
	exit, report, stderr = runCommand(t, "verify", "-data", dir)
	if exit != 0 || stderr != "" || !strings.Contains(report,
		"torn       log/00000000000000000001.jsonl: offset "+fmt.Sprint(len(text))+": 8 bytes") {
		t.Errorf("a torn end: exit status %d, %q, stderr %q", exit, report, stderr)
	}
	write(bytes.Replace(text, []byte("free"), []byte("fred"), 1))
	exit, _, stderr = runCommand(t, "verify", "-data", dir)
	if exit != 1 ||
		!strings.HasPrefix(stderr, "log/00000000000000000001.jsonl: line 4: offset ") ||
		!strings.Contains(stderr, "not as it was written: 1 finding;") {
		t.Errorf("a changed byte: exit status %d, stderr %q", exit, stderr)
	}
	if exit, alone, _ := runCommand(t, "verify", "-head", "-data", dir); exit != 1 || alone != "" {
		t.Errorf("verify -head of a changed byte: exit status %d, printed %q", exit, alone)
	}
	write(text)
	if exit, report, _ := runCommand(t, "verify", "-data", dir); exit != 0 ||
		!strings.Contains(report, "4 transactions") {
		t.Errorf("as it was: exit status %d, %q", exit, report)
	}
}

// Reports and exit statuses for missing, added and unknown files.
func TestVerifyReports(t *testing.T) {
	t.Parallel()
	const older, newest = "snapshots/00000000000000000009", "snapshots/00000000000000000013"
	const head = "a666cac6d0b47a8dd8ba9a1d2c49684fb28cfbff164d17a69beee3e494a8c58c"
	remove := func(name string) func(dir string) error {
		return func(dir string) error { return os.RemoveAll(filepath.Join(dir, name)) }
	}
	add := func(name, text string) func(dir string) error {
		return func(dir string) error {
			f, err := os.OpenFile(
				filepath.Join(dir, name),
				os.O_WRONLY|os.O_CREATE|os.O_APPEND,
				0o600,
			)
			if err != nil {
				return err
			}
			_, err = f.WriteString(text)
			return errors.Join(err, f.Close())
		}
	}
	alter := func(name, old, new string) func(dir string) error {
		return func(dir string) error {
			name = filepath.Join(dir, name)
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), old) {
				return fmt.Errorf("no %q in %s: %w", old, name, err)
			}
			return os.WriteFile(name, []byte(strings.Replace(string(text), old, new, 1)), 0o600)
		}
	}
	tests := []struct {
		name   string
		format string
		harm   func(dir string) error
		since  string
		status int
		want   []string // parts of the output
	}{
		{"nothing", "pruned", func(string) error { return nil }, head, 0, []string{
			"pruned     transactions 1 to 8\n",
			"rests on   the snapshot of transaction 9, which transaction 10 names: heads from there on stand for all records\n",
			"snapshots  of transactions 9 11 13\n",
			"since      " + head + " is transaction 15 of",
		}},
		{"the newest snapshot removed", "pruned", remove(newest), "", 1,
			[]string{
				newest + ": the snapshot is missing: transaction 14 says that there is one\n",
			}},
		{
			"the base of the log removed",
			"pruned",
			remove(older),
			"",
			1,
			[]string{older + ": the snapshot is missing: transaction 14 says"},
		},
		{"a file added to a snapshot", "pruned", add(newest+"/notes.txt", "x"), "", 1,
			[]string{newest + "/notes.txt: it is not a file of a snapshot"}},
		{"an empty next segment", "pruned", add("log/00000000000000000016.jsonl", ""), head, 0,
			[]string{
				"empty      log/00000000000000000016.jsonl: the next segment, in which there is no line",
			}},
		{"a torn end", "pruned", add("log/00000000000000000014.jsonl", `{"v":7,"seq":16`), "", 0,
			[]string{
				"15 bytes of a line that is not whole: a server is writing it, or died before",
			}},
		{"an older head", "pruned", func(string) error { return nil }, "a head of line 9", 1,
			[]string{
				"the head of transaction 9, but it does not stand for the records: ",
				"only heads from transaction 10 on",
			}},
		{
			"damage",
			"pruned",
			alter("log/00000000000000000014.jsonl", `"removed":[`, `"rem0ved":[`),
			"",
			1,
			[]string{
				"7 events, 1 venues, 6 organizers, 1 categories, 0 tags, 1 images after transaction 14; damage hides",
			},
		},
		{"damage at the beginning", "whole", func(dir string) error {
			return errors.Join(
				os.RemoveAll(filepath.Join(dir, "snapshots")),
				alter("log/00000000000000000001.jsonl", `"account":`,
					`"acc0unt":`)(dir),
			)
		}, "", 1, []string{"records    unknown: damage hides them\n"}},
		{"pruned, and named by no line", "whole", func(dir string) error {
			return errors.Join(
				remove("log/00000000000000000001.jsonl")(dir),
				remove("log/00000000000000000005.jsonl")(dir),
			)
		}, "", 0, []string{"rests on   the snapshot of transaction 6, which no line of the log names"}},
		{"pruned, and named by no line, with a head", "whole", func(dir string) error {
			return errors.Join(
				remove("log/00000000000000000001.jsonl")(dir),
				remove("log/00000000000000000005.jsonl")(dir),
			)
		}, "7cc31be1", 1, []string{"the head of transaction 11, but it does not stand for the records: ", "which no line of it names"}},
		{
			"whole, with a head",
			"whole",
			func(string) error { return nil },
			"7cc31be1",
			0,
			[]string{"is transaction 11"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("testdata/stores/"+test.format)); err != nil {
				t.Fatal(err)
			}
			if err := test.harm(dir); err != nil {
				t.Fatal(err)
			}
			if test.since == "a head of line 9" {
				text := readFile(t, filepath.Join(dir, "log", "00000000000000000009.jsonl"))
				line, _, _ := strings.Cut(text, "\n")
				test.since = fmt.Sprintf("%x", sha256.Sum256([]byte(line)))
			}
			args := []string{"verify", "-data", dir}
			if test.since != "" {
				args = append(args, "-since", test.since)
			}
			exit, stdout, stderr := runCommand(t, args...)
			if exit != test.status {
				t.Errorf("exit status %d, want %d: %s", exit, test.status, stderr)
			}
			for _, want := range test.want {
				if !strings.Contains(stdout+stderr, want) {
					t.Errorf("printed %s%s, want %q in it", stdout, stderr, want)
				}
			}
			if strings.Contains(stdout, "never acknowledged") ||
				strings.Contains(stdout, "records    0 events") {
				t.Errorf("it claims to know: %s", stdout)
			}
		})
	}
}

// An interrupted verify does not report success.
func TestVerifyInterrupted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mustImport(t, "-data", dir, sample("millstreet.json"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout bytes.Buffer
	if err := run(ctx, []string{"verify", "-data", dir}, cli.Process{
		Getenv: none,
		Stdout: &stdout,
		Stderr: &stdout,
	}); cli.Status(err) != 1 || stdout.Len() > 0 {
		t.Errorf("error %v, printed %q", err, &stdout)
	}
}

// Mistakes in a call are one line that says what would be right.
func TestBadInspection(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o700); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	tests := []struct {
		name string
		args []string
		want []string // parts of the message
	}{
		{
			"verify: an argument",
			[]string{"verify", dir},
			[]string{"no argument", "almanac help verify"},
		},
		{
			"verify: an unknown flag",
			[]string{"verify", "-sinse", "a"},
			[]string{"did you mean -since?"},
		},
		{
			"verify: no directory",
			[]string{"verify", "-data", missing},
			[]string{"-data", "none", "data directory of a server"},
		},
		{
			"verify: another directory",
			[]string{"verify", "-data", t.TempDir()},
			[]string{"-data", "data directory of a server"},
		},
		{
			"verify: -since is too short",
			[]string{"verify", "-data", dir, "-since", "1234567"},
			[]string{"-since", "8 to 64 hexadecimal digits"},
		},
		{
			"verify: -since is too long",
			[]string{"verify", "-data", dir, "-since", strings.Repeat("1", 65)},
			[]string{"-since", "8 to 64 hexadecimal digits"},
		},
		{
			"verify: -since is no hash",
			[]string{"verify", "-data", dir, "-since", "yesterday"},
			[]string{"-since", "8 to 64 hexadecimal digits"},
		},
		{
			"log: an argument",
			[]string{"log", "events"},
			[]string{"no argument", "almanac help log"},
		},
		{
			"log: no directory",
			[]string{"log", "-data", missing},
			[]string{"-data", "none", "data directory of a server"},
		},
		{"log: -kind is none", []string{"log", "-data", dir, "-kind", "event"},
			[]string{
				"-kind",
				`"event"`,
				"events, venues, organizers, categories, tags, images, series",
			}},
		{
			"log: -id is no number",
			[]string{"log", "-data", dir, "-id", "one"},
			[]string{"-id", "a whole number"},
		},
		{
			"log: -id is negative",
			[]string{"log", "-data", dir, "-id", "-1"},
			[]string{"-id -1", "at least 1"},
		},
		{
			"log: -n is negative",
			[]string{"log", "-data", dir, "-n", "-5"},
			[]string{"-n -5", "at least 1"},
		},
		{
			"log: -follow is no boolean",
			[]string{"log", "-data", dir, "-follow=on"},
			[]string{"-follow", "true or false"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			exit, stdout, stderr := runCommand(t, test.args...)
			if exit != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf(
					"exit status %d, stdout %q, stderr %q; want 2 and one line",
					exit,
					stdout,
					stderr,
				)
			}
			for _, part := range test.want {
				if !strings.Contains(stderr, part) {
					t.Errorf("said %q, want %q in it", stderr, part)
				}
			}
		})
	}
}

// A directory of an older format is refused with instructions, and following them gives the same
// records: the older program's export equals this program's export after seeding with it.
func TestOlderDirectory(t *testing.T) {
	t.Parallel()
	const older = "testdata/stores/older/"
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS(older+"store")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify"}, {"export"}, {"log"}, {"identity"}, {"backup", filepath.Join(t.TempDir(), "archive")},
		{"serve", "-addr", "127.0.0.1:0"}, {"import", older + "export.json"}} {
		exit, _, stderr := runCommand(t, append(append(args[:1:1], "-data", data), args[1:]...)...)
		if exit == 0 || !strings.Contains(stderr, "almanac export") ||
			!strings.Contains(stderr, "-seed") ||
			!strings.Contains(stderr, "log/0") {
			t.Errorf("%q: exit status %d, %s", args, exit, stderr)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	s := startServer(t, on(dir, append(still, "-seed", older+"export.json")...)...)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readFile(t, older+"export.json"), mustRun(t, "export", "-data", dir)); diff != "" {
		t.Errorf("(-exported +seeded):\n%s", diff)
	}
}
