package rrule

// This file decides which days a rule allows.

import (
	"slices"
	"time"
)

// A dayFilter holds the parts of a rule about days. A day must match all of them:
// each part either limits the days of the parts before it, or expands a period in
// which any day is possible, and both are the same test.
type dayFilter struct {
	rule     *Rule
	ofMonths bool // ordinals of weekdays count in the month, and not in the year
	yearDays map[int]bool
}

// newDayFilter returns the filter of a rule. Parts that the rule lacks are taken from
// the start.
func newDayFilter(r *Rule, start time.Time) dayFilter {
	c := *r
	weekday := []Day{{Weekday: WeekdayOf(start)}}
	dated := len(r.ByYearDay)+len(r.ByMonthDay)+len(r.ByDay) > 0
	switch {
	case r.Freq == Weekly && !dated, r.Freq == Yearly && !dated && len(r.ByWeekNo) > 0:
		c.ByDay = weekday
	case r.Freq == Yearly && !dated && len(r.ByMonth) == 0:
		c.ByMonth, c.ByMonthDay = []int{int(start.Month())}, []int{start.Day()}
	case r.Freq >= Monthly && !dated:
		c.ByMonthDay = []int{start.Day()}
	}
	yearDays := map[int]bool{} // the list may be long
	for _, n := range r.ByYearDay {
		yearDays[n] = true
	}
	return dayFilter{&c, r.Freq == Monthly || len(r.ByMonth) > 0, yearDays}
}

// empty reports whether every day passes.
func (f dayFilter) empty() bool {
	r := f.rule
	return len(r.ByMonth)+len(r.ByWeekNo)+len(r.ByYearDay)+len(r.ByMonthDay)+len(r.ByDay) == 0
}

// match reports whether the rule allows a day, which is counted from 1 January 1970.
func (f dayFilter) match(number int64) bool {
	r := f.rule
	if f.empty() {
		return true
	}
	t := time.Unix(number*day, 0).UTC()
	year, month, dom := t.Date()
	if len(r.ByMonth) > 0 && !slices.Contains(r.ByMonth, int(month)) {
		return false
	}
	if !either(r.ByMonthDay, dom, daysOfMonth(year, month)) {
		return false
	}
	doy := t.YearDay()
	daysOfYear := 365
	if leap(year) {
		daysOfYear++
	}
	if len(f.yearDays) > 0 && !f.yearDays[doy] && !f.yearDays[doy-daysOfYear-1] {
		return false
	}
	weekday := WeekdayOf(t)
	if len(r.ByWeekNo) > 0 {
		week, weeks := weekOfYear(number, weekday, r.WeekStart)
		if !either(r.ByWeekNo, week, weeks) {
			return false
		}
	}
	if len(r.ByDay) == 0 {
		return true
	}
	at := doy
	last := daysOfYear
	if f.ofMonths {
		at = dom
		last = daysOfMonth(year, month)
	}
	return slices.ContainsFunc(r.ByDay, func(d Day) bool {
		return d.Weekday == weekday &&
			(d.Ordinal == 0 || d.Ordinal == (at-1)/7+1 || d.Ordinal == -((last-at)/7+1))
	})
}

// either reports whether a list allows number n in a range from 1 to of, counted from
// the beginning or from the end. An empty list allows every number.
func either(list []int, n, of int) bool {
	return len(list) == 0 || slices.Contains(list, n) || slices.Contains(list, n-of-1)
}

// weekOfYear returns the number of the week that a day is in, and how many weeks
// that year has. A week belongs to the year that has four of its days (ISO 8601),
// which is the year of its fourth day.
func weekOfYear(number int64, weekday, weekStart Weekday) (week, weeks int) {
	fourth := time.Unix((number-int64((weekday-weekStart+7)%7)+3)*day, 0).UTC()
	doy := fourth.YearDay()
	days := 365
	if leap(fourth.Year()) {
		days++
	}
	week = (doy-1)/7 + 1
	return week, week + (days-doy)/7
}

func leap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysOfMonth(year int, month time.Month) int {
	switch {
	case month == time.February && leap(year):
		return 29
	case month == time.February:
		return 28
	}
	return 30 + (int(month)+int(month)>>3)&1
}
