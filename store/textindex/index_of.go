// Where a part of a word stands in the text of a vocabulary.

package textindex

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	// window is how many places indexOf looks at together: four times eight bytes.
	window = 32
	// longest is the length of the parts for which it does: comparing one of them
	// takes about as long as comparing a byte. A text that has the ends of a longer
	// part at most places, as one of a single letter, would be slow to search.
	longest = 64
)

// indexOf returns where part, which is not empty, is in text first, or -1. It is
// bytes.Index, made for a text of words: bytes.Index stops wherever the first
// byte of part stands, which a letter does every few words, and indexOf where
// the last byte of part stands at its distance too.
func indexOf(text, part []byte) int {
	at, last := 0, len(part)-1
	if last < longest {
		first, end := uint64(part[0])*each, uint64(part[last])*each
		for ; at+last+window <= len(text); at += window {
			a, b := (*[window]byte)(text[at:]), (*[window]byte)(text[at+last:])
			f0, f1 := fits(a[0:], b[0:], first, end), fits(a[8:], b[8:], first, end)
			f2, f3 := fits(a[16:], b[16:], first, end), fits(a[24:], b[24:], first, end)
			if f0|f1|f2|f3 == 0 {
				continue
			}
			for i, f := range [...]uint64{f0, f1, f2, f3} {
				for ; f != 0; f &= f - 1 {
					if i := at + 8*i + bits.TrailingZeros64(f)/8; bytes.Equal(text[i:i+len(part)], part) {
						return i
					}
				}
			}
		}
	}
	if i := bytes.Index(text[at:], part); i >= 0 {
		return at + i
	}
	return -1
}

// fits returns the highest bit of each of eight bytes where a has the byte first
// and b has the byte end. It may return more bits above one that is right.
func fits(a, b []byte, first, end uint64) uint64 {
	x := (binary.LittleEndian.Uint64(a) ^ first) | (binary.LittleEndian.Uint64(b) ^ end)
	return (x - each) &^ x & high
}
