// Package eventindex keeps items in order and answers where they stand.
//
// A List is a sorted list with positions by count. A Timeline is one of rows
// that have a start and an end; beside it there are Bitmaps of its rows, from which
// a Selection makes what lies between two positions and in all of some bitmaps: a
// bit per row and a few machine words per block of rows, so that a million rows
// take some tens of microseconds. A Sequence is how whatever was found is read:
// its length, and any part of it.
//
// A copy of a List shares what it holds, and so does what Fork returns of a Timeline,
// by the rule of package sharing.
//
// Nothing here locks. Reading changes nothing, so that any number may read while
// nobody writes.
package eventindex

import (
	"cmp"
	"slices"
	"sort"

	"almanac/store/bitmap"
	"almanac/store/sharing"
)

// A Row is the number of an item. Whoever fills a Timeline gives them out; they
// should be small, since tables are indexed by them.
type Row = uint32

// A Signature is bits that say about a row what is asked of very many rows without
// looking at each. What they mean is up to whoever fills a Timeline.
type Signature uint64

// Holds reports whether everything of another signature is in it.
func (s Signature) Holds(other Signature) bool { return s&other == other }

// slots is how many places for rows a block has: those of a block of a bitmap.
const slots = bitmap.BlockSize

// A Timeline holds rows by start; equal starts are in the order of its tie. It
// is a List whose blocks are known by number, for the bitmaps, together with the
// order of ends and of lengths.
//
// Invariants: inOrder holds the numbers of all blocks that are not empty; each
// of those is in order, and all of it comes before all of the next. A row keeps
// its slot as long as it stays in its block.
type Timeline struct {
	by         *sharing.Mark // of who holds the timeline
	tie        func(a, b Row) int
	starts     sharing.Array[int64]     // by row
	ends       sharing.Array[int64]     // by row
	signatures sharing.Array[Signature] // by row
	places     sharing.Array[Place]     // by row
	byEnd      List[int64]              // the ends of all rows, in order
	count      int

	mark     *sharing.Mark    // of the slices below
	blocks   []block          // by number
	unused   []int32          // numbers of blocks that are empty
	inOrder  []int32          // numbers of blocks
	latest   []int64          // the last start of each block, as inOrder
	before   []int            // how many rows lie before each block, as inOrder
	identity []bool           // of each slots rows whether none has ever had a place but that of its own number
	bitmaps  []registered     // by number, less one
	lengths  []List[interval] // by start; list n has the rows that last less than 2^n and are not in list n-1
}

// A block is some rows in order, and beside them when they start, so that what is looked for by
// its start is found in few places of memory. Bit s of used is set when a row has slot s.
type block struct {
	mark   *sharing.Mark // of rows and starts
	rows   []Row
	starts []int64
	used   bitmap.Block
	at     int // where it stands in inOrder
}

// NewTimeline returns an empty timeline to the holder of a mark. tie orders rows
// of equal start, no two of them as equal; what it goes by must not change while
// they are in.
func NewTimeline(by *sharing.Mark, tie func(a, b Row) int) *Timeline {
	return &Timeline{by: by, tie: tie}
}

// Fork returns a timeline that shares what this one holds, which must not be
// changed any more, to the holder of another mark. tie orders rows as the one of
// this timeline does.
func (t *Timeline) Fork(by *sharing.Mark, tie func(a, b Row) int) *Timeline {
	fork := *t
	fork.by, fork.tie = by, tie
	return &fork
}

// own makes the slices ones that may be changed.
func (t *Timeline) own() {
	if t.mark == t.by {
		return
	}
	t.mark = t.by
	t.blocks, t.unused, t.bitmaps = slices.Clone(t.blocks), slices.Clone(t.unused), slices.Clone(t.bitmaps)
	t.inOrder, t.latest, t.before = slices.Clone(t.inOrder), slices.Clone(t.latest), slices.Clone(t.before)
	t.identity, t.lengths = slices.Clone(t.identity), slices.Clone(t.lengths)
}

// Len returns the number of rows.
func (t *Timeline) Len() int { return t.count }

// Start and End give what a row was added with.
func (t *Timeline) Start(r Row) int64 { return t.starts.At(r) }

// End returns the end that a row was added with.
func (t *Timeline) End(r Row) int64 { return t.ends.At(r) }

// Signature returns the signature of a row.
func (t *Timeline) Signature(r Row) Signature { return t.signatures.At(r) }

// AppendHolding appends those of some rows whose signature holds everything of one
// signature and nothing of another. It looks at nothing but signatures, one after the
// other. dst may begin where rows does.
func (t *Timeline) AppendHolding(dst, rows []Row, all, none Signature) []Row {
	if all|none == 0 {
		return append(dst, rows...)
	}
	signatures := t.signatures.Values()
	n := len(dst)
	dst = slices.Grow(dst, len(rows))[:n+len(rows)]
	for _, r := range rows {
		dst[n] = r // stays if it is to: that needs no guess of the processor
		more := 0
		if signatures.At(r)&(all|none) == all {
			more = 1
		}
		n += more
	}
	return dst[:n]
}

// Compare is the order of the timeline.
func (t *Timeline) Compare(a, b Row) int {
	if c := cmp.Compare(t.starts.At(a), t.starts.At(b)); c != 0 || a == b {
		return c
	}
	return t.tie(a, b)
}

// At returns the row at a position, counted from 0.
func (t *Timeline) At(i int) Row {
	b := sort.SearchInts(t.before, i+1) - 1
	return t.blocks[t.inOrder[b]].rows[i-t.before[b]]
}

// Append appends the rows from position from, 0 or more, up to and without position to, or to
// the end.
func (t *Timeline) Append(rows []Row, from, to int) []Row {
	to = min(to, t.count)
	for from < to {
		b := t.blockAt(from)
		part := t.blocks[t.inOrder[b]].rows[from-t.before[b]:]
		part = part[:min(len(part), to-from)]
		rows, from = append(rows, part...), from+len(part)
	}
	return rows
}

// Before returns how many rows start before a moment: the position of the first
// that does not.
func (t *Timeline) Before(start int64) int {
	b := sort.Search(len(t.latest), func(i int) bool { return t.latest[i] >= start })
	if b == len(t.latest) {
		return t.count
	}
	starts := t.blocks[t.inOrder[b]].starts
	return t.before[b] + sort.Search(len(starts), func(i int) bool { return starts[i] >= start })
}

// Ended returns how many rows end before a moment.
func (t *Timeline) Ended(end int64) int {
	return t.byEnd.Find(func(e int64) bool { return e >= end })
}

// Position returns where a row stands that is in the timeline.
func (t *Timeline) Position(r Row) int {
	b := &t.blocks[t.places.At(r).block()]
	at, _ := slices.BinarySearchFunc(b.rows, r, t.Compare)
	return t.before[b.at] + at
}

// Search finds the row of a start for which tie is 0. tie tells how a row of that
// start compares with what is looked for, in the order of the timeline.
func (t *Timeline) Search(start int64, tie func(Row) int) (Row, bool) {
	compare := func(r Row) int {
		if c := cmp.Compare(t.starts.At(r), start); c != 0 {
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
func (t *Timeline) Add(r Row, start, end int64, signature Signature) {
	t.own()
	for t.starts.Len() <= int(r) {
		t.starts.Append(t.by, 0)
		t.ends.Append(t.by, 0)
		t.signatures.Append(t.by, 0)
		t.places.Append(t.by, 0)
	}
	t.starts.Set(t.by, r, start)
	t.ends.Set(t.by, r, end)
	t.signatures.Set(t.by, r, signature)
	t.insert(r)
	t.byEnd.Insert(t.by, end, cmp.Compare[int64])
	t.addLength(r)
}

// SetSignature gives a row of the timeline another signature.
func (t *Timeline) SetSignature(r Row, signature Signature) {
	if t.signatures.At(r) == signature {
		return
	}
	t.own()
	t.removeLength(r)
	t.signatures.Set(t.by, r, signature)
	t.addLength(r)
}

// Remove takes a row out that is in the timeline and in no bitmap that is registered.
func (t *Timeline) Remove(r Row) {
	t.own()
	t.removeLength(r)
	t.byEnd.Remove(t.by, t.ends.At(r), cmp.Compare[int64])
	t.remove(r)
}
