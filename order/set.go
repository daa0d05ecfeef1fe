// Sets of rows: a bit each, where the row stands.

package order

import (
	"math/bits"
	"slices"
)

// A Set holds rows of a timeline. One that is kept follows its rows when they
// move from block to block; others are good until the timeline changes.
type Set struct {
	t     *Timeline
	words []uint64 // wordsPerBlock for each block, by number
}

// NewSet gives an empty set, to be used before the timeline changes.
func (t *Timeline) NewSet() *Set { return &Set{t, make([]uint64, len(t.blocks)*wordsPerBlock)} }

// Keep gives an empty set that follows the timeline until Drop. Rows have to be
// removed from it before they are removed from the timeline.
func (t *Timeline) Keep() *Set {
	s := t.NewSet()
	t.kept = append(t.kept, s)
	return s
}

// Drop ends a set that was kept.
func (t *Timeline) Drop(s *Set) {
	t.kept = slices.DeleteFunc(t.kept, func(other *Set) bool { return other == s })
}

// Add adds a row of the timeline.
func (s *Set) Add(r Row) {
	p := s.t.places[r]
	s.words[p.word()] |= p.bit()
}

// Remove takes a row of the timeline out.
func (s *Set) Remove(r Row) {
	p := s.t.places[r]
	s.words[p.word()] &^= p.bit()
}

// Has reports whether a row of the timeline is in the set.
func (s *Set) Has(r Row) bool {
	p := s.t.places[r]
	return s.words[p.word()]&p.bit() != 0
}

// AddBits adds the rows whose bits are set: bit r%64 of word r/64 is that of row
// r. All of them must be in the timeline.
func (s *Set) AddBits(rows []uint64) {
	places := s.t.places
	for w, word := range rows {
		for ; word != 0; word &= word - 1 {
			p := places[w*64+bits.TrailingZeros64(word)]
			s.words[p.word()] |= p.bit()
		}
	}
}

func firstZero(word uint64) int { return bits.TrailingZeros64(^word) }
