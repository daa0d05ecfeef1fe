// A log and its snapshots on a real disk, whatever their records are.

package wal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

// recovered opens a log behind a snapshot, nil for none, and returns what its lines carry.
func recovered(t *testing.T, dir string, from *wal.Manifest) (*wal.Log, []string, error) {
	t.Helper()
	files, err := wal.OpenDir(dir)
	must(t, err)
	log, err := wal.Open(files, wal.Options{SegmentSize: 1000})
	if err != nil {
		return nil, nil, err
	}
	t.Cleanup(func() { log.Close() })
	var lines []string
	r := &wal.Replay{
		Reader: wal.Reader{
			Files: files,
		},
		Load: func(l *wal.Line) { lines = append(lines, string(l.Change)) },
	}
	if from != nil {
		r.Base = from.At()
		r.Manifest = from.Sum()
	}
	segments, err := wal.Segments(files)
	must(t, err)
	if err = r.Recover(segments, r.Base.Seq); err == nil {
		err = log.Begin(r)
	}
	if err != nil {
		log.Close()
	}
	return log, lines, err
}

// add appends a batch of changes, each with a number more.
func add(t *testing.T, log *wal.Log, n int) {
	t.Helper()
	var batch []wal.Entry
	for i := range n {
		seq := log.At().Seq + uint64(i) + 1
		batch = append(batch, wal.Entry{
			Seq:    seq,
			Time:   testTime,
			Change: fmt.Appendf(nil, `{"n":%d}`, seq),
		})
	}
	_, err := log.Append(batch)
	must(t, err)
}

func numbers(from, to int) (lines []string) {
	for n := from; n <= to; n++ {
		lines = append(lines, fmt.Sprintf(`{"n":%d}`, n))
	}
	return lines
}

// Lines are there again after a restart, and what else the files hold is refused, or cut off.
func TestLog(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(text []byte) []byte // of the last segment, with lines 6 and 7
		left   int                      // lines; 0: it is refused
		want   string                   // in the error
	}{
		"as it was":          {func(text []byte) []byte { return text }, 7, ""},
		"without a newline":  {func(text []byte) []byte { return text[:len(text)-1] }, 7, ""},
		"half a line":        {func(text []byte) []byte { return text[:len(text)-9] }, 6, ""},
		"sectors of nothing": {func(text []byte) []byte { return append(text, make([]byte, 512-len(text)%512)...) }, 7, ""},
		"a byte changed":     {func(text []byte) []byte { text[9]++; return text }, 0, "line 1: offset 0: the checksum does not match"},
		"a line gone":        {func(text []byte) []byte { return text[bytes.IndexByte(text, '\n')+1:] }, 0, "transaction 7 where 6 should be"},
		"a later format": {func(text []byte) []byte { return append(sealed(`{"v":9,"seq":6`), '\n') }, 0,
			"format 9, and this almanac knows 8: " + wal.ErrNewer.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			log, _, err := recovered(t, dir, nil)
			must(t, err)
			for _, n := range []int{2, 3, 1, 1} {
				add(t, log, n)
			}
			must(t, log.Close())
			files, err := wal.ReadDir(dir)
			must(t, err)
			segments, err := wal.Segments(files)
			must(t, err, files.Close())
			if want := []uint64{1, 6}; !slices.Equal(want, segments) {
				t.Fatalf("segments %v, want %v", segments, want)
			}
			last := filepath.Join(dir, wal.SegmentName(6))
			text, err := os.ReadFile(last)
			must(t, err, os.WriteFile(last, test.change(text), 0o600))
			log, lines, err := recovered(t, dir, nil)
			if test.left == 0 {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("error %v, want one with %q", err, test.want)
				}
				return
			}
			must(t, err)
			add(t, log, 1)
			must(t, log.Close())
			if diff := cmp.Diff(numbers(1, test.left), lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			_, lines, err = recovered(t, dir, nil)
			must(t, err)
			if diff := cmp.Diff(numbers(1, test.left+1), lines); diff != "" {
				t.Errorf("lines after one more (-want +got):\n%s", diff)
			}
		})
	}
}

// texts are records of a snapshot.
type texts []string

func (p *texts) Add(record []byte) error { *p = append(*p, string(record)); return nil }

// A snapshot has what was put in, or says where it has not, and the log is read from there on.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, _, err := recovered(t, dir, nil)
	must(t, err)
	add(t, log, 4)
	at := log.At()
	records := numbers(1, 4)
	m := &wal.Manifest{
		Seq:      at.Seq,
		Head:     fmt.Sprintf("%x", at.Head),
		Time:     testTime,
		NextPost: 1,
		NextTerm: 1,
	}
	must(t, wal.WriteSnapshot(log.Files, m, []wal.List{{
		Name: "numbers.json",
		Len:  4,
		Append: func(dst []byte, i int) ([]byte, error) {
			return append(dst, records[i]...), nil
		},
	}}))
	_, err = log.Append([]wal.Entry{{
		Seq:  5,
		Time: testTime,
		Snapshots: []wal.Reference{{
			Seq:      4,
			Manifest: m.Sum(),
		}},
	}})
	must(t, err)
	add(t, log, 1)
	must(t, log.Close())

	log, lines, err := recovered(t, dir, m)
	must(t, err)
	if diff := cmp.Diff([]string{"", `{"n":6}`}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	read := func() (got texts, err error) {
		m, err := wal.ReadManifest(log.Files, 4, []string{"numbers.json"})
		must(t, err)
		err = wal.ReadList(log.Files, m, m.Files[0], nil, got.Add)
		return got, errors.Join(err, m.Verify(log.Files))
	}
	got, err := read()
	must(t, err)
	if diff := cmp.Diff(texts(records), got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	name := filepath.Join(dir, m.Path(m.Files[0]))
	must(
		t,
		os.WriteFile(name, []byte("[\n{\"n\":1},\n{\"n\":2},\n{\"n\":3},\n{\"n\":5}\n]\n"), 0o600),
	)
	var corrupt *wal.CorruptError
	if _, err := read(); !errors.As(err, &corrupt) || corrupt.File != m.Path(m.Files[0]) {
		t.Errorf("a changed record: error %v", err)
	}
	must(t, wal.DiscardSnapshot(log.Files, 4))
	if left, err := wal.Snapshots(log.Files); err != nil || len(left) > 0 {
		t.Errorf("snapshots %v are left, error %v", left, err)
	}
}

// A directory has one writer.
func TestLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, _, err := recovered(t, dir, nil)
	must(t, err)
	_, _, err = recovered(t, dir, nil)
	want := fmt.Sprintf(
		"store: %s is in use by another almanac (process %d): stop that one, or give this one a directory of "+
			"its own",
		dir,
		os.Getpid(),
	)
	if !errors.Is(err, wal.ErrInUse) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if runtime.GOOS == "windows" {
		return // where the file of the lock cannot be removed
	}
	must(t, os.Remove(filepath.Join(dir, "lock")))
	_, err = log.Append([]wal.Entry{{Seq: 1, Time: testTime, Note: []byte("{}")}})
	if !errors.Is(err, wal.ErrNotOwn) || !errors.Is(err, wal.ErrLatched) {
		t.Errorf("without its lock: error %v", err)
	}
	if err := log.Reopen(); !errors.Is(err, wal.ErrNotOwn) {
		t.Errorf("reopened: error %v", err)
	}
	must(t, log.Close())
	log, _, err = recovered(t, dir, nil)
	must(t, err, log.Close())
}

func TestDirectoryIsAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(name, nil, 0o600))
	if _, err := wal.OpenDir(name); err == nil || !strings.HasPrefix(err.Error(), "store: ") {
		t.Errorf("error %v, want one that says it is no directory", err)
	}
}
