package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/tools/race"
	"almanac/store"
)

// This file looks for passwords of events where they must not be.

// filesIn returns the content of every file below a directory.
func filesIn(t *testing.T, dir string) []byte {
	t.Helper()
	var all []byte
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() { // a directory or a socket
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// opens reports whether a password opens an event to a stranger.
func opens(t *testing.T, s *testServer, id int, password string) bool {
	t.Helper()
	a := s.As("").Do(
		t,
		"GET",
		fmt.Sprint(v1, "/events/", id, "?password=", password),
		"",
	)
	if a.Status != 200 && a.Status != 403 {
		t.Fatalf("event %d with the password %s: %d %s", id, password, a.Status, a.Body)
	}
	return a.Status == 200
}

// Whichever way a password comes into a data directory, in its files there is a
// hash, and almanac log prints neither.
func TestPasswordsOnDiskAlone(t *testing.T) {
	race.Alone(t)
	base := t.TempDir()
	dir := filepath.Join(base, "data")
	seed := filepath.Join(base, "seed.json")
	file := filepath.Join(base, "import.json")
	event := func(title, password string) string {
		return `{"title":"` + title + `","start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 12:00:00","password":"` + password + `"}`
	}
	for name, text := range map[string]string{
		seed: `{"events":[` + event("Seeded", "from-the-seed") + `]}`,
		file: `{"events":[` + strings.Replace(event("Imported", "from-the-file"), `{`, `{"global_id":"elsewhere.example?id=7",`, 1) + `]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := startServer(t, on(dir, append([]string{"-seed", seed}, still...)...)...)
	c := s.Admin()
	c.Must(t, "POST", v1+"/events", event("Made", "from-a-request"))
	c.Must(t, "PATCH", v1+"/events/2", `{"password":"from-a-change"}`)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if exit, stdout, stderr := runCommand(t, "import", "-data", dir, file); exit != 0 {
			t.Fatalf("import: %d %s %s", exit, stdout, stderr)
		}
	}
	text := filesIn(t, dir)
	if n := bytes.Count(text, []byte(`"password":"$pbkdf2-sha256$i=600000$`)); n != 4 ||
		bytes.Contains(text, []byte("from-")) {
		t.Errorf("%d hashes in the files, want 4 and no password:\n%s", n, text)
	}
	for _, flags := range [][]string{nil, {"-json"}} {
		_, stdout, _ := runCommand(t, append([]string{"log", "-data", dir}, flags...)...)
		if strings.Contains(stdout, "from-") || strings.Contains(stdout, "pbkdf2") ||
			!strings.Contains(stdout, "Seeded") {
			t.Errorf("log %v prints: %s", flags, stdout)
		}
	}
	s = startServer(t, on(dir, still...)...)
	for id, password := range map[int]string{
		1: "from-the-seed",
		2: "from-a-change",
		3: "from-the-file",
	} {
		if !opens(t, s, id, password) || opens(t, s, id, "from-a-request") {
			t.Errorf("event %d is not opened by %s alone", id, password)
		}
	}
}

// A store of a program that stored passwords as they are goes on working, and has
// the hash from the next time that the event is written.
func TestPlainPasswordsAlone(t *testing.T) {
	race.Alone(t)
	dir := filepath.Join(t.TempDir(), "data")
	older, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	err = older.Update(1, func(tx *store.Tx) error {
		return tx.Put(&store.Event{
			Post: store.Post{
				Status: store.Publish,
				Author: 1,
			},
			Title:    "Old",
			Timezone: "UTC",
			Password: "as-it-is",
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := runCommand(t, "log", "-data", dir, "-json"); strings.Contains(
		stdout,
		"as-it-is",
	) ||
		!strings.Contains(stdout, `"password":"…"`) {
		t.Errorf("log -json prints: %s", stdout)
	}
	s := startServer(t, on(dir, still...)...)
	before := filesIn(t, filepath.Join(dir, "log")) // the server has noted its accounts there
	try := func(when string) {
		t.Helper()
		if !opens(t, s, 1, "as-it-is") || opens(t, s, 1, "as-it-was") {
			t.Errorf("%s, the event is not opened by its password alone", when)
		}
	}
	try("before it is written")
	if after := filesIn(t, filepath.Join(dir, "log")); !bytes.Equal(before, after) {
		t.Errorf("reading wrote: %s", after)
	}
	s.Admin().Must(t, "PATCH", v1+"/events/1", `{"title":"New"}`)
	try("after that")
	written := bytes.TrimPrefix(filesIn(t, filepath.Join(dir, "log")), before)
	var line struct {
		Change struct {
			Events []struct{ Title, Password string }
		}
	}
	if err := json.Unmarshal(written, &line); err != nil || len(line.Change.Events) != 1 ||
		!strings.HasPrefix(line.Change.Events[0].Password, "$pbkdf2-sha256$i=600000$") {
		t.Errorf("written (%v): %s", err, written)
	}
}
