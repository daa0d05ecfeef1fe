package rrule

import (
	"slices"
	"time"
)

// The model is a simple implementation of the expansion: it examines every day from the
// start on, and every time of each day.

// modelDay reports whether a rule allows a day; t is noon of the day. Absent parts of the
// rule have been taken from the start.
func modelDay(r *Rule, t time.Time) bool {
	year, month, dom := t.Date()
	lastOfMonth := time.Date(year, month+1, 0, 12, 0, 0, 0, time.UTC).Day()
	lastOfYear := time.Date(year, 12, 31, 12, 0, 0, 0, time.UTC).YearDay()
	in := func(list []int, n, last int) bool {
		return len(list) == 0 || slices.Contains(list, n) || slices.Contains(list, -(last-n+1))
	}
	if !in(r.ByMonth, int(month), 99) || !in(r.ByMonthDay, dom, lastOfMonth) ||
		!in(r.ByYearDay, t.YearDay(), lastOfYear) {
		return false
	}
	if len(r.ByWeekNo) > 0 {
		week, weeks := modelWeek(t, r.WeekStart)
		if !in(r.ByWeekNo, week, weeks) {
			return false
		}
	}
	if len(r.ByDay) == 0 {
		return true
	}
	// All days of the month or year with the same weekday.
	first := time.Date(year, 1, 1, 12, 0, 0, 0, time.UTC)
	last := time.Date(year, 12, 31, 12, 0, 0, 0, time.UTC)
	if r.Freq == Monthly || len(r.ByMonth) > 0 {
		first = t.AddDate(0, 0, 1-dom)
		last = t.AddDate(0, 0, lastOfMonth-dom)
	}
	var same []time.Time
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		if d.Weekday() == t.Weekday() {
			same = append(same, d)
		}
	}
	at := slices.IndexFunc(same, t.Equal)
	for _, d := range r.ByDay {
		if time.Weekday((d.Weekday+1)%7) == t.Weekday() &&
			(d.Ordinal == 0 || d.Ordinal == at+1 || d.Ordinal == at-len(same)) {
			return true
		}
	}
	return false
}

// modelWeek counts weeks, from the first with at least four days in the year of t, or of the year
// after.
func modelWeek(t time.Time, weekStart Weekday) (week, weeks int) {
	firstWeek := func(year int) time.Time {
		d := time.Date(year, 1, 4, 12, 0, 0, 0, time.UTC)
		for WeekdayOf(d) != weekStart {
			d = d.AddDate(0, 0, -1)
		}
		return d
	}
	year := t.Year() + 1
	for firstWeek(year).After(t) {
		year--
	}
	days := func(d time.Duration) int { return int(d / (24 * time.Hour)) }
	return days(t.Sub(firstWeek(year)))/7 + 1, days(firstWeek(year+1).Sub(firstWeek(year))) / 7
}

// modelReadings returns the readings after the start that a rule gives, before a reading.
func modelReadings(rule *Rule, start DateTime, before int64) []int64 {
	r := *rule
	t := start.reading()
	if len(r.ByYearDay)+len(r.ByMonthDay)+len(r.ByDay) == 0 {
		switch {
		case r.Freq == Weekly || len(r.ByWeekNo) > 0:
			r.ByDay = []Day{{Weekday: WeekdayOf(t)}}
		case r.Freq == Monthly || r.Freq == Yearly:
			r.ByMonthDay = []int{t.Day()}
			if r.Freq == Yearly && len(r.ByMonth) == 0 {
				r.ByMonth = []int{int(t.Month())}
			}
		}
	}
	times := func(list []int, limitedBelow Frequency, n, fromStart int) []int {
		switch {
		case len(list) > 0 && start.Form != Date:
			list = slices.Clone(list)
			for i := range list {
				list[i] = min(list[i], n-1)
			}
			slices.Sort(list)
			return slices.Compact(list)
		case r.Freq < limitedBelow:
			return count(n)
		}
		return []int{fromStart}
	}
	hours := times(r.ByHour, Daily, 24, t.Hour())
	minutes := times(r.ByMinute, Hourly, 60, t.Minute())
	seconds := times(r.BySecond, Minutely, 60, t.Second())
	var all []int64
	var period []int64
	current := int64(-1)
	left := r.Count - 1
	flush := func() {
		if len(r.BySetPos) > 0 {
			var picked []int64
			for i, v := range period {
				if slices.Contains(r.BySetPos, i+1) || slices.Contains(r.BySetPos, i-len(period)) {
					picked = append(picked, v)
				}
			}
			period = picked
		}
		for _, v := range period {
			if v > start.Seconds && v < before && (r.Count == 0 || left > 0) {
				all = append(all, v)
				left--
			}
		}
		period = nil
	}
	interval := int64(max(r.Interval, 1))
	origin := modelUnit(&r, start.Seconds)
	// Periods have days before the start.
	for midnight := start.Seconds - secondOfDay(start.Seconds) - 366*day; midnight < before+366*day; midnight += day {
		if (midnight > before+day || midnight < start.Seconds-day) &&
			(r.Freq < Weekly || len(r.BySetPos) == 0) {
			continue
		}
		if !modelDay(&r, time.Unix(midnight+day/2, 0).UTC()) {
			continue
		}
		for _, h := range hours {
			for _, m := range minutes {
				for _, s := range seconds {
					v := midnight + int64(h*3600+m*60+s)
					unit := modelUnit(&r, v)
					if unit < origin || (unit-origin)%interval != 0 {
						continue
					}
					if unit != current {
						flush()
						current = unit
					}
					period = append(period, v)
				}
			}
		}
	}
	flush()
	return all
}

// modelUnit numbers the units of a frequency.
func modelUnit(r *Rule, reading int64) int64 {
	t := time.Unix(reading, 0).UTC()
	switch r.Freq {
	case Yearly:
		return int64(t.Year())
	case Monthly:
		return int64(t.Year())*12 + int64(t.Month())
	case Weekly:
		for WeekdayOf(t) != r.WeekStart {
			t = t.AddDate(0, 0, -1)
		}
		t = t.Truncate(24 * time.Hour)
		return (t.Unix() + 1000*366*7*day) / (7 * day) // positive
	case Daily:
		return (reading + 1000*366*day) / day
	case Hourly:
		return (reading + 1000*366*day) / 3600
	case Minutely:
		return (reading + 1000*366*day) / 60
	}
	return reading
}

// modelMoment returns the moment of a reading in a zone with offsets of whole minutes. It
// examines the local time of every minute around.
func modelMoment(reading int64, zone *time.Location) int64 {
	local := func(unix int64) int64 { return At(time.Unix(unix, 0).In(zone), Local).Seconds }
	for unix := reading - 16*3600; unix <= reading+16*3600; unix += 60 {
		if local(unix) == reading {
			return unix
		}
	}
	for unix := reading - 16*3600; unix <= reading+26*3600; unix += 60 {
		if local(
			unix,
		) > reading { // the first after the gap: the minute before has the offset before
			return reading - (local(unix-60) - (unix - 60))
		}
	}
	return -1
}
