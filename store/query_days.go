// Days: what was found, by the days that it touches.

package store

import "almanac/store/eventindex"

// A Day is the first events that touch a day, of so many in all.
type Day struct {
	Events []*Event
	Total  int
}

const secondsOfDay = 86_400

// daysMost is how many events are gone through for their days. More than daysFew of a partition
// of which nothing else is asked are counted without that.
const (
	daysMost = 20_000
	daysFew  = 1_000
)

// Days returns the first events of each of n days, at most so many, of all that start before the
// last of them ends, and end when the first begins, at a midnight, or later. It returns nil if each
// day alone is found sooner, or not all that was found meets the query.
func (f *Found) Days(first Wall, n, most int) []Day {
	if f.Unread || f.Repeats {
		return nil
	}
	for _, a := range f.answers[:f.parts] {
		if !a.open && a.rows.Len() > daysMost {
			return nil
		}
	}
	var days []Day
	for _, a := range f.answers[:f.parts] {
		some := a.days(int64(first), n, most)
		for i, on := range days { // of the other partition
			events := eventindex.Merge(on.Events, some[i].Events, ByStart)
			some[i] = Day{events[:min(most, len(events))], on.Total + some[i].Total}
		}
		days = some
	}
	if days == nil {
		days = make([]Day, n)
	}
	return days
}

// Beside returns the last event that starts before the window of starts of the query, and the first that
// starts behind it, of published ones that meet the rest of the query, whenever they end; nil for none.
// It reports whether the way on which the events were found tells that.
func (f *Found) Beside() (before, after *Event, ok bool) {
	if f.parts != 1 {
		return nil, nil, false
	}
	rows := f.answers[0].rows
	if all, isChain := rows.(eventindex.Chain); isChain {
		rows = all[len(all)-1]
	}
	span, ok := rows.(*eventindex.Span)
	if !ok {
		return nil, nil, false
	}
	if r, is := span.Before(); is {
		before = f.answers[0].part.events.At(r)
	}
	if r, is := span.After(); is {
		after = f.answers[0].part.events.At(r)
	}
	return before, after, true
}

// days returns the first events of each of n days, at most so many.
func (a *answer) days(first int64, n, most int) []Day {
	days, room := make([]Day, n), []*Event(nil)
	show := func(day *Day, r eventindex.Row) {
		if len(day.Events) == 0 {
			if len(room) < most {
				room = make([]*Event, 8*most) // for some days
			}
			day.Events, room = room[:0:most], room[most:]
		}
		day.Events = append(day.Events, a.part.events.At(r))
	}
	if a.open && a.rows.Len() > daysFew {
		a.part.timeline.Stretches(first, secondsOfDay, n, most, func(i int, rows []eventindex.Row, total int) {
			days[i].Total = total
			for _, r := range rows {
				show(&days[i], r)
			}
		})
		return days
	}
	for _, r := range a.rows.Append(make([]eventindex.Row, 0, a.rows.Len()), 0, a.rows.Len()) {
		start, end := a.part.timeline.Start(r), a.part.timeline.End(r)
		if end > start && end%secondsOfDay == 0 {
			end-- // it does not touch the day that begins then
		}
		if end < first {
			continue
		}
		for i := int(max(0, start-first) / secondsOfDay); i <= min(n-1, int((end-first)/secondsOfDay)); i++ {
			if days[i].Total < most {
				show(&days[i], r)
			}
			days[i].Total++
		}
	}
	return days
}
