// Taking texts and queries apart into words.

package textindex

import (
	"unicode"
	"unicode/utf8"

	"almanac/store/bitmap"
)

// Parts returns the words of a folded query, in their order. A text can hold the
// query only if its words hold all parts. With whole, the query is one word
// and nothing else, and the reverse is true too. Otherwise the texts have to
// be looked at; without any parts, all of them.
func Parts(folded string) (parts []string, whole bool) {
	for word, rest := cut(folded); word != ""; word, rest = cut(rest) {
		parts = append(parts, word)
	}
	return parts, len(parts) == 1 && len(parts[0]) == len(folded)
}

// cut returns the first word of a folded text and what follows it; no word, when
// there is none left.
func cut(s string) (word, rest string) {
	start := -1
	for i := 0; i < len(s); {
		size, in := 1, false
		if c := s[i]; c < utf8.RuneSelf {
			in = ascii[c]
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			in = inWord(r)
		}
		if in && start < 0 {
			start = i
		} else if !in && start >= 0 {
			return s[start:i], s[i+size:]
		}
		i += size
	}
	if start < 0 {
		return "", ""
	}
	return s[start:], ""
}

// inWord reports whether words are made of r: letters, digits and the marks
// that are left when a text was folded, such as the vowel signs of Indic
// scripts, which no speaker takes for the end of a word. That a part of a word
// is found wherever it stands needs no more than that one set of characters
// decides on texts and queries alike.
func inWord(r rune) bool {
	if r < 1<<16 {
		return plane.Has(uint32(r))
	}
	return unicode.In(r, wordTables...)
}

var wordTables = []*unicode.RangeTable{unicode.L, unicode.Nd, unicode.M}

// plane and ascii are wordTables spelled out for the characters below 1<<16
// and 128, since a search in range tables for every letter would take longer
// than all the rest.
var (
	plane = func() Bitmap {
		set := bitmap.New[uint32](1 << 16)
		for _, table := range wordTables {
			for _, r := range table.R16 {
				for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
					set.Set(c)
				}
			}
		}
		return set
	}()
	ascii = func() (set [utf8.RuneSelf]bool) {
		for c := range set {
			set[c] = plane.Has(uint32(c))
		}
		return set
	}()
)
