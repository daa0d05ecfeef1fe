// Ordered lists: rows in the order of the index, read by position and by time.

package search

import (
	"iter"
	"slices"
	"sort"
)

// A list is rows in order, in blocks: an insert moves the rows of a single block.
type list struct {
	n      int
	blocks [][]row // none empty
}

// blockMost is how many rows a block holds at most. Smaller blocks cost the
// positions, which add up the lengths of all before, and larger ones the inserts.
const blockMost = 1024

func (l *list) insert(t *table, r row) {
	l.n++
	if len(l.blocks) == 0 {
		l.blocks = [][]row{{r}}
		return
	}
	i := len(l.blocks) - 1
	last := l.blocks[i]
	at := len(last)
	if t.compare(last[at-1], r) > 0 {
		if t.compare(last[0], r) > 0 {
			i = max(0, l.find(func(other row) bool { return t.compare(other, r) > 0 })-1)
		}
		at, _ = slices.BinarySearchFunc(l.blocks[i], r, t.compare)
	}
	b := slices.Insert(l.blocks[i], at, r)
	if l.blocks[i] = b; len(b) <= blockMost {
		return
	}
	half := len(b) / 2
	if at == blockMost && i == len(l.blocks)-1 {
		half = blockMost // they come in order: blocks stay full
	}
	rest := append(make([]row, 0, blockMost), b[half:]...)
	l.blocks[i] = b[:half]
	l.blocks = slices.Insert(l.blocks, i+1, rest)
}

func (l *list) remove(t *table, r row) {
	i := max(0, l.find(func(other row) bool { return t.compare(other, r) > 0 })-1)
	at, found := slices.BinarySearchFunc(l.blocks[i], r, t.compare)
	if !found {
		panic("search: an entry is not where it belongs: it changed since it was inserted")
	}
	l.n--
	if l.blocks[i] = slices.Delete(l.blocks[i], at, at+1); len(l.blocks[i]) == 0 {
		l.blocks = slices.Delete(l.blocks, i, i+1)
	}
}

// find returns the number of the first block whose first row is behind something.
func (l *list) find(behind func(row) bool) int {
	return sort.Search(len(l.blocks), func(i int) bool { return behind(l.blocks[i][0]) })
}

// before returns the number of rows that start before a time.
func (l *list) before(t *table, time int64) int {
	i := l.find(func(r row) bool { return t.start[r] >= time }) - 1
	if i < 0 {
		return 0
	}
	n := sort.Search(len(l.blocks[i]), func(j int) bool { return t.start[l.blocks[i][j]] >= time })
	for _, b := range l.blocks[:i] {
		n += len(b)
	}
	return n
}

// position returns the position of a row of the list.
func (l *list) position(t *table, r row) int {
	i := l.find(func(other row) bool { return t.compare(other, r) > 0 }) - 1
	n, _ := slices.BinarySearchFunc(l.blocks[i], r, t.compare)
	for _, b := range l.blocks[:i] {
		n += len(b)
	}
	return n
}

// between yields the rows from one position up to and without another, block by block.
func (l *list) between(from, to int) iter.Seq[[]row] {
	return func(yield func([]row) bool) {
		for _, b := range l.blocks {
			if from < len(b) && from < to && !yield(b[max(0, from):min(len(b), to)]) ||
				to <= len(b) {
				return
			}
			from = from - len(b)
			to = to - len(b)
		}
	}
}

// long is how long an entry has to last to be in the second list of its postings,
// in the units of time: a week of seconds. A row that runs at a moment has
// begun in the week before, or is in that list.
const long = 7 * 86_400

// Postings are the rows that have a key, or all rows.
type postings struct {
	rows    list
	long    list  // the rows that last for long
	longest int64 // no entry that was ever inserted here lasted longer
}

func (p *postings) insert(t *table, r row) {
	p.rows.insert(t, r)
	if lasts := t.end[r] - t.start[r]; lasts > long {
		p.longest = max(p.longest, lasts)
		p.long.insert(t, r)
	}
}

func (p *postings) remove(t *table, r row) {
	p.rows.remove(t, r)
	if t.end[r]-t.start[r] > long {
		p.long.remove(t, r)
	}
}

// running returns the rows that start in a range and before a time, and end at that time or
// later, in order.
func (p *postings) running(t *table, starts Range, end int64) (rows []row) {
	look := func(l *list, lasts int64, take func(row)) {
		since := starts.Min
		until := min(starts.Max, end-1)
		if s := end - lasts; s > since && s < end { // or it is out of the range of numbers
			since = s
		}
		if until < since {
			return
		}
		for block := range l.between(l.before(t, since), l.before(t, until+1)) {
			for _, r := range block {
				if t.end[r] >= end {
					take(r)
				}
			}
		}
	}
	var short []row
	look(&p.rows, long, func(r row) {
		if t.end[r]-t.start[r] <= long {
			short = append(short, r)
		}
	})
	look(&p.long, p.longest, func(r row) {
		for ; len(short) > 0 && t.compare(short[0], r) < 0; short = short[1:] {
			rows = append(rows, short[0])
		}
		rows = append(rows, r)
	})
	return append(rows, short...)
}
