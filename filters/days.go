// Calendars: the events of each of some days, and the nearest ones before and after.

package filters

import (
	"math"

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

// headMost is how many of the first events of a list are searched for ongoing ones.
const headMost = 200

// FindUpcoming is Find for a list in order of start, without the events that are ongoing at a midnight: it returns these
// apart. Total counts them. It finds no ongoing events if the list has to be finished.
func (f *Events) FindUpcoming(v *store.View, midnight store.Wall, offset, limit int) (found *Found, ongoing []*store.Event) {
	var rest []*store.Event // others that began up to the midnight
	begun := *f
	begun.Start.Max = min(begun.Start.Max, midnight)
	if head := begun.Find(v, 0, headMost); head.Finished() {
		for _, e := range head.Events {
			switch {
			case IsOngoing(e, midnight):
				ongoing = append(ongoing, e)
			case e.Start <= midnight:
				rest = append(rest, e)
			}
		}
	}
	from, to := min(offset, len(rest)), min(offset+limit, len(rest))
	found = f.Find(v, offset-from+len(rest)+len(ongoing), limit-(to-from))
	found.Events = append(rest[from:to:to], found.Events...)
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
