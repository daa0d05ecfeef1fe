// Package render has the form of records in answers: the members of each kind, their order, and
// the notation of texts, dates and addresses (section 2 of the specification leaves it open;
// existing clients know it).
//
// A Renderer shows records of one state of the store to one caller. It decides nothing about
// rights: it is told what the caller may see. It appends JSON to bytes of its user, one statement
// for each member, so the functions in event.go, series.go, linked.go, image.go, term.go and
// jsonld.go read like what they write.
//
// Linked records come from a Source: the store itself, or Links gathered there before, so that
// rendering can happen after the view of the store has ended.
package render

import (
	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// A Source returns the records that a record shows, nil for what there is not, and
// how many published events carry a term. A *store.Reader is one, and so is a
// *Links.
type Source interface {
	Get(kind store.Kind, id int64) store.Record
	Count(taxonomy store.Kind, id int64) int
}

// get returns a record of a source as a T, nil if there is none.
func get[T store.Record](from Source, kind store.Kind, id int64) T {
	record, _ := from.Get(kind, id).(T)
	return record
}

// A Renderer shows records to one caller at one base address. It may be used by
// several goroutines at once if its Source and its functions may.
type Renderer struct {
	Source   Source
	Origin   string // of the site: scheme and host, no slash at the end
	API      string // of the namespace, no slash at the end
	Identity string // host part of global ids; "" is that of Origin
	Site     *caltime.Zone
	DayEnds  store.Wall // seconds after midnight by which a night ends; 0: no event is a night
	Zones    *caltime.Zones
	Currency cldr.Currency // of a cost that carries none
	Locale   *cldr.Locale  // of readers, for Cost
	Free     string        // word of readers for no cost
	Slugs    Slugs         // of the site, in addresses of pages

	Readable func(*store.Post) bool    // whether a linked venue, organizer, parent or series is shown
	Unlocked func(*store.Event) bool   // whether a protected event is shown whole
	Methods  func(store.Kind) []string // methods that the caller may use on terms of a taxonomy

	Word        func(key string) string // texts of readers, for the states of events in documents; nil: without words
	PlainTitles bool                    // titles in documents do not begin with the state of their event

	Wrote *Wrote // effects of a write on the event's series; nil: not shown

	LD        bool // with data for search engines: on single reads
	TermLinks bool // with the links of a term: on single reads and writes
}

// Append appends an event, a series, a venue, an organizer, a term or an uploaded image as JSON:
// of a protected event that is not unlocked, the public parts; a term in the form of its own
// routes.
func (r *Renderer) Append(b []byte, record store.Record) []byte {
	w := r.writer(b)
	switch record := record.(type) {
	case *store.Event:
		w.event(record)
	case Series:
		w.series(record)
	case *store.Venue:
		w.venue(record)
	case *store.Organizer:
		w.organizer(record)
	case *store.Term:
		w.term(record)
	case *store.Image:
		w.media(record)
	}
	return w.b
}
