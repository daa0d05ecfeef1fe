package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged directory, and a damaged archive of it, are restored behind the damage: everything
// that was not hit is there, the new directory verifies, and its log says what is missing. Before,
// all commands that refuse the directory name the way.
func TestSkipDamaged(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, on(dir, still...)...)
	for _, title := range []string{"Concert", "Theatre", "Choir"} {
		s.Admin().
			Must(t, "POST", v1+"/events", `{"title":"`+title+`","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 22:00:00"}`)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(t.TempDir(), "archive.tar")
	mustRun(t, "backup", "-data", dir, archive)

	// The line of the theatre is hit, in both.
	hit := func(file string) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.Replace(text, []byte(`"title":"Theatre"`), []byte(`"title":"Tneatre"`), 1)
		if bytes.Equal(damaged, text) {
			t.Fatalf("%s has no theatre", file)
		}
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	segments, err := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	if err != nil || len(segments) != 1 {
		t.Fatal(segments, err)
	}
	hit(segments[0])
	hit(archive)

	for _, args := range [][]string{{"verify", "-data", dir}, {"export", "-data", dir, "-"},
		{"backup", "-data", dir, filepath.Join(t.TempDir(), "again.tar")},
		{"restore", "-data", filepath.Join(t.TempDir(), "new"), "-from", dir}} {
		exit, _, stderr := runCommand(t, args...)
		if exit != 1 || !strings.Contains(stderr, "restore -skip-damaged") {
			t.Errorf("%q: status %d, %s", args, exit, stderr)
		}
	}
	for _, from := range [][]string{{"-from", dir}, {archive}} {
		anew := filepath.Join(t.TempDir(), "new")
		out := mustRun(t, append([]string{"restore", "-skip-damaged", "-data", anew}, from...)...)
		if !strings.Contains(out, "2 events") || !strings.Contains(out, ": lost") ||
			!strings.Contains(out, "checksum") {
			t.Errorf("%q printed %s", from, out)
		}
		mustRun(t, "verify", "-data", anew)
		if got := mustRun(t, "log", "-data", anew); !strings.Contains(got, "salvaged") ||
			!strings.Contains(got, ": lost") {
			t.Errorf("the log of it is %s", got)
		}
		events := mustRun(t, "export", "-data", anew, "-")
		for title, want := range map[string]bool{
			"Concert": true,
			"Theatre": false,
			"Choir":   true,
		} {
			if strings.Contains(events, title) != want {
				t.Errorf("%q: %s is there: %v", from, title, !want)
			}
		}
	}
	// A file that is cut off in the middle is read up to there.
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, text[:len(text)*3/4], 0o600); err != nil {
		t.Fatal(err)
	}
	if exit, stdout, stderr := runCommand(t, "restore", "-skip-damaged", "-data", filepath.Join(t.TempDir(), "cut"), archive); exit != 0 ||
		!strings.Contains(stdout, "what comes after it cannot be read") {
		t.Errorf("an archive that is cut off: status %d, %s%s", exit, stdout, stderr)
	}
	exit, _, stderr := runCommand(
		t,
		"restore",
		"-skip-damaged",
		"-data",
		filepath.Join(t.TempDir(), "none"),
		"-from",
		t.TempDir(),
	)
	if exit != 1 || !strings.Contains(stderr, "neither a log nor a snapshot") {
		t.Errorf("a directory of something else: status %d, %s", exit, stderr)
	}
	exit, _, stderr = runCommand(
		t,
		"restore",
		"-skip-damaged",
		"-data",
		filepath.Join(t.TempDir(), "both"),
		"-from",
		dir,
		"-seq",
		"1",
	)
	if exit != 2 || !strings.Contains(stderr, "leave out -at and -seq") {
		t.Errorf("-skip-damaged with -seq: status %d, %s", exit, stderr)
	}
}
