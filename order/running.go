// Rows by how long they last: which of them run at a moment.

package order

import (
	"math/bits"
	"slices"
	"sort"
)

// lengthClass gives the number of the list of lengths for rows that last so
// long.
func lengthClass(length int64) int { return bits.Len64(uint64(length)) }

// longest is the class from which on lengths are not used: so many seconds are
// more than the years 0 to 9999 have, and subtracting them could overflow.
const longest = 40

// longFrom is the class from which on rows are kept with their times: such rows,
// of most of a day and more, are few, but of them the most run at any moment, and
// looking each time up would take longer than all else.
const longFrom = 16

// lasting is a row with its times.
type lasting struct {
	start, end int64
	row        Row
}

// addLength and removeLength change the lists of lengths. There are as many of
// these as the longest row needs.
func (t *Timeline) addLength(r Row) {
	if n := t.lengthClass(r); n < longFrom {
		for len(t.short) <= n {
			t.short = append(t.short, List[Row]{})
		}
		t.short[n].Insert(t.by, r, t.Compare)
	} else {
		for len(t.long) <= n-longFrom {
			t.long = append(t.long, List[lasting]{})
		}
		t.long[n-longFrom].Insert(t.by, t.lasting(r), t.compareLasting)
	}
}

func (t *Timeline) removeLength(r Row) {
	if n := t.lengthClass(r); n < longFrom {
		t.short[n].Remove(t.by, r, t.Compare)
	} else {
		t.long[n-longFrom].Remove(t.by, t.lasting(r), t.compareLasting)
	}
}

func (t *Timeline) lengthClass(r Row) int { return lengthClass(t.ends.At(r) - t.starts.At(r)) }

func (t *Timeline) lasting(r Row) lasting { return lasting{t.starts.At(r), t.ends.At(r), r} }

func (t *Timeline) compareLasting(a, b lasting) int { return t.Compare(a.row, b.row) }

// EachRunning calls f, in no order, with the rows that start between first and
// last, both included, that have started by a moment and end after it. It looks
// at about as many rows as run at that moment, whatever the longest of all may
// be: a row that lasts less than 2^n started less than 2^n before.
func (t *Timeline) EachRunning(at, first, last int64, f func(Row)) {
	last = min(last, at)
	if first > last {
		return
	}
	starts, ends := t.starts.Values(), t.ends.Values()
	for n := range t.short {
		if since := max(first, at-(1<<n)+1); since <= last {
			eachBetween(&t.short[n], since, last, func(r Row) int64 { return starts.At(r) }, func(r Row) {
				if ends.At(r) > at {
					f(r)
				}
			})
		}
	}
	for i := range t.long {
		since := first
		if n := i + longFrom; n < longest {
			since = max(first, at-(1<<n)+1)
		}
		if since <= last {
			eachBetween(&t.long[i], since, last, func(l lasting) int64 { return l.start }, func(l lasting) {
				if l.end > at {
					f(l.row)
				}
			})
		}
	}
}

// CountRunning gives the number of the rows of EachRunning.
func (t *Timeline) CountRunning(at, first, last int64) int {
	n := 0
	t.EachRunning(at, first, last, func(Row) { n++ })
	return n
}

// eachBetween calls f with the items of a list by start that start from since to
// last.
func eachBetween[T any](list *List[T], since, last int64, start func(T) int64, f func(T)) {
	if list.Len() == 0 {
		return
	}
	b := sort.Search(len(list.runs), func(i int) bool { return start(list.runs[i].last()) >= since })
	for ; b < len(list.runs); b++ {
		items := list.runs[b].items
		if start(items[0]) < since {
			items = items[sort.Search(len(items), func(i int) bool { return start(items[i]) >= since }):]
		}
		for _, item := range items {
			if start(item) > last {
				return
			}
			f(item)
		}
	}
}

// Running gives the rows of EachRunning in order.
func (t *Timeline) Running(at, first, last int64) []Row {
	var found []Row
	t.EachRunning(at, first, last, func(r Row) { found = append(found, r) })
	slices.SortFunc(found, t.Compare)
	return found
}
