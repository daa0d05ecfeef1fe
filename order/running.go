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

// EachRunning calls f, in no order, with the rows that start between first and
// last, both included, that have started by a moment and end after it. It looks
// at about as many rows as run at that moment, whatever the longest of all may
// be: a row that lasts less than 2^n started less than 2^n before.
func (t *Timeline) EachRunning(at, first, last int64, f func(Row)) {
	last = min(last, at)
	for n, list := range t.lengths {
		if list.Len() == 0 {
			continue
		}
		since := first
		if n < longest {
			since = max(first, at-(1<<n)+1)
		}
		if since > last {
			continue
		}
		b := sort.Search(len(list.blocks), func(i int) bool { return t.starts[lastOf(list.blocks[i])] >= since })
		for ; b < len(list.blocks); b++ {
			block := list.blocks[b]
			if t.starts[block[0]] < since {
				block = block[sort.Search(len(block), func(i int) bool { return t.starts[block[i]] >= since }):]
			}
			for _, r := range block {
				if t.starts[r] > last {
					b = len(list.blocks)
					break
				}
				if t.ends[r] > at {
					f(r)
				}
			}
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

func lastOf(rows []Row) Row { return rows[len(rows)-1] }
