// JSON strings.

package render

import (
	"math/bits"
	"unicode/utf8"
)

// AppendString appends a text as a JSON string, escaped as encoding/json does without escapes that
// only HTML needs: invalid UTF-8 becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	return append(appendText(append(b, '"'), s), '"')
}

// appendText appends a text as it stands between the quotes of a string.
func appendText(b []byte, s string) []byte {
	if plainLength(s) == len(s) {
		return append(b, s...)
	}
	return appendEscaped(b, s)
}

// appendEscaped is appendText for texts that are long or not plain.
func appendEscaped[T string | []byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	for {
		n := plainLength(s)
		b = append(b, s[:n]...)
		if n == len(s) {
			return b
		}
		size := 1
		switch c := s[n]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c == '\f':
			b = append(b, `\f`...)
		case c < utf8.RuneSelf:
			b = append(b, `\u00`...)
			b = append(b, hex[c>>4], hex[c&15])
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(string(s[n:min(len(s), n+utf8.UTFMax)]))
			switch {
			case r == utf8.RuneError && size == 1:
				b = append(b, `\ufffd`...)
			case r == '\u2028' || r == '\u2029': // line ends to old JavaScript
				b = append(b, `\u202`...)
				b = append(b, hex[r&15])
			default:
				b = append(b, s[n:n+size]...)
			}
		}
		s = s[n+size:]
	}
}

// escaped returns a text as it stands between the quotes of a string.
func escaped(s string) string {
	if plainLength(s) == len(s) {
		return s
	}
	return string(appendEscaped(nil, s))
}

// escapeFrom escapes what stands in b from n on, where it stands.
func escapeFrom(b []byte, n int) []byte {
	n += plainLength(b[n:])
	if end := len(b); n < end {
		b = appendEscaped(b, b[n:end])
		b = append(b[:n], b[end:]...)
	}
	return b
}

// plainLength counts the ASCII bytes at the start of s that stand for
// themselves in a string. Descriptions are long: it looks at many at once.
func plainLength[T string | []byte](s T) int {
	i := 0
	for ; i+32 <= len(s); i += 32 {
		b := s[i : i+32]
		if marks(eight(b))|marks(eight(b[8:]))|marks(eight(b[16:]))|marks(eight(b[24:])) != 0 {
			break
		}
	}
	for ; i+8 <= len(s); i += 8 {
		if marked := marks(eight(s[i : i+8])); marked != 0 {
			return i + bits.TrailingZeros64(marked)/8
		}
	}
	for ; i < len(s) && plain[s[i]]; i++ {
	}
	return i
}

// eight returns the first eight bytes of s, the first as the lowest.
func eight[T string | []byte](s T) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// marks sets the high bit of bytes that need an escape. It swaps the quote with the space, so that
// the quote follows the control characters. A subtraction that borrows sets the bit. The lowest
// set bit is right: higher ones may only have lent to it.
func marks(x uint64) uint64 {
	const each = 0x0101010101010101
	return ((x ^ (' '^'"')*each - '!'*each) | (x ^ '\\'*each - each) | x) & (0x80 * each)
}

// plain tells which bytes are ASCII and stand for themselves in a string.
var plain = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()
