// Directories of older programs, which every later one must open, and what their
// heads vouch for.

package store_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// TestFormat1 opens a directory of format 1: three segments, of which a snapshot
// covers two, texts of all sorts, a record of every kind, a removal. The files
// are never made anew.
func TestFormat1(t *testing.T) {
	t.Parallel()
	const head = "15e2cbb99e317db20219b107a8198f0d7180d86f410d7e4516b9f082fa705bc6"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the older snapshot", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000007") }},
		{"from the log alone", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../testdata/stores/v1")); err != nil {
				t.Fatal(err)
			}
			if err := tt.harm(dir); err != nil {
				t.Fatal(err)
			}
			report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
			if err != nil || len(report.Findings) > 0 || hex.EncodeToString(report.Head[:]) != head {
				t.Errorf("verified up to %x, with findings %v and error %v", report.Head, report.Findings, err)
			}
			s, err := store.Open(store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			err = s.View(func(v *store.View) error {
				at := v.Head()
				if v.Seq() != 11 || hex.EncodeToString(at[:]) != head {
					t.Errorf("opened at %d, %x", v.Seq(), at)
				}
				got := []int{v.Len(store.Events), v.Len(store.Venues), v.Len(store.Organizers), v.Len(store.Categories), v.Len(store.Tags),
					v.Len(store.Images)}
				if diff := cmp.Diff([]int{12, 8, 8, 8, 10, 1}, got); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
				e, _ := v.ByOrigin(store.Events, "elsewhere.example?id=7").(*store.Event)
				if e == nil {
					t.Fatal("the event from elsewhere is not there")
				}
				texts := []string{e.Title, e.Description, v.Image(e.Image).Sizes[0].Name}
				want := []string{"Café “Zürich” <b>\u2028</b> \U0001F3B7", "Line one\nline \"two\"\t\\ & < >", "thumbnail"}
				if diff := cmp.Diff(want, texts); diff != "" {
					t.Errorf("texts (-want +got):\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: "New"}) }); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
}

// TestFormat2 opens a directory of format 2: a pruned log that goes on from a snapshot,
// which a checkpoint names, with records of most kinds. The files are never made anew.
func TestFormat2(t *testing.T) {
	t.Parallel()
	const head = "39f5373a952794ab1fab30e62b0cf4df478d22aa419b990c0e9609177b07451b"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
		want []string               // the findings, by their files
	}{
		{"as it is", func(string) error { return nil }, nil},
		{"without the newest snapshot", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000013") },
			[]string{"snapshots/00000000000000000013"}},
		{"without the snapshot that the log rests on", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000009") },
			[]string{"snapshots/00000000000000000009"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../testdata/stores/v2")); err != nil {
				t.Fatal(err)
			}
			if err := tt.harm(dir); err != nil {
				t.Fatal(err)
			}
			report, err := store.Verify(t.Context(), dir, store.VerifyOptions{Since: head})
			if err != nil || hex.EncodeToString(report.Head[:]) != head || len(report.Since) != 1 || !report.Since[0].Whole {
				t.Errorf("verified with error %v: %+v", err, report)
			}
			var found []string
			for _, f := range report.Findings {
				found = append(found, f.File)
			}
			if diff := cmp.Diff(tt.want, found); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			s, err := store.Open(store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			err = s.View(func(v *store.View) error {
				at := v.Head()
				if v.Seq() != 15 || hex.EncodeToString(at[:]) != head {
					t.Errorf("opened at %d, %x", v.Seq(), at)
				}
				got := []int{v.Len(store.Events), v.Len(store.Venues), v.Len(store.Organizers), v.Len(store.Categories), v.Len(store.Tags),
					v.Len(store.Images)}
				if diff := cmp.Diff([]int{7, 1, 5, 1, 0, 1}, got); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
				if e, _ := v.BySlug(store.Events, "never-changed").(*store.Event); e == nil || e.Title != "Never changed again" {
					t.Errorf("the event that is in no line is %+v", e)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: "New"}) }); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
}

// openGolden opens a copy of a directory of an earlier version, which verifies up to a head, and
// is harmed then.
func openGolden(t *testing.T, version, head string, harm func(dir string) error) *store.Store {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/stores/"+version)); err != nil {
		t.Fatal(err)
	}
	report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
	if err != nil || len(report.Findings) > 0 || hex.EncodeToString(report.Head[:]) != head {
		t.Errorf("verified with error %v: %+v", err, report)
	}
	if err := harm(dir); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	return s
}

// TestFormat3 opens a directory of format 3: a snapshot from before the first series,
// one with series, and lines about both after it. The files are never made anew.
func TestFormat3(t *testing.T) {
	t.Parallel()
	const head = "b1dded982e7d17ae44b9d08907db66bb43274c4d7c15e633aa33529a76c3c949"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the snapshot without series", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000004") }},
		{"from the log alone", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openGolden(t, "v3", head, tt.harm)
			err := s.View(func(v *store.View) error {
				if at := v.Head(); v.Seq() != 8 || hex.EncodeToString(at[:]) != head {
					t.Errorf("opened at %d, %x", v.Seq(), at)
				}
				var got []string
				for _, e := range v.Instances(4) {
					got = append(got, strings.Join(append([]string{e.Recurrence.Start.String(), string(e.Status)}, e.Recurrence.Changed...), ", "))
				}
				want := []string{"2026-11-24 19:00:00, publish", "2026-12-01 19:00:00, publish, start_date, title", "2026-12-05 18:00:00, publish",
					"2026-12-08 19:00:00, trash", "2026-12-08 19:00:00, publish"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("events of the series (-want +got):\n%s", diff)
				}
				choir := v.Series(4)
				got = []string{choir.Rule, fmt.Sprint(choir.RDates, choir.EXDates), choir.Horizon.String(), choir.Event.Title, choir.Event.Slug,
					string(v.Series(9).Event.Status), fmt.Sprint(v.Len(store.AllSeries), v.Len(store.Events))}
				want = []string{"FREQ=WEEKLY;BYDAY=TU", "[2026-12-05 18:00:00] [2026-12-15 19:00:00 2026-12-29 19:00:00]", "2029-01-22 18:00:00",
					"Choir <b>“é”</b>", "choir", "trash", "2 6"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("series (-want +got):\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Venue{Name: "New"}) }); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
}

// A log of format 1 that was pruned names no snapshot, so that no head vouches for what
// it goes on from. That is no damage, and it ends with the next snapshot.
func TestFormat1Pruned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/stores/v1")); err != nil {
		t.Fatal(err)
	}
	for _, first := range []string{"00000000000000000001", "00000000000000000005"} {
		if err := os.Remove(filepath.Join(dir, "log", first+".jsonl")); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(seq, namedBy uint64, whole bool) {
		t.Helper()
		report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
		if err != nil || len(report.Findings) > 0 || report.Base != 6 || report.NamedBy != namedBy || report.Last != seq {
			t.Fatalf("error %v, %+v", err, report)
		}
		report, err = store.Verify(t.Context(), dir, store.VerifyOptions{Since: hex.EncodeToString(report.Head[:])})
		if err != nil || len(report.Since) != 1 || report.Since[0].Whole != whole {
			t.Errorf("error %v, ancestors %+v", err, report.Since)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "snapshots", "00000000000000000007")); err != nil {
		t.Fatal(err)
	}
	expect(11, 0, false)
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	expect(12, 12, true)
	if text, err := os.ReadFile(filepath.Join(dir, "log", "00000000000000000006.jsonl")); err != nil ||
		strings.Count(string(text), `{"v":2,`) != 1 {
		t.Errorf("not one checkpoint (%v): %s", err, text)
	}
}

// TestFormat4 opens a directory of format 4: records that had other slugs, in a snapshot and
// in lines after it. The files are never made anew.
func TestFormat4(t *testing.T) {
	t.Parallel()
	const head = "a770523331e26a7dade5973f1ba1f5ea1803cfad47c7ea58b7ae871a835f990d"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the log alone", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openGolden(t, "v4", head, tt.harm)
			_ = s.View(func(v *store.View) error {
				var got []string
				for _, former := range [][]string{v.Event(1).Former, v.Venue(2).Former, v.Term(store.Categories, 1).Former} {
					got = append(got, strings.Join(former, " "))
				}
				for _, slug := range []string{"choir", "choir-evening", "sing-along"} {
					got = append(got, fmt.Sprint(len(v.ByFormer(store.Events, slug))))
				}
				want := []string{"choir-evening choir", "hall", "music", "1", "1", "0"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("earlier slugs (-want +got):\n%s", diff)
				}
				return nil
			})
		})
	}
}

// TestFormat5 opens a directory of format 5: one that was salvaged, with the note of what is
// missing. The files are never made anew.
func TestFormat5(t *testing.T) {
	t.Parallel()
	const head = "fa6c33171185a9088c75fa6f627b554e1995a3aae1ac71f5403f292eb6bc2ad1"
	s := openGolden(t, "v5", head, func(string) error { return nil })
	_ = s.View(func(v *store.View) error {
		if e := v.Event(1); v.Seq() != 6 || e == nil || e.Slug != "choir-evening" {
			t.Errorf("opened at %d, with the event %+v", v.Seq(), e)
		}
		return nil
	})
	var missing []string
	for tr, err := range store.History("../testdata/stores/v5", nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tr.Note != nil {
			missing = append(missing, tr.Note.Salvaged.Missing...)
		}
	}
	if len(missing) != 3 || missing[0] != "transaction 4: lost" {
		t.Errorf("the log says that %q is missing", missing)
	}
}

// TestFormat6 opens a directory of format 6: accounts in lines before a snapshot, in it, and in
// lines after it. The files are never made anew.
func TestFormat6(t *testing.T) {
	t.Parallel()
	const head = "0fd71bb5ca369f6f9985f8a00ac1038357b36db39ac87a3950f679cca3b96b7a"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the log alone", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
		{"from the snapshot", func(dir string) error { return os.Remove(dir + "/log/00000000000000000001.jsonl") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openGolden(t, "v6", head, tt.harm)
			_ = s.View(func(v *store.View) error {
				var got []string
				for _, a := range v.Accounts() {
					got = append(got, fmt.Sprintf("%d %s %s %t %s %d", a.ID, a.Login, a.Role, a.Removed, a.By, len(a.Tokens)))
				}
				want := []string{"1 admin administrator false found 1", "2   true command 0", "3   true reload 0", "7   true command 0"}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("accounts (-want +got):\n%s", diff)
				}
				return nil
			})
		})
	}
}

// TestFormat7 opens a directory of format 7: an identity in a line before a snapshot and in it, and
// another one in a line after it. The files are never made anew.
func TestFormat7(t *testing.T) {
	t.Parallel()
	const head = "efda26d6b01a3fa24e47747e1badc73f702fc0eeb2bf063fe42e90e70aa1d8a2"
	for _, tt := range []struct {
		name string
		want string
		harm func(dir string) error // beforehand
	}{
		{"as it is", "termine.example/dates", func(string) error { return nil }},
		{"from the log alone", "termine.example/dates", func(dir string) error { return os.RemoveAll(dir + "/snapshots") }},
		{"from the snapshot", "calendar.example.org", func(dir string) error {
			segment := dir + "/log/00000000000000000001.jsonl"
			text, err := os.ReadFile(segment)
			if err == nil {
				err = os.WriteFile(segment, bytes.Join(bytes.SplitAfter(text, []byte("\n"))[:3], nil), 0o600)
			}
			return errors.Join(err, os.Remove(dir+"/log/00000000000000000005.jsonl"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := openGolden(t, "v7", head, tt.harm).Identity(); got != tt.want {
				t.Errorf("identity %q, want %q", got, tt.want)
			}
		})
	}
}
