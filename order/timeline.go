// Package order keeps items in order and answers where they stand.
//
// A List is a sorted list with positions by count. A Timeline is one of rows
// that have a start and an end; beside it there are Sets of its rows, from which
// a Selection makes what lies between two positions and in all of some sets: a
// bit per row and a few machine words per block of rows, so that a million rows
// take some tens of microseconds. A Sequence is how whatever was found is read:
// its length, and any part of it.
//
// Nothing here locks. Reading changes nothing, so that any number may read while
// nobody writes.
package order

import (
	"cmp"
	"slices"
	"sort"
)

// A Row is the number of an item. Whoever fills a Timeline gives them out; they
// should be small, since tables are indexed by them.
type Row = uint32

// slots is how many places for rows a block has; wordsPerBlock is how many words
// their bits fill.
const (
	slots         = blockSize
	wordsPerBlock = slots / 64
)

// A Timeline holds rows by start; equal starts are in the order of its tie. It
// is a List whose blocks are known by number, for the sets, together with the
// order of ends and of lengths.
//
// Invariants: inOrder holds the numbers of all blocks that are not empty; each
// of those is in order, and all of it comes before all of the next. A row keeps
// its slot as long as it stays in its block.
type Timeline struct {
	tie     func(a, b Row) int
	starts  []int64 // by row
	ends    []int64 // by row
	places  []place // by row
	blocks  []block // by number
	unused  []int32 // numbers of blocks that are empty
	inOrder []int32 // numbers of blocks
	latest  []int64 // the last start of each block, as inOrder
	before  []int   // how many rows lie before each block, as inOrder
	count   int
	kept    []*Set

	byEnd *List[Row]
	short [longFrom]*List[Row]          // by start; list n has the rows that last less than 2^n and are not in list n-1
	long  [65 - longFrom]*List[lasting] // the lists from longFrom on
}

// A block is some rows in order. Bit s of used is set when one of them has slot
// s.
type block struct {
	rows []Row
	used blockBits
	at   int // where it stands in inOrder
}

// A place is where the bit of a row is: the number of its block, and its slot.
type place uint32

func (p place) block() int  { return int(p / slots) }
func (p place) word() int   { return int(p / 64) } // counted over all blocks
func (p place) bit() uint64 { return 1 << (p % 64) }

// NewTimeline gives an empty timeline. tie orders rows of equal start, no two of
// them as equal; what it goes by must not change while they are in.
func NewTimeline(tie func(a, b Row) int) *Timeline {
	t := &Timeline{tie: tie}
	t.byEnd = NewList(func(a, b Row) int {
		return cmp.Or(cmp.Compare(t.ends[a], t.ends[b]), t.Compare(a, b))
	})
	return t
}

// Len gives the number of rows.
func (t *Timeline) Len() int { return t.count }

// Start and End give what a row was added with.
func (t *Timeline) Start(r Row) int64 { return t.starts[r] }

// End gives the end that a row was added with.
func (t *Timeline) End(r Row) int64 { return t.ends[r] }

// Compare is the order of the timeline.
func (t *Timeline) Compare(a, b Row) int {
	if c := cmp.Compare(t.starts[a], t.starts[b]); c != 0 || a == b {
		return c
	}
	return t.tie(a, b)
}

// NewList gives an empty list in the order of the timeline, for rows that are in
// it.
func (t *Timeline) NewList() *List[Row] { return NewList(t.Compare) }

// At gives the row at a position, counted from 0.
func (t *Timeline) At(i int) Row {
	b := sort.SearchInts(t.before, i+1) - 1
	return t.blocks[t.inOrder[b]].rows[i-t.before[b]]
}

// Before gives how many rows start before a moment: the position of the first
// that does not.
func (t *Timeline) Before(start int64) int {
	b := sort.Search(len(t.latest), func(i int) bool { return t.latest[i] >= start })
	if b == len(t.latest) {
		return t.count
	}
	rows := t.blocks[t.inOrder[b]].rows
	return t.before[b] + sort.Search(len(rows), func(i int) bool { return t.starts[rows[i]] >= start })
}

// Ended gives how many rows end before a moment.
func (t *Timeline) Ended(end int64) int {
	return t.byEnd.Find(func(r Row) bool { return t.ends[r] >= end })
}

// Position gives where a row stands that is in the timeline.
func (t *Timeline) Position(r Row) int {
	b := &t.blocks[t.places[r].block()]
	at, _ := slices.BinarySearchFunc(b.rows, r, t.Compare)
	return t.before[b.at] + at
}

// Search finds the row of a start for which tie is 0. tie tells how a row of that
// start compares with what is looked for, in the order of the timeline.
func (t *Timeline) Search(start int64, tie func(Row) int) (Row, bool) {
	compare := func(r Row) int {
		if c := cmp.Compare(t.starts[r], start); c != 0 {
			return c
		}
		return tie(r)
	}
	b := sort.Search(len(t.latest), func(i int) bool {
		return t.latest[i] > start || t.latest[i] == start && compare(t.lastOf(i)) >= 0
	})
	if b == len(t.latest) {
		return 0, false
	}
	rows := t.blocks[t.inOrder[b]].rows
	at := sort.Search(len(rows), func(i int) bool { return compare(rows[i]) >= 0 })
	return rows[at], compare(rows[at]) == 0
}

// Add puts a row in its place. It must not be in yet, and not end before it
// starts.
func (t *Timeline) Add(r Row, start, end int64) {
	for len(t.starts) <= int(r) {
		t.starts, t.ends, t.places = append(t.starts, 0), append(t.ends, 0), append(t.places, 0)
	}
	t.starts[r], t.ends[r] = start, end
	t.insert(r)
	t.byEnd.Insert(r)
	t.addLength(r)
}
