// Pages of months and weeks.

package rest

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"almanac/filters"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// mostInCell is how many events of a day a month shows.
const mostInCell = 6

// servePageMonth answers with a month, or a week.
func servePageMonth(r *request) (*respond.Response, error) {
	var month *pages.Month
	var f pages.Frame
	var l list
	var cells []part
	err := r.view(func(v *store.View, values params.Values) error {
		filter, _, err := r.eventFilter(v, values)
		if err != nil {
			return err
		}
		l.tag = r.eventsTag(v, filter)
		if r.validated(&l, v) {
			return nil
		}
		view := r.page["eventDisplay"]
		m := r.maker(v)
		first, _ := parseDay(cmp.Or(r.page["day"], r.page["tribe-bar-date"], m.Now.Format(time.DateOnly))) // it was read before
		from, after := m.Locale.Week().Start(first), first.AddDate(0, 0, 7)
		if view == "week" {
			first, after = from, from.AddDate(0, 0, 7)
			month = &pages.Month{Heading: m.Locale.FullInterval(first, after.AddDate(0, 0, -1), true)}
		} else {
			first = first.AddDate(0, 0, 1-first.Day())
			from, after = m.Locale.Week().Start(first), first.AddDate(0, 1, 0)
			month = &pages.Month{Heading: m.Locale.Month(first)}
		}
		month.Weekdays = m.Weekdays()
		total := 0
		for t := from; t.Before(after) || len(cells)%7 > 0; t = t.AddDate(0, 0, 1) {
			if t.Before(first) || !t.Before(after) {
				cells = append(cells, r.part(v, "outside", t, nil, func(_ *pages.Maker, p *pages.Part) { p.Cell = &pages.Cell{Outside: true} }))
				continue
			}
			found := eventsOn(v, filter, t)
			total += found.Total
			cells = append(cells, r.part(v, "cell "+itoa(found.Total), t, found.Events, func(m *pages.Maker, p *pages.Part) {
				p.Cell = m.Cell(t, found.Events, found.Total)
			}))
		}
		if total == 0 {
			month.Empty = m.Words.Text("site.empty")
		}
		r.turnMonth(v, m, month, filter, first, after, view)
		f = r.listFrame(v, month.Heading, view)
		f.Hidden = f.Hidden || total == 0
		return nil
	})
	if err != nil || l.answer != nil {
		return l.answer, err
	}
	days, err := r.pageParts(cells)
	if err != nil {
		return nil, err
	}
	for week := range slices.Chunk(days, 7) {
		month.Weeks = append(month.Weeks, joined(week))
	}
	return r.pageResponse(f, month, l)
}

// eventsOn returns the first events that touch a day.
func eventsOn(v *store.View, f *filters.Events, day time.Time) *filters.Found {
	on := *f
	on.Start.Max, on.End.Min = store.WallOf(day)+86_399, store.WallOf(day)+1
	return on.Find(v, 0, mostInCell)
}

// turnMonth links to the months, or weeks, with events before and behind one: programs that
// follow links come to an end.
func (r *request) turnMonth(v *store.View, m *pages.Maker, month *pages.Month, f *filters.Events, first, after time.Time, view string) {
	path := r.site.Origin + r.base.Prefix + r.subject() + view + "/"
	link := func(e *store.Event) *pages.Link {
		t := e.Start.Time()
		switch {
		case m.DayPage(t) == "":
			return nil
		case view == "week":
			t = m.Locale.Week().Start(t)
			return &pages.Link{Text: m.Locale.MediumInterval(t, t.AddDate(0, 0, 6), true), Href: template.URL(path + t.Format(time.DateOnly) + "/")}
		}
		return &pages.Link{Text: m.Locale.Month(t), Href: template.URL(path + t.Format("2006-01") + "/")}
	}
	if e := eventBefore(v, f, first); e != nil {
		month.Earlier = link(e)
	}
	if e := eventFrom(v, f, after); e != nil {
		month.Later = link(e)
	}
}

// eventBefore returns the last event that begins before a day, and eventFrom the first that
// begins then or later, of all that a filter finds at other times too; nil for none.
func eventBefore(v *store.View, f *filters.Events, day time.Time) *store.Event {
	other := *f
	other.Start, other.End = store.Range{Min: store.Always().Min, Max: store.WallOf(day) - 1}, store.Always()
	if total := other.Find(v, 0, 1).Total; total > 0 {
		return other.Find(v, total-1, 1).Events[0]
	}
	return nil
}

func eventFrom(v *store.View, f *filters.Events, day time.Time) *store.Event {
	other := *f
	other.Start, other.End = store.Range{Min: store.WallOf(day), Max: store.Always().Max}, store.Always()
	if found := other.Find(v, 0, 1).Events; len(found) > 0 {
		return found[0]
	}
	return nil
}
