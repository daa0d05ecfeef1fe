// Going on after a failure, and what must not be gone on with.

package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/tools/race"
	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

// failing makes a journal with some transactions whose next commit, of a number
// of them, fails at one of its operations. It returns nil when there is no such
// operation.
func failing(t *testing.T, n, at int, how outcome) (*ledger, *memFiles, *journal) {
	t.Helper()
	m := newMemFiles()
	l := &ledger{t: t, name: fmt.Sprintf("operation %d of a commit of %d fails (%d)", at, n, how)}
	j := opened(t, l, m, tinySegment)
	must(t, l.commit(j, 1), l.commit(j, 3), l.snapshot(j), l.commit(j, 2))
	m.failAt = m.ops + at
	m.outcome = how
	if err := l.commit(j, n); err == nil {
		return nil, nil, nil
	} else if !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	m.failAt = 0
	return l, m, j
}

// lastSegment returns the file that the log ends with.
func lastSegment(t *testing.T, m *memFiles) string {
	t.Helper()
	segments := segmentsOf(t, m)
	return wal.SegmentName(segments[len(segments)-1])
}

// acknowledged returns the last segment, and how many of its bytes a journal has acknowledged.
func acknowledged(t *testing.T, m *memFiles, j *journal) (name string, size int) {
	t.Helper()
	name = lastSegment(t, m)
	size = bytes.Index(
		m.at(name),
		fmt.Appendf(nil, `,"seq":%d,"batch":`, j.at.Seq+1),
	) - len(
		`{"v":7`,
	)
	if size < 0 {
		size = len(m.at(name))
	}
	return name, size
}

// eachFailure calls a function for every way in which the commit of a batch fails,
// in a segment that goes on and in a new one.
func eachFailure(
	t *testing.T,
	test func(t *testing.T, how outcome, fail func(t *testing.T) (*ledger, *memFiles, *journal)),
) {
	for name, how := range map[string]outcome{"lost": lost, "kept": kept, "half": half} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, operations := range map[int]int{
				2:  4, // two looks, the write and the sync
				12: 6, // and the segment, and its name
			} {
				at := 1
				for ; ; at++ {
					if l, _, _ := failing(t, n, at, how); l == nil {
						break
					}
					test(
						t,
						how,
						func(t *testing.T) (*ledger, *memFiles, *journal) { return failing(t, n, at, how) },
					)
				}
				if at-1 != operations {
					t.Errorf("a commit of %d has %d operations, want %d", n, at-1, operations)
				}
			}
		})
	}
}

// Whatever a commit fails at, and whatever then fails while the journal is opened
// again: as soon as nothing fails any more, it goes on with what was acknowledged
// and nothing else, and so does a restart.
func TestReopenAlone(t *testing.T) {
	race.Alone(t)
	eachFailure(
		t,
		func(t *testing.T, how outcome, fail func(*testing.T) (*ledger, *memFiles, *journal)) {
			failed := false
			reached := true // there was an operation to fail
			for again := 1; reached && !failed; again += stride() {
				// In a test of its own, which closes the journal and lets its disk go.
				failed = !t.Run(fmt.Sprintf("then operation %d", again), func(t *testing.T) {
					l, m, j := fail(t)
					m.failAt = m.ops + again
					err := l.reopen(j)
					reached = m.ops >= m.failAt
					m.failAt = 0
					if err != nil {
						must(t, l.reopen(j))
					}
					must(t, l.commit(j, 1), l.commit(j, 4), l.snapshot(j), l.commit(j, 2))
					l.finish(m.crash(none, 0))
				})
			}
		},
	)
}

// The machine stops while the journal is opened again.
func TestCrashWhileReopeningAlone(t *testing.T) {
	race.Alone(t)
	tr := newTrials(t)
	eachFailure(
		t,
		func(t *testing.T, _ outcome, fail func(*testing.T) (*ledger, *memFiles, *journal)) {
			l, m, j := fail(t)
			var last point
			m.before = func(op int) {
				last = tr.crash(l.clone(fmt.Sprintf("dead before operation %d", op)), m, last, 8)
			}
			must(t, l.reopen(j))
			tr.crash(l, m, last, 8)
		},
	)
}

// If acknowledged lines have changed, or another process may have written, the journal stays
// read-only for good, and no file is changed.
func TestReopenRefuses(t *testing.T) {
	t.Parallel()
	edit := func(change func(j *journal, text []byte, size int) []byte) func(*memFiles, *journal) {
		return func(m *memFiles, j *journal) {
			name, size := acknowledged(t, m, j)
			m.put(name, change(j, m.at(name), size))
		}
	}
	// follow adds a line in a batch of its own.
	follow := func(text []byte, prev [sha256.Size]byte, seq uint64) ([]byte, [sha256.Size]byte) {
		e := wal.Entry{
			Seq:    seq,
			Batch:  seq,
			Time:   testTime,
			Change: []byte(`{"tags":[{"id":99,"rev":9,"name":"Fair","slug":"fair"}]}`),
		}
		return append(wal.AppendLine(text, &e, prev), '\n'), e.Head
	}
	for _, test := range []struct {
		name  string
		own   bool // it is about whose the files are, not about damage
		spoil func(m *memFiles, j *journal)
	}{
		{"a byte has changed", false, edit(func(j *journal, text []byte, size int) []byte { text[size-200]++; return text })},
		{"a line is gone", false, edit(func(j *journal, text []byte, size int) []byte {
			return text[:1+bytes.LastIndexByte(text[:size-1], '\n')]
		})},
		{"a newline is gone", false, edit(func(j *journal, text []byte, size int) []byte { return text[:size-1] })},
		{"the last line is another", false, edit(func(j *journal, text []byte, size int) []byte {
			at := 1 + bytes.LastIndexByte(text[:size-1], '\n')
			body := bytes.Replace(bodyOf(text[at:size-1]), []byte(`"account":`), []byte(`"account":1`), 1)
			return append(append(text[:at:at], sealed(string(body))...), '\n')
		})},
		{"the segment is gone", false, func(m *memFiles, j *journal) { m.Remove(lastSegment(t, m)) }},
		{"the log is gone", false, func(m *memFiles, j *journal) {
			for _, seq := range segmentsOf(t, m) {
				m.Remove(wal.SegmentName(seq))
			}
		}},
		{"the lock is gone", true, func(m *memFiles, j *journal) { m.Remove("lock") }},
		{"the lock is another", true, func(m *memFiles, j *journal) { m.put("lock", nil) }},
		{"somebody else went on", true, edit(func(j *journal, text []byte, size int) []byte {
			text, head := follow(text[:size:size], j.at.Head, j.at.Seq+1)
			text, _ = follow(text, head, j.at.Seq+2)
			return text
		})},
	} {
		t.Run(test.name, func(t *testing.T) {
			l, m, j := failing(t, 2, 4, lost)
			test.spoil(m, j)
			before := m.restart()
			err := j.Reopen()
			var corrupt *CorruptError
			if errors.As(err, &corrupt) == test.own || errors.Is(err, ErrNotOwn) != test.own ||
				IsPassing(j.Failed()) {
				t.Errorf("error %v", err)
			}
			if again := j.Reopen(); !errors.Is(again, ErrLatched) ||
				!errors.Is(j.commit(l.next(1)), ErrLatched) {
				t.Errorf("opened again: %v", again)
			}
			for _, name := range before.names() {
				if was, is := string(before.at(name)), string(m.at(name)); was != is {
					t.Errorf("%s has changed:\n%s\n%s", name, was, is)
				}
			}
		})
	}
}

// A journal writes nothing when lock or log are not its own any more, and stays so.
func TestNotOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		spoil func(m *memFiles, j *journal)
	}{
		{"the lock is gone", func(m *memFiles, j *journal) { m.Remove("lock") }},
		{"the lock is another", func(m *memFiles, j *journal) { m.put("lock", nil) }},
		{"the segment is gone", func(m *memFiles, j *journal) { m.Remove(lastSegment(t, m)) }},
		{"the segment is another", func(m *memFiles, j *journal) { m.put(lastSegment(t, m), m.at(lastSegment(t, m))) }},
		{"the segment was moved", func(m *memFiles, j *journal) { m.Rename(lastSegment(t, m), lastSegment(t, m)+".old") }},
		{"the segment is longer", func(m *memFiles, j *journal) {
			f, _ := m.Edit(lastSegment(t, m))
			f.WriteAt([]byte("x"), int64(len(m.at(lastSegment(t, m)))))
		}},
		{"the segment is shorter", func(m *memFiles, j *journal) {
			f, _ := m.Edit(lastSegment(t, m))
			f.Truncate(int64(len(m.at(lastSegment(t, m)))) - 1)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMemFiles()
			l := &ledger{t: t}
			j := opened(t, l, m, 0)
			must(t, l.commit(j, 2))
			test.spoil(m, j)
			changes := m.changes
			if err := l.commit(j, 1); !errors.Is(err, ErrLatched) || !errors.Is(err, ErrNotOwn) {
				t.Errorf("error %v", err)
			}
			if err := j.Reopen(); !errors.Is(err, ErrNotOwn) {
				t.Errorf("reopening: error %v", err)
			}
			if strings.HasPrefix(test.name, "the lock") {
				if _, err := j.snapshot(j.at, l.records(2), testTime); !errors.Is(err, ErrNotOwn) {
					t.Errorf("snapshot: error %v", err)
				}
			}
			if m.changes != changes {
				t.Errorf("%d operations changed something", m.changes-changes)
			}
		})
	}
}

// A store tries the disk again by itself. While it cannot write it says so to all
// who ask, once in its log, and what was refused leaves no trace.
func TestStoreReopens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemFiles()
		var log bytes.Buffer
		s, err := open(Options{Snapshot: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))}, m)
		must(t, err)
		add := func(slug string) error {
			return s.Update(1, func(tx *Tx) error {
				return tx.Put(&Event{
					Post: Post{
						Slug: slug,
					},
				})
			})
		}
		must(t, add("a"), s.Refusing())
		m.set(m.ops+4, math.MaxInt) // the sync, and all that follows
		first := add("lost")
		for range 3 {
			if err := add("lost"); !errors.Is(err, ErrLatched) || err.Error() != first.Error() ||
				!errors.Is(s.Refusing(), errInjected) {
				t.Errorf("error %v, want %v, and %v", err, first, s.Refusing())
			}
			time.Sleep(10 * reopenEvery)
		}
		m.set(0, 0)
		time.Sleep(reopenEvery + 1)
		must(t, s.Refusing(), add("b"))
		var slugs []string
		s.View(func(v *View) error {
			for r := range v.Each(Events) {
				slugs = append(slugs, SlugOf(r))
			}
			return nil
		})
		slices.Sort(slugs)
		if diff := cmp.Diff([]string{"a", "b"}, slugs); diff != "" || s.Seq() != 2 {
			t.Errorf("events, %d transactions (-want +got):\n%s", s.Seq(), diff)
		}
		must(t, s.Check(), s.Close())
		if strings.Count(log.String(), "no change is taken") != 1 ||
			strings.Count(log.String(), "takes changes again") != 1 {
			t.Errorf("log:\n%s", &log)
		}
		s, err = open(Options{}, m.crash(none, 0))
		must(t, err)
		equal(t, "transactions after a crash", uint64(2), s.Seq())
		must(t, s.Check(), s.Close())
	})
}

// When somebody deletes the lock and starts a second server, the first one stops
// writing, and what either acknowledged is there.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	add := func(s *Store, slug string) error {
		return s.Update(1, func(tx *Tx) error { return tx.Put(&Event{Post: Post{Slug: slug}}) })
	}
	first, err := Open(Options{Dir: dir})
	must(t, err)
	defer first.Close()
	must(t, add(first, "a"))
	if err := os.Remove(filepath.Join(dir, "lock")); err != nil {
		t.Skip(err) // a system that keeps files which are open
	}
	second, err := Open(Options{Dir: dir})
	must(t, err)
	if err := add(first, "lost"); !errors.Is(err, ErrNotOwn) ||
		!errors.Is(first.Refusing(), ErrNotOwn) {
		t.Errorf("error %v", err)
	}
	must(t, add(second, "b"), first.Close(), add(second, "c"), second.Close())
	third, err := Open(Options{Dir: dir})
	must(t, err)
	defer third.Close()
	for _, slug := range []string{"a", "b", "c"} {
		third.View(func(v *View) error {
			if v.BySlug(Events, slug) == nil {
				t.Errorf("%s is lost", slug)
			}
			return nil
		})
	}
	must(t, third.Check())
	equal(t, "transactions", uint64(3), third.Seq())
}
