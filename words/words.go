// Package words is a search index of many short texts. It answers which
// documents have a word that contains a text, wherever in the word it stands.
//
//	x := words.New()
//	x.Add(0, "Jazz at the Café", "An evening with friends")
//	found := words.NewBits(1)
//	x.Find("caf", found)
//	found.Has(0) // true
//
// A word is a run, as long as possible, of letters, digits and marks of a text
// folded by markup.Fold. So a query of such characters alone is in a folded text
// if and only if it is in one of its words, and Find is exact; Parts takes
// other queries apart. Documents are rows, small numbers that may be used
// again after Remove. The texts are not kept: who removes or replaces a
// document gives again what it was added with.
//
// # Concurrency
//
// Find, Check and Size change nothing and may run at the same time. Nothing
// else may run beside another call.
//
// # How it works
//
// The words stand in one text (vocabulary.go), which Find searches from end to
// end at some gigabytes per second. Every word has the list of its documents
// (postings.go): up to three beside the word, more in chunks of at most 256
// bytes (chunk.go), as distances of mostly a byte, or as bits where at least
// one in eight documents has the word. A document behind all others adds a byte
// to each list; any other change walks through one chunk.
//
// # Costs
//
// With a million documents of 90 words out of 20,000, the index takes 82 bytes a
// document. Adding one takes 8 µs, removing one or putting it back 25 µs, and
// Build 5 s with two processors. Memory that is no longer needed is used again,
// but not given back. A text without spaces, as in Chinese or Japanese, has
// words as long as its sentences, few of which come twice: then the index takes
// more memory than the texts, and Find reads as much as all of them.
package words

import (
	"iter"
	"slices"

	"almanac/markup"
)

// An Index is the words of documents. Make one with New.
type Index struct {
	vocabulary vocabulary
	postings   postings
	was, now   []uint32 // what Replace compares; kept to be used again
}

// New returns an index without documents.
func New() *Index { return &Index{vocabulary: newVocabulary()} }

// Add puts a document in, which must not be in it. It is quickest when the
// documents come in ascending order.
func (x *Index) Add(doc uint32, texts ...string) {
	// Looking up all words first lets the processor fetch the ends of many lists
	// at a time.
	x.now = x.now[:0]
	for word := range all(texts) {
		x.now = append(x.now, x.vocabulary.intern(word))
	}
	for _, slot := range x.now {
		x.postings.insert(slot, doc)
	}
}

// Remove takes a document out. The texts must be those it was added with.
func (x *Index) Remove(doc uint32, texts ...string) {
	for word := range all(texts) {
		if slot, found := x.vocabulary.find(word); found {
			x.remove(slot, doc)
		}
	}
	x.compact()
}

// Replace gives a document other texts than old, those it was added with. It
// touches only the words that stand in one of them alone.
func (x *Index) Replace(doc uint32, old, texts []string) {
	if slices.Equal(old, texts) {
		return
	}
	x.was, x.now = x.was[:0], x.now[:0]
	for word := range all(old) {
		if slot, found := x.vocabulary.find(word); found {
			x.was = append(x.was, slot)
		}
	}
	for word := range all(texts) {
		x.now = append(x.now, x.vocabulary.intern(word))
	}
	slices.Sort(x.was)
	slices.Sort(x.now)
	for slot := range without(x.now, x.was) {
		x.postings.insert(slot, doc)
	}
	for slot := range without(x.was, x.now) {
		x.remove(slot, doc)
	}
	x.compact()
}

// Find sets the bit of every document that has a word which contains part.
// Part must be folded and not empty, and be made of characters of words alone,
// as a part that Parts gives is. There must be room for all documents.
func (x *Index) Find(part string, into Bits) {
	for slot := range x.vocabulary.holding(part) {
		x.postings.mark(slot, into)
	}
}

// Size gives the number of different words, and the bytes of memory the index
// takes.
func (x *Index) Size() (words int, bytes int64) {
	return x.vocabulary.words, x.vocabulary.size() + x.postings.size() + int64(cap(x.was)+cap(x.now))*4
}

// all yields the words of texts, folded, in their order.
func all(texts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, text := range texts {
			for word, rest := cut(markup.Fold(text)); word != ""; word, rest = cut(rest) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// without yields the numbers of a that are not in b, once each; both ascend.
func without(a, b []uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, v := range a {
			for len(b) > 0 && b[0] < v {
				b = b[1:]
			}
			if (i == 0 || a[i-1] != v) && (len(b) == 0 || b[0] != v) && !yield(v) {
				return
			}
		}
	}
}

// remove takes a document out of a word's list, and the word out with its last.
func (x *Index) remove(slot, doc uint32) {
	if x.postings.remove(slot, doc) {
		x.vocabulary.drop(slot)
	}
}

// compact closes the holes that removed words left, if they are too many. It
// changes the numbers of slots.
func (x *Index) compact() {
	if left := x.vocabulary.compact(); left != nil {
		x.postings.keep(left)
	}
}
