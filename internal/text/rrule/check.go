package rrule

// This file checks rules and dates against section 3.3.10 of RFC 5545.

import (
	"errors"
	"fmt"
	"slices"
)

// check returns what is wrong with the parts of a rule together: the part, what is
// wrong with it, and what would be right. ParseRule has checked each part alone.
func (r *Rule) check() error {
	switch {
	case r.Freq == 0:
		return errors.New(
			"FREQ: it is missing; a rule says how often it repeats, as in FREQ=WEEKLY",
		)
	case r.Count != 0 && r.Until.Form != 0:
		return errors.New("COUNT: the rule has UNTIL too; it ends by one of them")
	case len(r.ByWeekNo) > 0 && r.Freq != Yearly:
		return fmt.Errorf(
			"BYWEEKNO: weeks have numbers within a year; it goes with FREQ=YEARLY, and not with %s",
			r.Freq,
		)
	case len(r.ByYearDay) > 0 && (r.Freq == Daily || r.Freq == Weekly || r.Freq == Monthly):
		return fmt.Errorf(
			"BYYEARDAY: it does not go with FREQ=%s, but with YEARLY, HOURLY, MINUTELY or SECONDLY",
			r.Freq,
		)
	case len(r.ByMonthDay) > 0 && r.Freq == Weekly:
		return errors.New(
			"BYMONTHDAY: it does not go with FREQ=WEEKLY; FREQ=DAILY or FREQ=MONTHLY can have it",
		)
	}
	if err := r.Until.check(); err != nil {
		return fmt.Errorf("UNTIL: %w", err)
	}
	if i := slices.IndexFunc(r.ByDay, func(d Day) bool { return d.Ordinal != 0 }); i >= 0 {
		d := r.ByDay[i]
		if r.Freq != Monthly && r.Freq != Yearly {
			return fmt.Errorf(
				"BYDAY: %s has a number, which goes with FREQ=MONTHLY or YEARLY; with FREQ=%s it is %s",
				d,
				r.Freq,
				d.Weekday,
			)
		}
		if len(r.ByWeekNo) > 0 {
			return fmt.Errorf(
				"BYDAY: %s has a number, which does not go with BYWEEKNO; a week has one such day, %s",
				d,
				d.Weekday,
			)
		}
	}
	others := len(r.ByDay)
	for _, p := range numberParts {
		others += len(*p.list(r))
	}
	if len(r.BySetPos) > 0 && others == len(r.BySetPos) {
		return errors.New(
			"BYSETPOS: it picks from the dates of another BY part, and there is none; the last Friday is BYDAY=FR;BYSETPOS=-1",
		)
	}
	return nil
}

// check returns what is wrong with a date that was computed.
func (d DateTime) check() error {
	switch {
	case d.Seconds < firstLocal || d.Seconds > lastLocal:
		return errors.New("it is not in the years 0 to 9999")
	case d.Form == Date && secondOfDay(d.Seconds) != 0:
		return errors.New("a date is the midnight of its day")
	}
	return nil
}
