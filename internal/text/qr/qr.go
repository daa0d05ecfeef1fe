// Package qr encodes a short text, such as the address of a page, as a QR code (ISO/IEC 18004):
// byte mode, error correction of level M, versions 1 to 10. A code is drawn by its caller from the
// runs of its dark modules.
package qr

import (
	"fmt"
	"strings"
)

// A version is a size of the code: the alignment patterns and how data is cut into blocks at level
// M.
type version struct {
	align  []int // centres of alignment patterns, on each axis
	check  int   // codewords of error correction in each block
	blocks []int // codewords of data in each block
}

// versions are those of 1 to 10 (ISO/IEC 18004, tables 9 and E.1).
var versions = [...]version{
	{nil, 10, []int{16}},
	{[]int{6, 18}, 16, []int{28}},
	{[]int{6, 22}, 26, []int{44}},
	{[]int{6, 26}, 18, []int{32, 32}},
	{[]int{6, 30}, 24, []int{43, 43}},
	{[]int{6, 34}, 16, []int{27, 27, 27, 27}},
	{[]int{6, 22, 38}, 18, []int{31, 31, 31, 31}},
	{[]int{6, 24, 42}, 22, []int{38, 38, 39, 39}},
	{[]int{6, 26, 46}, 22, []int{36, 36, 36, 37, 37}},
	{[]int{6, 28, 50}, 26, []int{43, 43, 43, 43, 44}},
}

// Code is the square of modules, by row and column, without the quiet zone of four modules that
// surrounds it. True is dark.
type Code [][]bool

// Encode returns the smallest code of the text, or nil if the text has more than 213 bytes, which
// no version holds.
func Encode(text string) Code {
	for i, v := range versions {
		count := 8 // bits of the length of the text
		if i+1 >= 10 {
			count = 16
		}
		capacity := 0
		for _, n := range v.blocks {
			capacity += n
		}
		if 4+count+8*len(text) <= 8*capacity {
			return newSymbol(i+1, v).draw(v.codewords(text, count, capacity))
		}
	}
	return nil
}

// codewords returns the codewords in the order in which the modules hold them: data of the blocks
// in turn, then their error correction in turn.
func (v version) codewords(text string, count, capacity int) []byte {
	var bits bitBuffer
	bits.write(4, 4) // byte mode
	bits.write(len(text), count)
	for i := range len(text) {
		bits.write(int(text[i]), 8)
	}
	bits.write(0, min(4, 8*capacity-bits.n)) // terminator
	data := bits.bytes
	for pad := byte(0xec); len(data) < capacity; pad ^= 0xec ^ 0x11 {
		data = append(data, pad)
	}
	generator := generatorPolynomial(v.check)
	var blocks, checks [][]byte
	for _, n := range v.blocks {
		blocks = append(blocks, data[:n])
		checks = append(checks, remainder(data[:n], generator))
		data = data[n:]
	}
	return append(interleave(blocks), interleave(checks)...)
}

func interleave(blocks [][]byte) []byte {
	var out []byte
	for i := range blocks[len(blocks)-1] { // the last block is never shorter
		for _, b := range blocks {
			if i < len(b) {
				out = append(out, b[i])
			}
		}
	}
	return out
}

type bitBuffer struct {
	bytes []byte
	n     int
}

// write appends the lowest n bits of the value, the highest of these first.
func (b *bitBuffer) write(value, n int) {
	for i := n - 1; i >= 0; i-- {
		if b.n%8 == 0 {
			b.bytes = append(b.bytes, 0)
		}
		b.bytes[b.n/8] |= byte(value>>i&1) << (7 - b.n%8)
		b.n++
	}
}

// generatorPolynomial returns the coefficients below the leading one, highest first, of the
// product of (x - 2^i) for i below the degree.
func generatorPolynomial(degree int) []byte {
	out := make([]byte, degree)
	out[degree-1] = 1
	root := byte(1)
	for range degree {
		for j := range out {
			out[j] = multiply(out[j], root)
			if j+1 < degree {
				out[j] ^= out[j+1]
			}
		}
		root = multiply(root, 2)
	}
	return out
}

// remainder returns the codewords of error correction: the data, as a polynomial, modulo the
// generator.
func remainder(data, generator []byte) []byte {
	out := make([]byte, len(generator))
	for _, b := range data {
		factor := b ^ out[0]
		copy(out, out[1:])
		out[len(out)-1] = 0
		for i, g := range generator {
			out[i] ^= multiply(g, factor)
		}
	}
	return out
}

// multiply is the product in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1.
func multiply(a, b byte) byte {
	p := 0
	for i := 7; i >= 0; i-- {
		p = p<<1 ^ p>>7*0x11d
		p ^= int(b>>i&1) * int(a)
	}
	return byte(p)
}

// Path returns the dark modules as the data of an SVG path, below a quiet zone of four modules:
// the picture is Side units wide and high.
func (c Code) Path() string {
	var b strings.Builder
	for y, row := range c {
		for x := 0; x < len(row); x++ {
			n := 0
			for x+n < len(row) && row[x+n] {
				n++
			}
			if n > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, n, n)
				x += n
			}
		}
	}
	return b.String()
}

// Side returns the width of the code in modules, its quiet zone included.
func (c Code) Side() int { return len(c) + 2*quiet }

const quiet = 4
