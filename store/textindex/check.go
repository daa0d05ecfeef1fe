// Verifying an index against the texts it was made from.

package textindex

import (
	"bytes"
	"fmt"
	"slices"
)

// Check returns an error if the index is not exactly that of the documents
// below docs. For each of these, texts returns its texts, or false if it is not
// in the index. Check builds another index, which takes time and memory.
func (x *Index) Check(texts func(doc uint32) ([]string, bool), docs int) error {
	want := newLayer()
	for doc := range uint32(docs) {
		if t, ok := texts(doc); ok {
			want.add(doc, t)
		}
	}
	if err := x.checkDocuments(want.in); err != nil {
		return err
	}
	for _, l := range x.layers() {
		if err := l.check(); err != nil {
			return err
		}
	}
	for slot := range uint32(want.vocabulary.words) {
		word := string(want.vocabulary.word(slot))
		if err := compare(word, x.docsOf(word), want.postings.all(&want.postings.lists[slot], nil)); err != nil {
			return err
		}
	}
	for _, l := range x.layers() {
		for slot := range l.postings.lists {
			word := string(l.vocabulary.word(uint32(slot)))
			if _, ok := want.vocabulary.find(word); ok {
				continue
			}
			if docs := x.docsOf(word); len(docs) > 0 {
				return fmt.Errorf("textindex: document %d is left over in those of %q", docs[0], word)
			}
		}
	}
	return nil
}

// checkDocuments verifies that each document is in one layer.
func (x *Index) checkDocuments(want Bitmap) error {
	there := make(Bitmap, len(want))
	enter := func(docs Bitmap, n int) error {
		if docs.Len() != n {
			return fmt.Errorf("textindex: %d documents in a layer, counted as %d", docs.Len(), n)
		}
		for doc := range docs.All() {
			if !want.Has(doc) || there.Has(doc) {
				return fmt.Errorf("textindex: document %d is there twice, or should not be", doc)
			}
			there.Set(doc)
		}
		return nil
	}
	if x.own != nil {
		if err := enter(x.own.in, x.own.docs); err != nil {
			return err
		}
	}
	for _, l := range x.below {
		if err := enter(l.shown, l.n); err != nil {
			return err
		}
	}
	for doc := range want.All() {
		if !there.Has(doc) {
			return fmt.Errorf("textindex: document %d is in no layer", doc)
		}
	}
	return nil
}

// docsOf returns the documents of a word, ascending.
func (x *Index) docsOf(word string) (docs []uint32) {
	gather := func(l *layer, shown Bitmap) {
		if slot, ok := l.vocabulary.find(word); ok {
			some := l.postings.all(&l.postings.lists[slot], nil)
			docs = append(docs, slices.DeleteFunc(some, func(doc uint32) bool { return !shown.Has(doc) })...)
		}
	}
	if x.own != nil {
		gather(x.own, x.own.in)
	}
	for _, l := range x.below {
		gather(l.layer, l.shown)
	}
	slices.Sort(docs)
	return docs
}

// compare compares the documents of a word with those that have it.
func compare(word string, got, want []uint32) error {
	for i, doc := range want {
		if i == len(got) || got[i] > doc {
			return fmt.Errorf("textindex: document %d is missing from those of %q", doc, word)
		} else if got[i] < doc {
			return fmt.Errorf("textindex: document %d is left over in those of %q", got[i], word)
		}
	}
	if len(got) > len(want) {
		return fmt.Errorf("textindex: document %d is left over in those of %q", got[len(want)], word)
	}
	return nil
}

// check verifies that a layer is as its types say.
func (l *layer) check() error {
	v, p := &l.vocabulary, &l.postings
	live, holes, blocks, dirs := 0, 0, 0, 0
	for slot := range uint32(len(v.starts)) {
		list, word := &p.lists[slot], v.word(slot)
		if list.n == 0 {
			holes += len(word) + 1
			if len(bytes.Trim(word, "\x00")) > 0 {
				return fmt.Errorf("textindex: %q has no documents", word)
			}
			continue
		}
		live++
		if found, ok := v.find(string(word)); !ok || found != slot {
			return fmt.Errorf("textindex: %q is not found", word)
		}
		if err := l.checkList(string(word), list); err != nil {
			return err
		}
		if list.n > inline {
			blocks += len(p.chunks(list))
			dirs += min(1, int(list.v[dir]))
		}
	}
	got := []int{v.words, v.holes, p.inUse(), len(p.dirs) - len(p.freeDirs)}
	if want := []int{live, holes, blocks, dirs}; !slices.Equal(got, want) {
		return fmt.Errorf("textindex: %v words, bytes of holes, blocks and directories, not %v", got, want)
	}
	return nil
}

// checkList verifies the list of a word.
func (l *layer) checkList(word string, list *list) error {
	p := &l.postings
	docs := p.all(list, nil)
	if int(list.n) != len(docs) {
		return fmt.Errorf("textindex: %q counts %d documents, not %d", word, list.n, len(docs))
	}
	for _, doc := range docs {
		if !l.in.Has(doc) {
			return fmt.Errorf("textindex: document %d of %q is not in the layer", doc, word)
		}
	}
	if list.n <= inline {
		return nil
	}
	if greatest := docs[len(docs)-1]; list.v[last] != greatest {
		return fmt.Errorf("textindex: the last document of %q is %d, not %d", word, list.v[last], greatest)
	}
	chunks := p.chunks(list)
	for i, c := range chunks {
		there := p.docs(c.block, nil)
		if len(there) == 0 || there[0] < c.from || i > 0 && c.from == 0 ||
			i+1 < len(chunks) && there[len(there)-1] >= chunks[i+1].from {
			return fmt.Errorf("textindex: chunk %d of %q, from document %d, holds %d", i, word, c.from, there)
		}
	}
	if end := chunks[len(chunks)-1].block; block(list.v[tail]) != end {
		return fmt.Errorf("textindex: the last chunk of %q is %d, not %d", word, list.v[tail], end)
	}
	return nil
}
