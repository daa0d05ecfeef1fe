// From a search to rows: the words that hold what is searched.

package filters

import (
	"cmp"
	"slices"
	"strings"

	"almanac/store"
	"almanac/store/eventindex"
	"almanac/store/textindex"
)

// rows returns a set that has every row of the shelf that the search finds, nil
// when the words tell nothing or are not there. It may have others too, if read
// says so: what is more than a part of one word has to be read in the texts.
func (s Search) rows(shelf *store.Shelf, index *textindex.Index) (set *eventindex.Set, read bool) {
	if index == nil {
		return nil, true
	}
	var all, one textindex.Bits
	find := func(part string) textindex.Bits {
		if one == nil {
			one = textindex.NewBits(shelf.Rows())
		} else {
			clear(one)
		}
		index.Find(part, one)
		return one
	}
	parts, read := s.parts()
	for _, part := range parts {
		if bits := find(part); all == nil {
			all, one = bits, nil
		} else {
			all.And(bits)
		}
	}
	for _, text := range s.without {
		words, whole := textindex.Parts(text)
		if !whole || all == nil {
			read = true
			continue
		}
		all.AndNot(find(words[0]))
	}
	if all == nil {
		return nil, true
	}
	set = shelf.Timeline().NewSet()
	set.AddBits(all)
	return set, read
}

// partsMost is how many parts of phrases are looked up, each of which takes as
// long as a search. Those that are not leave some more texts to be read.
const partsMost = 8

// parts returns what is looked up in the words: the words of the search, and the
// longest parts of its phrases, which the fewest texts hold. read says that there
// are phrases.
func (s Search) parts() (parts []string, read bool) {
	var ofPhrases []string
	for _, text := range s.with {
		some, whole := textindex.Parts(text)
		if whole {
			parts = append(parts, text)
			continue
		}
		ofPhrases, read = append(ofPhrases, some...), true
	}
	slices.SortFunc(ofPhrases, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	ofPhrases = slices.Compact(ofPhrases)
	return append(parts, ofPhrases[:min(len(ofPhrases), partsMost)]...), read
}
