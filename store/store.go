// Package store keeps the catalogue: events, venues, organizers, categories,
// tags and the images they show, in memory with indexes, and durable on disk.
//
// # Model
//
// Records are plain structs, immutable once committed. View gives one
// consistent state to read; Update runs a transaction that may write many
// records, all of them or none:
//
//	err := s.Update(account, func(tx *store.Tx) error {
//		venue := &store.Venue{Name: "Town Hall"}
//		if err := tx.Put(venue); err != nil {
//			return err
//		}
//		return tx.Put(&store.Event{Title: "Concert", Start: start, End: end, Venues: []int64{venue.ID}})
//	})
//
// # Guarantees
//
// When Update returns nil the transaction is on disk and visible; before it is
// on disk it is visible to nobody. When Update returns an error nothing of it
// happened. After a write or a sync has failed nothing more is written: reads
// go on, and every later Update returns that first error.
//
// # Files
//
// A directory holds a lock, the log and snapshots; FORMAT.md describes every
// byte. With an empty Options.Dir there are no files and nothing is durable,
// and everything else is the same.
//
// # Goroutines and locks
//
// One goroutine, the committer, runs all transactions. It takes those that
// wait, runs them in order on a staged overlay, writes one line each with one
// write and one sync, applies them under the write lock and lets their callers
// go on. No lock is held during a write or a sync. A second goroutine writes a
// snapshot now and then, from records that nobody changes. Close waits for
// both.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// ErrClosed is what Update returns after Close.
var ErrClosed = errors.New("store: closed")

// Limits of the committer.
const (
	maxBatch        = 256      // transactions that share a sync
	snapshotDefault = 64 << 20 // bytes of log after which a snapshot is taken
)

// Options says where and how a store is kept. The zero value keeps everything
// in memory.
type Options struct {
	Dir      string           // data directory, made if missing; "" keeps everything in memory
	Now      func() time.Time // stamps transactions; nil leaves them unstamped
	Logger   *slog.Logger     // recovery and snapshots; nil discards
	Segment  int64            // bytes of a log segment; 0 is 64 MiB
	Snapshot int64            // bytes of log between snapshots; 0 is 64 MiB, negative is never
}

// A Store is an open store, safe for concurrent use.
type Store struct {
	now      func() time.Time
	log      *slog.Logger
	journal  *journal // nil in memory
	snapshot int64

	queue  chan *commit  // received by the committer alone; Update sends and waits
	closed chan struct{} // closed by Close: Update sends no more
	close  sync.Once
	ended  error          // what Close returned
	work   sync.WaitGroup // the committer and a running snapshot
	saving chan struct{}  // holds the right to take a snapshot

	mu       sync.RWMutex // guards index and position; never held during I/O or rendering
	index    *index
	position position
}

// A commit is a transaction on its way to the committer and back.
type commit struct {
	account int64
	run     func(*Tx) error
	err     error
	panic   any
	done    chan struct{}
}

// Open opens the store of a directory, or makes one, and recovers what was
// committed. Damage that recovery may not forgive is a *CorruptError; a
// directory in use by another process is refused.
func Open(o Options) (*Store, error) {
	s := &Store{
		now:      o.Now,
		log:      o.Logger,
		snapshot: o.Snapshot,
		queue:    make(chan *commit),
		closed:   make(chan struct{}),
		saving:   make(chan struct{}, 1),
		index:    newIndex(),
		position: position{NextPost: 1, NextTerm: 1},
	}
	if s.now == nil {
		s.now = func() time.Time { return time.Time{} }
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.snapshot == 0 {
		s.snapshot = snapshotDefault
	}
	if o.Dir != "" {
		if err := s.recover(o); err != nil {
			return nil, err
		}
	}
	s.work.Go(s.commits)
	return s, nil
}

// recover opens the journal and applies what it holds.
func (s *Store) recover(o Options) error {
	fs, err := openFiles(o.Dir)
	if err != nil {
		return err
	}
	s.journal, s.position, err = openJournal(fs, journalOptions{segmentSize: o.Segment, log: s.log}, func(c *Change) error {
		s.index.apply(c)
		return nil
	})
	return err
}

// Update runs f in a transaction for an account and returns when the
// transaction is durable and visible, or failed. It returns the error of f as
// it is. f runs on another goroutine, after the transactions before it and
// before those after it; it must not call View or Update.
func (s *Store) Update(account int64, f func(*Tx) error) error {
	c := &commit{account: account, run: f, done: make(chan struct{})}
	select {
	case s.queue <- c:
	case <-s.closed:
		return ErrClosed
	}
	<-c.done
	if c.panic != nil {
		panic(c.panic)
	}
	return c.err
}

// commits is the committer.
func (s *Store) commits() {
	for {
		select {
		case c := <-s.queue:
			s.commitBatch(s.gather(c))
		case <-s.closed:
			return
		}
	}
}

// gather takes the transactions that wait already. It waits for none: while a
// batch is written the next one gathers by itself.
func (s *Store) gather(first *commit) []*commit {
	batch := []*commit{first}
	for len(batch) < maxBatch {
		select {
		case c := <-s.queue:
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// commitBatch runs transactions and makes them durable together. If the
// process dies at one of the steps, then on disk is:
func (s *Store) commitBatch(batch []*commit) {
	defer func() {
		for _, c := range batch {
			close(c.done)
		}
	}()

	// Nothing yet. Run each on top of those before it; one that fails leaves
	// the others alone. Only this goroutine changes index and position, so it
	// reads them without the lock.
	staged := newIndex()
	gone := map[Removal]struct{}{}
	next := s.position
	now := s.now().UTC()
	var passed []*commit
	var entries []entry
	for _, c := range batch {
		tx := &Tx{
			Reader:  Reader{base: s.index, over: staged, gone: gone, now: now},
			seq:     next.Seq + 1,
			ids:     next,
			touched: map[Removal]int{},
		}
		c.execute(tx)
		if c.err != nil || c.panic != nil {
			tx.rollback(0)
			continue
		}
		change := tx.finish()
		if change.Empty() {
			continue
		}
		next.Seq, next.NextPost, next.NextTerm = tx.seq, tx.ids.NextPost, tx.ids.NextTerm
		passed = append(passed, c)
		entries = append(entries, entry{Seq: tx.seq, Time: now, Account: c.account, Change: change})
	}
	if len(entries) == 0 {
		return
	}

	// None, some or all of the lines, none of them answered for: recovery
	// takes the whole ones and cuts the torn one. Then, after the sync, all of
	// them for good.
	if s.journal != nil {
		if err := s.journal.commit(entries); err != nil {
			for _, c := range passed {
				c.err = fmt.Errorf("store: commit: %w", err)
			}
			return
		}
		next.Head = s.journal.position().Head
	}

	// All of them. What recovery would do with the lines is done here.
	s.mu.Lock()
	for i := range entries {
		s.index.apply(entries[i].Change)
	}
	s.position = next
	s.mu.Unlock()

	if s.journal != nil && s.snapshot > 0 && s.journal.sinceSnapshot() > s.snapshot {
		s.startSnapshot()
	}
}

// execute runs the caller's function; a panic of it is the caller's.
func (c *commit) execute(tx *Tx) {
	defer func() { c.panic = recover() }()
	c.err = c.run(tx)
}

// startSnapshot takes a snapshot in the background, unless one is being taken.
func (s *Store) startSnapshot() {
	select {
	case s.saving <- struct{}{}:
	default:
		return
	}
	s.work.Go(func() {
		defer func() { <-s.saving }()
		if err := s.save(); err != nil {
			s.log.Error("snapshot failed", "err", err)
		}
	})
}

// Snapshot writes a snapshot now and waits for it. In memory it does nothing.
func (s *Store) Snapshot(ctx context.Context) error {
	if s.journal == nil {
		return nil
	}
	select {
	case s.saving <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.saving }()
	return s.save()
}

// save collects the records of one state and writes them. Records never
// change, so only the collecting needs the lock.
func (s *Store) save() error {
	s.mu.RLock()
	at, records := s.position, s.index.all()
	s.mu.RUnlock()
	if err := s.journal.snapshot(at, records, s.now().UTC()); err != nil {
		return err
	}
	s.log.Info("snapshot written", "seq", at.Seq)
	return nil
}

// Close waits for what is being committed, then releases the directory. Later
// Updates fail with ErrClosed; a View sees the last state.
func (s *Store) Close() error {
	s.close.Do(func() {
		close(s.closed)
		s.work.Wait()
		if s.journal != nil {
			s.ended = s.journal.Close()
		}
	})
	return s.ended
}
