// Calendars: the events of each of some days, and the nearest ones before and after.

package filters

import (
	"math"
	"slices"

	"almanac/store"
)

const day = 86_400 // seconds

// A Day is the first events that touch a day, and the total.
type Day struct {
	Events []*store.Event
	Total  int
}

// Days is the events of some days of a calendar.
type Days struct {
	Days          []Day        // a wide search leaves them empty, and Total counts the texts
	Total         int          // of the filter itself
	Before, After *store.Event // the events that Before and From find around them
}

// Days finds the events of n days from a midnight: for each day the first ones in the order of the filter, up
// to most. Start.Max, End.Min and Day of the filter do not count there.
func (f *Events) Days(v *store.View, first store.Wall, n, most int) Days {
	d := Days{Total: f.Find(v, 0, 0).Total, Before: f.Before(v, first), After: f.From(v, first+store.Wall(n)*day)}
	for i := range n {
		found := f.touching(first+store.Wall(i)*day).Find(v, 0, most)
		d.Days = append(d.Days, Day{found.Events, found.Total})
	}
	return d
}

// touching returns the filter for the events that touch a day.
func (f *Events) touching(midnight store.Wall) *Events {
	on := *f
	on.Start, on.End = store.Range{Min: on.Start.Min, Max: midnight + day - 1}, store.Range{Min: midnight, Max: on.End.Max}
	on.Day = &midnight
	return &on
}

// IsOngoing reports whether an event takes longer than a week, began up to a midnight and goes on behind it.
func IsOngoing(e *store.Event, midnight store.Wall) bool {
	return e.TakesWeeks() && e.Start <= midnight && e.End > midnight
}

// ongoingMost is how many ongoing events of a list are found apart.
const ongoingMost = 200

// Ongoing returns the first events of a list in order of start that are ongoing at a midnight and end by a moment; none if
// the list has to be finished.
func (f *Events) Ongoing(v *store.View, midnight, until store.Wall) []*store.Event {
	begun := *f
	begun.Start.Max = min(begun.Start.Max, midnight)
	if !f.FirstOfSeries { // or another event may be the first of a series
		begun.Lasting, begun.End = true, store.Range{Min: max(begun.End.Min, midnight+1), Max: min(begun.End.Max, until)}
	}
	found := begun.Find(v, 0, ongoingMost)
	switch {
	case !found.Finished():
		return nil
	case begun.Lasting:
		return found.Events
	}
	return slices.DeleteFunc(found.Events, func(e *store.Event) bool { return !IsOngoing(e, midnight) || e.End > until })
}

// FindUpcoming is Find for a list in order of start, without its Ongoing events, which it returns apart. Total counts them.
func (f *Events) FindUpcoming(v *store.View, midnight store.Wall, offset, limit int) (found *Found, ongoing []*store.Event) {
	ongoing = f.Ongoing(v, midnight, f.End.Max)
	switch found = f.Find(v, offset+len(ongoing), limit); {
	case len(ongoing) == 0:
	case !found.Finished():
		return f.Find(v, offset, limit), nil
	case len(found.Events) > 0 && found.Events[0].Start <= midnight: // ongoing events may be on the page or behind it
		found = f.Find(v, 0, offset+limit+len(ongoing))
		others := slices.DeleteFunc(found.Events, func(e *store.Event) bool { return slices.Contains(ongoing, e) })
		found.Events = page(others, offset, limit)
	}
	return found, ongoing
}

// Before returns the last event that starts before a moment, of all that meet the filter but its
// dates; nil for none, and of a search that has to read many texts.
func (f *Events) Before(v *store.View, moment store.Wall) *store.Event {
	return f.nearest(v, store.Range{Min: math.MinInt64, Max: moment - 1}, true)
}

// From returns the first event that starts at a moment or later, as Before does.
func (f *Events) From(v *store.View, moment store.Wall) *store.Event {
	return f.nearest(v, store.Range{Min: moment, Max: math.MaxInt64}, false)
}

func (f *Events) nearest(v *store.View, start store.Range, last bool) *store.Event {
	all := *f
	all.Start, all.End, all.Day, all.OrderBy, all.Desc = start, store.Always(), nil, "start_date", last
	if found := all.Find(v, 0, 1).Events; len(found) > 0 {
		return found[0]
	}
	return nil
}
