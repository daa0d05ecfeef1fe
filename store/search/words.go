// Words: which rows have a word that contains a text, wherever in the word it stands.

package search

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode"

	"almanac/internal/text/markup"
)

// Words are a vocabulary with the rows of each word. A word is a run, as long as
// possible, of letters, digits and marks of a folded text. So a text of these
// characters alone is in a folded text if and only if it is in one of its words.
//
// Many rows may have the same long text, such as the events of a series. So the words of
// a long text have the number of the text, as if it were a row, and the text has its rows.
type words struct {
	numbers map[string]uint32
	text    []byte  // all words by number, each with a 0 behind it
	starts  []int   // of the words in text, by number
	rows    [][]row // ascending, by number, with the numbers of long texts; nil for a removed word
	unused  int     // bytes of the text of removed words
	found   []uint32

	long   map[string]row // numbers of long texts
	rowsOf [][]row        // of long texts, ascending; nil for a removed text
	spare  []row          // numbers of removed texts
}

const (
	// longText is the length from which on a text has its rows beside those of its words.
	longText = 1 << 10
	// firstLong is the number of the first long text; rows are smaller.
	firstLong row = 1 << 31
)

func newWords() *words { return &words{numbers: map[string]uint32{}, long: map[string]row{}} }

// add enters a row under the words of its texts.
func (w *words) add(r row, texts []string) {
	for _, text := range texts {
		if len(text) < longText {
			w.enterText(r, text)
			continue
		}
		number, ok := w.long[text]
		if !ok {
			number = w.newLong(text)
			w.enterText(number, text)
		}
		rows := &w.rowsOf[number-firstLong]
		*rows = with(*rows, r)
	}
}

// newLong assigns a number to a long text.
func (w *words) newLong(text string) (number row) {
	if n := len(w.spare); n > 0 {
		number = w.spare[n-1]
		w.spare = w.spare[:n-1]
	} else {
		number = firstLong + row(len(w.rowsOf))
		w.rowsOf = append(w.rowsOf, nil)
	}
	w.long[text] = number
	return number
}

// enterText enters a row under the words of a text.
func (w *words) enterText(r row, text string) {
	for _, number := range w.of(text, true) {
		w.rows[number] = with(w.rows[number], r)
	}
}

// with adds a row to an ascending list that may have it.
func with(rows []row, r row) []row {
	if n := len(rows); n == 0 || rows[n-1] < r {
		return append(rows, r)
	}
	at, found := slices.BinarySearch(rows, r)
	if found {
		return rows
	}
	return slices.Insert(rows, at, r)
}

// remove takes a row out again, with the texts that it was added with.
func (w *words) remove(r row, texts []string) {
	for _, text := range texts {
		if len(text) < longText {
			w.removeText(r, text)
			continue
		}
		number, ok := w.long[text]
		if !ok { // the text comes again
			continue
		}
		rows := &w.rowsOf[number-firstLong]
		if at, found := slices.BinarySearch(*rows, r); found {
			*rows = slices.Delete(*rows, at, at+1)
		}
		if len(*rows) == 0 {
			*rows = nil
			w.removeText(number, text)
			delete(w.long, text)
			w.spare = append(w.spare, number)
		}
	}
	if w.unused > 4096 && w.unused > len(w.text)/2 {
		w.compact()
	}
}

// removeText takes a row out from under the words of a text.
func (w *words) removeText(r row, text string) {
	for _, number := range w.of(text, false) {
		rows := w.rows[number]
		at, found := slices.BinarySearch(rows, r)
		if !found { // the word comes again
			continue
		}
		if w.rows[number] = slices.Delete(rows, at, at+1); len(rows) > 1 {
			continue
		}
		word := w.text[w.starts[number] : w.end(number)-1]
		delete(w.numbers, string(word))
		w.rows[number] = nil
		w.unused += len(word) + 1
		clear(word)
	}
}

// of returns the numbers of the words of a text, as often as they come. They are valid until
// the next call.
func (w *words) of(text string, enter bool) []uint32 {
	w.found = w.found[:0]
	for word, rest := cut(markup.Fold(text)); word != ""; word, rest = cut(rest) {
		number, ok := w.numbers[word]
		if !ok && enter {
			number = uint32(len(w.starts))
			w.enter(strings.Clone(word), nil)
		}
		w.found = append(w.found, number)
	}
	return w.found
}

// Words returns how many different words a text has that the index would keep anew, and how many
// that it has already; none of a text that it keeps as a whole. It reads no row, so that the one
// who changes the index may call it beside searches.
func (x *Index[T]) Words(text string) (fresh, known int) {
	if x.words == nil || x.words.long[text] != 0 {
		return 0, 0
	}
	seen := map[string]bool{}
	for word, rest := cut(markup.Fold(text)); word != ""; word, rest = cut(rest) {
		if seen[word] {
			continue
		}
		seen[word] = true
		if _, ok := x.words.numbers[word]; ok {
			known++
		} else {
			fresh++
		}
	}
	return fresh, known
}

// enter assigns the next number to a word.
func (w *words) enter(word string, rows []row) {
	w.numbers[word] = uint32(len(w.starts))
	w.starts = append(w.starts, len(w.text))
	w.text = append(append(w.text, word...), 0)
	w.rows = append(w.rows, rows)
}

// end returns where the text of the next word begins.
func (w *words) end(number uint32) int {
	if int(number)+1 < len(w.starts) {
		return w.starts[number+1]
	}
	return len(w.text)
}

// compact assigns new numbers to the words that are there.
func (w *words) compact() {
	fresh := newWords()
	for number, rows := range w.rows {
		if rows != nil {
			fresh.enter(string(w.text[w.starts[number]:w.end(uint32(number))-1]), rows)
		}
	}
	fresh.long = w.long
	fresh.rowsOf = w.rowsOf
	fresh.spare = w.spare
	*w = *fresh
}

// find sets the rows of all words that contain a part of a word. It stops with false at more than
// most rows, of which a row counts for each of its words.
func (w *words) find(part string, into bitmap, most int) bool {
	long := newBitmap(len(w.rowsOf))
	for from := 0; ; {
		at := bytes.Index(w.text[from:], []byte(part))
		if at < 0 {
			break
		}
		number := uint32(sort.SearchInts(w.starts, from+at+1) - 1)
		if most -= len(w.rows[number]); most < 0 {
			return false
		}
		w.mark(number, into, long)
		from = w.end(number)
	}
	w.markLong(long, into)
	return true
}

// Holding returns the items one of whose texts may contain a folded text, in no order: all that
// have its words. It is false, and returns none, if these are more than most, or if none of the
// words is in so few items.
func (x *Index[T]) Holding(text string, most int) (items []T, ok bool) {
	parts, _ := Parts(text)
	var hits bitmap
	for _, part := range parts {
		rows := newBitmap(len(x.items))
		switch {
		case !x.words.find(part, rows, most):
		case hits == nil:
			hits = rows
		default:
			hits.and(rows)
		}
	}
	switch {
	case hits != nil:
		for r := range hits.all() {
			items = append(items, x.items[r])
		}
		return items, true
	case x.Len() > most:
		return nil, false
	}
	return x.Some(math.MaxInt), true
}

// Some returns all items, in no order, or as many as most: those that have been there for longest,
// about.
func (x *Index[T]) Some(most int) (items []T) {
	items = make([]T, 0, min(most, len(x.rows)))
	for _, item := range x.items {
		if len(items) == cap(items) {
			break
		}
		if item != *new(T) {
			items = append(items, item)
		}
	}
	return items
}

// mark sets the rows of a word, and its long texts.
func (w *words) mark(number uint32, rows, long bitmap) {
	for _, r := range w.rows[number] {
		if r < firstLong {
			rows.set(r)
		} else {
			long.set(r - firstLong)
		}
	}
}

// markLong sets the rows of long texts.
func (w *words) markLong(long, rows bitmap) {
	for text := range long.all() {
		for _, r := range w.rowsOf[text] {
			rows.set(r)
		}
	}
}

// holding returns the rows whose texts contain what is searched and may be searched, or
// nil if the words tell nothing. Unread says that there may be others among them.
func (x *Index[T]) holding(t *Text[T]) (hits bitmap, unread bool) {
	if known, ok := t.known[x]; ok {
		return known.hits, known.unread
	}
	defer func() {
		if t.known == nil {
			t.known = map[*Index[T]]held{}
		}
		t.known[x] = held{hits, unread}
	}()
	find := func(part string) bitmap {
		rows := newBitmap(len(x.items))
		x.words.find(part, rows, math.MaxInt)
		if t.Named != nil {
			x.mark(t.Named(part), rows)
		}
		return rows
	}
	parts, unread := t.lookups()
	for _, part := range parts {
		if rows := find(part); hits == nil {
			hits = rows
		} else {
			hits.and(rows)
		}
	}
	for _, text := range t.Excluded {
		if parts, whole := Parts(text); whole && hits != nil {
			hits.andNot(find(parts[0]))
		} else {
			unread = true
		}
	}
	if locked := x.by[t.Locked]; locked != nil && hits != nil && !unread {
		for block := range locked.rows.between(0, locked.rows.n) {
			for _, r := range block {
				if hits.has(r) && (t.Open == nil || !t.Open(x.items[r])) {
					hits.clear(r)
				}
			}
		}
	}
	return hits, unread
}

// mark sets the rows that have one of some keys.
func (x *Index[T]) mark(keys []Key, rows bitmap) {
	for _, key := range keys {
		if p := x.by[key]; p != nil {
			for block := range p.rows.between(0, p.rows.n) {
				for _, r := range block {
					rows.set(r)
				}
			}
		}
	}
}

// lookupsMost is how many parts of phrases are looked up, since each takes as long as
// a search. The rest leaves some more texts to be read.
const lookupsMost = 8

// lookups returns the parts that are looked up: the words of the search, and the
// longest parts of its phrases, which the fewest texts contain. Phrases says that it
// has phrases.
func (t *Text[T]) lookups() (parts []string, phrases bool) {
	var ofPhrases []string
	for _, text := range t.Words {
		some, whole := Parts(text)
		if whole {
			parts = append(parts, text)
			continue
		}
		ofPhrases = append(ofPhrases, some...)
		phrases = true
	}
	slices.SortFunc(
		ofPhrases,
		func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) },
	)
	ofPhrases = slices.Compact(ofPhrases)
	return append(parts, ofPhrases[:min(len(ofPhrases), lookupsMost)]...), phrases
}

// Parts returns the words of a folded query, in their order. A text contains the
// query only if its words contain all parts. With whole, the query is one word and
// nothing else, and the reverse is true, too.
func Parts(folded string) (parts []string, whole bool) {
	for word, rest := cut(folded); word != ""; word, rest = cut(rest) {
		parts = append(parts, word)
	}
	return parts, len(parts) == 1 && len(parts[0]) == len(folded)
}

// cut returns the first word of a folded text, and the text behind it; "" if there is none.
func cut(s string) (word, rest string) {
	start := strings.IndexFunc(s, inWord)
	if start < 0 {
		return "", ""
	}
	s = s[start:]
	if end := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) }); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// inWord reports whether words are made of r: letters, digits, and the marks that are
// left when a text was folded, such as the vowel signs of Indic scripts.
func inWord(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.Nd, unicode.M)
}

// A bitmap is a set of rows.
type bitmap []uint64

func newBitmap(rows int) bitmap { return make(bitmap, (rows+63)/64) }

func (b bitmap) set(r row)      { b[r/64] |= 1 << (r % 64) }
func (b bitmap) clear(r row)    { b[r/64] &^= 1 << (r % 64) }
func (b bitmap) has(r row) bool { return b[r/64]>>(r%64)&1 == 1 }

func (b bitmap) and(other bitmap) {
	for i := range b {
		b[i] &= other[i]
	}
}

func (b bitmap) andNot(other bitmap) {
	for i := range b {
		b[i] &^= other[i]
	}
}

// all yields the rows in the order of their numbers.
func (b bitmap) all() iter.Seq[row] {
	return func(yield func(row) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(row(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
