package command

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// This file exports data directories, and compares what a server shows that is
// seeded with it.

// The directory of a running server is exported, and a server seeded with the export answers the
// same bytes.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := filepath.Join(dir, "calendar.json")
	s := startServer(t, on(data, still...)...)
	c := s.Admin()
	fill(t, c)
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Secret","start_date":"2031-08-03","end_date":"2031-08-04","password":"open","image":"https://example.org/a.png",
			"post_parent":3}`,
	)
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Later","start_date":"2031-08-03","end_date":"2031-08-04","date":"2031-07-01"}`,
	)
	before := c.Everything(t)
	if out := mustRun(t, "export", "-data", data, file); out != "" {
		t.Errorf("export printed %s", out)
	}
	document := mustRun(t, "export", "-data", data)
	if again := mustRun(t, "export", "-data", data, "-"); again != document {
		t.Error("- and nothing are not the same")
	}
	if diff := cmp.Diff(document, readFile(t, file)); diff != "" {
		t.Errorf("(-standard output, +file):\n%s", diff)
	}
	if !strings.HasPrefix(document, "{\n  \"exact\": true,\n  \"images\": [\n    {\n") ||
		!strings.Contains(document, "\n      \"title\": \"Concert & Café\",\n") {
		t.Errorf("exported %s", document)
	}

	other := filepath.Join(dir, "other")
	seeded := startServer(t, on(other, append([]string{"-seed", file}, still...)...)...)
	if diff := cmp.Diff(before, seeded.Admin().Everything(t)); diff != "" {
		t.Errorf("(-exported, +seeded):\n%s", diff)
	}
	if err := seeded.Stop(); err != nil {
		t.Fatal(err)
	}
	if again := mustRun(t, "export", "-data", other); again != document {
		t.Errorf("exported again (-first, +second):\n%s", cmp.Diff(document, again))
	}
}

// The parts of a series that was split know each other in a calendar that is seeded with the
// export, and in one with other ids that imports it.
func TestExportParts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := filepath.Join(dir, "calendar.json")
	const made = `{"title":"Choir","start_date":"2031-06-03 19:00","end_date":"2031-06-03 21:00",
		"recurrence":{"rule":"FREQ=WEEKLY;COUNT=6"}}`
	s := startServer(t, on(data, still...)...)
	c := s.Admin()
	c.Must(t, "POST", v1+"/events", made)
	for _, split := range []string{"choir-2031-06-24", "choir-2031-06-10"} {
		body := `{"all_day":true,"scope":"following"}`
		c.Must(t, "PATCH", v1+"/events/by-slug/"+split, body)
	}
	parts := func(s *testServer) (chain []string) {
		title := map[any]string{nil: "none"}
		all := shown(t, s, v1+"/series?per_page=50", "series")
		for _, one := range all {
			title[one.(object)["id"]] = one.(object)["start_date"].(string)
		}
		for _, one := range all {
			one := one.(object)
			chain = append(
				chain,
				title[one["earlier"]]+" < "+title[one["id"]]+" < "+title[one["later"]],
			)
		}
		slices.Sort(chain)
		return chain
	}
	want := []string{
		"2031-06-03 19:00:00 < 2031-06-10 00:00:00 < 2031-06-24 00:00:00",
		"2031-06-10 00:00:00 < 2031-06-24 00:00:00 < none",
		"none < 2031-06-03 19:00:00 < 2031-06-10 00:00:00",
	}
	if diff := cmp.Diff(want, parts(s)); diff != "" {
		t.Fatalf("the series that was split (-want, +got):\n%s", diff)
	}
	mustRun(t, "export", "-data", data, file)
	seeded := startServer(
		t,
		on(filepath.Join(dir, "seeded"), append([]string{"-seed", file}, still...)...)...)
	if diff := cmp.Diff(want, parts(seeded)); diff != "" {
		t.Errorf("seeded (-want, +got):\n%s", diff)
	}
	other := filepath.Join(dir, "imported")
	imported := startServer(t, on(other, still...)...)
	imported.Admin().
		Must(t, "POST", v1+"/events", `{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02"}`)
	if err := imported.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		mustImport(t, "-data", other, file)
		imported = startServer(t, on(other, still...)...)
		if diff := cmp.Diff(want, parts(imported)); diff != "" {
			t.Errorf("imported (-want, +got):\n%s", diff)
		}
		if err := imported.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

// A mistake leaves what was there, and nothing beside it.
func TestExportMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	file := filepath.Join(dir, "calendar.json")
	s := startServer(t, on(data, still...)...)
	fill(t, s.Admin())
	replace(t, file, "as it was")
	broken := filepath.Join(dir, "broken")
	if err := os.MkdirAll(filepath.Join(broken, "log"), 0o700); err != nil {
		t.Fatal(err)
	}
	segment := filepath.Join("log", "00000000000000000001.jsonl")
	replace(
		t,
		filepath.Join(broken, segment),
		strings.Replace(readFile(t, filepath.Join(data, segment)), "Town Hall", "Town Hull", 1),
	)
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"to two files", []string{"-data", data, "a", "b"}, 2, "name one file to write"},
		{
			"of a directory that is not there",
			[]string{"-data", filepath.Join(dir, "none"), file},
			2,
			"there is no log in",
		},
		{
			"of a directory without a log",
			[]string{"-data", dir, file},
			2,
			"give the data directory of a server",
		},
		{"of damage", []string{"-data", broken, file}, 1, "line 3"},
		{
			"to where there is no directory",
			[]string{"-data", data, filepath.Join(dir, "none", "calendar.json")},
			1,
			"no such file",
		},
		{"to a directory", []string{"-data", data, data}, 1, "not a regular file"},
		{
			"with a word that is none",
			[]string{
				"-data",
				data,
				"-format",
				"ical",
				"-url",
				"https://a.example",
				"-event-base",
				"A b",
				file,
			},
			2,
			`-event-base "A b": must be one word`,
		},
		{"with a flag of another command", []string{"-users", file}, 2, "there is no flag -users"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := command(t, append([]string{"export"}, test.args...)...)
			if cli.Status(err) != test.status || !strings.Contains(err.Error(), test.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf(
					"exit status %d: %v; want %d and one line with %q",
					cli.Status(err),
					err,
					test.status,
					test.want,
				)
			}
			if got := readFile(t, file); got != "as it was" {
				t.Errorf("the file is %s", got)
			}
			if names, err := os.ReadDir(dir); err != nil || len(names) != 3 {
				t.Errorf("left behind: %v, %v", names, err)
			}
		})
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	if err := run(t.Context(), []string{"export", "-data", data}, cli.Process{
		Getenv: none,
		Stdout: full,
		Stderr: &lockedBuffer{},
	}); cli.Status(err) != 1 ||
		!errors.Is(err, syscall.ENOSPC) {
		t.Errorf("to a full disk: exit status %d, %v", cli.Status(err), err)
	}
}
