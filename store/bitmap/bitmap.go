// Package bitmap keeps sets of small numbers, one bit each.
//
// Events have two numberings, and the type of a bitmap's numbers says which is
// its own: by row, the number that an event keeps for as long as it is there, as an
// index of words needs it, and by place in time, by which the events of a range of
// dates lie in neighbouring blocks, so that those of a month are counted without a
// look at any other. One is turned into the other once in a search.
package bitmap

import (
	"iter"
	"math/bits"
)

const (
	// BlockSize is how many numbers a block has.
	BlockSize     = 512
	wordsPerBlock = BlockSize / 64
)

// A Block is the bits of BlockSize numbers, in a form that needs no check of bounds.
type Block [wordsPerBlock]uint64

// none is a block without any number. Nobody changes it.
var none Block

// Has reports whether i is in the block.
func (b *Block) Has(i uint32) bool { return b[i/64%wordsPerBlock]>>(i%64)&1 != 0 }

// Set puts i in.
func (b *Block) Set(i uint32) { b[i/64%wordsPerBlock] |= 1 << (i % 64) }

// Clear takes i out, if it is in.
func (b *Block) Clear(i uint32) { b[i/64%wordsPerBlock] &^= 1 << (i % 64) }

// And takes out what is not in o.
func (b *Block) And(o *Block) {
	for w := range b {
		b[w] &= o[w]
	}
}

// AndNot takes out what is in o.
func (b *Block) AndNot(o *Block) {
	for w := range b {
		b[w] &^= o[w]
	}
}

// Or puts in what is in o.
func (b *Block) Or(o *Block) {
	for w := range b {
		b[w] |= o[w]
	}
}

// Len returns how many numbers are in the block.
func (b *Block) Len() int { return LenAll(b, b, b) }

// LenAll returns how many numbers are in all of three blocks, some of which may be
// the same one.
func LenAll(a, b, c *Block) int {
	n := 0
	for w := range a {
		n += bits.OnesCount64(a[w] & b[w] & c[w])
	}
	return n
}

// FirstClear returns the first number that is not in the block, which must not be
// full.
func (b *Block) FirstClear() uint32 {
	for w, word := range b {
		if word != ^uint64(0) {
			return uint32(w*64 + bits.TrailingZeros64(^word))
		}
	}
	panic("bitmap: a block is full")
}

// A Bitmap is a set of numbers, in words of 64 and whole blocks. Numbers beyond
// its length are not in it, and nil is empty. The builtin clear empties it.
type Bitmap[N ~uint32] []uint64

// New returns an empty bitmap with room for the numbers below n.
func New[N ~uint32](n int) Bitmap[N] { return Bitmap[N](nil).Grow(n) }

// Grow returns the bitmap with room for the numbers below n.
func (b Bitmap[N]) Grow(n int) Bitmap[N] {
	if missing := (n+BlockSize-1)/BlockSize*wordsPerBlock - len(b); missing > 0 {
		return append(b, make(Bitmap[N], missing)...)
	}
	return b
}

// Has reports whether i is in the bitmap.
func (b Bitmap[N]) Has(i N) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 != 0 }

// Set puts i in. It panics, as a slice does, when there is no room for it.
func (b Bitmap[N]) Set(i N) { b[i/64] |= 1 << (i % 64) }

// Clear takes i out, if it is in.
func (b Bitmap[N]) Clear(i N) {
	if int(i/64) < len(b) {
		b[i/64] &^= 1 << (i % 64)
	}
}

// Blocks returns how many blocks there are.
func (b Bitmap[N]) Blocks() int { return len(b) / wordsPerBlock }

// Block returns a block, of the numbers from i*BlockSize on. One beyond the length
// is empty, and must not be changed.
func (b Bitmap[N]) Block(i int) *Block {
	if at := i * wordsPerBlock; at < len(b) {
		return (*Block)(b[at:])
	}
	return &none
}

// And takes out what is not in o.
func (b Bitmap[N]) And(o Bitmap[N]) {
	for i := range b.Blocks() {
		b.Block(i).And(o.Block(i))
	}
}

// AndNot takes out what is in o.
func (b Bitmap[N]) AndNot(o Bitmap[N]) {
	for i := range min(b.Blocks(), o.Blocks()) {
		b.Block(i).AndNot(o.Block(i))
	}
}

// Or puts in what is in o, for which there must be room.
func (b Bitmap[N]) Or(o Bitmap[N]) {
	for i := range o.Blocks() {
		b.Block(i).Or(o.Block(i))
	}
}

// Len returns how many numbers are in the bitmap.
func (b Bitmap[N]) Len() int {
	n := 0
	for i := range b.Blocks() {
		n += b.Block(i).Len()
	}
	return n
}

// All yields the numbers, ascending. The bitmap must not be changed meanwhile.
func (b Bitmap[N]) All() iter.Seq[N] {
	return func(yield func(N) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(N(i)*64 + N(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
