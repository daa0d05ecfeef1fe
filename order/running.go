// Rows by how long they last: which of them run at a moment.

package order

import (
	"math/bits"
	"slices"
)

// lengthClass gives the number of the list of lengths for rows that last so
// long.
func lengthClass(length int64) int { return bits.Len64(uint64(length)) }

// longest is the class from which on lengths are not used: so many seconds are
// more than the years 0 to 9999 have, and subtracting them could overflow.
const longest = 40

// Running gives the rows that start between first and last, both included, that
// have started by a moment and end after it, in order. It looks at about as many
// rows as run at that moment, whatever the longest of all may be: a row that
// lasts less than 2^n started less than 2^n before.
func (t *Timeline) Running(at, first, last int64) []Row {
	last = min(last, at)
	var found []Row
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
		from := list.Find(func(r Row) bool { return t.starts[r] >= since })
		for r := range list.Range(from, list.Len()) {
			if t.starts[r] > last {
				break
			}
			if t.ends[r] > at {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, t.Compare)
	return found
}
