// Waiting for changes, for those who pass them on.

package store

import (
	"context"
	"crypto/sha256"
)

// Seq returns the sequence number of the last transaction before the state.
func (s *State) Seq() uint64 { return s.at.Seq }

// Head returns the SHA-256 of the line of that transaction, zeros before the first.
func (s *State) Head() [sha256.Size]byte { return s.at.Head }

// Wait returns nil as soon as the store is in another state than from, which State
// returned: when a transaction or a checkpoint after it is durable and visible, or, in
// memory, when it was rolled back. If that is so already it returns at once, so that
// nothing is missed between reading a state and waiting for the next one. Otherwise
// it returns ErrClosed after Close, or the cause of ctx when that ends.
//
// Any number of goroutines may wait. A commit costs them all one closed channel, and
// nothing when nobody waits.
func (s *Store) Wait(ctx context.Context, from *State) error {
	for {
		next := s.next.Load()
		if next == nil {
			made := make(chan struct{})
			if !s.next.CompareAndSwap(nil, &made) {
				continue // another one waits too, or there was a change
			}
			next = &made
		}
		if s.state.Load() != from { // after next was there: whoever shows a state closes it after that
			return nil
		}
		select {
		case <-*next:
		case <-s.closed:
			return ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// show makes a state visible. s.mu is held, or nobody knows the store yet.
func (s *Store) show(state *State) {
	s.state.Store(state)
	if next := s.next.Swap(nil); next != nil {
		close(*next)
	}
}
