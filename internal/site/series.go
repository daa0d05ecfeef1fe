// Series in addresses of pages.

package site

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/people/access"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// laterDates returns, for each event that stands for its series, how many dates follow it; 0 for
// another event.
func (p *page) laterDates(v *store.View, events []*store.Event) (counts []int) {
	for _, e := range events {
		later := 0
		if e.Recurrence != nil && p.MayReadSeries(v.Series(e.Recurrence.Series)) {
			f := filters.AllEvents()
			f.Viewer = access.ViewerOf(p.Caller)
			f.Statuses = []store.Status{store.Publish}
			f.Series = p.PartsOf(&v.Reader, []int64{e.Recurrence.Series})
			f.Start.Min = e.Start + 1
			later = f.Find(v, 0, 1).Total
		}
		counts = append(counts, later)
	}
	return counts
}

// dates returns the dates of a series after an event that stands for it, or nil.
func (p *page) dates(m *pages.Maker, e *store.Event, later int) *pages.Dates {
	s := m.Series(e)
	if later == 0 || s == nil {
		return nil
	}
	all := pages.Link{Text: p.texts().Count("site.more-dates", later), Href: p.allDates(s)}
	return &pages.Dates{Rule: p.rule(s), Then: p.then(m, s), All: all}
}

// allDates returns the address of the list of all dates of a series.
func (p *page) allDates(s *store.Series) template.URL {
	return template.URL(p.PageAt(address{Series: s.Event.Slug}.Path()))
}

// rule returns what a series repeats in words; "" for dates without a rule, which pages show as
// links.
func (p *page) rule(s *store.Series) string {
	if s.Rule == "" {
		return ""
	}
	return p.InWords(s)
}

// then returns how a series goes on after one of its dates, from where it has another rule: a link
// to the page of the first such date. Nil is a series that was not split there.
func (p *page) then(m *pages.Maker, s *store.Series) *pages.Link {
	later := m.Later(s)
	if later == nil {
		return nil
	}
	start := p.Begins(later).Time()
	date := p.Language.Locale().FullTime(start)
	if later.Event.AllDay {
		date = p.Language.Locale().Full(start)
	}
	text := p.text("site.next-event", "{date}", date)
	if rule := p.Rhythm(later); rule != "" {
		text = p.text("site.later-part", "{rule}", rule, "{date}", date)
	}
	first := address{Event: later.Event.Slug, Date: start.Format(time.DateOnly)}
	return &pages.Link{Text: text, Href: template.URL(p.PageAt(first.Path()))}
}

// eventOfDate returns the event that was made for a date of a series, by its slug, which ends in
// the date and in a number if it is not the first of that day, else the event that is on that date
// now. One in the trash comes back if everybody saw it there. An event whose series the caller may
// not read is an event of no series for him, and has no such address. Nil is none.
func (p *page) eventOfDate(v *store.View, series, date, number string) *store.Event {
	slug := series + "-" + date
	n := 1
	number = strings.TrimLeft(number, "0")
	if number != "" && number != "1" {
		slug += "-" + number
		n, _ = strconv.Atoi(number)
	}
	record, _ := p.called(v, store.Events, slug, func(record store.Record) bool {
		e := record.(*store.Event)
		return p.mayFind(e) && e.Recurrence != nil &&
			p.MayReadSeries(v.Series(e.Recurrence.Series))
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

// eventOn returns an event of a day that the caller finds, by its number on that day, of the
// series with a slug, or nil.
func (p *page) eventOn(v *store.View, slug string, day store.Wall, number int) *store.Event {
	f := filters.AllEvents()
	f.Viewer = access.ViewerOf(p.Caller)
	f.Start = store.Range{Min: day, Max: day + 86_399}
	for _, s := range p.SeriesNamed(&v.Reader, slug) {
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
