// Reading many blocks.

package wal

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// Blocks come back in order and whole, however large the lines are.
func TestReadBlocks(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, lines := range [][]int{{}, {1}, {0, 0, 0}, {blockSize - 1}, {blockSize, 5},
		{3 * blockSize, 1, blockSize - 2, 7, 10 * blockSize}, slices.Repeat([]int{999}, 3000)} {
		for _, end := range []string{"", "\n"} {
			var text []byte
			for i, n := range lines {
				text = append(text, bytes.Repeat([]byte{'a' + byte(rng.IntN(26))}, n)...)
				if i < len(lines)-1 {
					text = append(text, '\n')
				}
			}
			text = append(text, end...)
			got := []byte{}
			blocks := readBlocks(bytes.NewReader(text), bytes.Clone)
			for some, more := blocks.next(); more; some, more = blocks.next() {
				got = append(got, some...)
				if len(got) < len(text) && got[len(got)-1] != '\n' {
					t.Fatal("a block ends inside of a line")
				}
			}
			if err := blocks.close(); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes with the error %v, want %d", len(got), err, len(text))
			}
		}
	}
}

// A reader of blocks may end before they do. An error comes after the lines before it.
func TestReadBlocksEnds(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456\n"), blockKept/2) // four blocks even if other tests left the largest ones
	size := func(text []byte) int { return len(text) }
	blocks := readBlocks(bytes.NewReader(text), size)
	for n := range 3 {
		if _, more := blocks.next(); !more {
			t.Errorf("%d blocks, want 3 and more", n)
		}
	}
	if err := blocks.close(); err != nil {
		t.Error(err)
	}
	broken := errors.New("a bad sector")
	blocks = readBlocks(io.MultiReader(bytes.NewReader(text), strings.NewReader("half"), iotest.ErrReader(broken)), size)
	n := 0
	for some, more := blocks.next(); more; some, more = blocks.next() {
		n += some
	}
	if err := blocks.close(); err != broken || n != len(text) {
		t.Errorf("%d bytes and the error %v, want %d and %v", n, err, len(text), broken)
	}
}
