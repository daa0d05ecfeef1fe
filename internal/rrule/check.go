package rrule

// This file checks rules and dates against section 3.3.10 of RFC 5545.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// check returns what is wrong with a rule: the part, what is wrong with it, and
// what would be right.
func (r *Rule) check() error {
	switch {
	case r.Freq == 0:
		return errors.New("FREQ: it is missing; a rule says how often it repeats, as in FREQ=WEEKLY")
	case r.Freq < Secondly || r.Freq > Yearly:
		return fmt.Errorf("FREQ: %d is no frequency", r.Freq)
	case r.Count != 0 && r.Until.Form != 0:
		return errors.New("COUNT: the rule has UNTIL too; it ends by one of them")
	case r.Count < 0 || r.Count > largest:
		return outOfRange("COUNT", strconv.Itoa(r.Count), 1, largest, false)
	case r.Interval < 0 || r.Interval > largest:
		return outOfRange("INTERVAL", strconv.Itoa(r.Interval), 1, largest, false)
	case r.WeekStart < monday || r.WeekStart > sunday:
		return fmt.Errorf("WKST: %d is no weekday", r.WeekStart)
	}
	if err := r.Until.check(); err != nil {
		return fmt.Errorf("UNTIL: %w", err)
	}
	for _, p := range numberParts {
		for _, n := range *p.list(r) {
			if size := n; size < p.min || size > p.max {
				if size = -n; !p.signed || size < p.min || size > p.max {
					return outOfRange(p.name, strconv.Itoa(n), p.min, p.max, p.signed)
				}
			}
		}
	}
	return r.checkTogether()
}

// checkTogether returns an error that names two parts which must not be combined.
func (r *Rule) checkTogether() error {
	switch {
	case len(r.ByWeekNo) > 0 && r.Freq != Yearly:
		return fmt.Errorf("BYWEEKNO: weeks have numbers within a year; it goes with FREQ=YEARLY, and not with %s", r.Freq)
	case len(r.ByYearDay) > 0 && (r.Freq == Daily || r.Freq == Weekly || r.Freq == Monthly):
		return fmt.Errorf("BYYEARDAY: it does not go with FREQ=%s, but with YEARLY, HOURLY, MINUTELY or SECONDLY", r.Freq)
	case len(r.ByMonthDay) > 0 && r.Freq == Weekly:
		return errors.New("BYMONTHDAY: it does not go with FREQ=WEEKLY; FREQ=DAILY or FREQ=MONTHLY can have it")
	}
	ordinal := slices.IndexFunc(r.ByDay, func(d Day) bool { return d.Ordinal != 0 })
	for _, d := range r.ByDay {
		if d.Weekday < monday || d.Weekday > sunday || d.Ordinal < -53 || d.Ordinal > 53 {
			return fmt.Errorf("BYDAY: %s is no weekday with a number from 1 to 53, or -53 to -1", d)
		}
	}
	if ordinal >= 0 {
		d := r.ByDay[ordinal]
		if r.Freq != Monthly && r.Freq != Yearly {
			return fmt.Errorf("BYDAY: %s has a number, which goes with FREQ=MONTHLY or YEARLY; with FREQ=%s it is %s", d, r.Freq, d.Weekday)
		}
		if len(r.ByWeekNo) > 0 {
			return fmt.Errorf("BYDAY: %s has a number, which does not go with BYWEEKNO; a week has one such day, %s", d, d.Weekday)
		}
	}
	others := len(r.ByDay)
	for _, p := range numberParts {
		others += len(*p.list(r))
	}
	if len(r.BySetPos) > 0 && others == len(r.BySetPos) {
		return errors.New("BYSETPOS: it picks from the dates of another BY part, and there is none; the last Friday is BYDAY=FR;BYSETPOS=-1")
	}
	return nil
}

// check returns what is wrong with a date that was made by hand.
func (d DateTime) check() error {
	switch {
	case d.Form < 0 || d.Form > UTC || (d.Form == 0 && d.Seconds != 0):
		return fmt.Errorf("%d is no form of dates", d.Form)
	case d.Seconds < firstLocal || d.Seconds > lastLocal:
		return errors.New("it is not in the years 0 to 9999")
	case d.Form == Date && secondOfDay(d.Seconds) != 0:
		return errors.New("a date is the midnight of its day")
	}
	return nil
}
