// Records that are too long to be in memory: they are measured first, and made again
// part by part while they are sent.

package rest

import (
	"iter"

	"almanac/internal/respond"
)

// heldParts is what counts for the parts of one answer that has long ones, twice.
const heldParts = 256 << 10

// dropBody forgets a body that must not be in memory.
func (r *request) dropBody() {
	r.buffers.body = nil
	r.held.End()
}

// measure returns how long the JSON of a record in a list is, and remembers that, or
// the JSON itself when it is short.
func (r *request) measure(it *item) int64 {
	if it.unmeasured() { // others may have waited for the same
		if e := r.cache.Get(it.key); e != nil && e.Record == it.record && e.Fresh(it.version) {
			it.take(e)
		}
	}
	if !it.unmeasured() {
		return it.size
	}
	n, size := 0, 0
	for part := range r.parts(r.rendering(it.links, it.record, false)) {
		n, size = n+1, size+len(part)
		if r.http.Context().Err() != nil {
			it.size = int64(size)
			return it.size // nobody waits for the answer
		}
	}
	json := r.buffers.part
	if n > 1 {
		json = nil
	}
	r.keep(it, json, size)
	return it.size
}

// measured runs what measures long records, which few do at a time: those who come
// for the same find it known when it is their turn.
func (r *request) measured(f func()) error { return r.measures.Do(r.http.Context(), r.rateKey(), f) }

// sendable makes sure that there is room in memory for the parts of a record, and
// refuses the request when too many others are sent: a client may take them slowly.
func (r *request) sendable(it *item) error {
	if it.piece == nil && it.size > respond.PartSize && !r.hold(heldParts) {
		return errBusy
	}
	return nil
}

// partsOf makes the JSON of a record part by part.
func (r *request) partsOf(it *item) iter.Seq[[]byte] {
	if it.piece != nil {
		return respond.Part(it.piece.Text)
	}
	return r.parts(r.rendering(it.links, it.record, false))
}

// longRecord answers with a record that must not be in memory. size is that of
// its JSON; 0 is not known.
func (r *request) longRecord(status int, v *rendering, size int64) *respond.Response {
	l := &respond.Long{Parts: r.parts(v), Size: size}
	if size == 0 {
		for part := range l.Parts {
			l.Size += int64(len(part))
		}
	}
	return &respond.Response{Status: status, Long: l}
}
