// Making the index of many documents at once.

package textindex

import (
	"runtime"
	"slices"
	"sync"
)

// perBatch is the number of documents that are sorted at a time: enough that
// most words come many times, few enough that they stay near the processor.
const perBatch = 4096

// Build returns the index of the documents below docs. Texts returns the texts of
// a document, nil when it is not to be in the index; several goroutines call
// it at the same time. All processors work on it. When stop, which may be nil,
// is closed before the end, it soon returns nil.
//
// Finding the list of every word in memory again and again would take most of
// the time. So some thousand documents at a time are sorted by word first, by
// several goroutines, and one puts them in, batch after batch.
func Build(docs int, texts func(doc uint32) []string, stop <-chan struct{}) *Index {
	batches := (docs + perBatch - 1) / perBatch
	made := make([]chan *batch, min(runtime.GOMAXPROCS(0), batches)) // batch i comes from i%len(made)
	var done sync.WaitGroup
	for i := range made {
		made[i] = make(chan *batch, 1)
		done.Go(func() {
			defer close(made[i])
			s := newSorter()
			for n := i; n < batches; n += len(made) {
				b := s.sort(n*perBatch, min((n+1)*perBatch, docs), texts, stop)
				if b == nil {
					return
				}
				made[i] <- b
			}
		})
	}
	l := newLayer()
	slots := make([][]uint32, len(made)) // by goroutine and its number of the word
	for n := range batches {
		from := n % len(made)
		b := <-made[from]
		if b == nil {
			l = nil
			break
		}
		slots[from] = l.enterBatch(b, slots[from])
	}
	for _, rest := range made {
		for range rest { // of those who were not told in time
		}
	}
	done.Wait()
	if l == nil {
		return nil
	}
	return &Index{own: l}
}

// enterBatch puts in the documents of a batch, which come behind all there are.
// Slots are those of the words that its goroutine has numbered so far; it returns
// those with the new ones.
func (l *layer) enterBatch(b *batch, slots []uint32) []uint32 {
	for _, doc := range b.in {
		l.enter(doc)
	}
	if b.anew {
		slots = slots[:0]
	}
	for _, word := range b.fresh {
		slots = append(slots, l.vocabulary.intern(word))
	}
	from := uint32(0)
	for i, number := range b.numbers {
		l.postings.insertRun(slots[number], b.docs[from:b.ends[i]])
		from = b.ends[i]
	}
	return slots
}

// join puts in some documents of another layer. It is quickest when they come
// behind all there are. It reports whether it came to the end.
func (l *layer) join(o *layer, some Bitmap, stopped func() bool) bool {
	for doc := range some.All() {
		l.enter(doc)
	}
	var docs []uint32
	for from := range o.postings.lists {
		if stopped() {
			return false
		}
		docs = slices.DeleteFunc(o.postings.all(&o.postings.lists[from], docs[:0]), func(doc uint32) bool { return !some.Has(doc) })
		if len(docs) == 0 {
			continue
		}
		slot := l.vocabulary.intern(string(o.vocabulary.word(uint32(from))))
		for _, doc := range docs {
			l.postings.insert(slot, doc)
		}
	}
	return true
}
