// Verifying and reading beside a server that writes, snapshots and prunes.

package store

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/store/wal"
)

// An intact directory passes while it grows, and its history has no gap.
func TestVerifyBesideStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := func() time.Time { return testTime }
	s, err := Open(Options{Dir: dir, Now: now, Segment: 20_000, Snapshot: 50_000})
	must(t, err)
	closeAfter(t, s)
	// So many writes are made while the directory is verified once, on machines of any speed.
	writes := make(chan int, 40)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for i := range writes {
				e := &Event{
					Post: Post{
						Slug: fmt.Sprint(i),
					},
					Title: fmt.Sprint("No. ", i),
				}
				if err := s.Update(1, func(tx *Tx) error { return tx.Put(e) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var lines, segments, made int
	for segments < 5 {
		for len(writes) < cap(writes) { // nobody else fills it
			made++
			writes <- made
		}
		r, err := Verify(t.Context(), dir, VerifyOptions{})
		must(t, err)
		for _, f := range r.Findings {
			t.Error(f)
		}
		if r.Lines < lines || t.Failed() {
			t.Errorf("%d transactions after %d", r.Lines, lines)
			break
		}
		lines = r.Lines
		segments = r.Segments
		var seq uint64
		for transaction, err := range History(dir, nil) {
			must(t, err)
			if seq++; transaction.Seq != seq {
				t.Fatalf("transaction %d where %d should be", transaction.Seq, seq)
			}
		}
		if seq < uint64(lines) {
			t.Errorf("a history of %d transactions after %d", seq, lines)
		}
	}
	close(writes)
	writers.Wait()
	var r Report
	wait(t, func() bool { // a line that names a snapshot may be on its way
		r, err = Verify(t.Context(), dir, VerifyOptions{})
		return err != nil || r.Last == s.Seq()
	})
	if err != nil || len(r.Findings) > 0 || r.Truncated != nil {
		t.Errorf(
			"at the end: transaction %d of %d, torn %v, findings %v, error %v",
			r.Last,
			s.Seq(),
			r.Truncated,
			r.Findings,
			err,
		)
	}
}

// A growingFile ends inside of a line when its end is read, and has the rest and more lines right
// after.
type growingFile struct {
	wal.File
	short int64
	grew  bool
}

func (f *growingFile) ReadAt(p []byte, at int64) (int, error) {
	if f.grew || at+int64(len(p)) < f.short {
		return f.File.ReadAt(p, at)
	}
	f.grew = true
	n, _ := f.File.ReadAt(p[:f.short-at], at)
	return n, io.EOF
}

type growingFiles struct {
	*memFiles
	name  string
	short int64
}

func (s *growingFiles) Open(name string) (wal.File, error) {
	f, err := s.memFiles.Open(name)
	if err == nil && name == s.name {
		f = &growingFile{File: f, short: s.short}
	}
	return f, err
}

// A write may be seen by its parts. Lines that come while the end is read are not the rest of a
// truncated line.
func TestVerifyWhileWritten(t *testing.T) {
	t.Parallel()
	d := newDeed(t)
	d.j.SegmentSize = 10_000
	d.commit(d.event(5, "Early"))
	name := wal.SegmentName(slices.Max(segmentsOf(t, d.files)))
	whole, err := d.files.Size(name)
	must(t, err)
	d.commit(d.event(6, "Late"))
	d.commit(d.event(7, "Later"))
	if last := wal.SegmentName(slices.Max(segmentsOf(t, d.files))); last != name {
		t.Fatalf("lines in %s and in %s", name, last)
	}
	for short := whole - 40; short < whole+40; short++ {
		r, found := verified(t, &growingFiles{d.files, name, short}, "")
		if found != nil {
			t.Errorf("%d bytes of %d: found %q", short, whole, found)
		}
		if truncated := r.Truncated != nil; truncated != (short != whole) {
			t.Errorf("%d bytes of %d: truncated %v", short, whole, r.Truncated)
		}
	}
}

// prunedFiles prunes the files just before one of the times that a file is
// opened or a directory listed.
type prunedFiles struct {
	*memFiles
	at, calls int
	prune     func()
}

func (p *prunedFiles) count() {
	if p.calls++; p.calls == p.at {
		p.prune()
	}
}

func (p *prunedFiles) Open(name string) (wal.File, error) {
	p.count()
	return p.memFiles.Open(name)
}

func (p *prunedFiles) ReadDir(name string) ([]string, error) {
	p.count()
	return p.memFiles.ReadDir(name)
}

// pruneAll writes until the store of archive has pruned its first snapshots, and removes the
// segments that are not needed any more.
func pruneAll(t *testing.T, d *deed) {
	for i := range 2 { // two new snapshots replace both of the first
		d.j.SegmentSize = 1
		d.commit(d.event(5+int64(i), "Late"))
		d.snapshot()
	}
	oldest := snapshotsOf(t, d.files)[0]
	segments := segmentsOf(t, d.files)
	for i, first := range segments {
		if i+1 < len(segments) && segments[i+1] <= oldest+1 {
			must(t, d.files.Remove(wal.SegmentName(first)))
		}
	}
}

// Whatever is pruned while it is read was no damage.
func TestVerifyWhilePruned(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		d := newDeed(t)
		p := &prunedFiles{memFiles: d.files, at: at}
		p.prune = func() { pruneAll(t, d) }
		r, found := verified(t, p, "")
		if found != nil {
			t.Fatalf("pruned before call %d: found %q", at, found)
		}
		if p.calls < p.at {
			break
		}
		if _, found := verified(t, d.files, ""); found != nil {
			t.Fatalf("pruned: found %q", found)
		}
		if r.Records[Events] < 3 || r.Last < 10 || r.Last > 14 {
			t.Fatalf("pruned before call %d: %+v", at, r)
		}
	}
}
