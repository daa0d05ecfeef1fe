// Checking an index against a new index of the same entries.

package search

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// findingsMost is how many findings Check spells out.
const findingsMost = 20

// Check compares the index with the entries that it should have, in any order, and
// returns all differences, joined.
func (x *Index[T]) Check(entries iter.Seq[*Entry[T]]) error {
	fresh := New(x.order, x.words != nil)
	var found []error
	report := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	for e := range entries {
		fresh.Insert(nil, e)
		if r, ok := x.rows[e.Item]; !ok || x.items[r] != e.Item {
			report("an item that starts at %d is not indexed", e.Start)
		}
	}
	if len(x.rows) != len(fresh.rows) || len(x.rows)+len(x.free) != len(x.items) {
		report(
			"%d are indexed of %d, with %d free rows of %d",
			len(x.rows),
			len(fresh.rows),
			len(x.free),
			len(x.items),
		)
	}
	postings := func(name string, got, want *postings) {
		switch {
		case got == nil || want == nil:
			report("%s: indexed: %t, wanted: %t", name, got != nil, want != nil)
		case got.longest < want.longest:
			report("%s: the longest lasts %d, not %d", name, want.longest, got.longest)
		case !x.equal(&got.rows, fresh, &want.rows) || !x.equal(&got.long, fresh, &want.long):
			report("%s: the rows differ", name)
		}
	}
	postings("all", &x.all, &fresh.all)
	for key := range x.by {
		postings(fmt.Sprint(key), x.by[key], fresh.by[key])
	}
	for key := range fresh.by {
		if x.by[key] == nil {
			report("%v: not indexed", key)
		}
	}
	if x.words != nil {
		x.checkWords(fresh, report)
	}
	if len(found) > findingsMost {
		found = append(found[:findingsMost], fmt.Errorf("and %d more", len(found)-findingsMost))
	}
	return errors.Join(found...)
}

// equal reports whether two lists have the same entries at the same times, and are sound.
func (x *Index[T]) equal(l *list, other *Index[T], o *list) bool {
	if l.n != o.n {
		return false
	}
	i := 0
	n := 0
	var theirs []row
	for block := range o.between(0, o.n) {
		theirs = append(theirs, block...)
	}
	for _, block := range l.blocks {
		if n += len(block); len(block) == 0 || n > l.n {
			return false
		}
		for _, r := range block {
			s := theirs[i]
			if x.items[r] != other.items[s] || x.start[r] != other.start[s] ||
				x.end[r] != other.end[s] {
				return false
			}
			i++
		}
	}
	return n == l.n
}

// checkWords compares the words with those of another index.
func (x *Index[T]) checkWords(fresh *Index[T], report func(string, ...any)) {
	if len(x.words.numbers) != len(fresh.words.numbers) {
		report("%d words are indexed of %d", len(x.words.numbers), len(fresh.words.numbers))
	}
	for word, number := range fresh.words.numbers {
		got, ok := x.words.numbers[word]
		if !ok || string(x.words.text[x.words.starts[got]:x.words.end(got)]) != word+"\x00" {
			report("the word %.60q is not where it belongs", word)
			continue
		}
		is := x.rowsUnder(got)
		should := newBitmap(len(x.items))
		for r := range fresh.rowsUnder(number).all() {
			should.set(x.rows[fresh.items[r]])
		}
		if !slices.Equal(is, should) || !slices.IsSorted(x.words.rows[got]) {
			report("the word %.60q has other rows", word)
		}
	}
	if len(x.words.long) != len(fresh.words.long) ||
		len(x.words.long)+len(x.words.spare) != len(x.words.rowsOf) {
		report(
			"%d long texts are indexed of %d, with %d spare numbers of %d",
			len(x.words.long),
			len(fresh.words.long),
			len(x.words.spare),
			len(x.words.rowsOf),
		)
	}
}

// rowsUnder returns the rows of a word.
func (x *Index[T]) rowsUnder(number uint32) bitmap {
	rows := newBitmap(len(x.items))
	long := newBitmap(len(x.words.rowsOf))
	x.words.mark(number, rows, long)
	x.words.markLong(long, rows)
	return rows
}
