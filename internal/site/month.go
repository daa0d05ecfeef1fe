// Pages of months and weeks.

package site

import (
	"cmp"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// mostInCell is how many events of a day a month shows.
const mostInCell = 6

// servePageMonth answers with a month, or a week.
func servePageMonth(p *page) (*respond.Response, error) {
	month := new(pages.Month)
	var data graph
	var f pages.Frame
	l := api.List{Call: p.Call}
	var weeks []part
	show := func(v *store.View, _ params.Values) error {
		filter := l.Filter
		p.filter = filter
		view := p.display()
		m := p.maker(v)
		first, _ := parseDay(cmp.Or(p.Day, p.From, m.Now.Format(time.DateOnly))) // it was read before
		from, after := m.Locale.Week().Start(first), first.AddDate(0, 0, 7)
		if view == "week" {
			first, after = from, from.AddDate(0, 0, 7)
			month.Heading = m.Locale.MediumInterval(first, after.AddDate(0, 0, -1), true)
		} else {
			first = first.AddDate(0, 0, 1-first.Day())
			from, after = m.Locale.Week().Start(first), first.AddDate(0, 1, 0)
			month.Heading = m.Locale.Month(first)
		}
		month.Weekdays = m.Weekdays()
		found := filter.Days(v, store.WallOf(first), int(after.Sub(first)/(24*time.Hour)), mostInCell)
		days, total := found.Days, 0
		name := p.partName(view + first.Format(" "+time.DateOnly))
		weeks = nil
		for t := from; t.Before(after); t = t.Add(7 * 24 * time.Hour) {
			week := days[:min(len(days), 7-max(0, int(first.Sub(t)/(24*time.Hour))))]
			days = days[len(week):]
			for _, on := range week {
				total += on.Total
			}
			weeks = append(weeks, p.week(v, name, t, first, week))
		}
		p.turnMonth(m, month, found, view)
		said := searching{p}.said(v)
		f = p.listFrame(v, month.Heading, view)
		if name := p.heading(v, view, first); p.archive() != (Address{}) {
			f.Title = name + " · " + f.Title
		}
		p.narrow(v, &month.Outline, said, found.Total, Address{}.at(view, first))
		f.Description = description(f.Title, m.Words.Count("site.events", found.Total))
		if total == 0 {
			p.empty(v, &month.Outline, view, after, len(said) > 0)
			f.Hidden = f.Hidden || !p.isNow(first, after)
		}
		return nil
	}
	return l.Do(l.LookEvents, show, func() (_ *respond.Response, err error) {
		if month.Weeks, err = p.pageParts(weeks, &data); err != nil {
			return nil, err
		}
		f.Data = data
		return p.pageResponse(f, month, l.Tag)
	})
}

// week returns a week of a month that begins on a day, with the given days.
func (p *page) week(v *store.View, name string, t, first time.Time, days []filters.Day) part {
	events, totals := []*store.Event(nil), make([]int, 0, 7) // which events stand on which day is told by how many there are
	for _, on := range days {
		events, totals = append(events, on.Events...), append(totals, on.Total)
	}
	return p.part(v, name, totals, t, events, func(m *pages.Maker, out *pages.Part) (told []*store.Event) {
		for end := t.AddDate(0, 0, 7); t.Before(end); t = t.AddDate(0, 0, 1) {
			if t.Before(first) || len(days) == 0 {
				out.Cells = append(out.Cells, &pages.Cell{Outside: true})
				continue
			}
			out.Cells = append(out.Cells, m.Cell(t, days[0].Events, days[0].Total))
			for _, e := range days[0].Events {
				if e.Start >= store.WallOf(t) || t.Equal(first) { // each once
					told = append(told, e)
				}
			}
			days = days[1:]
		}
		return told
	})
}

// turnMonth links to the months, or weeks, with events before and behind one: programs that
// follow links come to an end.
func (p *page) turnMonth(m *pages.Maker, month *pages.Month, around filters.Days, view string) {
	link := func(e *store.Event) *pages.Link {
		if e == nil || !pages.HasDayPage(e.Start.Time()) {
			return nil
		}
		t := e.Start.Time()
		text := m.Locale.Month(t)
		if view == "week" {
			t = m.Locale.Week().Start(t)
			text = m.Locale.MediumInterval(t, t.AddDate(0, 0, 6), true)
		}
		return &pages.Link{Text: text, Href: p.link(p.archive().at(view, t))}
	}
	month.Earlier, month.Later = link(around.Before), link(around.After)
}
