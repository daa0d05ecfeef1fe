// Passwords of events on their way to a file.

package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// hashed stands for hashing.
func hashed(password string) string {
	if password == "" || strings.HasPrefix(password, "sealed ") {
		return password
	}
	return fmt.Sprint("sealed ", len(password))
}

// content returns everything that is in the files of a store.
func content(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	must(t, err)
	return all.String()
}

// passwords returns what is stored of the passwords of all events, by their ids.
func passwords(t *testing.T, s *store.Store) map[int64]string {
	t.Helper()
	all := map[int64]string{}
	_ = s.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			all[r.Key()] = r.(*store.Event).Password
		}
		return nil
	})
	return all
}

// Every way of putting an event hashes its password, in memory, in the log and in snapshots.
// A password from an older program stays as it was until the event is written again.
func TestSeal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	update := func(s *store.Store, f func(tx *store.Tx) error) {
		t.Helper()
		must(t, s.Update(1, f))
	}
	open := func(o store.Options) *store.Store {
		t.Helper()
		o.Dir = dir
		s, err := store.Open(o)
		must(t, err)
		return s
	}

	older := open(store.Options{})
	update(older, func(tx *store.Tx) error {
		return errors.Join(tx.Put(&store.Event{
			Title:    "A",
			Password: "written",
		}), tx.Put(&store.Event{
			Title:    "B",
			Password: "kept",
		}))
	})
	must(t, older.Close())
	if text := content(t, dir); !strings.Contains(text, `"password":"written"`) ||
		!strings.Contains(text, `"password":"kept"`) {
		t.Fatalf("a store without HashPassword does not store what it is given:\n%s", text)
	}
	before := content(t, dir)

	s := open(store.Options{HashPassword: hashed})
	equal(t, "opened", map[int64]string{1: "written", 2: "kept"}, passwords(t, s))
	c := &store.Event{Title: "C", Password: "new one"}
	failed := &store.Event{Title: "D", Password: "never"}
	update(s, func(tx *store.Tx) error {
		next := *tx.Event(1)
		next.Title = "A again"
		again := &store.Event{Title: "E", Password: hashed("x")}
		err := tx.Try(func() error { return errors.Join(tx.Put(failed), errors.New("no")) })
		if err == nil || failed.Password != "never" {
			t.Errorf("what was not put has the password %q", failed.Password)
		}
		return errors.Join(tx.Put(&next), tx.Put(c), tx.Put(again), tx.Put(&store.Event{
			Title: "F",
		}))
	})
	want := map[int64]string{1: "sealed 7", 2: "kept", 3: "sealed 7", 4: "sealed 1", 5: ""}
	if diff := cmp.Diff(want, passwords(t, s)); diff != "" || c.Password != "sealed 7" {
		t.Errorf("written, the record of the caller has %q (-want, +got):\n%s", c.Password, diff)
	}
	after := strings.TrimPrefix(content(t, dir), before)
	must(t, s.Snapshot(t.Context()))
	must(t, s.Close())
	for _, plain := range []string{"written", "new one", "never"} {
		if strings.Contains(after, plain) {
			t.Errorf("%q is in what was written to the log: %s", plain, after)
		}
	}
	if snapshots := content(t, filepath.Join(dir, "snapshots")); strings.Contains(
		snapshots,
		"written",
	) ||
		!strings.Contains(snapshots, `"password":"sealed 7"`) {
		t.Errorf("in the snapshot: %s", snapshots)
	}
	s = open(store.Options{HashPassword: hashed})
	defer s.Close()
	equal(t, "opened again", want, passwords(t, s))
}

// Lines are shown without passwords, and otherwise as they are.
func TestRedacted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, line, want string }{
		{"none", `{"seq":1,"change":{"events":[{"id":1,"title":"password"}]}}`, `{"seq":1,"change":{"events":[{"id":1,"title":"password"}]}}`},
		{"one", `{"events":[{"id":1,"password":"Open Sesame"}],"prev":""}`, `{"events":[{"id":1,"password":"…"}],"prev":""}`},
		{"several", `[{"password":"a"},{"password":"b","title":"b"}]`, `[{"password":"…"},{"password":"…","title":"b"}]`},
		{"with escapes", `{"password":"a\"b\\","title":"\\\"c"}`, `{"password":"…","title":"\\\"c"}`},
		{"with spaces, in another way", `{ "Pass\u0077ord" : "a" , "x":"a"}`, `{ "Pass\u0077ord" : "…" , "x":"a"}`},
		{"a text that looks like one", `{"title":"x\",\"password\":\"y","excerpt":"\"password\":"}`,
			`{"title":"x\",\"password\":\"y","excerpt":"\"password\":"}`},
		{"in a list", `{"title":["password","b"],"a":"c"}`, `{"title":["password","b"],"a":"c"}`},
		{"no text", `{"password":null,"title":"b","password":[],"slug":"c"}`, `{"password":null,"title":"b","password":[],"slug":"c"}`},
		{"cut off", `{"password":"a`, `{"password":"…"`},
	} {
		if got := string(store.Transaction{Line: []byte(tt.line)}.Redacted()); got != tt.want {
			t.Errorf("%s: %s becomes %s, want %s", tt.name, tt.line, got, tt.want)
		}
	}
}
