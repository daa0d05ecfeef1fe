package markup

// This file tells what a text begins with, as the typesetter asks about what comes next.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clipped are the English words that begin with an apostrophe, which would otherwise be taken for
// a quote.
var clipped = []string{
	"tain't",
	"twere",
	"twas",
	"tis",
	"twill",
	"til",
	"bout",
	"nuff",
	"round",
	"cause",
	"em",
}

// isYear reports whether s begins with the two digits of a year, as in '99 and '99s.
func isYear(s string) bool {
	if len(s) < 2 || !isDigit(s[0]) || !isDigit(s[1]) {
		return false
	}
	rest := s[2:]
	switch {
	case rest == "":
		return true
	case rest[0] == '.' || rest[0] == ',':
		return len(rest) == 1 || !isDigit(rest[1])
	}
	return rest[0] != '%' && !isDigit(rest[0])
}

func isClipped(s string) bool {
	return slices.ContainsFunc(clipped, func(word string) bool {
		rest, begins := strings.CutPrefix(s, word)
		return begins && !startsWithLetter(rest)
	})
}

// endsWord reports whether nothing of a word comes next in s.
func endsWord(s string) bool {
	return s == "" || startsWithSpace(s) || strings.IndexByte(".,:;!?)}]-", s[0]) >= 0 ||
		strings.HasPrefix(s, "&gt;")
}

// startsWithDouble reports whether s begins with a double quote, set or not.
func startsWithDouble(s string) bool {
	return strings.HasPrefix(s, `"`) || strings.HasPrefix(s, openDouble) ||
		strings.HasPrefix(s, closeDouble) ||
		strings.HasPrefix(s, doublePrime)
}

func startsWithSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r) || strings.HasPrefix(s, "&nbsp;")
}

func startsWithLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' }
func isNumeric(c byte) bool   { return isDigit(c) || c == '.' || c == ',' }
func isWord(c byte) bool      { return isLetterOrDigit(c) || c == '_' }
