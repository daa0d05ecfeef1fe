// Package textindex is a search index of many short texts. It answers which
// documents have a word that contains a text, wherever in the word it stands.
//
//	x := textindex.New()
//	x.Add(0, "Jazz at the Café", "An evening with friends")
//	found := bitmap.New[uint32](1)
//	x.Find("caf", found)
//	found.Has(0) // true
//
// A word is a run, as long as possible, of letters, digits and marks of a text
// folded by markup.Fold. So a query of such characters alone is in a folded text
// if and only if it is in one of its words, and Find is exact; Parts takes
// other queries apart. Documents are rows, small numbers that may be used
// again after Remove. The texts are not kept: who removes or replaces a
// document returns again what it was added with.
//
// # Concurrency
//
// Find, Check, Size and Fork change nothing and may run at the same time. Nothing
// else may run beside another call.
//
// # How it works
//
// The words stand in one text (vocabulary.go), which Find searches from end to
// end at some gigabytes per second (index_of.go). Every word has the list of its
// documents (postings.go): up to three beside the word, more in chunks of at
// most 256 bytes (chunk.go), as distances of mostly a byte, or as bits where at
// least one in eight documents has the word. A document behind all others adds a
// byte to each list; any other change walks through one chunk.
//
// All of that is a layer (layer.go). Most indexes are one. Fork makes an index
// that stands on the layers of another, which nobody changes from then on, and
// has one of its own on top: a document is in the layer that it was last changed
// in, and no more than a bit tells the layers below that it is not theirs any
// more.
//
// # Costs
//
// With a million documents of 90 words out of 20,000, the index takes 82 bytes a
// document. Adding one takes 8 µs, removing one or putting it back 25 µs, and
// Build 2.5 s with two processors. Memory that is no longer needed is used again,
// but not given back. A text without spaces, as in Chinese or Japanese, has
// words as long as its sentences, few of which come twice: then the index takes
// more memory than the texts, and Find reads as much as all of them.
package textindex

import (
	"math/bits"
	"slices"

	"almanac/store/bitmap"
)

// A Bitmap is documents, by their numbers.
type Bitmap = bitmap.Bitmap[uint32]

// An Index is the words of documents. Make one with New.
//
// Every document is in own, or shown of one of below.
type Index struct {
	own   *layer  // nil while there is nothing in it
	below []lower // in no order
}

// A lower layer is shared with other indexes, and never changes.
type lower struct {
	*layer
	shown Bitmap // the documents that are still in it for this index
	n     int    // how many these are
	mine  bool   // no other index has shown
}

// New returns an index without documents.
func New() *Index { return &Index{} }

// Fork returns an index of the same documents. It takes no longer than a few
// microseconds, but for what tidy says. Both may be forked again; but x must not
// be changed any more: who goes on with it goes on with a fork of it, too.
func (x *Index) Fork() *Index {
	f := &Index{below: make([]lower, 0, len(x.below)+1)}
	for _, l := range x.below {
		l.mine = false
		f.below = append(f.below, l)
	}
	if x.own != nil && x.own.docs > 0 {
		f.below = append(f.below, lower{layer: x.own, shown: x.own.in, n: x.own.docs})
	}
	f.tidy()
	return f
}

// most is how many layers of about one size there are at most.
const most = 16

// tidy makes one layer of those of about one size, when these have become many.
// So there are never more than a few dozen, of which most are tiny. A document
// is moved once for each time that the layer it is in grows sixteenfold: some
// microseconds each time, but now and then many documents at once.
func (x *Index) tidy() {
	var sizes [16]int
	for i := 0; i < len(x.below); i++ {
		size := x.below[i].magnitude()
		if sizes[size]++; sizes[size] < most {
			continue
		}
		sum := newLayer()
		x.below = slices.DeleteFunc(x.below, func(l lower) bool {
			if l.magnitude() != size {
				return false
			}
			return sum.join(l.layer, l.shown, func() bool { return false })
		})
		x.below = append(x.below, lower{layer: sum, shown: sum.in, n: sum.docs})
		sizes, i = [16]int{}, -1 // again from the start
	}
}

// magnitude returns about how many documents there are, as a small number.
func (l *lower) magnitude() int { return bits.Len(uint(l.n)) / 4 }

// Add puts a document in, which must not be in it. It is quickest when the
// documents come in ascending order.
func (x *Index) Add(doc uint32, texts ...string) {
	if x.own == nil {
		x.own = newLayer()
	}
	x.own.add(doc, texts)
}

// Remove takes a document out. The texts must be those it was added with.
func (x *Index) Remove(doc uint32, texts ...string) {
	if !x.hide(doc) {
		x.own.remove(doc, texts)
	}
}

// Replace returns a document other texts than old, those it was added with. It
// touches only the words that stand in one of them alone.
func (x *Index) Replace(doc uint32, old, texts []string) {
	switch {
	case slices.Equal(old, texts):
	case x.hide(doc):
		x.Add(doc, texts...)
	default:
		x.own.replace(doc, old, texts)
	}
}

// hide takes a document out of the layer below that it is in, and reports
// whether there is one.
func (x *Index) hide(doc uint32) bool {
	for i := range x.below {
		l := &x.below[i]
		if !l.shown.Has(doc) {
			continue
		}
		if !l.mine {
			l.shown, l.mine = slices.Clone(l.shown), true
		}
		l.shown.Clear(doc)
		if l.n--; l.n == 0 {
			x.below = slices.Delete(x.below, i, i+1)
		}
		return true
	}
	return false
}

// Find sets the bit of every document that has a word which contains part.
// Part must be folded and not empty, and be made of characters of words alone,
// as a part that Parts returns is. There must be room for all documents.
func (x *Index) Find(part string, into Bitmap) {
	if x.own != nil {
		x.own.find(part, into)
	}
	var found Bitmap
	for i := range x.below {
		l := &x.below[i]
		if l.n == l.docs {
			l.find(part, into)
			continue
		}
		if found == nil {
			found = make(Bitmap, len(into))
		}
		clear(found)
		l.find(part, found)
		found.And(l.shown)
		into.Or(found)
	}
}

// Size returns the number of different words, of each layer on its own, and the
// bytes of memory the index takes, with what it shares.
func (x *Index) Size() (words int, bytes int64) {
	for _, l := range x.layers() {
		n, size := l.size()
		words, bytes = words+n, bytes+size+int64(cap(l.in))*8
	}
	return words, bytes
}

// layers returns all layers.
func (x *Index) layers() []*layer {
	var all []*layer
	if x.own != nil {
		all = append(all, x.own)
	}
	for _, l := range x.below {
		all = append(all, l.layer)
	}
	return all
}
