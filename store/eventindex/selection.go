// Selections: what lies between two positions and in all of some bitmaps.

package eventindex

import (
	"sort"

	"almanac/store/bitmap"
)

// A Selection is rows of one part of a timeline, found by their bits. It is a
// Sequence, good until the timeline changes.
//
// It knows how many rows of each block there are. Which ones is looked up in the
// bitmaps again for the blocks that are read: most never are.
type Selection struct {
	t             *Timeline
	from, to      int // positions
	with, without []Bitmap
	first         int             // where its first block stands in the timeline
	before        []int           // how many rows lie before each block from there on, and in all
	changed       []*bitmap.Block // of the blocks that rows were taken out of; nil while there is none
}

// Select returns the rows from position from up to and without position to that
// are in every bitmap of with and in none of without.
func (t *Timeline) Select(from, to int, with, without []Bitmap) *Selection {
	s := &Selection{t: t, from: from, to: to, with: with, without: without}
	n := 0
	if from < to {
		s.first = t.blockAt(from)
		n = t.blockAt(to-1) - s.first + 1
	}
	s.before = make([]int, 1+n)
	var found bitmap.Block
	for i := range n {
		in := 0
		if few := len(with); few > 0 && few <= 3 && len(without) == 0 && i > 0 && i < n-1 {
			number := int(t.inOrder[s.first+i])
			in = bitmap.LenAll(with[0].Block(number), with[few/2].Block(number), with[few-1].Block(number))
		} else {
			s.find(i, &found)
			in = found.Len()
		}
		s.before[i+1] = s.before[i] + in
	}
	return s
}

// blocks returns how many blocks there are.
func (s *Selection) blocks() int { return len(s.before) - 1 }

// find finds the rows of a block, counted from the first, in the bitmaps.
func (s *Selection) find(i int, found *bitmap.Block) {
	number, with := int(s.t.inOrder[s.first+i]), s.with
	switch {
	case i == 0 || i == s.blocks()-1:
		s.t.part(found, s.first+i, s.from, s.to)
	case len(with) == 0:
		*found = s.t.blocks[number].used
	default: // a bitmap has nothing that is not used
		*found, with = *with[0].Block(number), with[1:]
	}
	for _, b := range with {
		found.And(b.Block(number))
	}
	for _, b := range s.without {
		found.AndNot(b.Block(number))
	}
}

// own returns the rows of a block to be changed.
func (s *Selection) own(i int) *bitmap.Block {
	if s.changed == nil {
		s.changed = make([]*bitmap.Block, s.blocks())
	}
	if s.changed[i] == nil {
		s.changed[i] = new(bitmap.Block)
		s.find(i, s.changed[i])
	}
	return s.changed[i]
}

// each calls f with the rows of a block in order.
func (s *Selection) each(i int, f func(Row)) {
	var found bitmap.Block
	if s.changed != nil && s.changed[i] != nil {
		found = *s.changed[i]
	} else {
		s.find(i, &found)
	}
	for _, r := range s.t.blocks[s.t.inOrder[s.first+i]].rows {
		if found.Has(s.t.places.At(r).slot()) {
			f(r)
		}
	}
}

// blockAt returns the block of a position.
func (t *Timeline) blockAt(position int) int {
	low, high := 0, len(t.before) // before[low] <= position < before[high]
	for high-low > 1 {
		if middle := (low + high) / 2; t.before[middle] <= position {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// part finds the rows of a block that lie between two positions.
func (t *Timeline) part(found *bitmap.Block, b, from, to int) {
	block := &t.blocks[t.inOrder[b]]
	low, high := max(0, from-t.before[b]), min(len(block.rows), to-t.before[b])
	if low == 0 && high == len(block.rows) {
		*found = block.used
		return
	}
	*found = bitmap.Block{}
	for _, r := range block.rows[low:high] {
		found.Set(t.places.At(r).slot())
	}
}

// Filter keeps the rows for which keep is true, and asks it once for each.
func (s *Selection) Filter(keep func(Row) bool) {
	var gone []Row
	for i := range s.blocks() {
		if s.before[i] < s.before[i+1] {
			s.each(i, func(r Row) {
				if !keep(r) {
					gone = append(gone, r)
				}
			})
		}
	}
	s.Without(gone)
}

// Without takes some rows of the timeline out, in whatever order.
func (s *Selection) Without(rows []Row) {
	if len(rows) == 0 || s.Len() == 0 {
		return
	}
	less := make([]int, len(s.before)) // by block, one further: as before counts
	for _, r := range rows {
		p := s.t.places.At(r)
		i := s.t.blocks[p.block()].at - s.first
		if i < 0 || i >= s.blocks() || s.before[i] == s.before[i+1] {
			continue
		}
		if block := s.own(i); block.Has(p.slot()) {
			block.Clear(p.slot())
			less[i+1]++
		}
	}
	sum := 0
	for i := range less {
		sum += less[i]
		s.before[i] -= sum
	}
}

// Len returns the number of rows.
func (s *Selection) Len() int { return s.before[s.blocks()] }

// Append appends the rows from position from up to and without position to.
func (s *Selection) Append(rows []Row, from, to int) []Row {
	to = min(to, s.Len())
	if from >= to {
		return rows
	}
	i := sort.SearchInts(s.before, from+1) - 1
	for at := s.before[i]; at < to; i++ {
		if s.before[i] == s.before[i+1] {
			continue
		}
		s.each(i, func(r Row) {
			if at >= from && at < to {
				rows = append(rows, r)
			}
			at++
		})
	}
	return rows
}
