// Every file operation fails once, and the machine stops at every one.

package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
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
		m.held = false // if taking the lock failed although it was taken
		if j, err = l.open(m, tinySegment); err != nil {
			l.t.Fatalf("%s: second attempt: %v", l.name, err)
		}
	}
	defer j.Close()
	for i := range 4 {
		if l.commit(j, 1+2*i%5) != nil {
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
	seqs, _ := numbered(m, snapshotDir, "")
	for _, seq := range seqs {
		if _, _, err := verifySnapshot(m, seq); err != nil {
			l.t.Fatalf("%s: a crash looks like damage: %v", l.name, err)
		}
	}
	run := func(m *memFiles, step func(*journal) error) {
		j, err := l.open(m, tinySegment)
		if err != nil {
			l.t.Fatalf("%s: %v", l.name, err)
		}
		if err := errors.Join(step(j), j.Close()); err != nil {
			l.t.Fatalf("%s: %v", l.name, err)
		}
	}
	if l.made%2 == 0 { // sometimes nothing more happens before the next crash
		run(m, func(j *journal) error { return nil })
		m = m.crash(none, 0) // what was seen stays
	}
	run(m, func(j *journal) error { return l.commit(j, 1) })
	m = m.crash(none, 0)
	run(m, func(j *journal) error { return errors.Join(l.commit(j, 2), l.snapshot(j)) })
	m = m.crash(none, 0)
	delete(m.root.entries, snapshotDir)
	run(m, func(j *journal) error { return nil })
}

// clone lets two futures of one past be tried.
func (l *ledger) clone(name string) *ledger {
	c := *l
	c.entries, c.positions = slices.Clone(l.entries), slices.Clone(l.positions)
	c.name += ", " + name
	return &c
}

func countOps(t *testing.T) int {
	m, l := newMemFiles(), &ledger{t: t, name: "count"}
	l.work(m)
	return m.ops
}

// stride skips most of the operations when tests have to be short.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 1
}

func survivals() map[string]survival {
	return map[string]survival{"none survives": none, "all survives": all, "some survives": some}
}

func TestFailEveryOperation(t *testing.T) {
	t.Parallel()
	for n, ops := 0, countOps(t); n < ops; n += stride() {
		for name, outcome := range map[string]outcome{"lost": lost, "kept": kept, "half": half} {
			m := newMemFiles()
			m.failAt, m.outcome = n+1, outcome
			l := &ledger{t: t, name: fmt.Sprintf("operation %d fails, %s", n+1, name)}
			l.work(m)
			for name, s := range survivals() {
				l.clone(name).finish(m.crash(s, uint64(n)))
			}
			m.failAt = 0
			l.clone("no crash").finish(m)
		}
	}
}

func TestCrashAtEveryOperation(t *testing.T) {
	t.Parallel()
	for n, ops := 0, countOps(t); n < ops; n += stride() {
		m := newMemFiles()
		m.dieAt = n + 1
		l := &ledger{t: t, name: fmt.Sprintf("dead at operation %d", n+1)}
		l.work(m)
		for name, s := range survivals() {
			for seed := range uint64(4) {
				l.clone(fmt.Sprint(name, " ", seed)).finish(m.crash(s, seed))
				if s != some {
					break
				}
			}
		}
		l.clone("process restart").finish(m.restart())
	}
}

// A crash during the recovery from a crash.
func TestCrashTwice(t *testing.T) {
	t.Parallel()
	ops := countOps(t)
	for n := 0; n < ops; n += 3 * stride() {
		first := newMemFiles()
		first.dieAt = n + 1
		l := &ledger{t: t, name: fmt.Sprintf("dead at operation %d", n+1)}
		l.work(first)
		for again := 1; ; again += 4 {
			l := l.clone(fmt.Sprintf("then at operation %d", again))
			m := first.crash(some, uint64(n))
			m.dieAt = again
			if j, err := l.open(m, tinySegment); err == nil {
				j.Close()
				break // recovered with fewer operations
			}
			l.clone("none survives").finish(m.crash(none, 0))
			l.clone("some survives").finish(m.crash(some, uint64(again)))
		}
	}
}
