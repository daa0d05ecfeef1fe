// Sets of documents, one bit each: what a search finds, and what searches are
// joined with.

package textindex

import (
	"iter"
	"math/bits"
)

// Bits is a set of small numbers, such as rows of documents. The builtin clear
// empties it. Numbers beyond its length are not in it.
type Bits []uint64

// NewBits returns an empty set with room for the numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether i is in the set.
func (b Bits) Has(i uint32) bool { return int(i>>6) < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// Set puts i in. It panics, as a slice does, when there is no room for it.
func (b Bits) Set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out, if it is in.
func (b Bits) Clear(i uint32) {
	if int(i>>6) < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// And takes out what is not in o.
func (b Bits) And(o Bits) {
	n := min(len(b), len(o))
	for i, w := range o[:n] {
		b[i] &= w
	}
	clear(b[n:])
}

// AndNot takes out what is in o.
func (b Bits) AndNot(o Bits) {
	for i, w := range o[:min(len(b), len(o))] {
		b[i] &^= w
	}
}

// Len counts the numbers in the set.
func (b Bits) Len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the numbers in the set, ascending. The set must not be changed
// meanwhile.
func (b Bits) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(i)<<6 | uint32(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
