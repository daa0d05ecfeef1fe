// Checking a timeline against itself.

package eventindex

import (
	"fmt"
	"math/bits"
)

// Check reports the first thing that is wrong inside: an order, a count, a
// place, a bit of a set that nobody has.
func (t *Timeline) Check() error {
	count := 0
	used := make([]uint64, len(t.blocks)*wordsPerBlock)
	for i, number := range t.inOrder {
		b := &t.blocks[number]
		if len(b.rows) == 0 || len(b.rows) > slots || b.at != i || t.before[i] != count || t.latest[i] != t.starts.At(t.lastOf(i)) {
			return fmt.Errorf("order: block %d is not what stands at %d", number, i)
		}
		copy(used[int(number)*wordsPerBlock:], b.used[:])
		var seats [wordsPerBlock]uint64
		seated := 0
		for _, word := range b.used {
			seated += bits.OnesCount64(word)
		}
		if seated != len(b.rows) {
			return fmt.Errorf("order: block %d has %d rows in %d slots", number, len(b.rows), seated)
		}
		for j, r := range b.rows {
			p := t.places.At(r)
			seat := &seats[p.word()%wordsPerBlock]
			if p.block() != int(number) || b.used[p.word()%wordsPerBlock]&p.bit() == 0 || *seat&p.bit() != 0 {
				return fmt.Errorf("order: row %d is not in its place", r)
			}
			*seat |= p.bit()
			if before := count + j - 1; before >= 0 && t.Compare(t.At(before), r) >= 0 {
				return fmt.Errorf("order: row %d is not behind the one before it", r)
			}
		}
		count += len(b.rows)
	}
	if t.count != count || t.byEnd.Len() != count {
		return fmt.Errorf("order: %d rows, counted as %d, %d of them by end", count, t.count, t.byEnd.Len())
	}
	stays := 0
	for n := range t.lengths {
		for s := range t.lengths[n].All() {
			stays++
			if is, class := t.stay(s.row); is != s || class != n || !t.lengths[n].Has(s, t.compareStays) || !t.byEnd.Has(s.row, t.compareEnds) {
				return fmt.Errorf("order: row %d is missing by its end or its length", s.row)
			}
		}
	}
	if stays != count {
		return fmt.Errorf("order: %d rows, %d of them by length", count, stays)
	}
	for i := range t.count {
		if r := t.At(i); int(r/slots) < len(t.straight) && t.straight[r/slots] && t.places.At(r) != place(r) {
			return fmt.Errorf("order: row %d is not where its number says", r)
		}
	}
	for i, set := range t.kept {
		for w, word := range set.words {
			if word&^used[w] != 0 {
				return fmt.Errorf("order: set %d has a bit that is no row's", i)
			}
		}
	}
	return nil
}
