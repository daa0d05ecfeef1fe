// Searching texts: words, phrases and exclusions, whatever their case and
// accents.

package filters

import (
	"strings"
	"unicode"

	"almanac/markup"
)

// A Search is what a text must hold, folded. The zero Search matches all.
type Search struct {
	with    []string
	without []string
}

// maxWords is the number of words from which on a search is one phrase.
const maxWords = 10

// stopWords are dropped from a longer search; alone they are searched.
var stopWords = map[string]bool{
	"about": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true, "com": true,
	"for": true, "from": true, "how": true, "in": true, "is": true, "it": true, "of": true, "on": true, "or": true,
	"that": true, "the": true, "this": true, "to": true, "was": true, "what": true, "when": true, "where": true,
	"who": true, "will": true, "with": true, "www": true,
}

// ParseSearch reads a search: words between spaces and commas, of which all
// must be there; "a phrase"; -word for what must not be there.
func ParseSearch(text string) Search {
	text = markup.Fold(text)
	var s Search
	var dropped []string
	words := splitSearch(text)
	if len(words) >= maxWords {
		if phrase := strings.TrimSpace(text); phrase != "" {
			return Search{with: []string{phrase}}
		}
	}
	for _, w := range words {
		switch {
		case w.phrase:
			s.with = append(s.with, w.text)
		case len(w.text) > 1 && w.text[0] == '-':
			s.without = append(s.without, w.text[1:])
		case stopWords[w.text] || len([]rune(w.text)) == 1:
			dropped = append(dropped, w.text)
		default:
			s.with = append(s.with, w.text)
		}
	}
	if s.with == nil && s.without == nil {
		s.with = dropped
	}
	return s
}

// a word of a search; phrases stood in quotes.
type searchWord struct {
	text   string
	phrase bool
}

func splitSearch(text string) []searchWord {
	var words []searchWord
	for text != "" {
		if text[0] == '"' {
			if end := strings.IndexByte(text[1:], '"'); end >= 0 {
				if phrase := strings.TrimSpace(text[1 : 1+end]); phrase != "" {
					words = append(words, searchWord{phrase, true})
				}
				text = text[end+2:]
				continue
			}
			text = text[1:]
			continue
		}
		end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '"' })
		switch end {
		case -1:
			return append(words, searchWord{text, false})
		case 0:
			text = strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
		default:
			words = append(words, searchWord{text[:end], false})
			text = text[end:]
		}
	}
	return words
}

// Empty reports whether the search matches everything.
func (s Search) Empty() bool { return len(s.with) == 0 && len(s.without) == 0 }

// In reports whether the texts together hold all that must be there and
// nothing that must not.
func (s Search) In(texts ...string) bool {
	folded := make([]string, len(texts))
	for i, text := range texts {
		folded[i] = markup.Fold(text)
	}
	for _, word := range s.with {
		if !anyHolds(folded, word) {
			return false
		}
	}
	for _, word := range s.without {
		if anyHolds(folded, word) {
			return false
		}
	}
	return true
}

func anyHolds(texts []string, word string) bool {
	for _, text := range texts {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// Words is a search in the fields of venues and organizers: all words must
// stand in one and the same field.
type Words []string

// ParseWords splits at everything that is neither a letter nor a digit.
func ParseWords(text string) Words {
	return strings.FieldsFunc(markup.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// In reports whether one of the fields holds all words.
func (w Words) In(fields ...string) bool {
	for _, field := range fields {
		field = markup.Fold(field)
		all := true
		for _, word := range w {
			all = all && strings.Contains(field, word)
		}
		if all {
			return true
		}
	}
	return len(w) == 0
}
