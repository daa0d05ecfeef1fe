// Memory that requests use one after the other.

package rest

import "sync"

// A scratch is what a request builds its answer in. It is used again when the
// answer has been written.
type scratch struct {
	pairs    []pair
	query    []byte     // of the links of a list
	links    []byte     // the addresses of a list
	envelope []byte     // what stands around the items of a list
	shown    []shown    // records of a list
	items    []bodyItem // of a list
	rendered []byte     // records that are not kept
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scratchMost is how many records a scratch may have had that is used again.
const scratchMost = 256

// release gives the scratch back, without what it points to.
func (s *scratch) release() {
	if cap(s.items) > scratchMost || cap(s.shown) > scratchMost || cap(s.pairs) > scratchMost {
		return
	}
	if s.rendered = s.rendered[:0]; cap(s.rendered) > bufferKept {
		s.rendered = nil
	}
	clear(s.pairs)
	clear(s.shown)
	clear(s.items)
	scratches.Put(s)
}
