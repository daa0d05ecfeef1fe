// Filling an index while a store is opened: first the records are gathered,
// then everything is made of them, at the same time and in order.

package store

import (
	"slices"
	"sync"
)

// A loader gathers the records of a store that is being opened.
type loader struct {
	ascending [kinds][]Record         // by id, as snapshots have them
	over      [kinds]map[int64]Record // instead of them, or beside; nil is none any more
}

// gather does to the records what a transaction did.
func (l *loader) gather(c *Change) {
	c.each(func(r Record) {
		k, id := r.Kind(), r.Key()
		if n := len(l.ascending[k]); n == 0 || l.ascending[k][n-1].Key() < id {
			if _, ok := l.over[k][id]; !ok {
				l.ascending[k] = append(l.ascending[k], r)
				return
			}
		}
		l.put(k, id, r)
	})
	for _, gone := range c.Removed {
		l.put(gone.Kind, gone.ID, nil)
	}
}

// take is gather as a journal calls it.
func (l *loader) take(c *Change) error {
	l.gather(c)
	return nil
}

// add gathers the records of a snapshot, which come before all transactions.
func (l *loader) add(pieces []piece) {
	var counts [kinds]int
	for _, p := range pieces {
		counts[p.kind] += len(p.records)
	}
	for k, n := range counts {
		l.ascending[k] = make([]Record, 0, n+n/16) // with room for what is new in the log
	}
	for _, p := range pieces {
		l.ascending[p.kind] = append(l.ascending[p.kind], p.records...)
	}
}

// put notes what there is in the place of what was gathered before.
func (l *loader) put(k Kind, id int64, r Record) {
	if l.over[k] == nil {
		l.over[k] = map[int64]Record{}
	}
	l.over[k][id] = r
}

// records returns the records of a kind, mostly by id: that is how they lie in
// memory.
func (l *loader) records(k Kind) []Record {
	all := l.ascending[k]
	if len(l.over[k]) == 0 {
		return all
	}
	all = slices.DeleteFunc(all, func(r Record) bool { _, ok := l.over[k][r.Key()]; return ok })
	for _, r := range l.over[k] {
		if r != nil {
			all = append(all, r)
		}
	}
	return all
}

// index makes the index of the records, but for the words.
func (l *loader) index() *index {
	x := newIndex()
	var all [kinds][]Record
	for k := range kinds {
		if all[k] = l.records(k); k == Events {
			continue
		}
		for _, r := range all[k] {
			x.records[k].Put(x.by, r.Key(), r)
		}
	}
	events := all[Events]
	var done sync.WaitGroup
	done.Go(func() { x.fillPartitions(events) })
	done.Go(func() {
		counts := map[Removal]int{}
		for _, r := range events {
			x.records[Events].Put(x.by, r.Key(), r)
			r.(*Event).terms(func(k Kind, id int64) { counts[Removal{k, id}]++ })
		}
		for term, n := range counts {
			x.counted(term.Kind, term.ID, n)
		}
	})
	x.slugs[Events].Grow(x.by, len(events))
	for _, records := range all {
		for _, r := range records {
			x.enter(r)
		}
	}
	done.Wait()
	return x
}
