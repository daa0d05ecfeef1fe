// The days of lists, and events that go on over many of them.

package site

import (
	"slices"
	"time"

	"almanac/internal/api"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// days returns the days of a list, with the first and the last of them.
func (p *page) days(
	v *store.View,
	l *api.List,
	events, ongoing []*store.Event,
	view string,
	from time.Time,
	below bool,
) (days []part,
	first, last time.Time) {
	alone := view == "day" || view == "tomorrow" // the heading of the page says the day
	m := p.maker(v)
	if l.Gone {
		from = time.Time{}
	}
	for day, on := range m.Days(events, p.ends(v, l, m, events), from) {
		listed := slices.DeleteFunc(
			slices.Clone(on),
			func(e *store.Event) bool { // of each event once
				start, _, _ := m.Times(e)
				return slices.Contains(ongoing, e) ||
					day.After(from) && start < store.WallOf(day) && slices.Contains(events, e)
			},
		)
		last = day
		if first.IsZero() {
			first = day
		}
		var later []int // dates of the series of each event
		if p.isOnce() {
			later = p.laterDates(v, on)
		}
		days = append(days, p.newPart(v, func(m *pages.Maker, out *pages.Part) []*store.Event {
			out.Day = m.Day(day, on)
			out.Below = below
			out.Alone = alone
			for i, n := range later {
				out.Day.Entries[i].Dates = p.dates(m, on[i], n)
			}
			return listed
		}))
	}
	if last.Before(first) { // of past events
		first, last = last, first
	}
	return days, first, last
}

// ends returns the events of an upcoming list that take weeks and end on its days, before those of
// the next page.
func (p *page) ends(
	v *store.View,
	l *api.List,
	m *pages.Maker,
	events []*store.Event,
) []*store.Event {
	if l.Upcoming == nil {
		return nil
	}
	dayOf := func(e *store.Event) store.Wall {
		start, _, _ := m.Times(e)
		return max(*l.Upcoming, store.WallOf(caltime.StartOfDay(start.Time())))
	}
	f := *l.Filter
	first := *l.Upcoming
	until := l.Filter.End.Max
	if l.Page > 1 {
		first = dayOf(events[0])
		f.End.Min = first
	}
	if l.Next != nil {
		until = dayOf(l.Next)
	}
	ends := f.Ongoing(v, first, until)
	for _, e := range events {
		_, end, _ := m.Times(e)
		if e.TakesWeeks() && end <= until && !slices.Contains(ends, e) {
			ends = append(ends, e)
		}
	}
	return ends
}

// onNow returns the block of ongoing events, whose headings are below that of a list or a page.
func (p *page) onNow(v *store.View, ongoing []*store.Event, below bool) part {
	return p.newPart(v, func(m *pages.Maker, out *pages.Part) []*store.Event {
		out.Day = m.OnNow(ongoing)
		out.Below = below
		return ongoing
	})
}
