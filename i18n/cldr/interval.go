package cldr

import "time"

// FullInterval returns the time from one reading to another, with weekdays. The days
// of both belong to it, and of an all-day interval nothing else is said: "Saturday,
// November 21 – Sunday, November 22, 2026". Otherwise times are said: "Sunday,
// November 22, 2026, 8:00 – 10:30 PM". If both are the same reading, it is the time
// of an instant, as [Locale.FullTime] has it.
func (l *Locale) FullInterval(from, to time.Time, allDay bool) string {
	return l.interval(from, to, allDay, l.Full, l.FullTime, l.facts.FullInterval, l.facts.FullWith)
}

// MediumInterval is FullInterval in few letters: "Nov 21 – 22, 2026" and "Nov 22,
// 2026, 8:00 – 10:30 PM".
func (l *Locale) MediumInterval(from, to time.Time, allDay bool) string {
	return l.interval(
		from,
		to,
		allDay,
		l.Medium,
		l.mediumTime,
		l.facts.MediumInterval,
		l.facts.MediumWith,
	)
}

// LongInterval returns the days from one to another: "November 21 – 22, 2026".
func (l *Locale) LongInterval(from, to time.Time) string {
	return l.interval(from, to, true, l.long, l.long, l.facts.LongInterval, l.facts.FullWith)
}

// ShortInterval returns the days from one to another with their weekdays, in few letters: "Sat,
// Nov 21 – Sun, Nov 22, 2026".
func (l *Locale) ShortInterval(from, to time.Time) string {
	return l.interval(
		from,
		to,
		true,
		l.ShortYear,
		l.ShortYear,
		l.facts.ShortInterval,
		l.facts.MediumWith,
	)
}

// interval writes an interval of the width that the other arguments have.
func (l *Locale) interval(from, to time.Time, allDay bool,
	date, instant func(time.Time) string, dates map[string]pattern, with joint) string {
	differ := "y"
	switch {
	case from.Year() != to.Year():
	case from.Month() != to.Month():
		differ = "M"
	case from.Day() != to.Day():
		differ = "d"
	case allDay:
		return date(from)
	case minute(from) == minute(to):
		return instant(from)
	default:
		return with.join(l.TimeInterval(from, to), date(from))
	}
	if !allDay {
		return l.facts.Interval.join(instant(from), instant(to))
	}
	return dates[differ].write(l, from, to)
}

// TimeInterval returns the time from one reading to another by hours and minutes:
// "8:00 – 10:30 PM", and "6:00 PM – 3:00 PM" into the next day. Its days are not looked
// at. If both are the same minute, it is that time.
func (l *Locale) TimeInterval(from, to time.Time) string {
	differ := "m"
	switch {
	case minute(from) == minute(to):
		return l.Time(from)
	case !l.twelveHours():
		if from.Hour() != to.Hour() {
			differ = "H"
		}
	case from.Hour()/12 != to.Hour()/12, minute(to) < minute(from): // on the next day
		differ = "a"
	case from.Hour() != to.Hour():
		differ = "h"
	}
	return l.facts.TimeInterval[differ].write(l, from, to)
}

func minute(t time.Time) int { return t.Hour()*60 + t.Minute() }
