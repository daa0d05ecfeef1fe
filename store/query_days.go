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
	days := make([]Day, n)
	for part, a := range f.answers[:f.parts] {
		shown := make([]*Event, 0, min(n*most, 8*a.rows.Len())) // or more, if they last for long
		a.days(int64(first), n, most, func(i int, rows []eventindex.Row, total int) {
			from, day := len(shown), &days[i]
			for _, r := range rows {
				shown = append(shown, a.part.events.At(r))
			}
			events := shown[from:len(shown):len(shown)]
			if part > 0 {
				events = eventindex.Merge(day.Events, events, ByStart)
			}
			day.Events, day.Total = events[:min(most, len(events))], day.Total+total
		})
	}
	return days
}

// days calls yield with the first rows of each of n days, at most so many, and how many there are.
func (a *answer) days(first int64, n, most int, yield func(i int, rows []eventindex.Row, total int)) {
	if a.open && a.rows.Len() > daysFew {
		a.part.timeline.Stretches(first, secondsOfDay, n, most, yield)
		return
	}
	shown, totals := make([]eventindex.Row, n*most), make([]int, n)
	for _, r := range a.rows.Append(make([]eventindex.Row, 0, a.rows.Len()), 0, a.rows.Len()) {
		start, end := a.part.timeline.Start(r), a.part.timeline.End(r)
		if end > start && end%secondsOfDay == 0 {
			end-- // it does not touch the day that begins then
		}
		if end < first {
			continue
		}
		for i := int(max(0, start-first) / secondsOfDay); i <= min(n-1, int((end-first)/secondsOfDay)); i++ {
			if totals[i] < most {
				shown[i*most+totals[i]] = r
			}
			totals[i]++
		}
	}
	for i, total := range totals {
		yield(i, shown[i*most:][:min(most, total)], total)
	}
}
