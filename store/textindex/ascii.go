// Folding and cutting texts of ASCII, eight characters at a time.

package textindex

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

const (
	each = 0x0101_0101_0101_0101 // a 1 in each of eight bytes
	high = 0x80 * each           // the highest bit of each
)

// An asciiText is a text of ASCII alone that was folded and cut. It is used
// again for one text after the other.
type asciiText struct {
	folded []byte   // in lower case; eight bytes behind the end can be read too
	edges  []uint32 // where words begin and end, by turns
}

// asciiTexts are those that nobody uses.
var asciiTexts = sync.Pool{New: func() any { return new(asciiText) }}

// read takes a text, and reports whether it could: whether it is of ASCII alone.
func (t *asciiText) read(text string) bool {
	const block = 64 // of which a word has a bit for each byte
	size := (len(text)/block + 1) * block
	t.folded, t.edges = slices.Grow(t.folded[:0], size+8)[:size+8], t.edges[:0]
	clear(t.folded[copy(t.folded, text):])
	before := uint64(0) // whether the last byte was part of a word
	for at := 0; at < size; at += block {
		in := uint64(0)
		for i := 0; i < block; i += 8 {
			x := binary.LittleEndian.Uint64(t.folded[at+i:])
			if x&high != 0 {
				return false
			}
			lower := x | 0x20*each
			letters := within(lower, 'a', 'z')
			// The bit that makes a letter lower case is 2 below the highest one.
			binary.LittleEndian.PutUint64(t.folded[at+i:], x|letters>>2)
			// One bit of eight bytes, side by side.
			in |= (letters | within(x, '0', '9')) >> 7 * 0x0102_0408_1020_4080 >> 56 << i
		}
		for edges := in ^ (in<<1 | before); edges != 0; edges &= edges - 1 {
			t.edges = append(t.edges, uint32(at+bits.TrailingZeros64(edges)))
		}
		before = in >> (block - 1)
	}
	return true
}

// within returns the highest bit of each byte that is from low to last, of eight
// bytes of ASCII.
func within(x uint64, low, last byte) uint64 {
	return (x + uint64(0x80-low)*each) &^ (x + uint64(0x7f-last)*each) & high
}
