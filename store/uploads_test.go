// Uploads: their files before the record, their removal, and copies of a directory with them.

package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store/media"
)

// upload returns an image with its files, the n-th.
func upload(n int) (*Image, []media.File) {
	sum := func(data []byte) string { s := sha256.Sum256(data); return hex.EncodeToString(s[:]) }
	directory := fmt.Sprintf("%032x", n)
	sent := []byte(fmt.Sprint("sent ", n))
	full := bytes.Repeat([]byte{byte(n)}, 3000)
	small := []byte("small")
	i := &Image{
		Directory: directory,
		Author:    1,
		Sent:      sum(sent),
		SentBytes: int64(len(sent)),
		URL:       MediaPath + directory + "/p.jpg",
		Hash:      sum(full),
		Filesize:  int64(len(full)),
		Type:      "image/jpeg",
		Sizes: []ImageSize{{
			Name:     "medium",
			Width:    4,
			Height:   3,
			Filesize: int64(len(small)),
			Hash:     sum(small),
			URL:      MediaPath + directory + "/p-4x3.jpg",
		}},
	}
	return i, []media.File{{
		Name: SentName,
		Data: sent,
	}, {
		Name: "p.jpg",
		Data: full,
	}, {
		Name: "p-4x3.jpg",
		Data: small,
	}}
}

// add uploads the n-th picture, as a request does.
func add(s *Store, n int) (*Image, error) {
	i, files := upload(n)
	if err := s.Media().Write(i.Directory, files); err != nil {
		return nil, err
	}
	return i, s.Update(1, func(tx *Tx) error { return tx.Put(i) })
}

// checkUploads looks for the files of every upload, and returns the directories that no record
// names.
func checkUploads(t *testing.T, s *Store, m *memFiles) (unnamed int) {
	t.Helper()
	must(t, s.Check())
	named := map[string]bool{}
	_ = s.View(func(v *View) error {
		for _, r := range v.Uploads() {
			i := r.(*Image)
			named[i.Directory] = true
			for _, f := range i.Stored() {
				if err := (media.Disk{
					Files: m,
				}).Copy(io.Discard, i.Directory, f.Name, f.Bytes, f.SHA256); err != nil {
					t.Errorf("picture %d: %s: %v", i.ID, f.Name, err)
				}
			}
		}
		return nil
	})
	names, _ := m.ReadDir(media.Dir)
	for _, name := range names {
		switch {
		case !strings.Contains(name, ".") && !named[name]:
			unnamed++
		}
	}
	return unnamed
}

// Whenever the machine stops, every record has its files, and whatever else is there goes in time.
func TestUploadCrash(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	o := Options{Snapshot: -1, Keep: 2 * day, Now: func() time.Time { return now }}
	work := func(m *memFiles) {
		s, err := open(o, m)
		if err != nil {
			return
		}
		defer s.Close()
		for n := range 3 {
			i, err := add(s, n+1)
			if err == nil && n == 1 {
				err = s.Update(1, func(tx *Tx) error { return tx.Remove(Images, i.ID) })
			}
			if err == nil {
				err = s.sweep(s.now())
			}
			if err != nil {
				return
			}
		}
		now = now.Add(3 * day)
		_ = s.sweep(s.now())
		now = now.Add(-3 * day)
	}
	whole := newMemFiles()
	work(whole)
	if whole.ops < 60 {
		t.Fatalf("%d operations", whole.ops)
	}
	for die := 1; die <= whole.ops; die++ {
		for _, survived := range []survival{none, all, some} {
			m := newMemFiles()
			m.dieAt = die
			work(m)
			m = m.crash(survived, uint64(die))
			s, err := open(o, m)
			must(t, err)
			if n := checkUploads(t, s, m); n > 2 {
				t.Errorf("%d directories have no record", n)
			}
			must(t, s.sweep(s.now()))
			now = now.Add(3 * day)
			must(t, s.sweep(s.now()))
			if n := checkUploads(t, s, m); n > 0 {
				t.Errorf("dies at %d: %d directories are never removed: %q", die, n, m.names())
			}
			if names, _ := m.ReadDir(media.Dir); strings.Contains(fmt.Sprint(names), ".") {
				t.Errorf("dies at %d: notes of directories are left: %q", die, names)
			}
			must(t, s.Close())
			now = now.Add(-3 * day)
		}
	}
}

// A write that fails, such as on a full disk, leaves nothing, and the next one succeeds.
func TestUploadFails(t *testing.T) {
	t.Parallel()
	for fail := 1; ; fail++ {
		m := newMemFiles()
		s, err := open(Options{Snapshot: -1}, m)
		must(t, err)
		i, files := upload(1)
		m.set(m.ops+fail, 0)
		err = s.Media().Write(i.Directory, files)
		if m.set(0, 0); err == nil {
			must(t, s.Close())
			break
		}
		if !errors.Is(err, ErrNoPictures) || !errors.Is(err, errInjected) {
			t.Errorf("operation %d: %v", fail, err)
		}
		if n := checkUploads(t, s, m); n > 0 {
			t.Errorf("operation %d: %q are left", fail, m.names())
		}
		if _, err = add(s, 2); err != nil {
			t.Errorf("operation %d: the next picture: %v", fail, err)
		}
		must(t, s.Close())
	}
}

// Files stay as long as Keep says after the deletion, and for a day at least. Files that a record
// names stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keep        time.Duration
		stays, goes time.Duration
	}{{-1, day - time.Minute, day}, {30 * day, 30*day - time.Minute, 30 * day}, {0, 900 * day, 0}} {
		now := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
		m := newMemFiles()
		s, err := open(Options{
			Snapshot: -1,
			Keep:     test.keep,
			Now:      func() time.Time { return now },
		}, m)
		must(t, err)
		_, err = add(s, 1)
		must(t, err)
		gone, err := add(s, 2)
		must(
			t,
			err,
			s.Update(1, func(tx *Tx) error { return tx.Remove(Images, gone.ID) }),
			s.sweep(s.now()),
		)
		begin := now
		count := func(after time.Duration) int {
			now = begin.Add(after)
			must(t, s.sweep(s.now()))
			return checkUploads(t, s, m)
		}
		if n := count(test.stays); n != 1 {
			t.Errorf("keep %v: %d deleted pictures after %v", test.keep, n, test.stays)
		}
		if n := count(test.goes); test.goes > 0 && n != 0 {
			t.Errorf("keep %v: %d deleted pictures after %v", test.keep, n, test.goes)
		}
		must(t, s.Close())
	}
}

// When the clock was far ahead and is set back, deleted pictures go as soon as they would by the
// right clock, and not years later.
func TestSweepAfterClockWasSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
		m := newMemFiles()
		s, err := open(Options{Snapshot: -1, Keep: -1, Now: func() time.Time { return now }}, m)
		must(t, err)
		gone, err := add(s, 1)
		must(
			t,
			err,
			s.Update(1, func(tx *Tx) error { return tx.Remove(Images, gone.ID) }),
			s.sweep(now),
		)
		now = time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
		var left []int
		for n := range 3 {
			_, err := add(s, n+2) // the first change of a day
			must(t, err)
			synctest.Wait()
			left = append(left, checkUploads(t, s, m))
			now = now.Add(day)
		}
		if diff := cmp.Diff([]int{1, 1, 0}, left); diff != "" {
			t.Errorf("deleted pictures that are left each day: %s", diff)
		}
		must(t, s.Close())
	})
}

// A directory that a record names stays, whatever notes say of it: they go.
func TestSweepOfNamed(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	m := newMemFiles()
	s, err := open(Options{Snapshot: -1, Keep: -1, Now: func() time.Time { return now }}, m)
	must(t, err)
	i, err := add(s, 1)
	must(t, err)
	for _, note := range []string{".20301201T000000Z", ".20301201T000000Z.tmp", ".x"} {
		f, err := m.Create(media.Dir + "/" + i.Directory + note)
		must(t, err, f.Close())
	}
	must(t, s.sweep(now))
	checkUploads(t, s, m)
	names, err := m.ReadDir(media.Dir)
	must(t, err)
	if diff := cmp.Diff([]string{i.Directory}, names); diff != "" {
		t.Errorf("after a sweep (-want +got):\n%s", diff)
	}
	must(t, s.Close())
}

// A sweep removes nothing that is not named as a directory of a picture or its note.
func TestSweepOfOthers(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	m := newMemFiles()
	s, err := open(Options{Snapshot: -1, Keep: -1, Now: func() time.Time { return now }}, m)
	must(t, err)
	i, err := add(s, 1)
	must(t, err)
	others := []string{"README", "holiday", "holiday.2019", "letter.txt"}
	for _, name := range others {
		f, err := m.Create(media.Dir + "/" + name)
		must(t, err, f.Close())
	}
	for range 3 {
		must(t, s.sweep(now))
		now = now.Add(40 * day)
	}
	names, err := m.ReadDir(media.Dir)
	must(t, err)
	want := append(others, i.Directory)
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("after sweeps (-want +got):\n%s", diff)
	}
	must(t, s.Close())
}

// Verify, backups and restores have the files of uploads, and tell of damage.
func TestUploadsAreCopied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx := context.Background()
	data := filepath.Join(dir, "data")
	file := filepath.Join(dir, "backup.tar")
	s, err := Open(Options{Dir: data})
	must(t, err)
	i, err := add(s, 1)
	must(t, err)
	gone, err := add(s, 2)
	must(t, err)
	must(t, s.Update(1, func(tx *Tx) error {
		return tx.Put(&Venue{Post: Post{Status: Publish, Slug: "hall", Image: i.ID}, Name: "Hall"})
	}))
	before := s.Seq()
	must(t, s.Update(1, func(tx *Tx) error { return tx.Remove(Images, gone.ID) }), s.Close())
	verify := func(dir string, uploads int, findings ...string) {
		t.Helper()
		report, err := Verify(ctx, dir, VerifyOptions{})
		must(t, err)
		var got []string
		for _, f := range report.Findings {
			got = append(got, f.File)
		}
		if diff := cmp.Diff(findings, got); diff != "" || report.Uploads != uploads {
			t.Errorf("%s: %d pictures; findings (-want +got):\n%s", dir, report.Uploads, diff)
		}
	}
	verify(data, 1)
	o := BackupOptions{Dir: data, Now: time.Now()}
	_, err = Backup(ctx, file, o.Pack)
	must(t, err)
	restore := func(name string, o RestoreOptions) Summary {
		t.Helper()
		f, err := os.Open(file)
		must(t, err)
		defer f.Close()
		if o.From == "" {
			o.Archive = f
		}
		s, err := Restore(ctx, filepath.Join(dir, name), o)
		must(t, err)
		return s
	}
	restore("whole", RestoreOptions{})
	verify(filepath.Join(dir, "whole"), 1)
	back := RestoreOptions{}
	back.Point.Seq = before
	restore("back", back) // with the deleted picture
	verify(filepath.Join(dir, "back"), 2)

	damaged := filepath.Join(data, media.Dir, i.Directory, "p.jpg")
	text, err := os.ReadFile(damaged)
	must(t, err)
	text[7]++
	must(t, os.WriteFile(damaged, text, 0o600))
	verify(data, 0, "media/"+i.Directory+"/p.jpg")
	if _, err := Backup(ctx, file+"2", o.Pack); err == nil {
		t.Error("a changed picture is backed up")
	}
	must(t, os.Remove(damaged))
	verify(data, 0, "media/"+i.Directory+"/p.jpg")
	if _, err := Backup(ctx, file+"2", o.Pack); err == nil || !strings.Contains(err.Error(), "p.jpg") {
		t.Errorf("a lost picture is backed up: %v", err)
	}
	skipped := restore("skipped", RestoreOptions{From: data, SkipDamaged: true, Now: time.Now()})
	if len(skipped.Missing) != 2 || !strings.Contains(skipped.Missing[0], "p.jpg") ||
		!strings.Contains(skipped.Missing[1], "venues 3: without images 1") {
		t.Errorf("missing: %q", skipped.Missing)
	}
	restore("skipped archive", RestoreOptions{SkipDamaged: true, Now: time.Now()})
	verify(filepath.Join(dir, "skipped archive"), 1)
	verify(filepath.Join(dir, "skipped"), 0)
}

// A world has the pictures of its beginning, and its own go with it.
func TestUploadsOfForks(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{})
	must(t, err)
	defer s.Close()
	first, err := add(s, 1)
	must(t, err)
	p, err := s.Savepoint()
	must(t, err)
	fork := p.Fork(nil)
	defer fork.Close()
	own, err := add(fork, 2)
	must(t, err)
	has := func(s *Store, i *Image) bool {
		content, err := s.Media().Open(i.Directory, "p.jpg")
		if err == nil {
			content.Close()
		}
		return err == nil
	}
	if !has(fork, first) || !has(fork, own) || has(s, own) {
		t.Errorf("fork has %t and %t, the store %t", has(fork, first), has(fork, own), has(s, own))
	}
	must(t, fork.RollBack(p))
	if !has(fork, first) || has(fork, own) {
		t.Error("the pictures after a rollback are not those of the savepoint")
	}
}
