// The text of tables as programs write it, made plain for package csv.

package files

import (
	"bufio"
	"io"
	"strings"
)

// A tableText reads the text of a table. A line that ends in CR alone among others ends in LF, and
// the spaces around a quoted cell are left out, as fgetcsv of PHP does.
type tableText struct {
	text    *bufio.Reader
	comma   byte
	place   place
	spaces  int // read, and perhaps to be left out
	pending []byte
}

// A place is where in a cell a tableText is.
type place int

const (
	beforeCell place = iota
	inCell
	inQuotes
	behindQuote // the last one of the cell, or the first of two
)

func newTableText(text io.Reader, comma rune) *tableText {
	return &tableText{text: bufio.NewReaderSize(text, headSize), comma: byte(comma)}
}

func (t *tableText) Read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		if len(t.pending) > 0 {
			moved := copy(p[n:], t.pending)
			t.pending = t.pending[moved:]
			n += moved
			continue
		}
		var c byte
		if c, err = t.text.ReadByte(); err == nil {
			t.pending = t.step(t.pending[:0], c)
		}
	}
	if n > 0 {
		return n, nil // the next Read returns the error again
	}
	return 0, err
}

// step appends what becomes of a byte.
func (t *tableText) step(to []byte, c byte) []byte {
	if c == '\r' && t.place != inQuotes {
		if next, _ := t.text.Peek(1); string(next) != "\n" {
			c = '\n'
		}
	}
	isEnd := c == t.comma || c == '\n' || c == '\r'
	switch {
	case t.place == inQuotes:
		if c == '"' {
			t.place = behindQuote
		}
		return append(to, c)
	case c == ' ' && !isEnd && t.place != inCell && t.spaces < headSize:
		t.spaces++
		return to
	case c == '"' && (t.place == beforeCell || t.place == behindQuote && t.spaces == 0):
		t.place = inQuotes
	case isEnd:
		t.place = beforeCell
	default:
		to = append(to, strings.Repeat(" ", t.spaces)...)
		t.place = inCell
	}
	t.spaces = 0
	return append(to, c)
}

// separatorLine returns the separator that the first line of a text names for Excel, as in
// "sep=;", or 0.
func separatorLine(head []byte) rune {
	line := string(head)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	line = strings.Trim(line, `"`)
	if len(line) == len("sep=;") && begins(line, "sep=") && strings.ContainsAny(line[4:], ",;:|\t") {
		return rune(line[4])
	}
	return 0
}
