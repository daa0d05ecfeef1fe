package cldr

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A week is how a region divides time into weeks.
type week struct {
	first                    time.Weekday
	weekendStart, weekendEnd time.Weekday // both included; they may be the same day
}

// weekNames are the days as CLDR calls them, by [time.Weekday].
var weekNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// weeks are the weeks by region. "001" is the world.
var weeks = sync.OnceValue(func() map[string]week {
	var all struct {
		First, WeekendStart, WeekendEnd map[string]string // regions, by days
	}
	read("weeks.json", &all)
	found := map[string]week{}
	each := func(regions map[string]string, set func(w *week, day time.Weekday)) {
		for name, list := range regions {
			for _, region := range strings.Fields(list) {
				w, ok := found[region]
				if !ok {
					w = week{-1, -1, -1}
				}
				set(&w, time.Weekday(slices.Index(weekNames, name)))
				found[region] = w
			}
		}
	}
	each(all.First, func(w *week, day time.Weekday) { w.first = day })
	each(all.WeekendStart, func(w *week, day time.Weekday) { w.weekendStart = day })
	each(all.WeekendEnd, func(w *week, day time.Weekday) { w.weekendEnd = day })
	world := found["001"]
	for region, w := range found {
		for _, of := range []struct {
			day *time.Weekday
			or  time.Weekday
		}{{&w.first, world.first}, {&w.weekendStart, world.weekendStart}, {&w.weekendEnd, world.weekendEnd}} {
			if *of.day < 0 {
				*of.day = of.or
			}
		}
		found[region] = w
	}
	return found
})

// weekOf returns the week of a region (ISO 3166-1, "DE", in any letter case), or of
// the world in general if nothing is known of it.
func weekOf(region string) week {
	all := weeks()
	if w, ok := all[strings.ToUpper(region)]; ok {
		return w
	}
	return all["001"]
}

// Week returns the week of the region where the language is most likely read.
func (l *Locale) Week() week { return weekOf(l.facts.Region) }

// Region returns the region where the language is most likely read: "PL".
func (l *Locale) Region() string { return l.facts.Region }

// Days returns the days of the week in their order.
func (w week) Days() (days [7]time.Weekday) {
	for i := range days {
		days[i] = (w.first + time.Weekday(i)) % 7
	}
	return days
}

// weekend reports whether a day is of the weekend.
func (w week) weekend(day time.Weekday) bool {
	return (day-w.weekendStart+7)%7 <= (w.weekendEnd-w.weekendStart+7)%7
}

// Start returns the first day of the week that t is in, at the same time of the day.
func (w week) Start(t time.Time) time.Time {
	return t.AddDate(0, 0, -int(t.Weekday()-w.first+7)%7)
}

// Range returns the first of the days that a word means on a day, and the day after the last. The words are today, tomorrow,
// weekend (the present or the next weekend), week and month.
func (w week) Range(word string, day time.Time) (first, after time.Time) {
	n := 1
	switch word {
	case "tomorrow":
		day = day.AddDate(0, 0, 1)
	case "weekend":
		for !w.weekend(day.Weekday()) {
			day = day.AddDate(0, 0, 1)
		}
		day = day.AddDate(0, 0, -int(day.Weekday()-w.weekendStart+7)%7)
		n = int(w.weekendEnd-w.weekendStart+7)%7 + 1
	case "week":
		day, n = w.Start(day), 7
	case "month":
		day = day.AddDate(0, 0, 1-day.Day())
		return day, day.AddDate(0, 1, 0)
	}
	return day, day.AddDate(0, 0, n)
}
