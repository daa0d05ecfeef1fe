// Filling an index while a store is opened: first the records are gathered, then the
// indexes are made of them, in order.

package store

import (
	"cmp"
	"slices"

	"almanac/store/wal"
)

// A loader gathers the records of a store that is being opened, and the steps that the
// log has of the transactions after its snapshot.
type loader struct {
	ascending [kinds][]Record         // by id, as snapshots have them
	over      [kinds]map[int64]Record // instead of them, or beside; nil is none any more
	steps     Steps
}

// take gathers the records of a snapshot, and then of each line of the log.
func (l *loader) take(e *wal.Entry) {
	if e.Seq > 0 {
		l.steps.step(e, l.get)
	}
	change := changeOf(e)
	change.each(func(r Record) {
		k, id := r.Kind(), r.Key()
		if n := len(l.ascending[k]); n == 0 || l.ascending[k][n-1].Key() < id {
			if _, ok := l.over[k][id]; !ok {
				l.ascending[k] = append(l.ascending[k], r)
				return
			}
		}
		l.put(k, id, r)
	})
	for _, gone := range change.Removed {
		l.put(gone.Kind, gone.ID, nil)
	}
}

// get returns the record with an id, or nil.
func (l *loader) get(k Kind, id int64) Record {
	if r, ok := l.over[k][id]; ok {
		return r
	}
	at, found := slices.BinarySearchFunc(l.ascending[k], id, func(r Record, id int64) int { return cmp.Compare(r.Key(), id) })
	if !found {
		return nil
	}
	return l.ascending[k][at]
}

// put replaces a record that was gathered before; nil removes it.
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

// index makes the index of the records.
func (l *loader) index() *index {
	x := newIndex()
	for k := range kinds {
		records := l.records(k)
		if k == Venues || k == Organizers {
			slices.SortFunc(records, byNewest) // the order of their lists
		}
		for _, r := range records {
			x.records[k][r.Key()] = r
			x.enter(r)
			if e, ok := r.(*Event); ok {
				x.count(e, +1)
			}
		}
	}
	x.makeLists()
	x.steps = l.steps
	return x
}
