// The memory of documents: answers of very many records, which are made part by part while they
// are sent, in turns, and count in a budget of memory until their client has them.

package api

import (
	"iter"
	"net/http"
	"slices"

	"almanac/internal/admission"
	"almanac/internal/params"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

const (
	// DocumentChunk is how many records are taken from one state of the store. Later chunks show
	// changes that are made meanwhile.
	DocumentChunk = 128
	// documentBytes is the approximate memory of a document whose client is slow: the records of a
	// chunk, a part, and the same compressed.
	documentBytes = 256 << 10
	// rememberedPart is how many bytes of a remembered document are one value, which takes whole
	// parts of an answer.
	rememberedPart = 16 * respond.PartSize
)

// DoDocument is Do for a document. It admits the document before anything is found for it, and
// gives it a turn until its answer is made; the parts of the answer take turns of their own.
func (l *List) DoDocument(
	look, find func(*store.View, params.Values) error,
	make func() (*respond.Response, error),
) (
	*respond.Response, error) {
	nothing := func(*store.View, params.Values) error { return nil }
	answer, err := l.Do(look, nothing, func() (*respond.Response, error) { return nil, nil })
	if err != nil || answer != nil {
		return answer, err
	}
	l.reserved.EndWork() // waiting takes no place among the requests that are worked on
	if err := l.reserved.Document(documentBytes); err != nil {
		return nil, err
	}
	if err := l.reserved.Turn(); err != nil {
		return nil, err
	}
	defer l.reserved.EndTurn()
	return l.Do(look, find, make) // others may have waited for the same
}

// Document makes the answer that is a document. One that is asked for again is remembered, if it
// is short.
func (l *List) Document(
	answer respond.Response,
	parts iter.Seq[[]byte],
	short bool,
) *respond.Response {
	answer.Status = http.StatusOK
	answer.Tag = l.Tag
	answer.Keys = EveryKind
	known := answer
	answer.Long = &respond.Long{Parts: parts, Take: l.reserved.TakeTurn, Give: l.reserved.EndTurn}
	if l.IsPlain() && l.Tag != "" && short {
		answer.Long.Parts = func(yield func([]byte) bool) { l.note(&known, parts, yield) }
	}
	return &answer
}

// note yields the parts of a document. When all were sent it remembers the tag, or all of it if
// the tag was remembered before. Answer is all but the text.
func (l *List) note(answer *respond.Response, parts iter.Seq[[]byte], yield func([]byte) bool) {
	old := l.Cache.Get(l.list)
	next := &respcache.Entry{Tag: l.Tag}
	again := old != nil && old.Tag == l.Tag && old.Size <= admission.DocumentMost
	var text []byte
	keep := func(bytes int) {
		next.Parts++
		part := &respcache.Entry{
			Tag: l.Tag,
			Fragment: respond.Fragment{
				Text: slices.Clone(text[:bytes]),
			},
		}
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
			for again = l.reserved.Document(cap(text)-before) == nil; again && len(text) >= rememberedPart; { // else it is too much for this client
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

// resend returns a document that is remembered, if all of it is there in the form that is asked
// for, and there is room for it.
func (r remembering) resend(e *respcache.Entry) *respond.Response {
	var pieces []*respond.Fragment
	for i := range e.Parts {
		part := r.Cache.Get(r.list.Part(i + 1))
		if part == nil || part.Tag != e.Tag || r.Asked.AcceptsGzip() && !part.IsCompressed() {
			return nil
		}
		pieces = append(pieces, &part.Fragment)
	}
	if r.reserved.Document(respond.PartSize) != nil || !r.reserved.Share(e, e.Size) {
		return nil
	}
	answer := *e.Answer
	answer.Long = respond.Again(pieces)
	return &answer
}
