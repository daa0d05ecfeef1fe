// The promises of Fork, Savepoint and RollBack, each on its own.

package store

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func savepoint(t *testing.T, s *Store) *Savepoint {
	t.Helper()
	p, err := s.Savepoint()
	must(t, err)
	return p
}

// titles returns the titles of the events of a store, by id.
func titles(t *testing.T, s *Store) (all []string) {
	t.Helper()
	must(t, s.View(func(v *View) error {
		for id := range int64(100) {
			if e := v.Event(id); e != nil {
				all = append(all, e.Title)
			}
		}
		return nil
	}))
	return all
}

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestForkGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Title: "Common"})
	fork, err := s.Fork(func() time.Time { return testTime })
	must(t, err)
	closeAfter(t, fork)
	if s.State() != fork.State() {
		t.Error("a fork begins in another state")
	}
	put(t, s, &Event{Title: "Of the store"})
	put(t, fork, &Event{Title: "Of the fork"})
	put(t, fork, &Event{Title: "Of the fork, too"})
	equal(t, "store", []string{"Common", "Of the store"}, titles(t, s))
	equal(t, "fork", []string{"Common", "Of the fork", "Of the fork, too"}, titles(t, fork))
	if s.Seq() != 2 || fork.Seq() != 3 {
		t.Errorf("transactions %d and %d, want 2 and 3", s.Seq(), fork.Seq())
	}
	for _, is := range []struct {
		s    *Store
		want time.Time
	}{{s, time.Time{}}, {fork, testTime}} {
		update(t, is.s, func(tx *Tx) error { equal(t, "time", is.want, tx.Now()); return nil })
	}
	must(t, s.Close())
	put(t, fork, &Event{Title: "After the end of the store"})
}

func TestRollBack(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Title: "First", Post: Post{Slug: "first"}})
	first := savepoint(t, s)
	state := s.State()
	for range 3 {
		put(t, s, &Event{Title: "Second", Post: Post{Slug: "second"}})
		if s.State() == state {
			t.Error("another state is the same")
		}
		second := savepoint(t, s)
		must(t, s.RollBack(first))
		equal(t, "back", []string{"First"}, titles(t, s))
		if s.State() != state || s.Seq() != 1 {
			t.Errorf("transaction %d, want the state of 1", s.Seq())
		}
		must(t, s.RollBack(second), s.Check())
		equal(t, "forwards", []string{"First", "Second"}, titles(t, s))
		must(t, s.RollBack(first), s.Check())
	}

	other := memory(t)
	put(t, other, &Event{Title: "Of another store"})
	must(t, s.RollBack(savepoint(t, other)))
	put(t, s, &Event{Title: "And on"})
	equal(t, "the other one's", []string{"Of another store", "And on"}, titles(t, s))
	equal(t, "the other one", []string{"Of another store"}, titles(t, other))
}

// RollBack queues among updates, in a store that is closed meanwhile: every call returns, and
// each state is that of some transaction.
func TestRollBackAmongUpdates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails when a goroutine is left
		s, err := Open(Options{})
		must(t, err)
		base := savepoint(t, s)
		var done atomic.Int64
		until := func(f func() error) {
			for {
				err := f()
				if err == ErrClosed {
					return
				}
				must(t, err)
				done.Add(1)
			}
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(
				func() { until(func() error { return s.Update(1, func(tx *Tx) error { return tx.Put(&Event{}) }) }) },
			)
		}
		for range 2 {
			all.Go(func() { until(func() error { return s.RollBack(base) }) })
		}
		wait(t, func() bool { return done.Load() > 2_000 })
		must(t, s.View(func(v *View) error {
			if n := uint64(len(listOf(v, true)) + len(listOf(v, false))); n != s.Seq() {
				t.Errorf("%d events after transaction %d", n, s.Seq())
			}
			return nil
		}))
		must(t, s.Close(), s.Check())
		all.Wait()
	})
}

// Heads stand for everything that was ever written: for the same, the same.
func TestHeadsOfForks(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Title: "Common"})
	p := savepoint(t, s)
	head := func(titles ...string) (head [32]byte) {
		fork := p.Fork(nil)
		closeAfter(t, fork)
		for _, title := range titles {
			put(t, fork, &Event{Title: title})
		}
		must(t, fork.View(func(v *View) error { head = v.Head(); return nil }))
		return head
	}
	if head("One", "Two") != head("One", "Two") {
		t.Error("the same writes have two heads")
	}
	if head("One", "Two") == head("Two", "One") || head("One") == head() {
		t.Error("other writes have the same head")
	}
}

func TestSavepointsOnDisk(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{Dir: t.TempDir()})
	must(t, err)
	closeAfter(t, s)
	_, noSavepoint := s.Savepoint()
	_, noFork := s.Fork(nil)
	for _, err := range []error{noSavepoint, noFork, s.RollBack(savepoint(t, memory(t)))} {
		if !errors.Is(err, ErrOnDisk) {
			t.Errorf("error %v", err)
		}
	}
}

func TestSavepointsOfAClosedStore(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Title: "Last"})
	must(t, s.Close())
	p := savepoint(t, s)
	if err := s.RollBack(p); err != ErrClosed {
		t.Errorf("rolled back: %v", err)
	}
	fork := p.Fork(nil)
	closeAfter(t, fork)
	put(t, fork, &Event{Title: "And on"})
	equal(t, "fork", []string{"Last", "And on"}, titles(t, fork))
}

// A View that runs sees one state to its end, whatever is asked for meanwhile.
func TestRollBackWaitsForViews(t *testing.T) {
	t.Parallel()
	s := memory(t)
	empty := savepoint(t, s)
	put(t, s, &Event{Title: "There"})
	done := make(chan error)
	must(t, s.View(func(v *View) error {
		asked := make(chan struct{})
		go func() { close(asked); done <- s.RollBack(empty) }()
		<-asked
		for range 1000 {
			if v.Event(1) == nil || v.Seq() != 1 ||
				len(listOf(v, true))+len(listOf(v, false)) != 1 {
				t.Error("it is gone")
				break
			}
			runtime.Gosched()
		}
		return nil
	}))
	must(t, <-done)
	equal(t, "afterwards", []string(nil), titles(t, s))
}

// A scheduled event of a fork is due there, and not in the store.
func TestDueInForks(t *testing.T) {
	t.Parallel()
	s := memory(t)
	put(t, s, &Event{Post: Post{Status: Future, Date: testTime}})
	p := savepoint(t, s)
	put(t, s, &Event{Post: Post{Meta: Meta{ID: 1}, Status: Publish, Date: testTime}})
	fork := p.Fork(nil)
	closeAfter(t, fork)
	if s.Due(testTime) || !fork.Due(testTime) || fork.Due(testTime.Add(-time.Second)) {
		t.Error("the store is due, or its fork is not")
	}
	must(t, s.RollBack(p))
	if !s.Due(testTime) {
		t.Error("the store is not due again")
	}
}
