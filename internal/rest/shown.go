// Records on their way into an answer: found in a state of the store, rendered
// when its lock has been released.

package rest

import (
	"bytes"

	"almanac/internal/render"
	"almanac/store"
)

// A shown record is a kept piece, or what is needed to render one.
type shown struct {
	key    pieceKey
	piece  *piece
	record store.Record
	links  *render.Links
	state  *store.State
	size   int64  // of its JSON; 0 is not known
	tag    string // of a record that is too long to be kept, if it is known
}

// look prepares a record for an answer. The caller may see it.
func (r *request) look(v *store.View, record store.Record, single bool) shown {
	s := shown{key: pieceKey{record.Key(), r.site.number, record.Kind(), single}, record: record, state: v.State()}
	if r.kept != nil {
		s.piece = r.kept.piece(v, s.key, record)
	}
	if s.piece != nil {
		s.know(s.piece)
	}
	if s.piece == nil {
		s.links = r.scratch.gather(v, record)
	}
	return s
}

// know takes what is kept of a record, which is current.
func (s *shown) know(p *piece) {
	if s.piece = p; p.json == nil {
		s.piece, s.size, s.tag = nil, p.size, p.tag
	}
}

// add appends a record to a body, and reports whether that may be in memory. What
// everybody sees alike is kept.
func (r *request) add(b *body, s *shown) bool {
	from := len(b.text)
	if s.size > heldMost {
		return false
	}
	if s.piece != nil {
		if b.text = append(b.text, s.piece.json...); !r.holds(len(b.text)) {
			return false
		}
	} else {
		var ok bool
		if b.text, ok = r.hold(b.text, r.rendering(s.links, s.record, s.key.single)); !ok {
			return false
		}
		s.piece = r.keepPiece(*s, b.text[from:], int64(len(b.text)-from), "")
	}
	if s.piece != nil {
		b.items = append(b.items, bodyItem{from, len(b.text), s.piece, s.key})
	}
	return true
}

// keepPiece keeps the JSON of a record, if it may be kept; of one that is too long
// json is nil, and how long it is is kept.
func (r *request) keepPiece(s shown, json []byte, size int64, tag string) *piece {
	if r.kept == nil || s.key.site == 0 || !s.everybodys() {
		return nil
	}
	p := &piece{record: s.record, links: s.links.Clone(), json: bytes.Clone(json), size: size, tag: tag}
	p.state.Store(s.state)
	r.kept.pieces.Put(s.key, p, int64(len(p.json)+pieceCost+p.links.Size()))
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

// A rendering is a record as it is to be shown to the caller.
type rendering struct {
	show   render.Renderer
	record store.Record
	links  bool // of a term
}

// rendering shows a record in a list, or as a read of it alone does.
func (r *request) rendering(from render.Source, record store.Record, single bool) *rendering {
	v := &rendering{r.renderer(from), record, single}
	v.show.LD = single
	return v
}

// openRendering shows a record to a caller who may see inside, without the data
// for search engines.
func (r *request) openRendering(from render.Source, record store.Record) *rendering {
	v := &rendering{r.renderer(from), record, isTerm(record)}
	v.show.Unlocked = func(*store.Event) bool { return true }
	return v
}

// append appends the JSON.
func (v *rendering) append(b []byte) []byte {
	switch record := v.record.(type) {
	case *store.Event:
		return v.show.AppendEvent(b, record)
	case *store.Venue:
		return v.show.AppendVenue(b, record)
	case *store.Organizer:
		return v.show.AppendOrganizer(b, record)
	case *store.Term:
		return v.show.AppendTerm(b, record, v.links)
	}
	return append(b, "null"...) // images have no routes
}
