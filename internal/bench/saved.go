// Calendars on disk: made once, opened by every case that reads.

package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

// afterShare says that one in so many events is changed after the snapshot.
const afterShare = 20

// A saved calendar is a directory with the store of a generated one: a snapshot
// of all its events, and after it a log that changes some of them, one in a line.
// That is how a server finds its data when it is started.
type saved struct {
	*almanactest.Calendar
	dir  string
	n    int           // events
	took time.Duration // making it
}

// save makes a calendar of n events. change, which may be nil, changes them before
// the snapshot. Remove the directory, which may be there even if there was an error.
func save(parent string, n int, change func(s *store.Store, events []int64) error) (*saved, error) {
	start := time.Now()
	dir, err := os.MkdirTemp(parent, "almanac-bench-")
	if err != nil {
		return &saved{}, err
	}
	c := &saved{dir: dir, n: n}
	s, err := openSaved(dir)
	if err != nil {
		return c, err
	}
	c.Calendar, err = almanactest.Generate(s, n)
	if err == nil && change != nil {
		err = change(s, c.Events)
	}
	if err == nil {
		err = s.Snapshot(context.Background())
	}
	if err != nil {
		return c, errors.Join(err, s.Close())
	}
	errs := make([]error, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < n/afterShare && errs[w] == nil; i += writers {
				errs[w] = s.Update(1, func(tx *store.Tx) error {
					e := *tx.Event(c.Events[i*afterShare])
					e.Featured = !e.Featured
					return tx.Put(&e)
				})
			}
		})
	}
	all.Wait()
	c.took = time.Since(start)
	return c, errors.Join(errors.Join(errs...), s.Close())
}

// remove removes the directory.
func (c *saved) remove() error {
	if c.dir == "" {
		return nil
	}
	return os.RemoveAll(c.dir)
}

// openSaved opens such a directory. No snapshot is written unless one is asked
// for.
func openSaved(dir string) (*store.Store, error) {
	return store.Open(store.Options{Dir: dir, Now: func() time.Time { return now }, Snapshot: -1})
}

// awaitWords waits until all words of a store are there.
func awaitWords(s *store.Store) {
	for made := false; !made; time.Sleep(time.Millisecond) {
		s.View(func(v *store.View) error {
			made = v.WordsIndexed()
			return nil
		})
	}
}
