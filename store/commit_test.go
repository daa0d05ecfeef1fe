// Visibility, failures, batches and the end of a store.

package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/store/wal"
)

// slowFiles holds up every sync of the log while somebody has its lock.
type slowFiles struct {
	*memFiles
	slow  sync.Mutex
	syncs atomic.Int32 // begun
}

type slowFile struct {
	wal.File
	of *slowFiles
}

func (s *slowFiles) Create(name string) (wal.File, error) {
	f, err := s.memFiles.Create(name)
	if !strings.HasPrefix(name, wal.LogDir) {
		return f, err
	}
	return slowFile{f, s}, err
}

func (f slowFile) unwrap() wal.File { return f.File }

func (f slowFile) Sync() error {
	f.of.syncs.Add(1)
	f.of.slow.Lock()
	defer f.of.slow.Unlock()
	return f.File.Sync()
}

// on opens a store in files.
func on(t testing.TB, o Options, fsys wal.Files) *Store {
	t.Helper()
	s, err := open(o, fsys)
	must(t, err)
	closeAfter(t, s)
	return s
}

func events(s *Store) (n int) {
	s.View(func(v *View) error { n = v.Len(Events); return nil })
	return n
}

// wait waits for a condition that other goroutines bring about, and fails when it
// does not come in far more time than it takes on a slow machine.
func wait(t *testing.T, condition func() bool) {
	t.Helper()
	patience, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for !condition() {
		if patience.Err() != nil {
			t.Fatal("waited in vain")
		}
		runtime.Gosched()
	}
}

// While the disk is slow views go on, and see what is durable: a transaction is
// visible when its Update returns, not before. Transactions that wait meanwhile share
// the next sync; a failed one does not affect the rest of its batch.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	fsys := &slowFiles{memFiles: newMemFiles()}
	s := on(t, Options{}, fsys)
	put(t, s, &Event{Post: Post{Slug: "first"}})

	before := fsys.syncs.Load()
	fsys.slow.Lock()
	var updates sync.WaitGroup
	updates.Go(func() { put(t, s, &Event{Post: Post{Slug: "second"}}) })
	wait(t, func() bool { return fsys.syncs.Load() == before+1 })
	equal(t, "events while the second is being written", 1, events(s))

	const more = 20
	results := make(chan error, more)
	for i := range more {
		updates.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					results <- p.(error)
				}
			}()
			results <- s.Update(1, func(tx *Tx) error {
				if tx.BySlug(Events, "second") == nil {
					t.Error("a transaction does not see the one before it")
				}
				if err := tx.Put(&Event{Post: Post{Slug: fmt.Sprint("more ", i)}}); err != nil {
					return err
				}
				switch i % 4 {
				case 0:
					return errWanted
				case 1:
					panic(errWanted)
				}
				return nil
			})
		})
	}
	equal(t, "events before the second is durable", 1, events(s))
	fsys.slow.Unlock()
	updates.Wait()

	failed := 0
	for range more {
		if err := <-results; err == errWanted {
			failed++
		} else if err != nil {
			t.Error(err)
		}
	}
	if failed != more/2 || events(s) != 2+more/2 {
		t.Errorf("%d failed and %d events, want %d and %d", failed, events(s), more/2, 2+more/2)
	}
	var ids []int64
	must(t, s.View(func(v *View) error {
		for e := range v.Each(Events) {
			ids = append(ids, e.Key())
		}
		return nil
	}))
	slices.Sort(ids)
	if ids[0] != 1 || ids[len(ids)-1] != int64(len(ids)) {
		t.Errorf("ids %v: those of transactions that failed are given again", ids)
	}
}

func TestPanicIsTheCallers(t *testing.T) {
	t.Parallel()
	s := memory(t)
	func() {
		defer func() {
			if p := recover(); p != errWanted {
				t.Errorf("panic %v", p)
			}
		}()
		s.Update(1, func(tx *Tx) error {
			must(t, tx.Put(&Event{}))
			panic(errWanted)
		})
		t.Error("Update returned")
	}()
	put(t, s, &Event{})
	equal(t, "events", 1, events(s))
}

// A test that fails inside a transaction ends its goroutine, not the store.
func TestGoexit(t *testing.T) {
	t.Parallel()
	s := memory(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Update(1, func(tx *Tx) error {
			must(t, tx.Put(&Event{}))
			runtime.Goexit()
			return nil
		})
		t.Error("Update returned")
	}()
	<-done
	put(t, s, &Event{})
	equal(t, "events", 1, events(s))
}

// After a failed write nothing more is written, and nothing of the batch
// happened, not even for those who only looked.
func TestLatched(t *testing.T) {
	t.Parallel()
	fsys := &slowFiles{memFiles: newMemFiles()}
	s := on(t, Options{}, fsys)
	put(t, s, &Event{})

	// A first transaction holds the disk while a batch of two gathers.
	fsys.slow.Lock()
	var updates sync.WaitGroup
	before := fsys.syncs.Load()
	updates.Go(func() { put(t, s, &Event{}) })
	wait(t, func() bool { return fsys.syncs.Load() == before+1 })
	lost := &Event{Post: Post{Slug: "lost"}}
	var wrote, looked error
	seen := false
	updates.Go(func() {
		wrote = s.Update(1, func(tx *Tx) error { return tx.Put(lost) })
	})
	updates.Go(func() {
		looked = s.Update(
			1,
			func(tx *Tx) error { seen = tx.BySlug(Events, "lost") != nil; return nil },
		)
	})
	fsys.memFiles.mu.Lock()
	fsys.memFiles.failAt = fsys.memFiles.ops + 4 // the write after the sync that waits, and two looks
	fsys.memFiles.mu.Unlock()
	fsys.slow.Unlock()
	updates.Wait()

	if !errors.Is(wrote, ErrLatched) || !errors.Is(wrote, errInjected) {
		t.Errorf("error %v", wrote)
	}
	if seen && !errors.Is(looked, ErrLatched) {
		t.Errorf("what was never written was seen, and that is no error: %v", looked)
	}
	if lost.ID != 0 || lost.Rev != 0 {
		t.Errorf("the lost event has the id %d", lost.ID)
	}
	equal(t, "events", 2, events(s))
	if err := s.Update(1, func(tx *Tx) error { return tx.Put(&Event{}) }); err == nil ||
		err.Error() != wrote.Error() {
		t.Errorf("later error %v, want the first one", err)
	}
	if err := s.Update(1, func(*Tx) error { return nil }); err != nil {
		t.Errorf("a transaction that changes nothing: %v", err)
	}
}

// Transactions that change nothing leave no line in the log.
func TestEmptyTransaction(t *testing.T) {
	t.Parallel()
	fsys := newMemFiles()
	s := on(t, Options{}, fsys)
	put(t, s, &Event{})
	ops := fsys.ops
	update(t, s, func(tx *Tx) error {
		tx.Try(func() error { tx.Put(&Event{}); return errWanted })
		return nil
	})
	if fsys.ops != ops || s.Seq() != 1 {
		t.Error("something was written")
	}
}

func TestCloseAmongUpdates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails when a goroutine is left
		fsys := newMemFiles()
		s, err := open(Options{Snapshot: 1, Segment: 1000}, fsys)
		must(t, err)
		var acknowledged atomic.Int64
		for range 20 {
			go func() {
				for {
					err := s.Update(1, func(tx *Tx) error { return tx.Put(&Event{}) })
					if err == ErrClosed {
						return
					} else if err != nil {
						t.Error(err)
						return
					}
					acknowledged.Add(1)
				}
			}()
		}
		wait(t, func() bool { return acknowledged.Load() > 200 })
		var closers sync.WaitGroup
		for range 3 {
			closers.Go(func() { must(t, s.Close()) })
		}
		closers.Wait()
		synctest.Wait()
		must(t, s.Check())
		if n := events(s); n != int(acknowledged.Load()) {
			t.Errorf("%d events, %d acknowledged", n, acknowledged.Load())
		}
		if err := s.Snapshot(t.Context()); err != ErrClosed {
			t.Errorf("snapshot after Close: %v", err)
		}
		again, err := open(Options{}, fsys.restart())
		must(t, err)
		if n := events(again); n != int(acknowledged.Load()) {
			t.Errorf("%d events after a restart, %d acknowledged", n, acknowledged.Load())
		}
		must(t, again.Check(), again.Close())
	})
}

// brokenSnapshots cannot make the directory of a snapshot.
type brokenSnapshots struct {
	*memFiles
	tries atomic.Int32
	wait  chan struct{} // nil: fail at once
}

func (b *brokenSnapshots) Mkdir(name string) error {
	if strings.HasPrefix(name, wal.SnapshotDir+"/") {
		b.tries.Add(1)
		if b.wait != nil {
			<-b.wait
			return b.memFiles.Mkdir(name)
		}
		return errInjected
	}
	return b.memFiles.Mkdir(name)
}

// A snapshot that fails is not tried again with every commit.
func TestFailingSnapshots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fsys := &brokenSnapshots{memFiles: newMemFiles()}
		s := on(t, Options{Snapshot: 10_000}, fsys)
		for range 200 {
			put(t, s, &Event{})
			synctest.Wait()
		}
		want := int(s.journal.sinceSnapshot() / 10_000)
		if n := int(fsys.tries.Load()); n < want/2 || n > want {
			t.Errorf("%d attempts, want about %d", n, want)
		}
		if err := s.Snapshot(t.Context()); !errors.Is(err, errInjected) {
			t.Errorf("error %v", err)
		}
	})
}

func TestSnapshotIsTakenByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fsys := newMemFiles()
		s := on(t, Options{Snapshot: 2_000}, fsys)
		for range 100 {
			put(t, s, &Event{})
			synctest.Wait()
			if since := s.journal.sinceSnapshot(); since > 4_000 {
				t.Fatalf("%d bytes of log and no snapshot", since)
			}
		}
	})
}

// Close waits for a snapshot that somebody takes, and who waits to take one
// can give up.
func TestSnapshotAndClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fsys := &brokenSnapshots{memFiles: newMemFiles(), wait: make(chan struct{})}
		s := on(t, Options{}, fsys)
		put(t, s, &Event{})
		taken := make(chan error)
		ended := make(chan error, 1)
		go func() { taken <- s.Snapshot(t.Context()) }()
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Snapshot(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second snapshot: %v", err)
		}
		go func() { ended <- s.Close() }()
		synctest.Wait()
		select {
		case <-ended:
			t.Error("closed while a snapshot is being written")
		default:
		}
		close(fsys.wait)
		must(t, <-taken, <-ended)
	})
}

func BenchmarkUpdate(b *testing.B) {
	for _, disk := range []bool{false, true} {
		b.Run(fmt.Sprintf("disk %t", disk), func(b *testing.B) {
			o := Options{}
			if disk {
				o.Dir = b.TempDir()
			}
			s, err := Open(o)
			must(b, err)
			defer s.Close()
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := s.Update(1, func(tx *Tx) error {
						return tx.Put(&Event{
							Title: "Concert",
						})
					}); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
