// The settings of the site: where they are kept, and how archives, damage and failed transactions
// leave them.

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"almanac/store/media"
	"almanac/store/record"
	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	clock := testTime
	use := func(o Options, f func(*Store)) {
		t.Helper()
		clock = clock.Add(48 * time.Hour)
		o.Dir = dir
		o.Now = func() time.Time { return clock }
		s, err := Open(o)
		must(t, err)
		f(s)
		must(t, s.Check(), s.Close())
	}
	var want Settings
	expect := func(at string) {
		t.Helper()
		s, err := Peek(Options{Dir: at})
		must(t, err)
		if diff := cmp.Diff(&want, s.Settings()); diff != "" {
			t.Errorf("%s: %s", filepath.Base(at), diff)
		}
		r, err := Verify(t.Context(), at, VerifyOptions{})
		if must(t, err, s.Check(), s.Close()); len(r.Findings) > 0 {
			t.Errorf("%s: %v", filepath.Base(at), r.Findings)
		}
	}
	set := func(s *Store, to Settings) error {
		return s.Update(1, func(tx *Tx) error { return tx.SetSettings(to) })
	}

	use(Options{}, func(s *Store) {
		if s.Settings() != nil {
			t.Error("a new directory has settings", s.Settings())
		}
		logo, err := add(s, 1)
		must(t, err)
		want = Settings{
			Name:   "Choir",
			Zone:   "Europe/Berlin",
			Region: "AT",
			Colour: "#0b5d3b",
			Logo:   logo.ID,
		}
		must(t, set(s, want))
		before := s.Settings()
		if err := set(s, Settings{Logo: 99}); !errors.Is(err, ErrLink) {
			t.Error("a logo that is no upload:", err)
		}
		failed := errors.New("failed")
		err = s.Update(1, func(tx *Tx) error {
			return errors.Join(tx.SetSettings(Settings{
				Name: "Other",
			}), failed)
		})
		if !errors.Is(err, failed) || s.Settings() != before {
			t.Error("a failed transaction changed the settings:", err, s.Settings())
		}
		must(t, s.Update(1, func(tx *Tx) error {
			_ = tx.Try(func() error {
				return errors.Join(tx.SetSettings(Settings{
					Name: "Other",
				}), failed)
			})
			return tx.Put(&Venue{Name: "Hall"})
		}))
		if err := s.Update(1, func(tx *Tx) error { return tx.Remove(Images, logo.ID) }); err == nil {
			t.Error("the logo was removed")
		}
	})
	expect(dir)

	// The lines go, and the snapshots have the settings, with the files of the logo.
	use(Options{Keep: -1, Segment: 1}, func(s *Store) {
		for range 3 {
			must(t, s.Update(1, func(tx *Tx) error {
				return tx.Put(&Venue{
					Name: "Hall",
				})
			}), s.Snapshot(t.Context()))
		}
	})
	for tr, err := range History(dir, nil) {
		if must(t, err); tr.Change.Settings != nil {
			t.Errorf("transaction %d is still there", tr.Seq)
		}
	}
	expect(dir)
	_, err := Backup(t.Context(), dir+".tar", BackupOptions{Dir: dir, Now: testTime}.Pack)
	must(t, err)
	archive, err := os.Open(dir + ".tar")
	must(t, err)
	defer archive.Close()
	restored := dir + " restored"
	_, err = Restore(t.Context(), restored, RestoreOptions{Archive: archive, Now: testTime})
	must(t, err)
	expect(restored)

	// A manifest with other settings is found, also when its own checksum is right.
	name := filepath.Join(
		restored,
		wal.SnapshotName(snapshotsOf(t, reading(t, restored))[0]),
		"manifest.json",
	)
	text, err := os.ReadFile(name)
	must(t, err)
	m, err := wal.ParseManifest(text, record.SnapshotFiles)
	must(t, err)
	m.Settings.Name = "Forged"
	text, err = wal.EncodeSealed(m)
	must(t, err, os.WriteFile(name, text, 0o600))
	if r, err := Verify(t.Context(), restored, VerifyOptions{}); err != nil ||
		len(r.Findings) == 0 {
		t.Errorf("a forged manifest: error %v, findings %v", err, r.Findings)
	}

	// The remains of a damaged directory keep the settings, without a logo that has lost its file.
	must(t, os.RemoveAll(filepath.Join(dir, media.Dir)))
	left := dir + " left"
	_, err = Restore(t.Context(), left, RestoreOptions{
		From:        dir,
		SkipDamaged: true,
		Now:         testTime,
	})
	must(t, err)
	want.Logo = 0
	expect(left)
}
