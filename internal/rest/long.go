// Answers that are too long to be in memory as a whole: they are made in parts
// while they are sent, once to know how long they are and once for the client.

package rest

import (
	"iter"
	"net/http"
	"strconv"
)

// How much of answers may be in memory. An answer up to heldAlways bytes is made
// there, and one up to heldMost while all of them that are larger than heldAlways
// take no more than heldTogether. All else is sent in parts, each of which is of
// one record and of one text of it at most, or of partSize.
const (
	heldAlways   = 64 << 10
	heldMost     = 4 << 20
	heldTogether = 64 << 20
	partSize     = 64 << 10
	heldParts    = 256 << 10 // what counts for the parts of one answer that has long ones, twice
)

// A long is a body that is made in parts.
type long struct {
	size  int64            // of all parts
	parts iter.Seq[[]byte] // a part holds until the next one is asked for; each use makes them anew
}

// holds reports whether so many bytes of the answer may be in memory, and counts
// them until letGo.
func (r *request) holds(n int) bool {
	switch {
	case n <= max(heldAlways, r.held):
		return true
	case n > heldMost:
		return false
	}
	most := min(2*n, heldMost) // so that it is asked seldom
	for more := int64(most - r.held); ; {
		others := r.heldBytes.Load()
		if others+more > heldTogether {
			return false
		}
		if r.heldBytes.CompareAndSwap(others, others+more) {
			r.held = most
			return true
		}
	}
}

// letGo ends what holds began: nothing of the answer is in memory any more.
func (r *request) letGo() {
	r.heldBytes.Add(-int64(r.held))
	r.held = 0
}

// dropBody forgets a body that must not be in memory.
func (r *request) dropBody() {
	r.scratch.body = body{}
	r.letGo()
}

// hold appends a rendering to a body in memory. It reports whether that may be
// there; if not, the body is worth nothing.
func (r *request) hold(b []byte, v *rendering) ([]byte, bool) {
	v.show.Spill = func(b []byte) ([]byte, bool) { return b, r.holds(len(b)) }
	b = v.append(b)
	return b, r.holds(len(b))
}

// parts makes a rendering part by part.
func (r *request) parts(v *rendering) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		more := true
		v.show.Spill = func(b []byte) ([]byte, bool) {
			more = more && yield(b)
			return b[:0], more
		}
		rest := v.append(r.scratch.part[:0])
		r.scratch.part = rest
		if more {
			yield(rest)
		}
	}
}

// unmeasured reports whether it is not known how long the JSON of a record is.
func (s shown) unmeasured() bool { return s.piece == nil && s.size == 0 }

// measure returns how long the JSON of a record in a list is, and keeps that, or
// the JSON itself when it is short.
func (r *request) measure(s *shown) int64 {
	if s.unmeasured() && r.kept != nil { // others may have waited for the same
		if p := r.kept.pieces.Get(s.key); p != nil && p.record == s.record && p.state.Load() == s.state {
			s.know(p)
		}
	}
	switch {
	case s.piece != nil:
		return s.piece.size
	case !s.unmeasured():
		return s.size
	}
	n := 0
	for part := range r.parts(r.rendering(s.links, s.record, false)) {
		n, s.size = n+1, s.size+int64(len(part))
		if r.http.Context().Err() != nil {
			return s.size // nobody waits for the answer
		}
	}
	if n == 1 {
		s.piece = r.keepPiece(*s, r.scratch.part, s.size, "")
	} else {
		r.keepPiece(*s, nil, s.size, "")
	}
	return s.size
}

// measured runs what measures long records, which few do at a time: those who come
// for the same find it known when it is their turn.
func (r *request) measured(f func()) error { return r.measures.Do(r.http.Context(), f) }

// sendable makes sure that there is room in memory for the parts of a record, and
// refuses the request when too many others are sent: a client may take them slowly.
func (r *request) sendable(s *shown) error {
	if s.piece == nil && s.size > partSize && !r.holds(heldParts) {
		return errBusy
	}
	return nil
}

// partsOf makes the JSON of a record part by part.
func (r *request) partsOf(s *shown) iter.Seq[[]byte] {
	if s.piece != nil {
		return asPart(s.piece.json)
	}
	return r.parts(r.rendering(s.links, s.record, false))
}

// longRecord answers with a record that must not be in memory. size is that of
// its JSON; 0 is not known.
func (r *request) longRecord(status int, v *rendering, size int64) *response {
	l := &long{parts: r.parts(v), size: size}
	if size == 0 {
		for part := range l.parts {
			l.size += int64(len(part))
		}
	}
	return &response{status: status, long: l}
}

// asPart is a body of a single part.
func asPart(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(text) }
}

// whole puts the parts of a body together.
func whole(parts iter.Seq[[]byte]) (text []byte) {
	for part := range parts {
		text = append(text, part...)
	}
	return text
}

// gathered makes parts of about partSize of smaller ones; larger ones stay.
func gathered(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var pending []byte
		for part := range parts {
			if len(pending)+len(part) > partSize && len(pending) > 0 {
				if !yield(pending) {
					return
				}
				pending = pending[:0]
			}
			if len(part) < partSize {
				pending = append(pending, part...)
			} else if !yield(part) {
				return
			}
		}
		if len(pending) > 0 {
			yield(pending)
		}
	}
}

// zipped compresses a body part by part.
func zipped(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		z := gzipper{out: append(make([]byte, 0, partSize), gzipHeader...)}
		for part := range gathered(parts) {
			z.text(part)
			if !yield(z.out) {
				return
			}
			z.out = z.out[:0]
		}
		yield(z.end())
	}
}

// writeLong sends a body in parts. Only what has a tag already has one.
func (r *request) writeLong(w http.ResponseWriter, a *response) {
	h, status, contentType, tag := w.Header(), a.status, jsonType, a.tag
	parts := a.long.parts
	if r.dressed() {
		parts, contentType = r.dress(parts, a, h)
		if tag = ""; r.in.Sent("_envelope") {
			status = http.StatusOK
		}
	} else if h["Content-Length"] = []string{strconv.FormatInt(a.long.size, 10)}; status != http.StatusOK || !r.reads() {
		tag = ""
	}
	h["Content-Type"] = contentType
	if parts = gathered(parts); acceptsGzip(r.http.Header["Accept-Encoding"]) {
		h["Content-Encoding"] = gzipped
		delete(h, "Content-Length")
		tag = gzipTag(tag)
		parts = zipped(parts)
	}
	if tag != "" {
		h["Etag"] = []string{tag}
	}
	w.WriteHeader(status)
	if r.http.Method == http.MethodHead {
		return
	}
	for part := range parts {
		if _, err := w.Write(part); err != nil {
			return // a client that has gone needs no answer
		}
	}
}
