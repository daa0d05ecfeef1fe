// Making the index of many documents at once.

package words

import (
	"runtime"
	"sync"
)

// perBuilder is the number of documents for which one more goroutine pays.
const perBuilder = 10_000

// Build returns the index of the documents below docs. Texts gives the texts of
// a document, none when it is not to be in the index; several goroutines call
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
	pieces := make([]*Index, min(runtime.GOMAXPROCS(0), docs/perBuilder+1))
	var done sync.WaitGroup
	for i := range pieces {
		done.Go(func() {
			x := New()
			for doc := docs * i / len(pieces); doc < docs*(i+1)/len(pieces) && !stopped(); doc++ {
				x.Add(uint32(doc), texts(uint32(doc))...)
			}
			pieces[i] = x
		})
	}
	done.Wait()
	x := pieces[0]
	for i, next := range pieces[1:] {
		if !x.join(next, stopped) {
			return nil
		}
		pieces[i+1] = nil
	}
	if stopped() {
		return nil
	}
	return x
}

// join puts in the documents of o, which come behind all of x. It reports
// whether it came to the end.
func (x *Index) join(o *Index, stopped func() bool) bool {
	var docs []uint32
	for from := range o.postings.lists {
		if stopped() {
			return false
		}
		slot := x.vocabulary.intern(string(o.vocabulary.word(uint32(from))))
		docs = o.postings.all(&o.postings.lists[from], docs[:0])
		for _, doc := range docs {
			x.postings.insert(slot, doc)
		}
	}
	return true
}
