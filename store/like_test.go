// Long texts that several events have: memory, the log and snapshots have each once.

package store_test

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/store"
)

// longTexts are the texts that the events of a series may have from it.
var longTexts = map[string]func(*store.Event) *string{
	"title":         func(e *store.Event) *string { return &e.Title },
	"description":   func(e *store.Event) *string { return &e.Description },
	"excerpt":       func(e *store.Event) *string { return &e.Excerpt },
	"website":       func(e *store.Event) *string { return &e.Website },
	"custom field":  func(e *store.Event) *string { return &e.CustomFields[0].Value },
	"state":         func(e *store.Event) *string { return &e.StateReason },
	"more, on disk": func(e *store.Event) *string { return (*string)(&e.More) },
}

// putLong stores a series whose events have its texts, each a copy of its own.
func putLong(tx *store.Tx, dates int) error {
	made := func() store.Event {
		long := func(name string) string { return strings.Repeat(name+" <b>é\"</b>\u2028", 1000) }
		e := store.Event{
			Title:       long("title"),
			Website:     long("website"),
			State:       store.Canceled,
			StateReason: long("state"),
			Timezone:    "UTC",
		}
		e.Status = store.Publish
		e.Description = long("description")
		e.Excerpt = long("excerpt")
		e.CustomFields = store.CustomFields{{Key: "a", Value: long("custom field")}}
		return e
	}
	s := &store.Series{Event: made(), Rule: "FREQ=DAILY"}
	if err := tx.Put(s); err != nil {
		return err
	}
	for n := range dates {
		e := made()
		e.Start = store.Wall(n * 86_400)
		e.End = e.Start
		e.Recurrence = &store.Recurrence{Series: s.ID, Start: e.Start}
		if n == 1 {
			e.Description = strings.Repeat("own ", 1000)
			e.Recurrence.Changed = []string{"description"}
		}
		if err := tx.Put(&e); err != nil {
			return err
		}
	}
	return nil
}

// events returns the events of a store.
func events(s *store.Store) (all []*store.Event) {
	_ = s.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			all = append(all, r.(*store.Event))
		}
		return nil
	})
	slices.SortFunc(all, func(a, b *store.Event) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// bytesOf returns the bytes of all files of a pattern.
func bytesOf(t *testing.T, pattern string) (n int) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	must(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		must(t, err)
		n += len(text)
	}
	return n
}

// The events of a series have its texts once: when they are made, on disk, and after each way to
// open the store again.
func TestLongTextsOfSeriesAreThereOnce(t *testing.T) {
	t.Parallel()
	const dates = 40
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, Keep: -1})
	must(t, err)
	must(t, s.Update(1, func(tx *store.Tx) error { return putLong(tx, dates) }))
	want := events(s)
	check := func(when string) {
		t.Helper()
		must(t, s.Check())
		got := events(s)
		if diff := gocmp.Diff(want, got); diff != "" || len(got) != dates {
			t.Fatalf("%s: %d events (-want +got):\n%s", when, len(got), diff)
		}
		for name, text := range longTexts {
			places := map[*byte]bool{}
			for _, e := range got {
				places[unsafe.StringData(*text(e))] = true
			}
			if n := len(places); n != 1 &&
				!(name == "description" && n == 2) { // one event has its own
				t.Errorf("%s: %s is in memory %d times", when, name, n)
			}
		}
	}
	check("made")
	size := 0
	for _, e := range want[:1] {
		size = len(e.Title) + len(e.Description) + len(e.Excerpt) + len(e.Website) + len(e.More)
	}
	if n := bytesOf(t, dir+"/log/*"); n > 3*size {
		t.Errorf("the log has %d bytes, the texts of one event %d", n, size)
	}
	reopen := func(when string) {
		t.Helper()
		must(t, s.Close())
		report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%s: verified with error %v: %+v", when, err, report)
		}
		s, err = store.Open(store.Options{Dir: dir, Keep: -1})
		must(t, err)
		check(when)
	}
	reopen("from the log")
	must(t, s.Snapshot(t.Context()))
	if n := bytesOf(t, dir+"/snapshots/*/*"); n > 3*size {
		t.Errorf("the snapshot has %d bytes, the texts of one event %d", n, size)
	}
	reopen("from a snapshot")
	// An event that is written alone is whole, and has the texts of its series in memory.
	must(t, s.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(want[3].ID)
		for _, text := range longTexts {
			*text(&e) = strings.Clone(*text(&e))
		}
		e.Featured = true
		want[3] = &e
		return tx.Put(&e)
	}))
	check("written alone")
	reopen("from a snapshot and the log")
	must(t, s.Close())
}

// A line and a snapshot have the newer number only if some event in them is like another.
func TestFormatOfLikeEvents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, Keep: -1})
	must(t, err)
	must(t, s.Update(1, func(tx *store.Tx) error { return putLong(tx, 1) }))
	must(t, s.Snapshot(t.Context()))
	must(t, s.Update(1, func(tx *store.Tx) error { return putLong(tx, 2) }))
	must(t, s.Snapshot(t.Context()), s.Close())
	var formats []string
	logs, err := filepath.Glob(dir + "/log/*")
	must(t, err)
	manifests, failed := filepath.Glob(dir + "/snapshots/*/manifest.json")
	must(t, failed)
	for _, name := range append(logs, manifests...) {
		text, err := os.ReadFile(name)
		must(t, err)
		for line := range bytes.Lines(text) {
			if bytes.HasPrefix(line, []byte(`{"v":`)) {
				formats = append(formats, string(line[:len(`{"v":7`)]))
			} else if _, version, found := bytes.Cut(line, []byte(`"version": `)); found {
				formats = append(formats, string(version[:1]))
			}
		}
	}
	want := []string{`{"v":7`, `{"v":7`, `{"v":8`, `{"v":7`, "5", "6"} // each checkpoint has 7
	if diff := gocmp.Diff(want, formats); diff != "" {
		t.Errorf("formats (-want +got):\n%s", diff)
	}
}

// TestGoldenLike opens a directory in which events are like others, in a line and in a snapshot.
func TestGoldenLike(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Come <b>and</b> sing “é”. ", 6)
	own := strings.Repeat("With an organ. ", 10)
	for name, harm := range map[string]func(dir string) error{
		"from the snapshot": func(string) error { return nil },
		"from the log":      func(dir string) error { return os.RemoveAll(dir + "/snapshots") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := golden(t, "v8")
			report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
			if err != nil || len(report.Findings) > 0 {
				t.Errorf("verified with error %v: %+v", err, report)
			}
			must(t, harm(dir))
			s, err := store.Open(store.Options{Dir: dir})
			must(t, err)
			defer s.Close()
			must(t, s.Check())
			var got [][]string
			for _, e := range events(s) {
				got = append(
					got,
					[]string{
						e.Start.String(),
						e.Title,
						e.Description,
						e.Excerpt,
						e.Website,
						e.StateReason,
						e.CustomFields[0].Value,
					},
				)
			}
			want := [][]string{
				{
					"2031-05-06 19:00:00",
					long,
					long,
					"short",
					"https://example.org/" + long,
					long,
					own,
				},
				{
					"2031-05-13 19:00:00",
					long,
					own,
					"short",
					"https://example.org/" + long,
					long,
					own,
				},
				{
					"2031-05-20 19:00:00",
					"Last",
					long,
					"short",
					"https://example.org/" + long,
					long,
					own,
				},
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}
