// Selections: what lies between two positions and in all of some sets.

package order

import "math/bits"

// A Selection is rows of one part of a timeline, found by their bits. It is a
// Sequence, good until the timeline changes.
type Selection struct {
	t      *Timeline
	first  int      // where its first block stands in the timeline
	words  []uint64 // wordsPerBlock for each block from there on
	before []int    // how many rows lie before each of these blocks, and in all
}

// Select gives the rows from position from up to and without position to that
// are in every set of with and in none of without.
func (t *Timeline) Select(from, to int, with, without []*Set) *Selection {
	s := &Selection{t: t, before: []int{0}}
	if from >= to {
		return s
	}
	first := t.blockAt(from)
	s.first = first
	n := t.blockAt(to-1) - first + 1
	s.words = make([]uint64, n*wordsPerBlock)
	s.before = make([]int, 1, n+1)
	count := 0
	for i := range n {
		number := int(t.inOrder[first+i])
		words := (*blockBits)(s.words[i*wordsPerBlock:])
		if from <= t.before[first+i] && t.before[first+i]+len(t.blocks[number].rows) <= to {
			*words = t.blocks[number].used
		} else {
			t.part(words, first+i, from, to)
		}
		for _, set := range with {
			words.and(set.block(number))
		}
		for _, set := range without {
			words.andNot(set.block(number))
		}
		count += words.count()
		s.before = append(s.before, count)
	}
	return s
}

// blockBits is the bits of a block, in a form that needs no check of bounds.
type blockBits [wordsPerBlock]uint64

func (b *blockBits) and(other *blockBits) {
	for w := range b {
		b[w] &= other[w]
	}
}

func (b *blockBits) andNot(other *blockBits) {
	for w := range b {
		b[w] &^= other[w]
	}
}

func (b *blockBits) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// blockAt gives the block of a position.
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

// part sets the bits of the rows of a block that lie between two positions.
func (t *Timeline) part(words *blockBits, b, from, to int) {
	rows := t.blocks[t.inOrder[b]].rows
	low := max(0, from-t.before[b])
	high := min(len(rows), to-t.before[b])
	for _, r := range rows[low:high] {
		p := t.places.At(r)
		words[p.word()%wordsPerBlock] |= p.bit()
	}
}

// count counts the rows of each block.
func (s *Selection) count() {
	s.before = s.before[:1]
	n := 0
	for i := 0; i < len(s.words); i += wordsPerBlock {
		n += (*blockBits)(s.words[i:]).count()
		s.before = append(s.before, n)
	}
}

// Filter keeps the rows for which keep is true, and asks it once for each.
func (s *Selection) Filter(keep func(Row) bool) {
	places := s.t.places.Values()
	for i := range len(s.before) - 1 {
		if s.before[i] == s.before[i+1] {
			continue
		}
		words := s.words[i*wordsPerBlock:][:wordsPerBlock]
		for _, r := range s.t.blocks[s.t.inOrder[s.first+i]].rows {
			p := places.At(r)
			if w := p.word() % wordsPerBlock; words[w]&p.bit() != 0 && !keep(r) {
				words[w] &^= p.bit()
			}
		}
	}
	s.count()
}

// Without takes some rows of the timeline out, in whatever order.
func (s *Selection) Without(rows []Row) {
	if len(rows) == 0 || s.Len() == 0 {
		return
	}
	gone := make([]int, len(s.before)) // by block, one further: as before counts
	for _, r := range rows {
		p := s.t.places.At(r)
		i := s.t.blocks[p.block()].at - s.first
		if i < 0 || i >= len(s.before)-1 {
			continue
		}
		if word := &s.words[i*wordsPerBlock+p.word()%wordsPerBlock]; *word&p.bit() != 0 {
			*word &^= p.bit()
			gone[i+1]++
		}
	}
	less := 0
	for i := range gone {
		less += gone[i]
		s.before[i] -= less
	}
}

// Len gives the number of rows.
func (s *Selection) Len() int { return s.before[len(s.before)-1] }

// Append appends the rows from position from up to and without position to.
func (s *Selection) Append(rows []Row, from, to int) []Row {
	to = min(to, s.Len())
	if from >= to {
		return rows
	}
	i := 0
	for s.before[i+1] <= from {
		i++
	}
	for at := s.before[i]; at < to; i++ {
		words := s.words[i*wordsPerBlock:][:wordsPerBlock]
		if s.before[i] == s.before[i+1] {
			continue
		}
		for _, r := range s.t.blocks[s.t.inOrder[s.first+i]].rows {
			p := s.t.places.At(r)
			if words[p.word()%wordsPerBlock]&p.bit() == 0 {
				continue
			}
			if at >= from && at < to {
				rows = append(rows, r)
			}
			at++
		}
	}
	return rows
}
