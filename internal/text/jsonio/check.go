// Checks of JSON texts.

package jsonio

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"unicode/utf8"
)

// A Flaw is a property that JSON text must not have, though some decoders accept it.
type Flaw int

// A text without a flaw may still be invalid JSON.
const (
	None          Flaw = iota
	BadEncoding        // it is not UTF-8
	TooDeep            // lists and objects nest deeper than allowed
	LoneSurrogate      // half of a surrogate pair is escaped
)

// MaxDepth is how deep lists and objects can nest whatever is allowed:
// encoding/json reads no further.
const MaxDepth = 10_000

// MaxValues is how many values a text may have that is taken apart as a whole: each takes some
// hundred bytes then, and two on the wire.
const MaxValues = 500_000

// HasMany reports whether a text has more than MaxValues values. Each but the first of a list or
// an object stands behind a comma.
func HasMany(text []byte) bool {
	if bytes.Count(text, []byte(",")) <= MaxValues { // as in all texts of honest sites
		return false
	}
	commas := 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			commas++
		}
	}
	return commas > MaxValues
}

// Check returns the first flaw of a text that may nest to a depth, and its
// offset. That it is not UTF-8 comes before all else.
func Check(text []byte, depth int) (Flaw, int) {
	if !utf8.Valid(text) {
		at := 0
		for utf8.FullRune(text[at:]) {
			r, size := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return BadEncoding, at
	}
	level := 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			if high, ok := escapedUnit(text[i:]); ok && high >= 0xD800 && high < 0xE000 {
				low, ok := escapedUnit(text[i+6:])
				if high >= 0xDC00 || !ok || low < 0xDC00 || low >= 0xE000 {
					return LoneSurrogate, i
				}
				i += 10
			}
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if level++; level > depth {
				return TooDeep, i
			}
		case c == '}' || c == ']':
			level--
		}
	}
	return None, 0
}

// escapedUnit reads a \uXXXX at the start of text.
func escapedUnit(text []byte) (unit rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}

// errCutOff is the error of a text that ends in the middle of its JSON.
var errCutOff = errors.New("ends in the middle of its JSON; was it cut off?")

// Values yields the values of a text that has several in a row. The error of an invalid value has
// the reason, and its At the position.
func Values(text []byte) iter.Seq2[*Value, error] {
	return func(yield func(*Value, error) bool) {
		at := 0
		if bytes.HasPrefix(text, []byte(byteOrderMark)) {
			at = len(byteOrderMark)
		}
		for at = blanks(text, at); at < len(text); at = blanks(text, at) {
			end := skip(text, at)
			if wrong, err := syntax(text[at:end]); err != nil {
				yield(&Value{At: at + wrong}, err)
				return
			}
			if !yield(&Value{Raw: text[at:end], At: at}, nil) {
				return
			}
			at = end
		}
	}
}

// byteOrderMark is the prefix that some editors write before UTF-8.
const byteOrderMark = "\ufeff"

// syntax returns what is wrong with a text that should be a value, and where.
func syntax(text []byte) (at int, err error) {
	if flaw, at := Check(text, MaxDepth); flaw == BadEncoding {
		return at, errors.New("is not UTF-8")
	}
	if json.Valid(text) {
		return 0, nil
	}
	var none json.RawMessage
	err = json.Unmarshal(text, &none)
	if wrong, ok := err.(*json.SyntaxError); ok {
		if at = max(0, int(wrong.Offset)-1); wrong.Error() == "unexpected end of JSON input" {
			return len(text), errCutOff
		}
	}
	return at, err
}
