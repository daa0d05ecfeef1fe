// Checking a timeline against itself.

package eventindex

import (
	"fmt"
	"slices"

	"almanac/store/bitmap"
)

// Check reports the first thing that is wrong inside: an order, a count, a
// place, a bit of a bitmap that nobody has.
func (t *Timeline) Check() error {
	count, ends := 0, make([]int64, 0, t.count)
	used := t.NewBitmap()
	for i, number := range t.inOrder {
		b := &t.blocks[number]
		if n := len(b.rows); n == 0 || n > slots || len(b.starts) != n || b.at != i || t.before[i] != count || t.latest[i] != b.starts[n-1] {
			return fmt.Errorf("eventindex: block %d is not what stands at %d", number, i)
		}
		*used.Block(int(number)) = b.used
		var seats bitmap.Block
		if seated := b.used.Len(); seated != len(b.rows) {
			return fmt.Errorf("eventindex: block %d has %d rows in %d slots", number, len(b.rows), seated)
		}
		for j, r := range b.rows {
			p := t.places.At(r)
			if p.block() != int(number) || !b.used.Has(p.slot()) || seats.Has(p.slot()) || b.starts[j] != t.starts.At(r) {
				return fmt.Errorf("eventindex: row %d is not in its place", r)
			}
			seats.Set(p.slot())
			ends = append(ends, t.ends.At(r))
			if before := count + j - 1; before >= 0 && t.Compare(t.At(before), r) >= 0 {
				return fmt.Errorf("eventindex: row %d is not behind the one before it", r)
			}
		}
		count += len(b.rows)
	}
	if t.count != count {
		return fmt.Errorf("eventindex: %d rows, counted as %d", count, t.count)
	}
	if slices.Sort(ends); !slices.Equal(ends, slices.Collect(t.byEnd.All())) || t.byEnd.Len() != count {
		return fmt.Errorf("eventindex: the %d ends in order are not those of the %d rows", t.byEnd.Len(), count)
	}
	intervals := 0
	for n := range t.lengths {
		for s := range t.lengths[n].All() {
			intervals++
			is, class := t.interval(s.row)
			if is != s || class != n || !t.lengths[n].Has(s, t.compareIntervals) {
				return fmt.Errorf("eventindex: row %d is missing by its length", s.row)
			}
		}
	}
	if intervals != count {
		return fmt.Errorf("eventindex: %d rows, %d of them by length", count, intervals)
	}
	for i := range t.count {
		if r := t.At(i); int(r/slots) < len(t.identity) && t.identity[r/slots] && t.places.At(r) != Place(r) {
			return fmt.Errorf("eventindex: row %d is not where its number says", r)
		}
	}
	for i, b := range t.bitmaps {
		rows := slices.Clone(b.rows)
		if rows.AndNot(used); rows.Len() > 0 {
			return fmt.Errorf("eventindex: bitmap %d has a bit that is no row's", i)
		}
	}
	return nil
}
