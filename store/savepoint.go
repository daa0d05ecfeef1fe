// Savepoints: the records of a store in memory, to begin with or to go back to.

package store

import (
	"errors"
	"log/slog"
	"time"
)

// ErrOnDisk is the error of savepoints and forks of a store with a directory:
// there, Restore makes another directory as it was at some time.
var ErrOnDisk = errors.New("store: only a store in memory, with no directory, has savepoints and forks")

// A Savepoint is the records of a store in memory at one moment. It never changes and
// need not be closed, and any number of goroutines may use it.
type Savepoint struct {
	records [kinds][]Record
	seen    seen
	steps   Steps
	state   *State
	now     func() time.Time
	log     *slog.Logger
	hash    func(string) string
}

// Savepoint returns what the store holds now. A store on disk has none: the error is
// ErrOnDisk. It must not be called within a View.
func (s *Store) Savepoint() (*Savepoint, error) {
	if s.journal != nil {
		return nil, ErrOnDisk
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return &Savepoint{s.index.all(), s.index.seen.clone(), s.index.steps.clone(), s.state.Load(), s.now, s.log, s.hash}, nil
}

// Fork returns a new store in memory, to be closed by the caller, that begins as
// the savepoint: with its records, and its next ids, sequence number and head.
// From then on it has nothing to do with any other store. now stamps its
// transactions; nil is the clock of the store that the savepoint is of.
func (p *Savepoint) Fork(now func() time.Time) *Store {
	if now == nil {
		now = p.now
	}
	s := newStore(Options{Now: now, Logger: p.log, HashPassword: p.hash})
	s.hold(p)
	s.serve()
	return s
}

// Fork returns a new store in memory that begins as this one is now: see
// Savepoint, with its error, and the Fork of that. now stamps its transactions;
// nil is the clock of this store.
func (s *Store) Fork(now func() time.Time) (*Store, error) {
	p, err := s.Savepoint()
	if err != nil {
		return nil, err
	}
	return p.Fork(now), nil
}

// RollBack makes the store hold what it held at a savepoint, or what another
// store in memory held, next ids, sequence number and head with it. It returns
// when that is visible. Views that run keep what they see, and RollBack waits for
// them; an Update comes as a whole before it, and is gone, or after it. A savepoint
// may be used any number of times, also to return to a state that was left. RollBack must not be called within a View or an
// Update. The error is ErrOnDisk or ErrClosed.
func (s *Store) RollBack(to *Savepoint) error {
	if s.journal != nil {
		return ErrOnDisk
	}
	return s.follow(s.closing, func() { s.hold(to) })
}

// hold makes the store hold what a savepoint does.
func (s *Store) hold(p *Savepoint) {
	x := newIndex()
	for k, records := range p.records {
		for _, r := range records {
			x.records[k][r.Key()] = r
		}
	}
	x.fill()
	x.seen, x.steps = p.seen.clone(), p.steps.clone()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index = x
	s.state.Store(p.state)
	s.noteDue()
}
