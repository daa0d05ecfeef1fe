// Peeking into directories that are written to, pruned and damaged.

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/store/wal"
)

// tree returns the files of a directory with what they hold.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	}))
	return all
}

// Peek beside a store that writes, snapshots and prunes returns one of its states, no older than
// the call.
func TestPeekBesideStore(t *testing.T) {
	t.Parallel()
	h := newHistory(t, Options{Segment: 3000, Snapshot: 12_000, Keep: -1})
	h.write(0, 5)
	for n := range 6 {
		var writing sync.WaitGroup
		for i := range 3 {
			writing.Go(func() { h.write(uint64(10*n+i+1), 20) })
		}
		least := h.store.Seq()
		s, err := Peek(Options{Dir: h.dir})
		must(t, err)
		writing.Wait()
		must(t, s.Check(), s.View(func(v *View) error {
			if v.Seq() < least {
				t.Errorf("saw transaction %d; %d was there before", v.Seq(), least)
			}
			h.reach(v.Seq())
			h.states[v.Seq()].sameView(t, v)
			return nil
		}))
		must(t, s.Close())
	}

	// A change of the copy changes nothing else.
	must(t, h.store.Snapshot(t.Context())) // no other is under way, which would prune
	before := tree(t, h.dir)
	s, err := Peek(Options{Dir: h.dir})
	must(t, err)
	put(t, s, &Event{})
	if s.Seq() != h.store.Seq()+1 {
		t.Errorf("transaction %d came after %d", s.Seq(), h.store.Seq())
	}
	must(t, s.Snapshot(t.Context()), s.Close())
	for name, text := range tree(t, h.dir) {
		if before[name] != text {
			t.Errorf("%s was changed", name)
		}
		delete(before, name)
	}
	for name := range before {
		t.Errorf("%s was removed", name)
	}
}

// Whatever is pruned while it is read was no damage.
func TestPeekWhilePruned(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		d := newDeed(t)
		p := &prunedFiles{memFiles: d.files, at: at}
		p.prune = func() { pruneAll(t, d) }
		s, err := peek(Options{}, p)
		if err != nil {
			t.Fatalf("pruned before call %d: %v", at, err)
		}
		must(t, s.View(func(v *View) error {
			if v.Len(Events) < 3 || v.Seq() < 8 {
				t.Fatalf(
					"pruned before call %d: %d events of transaction %d",
					at,
					v.Len(Events),
					v.Seq(),
				)
			}
			return nil
		}), s.Check(), s.Close())
		if p.calls < p.at {
			break
		}
	}
}

func TestPeekRefuses(t *testing.T) {
	t.Parallel()
	if _, err := Peek(Options{
		Dir: filepath.Join(t.TempDir(), "none"),
	}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := Peek(Options{
		Dir: t.TempDir(),
	}); err == nil || !strings.Contains(err.Error(), "name the data directory") {
		t.Errorf("a directory of nothing: %v", err)
	}
	d := newDeed(t)
	d.commit(d.event(5, "After the snapshot"))
	segments := segmentsOf(t, d.files)
	last := wal.SegmentName(segments[len(segments)-1])
	f, err := d.files.Edit(last)
	must(t, err)
	if _, err := f.WriteAt([]byte("x"), 10); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := peek(Options{}, d.files); !errors.As(err, &corrupt) || corrupt.File != last ||
		corrupt.Line != 1 {
		t.Errorf("a damaged line: %v", err)
	}
}
