// Package feed writes lists of events as documents that other programs read: calendars
// subscribe to iCalendar, feed readers to RSS, Atom and JSON Feed, spreadsheets open CSV.
//
// A document is written from its parts, so that the events of a long one need not be in
// memory together, and those that were written before can be used again:
//
//	b = format.Head(b, list)
//	b = format.Event(b, renderer, event) // for each, with format.Between between two
//	b = append(b, format.Tail...)
//
// The package decides nothing about rights: it writes the events that it is given, and
// of each what the renderer's functions say that the caller may see. No text of a record
// can end a value or begin another property, element or cell.
package feed

import (
	"time"

	"almanac/internal/wire/render"
	"almanac/store"
)

// A Format is a kind of document.
type Format struct {
	Extension string // of addresses and file names: ".ics"
	Media     string // value of the Content-Type header field
	Whole     bool   // a document has all found events, not a page
	Between   string // separator of events

	Head  func(b []byte, l *List) []byte
	Event func(b []byte, r *render.Renderer, e *store.Event) []byte
	Cells func(b []byte, l *List, inside *store.Event) []byte // end of an event, which is of this list; nil for none
	Tail  string
}

// A List has the properties of a list as a whole.
type List struct {
	Name     string    // of the calendar, as people know it
	Home     string    // address of the site
	Self     string    // address of this document
	ID       string    // the same by whatever host it is asked; "" is Self
	Next     string    // of the page behind it; "" for none
	Previous string    // of the page before it; "" for none
	Language string    // tag of the language of the texts that are ours
	Updated  time.Time // the last change of an event; zero for an empty list

	Fields []store.CustomField // columns of a table, by key and label
}
