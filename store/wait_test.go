// Waiting for the next state.

package store

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// heldFiles holds up every sync of the log until held is closed.
type heldFiles struct {
	*memFiles
	held chan struct{}
}

type heldFile struct {
	file
	of *heldFiles
}

func (h *heldFiles) create(name string) (file, error) {
	f, err := h.memFiles.create(name)
	if !strings.HasPrefix(name, logDir) {
		return f, err
	}
	return heldFile{f, h}, err
}

func (f heldFile) unwrap() file { return f.file }

func (f heldFile) Sync() error {
	<-f.of.held
	return f.file.Sync()
}

// Who waits goes on with the first change after the state that he read, and not before
// it is durable.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &heldFiles{memFiles: newMemFiles(), held: make(chan struct{})}
		s := on(t, Options{}, disk)
		from := s.State()
		var waiters sync.WaitGroup
		returned := make(chan uint64, 3)
		for range cap(returned) {
			waiters.Go(func() {
				if err := s.Wait(t.Context(), from); err != nil {
					t.Error(err)
				}
				returned <- s.Seq()
			})
		}
		waiters.Go(func() { put(t, s, &Term{Name: "A", Slug: "a", Taxonomy: Tags}) })
		synctest.Wait()
		if len(returned) > 0 {
			t.Error("somebody went on before the transaction was durable")
		}
		close(disk.held)
		waiters.Wait()
		for range cap(returned) {
			if seq := <-returned; seq != 1 {
				t.Errorf("somebody went on with the state of %d", seq)
			}
		}
		if err := s.Wait(t.Context(), from); err != nil {
			t.Errorf("waiting for what has happened: %v", err)
		}

		// A checkpoint is a line too.
		from = s.State()
		waiters.Go(func() {
			if err := s.Wait(t.Context(), from); err != nil || s.State().Seq() != 2 {
				t.Errorf("after the checkpoint: %v, state %d", err, s.State().Seq())
			}
		})
		synctest.Wait()
		if err := s.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		waiters.Wait()

		// Nothing happens any more.
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		waiters.Go(func() {
			if err := s.Wait(ctx, s.State()); !errors.Is(err, gone) {
				t.Errorf("who gave up: %v", err)
			}
		})
		waiters.Go(func() {
			if err := s.Wait(t.Context(), s.State()); !errors.Is(err, ErrClosed) {
				t.Errorf("of a closed store: %v", err)
			}
		})
		synctest.Wait()
		cancel(gone)
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		waiters.Wait()
	})
}

// No change is missed by who reads a state and then waits for the next one, whatever
// happens in between.
func TestWaitMissesNothing(t *testing.T) {
	s := on(t, Options{}, nil)
	const last = 1000
	var waiters sync.WaitGroup
	for range 4 {
		waiters.Go(func() {
			for state := s.State(); state.Seq() < last; state = s.State() {
				if err := s.Wait(t.Context(), state); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range last {
		put(t, s, &Term{Name: "A", Slug: strconv.Itoa(i), Taxonomy: Tags})
	}
	waiters.Wait()
}

// A store that is rolled back is in another state, though no transaction came after.
func TestWaitForRollBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := on(t, Options{}, nil)
		start, err := s.Savepoint()
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, &Term{Name: "A", Slug: "a", Taxonomy: Tags})
		var waiter sync.WaitGroup
		waiter.Go(func() {
			if err := s.Wait(t.Context(), s.State()); err != nil || s.Seq() != 0 {
				t.Errorf("%v, state %d", err, s.Seq())
			}
		})
		synctest.Wait()
		if err := s.RollBack(start); err != nil {
			t.Fatal(err)
		}
		waiter.Wait()
	})
}
