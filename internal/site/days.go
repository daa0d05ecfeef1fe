// The days of lists, and events that go on over many of them.

package site

import (
	"fmt"
	"slices"
	"time"

	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/pages"
	"almanac/store"
)

// days returns the days of a list, with the first and the last of them.
func (p *page) days(v *store.View, l *api.List, events, ongoing []*store.Event, view string, from time.Time, below bool) (days []part,
	first, last time.Time) {
	name := p.partName(fmt.Sprint(view, " ", below, api.StoredSlug(p.Venue)))
	alone := view == "day" || view == "tomorrow" // the heading of the page says the day
	for day, on := range pages.Days(events, p.ends(v, l, events), from) {
		told := slices.DeleteFunc(slices.Clone(on), func(e *store.Event) bool { // of each event once
			return slices.Contains(ongoing, e) || day.After(from) && e.Start < store.WallOf(day) && slices.Contains(events, e)
		})
		if last = day; first.IsZero() {
			first = day
		}
		numbers := []int{int(on[0].ID), len(told)}
		if p.isOnce() {
			numbers = p.laterDates(v, numbers, on)
		}
		days = append(days, p.part(v, name, numbers, day, on,
			func(m *pages.Maker, out *pages.Part) []*store.Event {
				out.Day, out.Below, out.Alone = m.Day(day, on), below, alone
				for i, later := range numbers[2:] {
					out.Day.Entries[i].Dates = p.dates(m, on[i], later)
				}
				return told
			}))
	}
	if last.Before(first) { // of past events
		first, last = last, first
	}
	return days, first, last
}

// onNow returns the block of ongoing events, whose headings are below that of a list or a page.
func (p *page) onNow(v *store.View, ongoing []*store.Event, below bool) part {
	name := p.partName(fmt.Sprint("now ", below, api.StoredSlug(p.Venue)))
	return p.part(v, name, nil, time.Time{}, ongoing, func(m *pages.Maker, out *pages.Part) []*store.Event {
		out.Day, out.Below = m.OnNow(ongoing), below
		return ongoing
	})
}

// ends returns the events of an upcoming list that take weeks and end on its days, before those of the next page.
func (p *page) ends(v *store.View, l *api.List, events []*store.Event) []*store.Event {
	if l.Upcoming == nil {
		return nil
	}
	f, first, until := *l.Filter, *l.Upcoming, l.Filter.End.Max
	if l.Page > 1 {
		first = store.WallOf(caltime.StartOfDay(events[0].Start.Time()))
		f.End.Min = first
	}
	if l.Next != nil {
		until = store.WallOf(caltime.StartOfDay(l.Next.Start.Time()))
	}
	ends := f.Ongoing(v, first, until)
	for _, e := range events {
		if e.TakesWeeks() && e.End <= until && !slices.Contains(ends, e) {
			ends = append(ends, e)
		}
	}
	return ends
}
