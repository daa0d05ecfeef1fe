// Calendars: what each of some days shows.

package filters

import "almanac/store"

// A Day is the first events that touch a day, of so many in all.
type Day struct {
	Events []*store.Event
	Total  int
}

const day = 86_400 // seconds

// mostAtOnce is how many events of some days are gone through once, instead of finding
// those of each day, which costs the more the more events last for long.
const mostAtOnce = 20_000

// Days finds the events of n days, the first of which begins at a midnight: of each day the
// first ones in the order of the filter, at most so many. Start.Max, End.Min and Day of the
// filter do not count. Of a search that has to read many texts the days have no events, and
// Total counts what would be read.
func (f *Events) Days(v *store.View, first store.Wall, n, most int) []Day {
	days := make([]Day, n)
	on := f.touching(first, n)
	shown := make([]*store.Event, n*most)
	for i := range days {
		days[i].Events = shown[i*most:][:0:most]
	}
	place := func(start, end store.Wall, event func() *store.Event) {
		if end > start && end%day == 0 {
			end-- // it does not touch the day that begins then
		}
		for i := max(0, start-first) / day; i < store.Wall(n) && first+i*day <= end; i++ {
			if days[i].Total++; days[i].Total <= most {
				days[i].Events = append(days[i].Events, event())
			}
		}
	}
	var q store.Query
	if on.ask(v, &q); on.Include == nil && on.Slug == "" && !on.Desc && on.compare() == nil {
		if all := v.Find(&q); !all.Unread && !all.Repeats && all.Total <= mostAtOnce {
			all.Each(place)
			return days
		}
	}
	if found := on.Find(v, 0, mostAtOnce); found.Finished() && found.Total <= mostAtOnce {
		for _, e := range found.Events {
			place(e.Start, e.End, func() *store.Event { return e })
		}
		return days
	}
	for i := range days {
		found := f.touching(first+store.Wall(i)*day, 1).Find(v, 0, most)
		days[i] = Day{found.Events, found.Total}
	}
	return days
}

// touching returns the filter for what touches some days.
func (f *Events) touching(first store.Wall, n int) *Events {
	on := *f
	on.Start, on.End = store.Range{Min: on.Start.Min, Max: first + store.Wall(n)*day - 1}, store.Range{Min: first, Max: on.End.Max}
	on.Day = &first
	return &on
}
