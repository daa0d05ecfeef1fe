// Holds: records that a change in several transactions needs until its end.

package store

import (
	"errors"
	"fmt"
	"sync"
)

// ErrHeld is the error of a transaction that would trash or remove a record, or make another
// change in several transactions with it, while such a change needs the record.
var ErrHeld = errors.New("a change that needs the record is still being made")

// A Hold names the records that a change in several transactions needs from one to the next. No
// other transaction trashes or removes them. Holds are in memory: a change that a stop of the
// process cut short holds nothing afterwards.
type Hold struct{ keys []Removal }

// holds are those of a store.
type holds struct {
	mu sync.Mutex // guards the map: changes also end outside of transactions
	of map[Removal]*Hold
}

// check returns ErrHeld if a record is held, but not by own, which may be nil.
func (h *holds) check(own *Hold, key Removal) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if by := h.of[key]; by != nil && by != own {
		return fmt.Errorf("store: %s %d: %w", key.Kind, key.ID, ErrHeld)
	}
	return nil
}

// Hold lets the transaction trash and remove some records, and no other one until Release of the
// Hold, which begins empty. The error is ErrHeld if another change holds one of them.
func (tx *Tx) Hold(by *Hold, records ...Record) error {
	keys := make([]Removal, len(records))
	for i, r := range records {
		keys[i] = Removal{Kind: r.Kind(), ID: r.Key()}
		if err := tx.holds.check(by, keys[i]); err != nil {
			return err
		}
	}
	tx.hold = by
	tx.holds.mu.Lock()
	defer tx.holds.mu.Unlock()
	by.keys = append(by.keys, keys...)
	for _, key := range keys {
		tx.holds.of[key] = by
	}
	return nil
}

// Release ends a hold within the last transaction of its change.
func (tx *Tx) Release(h *Hold) { tx.holds.release(h) }

// Release ends a hold. One that holds nothing is no error.
func (s *Store) Release(h *Hold) { s.holds.release(h) }

func (h *holds) release(by *Hold) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range by.keys {
		delete(h.of, key)
	}
	by.keys = nil
}
