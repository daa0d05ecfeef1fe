// Searching texts: words, phrases and exclusions, whatever their case and
// accents.

package filters

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/text/markup"
)

// A Search has the required and the excluded words of a text, folded. The zero Search matches all.
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

// ParseSearch reads a search: required words between spaces, commas and plus signs; "a phrase",
// where a quote that is not closed reaches to the end; -word and -"a phrase" for excluded ones.
// Stop words and single letters are required only when there is nothing else; then, and from ten
// words on, the whole text is one phrase.
func ParseSearch(text string) Search {
	text = strings.TrimSpace(markup.Fold(text))
	s, words := searchWords(text)
	if text != "" && (words == 0 || words >= maxWords) {
		return Search{with: []string{text}}
	}
	return s
}

// searchWords reads the words and phrases of a folded search that count, and
// says how many they are.
func searchWords(text string) (s Search, words int) {
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '+' }
	ends := func(r rune) bool { return separates(r) || r == '"' }
	for text = strings.TrimLeftFunc(text, separates); text != ""; text = strings.TrimLeftFunc(text, separates) {
		var word string
		rest, without := strings.CutPrefix(text, "-")
		if phrase, quoted := strings.CutPrefix(rest, `"`); quoted {
			word, text, _ = strings.Cut(phrase, `"`)
		} else if end := strings.IndexFunc(rest, ends); end >= 0 {
			word = rest[:end]
			text = rest[end:]
		} else {
			word = rest
			text = ""
		}
		word = strings.Trim(word, `"' `)
		letter := !without && len(word) == 1 && 'a' <= word[0] && word[0] <= 'z'
		switch {
		case word == "" || word == "-" || letter || stopWords[word]:
			continue
		case without:
			s.without = append(s.without, word)
		default:
			s.with = append(s.with, word)
		}
		words++
	}
	return s, words
}

// Empty reports whether the search matches everything.
func (s Search) Empty() bool { return len(s.with) == 0 && len(s.without) == 0 }

// In reports whether the texts together hold all that must be there and
// nothing that must not.
func (s Search) In(texts ...string) bool {
	return s.within(func(string) bool { return false }, texts...)
}

// within is In, where words may be elsewhere, too.
func (s Search) within(isElsewhere func(word string) bool, texts ...string) bool {
	folded := make([]string, len(texts))
	for i, text := range texts {
		folded[i] = markup.Fold(text)
	}
	isThere := func(word string) bool {
		return slices.ContainsFunc(
			folded,
			func(text string) bool { return strings.Contains(text, word) },
		) ||
			isElsewhere(word)
	}
	isMissing := func(word string) bool { return !isThere(word) }
	return !slices.ContainsFunc(s.with, isMissing) && !slices.ContainsFunc(s.without, isThere)
}

// Words is a search in the fields of venues and organizers: all words must
// stand in one and the same field. Nil is no search; one without any word finds
// nothing.
type Words []string

// ParseWords splits at everything that is neither a letter nor a digit. The empty
// text is no search.
func ParseWords(text string) Words {
	if text == "" {
		return nil
	}
	words := strings.FieldsFunc(
		markup.Fold(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	)
	seen := make(map[string]bool, len(words))
	return slices.DeleteFunc(words, func(word string) bool {
		again := seen[word]
		seen[word] = true
		return again
	})
}

// In reports whether one of the fields holds all words.
func (w Words) In(fields ...string) bool {
	for _, field := range fields {
		field = markup.Fold(field)
		if len(w) > 0 &&
			!slices.ContainsFunc(
				w,
				func(word string) bool { return !strings.Contains(field, word) },
			) {
			return true
		}
	}
	return w == nil
}
