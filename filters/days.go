// Calendars: the events of each of some days, and the nearest ones before and after.

package filters

import (
	"math"
	"slices"

	"almanac/store"
)

const day = 86_400 // seconds

// A Calendar is the days of a site.
type Calendar struct {
	// Times returns the start and the end of an event on the clock of the site, and the end of its
	// days, which is before the end where a night belongs to its first day.
	Times     func(*store.Event) (start, end, last store.Wall)
	Elsewhere bool // the clock of the site is not that of every event
	Sticky    bool // there are events that stand first on their day
}

// times returns the times of an event that the filter is about.
func (f *Events) times(e *store.Event) (start, end, last store.Wall) {
	if f.Calendar == nil {
		return e.Start, e.End, e.End
	}
	return f.Calendar.Times(e)
}

// isOfDay reports whether an event is of the wanted days, or of days behind them.
func (f *Events) isOfDay(e *store.Event) bool {
	start, _, last := f.times(e)
	return start >= *f.Day || last > *f.Day || f.Runs != nil && f.Runs(e)
}

// placeOf returns the day on which an event stands in a list, and its start. One that began before
// the wanted days stands on the first of them, but for what Runs alone makes one of them.
func (f *Events) placeOf(e *store.Event) (midnight, start store.Wall) {
	start, _, last := f.times(e)
	midnight = start - (start%day+day)%day
	if f.Day != nil && !f.Gone && last > *f.Day {
		midnight = max(midnight, *f.Day)
	}
	return midnight, start
}

// widened returns a range that has the local time of every event that the clock of a site has in
// the given one.
func widened(r store.Range) store.Range {
	const most = 2 * day // between the clocks of two zones, in every year
	return store.Range{
		Min: max(r.Min, math.MinInt64+most) - most,
		Max: min(r.Max, math.MaxInt64-most) + most,
	}
}

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

// Days finds the events of n days from a midnight: for each day the first ones in the order of the
// filter, up to most. Start.Max, End.Min and Day of the filter do not count there.
func (f *Events) Days(v *store.View, first store.Wall, n, most int) Days {
	d := Days{
		Total:  f.Find(v, 0, 0).Total,
		Before: f.Before(v, first),
		After:  f.From(v, first+store.Wall(n)*day),
	}
	for i := range n {
		found := f.touching(first+store.Wall(i)*day).Find(v, 0, most)
		d.Days = append(d.Days, Day{found.Events, found.Total})
	}
	return d
}

// touching returns the filter for the events that touch a day.
func (f *Events) touching(midnight store.Wall) *Events {
	on := *f
	on.Start = store.Range{Min: on.Start.Min, Max: midnight + day - 1}
	on.End = store.Range{Min: midnight, Max: on.End.Max}
	on.Day = &midnight
	return &on
}

// IsOngoing reports whether an event takes longer than a week, began up to a midnight and goes on
// behind it.
func (f *Events) IsOngoing(e *store.Event, midnight store.Wall) bool {
	start, end, _ := f.times(e)
	return e.TakesWeeks() && start <= midnight && end > midnight
}

// ongoingMost is how many ongoing events of a list are found apart.
const ongoingMost = 200

// Ongoing returns the first events of a list in order of start that are ongoing at a midnight and
// end by a moment; none if the list has to be finished.
func (f *Events) Ongoing(v *store.View, midnight, until store.Wall) []*store.Event {
	begun := *f
	begun.Start.Max = min(begun.Start.Max, midnight)
	if !f.FirstOfSeries { // or another event may be the first of a series
		begun.Lasting = true
		begun.End = store.Range{
			Min: max(begun.End.Min, midnight+1),
			Max: min(begun.End.Max, until),
		}
	}
	found := begun.Find(v, 0, ongoingMost)
	switch {
	case !found.Finished():
		return nil
	case begun.Lasting:
		return found.Events
	}
	return slices.DeleteFunc(found.Events, func(e *store.Event) bool {
		_, end, _ := f.times(e)
		return !f.IsOngoing(e, midnight) || end > until
	})
}

// FindUpcoming is Find for a list in order of start, without its Ongoing events, which it returns
// apart. Total counts them.
func (f *Events) FindUpcoming(
	v *store.View,
	midnight store.Wall,
	offset, limit int,
) (found *Found, ongoing []*store.Event) {
	f.lookUp(v)
	ongoing = f.Ongoing(v, midnight, f.End.Max)
	switch found = f.Find(v, offset+len(ongoing), limit); {
	case len(ongoing) == 0:
	case !found.Finished():
		return f.Find(v, offset, limit), nil
	case len(found.Events) > 0 && f.isBy(found.Events[0], midnight): // ongoing events may be on the page or behind it
		found = f.Find(v, 0, offset+limit+len(ongoing))
		others := slices.DeleteFunc(
			found.Events,
			func(e *store.Event) bool { return slices.Contains(ongoing, e) },
		)
		found.Events = page(others, offset, limit)
	}
	return found, ongoing
}

// isBy reports whether an event stands on a day, or before.
func (f *Events) isBy(e *store.Event, midnight store.Wall) bool {
	on, _ := f.placeOf(e)
	return on <= midnight
}

// Before returns the last event that starts before a moment, of all that meet the filter but its
// dates; nil for none, and of a search that has to read many texts.
func (f *Events) Before(v *store.View, moment store.Wall) *store.Event {
	return f.nearest(v, moment, true)
}

// From returns the first event that starts at a moment or later, as Before does.
func (f *Events) From(v *store.View, moment store.Wall) *store.Event {
	return f.nearest(v, moment, false)
}

// nearest looks at some days around a moment before it looks at all: there, events may have to be
// asked one by one, and to be put in order.
func (f *Events) nearest(v *store.View, moment store.Wall, last bool) *store.Event {
	midnight := moment - (moment%day+day)%day
	for _, days := range []store.Wall{32, 1024} {
		if !f.Search.Empty() || last && f.FirstOfSeries { // or others are the first of their series
			break
		}
		start := store.Range{Min: moment, Max: midnight + days*day - 1}
		if last {
			start = store.Range{Min: midnight - days*day, Max: moment - 1}
		}
		if e := f.first(v, start, last); e != nil {
			return e
		}
	}
	if last {
		return f.first(v, store.Range{Min: math.MinInt64, Max: moment - 1}, true)
	}
	return f.first(v, store.Range{Min: moment, Max: math.MaxInt64}, false)
}

// first returns the first event that starts in a range, or the last.
func (f *Events) first(v *store.View, start store.Range, last bool) *store.Event {
	all := *f
	all.Start = start
	all.End = store.Always()
	all.Day = nil
	all.OrderBy = "start_date"
	all.Desc = last
	if found := all.Find(v, 0, 1).Events; len(found) > 0 {
		return found[0]
	}
	return nil
}
