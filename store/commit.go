// Committing: from the function of a caller to lines on disk and a new state.

package store

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// maxBatch is how many transactions share a sync: enough that a slow disk is
// kept busy, few enough that the first of them does not wait for long.
const maxBatch = 256

// errUnfinished is the error of a function that did not return. No caller sees it: the
// goroutine of the caller panics or has ended.
var errUnfinished = errors.New("store: the transaction did not finish")

// A commit is a transaction on its way to the disk and back.
type commit struct {
	account int64
	tx      *Tx
	change  *Change       // changes of the function; nil if it failed or changed nothing
	err     error         // owned by the caller, and by the committer from the hand-over on
	done    chan struct{} // closed when the transaction is durable and visible, or failed
}

// A batch is transactions that are made durable together. The owner of the writer token
// (Store.token) owns it.
type batch struct {
	commits []*commit
	gone    map[Removal]struct{} // staged removals
	next    record.Position      // after the commits that succeeded
	room    room
	now     time.Time
	after   func() // for the committer when the batch is durable, or nil
}

// Update runs f in a transaction for an account and returns when the
// transaction is durable and visible, or failed. It returns the error of f as
// it is. An f that panics, or ends its goroutine, leaves nothing behind.
//
// Transactions run one at a time, so f must work in memory only. It must not call View or
// Update.
func (s *Store) Update(account int64, f func(*Tx) error) error {
	c := &commit{account: account, err: errUnfinished, done: make(chan struct{})}
	s.waiting.Add(1)
	select {
	case b := <-s.token:
		s.run(b, c, f)
	case <-s.closing:
		s.waiting.Add(-1) // a caller that passed the token on to this one relies on Close now
		return ErrClosed
	}
	<-c.done
	return c.err
}

// run runs f on the goroutine of its caller, which gets its panics. Then it passes the writer
// token on: to a waiting caller, so that their transactions share a sync, or to the committer.
func (s *Store) run(b *batch, c *commit, f func(*Tx) error) {
	s.join(b, c)
	defer func() {
		if c.err != nil {
			c.tx.rollback(0)
		} else if change := c.tx.finish(); !change.Empty() {
			c.change = change
			b.next.Seq = c.tx.seq
			b.next.NextPost = c.tx.ids.NextPost
			b.next.NextTerm = c.tx.ids.NextTerm
			b.next.Settings = c.tx.ids.Settings
		}
		b.commits = append(b.commits, c)
		if s.waiting.Add(-1) == 0 || len(b.commits) == maxBatch {
			s.full <- b
			return
		}
		s.token <- b
	}()
	c.err = f(c.tx)
}

// join makes the transaction of a commit, on top of the batch. Only the owner of the writer
// token changes index and state, so that join reads both without the lock.
func (s *Store) join(b *batch, c *commit) {
	if len(b.commits) == 0 {
		s.staged = newIndex()
		clear(b.gone)
		b.next = s.state.Load().at
		b.now = s.now().UTC()
		b.room = room{}
	}
	c.tx = &Tx{
		Reader:  Reader{base: s.index, over: s.staged, gone: b.gone, now: b.now},
		seq:     b.next.Seq + 1,
		ids:     b.next,
		touched: map[Removal]int{},
		hash:    s.hash,
		room:    &b.room,
		holds:   &s.holds,
	}
	if s.journal != nil {
		c.tx.disk = s.journal.Files
	}
}

// serve starts the committer, and lets transactions in.
func (s *Store) serve() {
	s.work.Go(s.commits)
	s.token <- &batch{gone: map[Removal]struct{}{}}
}

// reopenEvery is how long a store that takes no changes waits before it tries
// the disk again.
const reopenEvery = time.Second

// commits is the committer. It passes the writer token back with an empty batch.
func (s *Store) commits() {
	var again <-chan time.Time // when to try to reopen the journal; nil while it takes changes, or never will
	for {
		var b *batch
		var more bool
		select {
		case b, more = <-s.full:
		case <-again:
			again = s.reopen()
			continue
		}
		if !more {
			return
		}
		s.commitBatch(b)
		if b.after != nil {
			b.after()
			b.after = nil
		}
		if s.journal != nil && s.journal.Failed() != nil && s.refusing.Load() == nil {
			again = s.refuse()
		}
		for _, c := range b.commits {
			close(c.done)
		}
		clear(b.commits)
		b.commits = b.commits[:0]
		s.token <- b
	}
}

// follow has the committer call do after the transactions that the open batch has so far, and
// waits for that. The error is ErrClosed once closing is closed.
func (s *Store) follow(closing <-chan struct{}, do func()) error {
	s.waiting.Add(1)
	select {
	case b := <-s.token:
		s.waiting.Add(-1)
		done := make(chan struct{})
		b.after = func() { do(); close(done) }
		s.full <- b
		<-done
		return nil
	case <-closing:
		s.waiting.Add(-1)
		return ErrClosed
	}
}

// refuse notes that the journal is read-only, and returns when to reopen it, nil for never.
func (s *Store) refuse() <-chan time.Time {
	err := s.journal.Failed()
	s.refusing.Store(&err)
	if !IsPassing(err) {
		s.log.Error("no change is taken until a restart", "err", err)
		return nil
	}
	s.log.Error("no change is taken until the disk is in order", "err", err)
	return time.After(reopenEvery)
}

// reopen tries to make the journal writable, and returns when to try again.
func (s *Store) reopen() (again <-chan time.Time) {
	switch err := s.journal.Reopen(); {
	case err == nil:
		s.refusing.Store(nil)
		return nil
	case !IsPassing(s.journal.Failed()):
		return s.refuse()
	}
	return time.After(reopenEvery)
}

// Refusing returns the error that every Update returns at the moment, nil when
// changes are taken. It waits for nobody.
func (s *Store) Refusing() error {
	if err := s.refusing.Load(); err != nil {
		return *err
	}
	return nil
}

// commitBatch makes the transactions of a batch durable together. Each has run on top of its
// predecessors, and a failed transaction has changed nothing. The comments say which lines are on
// disk if the process dies at that step.
func (s *Store) commitBatch(b *batch) {
	// None.
	var entries []wal.Entry
	for _, c := range b.commits {
		if c.change == nil {
			continue
		}
		entries = append(entries, wal.Entry{
			Seq:     c.tx.seq,
			Time:    b.now,
			Account: c.account,
			Value:   c.change,
		})
	}
	if len(entries) == 0 {
		return
	}

	// Before the sync none, some or all of them, and no Update has returned yet: recovery
	// takes the whole lines and removes a truncated one. After the sync all of them.
	next := b.next
	spends := s.spare && hasAccounts(entries)
	if spends {
		s.spendSpare()
	}
	if s.journal != nil {
		if err := s.journal.commit(entries); err != nil {
			b.fail(fmt.Errorf("store: commit: %w", err))
			return
		}
		next.Head = s.journal.at.Head
	} else if err := chain(&next, entries); err != nil {
		b.fail(fmt.Errorf("store: commit: %w", err))
		return
	}

	// All.
	s.apply(entries, next)
	if spends {
		s.keepSpare()
	}
	s.snapshotIfDue()
	s.sweepIfDue(b.now)
}

// apply makes durable transactions visible, as recovery does.
func (s *Store) apply(entries []wal.Entry, next record.Position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range entries {
		s.index.note(&entries[i])
		s.index.apply(record.ChangeOf(&entries[i]))
	}
	if hasAccounts(entries) {
		s.noteAccounts()
	}
	if s.journal == nil {
		s.remember(entries)
	}
	s.state.Store(&State{next})
	s.noteDue()
}

// chain returns a position in memory the head that it would have on disk, so that
// heads tell states apart there too.
func chain(at *record.Position, entries []wal.Entry) error {
	var buf []byte
	err := record.Encode(entries)
	for i := range entries {
		entries[i].Batch = entries[0].Seq
		buf = wal.AppendLine(buf[:0], &entries[i], at.Head)
		at.Head = entries[i].Head
	}
	return err
}

// fail answers a batch that could not be made durable. A transaction that changed nothing
// fails too: it may have read changes of the batch, which are lost.
func (b *batch) fail(err error) {
	for _, c := range slices.Backward(b.commits) {
		if c.change != nil {
			c.tx.rollback(0) // gives the records of the callers their ids back
		}
		if c.err == nil {
			c.err = err
		}
	}
}
