package cldr

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A Week is how a region divides time into weeks.
type Week struct {
	First                    time.Weekday
	WeekendStart, WeekendEnd time.Weekday // both included; they may be the same day
}

// weekNames are the days as CLDR calls them, by [time.Weekday].
var weekNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// weeks are the weeks by region. "001" is the world.
var weeks = sync.OnceValue(func() map[string]Week {
	var all struct {
		First, WeekendStart, WeekendEnd map[string]string // regions, by days
	}
	read("weeks.json", &all)
	found := map[string]Week{}
	each := func(regions map[string]string, set func(w *Week, day time.Weekday)) {
		for name, list := range regions {
			for _, region := range strings.Fields(list) {
				w, ok := found[region]
				if !ok {
					w = Week{-1, -1, -1}
				}
				set(&w, time.Weekday(slices.Index(weekNames, name)))
				found[region] = w
			}
		}
	}
	each(all.First, func(w *Week, day time.Weekday) { w.First = day })
	each(all.WeekendStart, func(w *Week, day time.Weekday) { w.WeekendStart = day })
	each(all.WeekendEnd, func(w *Week, day time.Weekday) { w.WeekendEnd = day })
	world := found["001"]
	for region, w := range found {
		for _, of := range []struct {
			day *time.Weekday
			or  time.Weekday
		}{{&w.First, world.First}, {&w.WeekendStart, world.WeekendStart}, {&w.WeekendEnd, world.WeekendEnd}} {
			if *of.day < 0 {
				*of.day = of.or
			}
		}
		found[region] = w
	}
	return found
})

// WeekOf returns the week of a region (ISO 3166-1, "DE", in any letter case), or of
// the world in general if nothing is known of it.
func WeekOf(region string) Week {
	all := weeks()
	if w, ok := all[strings.ToUpper(region)]; ok {
		return w
	}
	return all["001"]
}

// Week returns the week of the region where the language is most likely read.
func (l *Locale) Week() Week { return WeekOf(l.facts.Region) }

// Region returns the region where the language is most likely read: "PL".
func (l *Locale) Region() string { return l.facts.Region }

// Days returns the days of the week in their order.
func (w Week) Days() (days [7]time.Weekday) {
	for i := range days {
		days[i] = (w.First + time.Weekday(i)) % 7
	}
	return days
}

// Weekend reports whether a day is of the weekend.
func (w Week) Weekend(day time.Weekday) bool {
	return (day-w.WeekendStart+7)%7 <= (w.WeekendEnd-w.WeekendStart+7)%7
}

// Start returns the first day of the week that t is in, at the same time of the day.
func (w Week) Start(t time.Time) time.Time {
	return t.AddDate(0, 0, -int(t.Weekday()-w.First+7)%7)
}

// Range returns the first of the days that a word means on a day, and the day after the last. The words are today, tomorrow,
// weekend (the present or the next weekend), week and month.
func (w Week) Range(word string, day time.Time) (first, after time.Time) {
	n := 1
	switch word {
	case "tomorrow":
		day = day.AddDate(0, 0, 1)
	case "weekend":
		for !w.Weekend(day.Weekday()) {
			day = day.AddDate(0, 0, 1)
		}
		day = day.AddDate(0, 0, -int(day.Weekday()-w.WeekendStart+7)%7)
		n = int(w.WeekendEnd-w.WeekendStart+7)%7 + 1
	case "week":
		day, n = w.Start(day), 7
	case "month":
		day = day.AddDate(0, 0, 1-day.Day())
		return day, day.AddDate(0, 1, 0)
	}
	return day, day.AddDate(0, 0, n)
}
