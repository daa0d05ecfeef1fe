// Layers: what an index, or a part of one, is made of.

package textindex

import (
	"iter"
	"slices"

	"almanac/internal/markup"
)

// A layer is the words of some documents.
type layer struct {
	vocabulary vocabulary
	postings   postings
	in         Bitmap   // the documents
	docs       int      // how many these are
	was, now   []uint32 // what replace compares; kept to be used again
}

func newLayer() *layer {
	return &layer{vocabulary: newVocabulary(), postings: postings{lists: make([]list, 0, typical)}}
}

// enter counts a document that was not in.
func (l *layer) enter(doc uint32) {
	l.in = l.in.Grow(int(doc) + 1)
	l.in.Set(doc)
	l.docs++
}

// add puts a document in that is not.
func (l *layer) add(doc uint32, texts []string) {
	l.enter(doc)
	// Looking up all words first lets the processor fetch the ends of many lists
	// at a time.
	l.now = l.now[:0]
	for word := range all(texts) {
		l.now = append(l.now, l.vocabulary.intern(word))
	}
	for _, slot := range l.now {
		l.postings.insert(slot, doc)
	}
}

// remove takes a document out that is in.
func (l *layer) remove(doc uint32, texts []string) {
	l.in.Clear(doc)
	l.docs--
	for word := range all(texts) {
		if slot, found := l.vocabulary.find(word); found {
			l.take(slot, doc)
		}
	}
	l.compact()
}

// replace returns a document other texts.
func (l *layer) replace(doc uint32, old, texts []string) {
	l.was, l.now = l.was[:0], l.now[:0]
	for word := range all(old) {
		if slot, found := l.vocabulary.find(word); found {
			l.was = append(l.was, slot)
		}
	}
	for word := range all(texts) {
		l.now = append(l.now, l.vocabulary.intern(word))
	}
	slices.Sort(l.was)
	slices.Sort(l.now)
	for slot := range without(l.now, l.was) {
		l.postings.insert(slot, doc)
	}
	for slot := range without(l.was, l.now) {
		l.take(slot, doc)
	}
	l.compact()
}

// find sets the bits of the documents that have a word which contains part.
func (l *layer) find(part string, into Bitmap) {
	for slot := range l.vocabulary.holding(part) {
		l.postings.mark(slot, into)
	}
}

// size returns the number of words and the bytes of memory.
func (l *layer) size() (words int, bytes int64) {
	return l.vocabulary.words, l.vocabulary.size() + l.postings.size() + int64(cap(l.was)+cap(l.now))*4
}

// all yields the words of texts, folded, in their order.
func all(texts []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		a := asciiTexts.Get().(*asciiText)
		defer asciiTexts.Put(a)
		for _, text := range texts {
			if a.read(text) {
				folded := string(a.folded)
				for edges := a.edges; len(edges) > 1; edges = edges[2:] {
					if !yield(folded[edges[0]:edges[1]]) {
						return
					}
				}
				continue
			}
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

// take takes a document out of a word's list, and the word out with its last.
func (l *layer) take(slot, doc uint32) {
	if l.postings.remove(slot, doc) {
		l.vocabulary.drop(slot)
	}
}

// compact closes the holes that removed words left, if they are too many. It
// changes the numbers of slots.
func (l *layer) compact() {
	if left := l.vocabulary.compact(); left != nil {
		l.postings.keep(left)
	}
}
