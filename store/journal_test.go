// The journal on a real disk, its lock, and its errors.

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"almanac/store/wal"
)

func opened(t *testing.T, l *ledger, fsys wal.Files, segmentSize int64) *journal {
	t.Helper()
	j, err := l.open(fsys, segmentSize)
	must(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func segmentsOf(t *testing.T, fsys wal.Files) []uint64 {
	t.Helper()
	seqs, err := wal.Segments(fsys)
	must(t, err)
	return seqs
}

func snapshotsOf(t *testing.T, fsys wal.Files) []uint64 {
	t.Helper()
	seqs, err := wal.Snapshots(fsys)
	must(t, err)
	return seqs
}

// On a real disk: the files, what they are named, and who may read them.
func TestDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "almanac-data")
	l := &ledger{t: t}
	real := func() wal.Files {
		fsys, err := wal.OpenDir(dir)
		must(t, err)
		return fsys
	}
	j := opened(t, l, real(), 2000)
	for i := range 4 {
		must(t, l.commit(j, 1+i), l.snapshot(j))
	}
	must(t, l.commit(j, 1), j.Close(), j.Close())
	if err := j.commit(nil); err == nil {
		t.Error("a closed journal takes commits")
	}
	must(t, os.WriteFile(filepath.Join(dir, "users.json"), nil, 0o600))
	var names []string
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		must(t, err)
		if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %o", path, mode)
		}
		if name, _ := filepath.Rel(dir, path); !info.IsDir() {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	want := []string{
		"lock",
		"log/00000000000000000001.jsonl", "log/00000000000000000005.jsonl", "log/00000000000000000006.jsonl",
		"log/00000000000000000009.jsonl", "log/00000000000000000010.jsonl", "log/00000000000000000014.jsonl",
	}
	for _, seq := range []string{"00000000000000000008", "00000000000000000013"} {
		for _, name := range []string{"accounts", "categories", "events", "images", "manifest", "organizers", "series", "tags", "venues"} {
			want = append(want, "snapshots/"+seq+"/"+name+".json")
		}
	}
	want = append(want, "users.json")
	equal(t, "files", want, names)
	must(t, opened(t, l, real(), 2000).Close())
	if !strings.Contains(l.log, "snapshot=13 replayed=2") {
		t.Errorf("recovered without the snapshot: %s", l.log)
	}
}

func TestDiskFull(t *testing.T) {
	l := &ledger{t: t}
	m := newMemFiles()
	j := opened(t, l, m, 0)
	must(t, l.commit(j, 2))
	m.most = map[string]int64{firstSegment: int64(len(m.at(firstSegment)))}
	err := l.commit(j, 1)
	if !errors.Is(err, ErrLatched) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want ErrLatched and ENOSPC", err)
	}
	m.most = nil
	if again := l.commit(j, 1); again != err {
		t.Errorf("error %v after there is space, want the first one", again)
	}
	if j.at != l.position(2) {
		t.Error("a failed commit moved the position")
	}
}
