// Which accounts a directory knows, wherever they are in it.

package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"almanac/store/wal"
)

func TestLastAccount(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "data")
	last := func(what string, want int64) {
		t.Helper()
		if got, err := LastAccount(t.Context(), dir); err != nil || got != want {
			t.Errorf("%s: account %d, error %v, want %d", what, got, err, want)
		}
	}
	last("no directory", 0)
	must(t, os.Mkdir(dir, 0o700))
	last("no log", 0)
	s, err := Open(Options{Dir: dir, Segment: 1, Snapshot: -1, Keep: -1})
	must(t, err)
	closeAfter(t, s)
	as := func(account, author int64) {
		t.Helper()
		must(t, s.Update(account, func(tx *Tx) error {
			return tx.Put(&Venue{
				Post: Post{
					Author: author,
				},
			})
		}))
	}
	as(1, 9)
	last("an author", 9)
	as(12, 1)
	last("who asked", 12)
	must(t, s.Snapshot(t.Context()))
	as(2, 2)
	must(t, s.Snapshot(t.Context()))
	as(3, 3)
	must(t, s.Snapshot(t.Context()), s.Check())
	last("an author in a snapshot, after the log was pruned", 9)

	// Damage is an error, beside the last account in the readable files.
	segments := segmentsOf(t, reading(t, dir))
	must(
		t,
		os.WriteFile(
			filepath.Join(dir, filepath.FromSlash(wal.SegmentName(segments[len(segments)-1]))),
			[]byte("x\n"),
			0o600,
		),
	)
	var corrupt *CorruptError
	if got, err := LastAccount(t.Context(), dir); !errors.As(err, &corrupt) || got != 9 {
		t.Errorf("damaged: account %d, error %v", got, err)
	}
}
