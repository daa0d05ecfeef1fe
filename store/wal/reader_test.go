// Reading lines of any length.

package wal

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// Lines come whole, however long they are, and the last one may lack its newline.
func TestLineReader(t *testing.T) {
	t.Parallel()
	const buffer = 64 << 10
	for _, lengths := range [][]int{{}, {1}, {0, 0, 0}, {buffer - 1}, {buffer, 5}, {buffer - 2, 1, 3 * buffer, 1, buffer - 2, 7, 10 * buffer},
		slices.Repeat([]int{999}, 3000)} {
		for _, end := range []string{"", "\n"} {
			var want []string
			for i, n := range lengths {
				want = append(want, strings.Repeat(string(rune('a'+i%26)), n)+"\n")
			}
			if n := len(want); n > 0 {
				if want[n-1] = want[n-1][:lengths[n-1]] + end; want[n-1] == "" {
					want = want[:n-1]
				}
			}
			lines := newLineReader(strings.NewReader(strings.Join(want, "")))
			got := []string(nil)
			text, err := lines.next()
			for ; err == nil; text, err = lines.next() {
				got = append(got, string(text))
			}
			if err != io.EOF || !slices.Equal(got, want) {
				t.Errorf("%d lines with the error %v, want %d", len(got), err, len(want))
			}
		}
	}
}

// An error comes after the lines before it, and without a part of a line.
func TestLineReaderFails(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456\n"), 50000)
	broken := errors.New("a bad sector")
	lines := newLineReader(
		io.MultiReader(bytes.NewReader(text), strings.NewReader("half"), iotest.ErrReader(broken)),
	)
	n := 0
	some, err := lines.next()
	for ; err == nil; some, err = lines.next() {
		n += len(some)
	}
	if err != broken || n != len(text) {
		t.Errorf("%d bytes and the error %v, want %d and %v", n, err, len(text), broken)
	}
}
