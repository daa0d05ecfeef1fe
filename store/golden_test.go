// Directories on the disk, whose bytes nobody writes anew: one in the format of this program,
// which it must open, and those of older programs, which it refuses by name.

package store_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// golden copies a directory of testdata.
func golden(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../testdata/stores/"+name)))
	return dir
}

// contents returns the texts of all files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		texts[name] = string(text)
		return err
	})
	must(t, err)
	return texts
}

// TestGolden opens a directory of this format: a pruned log that begins with a note, and lines and
// a snapshot with every kind of record and everything that a line can tell.
func TestGolden(t *testing.T) {
	t.Parallel()
	const head = "f940b8039dde3ce24d273cfa92b119d687bca92be03fc400c8f270614da86b04"
	for _, tt := range []struct {
		name string
		harm func(dir string) error // beforehand
	}{
		{"as it is", func(string) error { return nil }},
		{"from the older snapshot", func(dir string) error { return os.RemoveAll(dir + "/snapshots/00000000000000000018") }},
		{"from the newest snapshot", func(dir string) error {
			return errors.Join(os.RemoveAll(dir+"/snapshots/00000000000000000011"), os.Remove(dir+"/log/00000000000000000011.jsonl"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := golden(t, "v7")
			report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
			if err != nil || len(report.Findings) > 0 ||
				hex.EncodeToString(report.Head[:]) != head {
				t.Errorf("verified with error %v: %+v", err, report)
			}
			must(t, tt.harm(dir))
			s, err := store.Open(store.Options{Dir: dir})
			must(t, err)
			defer s.Close()
			must(t, s.Check())
			var got []string
			_ = s.View(func(v *store.View) error {
				at := v.Head()
				got = append(got, hex.EncodeToString(at[:]))
				for k := store.Events; k <= store.Accounts; k++ {
					got = append(got, fmt.Sprintf("%d %s", v.Len(k), k))
				}
				e := v.Event(4)
				got = append(
					got,
					e.Title,
					fmt.Sprint(
						e.Slug,
						e.Former,
						e.Venues,
						e.Organizers,
						e.Categories,
						e.Tags,
						e.Image,
					),
					fmt.Sprint(
						v.Instances(1009)[0].Recurrence.Start,
						v.Series(1009).Rule,
					),
					fmt.Sprint(*v.Venue(2).Geo),
					s.Identity(),
				)
				for _, a := range v.Accounts() {
					got = append(got, fmt.Sprint(a.ID, a.Login, a.Removed, a.By, a.Tokens))
				}
				return nil
			})
			want := []string{
				head,
				"3 events",
				"2 venues",
				"1 organizers",
				"1 categories",
				"1 tags",
				"1 images",
				"2 series",
				"2 accounts",
				"Choir <b>“é”</b> \u2028",
				"choir-night[choir-evening choir] [2] [3] [1] [2] 1",
				"2027-01-26 21:46:40FREQ=WEEKLY",
				"{52.5 13.25}",
				"termine.example/dates",
				"1adminfalsereload[{night   false 4567  }]",
				"2anntruereload[]",
			}
			equal(t, "content", want, got)
			if err := s.Update(1, func(tx *store.Tx) error {
				return tx.Put(&store.Venue{
					Name: "New",
				})
			}); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
	var missing []string
	for tr, err := range store.History("../testdata/stores/v7", nil) {
		must(t, err)
		if tr.Note != nil {
			missing = append(missing, tr.Note.Salvaged.Missing...)
		}
	}
	if len(missing) != 2 || missing[1] != "transaction 9: lost" {
		t.Errorf("the log says that %q is missing", missing)
	}
}

// Lines and snapshots of each older format are refused by name, with the way out, and stay as
// they are: by everything that reads a directory.
func TestOlderFormats(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, dir, want string) {
		t.Helper()
		before := contents(t, dir)
		var history error
		for _, err := range store.History(dir, nil) {
			history = errors.Join(history, err)
		}
		_, verify := store.Verify(t.Context(), dir, store.VerifyOptions{})
		_, restore := store.Restore(
			t.Context(),
			filepath.Join(t.TempDir(), "new"),
			store.RestoreOptions{
				From: dir,
			},
		)
		_, skip := store.Restore(
			t.Context(),
			filepath.Join(t.TempDir(), "new"),
			store.RestoreOptions{
				From:        dir,
				SkipDamaged: true,
			},
		)
		_, backup := store.Backup(
			t.Context(),
			filepath.Join(t.TempDir(), "archive"),
			store.BackupOptions{
				Dir: dir,
			}.Pack,
		)
		_, peek := store.Peek(store.Options{Dir: dir})
		_, open := store.Open(store.Options{Dir: dir})
		errs := map[string]error{
			"verify":  verify,
			"restore": restore,
			"skip":    skip,
			"backup":  backup,
			"peek":    peek,
			"open":    open,
		}
		if strings.Contains(want, "log/") {
			errs["history"] = history
		}
		for what, err := range errs {
			if !errors.Is(err, store.ErrOlder) ||
				!strings.HasPrefix(err.Error(), "store: "+want) ||
				!strings.Contains(err.Error(), "-seed") {
				t.Errorf("%s: error %v, want %s", what, err, want)
			}
		}
		after := contents(t, dir)
		if delete(after, "lock"); !maps.Equal(before, after) {
			t.Errorf("it was changed (-before +after):\n%s", cmp.Diff(before, after))
		}
	}
	lines, err := os.ReadFile("../testdata/stores/older/lines.jsonl")
	must(t, err)
	for i, line := range bytes.SplitAfter(lines, []byte("\n"))[:6] {
		t.Run(fmt.Sprintf("line of format %d", i+1), func(t *testing.T) {
			dir := t.TempDir()
			name := "log/00000000000000000001.jsonl"
			must(
				t,
				os.Mkdir(dir+"/log", 0o700),
				os.WriteFile(filepath.Join(dir, name), line, 0o600),
			)
			refused(t, dir, fmt.Sprintf("%s: format %d, and this almanac knows 8", name, i+1))
		})
	}
	t.Run("a segment before the snapshot", func(t *testing.T) {
		dir := golden(t, "v7")
		name := "log/00000000000000000011.jsonl"
		must(
			t,
			os.WriteFile(filepath.Join(dir, name), lines[:bytes.IndexByte(lines, '\n')+1], 0o600),
		)
		if _, err := store.Open(store.Options{
			Dir: dir,
		}); !errors.Is(err, store.ErrOlder) || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one about %s", err, name)
		}
	})
	for format := 1; format <= 4; format++ {
		t.Run(fmt.Sprintf("snapshot of format %d", format), func(t *testing.T) {
			text, err := os.ReadFile(
				fmt.Sprintf("../testdata/stores/older/manifest-%d.json", format),
			)
			must(t, err)
			dir := golden(t, "v7")
			name := "snapshots/00000000000000000018/manifest.json"
			must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
			refused(t, dir, fmt.Sprintf("%s: format %d, and this almanac knows 6", name, format))
		})
	}
}

// TestLater opens a directory of a later program, whose records have optional members: nothing of
// it is damage, and they stay with the records that are written anew, in lines and in snapshots.
func TestLater(t *testing.T) {
	t.Parallel()
	const more = `{"colour":"#c00 <b>","tiers":[{"name":"a","price":1.50},null]}`
	dir := golden(t, "later")
	check := func(want string) {
		t.Helper()
		report, err := store.Verify(t.Context(), dir, store.VerifyOptions{})
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("verified with error %v: %+v", err, report)
		}
		s, err := store.Open(store.Options{Dir: dir})
		must(t, err)
		defer s.Close()
		var got []string
		_ = s.View(func(v *store.View) error {
			has := func(what string, m store.Meta) {
				if string(m.More) == more {
					got = append(got, what)
				}
			}
			has(v.Event(4).Title, v.Event(4).Meta)
			has(v.Venue(2).Name, v.Venue(2).Meta)
			has(v.Organizer(3).Name, v.Organizer(3).Meta)
			has(v.Term(store.Categories, 1).Name, v.Term(store.Categories, 1).Meta)
			has(v.Term(store.Tags, 2).Name, v.Term(store.Tags, 2).Meta)
			has(v.Image(1).URL, v.Image(1).Meta)
			has(v.Series(1009).Rule, v.Series(1009).Meta)
			for _, a := range v.Accounts() {
				has(a.Login+a.Role, a.Meta)
			}
			return nil
		})
		if got := strings.Join(got, " "); got != want {
			t.Errorf("records with their members: %s\nwant %s", got, want)
		}
	}
	const title = "Choir <b>“é”</b> \u2028"
	check(
		title + " Hall Club Music free https://example.org/a.jpg FREQ=WEEKLY adminadministrator ann",
	)

	s, err := store.Open(store.Options{Dir: dir})
	must(t, err)
	err = s.Update(1, func(tx *store.Tx) error {
		post := store.Post{Meta: store.Meta{ID: 4}, Status: store.Publish}
		venue := *tx.Venue(2)
		organizer := *tx.Organizer(3)
		category := *tx.Term(store.Categories, 1)
		tag := *tx.Term(store.Tags, 2)
		image := *tx.Image(1)
		series := *tx.Series(1009)
		venue.Name = "H"
		organizer.Name = "C"
		category.Name = "M"
		tag.Name = "f"
		image.URL = "i"
		series.Rule = "FREQ=DAILY"
		var errs []error
		for _, r := range []store.Record{&store.Event{
			Post:  post,
			Title: "New",
		}, &venue, &organizer, &category, &tag, &image, &series} {
			errs = append(errs, tx.Put(r))
		}
		return errors.Join(errs...)
	})
	must(t, err, putAccounts(s, "editor", "author"), s.Close())
	const written = "New H C M f i FREQ=DAILY admineditor annauthor"
	check(written)
	if s, err = store.Open(store.Options{Dir: dir, Keep: -1}); err != nil {
		t.Fatal(err)
	}
	must(t, s.Snapshot(t.Context()), s.Close())
	check(written)
	log, err := store.OpenAccountLog(dir, time.Now, slog.New(slog.DiscardHandler))
	must(t, err)
	must(t, putAccounts(log, "author", ""), log.Close())
	check("New H C M f i FREQ=DAILY adminauthor ann")
}

// putAccounts puts the accounts 1 and 2 with roles; the one without a role is removed.
func putAccounts(s *store.Store, roles ...string) error {
	return s.Update(0, func(tx *store.Tx) error {
		var errs []error
		for i, role := range roles {
			a := &store.Account{Login: []string{"admin", "ann"}[i], Role: role, Removed: role == ""}
			a.ID = int64(i + 1)
			errs = append(errs, tx.Put(a))
		}
		return errors.Join(errs...)
	})
}
