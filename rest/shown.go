// Records on their way into an answer: found in a state of the store, rendered
// when its lock has been released.

package rest

import (
	"bytes"

	"almanac/store"
	"almanac/wire"
)

// A shown record is a kept piece, or what is needed to render one.
type shown struct {
	key    pieceKey
	piece  *piece
	record store.Record
	links  *wire.Links
	state  *store.State
}

// look prepares a record for an answer. The caller may see it.
func (r *request) look(v *store.View, record store.Record, single bool) shown {
	s := shown{key: pieceKey{record.Key(), r.site.number, record.Kind(), single}, record: record, state: v.State()}
	if r.kept != nil {
		s.piece = r.kept.piece(v, s.key, record)
	}
	if s.piece == nil {
		s.links = r.scratch.gather(v, record)
	}
	return s
}

// add appends a record to a body. What everybody sees alike is kept.
func (r *request) add(b *body, s shown) {
	from := len(b.text)
	if s.piece != nil {
		b.text = append(b.text, s.piece.json...)
	} else {
		b.text = r.render(b.text, s.links, s.record, s.key.single)
		s.piece = r.keepPiece(s, b.text[from:], "")
	}
	if s.piece != nil {
		b.items = append(b.items, bodyItem{from, len(b.text), s.piece, s.key})
	}
}

// keepPiece keeps the JSON of a record, if it may be kept.
func (r *request) keepPiece(s shown, json []byte, tag string) *piece {
	if r.kept == nil || s.key.site == 0 || !s.everybodys() {
		return nil
	}
	p := &piece{record: s.record, links: s.links.Clone(), json: bytes.Clone(json), tag: tag}
	p.state.Store(s.state)
	r.kept.pieces.Put(s.key, p, int64(len(p.json)+linksCost))
	return p
}

// everybodys reports whether all who may see the record see it alike.
func (s *shown) everybodys() bool {
	switch record := s.record.(type) {
	case *store.Event:
		return record.Password == "" && s.links.Public()
	case *store.Term:
		return !s.key.single // alone it says what the caller may do to it
	}
	return true
}

// render appends the JSON of a record.
func (r *request) render(b []byte, from wire.Source, record store.Record, single bool) []byte {
	show := r.renderer(from)
	show.LD = single
	return appendRecord(&show, b, record, single)
}

// renderOpen appends a record for a caller who may see inside, without the data
// for search engines.
func (r *request) renderOpen(b []byte, from wire.Source, record store.Record) []byte {
	show := r.renderer(from)
	show.Unlocked = func(*store.Event) bool { return true }
	return appendRecord(&show, b, record, isTerm(record))
}

// appendRecord appends a record of whatever kind.
func appendRecord(show *wire.Renderer, b []byte, record store.Record, single bool) []byte {
	switch record := record.(type) {
	case *store.Event:
		return show.AppendEvent(b, record)
	case *store.Venue:
		return show.AppendVenue(b, record)
	case *store.Organizer:
		return show.AppendOrganizer(b, record)
	case *store.Term:
		return show.AppendTerm(b, record, single)
	}
	return append(b, "null"...) // images have no routes
}
