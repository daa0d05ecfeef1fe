package markup

// This file writes the text of pages.

import (
	"bytes"
	"encoding/binary"
	"html"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// watched has the bytes that appendShown examines: markup, controls, and first bytes of characters
// that may be dropped.
var watched = func() (w [256]bool) {
	for c := range w {
		w[c] = c < ' ' && !isSpace(byte(c)) || c == 0x7f || c == 0xc2 || c == 0xe2 || c >= 0xef
	}
	w['&'], w['<'], w['>'], w['"'] = true, true, true, true
	return w
}()

// appendShown appends a text that may hold entities as HTML, fit for an attribute too.
func appendShown(b []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if !watched[c] {
			i++
			continue
		}
		size := 1
		with := ""
		switch {
		case c == '&':
			with = "&amp;"
			if end := entityEnd(s, i); end > i {
				size = end - i
				with = shownEntity(s[i:end])
			}
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '"':
			with = "&quot;"
		case c >= utf8.RuneSelf:
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError {
				with = "\ufffd" // also for a partial character, since dropping bytes after it could complete it
			} else if isShown(r) {
				i += size
				continue
			}
		}
		b = append(append(b, s[done:i]...), with...)
		i += size
		done = i
	}
	return append(b, s[done:]...)
}

// shownEntity returns what is written for a text that has the form of an entity.
func shownEntity(s string) string {
	if s[1] == '#' {
		digits := s[2 : len(s)-1]
		base := 10
		if digits[0]|0x20 == 'x' {
			digits = digits[1:]
			base = 16
		}
		switch n, err := strconv.ParseUint(digits, base, 32); {
		case err == nil && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) && n != '\r' && isShown(rune(n)):
			return s
		case err == nil && n >= 0x80 && n <= 0x9f: // browsers read Windows-1252
			if r, _ := utf8.DecodeRuneInString(html.UnescapeString(s)); isShown(r) {
				return string(r)
			}
		}
		return ""
	}
	switch s {
	case "&amp;", "&lt;", "&gt;", "&quot;", "&nbsp;", "&semi;":
		return s
	}
	if known := html.UnescapeString(s); known == s ||
		known[len(known)-1] == ';' { // no name, or only its beginning is one
		return "&amp;" + s[1:]
	}
	return s
}

// isShown reports whether a character may be in a page: no control, no change of the direction of
// text, and no noncharacter.
func isShown(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\f' || r == '\r'
	case r >= 0x7f && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return false
	}
	return r&0xfffe != 0xfffe && (r < 0xfdd0 || r > 0xfdef)
}

// DropUnshown removes characters that a page must not have, from any source: controls, changes of
// the direction of text, and bytes that are not UTF-8. It returns b itself if there are none.
func DropUnshown(b []byte) []byte {
	clean := true
	for i := 0; i < len(b) && clean; {
		if i+8 <= len(b) { // over those from ' ' to '~', eight at once
			const each, tops = 0x0101010101010101, 0x8080808080808080
			w := binary.LittleEndian.Uint64(b[i:])
			other := (w | (w + each) | (w - ' '*each)) & tops // the lowest bit is at the first other one
			if other == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(other) / 8
		}
		r, size := utf8.DecodeRune(b[i:])
		clean = isShown(r) && (r != utf8.RuneError || size > 1)
		i += size
	}
	if clean {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if !isShown(r) {
			return -1
		}
		return r
	}, bytes.ToValidUTF8(b, nil))
}
