// Reading texts: where they end, and what their escapes stand for.

package store

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// bytes reads a text. It is valid until the next one is read.
func (s *scanner) bytes() []byte {
	s.must(`"`)
	from := s.at
	n, ascii := plain(s.text[s.at:])
	s.at += n
	text := s.text[from:s.at]
	if s.at < len(s.text) && s.text[s.at] == '\\' {
		text = append(s.unescaped[:0], text...)
		for s.at < len(s.text) && s.text[s.at] == '\\' {
			text = utf8.AppendRune(text, s.escape())
			n, more := plain(s.text[s.at:])
			text, ascii = append(text, s.text[s.at:s.at+n]...), ascii && more
			s.at += n
		}
		s.unescaped = text
	}
	s.must(`"`)
	// Others are replaced by encoding/json.
	if !s.bad && !ascii && !utf8.Valid(text) {
		s.fail()
	}
	return text
}

// escape reads an escape of the forms that are written.
func (s *scanner) escape() rune {
	rest := s.text[s.at:]
	if len(rest) < 2 {
		s.fail()
		return 0
	}
	s.at += 2
	if i := bytes.IndexByte([]byte(`"\nrtbf`), rest[1]); i >= 0 {
		return rune("\"\\\n\r\t\b\f"[i])
	}
	var r rune
	for i := 2; i < 6; i++ {
		digit := -1
		if rest[1] == 'u' && i < len(rest) {
			digit = bytes.IndexByte([]byte("0123456789abcdef"), rest[i])
		}
		if digit < 0 {
			s.fail()
			return 0
		}
		r = r<<4 | rune(digit)
	}
	if s.at += 4; !utf8.ValidRune(r) {
		s.fail() // half of a pair
	}
	return r
}

// plain returns how many bytes a text goes on for without quotation mark, escape
// or control character, and whether it is certain that all of them are ASCII. It
// looks at eight of them at a time: of the bytes that seem to be one of these
// the first is.
func plain(text []byte) (n int, ascii bool) {
	const each, top = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	at, all := 0, uint64(0)
	for ; at+8 <= len(text); at += 8 {
		x := binary.LittleEndian.Uint64(text[at:])
		quote, escape := x^each*'"', x^each*'\\'
		if found := ((quote-each)&^quote | (escape-each)&^escape | (x-each*' ')&^x) & top; found != 0 {
			n := bits.TrailingZeros64(found) / 8
			return at + n, (all|x&(1<<(8*n)-1))&top == 0
		}
		all |= x
	}
	for ; at < len(text); at++ {
		c := text[at]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		all |= uint64(c)
	}
	return at, all&top == 0
}
