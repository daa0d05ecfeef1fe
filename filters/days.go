// Calendars: what each of some days shows.

package filters

import "almanac/store"

const day = 86_400 // seconds

// Days finds the events of n days, the first of which begins at a midnight: of each day the
// first ones in the order of the filter, at most so many. Start.Max, End.Min and Day of the
// filter do not count there. Of a search that has to read many texts the days have no events,
// and Total counts what would be read. Beside them it returns the total of the filter itself.
func (f *Events) Days(v *store.View, first store.Wall, n, most int) (days []store.Day, total int) {
	total = -1
	if f.Include == nil && f.Slug == "" && !f.Desc && f.compare() == nil && !f.FirstOfSeries {
		on := f.touching(first, n)
		on.Day = nil // what ends at the first midnight is found, and is on no day
		var q store.Query
		on.ask(v, &q)
		found := v.Find(&q)
		if days = found.Days(first, n, most); days != nil && on.Start == f.Start && on.End == f.End && f.Day == nil {
			total = found.Total
		}
	}
	if total < 0 {
		total = f.Find(v, 0, 0).Total
	}
	for i := len(days); i < n; i++ { // none was found together with others
		found := f.touching(first+store.Wall(i)*day, 1).Find(v, 0, most)
		days = append(days, store.Day{Events: found.Events, Total: found.Total})
	}
	return days, total
}

// touching returns the filter for what touches some days.
func (f *Events) touching(first store.Wall, n int) *Events {
	on := *f
	on.Start, on.End = store.Range{Min: on.Start.Min, Max: first + store.Wall(n)*day - 1}, store.Range{Min: first, Max: on.End.Max}
	on.Day = &first
	return &on
}
