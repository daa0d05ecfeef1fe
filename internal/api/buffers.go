// Memory that requests use one after the other.

package api

import (
	"sync"

	"almanac/filters"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// Buffers hold a request and its answer while it is built. They are reused after the answer has been written.
type buffers struct {
	call        Call
	notModified respond.Response // a 304
	path        map[string]string
	pairs       []pair          // of a query
	made        []pair          // some of them
	query       []byte          // of the links of a list
	links       []byte          // the addresses of a list
	items       []item          // records of a list
	body        []byte          // the answer
	part        []byte          // a part of a longer document
	filter      filters.Events  // of a list of events
	gathered    []*render.Links // linked records that have to be rendered
	used        int             // how many of these
}

var bufferPool = sync.Pool{New: func() any { return &buffers{path: map[string]string{}} }}

// Buffers that have grown beyond these are not used again.
const (
	mostRecords = 256
	mostBytes   = 1 << 20
)

// gather returns the linked records that a record shows, in memory that is reused.
func (b *buffers) gather(v *store.View, record store.Record) *render.Links {
	if b.used == len(b.gathered) {
		b.gathered = append(b.gathered, new(render.Links))
	}
	links := b.gathered[b.used]
	b.used++
	links.Gather(v, record)
	return links
}

// release returns the buffers, without what they point to.
func (b *buffers) release() {
	b.call, b.notModified, b.filter = Call{}, respond.Response{}, filters.Events{}
	if cap(b.items) > mostRecords || cap(b.pairs) > mostRecords || cap(b.body) > mostBytes || cap(b.part) > mostBytes {
		return
	}
	b.pairs, b.made, b.items = emptied(b.pairs), emptied(b.made), emptied(b.items)
	clear(b.path)
	b.used = 0
	bufferPool.Put(b)
}

// emptied returns an empty slice with the memory of some, whose elements are zeroed.
func emptied[T any](some []T) []T {
	clear(some)
	return some[:0]
}
