// Sets of rows: a bit each, where the row stands.

package eventindex

import (
	"math/bits"
	"slices"

	"almanac/store/sharing"
)

// A Set holds rows of a timeline, until the timeline changes.
type Set struct {
	t     *Timeline
	words []uint64 // wordsPerBlock for each block, by number; what is missing is empty
}

// noBits is those of a block in which nothing is in a set. Nobody changes them.
var noBits blockBits

// NewSet returns an empty set.
func (t *Timeline) NewSet() *Set { return &Set{t, make([]uint64, len(t.blocks)*wordsPerBlock)} }

// Add adds a row of the timeline.
func (s *Set) Add(r Row) {
	p := s.t.places.At(r)
	s.words[p.word()] |= p.bit()
}

// Has reports whether a row of the timeline is in the set.
func (s *Set) Has(r Row) bool {
	p := s.t.places.At(r)
	return p.word() < len(s.words) && s.words[p.word()]&p.bit() != 0
}

// AddBits adds the rows whose bits are set: bit r%64 of word r/64 is that of row
// r. All of them must be in the timeline.
func (s *Set) AddBits(rows []uint64) {
	places := s.t.places.Values()
	for b := 0; b*wordsPerBlock < len(rows); b++ {
		words := rows[b*wordsPerBlock : min((b+1)*wordsPerBlock, len(rows))]
		if b < len(s.t.straight) && s.t.straight[b] {
			into := s.words[b*wordsPerBlock:]
			for w, word := range words {
				into[w] |= word
			}
			continue
		}
		for w, word := range words {
			for ; word != 0; word &= word - 1 {
				p := places.At(uint32(b*slots + w*64 + bits.TrailingZeros64(word)))
				s.words[p.word()] |= p.bit()
			}
		}
	}
}

// block returns the bits of a block.
func (s *Set) block(number int) *blockBits {
	if at := number * wordsPerBlock; at < len(s.words) {
		return (*blockBits)(s.words[at:])
	}
	return &noBits
}

// Kept is the number of a set that follows its rows when they move from block to
// block; 0 is that of none. It names the same set in a timeline and in its forks,
// until they change it.
type Kept int

// A keptSet is the words of such a set, without a mark when there is no such set
// any more.
type keptSet struct {
	mark  *sharing.Mark
	words []uint64
}

// Keep makes an empty set that follows the timeline until Drop. Rows have to be
// removed from it before they are removed from the timeline.
func (t *Timeline) Keep() Kept {
	t.own()
	i := slices.IndexFunc(t.kept, func(k keptSet) bool { return k.mark == nil })
	if i < 0 {
		i, t.kept = len(t.kept), append(t.kept, keptSet{})
	}
	t.kept[i].mark = t.by
	return Kept(i + 1)
}

// Drop ends a set that was kept.
func (t *Timeline) Drop(k Kept) {
	t.own()
	t.kept[k-1] = keptSet{}
}

// Set returns what a kept set holds now, nil for 0. It must not be changed.
func (t *Timeline) Set(k Kept) *Set {
	if k == 0 {
		return nil
	}
	return &Set{t, t.kept[k-1].words}
}

// Enter adds a row of the timeline to a kept set.
func (t *Timeline) Enter(k Kept, r Row) {
	t.own()
	t.kept[k-1].add(t.by, t.places.At(r))
}

// Leave takes a row of the timeline out of a kept set.
func (t *Timeline) Leave(k Kept, r Row) {
	t.own()
	t.kept[k-1].remove(t.by, t.places.At(r))
}

func (k *keptSet) add(by *sharing.Mark, p place) {
	k.own(by)
	if missing := (p.block()+1)*wordsPerBlock - len(k.words); missing > 0 {
		k.words = append(k.words, make([]uint64, missing)...)
	}
	k.words[p.word()] |= p.bit()
}

// remove reports whether there was something to remove.
func (k *keptSet) remove(by *sharing.Mark, p place) bool {
	if p.word() >= len(k.words) || k.words[p.word()]&p.bit() == 0 {
		return false
	}
	k.own(by)
	k.words[p.word()] &^= p.bit()
	return true
}

func (k *keptSet) own(by *sharing.Mark) {
	if k.mark != by {
		k.words, k.mark = slices.Clone(k.words), by
	}
}

func firstZero(word uint64) int { return bits.TrailingZeros64(^word) }
