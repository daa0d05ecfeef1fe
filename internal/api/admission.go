// Documents: answers of very many records, which are made part by part while they are sent, in turns, and
// count in a budget of memory until their client has them.

package api

import (
	"iter"
	"net/http"
	"slices"
	"sync"

	"almanac/internal/params"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

const (
	// DocumentChunk is how many records are taken from one state of the store. Later chunks show changes
	// that are made meanwhile.
	DocumentChunk = 128
	// documentBytes is the approximate memory of a document whose client is slow: the records of a chunk, a
	// part, and the same compressed. documentsBytes is for all documents.
	documentBytes  = 256 << 10
	documentsBytes = 48 << 20
	// documentMost is how many bytes a document may have that is remembered, and rememberedPart how many of
	// them are one value, which takes whole parts of an answer.
	documentMost   = documentsBytes / 2
	rememberedPart = 16 * respond.PartSize
)

// everybody is the key of results that are cached for all callers.
var everybody = rateKey{account: -1}

// documentsShare returns how much of documentsBytes one client may have, and what is remembered.
func documentsShare(key rateKey) int64 {
	if key == everybody {
		return documentMost
	}
	return documentsBytes / 8
}

// admitDocument admits a document, before anything is found for it. Look sets the tag of the list, and its
// answer if that is known. Find finds what the document begins with, in a turn, which lasts until turn.End.
func (r *Call) AdmitDocument(l *List, look, find func(v *store.View, values params.Values) error) error {
	if err := r.InView(look); err != nil || l.Answer != nil {
		return err
	}
	r.working.End() // waiting takes no place among the requests that are worked on
	if err := r.grow(documentBytes); err != nil {
		return err
	}
	if err := r.turn.Grow(r.HTTP.Context(), 1); err != nil {
		return err
	}
	return r.InView(func(v *store.View, values params.Values) error {
		if err := look(v, values); err != nil || l.Answer != nil { // others may have waited for the same
			return err
		}
		return find(v, values)
	})
}

// takeTurn waits for a turn to make a part of a document, which turn.End ends. Few requests have one at a time,
// and no request has one while it waits for its client. If it gets none the client sees that the end is missing.
func (r *Call) takeTurn() {
	if r.turn.Grow(r.HTTP.Context(), 1) != nil {
		panic(http.ErrAbortHandler)
	}
}

// EndTurn ends the turn to make a part of a document.
func (r *Call) EndTurn() { r.turn.End() }

// grow counts more bytes of a document, up to the share: a single document is never too large.
func (r *Call) grow(more int) error {
	return r.space.Grow(r.HTTP.Context(), min(r.space.Size()+int64(more), r.space.Share()))
}

// document makes the answer that is a document. One that is asked for again is remembered, if it is short.
func (r *Call) Document(answer respond.Response, l *List, parts iter.Seq[[]byte], short bool) *respond.Response {
	answer.Status, answer.Tag, answer.Keys = http.StatusOK, l.Tag, EveryKind
	known := answer
	answer.Long = &respond.Long{Parts: parts, Take: r.takeTurn, Give: r.turn.End}
	if r.IsPlain() && l.Tag != "" && short {
		answer.Long.Parts = func(yield func([]byte) bool) { r.note(&known, l, parts, yield) }
	}
	return &answer
}

// note yields the parts of a document. When all were sent it remembers the tag, or all of it if the tag was
// remembered before. Answer is all but the text.
func (r *Call) note(answer *respond.Response, l *List, parts iter.Seq[[]byte], yield func([]byte) bool) {
	old, next := r.Cache.Get(r.list), &respcache.Entry{Tag: l.Tag}
	again := old != nil && old.Tag == l.Tag && old.Size <= documentMost
	var text []byte
	keep := func(bytes int) {
		next.Parts++
		part := &respcache.Entry{Tag: l.Tag, Fragment: respond.Fragment{Text: slices.Clone(text[:bytes])}}
		if r.Asked.AcceptsGzip() {
			part.Gzip()
		}
		r.Cache.Put(r.list.Part(next.Parts), part, l.Version)
		text = append(text[:0], text[bytes:]...)
	}
	for part := range parts {
		if next.Size += int64(len(part)); again {
			before := cap(text)
			text = append(text, part...)
			for again = r.grow(cap(text)-before) == nil; again && len(text) >= rememberedPart; { // else it is too much for this client
				keep(rememberedPart)
			}
		}
		if !yield(part) {
			return
		}
	}
	if again {
		keep(len(text))
		next.Answer = answer
	}
	r.Cache.Put(r.list, next, l.Version)
}

// resend returns a document that is remembered, if all of it is there in the form that is asked for, and
// there is room for it.
func (r *Call) resend(e *respcache.Entry) *respond.Response {
	var pieces []*respond.Fragment
	for i := range e.Parts {
		part := r.Cache.Get(r.list.Part(i + 1))
		if part == nil || part.Tag != e.Tag || r.Asked.AcceptsGzip() && !part.IsCompressed() {
			return nil
		}
		pieces = append(pieces, &part.Fragment)
	}
	if r.grow(respond.PartSize) != nil || !r.share(e) {
		return nil
	}
	answer := *e.Answer
	answer.Long = respond.Again(pieces)
	return &answer
}

// A sending is the remembered documents that are being sent. Their texts may be remembered no longer, and
// count once, however many clients receive them.
type sending struct {
	mu sync.Mutex
	of map[*respcache.Entry]*sent
}

type sent struct {
	space   hold
	clients int
}

// share counts a remembered document until the request is answered. It reports whether there is room for it.
func (r *Call) share(e *respcache.Entry) bool {
	all := &r.sending
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.of[e]
	if s == nil {
		s = &sent{space: r.bounds.documents.Hold(everybody)}
		if s.space.Grow(r.HTTP.Context(), e.Size) != nil {
			return false
		}
		all.of[e] = s
	}
	s.clients++
	r.done = func() {
		all.mu.Lock()
		defer all.mu.Unlock()
		if s.clients--; s.clients == 0 {
			s.space.End()
			delete(all.of, e)
		}
	}
	return true
}
