// Package search answers which items of a calendar match a query, and in which
// order: by start, then by an order of the caller.
//
// An [Entry] is an item with everything by which it is found: when it starts and
// ends, the keys that it has (its venue, its categories, its flags …) and its
// texts. An [Index] takes entries in and out and finds items:
//
//	x := search.New(byID, true)
//	x.Insert(nil, &search.Entry[*Event]{Item: e, Start: 10, End: 12, Keys: []search.Key{{Kind: venue, ID: 3}}})
//	found := x.Find(&search.Query[*Event]{Start: search.Always(), End: search.Always()})
//	found.Items(0, found.Total)
//
// # How it works
//
// Every entry has a row, a small number that is used again after Remove. One
// ordered list holds all rows, and each key has an ordered list of its own
// (list.go). A query that asks for a time and at most one key is answered by
// positions in a list: the total is a difference of two positions, and a page
// costs what it shows. Any other query walks through the shortest of its lists,
// within its time, and asks each item (find.go). A search by text looks in the
// vocabulary, which has the rows of each word (words.go).
//
// # Concurrency
//
// Find and Check change nothing and may run at the same time. Insert, Fill and Remove
// may not run beside another call.
package search

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sync"
)

// A row is the number of an entry in an index.
type row = uint32

// A Key is a property that entries have in common, such as a venue. The kinds are
// those of the caller.
type Key struct {
	Kind uint8
	ID   int64
}

// An Entry is an item and everything by which it is found. Times may count
// anything, such as seconds, as long as all entries count the same.
type Entry[T comparable] struct {
	Item       T
	Start, End int64 // End is not before Start
	Keys       []Key // each once
	Texts      []string
}

// A Range is times from Min to Max, both included.
type Range struct{ Min, Max int64 }

// Always returns the range of all times.
func Always() Range { return Range{math.MinInt64, math.MaxInt64} }

// An Index finds items. Make one with New.
type Index[T comparable] struct {
	table
	items []T // by row; the zero value in a row without an entry
	rows  map[T]row
	free  []row // without an entry
	all   postings
	by    map[Key]*postings
	order func(a, b T) int
	words *words // nil where nobody searches for texts
}

// New returns an index without entries. Order is that of items which start at the same
// time; no two items may be equal in it. With texts, the index finds texts.
func New[T comparable](order func(a, b T) int, texts bool) *Index[T] {
	x := &Index[T]{rows: map[T]row{}, by: map[Key]*postings{}, order: order}
	x.tie = func(a, b row) int { return order(x.items[a], x.items[b]) }
	if texts {
		x.words = newWords()
	}
	return x
}

// A table has the order of the entries, by row.
type table struct {
	start, end []int64
	tie        func(a, b row) int
}

// compare is the order of the index.
func (t *table) compare(a, b row) int {
	if t.start[a] != t.start[b] {
		return cmp.Compare(t.start[a], t.start[b])
	}
	return t.tie(a, b)
}

// Len returns the number of entries.
func (x *Index[T]) Len() int { return x.all.rows.n }

// Insert takes an entry in. Old is the entry that it replaces, equal to the entry that
// was inserted, or nil if it is new. The index keeps the item and nothing else of the
// entry.
func (x *Index[T]) Insert(old, next *Entry[T]) {
	if old == nil {
		r := x.newRow()
		x.place(r, next)
		if x.words != nil {
			x.words.add(r, next.Texts)
		}
		return
	}
	r := x.rows[old.Item]
	if old.Start == next.Start && old.End == next.End && x.order(old.Item, next.Item) == 0 {
		x.rekey(r, old, next)
	} else {
		x.displace(old)
		x.place(r, next)
	}
	if x.words != nil && !slices.Equal(old.Texts, next.Texts) {
		x.words.remove(r, old.Texts)
		x.words.add(r, next.Texts)
	}
}

// Fill is Insert for each of some entries, into an empty index: quickest if they come in order. It
// reads them twice at the same time, since half of the work is that of the texts.
func (x *Index[T]) Fill(entries iter.Seq[*Entry[T]]) {
	var words sync.WaitGroup
	if x.words != nil {
		words.Go(func() {
			r := row(0)
			for e := range entries {
				x.words.add(r, e.Texts)
				r++
			}
		})
	}
	for e := range entries {
		x.place(x.newRow(), e)
	}
	words.Wait()
}

// Remove takes an entry out, which must be equal to the entry that was inserted.
func (x *Index[T]) Remove(old *Entry[T]) {
	r := x.displace(old)
	if x.words != nil {
		x.words.remove(r, old.Texts)
	}
	x.items[r] = *new(T)
	x.free = append(x.free, r)
}

// newRow returns a row without an entry.
func (x *Index[T]) newRow() row {
	if n := len(x.free); n > 0 {
		r := x.free[n-1]
		x.free = x.free[:n-1]
		return r
	}
	x.start = append(x.start, 0)
	x.end = append(x.end, 0)
	x.items = append(x.items, *new(T))
	return row(len(x.items) - 1)
}

// place enters a row everywhere but in the words.
func (x *Index[T]) place(r row, e *Entry[T]) {
	x.items[r], x.start[r], x.end[r], x.rows[e.Item] = e.Item, e.Start, e.End, r
	x.all.insert(&x.table, r)
	for _, key := range e.Keys {
		x.enter(r, key)
	}
}

func (x *Index[T]) enter(r row, key Key) {
	p := x.by[key]
	if p == nil {
		p = new(postings)
		x.by[key] = p
	}
	p.insert(&x.table, r)
}

func (x *Index[T]) leave(r row, key Key) {
	p := x.by[key]
	p.remove(&x.table, r)
	if p.rows.n == 0 {
		delete(x.by, key)
	}
}

// rekey gives a row that stays where it is in the order the keys of another entry. It touches no
// list of a key that both have: an entry may have hundreds, and a change of its texts costs
// nothing for them.
func (x *Index[T]) rekey(r row, old, next *Entry[T]) {
	delete(x.rows, old.Item)
	x.items[r], x.rows[next.Item] = next.Item, r
	x.Rekey([]Move[T]{{next.Item, old.Keys, next.Keys}})
}

// A Move is an item that had some keys of its entry, and has others in their place.
type Move[T comparable] struct {
	Item     T
	From, To []Key // may have keys in common, which stay
}

// Rekey replaces keys of some items by others. Of many items it makes the lists of the keys anew,
// which is quicker than to look for the place of each.
func (x *Index[T]) Rekey(moves []Move[T]) {
	moved := map[Key]*movedRows{}
	of := func(key Key) *movedRows {
		if moved[key] == nil {
			moved[key] = new(movedRows)
		}
		return moved[key]
	}
	for _, m := range moves {
		r := x.rows[m.Item]
		for _, key := range without(m.From, m.To) {
			of(key).out = append(of(key).out, r)
		}
		for _, key := range without(m.To, m.From) {
			of(key).in = append(of(key).in, r)
		}
	}
	for key, rows := range moved {
		if len(rows.out)+len(rows.in) > x.all.rows.n/64 {
			x.remake(key, rows)
			continue
		}
		for _, r := range rows.out {
			x.leave(r, key)
		}
		for _, r := range rows.in {
			x.enter(r, key)
		}
	}
}

// movedRows are the rows that leave the list of a key, and those that come into it.
type movedRows struct{ out, in []row }

// without returns the keys that other keys lack.
func without(keys, other []Key) (left []Key) {
	if slices.Equal(keys, other) {
		return nil
	}
	lacks := func(key Key) bool { return !slices.Contains(other, key) }
	if len(other) > 16 {
		has := make(map[Key]bool, len(other))
		for _, key := range other {
			has[key] = true
		}
		lacks = func(key Key) bool { return !has[key] }
	}
	for _, key := range keys {
		if lacks(key) {
			left = append(left, key)
		}
	}
	return left
}

// remake makes the list of a key anew.
func (x *Index[T]) remake(key Key, moved *movedRows) {
	has := newBitmap(len(x.items))
	next := new(postings)
	if p := x.by[key]; p != nil {
		next.longest = p.longest
		for block := range p.rows.between(0, p.rows.n) {
			for _, r := range block {
				has.set(r)
			}
		}
	}
	for _, r := range moved.out {
		has.clear(r)
	}
	for _, r := range moved.in {
		has.set(r)
	}
	for block := range x.all.rows.between(0, x.all.rows.n) {
		for _, r := range block {
			if has.has(r) {
				next.insert(&x.table, r)
			}
		}
	}
	if x.by[key] = next; next.rows.n == 0 {
		delete(x.by, key)
	}
}

// displace undoes place, and returns the row.
func (x *Index[T]) displace(e *Entry[T]) row {
	r := x.rows[e.Item]
	x.all.remove(&x.table, r)
	for _, key := range e.Keys {
		x.leave(r, key)
	}
	delete(x.rows, e.Item)
	return r
}
