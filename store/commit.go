// Committing: from the function of a caller to lines on disk and a new state.

package store

import (
	"errors"
	"fmt"

	"almanac/cow"
)

// maxBatch is how many transactions share a sync: enough that a slow disk is
// kept busy, few enough that the first of them does not wait for long.
const maxBatch = 256

// errUnfinished is of a function that did not return. Nobody sees it: its
// caller panics or has ended.
var errUnfinished = errors.New("store: the transaction did not finish")

// A commit is a transaction on its way to the committer and back.
type commit struct {
	account int64
	turn    chan *Tx      // the committer gives the transaction to run
	ran     chan error    // the caller says how that went
	err     error         // the committer's, until done
	done    chan struct{} // closed when the transaction is durable and visible, or failed
}

// Update runs f in a transaction for an account and returns when the
// transaction is durable and visible, or failed. It returns the error of f as
// it is. An f that panics, or ends its goroutine, leaves nothing behind.
//
// f runs after the transactions before it and before those after it, so that
// all wait for it: it works in memory only. It must not call View or Update.
func (s *Store) Update(account int64, f func(*Tx) error) error {
	c := &commit{account: account, turn: make(chan *Tx), ran: make(chan error), done: make(chan struct{})}
	select {
	case s.queue <- c:
	case <-s.closed:
		return ErrClosed
	}
	c.run(<-c.turn, f)
	<-c.done
	return c.err
}

// run runs f on the goroutine of its caller, which has its panics.
func (c *commit) run(tx *Tx, f func(*Tx) error) {
	err := errUnfinished
	defer func() {
		if err != nil {
			tx.rollback(0)
		}
		c.ran <- err
	}()
	err = f(tx)
}

// commits is the committer.
func (s *Store) commits() {
	for {
		select {
		case c := <-s.queue:
			s.commitBatch(s.gather(c))
		case r := <-s.rollbacks:
			s.mu.Lock()
			s.hold(r.to)
			s.mu.Unlock()
			close(r.done)
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
	// the others alone. Only this goroutine changes index and state, so that it
	// and the callers, which have their turn while it waits, read them without
	// the lock.
	if s.staged == nil {
		s.staged = newIndex()
	}
	s.staged.clear()
	staged, gone := s.staged, map[Removal]struct{}{}
	next, now := s.state.Load().at, s.now().UTC()
	var passed []*Tx
	var entries []entry
	for _, c := range batch {
		tx := &Tx{
			Reader:  Reader{base: s.index, over: staged, gone: gone, now: now},
			seq:     next.Seq + 1,
			ids:     next,
			touched: map[Removal]int{},
			seal:    s.seal,
		}
		c.turn <- tx
		if c.err = <-c.ran; c.err != nil {
			continue
		}
		change := tx.finish()
		if change.Empty() {
			continue
		}
		next.Seq, next.NextPost, next.NextTerm = tx.seq, tx.ids.NextPost, tx.ids.NextTerm
		passed = append(passed, tx)
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
			s.fail(batch, passed, fmt.Errorf("store: commit: %w", err))
			return
		}
		next.Head = s.journal.position().Head
	} else if err := chain(&next, entries); err != nil {
		s.fail(batch, passed, fmt.Errorf("store: commit: %w", err))
		return
	}

	// All of them. What recovery would do with the lines is done here, in a fork of
	// the index if somebody keeps what it holds.
	s.mu.Lock()
	if frozen := s.frozen.Swap(nil); frozen != nil {
		s.index = frozen.fork(cow.NewMark())
	}
	for i := range entries {
		s.index.note(&entries[i])
		s.index.apply(entries[i].Change)
	}
	s.state.Store(&State{next, s.index.seen.public})
	s.noteDue()
	s.mu.Unlock()
	s.snapshotIfDue()
}

// chain gives a position in memory the head that it would have on disk, so that
// heads tell states apart there too.
func chain(at *position, entries []entry) error {
	var buf []byte
	for i := range entries {
		entries[i].Batch = entries[0].Seq
		var err error
		if buf, at.Head, err = appendLine(buf[:0], entries[i], at.Head); err != nil {
			return fmt.Errorf("transaction %d: %w", entries[i].Seq, err)
		}
		entries[i].Head = at.Head
	}
	return nil
}

// fail answers a batch that could not be made durable. A transaction that
// wrote nothing fails with the others: what it saw may never have been.
func (s *Store) fail(batch []*commit, passed []*Tx, err error) {
	for i := len(passed) - 1; i >= 0; i-- {
		passed[i].rollback(0) // gives the records of the callers their ids back
	}
	for _, c := range batch {
		if c.err == nil {
			c.err = err
		}
	}
}
