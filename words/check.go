// Verifying an index against the texts it was made from.

package words

import (
	"bytes"
	"fmt"
	"slices"
)

// Check returns an error if the index is not exactly that of the documents
// below docs. For each of these, texts gives its texts, or false if it is not
// in the index. Check builds another index, which takes time and memory.
func (x *Index) Check(texts func(doc uint32) ([]string, bool), docs int) error {
	want := New()
	for doc := range uint32(docs) {
		if t, ok := texts(doc); ok {
			want.Add(doc, t...)
		}
	}
	for slot := range uint32(want.vocabulary.words) {
		word := string(want.vocabulary.word(slot))
		there := want.postings.all(&want.postings.lists[slot], nil)
		found, ok := x.vocabulary.find(word)
		if !ok {
			return fmt.Errorf("words: %q of document %d is missing", word, there[0])
		}
		if err := x.checkList(word, &x.postings.lists[found], there); err != nil {
			return err
		}
	}
	return x.checkRest(want.vocabulary.words)
}

// checkList compares a word's list with the documents that have the word.
func (x *Index) checkList(word string, l *list, want []uint32) error {
	p := &x.postings
	got := p.all(l, nil)
	for i, doc := range want {
		if i == len(got) || got[i] > doc {
			return fmt.Errorf("words: document %d is missing from those of %q", doc, word)
		} else if got[i] < doc {
			return fmt.Errorf("words: document %d is left over in those of %q", got[i], word)
		}
	}
	if len(got) > len(want) {
		return fmt.Errorf("words: document %d is left over in those of %q", got[len(want)], word)
	}
	if int(l.n) != len(got) {
		return fmt.Errorf("words: %q counts %d documents, not %d", word, l.n, len(got))
	}
	if l.n <= inline {
		return nil
	}
	if greatest := got[len(got)-1]; l.v[last] != greatest {
		return fmt.Errorf("words: the last document of %q is %d, not %d", word, l.v[last], greatest)
	}
	chunks := p.chunks(l)
	for i, c := range chunks {
		there := p.docs(c.block, nil)
		if len(there) == 0 || there[0] < c.from || i > 0 && c.from == 0 ||
			i+1 < len(chunks) && there[len(there)-1] >= chunks[i+1].from {
			return fmt.Errorf("words: chunk %d of %q, from document %d, holds %d", i, word, c.from, there)
		}
	}
	if end := chunks[len(chunks)-1].block; block(l.v[tail]) != end {
		return fmt.Errorf("words: the last chunk of %q is %d, not %d", word, l.v[tail], end)
	}
	return nil
}

// checkRest verifies that there is nothing beside the lists of so many words.
func (x *Index) checkRest(words int) error {
	v, p := &x.vocabulary, &x.postings
	live, holes, blocks, dirs := 0, 0, 0, 0
	for slot := range uint32(len(v.starts)) {
		l, word := &p.lists[slot], v.word(slot)
		if l.n == 0 {
			holes += len(word) + 1
			if len(bytes.Trim(word, "\x00")) > 0 {
				return fmt.Errorf("words: %q has no documents", word)
			}
			continue
		}
		live++
		if found, ok := v.find(string(word)); !ok || found != slot {
			return fmt.Errorf("words: %q is not found", word)
		}
		if l.n > inline {
			blocks += len(p.chunks(l))
			dirs += min(1, int(l.v[dir]))
		}
	}
	got := []int{v.words, live, v.holes, p.inUse(), len(p.dirs) - len(p.freeDirs)}
	if want := []int{words, words, holes, blocks, dirs}; !slices.Equal(got, want) {
		return fmt.Errorf("words: %v words, words in the text, bytes of holes, blocks and directories, not %v", got, want)
	}
	return nil
}
