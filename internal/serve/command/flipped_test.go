package command

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/store"
)

// A byte of a directory that goes bad is told with the name of its file by each command that needs
// it, and changes nothing that a command says of records.
func TestFlippedBytesAlone(t *testing.T) {
	race.Alone(t)
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	s.Admin().Must(t, "POST", v1+"/events", `{"title":"Choir","start_date":"2031-05-10 20:00",
		"end_date":"2031-05-10 21:00","venue":{"venue":"Hall"}}`)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(st.Snapshot(t.Context()), st.Close()); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "users", "add", "-data", dir, "-role", "editor", "anna")

	records := func(of string) string {
		return mustRun(t, "export", "-data", of, "-") + mustRun(t, "users", "list", "-data", of)
	}
	commands := []struct {
		args []string
		made func(to string) string // says the records; nil: the output does
	}{
		{[]string{"verify", "-data", dir}, nil},
		{[]string{"log", "-data", dir}, nil},
		{[]string{"users", "list", "-data", dir}, nil},
		{[]string{"identity", "-data", dir}, nil},
		{[]string{"export", "-data", dir, "-"}, nil},
		{[]string{"restore", "-from", dir, "-data"}, records},
		{[]string{"backup", "-data", dir}, func(archive string) string {
			mustRun(t, "restore", "-data", archive+".dir", archive)
			return records(archive + ".dir")
		}},
	}
	run := func(i int) (exit int, said, stderr string) {
		c := commands[i]
		if c.made == nil {
			return runCommand(t, c.args...)
		}
		to := filepath.Join(t.TempDir(), "to")
		exit, _, stderr = runCommand(t, append(slices.Clip(c.args), to)...)
		if exit == 0 {
			said = c.made(to)
		}
		return exit, said, stderr
	}
	want := make([]string, len(commands))
	for i, c := range commands {
		exit, said, stderr := run(i)
		if want[i] = said; exit != 0 {
			t.Fatalf("%q: %s", c.args, stderr)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "log", "*"))
	snapshot, err2 := filepath.Glob(filepath.Join(dir, "snapshots", "*", "*"))
	if err := errors.Join(err, err2); err != nil || len(files) == 0 || len(snapshot) == 0 {
		t.Fatal(files, snapshot, err)
	}
	files = append(files, snapshot...)
	stride := 211
	if os.Getenv("ALMANAC_LONG") != "" {
		stride = 1
	}
	for _, file := range files {
		intact, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for at := range intact {
			if at%stride > 0 && at != len(intact)-1 {
				continue
			}
			bad := slices.Clone(intact)
			bad[at] ^= 1 << (at % 8)
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			for i, c := range commands {
				exit, said, stderr := run(i)
				isNamed := strings.Contains(stderr, filepath.Base(file))
				if exit != 0 && !isNamed {
					t.Errorf("%q, byte %d of %s: status %d, %s", c.args, at, file, exit, stderr)
				}
				if exit == 0 && said != want[i] {
					t.Errorf("%q, byte %d of %s (-want, +got):\n%s",
						c.args, at, file, cmp.Diff(want[i], said))
				}
			}
		}
		if err := os.WriteFile(file, intact, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
