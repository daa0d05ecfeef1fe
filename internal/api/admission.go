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

// DoDocument is Do for a document. It admits the document before anything is found for it, and gives it a turn until its
// answer is made; the parts of the answer take turns of their own.
func (l *List) DoDocument(look, find func(*store.View, params.Values) error, make func() (*respond.Response, error)) (
	*respond.Response, error) {
	nothing := func(*store.View, params.Values) error { return nil }
	answer, err := l.Do(look, nothing, func() (*respond.Response, error) { return nil, nil })
	if err != nil || answer != nil {
		return answer, err
	}
	l.working.End() // waiting takes no place among the requests that are worked on
	if err := l.grow(documentBytes); err != nil {
		return nil, err
	}
	if err := l.turn.Grow(l.HTTP.Context(), 1); err != nil {
		return nil, err
	}
	defer l.turn.End()
	return l.Do(look, find, make) // others may have waited for the same
}

// takeTurn waits for a turn to make a part of a document, which turn.End ends. Few requests have one at a time,
// and no request has one while it waits for its client. If it gets none the client sees that the end is missing.
func (r *reservations) takeTurn() {
	if r.turn.Grow(r.ctx, 1) != nil {
		panic(http.ErrAbortHandler)
	}
}

// grow counts more bytes of a document, up to the share: a single document is never too large.
func (r *reservations) grow(more int) error {
	return r.space.Grow(r.ctx, min(r.space.Size()+int64(more), r.space.Share()))
}

// Document makes the answer that is a document. One that is asked for again is remembered, if it is short.
func (l *List) Document(answer respond.Response, parts iter.Seq[[]byte], short bool) *respond.Response {
	answer.Status, answer.Tag, answer.Keys = http.StatusOK, l.Tag, EveryKind
	known := answer
	answer.Long = &respond.Long{Parts: parts, Take: l.takeTurn, Give: l.turn.End}
	if l.IsPlain() && l.Tag != "" && short {
		answer.Long.Parts = func(yield func([]byte) bool) { l.note(&known, parts, yield) }
	}
	return &answer
}

// note yields the parts of a document. When all were sent it remembers the tag, or all of it if the tag was
// remembered before. Answer is all but the text.
func (l *List) note(answer *respond.Response, parts iter.Seq[[]byte], yield func([]byte) bool) {
	old, next := l.Cache.Get(l.list), &respcache.Entry{Tag: l.Tag}
	again := old != nil && old.Tag == l.Tag && old.Size <= documentMost
	var text []byte
	keep := func(bytes int) {
		next.Parts++
		part := &respcache.Entry{Tag: l.Tag, Fragment: respond.Fragment{Text: slices.Clone(text[:bytes])}}
		if l.Asked.AcceptsGzip() {
			part.Gzip()
		}
		l.Cache.Put(l.list.Part(next.Parts), part, l.version)
		text = append(text[:0], text[bytes:]...)
	}
	for part := range parts {
		if next.Size += int64(len(part)); again {
			before := cap(text)
			text = append(text, part...)
			for again = l.grow(cap(text)-before) == nil; again && len(text) >= rememberedPart; { // else it is too much for this client
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
	l.Cache.Put(l.list, next, l.version)
}

// resend returns a document that is remembered, if all of it is there in the form that is asked for, and
// there is room for it.
func (r remembering) resend(e *respcache.Entry) *respond.Response {
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
func (r remembering) share(e *respcache.Entry) bool {
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
