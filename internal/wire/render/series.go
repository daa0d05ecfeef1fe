// Series on the wire, and what their events show of them.

package render

import (
	"almanac/internal/text/markup"
	"almanac/store"
)

// A Series is a series with what it shows of its events.
type Series struct {
	*store.Series
	Text  string       // the rule in words
	Total int          // events that the caller finds
	Next  *store.Event // of these; nil for none

	Earlier, Later int64 // ids of the parts beside it that the caller may read; 0 for none
}

// A Wrote holds the ids of the events of a series that a write made, kept and put into
// the trash.
type Wrote struct{ Made, Kept, Removed []int64 }

// recurrence writes the place of an event in its series, if the caller may read that.
func (w *writer) recurrence(e *store.Event) {
	s := w.Series(e)
	if s == nil {
		return
	}
	w.number(`,"recurrence":{"series":`, s.ID)
	w.text(`,"rule":"`, s.Rule)
	w.date(`,"start":"`, e.Recurrence.Start.Time())
	w.flag(`,"changed":`, len(e.Recurrence.Changed) > 0)
	if w.Wrote != nil {
		w.numbers(`,"made":[`, w.Wrote.Made)
		w.numbers(`,"kept":[`, w.Wrote.Kept)
		w.numbers(`,"removed":[`, w.Wrote.Removed)
	}
	w.raw(`}`)
}

// series writes a series.
func (w *writer) series(s Series) {
	e := &s.Event
	w.number(`{"id":`, s.ID)
	w.text(`,"status":"`, string(e.Status))
	w.text(`,"title":"`, markup.Title(e.Title))
	w.text(`,"slug":"`, e.Slug)
	w.text(`,"rule":"`, s.Rule)
	w.text(`,"text":"`, s.Text)
	w.date(`,"start_date":"`, e.Start.Time())
	w.date(`,"end_date":"`, e.End.Time())
	w.flagIf(w.Unlocked(e), `,"all_day":`, e.AllDay)
	w.text(`,"timezone":"`, e.Timezone)
	w.walls(`,"exdates":[`, s.EXDates)
	w.walls(`,"rdates":[`, s.RDates)
	if s.Horizon != 0 {
		w.date(`,"horizon":"`, s.Horizon.Time())
	} else {
		w.raw(`,"horizon":null`)
	}
	w.number(`,"total":`, int64(s.Total))
	if s.Next != nil {
		w.number(`,"next":{"id":`, s.Next.ID)
		w.date(`,"start_date":"`, s.Next.Start.Time())
		w.raw(`}`)
	} else {
		w.raw(`,"next":null`)
	}
	w.part(`,"earlier":`, s.Earlier)
	w.part(`,"later":`, s.Later)
	w.address(`,"rest_url":"`, w.api, "/series/", s.ID)
	w.address(`,"events_url":"`, w.api, "/events/?series=", s.ID)
	w.raw(`}`)
}

// part writes the id of a part of a series, null for none.
func (w *writer) part(name string, id int64) {
	if id == 0 {
		w.raw(name + "null")
		return
	}
	w.number(name, id)
}

// numbers writes a list of whole numbers.
func (w *writer) numbers(name string, list []int64) {
	writeList(w, name, list, func(w *writer, n int64) { w.number("", n) })
}

// walls writes a list of dates.
func (w *writer) walls(name string, list []store.Wall) {
	writeList(w, name, list, func(w *writer, date store.Wall) { w.date(`"`, date.Time()) })
}
