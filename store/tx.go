// Writing: a transaction on its staged state.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Errors of Put and Remove. They mean a mistake of the caller, who is expected
// to have looked first.
var (
	ErrNotFound  = errors.New("store: no such record")
	ErrSlugTaken = errors.New("store: the slug is another record's")
	ErrLink      = errors.New("store: a link leads to no record")
)

// A Tx is a transaction that is being made. It sees its own writes, and those
// of the transactions before it whether or not they are on disk yet.
type Tx struct {
	Reader
	seq     uint64
	ids     position // next ids, staged
	change  Change
	touched map[Removal]int // 1 more than where a record stands in written
	written []Record        // nil where it was removed again
	undo    []func()
}

// Seq gives the sequence number that the transaction will have: the Rev of
// what it writes.
func (tx *Tx) Seq() uint64 { return tx.seq }

// Put stores a record: a new one when its id is 0, which gets the next id of
// its sequence, or is unknown, as in a seed; else in the place of the one with
// its id. The store keeps the pointer; the caller must not change the record
// afterwards. It sets the record's id and Rev.
func (tx *Tx) Put(r Record) error {
	k := r.Kind()
	if slug := slugOf(r); slug != "" {
		if other := tx.BySlug(k, slug); other != nil && other.Key() != r.Key() {
			return fmt.Errorf("%w: %s %q of %d", ErrSlugTaken, k, slug, other.Key())
		}
	}
	if err := tx.checkLinks(r); err != nil {
		return err
	}
	before := tx.ids
	next := &tx.ids.NextPost
	if k.isTerm() {
		next = &tx.ids.NextTerm
	}
	id := r.Key()
	if id == 0 {
		id = *next
	}
	if id < 0 || tx.otherKind(k, id) {
		return fmt.Errorf("store: %s cannot have the id %d", k, id)
	}
	*next = max(*next, id+1)
	tx.undo = append(tx.undo, func() { tx.ids = before })
	r.setKey(id, tx.seq)
	tx.stage(Removal{k, id}, r)
	return nil
}

// otherKind reports whether an id belongs to a record of another kind in the
// same sequence.
func (tx *Tx) otherKind(k Kind, id int64) bool {
	for other := range kinds {
		if other != k && other.isTerm() == k.isTerm() && tx.Get(other, id) != nil {
			return true
		}
	}
	return false
}

// checkLinks refuses links that lead nowhere.
func (v *Reader) checkLinks(r Record) error {
	var err error
	need := func(k Kind, id int64) {
		if err == nil && v.Get(k, id) == nil {
			err = fmt.Errorf("%w: %s %d", ErrLink, k, id)
		}
	}
	if p := postOf(r); p != nil && p.Image != 0 {
		need(Images, p.Image)
	}
	switch r := r.(type) {
	case *Event:
		r.links(need)
	case *Term:
		if r.Parent != 0 {
			need(r.Taxonomy, r.Parent)
		}
	}
	return err
}

// Remove forgets a category or tag for good. Posts are trashed instead, with
// Put. The caller has unlinked it before.
func (tx *Tx) Remove(k Kind, id int64) error {
	if tx.Get(k, id) == nil {
		return fmt.Errorf("%w: %s %d", ErrNotFound, k, id)
	}
	if events := tx.EventsOf(k, id); len(events) > 0 {
		return fmt.Errorf("store: %s %d is still linked to event %d", k, id, events[0].ID)
	}
	tx.stage(Removal{k, id}, nil)
	return nil
}

// stage puts a record into the overlay, or removes it when r is nil, and
// remembers how to undo that.
func (tx *Tx) stage(key Removal, r Record) {
	old := tx.over.records[key.Kind][key.ID]
	_, wasGone := tx.gone[key]
	at, before := len(tx.written), tx.touched[key] // 1 more than the place; 0: none
	var replaced Record
	if before != 0 {
		replaced = tx.written[before-1]
	}
	tx.undo = append(tx.undo, func() {
		tx.written = tx.written[:at]
		if tx.touched[key] = before; before != 0 {
			tx.written[before-1] = replaced
		} else {
			delete(tx.touched, key)
		}
		tx.over.remove(key.Kind, key.ID)
		if old != nil {
			tx.over.put(old)
		}
		delete(tx.gone, key)
		if wasGone {
			tx.gone[key] = struct{}{}
		}
	})
	if r == nil {
		tx.over.remove(key.Kind, key.ID)
		tx.gone[key] = struct{}{}
	} else {
		tx.over.put(r)
		delete(tx.gone, key)
	}
	if before != 0 {
		tx.written[before-1] = nil
	}
	tx.written = append(tx.written, r)
	tx.touched[key] = len(tx.written)
}

// finish gathers what the transaction did, each record once, as last written.
func (tx *Tx) finish() *Change {
	for key, at := range tx.touched {
		if tx.written[at-1] == nil {
			tx.change.Removed = append(tx.change.Removed, key)
		}
	}
	slices.SortFunc(tx.change.Removed, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
	})
	for _, r := range tx.written {
		if r != nil {
			tx.change.add(r)
		}
	}
	return &tx.change
}

// Try runs f as a part of the transaction that may fail alone: when f returns
// an error, what it wrote is undone, the transaction goes on, and Try returns
// the error.
func (tx *Tx) Try(f func() error) error {
	mark := len(tx.undo)
	err := f()
	if err != nil {
		tx.rollback(mark)
	}
	return err
}

// rollback takes what was written since a mark out of the staged state; 0 is
// the whole transaction.
func (tx *Tx) rollback(mark int) {
	for len(tx.undo) > mark {
		last := len(tx.undo) - 1
		undo := tx.undo[last]
		tx.undo = tx.undo[:last]
		undo()
	}
}

// NextID gives the id that the next new record of a kind will have.
func (tx *Tx) NextID(k Kind) int64 {
	if k.isTerm() {
		return tx.ids.NextTerm
	}
	return tx.ids.NextPost
}
