// Memory that requests use one after the other.

package rest

import (
	"sync"

	"almanac/internal/render"
	"almanac/store"
)

// A scratch is what a request builds its answer in. It is used again when the
// answer has been written.
type scratch struct {
	pairs    []pair          // of a query
	made     []pair          // some of them
	query    []byte          // of the links of a list
	links    []byte          // the addresses of a list
	shown    []shown         // records of a list
	body     body            // the answer
	part     []byte          // a part of one that is too long for that
	gathered []*render.Links // what records show of others that have to be rendered
	used     int             // how many of these
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Scratches that have grown beyond these are not used again.
const (
	scratchRecords = 256
	scratchBytes   = 1 << 20
)

// gather returns what a record shows of others, in memory that is used again.
func (s *scratch) gather(v *store.View, record store.Record) *render.Links {
	if s.used == len(s.gathered) {
		s.gathered = append(s.gathered, new(render.Links))
	}
	links := s.gathered[s.used]
	s.used++
	links.Gather(v, record)
	return links
}

// release returns the scratch back, without what it points to.
func (s *scratch) release() {
	if cap(s.shown) > scratchRecords || cap(s.pairs) > scratchRecords || cap(s.body.text) > scratchBytes || cap(s.part) > scratchBytes {
		return
	}
	clear(s.pairs)
	clear(s.made)
	clear(s.shown)
	clear(s.body.items)
	s.used = 0
	scratches.Put(s)
}
