// The linked records of a record, kept for rendering it later.

package render

import (
	"slices"

	"almanac/store"
)

// Links has the linked records that a record shows, gathered in one state of the store. It is the
// Source for rendering that record, and stays valid when the View is over. It also has the links
// to missing records. Only Gather and Add change it.
type Links struct{ links []link }

// A link is an answer of a Source: a record, or how many events carry a term.
type link struct {
	kind   store.Kind
	id     int64
	record store.Record // nil if there was none
	count  int          // noCount for a record
}

const noCount = -1

// Gather collects the linked records that a record shows: an event its parent, its series, its
// image, its venues and organizers with theirs, and its terms with their counts; a venue or an
// organizer its image; a term its count and the terms above it.
func Gather(from Source, record store.Record) *Links {
	l := &Links{}
	l.Add(from, record)
	return l
}

// Add gathers what one more record shows, for a rendering of several.
func (l *Links) Add(from Source, record store.Record) {
	switch record := record.(type) {
	case *store.Event:
		l.gatherEvent(from, record)
	case *store.Venue:
		l.gather(from, store.Images, record.Image)
	case *store.Organizer:
		l.gather(from, store.Images, record.Image)
	case *store.Term:
		l.gatherCount(from, record.Taxonomy, record.ID)
		last := record
		for up := range store.Above(record, from.Get) {
			l.links = append(l.links, link{up.Taxonomy, up.ID, up, noCount})
			last = up
		}
		l.gather(from, record.Taxonomy, last.Parent) // where the walk ended, it may go on another day
	}
}

func (l *Links) gatherEvent(from Source, e *store.Event) {
	l.links = slices.Grow(
		l.links,
		3+2*(len(e.Venues)+len(e.Organizers)+len(e.Categories)+len(e.Tags)),
	)
	l.gather(from, store.Events, e.Parent)
	if r := e.Recurrence; r != nil {
		l.gather(from, store.AllSeries, r.Series)
	}
	l.gather(from, store.Images, e.Image)
	for _, id := range e.Venues {
		if v, ok := l.gather(from, store.Venues, id).(*store.Venue); ok {
			l.gather(from, store.Images, v.Image)
		}
	}
	for _, id := range e.Organizers {
		if o, ok := l.gather(from, store.Organizers, id).(*store.Organizer); ok {
			l.gather(from, store.Images, o.Image)
		}
	}
	for _, id := range e.Categories {
		l.gather(from, store.Categories, id)
		l.gatherCount(from, store.Categories, id)
	}
	for _, id := range e.Tags {
		l.gather(from, store.Tags, id)
		l.gatherCount(from, store.Tags, id)
	}
}

// gather adds a record and returns it; 0 is no id.
func (l *Links) gather(from Source, k store.Kind, id int64) store.Record {
	if id == 0 {
		return nil
	}
	record := from.Get(k, id)
	l.links = append(l.links, link{k, id, record, noCount})
	return record
}

func (l *Links) gatherCount(from Source, k store.Kind, id int64) int {
	n := from.Count(k, id)
	l.links = append(l.links, link{kind: k, id: id, count: n})
	return n
}

// Get returns a record that was gathered, or nil. It searches the few records there are from the
// first to the last.
func (l *Links) Get(kind store.Kind, id int64) store.Record {
	for i := range l.links {
		if k := &l.links[i]; k.id == id && k.kind == kind && k.count == noCount {
			return k.record
		}
	}
	return nil
}

// Count returns a count that was gathered, or 0.
func (l *Links) Count(taxonomy store.Kind, id int64) int {
	for i := range l.links {
		if k := &l.links[i]; k.id == id && k.kind == taxonomy && k.count != noCount {
			return k.count
		}
	}
	return 0
}
