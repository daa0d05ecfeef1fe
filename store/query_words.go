// From a search to rows: the words that hold what is searched.

package store

import (
	"cmp"
	"slices"
	"strings"

	"almanac/store/bitmap"
	"almanac/store/eventindex"
	"almanac/store/textindex"
)

// holding returns every row whose texts hold what is searched, nil when the words
// tell nothing or are not there. There may be others too, if unread says so: what is
// more than a part of one word has to be read in the texts.
func (p *planner) holding() (rows eventindex.Bitmap, unread bool) {
	index := p.part.words
	if index == nil || p.Hints.NoWords {
		return nil, true
	}
	var all, one textindex.Bitmap
	find := func(part string) textindex.Bitmap {
		if one == nil {
			one = bitmap.New[eventindex.Row](p.part.events.Len())
		} else {
			clear(one)
		}
		index.Find(part, one)
		return one
	}
	parts, unread := p.Text.lookups()
	for _, part := range parts {
		if bits := find(part); all == nil {
			all, one = bits, nil
		} else {
			all.And(bits)
		}
	}
	for _, text := range p.Text.Excluded {
		words, whole := textindex.Parts(text)
		if !whole || all == nil {
			unread = true
			continue
		}
		all.AndNot(find(words[0]))
	}
	if all == nil {
		return nil, true
	}
	return p.time.ByPlace(all), unread
}

// lookupsMost is how many parts of phrases are looked up, each of which takes as
// long as a search. Those that are not leave some more texts to be read.
const lookupsMost = 8

// lookups returns what is looked up in the words: the words of the search, and the
// longest parts of its phrases, which the fewest texts hold. phrases says that
// there are any.
func (t *Text) lookups() (parts []string, phrases bool) {
	var ofPhrases []string
	for _, text := range t.Words {
		some, whole := textindex.Parts(text)
		if whole {
			parts = append(parts, text)
			continue
		}
		ofPhrases, phrases = append(ofPhrases, some...), true
	}
	slices.SortFunc(ofPhrases, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	ofPhrases = slices.Compact(ofPhrases)
	return append(parts, ofPhrases[:min(len(ofPhrases), lookupsMost)]...), phrases
}
