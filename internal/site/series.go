// Series in addresses of pages.

package site

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/store"
)

// eventOfDate returns the event that was made for a date of a series, by its slug, which ends in the
// date and in a number if it is not the first of that day, else the event that is on that date now. One in
// the trash comes back if everybody saw it there. An event whose series the caller may not read is an event
// of no series for him, and has no such address. Nil is none.
func (p *page) eventOfDate(v *store.View, series, date, number string) *store.Event {
	slug, n := series+"-"+date, 1
	if number = strings.TrimLeft(number, "0"); number != "" && number != "1" {
		slug += "-" + number
		n, _ = strconv.Atoi(number)
	}
	record, _ := p.called(v, store.Events, slug, func(record store.Record) bool {
		e := record.(*store.Event)
		return p.mayFind(e) && e.Recurrence != nil && p.MayReadSeries(v.Series(e.Recurrence.Series))
	})
	if e, ok := record.(*store.Event); ok {
		return e
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}
	if e := p.eventOn(v, series, store.WallOf(day), n); e != nil {
		return e
	}
	return withdrawn(v, slug)
}

// eventOn returns an event of a day that the caller finds, by its number on that day, of the series with a slug, or nil.
func (p *page) eventOn(v *store.View, slug string, day store.Wall, number int) *store.Event {
	f := filters.AllEvents()
	f.Viewer, f.Start = access.ViewerOf(p.Caller), store.Range{Min: day, Max: day + 86_399}
	for _, s := range p.seriesNamed(v, slug) {
		for _, e := range v.Instances(s.ID) {
			if f.Match(v, e) {
				if number--; number == 0 {
					return e
				}
			}
		}
	}
	return nil
}

// seriesNamed returns the series with a slug that the caller may read: both parts of a series that was split
// have it.
func (p *page) seriesNamed(v *store.View, slug string) []*store.Series {
	return slices.DeleteFunc(v.SeriesNamed(slug), func(s *store.Series) bool { return !p.MayReadSeries(s) })
}
