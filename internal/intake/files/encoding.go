// Encodings of files: all become UTF-8.

package files

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// decoded returns a file as UTF-8 without its byte order mark. It decodes UTF-16, which Excel writes as "Unicode
// text", if the byte order mark announces it.
func decoded(file io.Reader) io.Reader {
	text := bufio.NewReaderSize(file, headSize)
	bom, _ := text.Peek(3) // the next Read returns the error
	order := map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian}[string(bom[:min(2, len(bom))])]
	if order != nil {
		_, _ = text.Discard(2)
		return &utf16Reader{text: text, order: order}
	}
	if string(bom) == "\ufeff" {
		_, _ = text.Discard(3)
	}
	return text
}

// A utf16Reader reads UTF-16 as UTF-8.
type utf16Reader struct {
	text  *bufio.Reader
	order binary.ByteOrder
	next  []byte // the rest of a character
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	if len(u.next) == 0 {
		err = u.advance()
	}
	n = copy(p, u.next)
	u.next = u.next[n:]
	return n, err
}

// advance reads a character. An unpaired surrogate becomes an invalid byte.
func (u *utf16Reader) advance() error {
	units, err := u.text.Peek(4)
	switch len(units) {
	case 0:
		return err
	case 1:
		return io.ErrUnexpectedEOF
	}
	c, size := rune(u.order.Uint16(units)), 2
	if u.next = utf8.AppendRune(nil, c); utf16.IsSurrogate(c) {
		if u.next = []byte{0xff}; len(units) == 4 {
			if c = utf16.DecodeRune(c, rune(u.order.Uint16(units[2:]))); c != unicode.ReplacementChar {
				u.next, size = utf8.AppendRune(nil, c), 4
			}
		}
	}
	_, err = u.text.Discard(size)
	return err
}
