package cldr

import (
	"slices"
	"strings"
	"time"
)

// A week is how a region divides time into weeks.
type week struct {
	first                    time.Weekday
	weekendStart, weekendEnd time.Weekday // both included; they may be the same day
}

// weekNames are the days as CLDR calls them, by [time.Weekday].
var weekNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// weekOf returns the week of a region (ISO 3166-1, "DE"), and that of the world as far as nothing
// is known of the region.
func weekOf(region string) week {
	var all struct {
		First, WeekendStart, WeekendEnd map[string]string // regions, by days; "001" is the world
	}
	read("weeks.json", &all)
	day := func(regions map[string]string) (found time.Weekday) {
		for i, name := range weekNames {
			switch list := strings.Fields(regions[name]); {
			case slices.Contains(list, region):
				return time.Weekday(i)
			case slices.Contains(list, "001"):
				found = time.Weekday(i)
			}
		}
		return found
	}
	return week{day(all.First), day(all.WeekendStart), day(all.WeekendEnd)}
}

// Week returns the week of the region where the language is most likely read.
func (l *Locale) Week() week { return l.week }

// FirstDays are the days that weeks begin with somewhere.
var FirstDays = []time.Weekday{time.Monday, time.Sunday, time.Saturday, time.Friday}

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

// Range returns the first of the days that a word means on a day, and the day after the last. The
// words are today, tomorrow, weekend (the present or the next weekend), week and month.
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
		day = w.Start(day)
		n = 7
	case "month":
		day = day.AddDate(0, 0, 1-day.Day())
		return day, day.AddDate(0, 1, 0)
	}
	return day, day.AddDate(0, 0, n)
}
