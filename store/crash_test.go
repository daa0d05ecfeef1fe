// Every file operation fails in every way, and the machine stops before every
// one: thousands of disks that a start may find.

package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/internal/tools/race"
	"almanac/store/record"
	"almanac/store/wal"
)

// Segments so small that some batches have one of their own.
const tinySegment = 2000

// work is a server that runs, is started again, and goes on after every error
// that lets it.
func (l *ledger) work(m *memFiles) {
	for range 2 {
		l.workOnce(m)
	}
}

func (l *ledger) workOnce(m *memFiles) {
	j, err := l.open(m, tinySegment)
	if err != nil {
		if !errors.Is(err, errInjected) && !errors.Is(err, errDead) {
			l.t.Fatalf("%s: %v", l.name, err)
		}
		if errors.Is(err, errDead) {
			return
		}
		m.locked = false // if taking the lock failed although it was taken
		if j, err = l.open(m, tinySegment); err != nil {
			l.t.Fatalf("%s: second attempt: %v", l.name, err)
		}
	}
	defer j.Close()
	for i := range 4 {
		if l.commit(j, 1+2*i%5) != nil && l.reopen(j) != nil {
			break
		}
		if i%2 == 1 {
			l.snapshot(j) // may fail, and must do no harm
		}
	}
}

// finish checks what a machine finds on its disk, that it can go on, and that
// the log alone says the same.
func (l *ledger) finish(m *memFiles) {
	l.t.Helper()
	seqs, _ := wal.Snapshots(m)
	for _, seq := range seqs {
		if _, err := wal.VerifySnapshot(m, seq, record.SnapshotFiles); err != nil {
			l.t.Fatalf("%s: a crash looks like damage: %v", l.name, err)
		}
	}
	run := func(step func(*journal) error) {
		j, err := l.open(m, tinySegment)
		if err != nil {
			l.t.Fatalf("%s: %v", l.name, err)
		}
		if err := errors.Join(step(j), j.Close()); err != nil {
			l.t.Fatalf("%s: %v", l.name, err)
		}
	}
	if l.made%2 == 0 { // sometimes nothing more happens before the next crash
		l.openStore(m)
		m = m.crash(none, 0) // data that was read stays
	}
	run(func(j *journal) error { return l.commit(j, 1) })
	m = m.crash(none, 0)
	l.verifies(m)
	run(func(j *journal) error { return errors.Join(l.commit(j, 2), l.snapshot(j)) })
	m = m.crash(none, 0)
	l.reaches(m)
	if numbers, _ := wal.Segments(m); numbers[0] > 1 {
		return // pruned: the log alone is not enough
	}
	delete(m.root.entries, wal.SnapshotDir)
	l.openStore(m)
}

// verifies checks that nobody takes for damage what a crash has left, and that the head
// stands for all records: a pruned log goes on from a snapshot that it names.
func (l *ledger) verifies(m *memFiles) {
	l.t.Helper()
	head := l.position(l.acked).Head
	r, err := verifyFiles(l.t.Context(), m, VerifyOptions{Since: hex.EncodeToString(head[:])})
	if err != nil || len(r.Findings) > 0 {
		l.t.Fatalf("%s: verified with findings %v and error %v", l.name, r.Findings, err)
	}
	if len(r.Since) != 1 || !r.Since[0].Whole {
		l.t.Fatalf("%s: the head does not stand for the records: %+v", l.name, r)
	}
}

// openStore opens a whole store on what a journal is asked to keep, and checks
// it.
func (l *ledger) openStore(m *memFiles) {
	l.t.Helper()
	s, err := open(Options{Segment: tinySegment, Snapshot: -1}, m)
	if err != nil {
		l.t.Fatalf("%s: %v", l.name, err)
	}
	got := catalogue{}
	for _, list := range s.index.all() {
		for _, r := range list {
			got.put(r)
		}
	}
	l.found(s.state.Load().at, got)
	if err := errors.Join(s.Check(), s.Close()); err != nil {
		l.t.Fatalf("%s: %v", l.name, err)
	}
}

// clone lets two futures of one past be tried.
func (l *ledger) clone(name string) *ledger {
	c := *l
	c.entries = slices.Clip(l.entries)
	c.positions = slices.Clip(l.positions)
	c.states = slices.Clip(l.states)
	c.name += ", " + name
	return &c
}

// Trials recover the disks that crashes leave. Equal disks are tried once.
type trials struct {
	mu    sync.Mutex // guards what follows
	cases int
	seen  map[uint64]bool
}

// A point is a moment of a run, as far as what a crash leaves depends on it.
type point struct{ changes, acked, made int }

var trialSeed = maphash.MakeSeed()

// isNew counts cases that are one disk, and reports whether it was not found
// before with the same acknowledged transactions.
func (tr *trials) isNew(l *ledger, m *memFiles, cases int) bool {
	var h maphash.Hash
	h.SetSeed(trialSeed)
	m.root.sum(&h)
	maphash.WriteComparable(&h, point{0, l.acked, l.made})
	maphash.WriteComparable(&h, l.position(len(l.entries)).Head)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.cases += cases
	is := !tr.seen[h.Sum64()]
	tr.seen[h.Sum64()] = true
	return is
}

// crash tries what is left of a machine that stands still or has ended, by a
// crash of it, in some number of ways, or of the process. It is told the last
// point that was tried on the machine, and returns this one.
func (tr *trials) crash(l *ledger, m *memFiles, last point, ways int) point {
	l.t.Helper()
	now := point{m.changes + 1, l.acked, l.made}
	if now == last {
		tr.mu.Lock()
		tr.cases += 3 + ways
		tr.mu.Unlock()
		return now
	}
	try := func(name string, left *memFiles, cases int) {
		l.t.Helper()
		if tr.isNew(l, left, cases) {
			l.clone(name).finish(left)
		}
	}
	if m.root.isSettled() {
		try("nothing is lost", m.left(all, 0), 3+ways)
		return now
	}
	try("process restart", m.restart(), 1)
	try("none survives", m.left(none, 0), 1)
	try("all survives", m.left(all, 0), 1)
	for seed := range ways {
		try(fmt.Sprint("some survives ", seed), m.left(some, uint64(seed)), 1)
	}
	return now
}

func newTrials(t *testing.T) *trials {
	tr := &trials{seen: map[uint64]bool{}}
	t.Cleanup(func() { t.Logf("%d cases, %d different ones", tr.cases, len(tr.seen)) })
	return tr
}

func countOps(t *testing.T, keep time.Duration) int {
	m := newMemFiles()
	l := &ledger{t: t, name: "count", keep: keep}
	l.work(m)
	if first := segmentsOf(t, m)[0]; (first > 1) != (keep != 0) {
		t.Fatalf("the log begins with %d, which these tests are not for", first)
	}
	return m.ops
}

// keeps are how long everything is kept in these tests: for ever, or for some
// transactions, at one per nanosecond.
var keeps = map[string]time.Duration{"for ever": 0, "some": 4}

func eachKeep(t *testing.T, test func(t *testing.T, keep time.Duration)) {
	for name, keep := range keeps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, keep)
		})
	}
}

// stride is how many operations, bytes or lines lie between those that are tried: with
// ALMANAC_LONG=1 each is.
func stride() int {
	if os.Getenv("ALMANAC_LONG") != "" {
		return 1
	}
	return 7
}

// After an operation fails, the machine stops at a later operation, or when the work
// is done.
func TestFailEveryOperationAlone(t *testing.T) {
	race.Alone(t)
	eachKeep(t, func(t *testing.T, keep time.Duration) {
		const follow = 20
		ops := countOps(t, keep)
		tr := newTrials(t)
		for name, outcome := range map[string]outcome{"lost": lost, "kept": kept, "half": half} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for n := 1; n <= ops; n += stride() {
					m := newMemFiles()
					m.failAt = n
					m.outcome = outcome
					l := &ledger{t: t, keep: keep, name: fmt.Sprintf("operation %d fails", n)}
					var last point
					m.before = func(op int) {
						if op > n && op <= n+follow {
							last = tr.crash(l.clone(fmt.Sprintf("dead before %d", op)), m, last, 2)
						}
					}
					l.work(m)
					tr.crash(l, m, last, 2)
				}
			})
		}
	})
}

func TestCrashAtEveryOperationAlone(t *testing.T) {
	race.Alone(t)
	eachKeep(t, func(t *testing.T, keep time.Duration) {
		m := newMemFiles()
		l := &ledger{t: t, keep: keep, name: "no failure"}
		tr := newTrials(t)
		var last point
		m.before = func(op int) {
			if op%stride() == 0 {
				last = tr.crash(l.clone(fmt.Sprintf("dead before operation %d", op)), m, last, 16)
			}
		}
		l.work(m)
		tr.crash(l, m, last, 16)
	})
}

// A crash during the recovery from a crash.
func TestCrashTwiceAlone(t *testing.T) {
	race.Alone(t)
	eachKeep(t, func(t *testing.T, keep time.Duration) {
		m := newMemFiles()
		l := &ledger{t: t, keep: keep, name: "no failure"}
		tr := newTrials(t)
		again := newTrials(t)
		m.before = func(op int) {
			for seed := range uint64(2) {
				l := l.clone(fmt.Sprintf("dead before operation %d, some survives %d", op, seed))
				left := m.left(some, seed)
				if op%stride() > 0 || !tr.isNew(l, left, 1) {
					continue
				}
				var last point
				left.before = func(op int) {
					last = again.crash(
						l.clone(fmt.Sprintf("then before operation %d", op)),
						left,
						last,
						2,
					)
				}
				if j, err := l.open(left, tinySegment); err != nil {
					t.Fatalf("%s: %v", l.name, err)
				} else {
					j.Close()
				}
			}
		}
		l.work(m)
	})
}
