// Making the index of many documents at once.

package words

import (
	"runtime"
	"slices"
	"sync"
)

// perBuilder is the number of documents for which one more goroutine pays.
const perBuilder = 10_000

// Build returns the index of the documents below docs. Texts gives the texts of
// a document, nil when it is not to be in the index; several goroutines call
// it at the same time. All processors work on it; meanwhile it takes up to twice
// the memory of the index. When stop, which may be nil, is closed before the
// end, it soon returns nil.
func Build(docs int, texts func(doc uint32) []string, stop <-chan struct{}) *Index {
	stopped := func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	pieces := make([]*layer, min(runtime.GOMAXPROCS(0), docs/perBuilder+1))
	var done sync.WaitGroup
	for i := range pieces {
		done.Go(func() {
			l := newLayer()
			for doc := docs * i / len(pieces); doc < docs*(i+1)/len(pieces) && !stopped(); doc++ {
				if t := texts(uint32(doc)); t != nil {
					l.add(uint32(doc), t)
				}
			}
			pieces[i] = l
		})
	}
	done.Wait()
	all := pieces[0]
	for i, next := range pieces[1:] {
		if !all.join(next, next.in, stopped) {
			return nil
		}
		pieces[i+1] = nil
	}
	if stopped() {
		return nil
	}
	return &Index{own: all}
}

// join puts in some documents of another layer. It is quickest when they come
// behind all there are. It reports whether it came to the end.
func (l *layer) join(o *layer, some Bits, stopped func() bool) bool {
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
