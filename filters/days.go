// Calendars: what each of some days shows, and what comes before and behind them.

package filters

import (
	"math"

	"almanac/store"
)

const day = 86_400 // seconds

// Days is what some days of a calendar show.
type Days struct {
	Days          []store.Day  // of a search that has to read many texts they have no events, and Total counts what would be read
	Total         int          // of the filter itself
	Before, After *store.Event // what Before and From find around them
}

// Days finds the events of n days, the first of which begins at a midnight: of each day the
// first ones in the order of the filter, at most so many. Start.Max, End.Min and Day of the
// filter do not count there.
func (f *Events) Days(v *store.View, first store.Wall, n, most int) (d Days) {
	counted, told := false, false
	if f.Include == nil && f.Slug == "" && !f.Desc && f.compare() == nil && !f.FirstOfSeries {
		on := f.touching(first, n)
		on.Day = nil // what ends at the first midnight is found, and is on no day
		var q store.Query
		on.ask(v, &q)
		found := v.Find(&q)
		if d.Days = found.Days(first, n, most); d.Days != nil && on.Start == f.Start && on.End == f.End && f.Day == nil {
			d.Total, counted = found.Total, true
		}
		if !q.Unpublished && on.Start.Min == math.MinInt64 && on.End.Max == math.MaxInt64 {
			d.Before, d.After, told = found.Beside()
		}
	}
	if !told {
		d.Before, d.After = f.Before(v, first), f.From(v, first+store.Wall(n)*day)
	}
	if !counted {
		d.Total = f.Find(v, 0, 0).Total
	}
	for i := len(d.Days); i < n; i++ { // none was found together with others
		found := f.touching(first+store.Wall(i)*day, 1).Find(v, 0, most)
		d.Days = append(d.Days, store.Day{Events: found.Events, Total: found.Total})
	}
	return d
}

// touching returns the filter for what touches some days.
func (f *Events) touching(first store.Wall, n int) *Events {
	on := *f
	on.Start, on.End = store.Range{Min: on.Start.Min, Max: first + store.Wall(n)*day - 1}, store.Range{Min: first, Max: on.End.Max}
	on.Day = &first
	return &on
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
