// Filling what is empty with very many items at once, that are in order.

package eventindex

import (
	"slices"

	"almanac/store/sharing"
)

// Fill fills an empty list with items in order. It keeps the slice, which must
// not be used any more.
func (l *List[T]) Fill(by *sharing.Mark, items []T) {
	n := (len(items) + blockSize - 1) / blockSize
	*l = List[T]{by, make([]run[T], 0, n), make([]int, 0, n), len(items)}
	for at := 0; at < len(items); at += blockSize {
		to := min(at+blockSize, len(items))
		l.runs, l.starts = append(l.runs, run[T]{by, items[at:to:to]}), append(l.starts, at)
	}
}

// Fill fills an empty timeline with the rows from 0 on, which are in its order:
// row i starts at starts[i], ends at ends[i], not before, and has signatures[i]. It
// keeps the slices, which must not be used any more.
func (t *Timeline) Fill(starts, ends []int64, signatures []Signature) {
	t.own()
	n := len(starts)
	t.count = n
	rows, places := make([]Row, n), make([]Place, n)
	for i := range rows {
		rows[i], places[i] = Row(i), Place(i)
	}
	for at := 0; at < n; at += slots {
		to := min(at+slots, n)
		// It has nobody's mark, since the array of starts has the same memory: it is copied when it changes.
		b := block{rows: rows[at:to:to], starts: starts[at:to:to], at: len(t.inOrder)}
		for s := range to - at {
			b.used.Set(uint32(s))
		}
		t.inOrder = append(t.inOrder, int32(len(t.blocks)))
		t.blocks = append(t.blocks, b)
		t.latest, t.before = append(t.latest, starts[to-1]), append(t.before, at)
		t.identity = append(t.identity, true)
	}
	t.byEnd.Fill(t.by, slices.Sorted(slices.Values(ends)))
	t.starts, t.ends = sharing.ArrayOf(t.by, starts), sharing.ArrayOf(t.by, ends)
	t.signatures, t.places = sharing.ArrayOf(t.by, signatures), sharing.ArrayOf(t.by, places)
	for _, r := range rows {
		t.addLength(r) // in order, so that each goes to an end
	}
}
