package rrule

// This file describes sets in words.

import (
	"slices"
	"strconv"
	"strings"
)

// mostListed is how many dates a description names, and how many times of a day.
const mostListed = 12

// Describe returns the set in words: "every 2 weeks on Tuesday and Thursday, until
// 31 December 2026". If the set has a start, the description has the weekday or the
// day that the rule takes from it. It has a time of day only if the rule has one. Rare
// rules get a plain but correct sentence.
func (w *Words) Describe(s *Set) string {
	rdates := s.RDates
	text := ""
	if s.Rule != nil {
		text = w.rule(s)
	} else {
		rdates = nil
		text = w.text("dates", "list", w.dates(slices.Concat([]DateTime{s.Start}, s.RDates)))
	}
	exceptions := func(key string, dates []DateTime) {
		switch n := len(dates); {
		case n > mostListed:
			text = w.text("with", "a", text, "b", w.numbered(key+"-many", n, w.Plural, ""))
		case n > 0:
			text = w.text("with", "a", text, "b", w.text(key, "list", w.dates(dates)))
		}
	}
	exceptions("also", rdates)
	exceptions("except", s.ExDates)
	return text
}

// dates lists days. A date of the form UTC is its day in UTC.
func (w *Words) dates(dates []DateTime) string {
	dates = slices.DeleteFunc(slices.Clone(dates), func(d DateTime) bool { return d.Form == 0 })
	slices.SortFunc(dates, func(a, b DateTime) int { return int(a.Seconds/day - b.Seconds/day) })
	var all []string
	for _, d := range dates {
		all = append(all, w.date("date-listed", d))
	}
	return w.list(slices.Compact(all))
}

func (w *Words) date(key string, d DateTime) string {
	t := d.reading()
	return w.numbered(
		key,
		t.Day(),
		w.Ordinal,
		"",
		"month",
		w.MonthOf[t.Month()-1],
		"year",
		strconv.Itoa(t.Year()),
	)
}

// rule describes the rule of a set: how often, when, and until when.
func (w *Words) rule(s *Set) string {
	r := s.Rule.canonical()
	if s.Start.Form != 0 {
		r = newDayFilter(r, s.Start.reading()).rule
	}
	join := func(how, a, b string) string {
		if b == "" {
			return a
		}
		return w.text(how, "a", a, "b", b)
	}
	text := w.numbered("every-"+strings.ToLower(r.Freq.String()), r.Interval, w.Plural, "")
	text = join("join", text, w.numbers("week", r.ByWeekNo))
	months := w.wrap("months", pick(w.Months, r.ByMonth))
	days := w.weekdays(r)
	if r.Freq == Yearly && months != "" && len(r.ByMonthDay)+len(r.ByYearDay) == 0 &&
		len(r.ByDay) > 0 &&
		r.ByDay[0].Ordinal != 0 {
		days = w.text(
			"nths-of-months",
			"a",
			days,
			"in",
			months,
			"months",
			w.list(pick(w.MonthOf, r.ByMonth)),
		)
		months = ""
	}
	byDay := []string{w.numbers("monthday", r.ByMonthDay), w.numbers("yearday", r.ByYearDay), days}
	if all := w.daysOfYear(r); all != "" {
		byDay[0] = all
		months = ""
	}
	byDay = slices.DeleteFunc(byDay, func(text string) bool { return text == "" })
	if len(byDay) > 0 && r.Freq >= Weekly {
		switch whole := w.text("of-every-month", "a", byDay[0]); {
		case r.Freq == Monthly && r.Interval == 1 && (len(r.ByMonthDay) > 0 || r.ByDay[0].Ordinal != 0):
			text = whole
		case r.Freq == Yearly && len(r.ByMonthDay) > 0 && len(r.ByMonth) == 0:
			text = join("join", text, whole)
		default:
			text = join("join", text, byDay[0])
		}
		byDay = byDay[1:]
	}
	text = join("join", text, months)
	for _, limit := range byDay {
		text = join("only", text, limit)
	}
	text = join("join", text, w.times(r, s.Start))
	text = join("with", text, w.numbers("position", r.BySetPos))
	if r.WeekStart != monday && (len(r.ByWeekNo) > 0 || r.Freq == Weekly && r.Interval > 1) {
		text = join("note", text, w.text("week-start", "day", w.Weekdays[r.WeekStart]))
	}
	switch {
	case r.Count > 0:
		return join("with", text, w.numbered("count", r.Count, w.Plural, ""))
	case r.Until.Form != 0:
		return join("with", text, w.until(s))
	}
	return text
}

// until names the last day of a rule in the zone of the set, and the time if there
// can be several dates on a day. If UNTIL is before the first time of its day, the
// last day is the day before.
func (w *Words) until(s *Set) string {
	d := s.Rule.Until
	if d.Form == UTC {
		d = At(d.In(s.zone()), Local)
	}
	_, times := newClocks(s.Rule.canonical(), s.Start)
	if s.Rule.Freq >= Daily && s.Start.Form != 0 && d.Form != Date &&
		secondOfDay(d.Seconds) < times.at(0) {
		d.Seconds -= day
	}
	date := w.date("date", d)
	if s.Rule.Freq < Daily {
		date = w.text("date-time", "date", date, "time", w.time(secondOfDay(d.Seconds)))
	}
	return w.numbered("until", d.reading().Day(), w.Ordinal, "", "date", date)
}

func (w *Words) time(second int64) string {
	two := func(n int64) string { return strconv.Itoa(int(100 + n))[1:] }
	text := w.text("time", "h", two(second/3600), "m", two(second/60%60))
	if second%60 == 0 {
		return text
	}
	return w.text("seconds-of", "time", text, "s", two(second%60))
}

func pick(names [12]string, months []int) (all []string) {
	for _, m := range months {
		all = append(all, names[m-1])
	}
	return all
}

func (w *Words) wrap(key string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return w.text(key, "list", w.list(items))
}

// numbers lists numbers counted from the beginning (phrase KEY) or the end (KEY-end).
func (w *Words) numbers(key string, numbers []int) string {
	var all []string
	for _, n := range numbers {
		if n < 0 {
			all = append(all, w.numbered(key+"-end", -n, w.Ordinal, ""))
		} else {
			all = append(all, w.numbered(key, n, w.Ordinal, ""))
		}
	}
	return w.wrap(key+"s", all)
}

// daysOfYear lists the days of a yearly rule that are days of months: 24 December.
func (w *Words) daysOfYear(r *Rule) string {
	if n := len(r.ByMonth) * len(r.ByMonthDay); r.Freq != Yearly || n == 0 || n > mostListed ||
		slices.Min(r.ByMonthDay) < 0 {
		return ""
	}
	var all []string
	for _, month := range r.ByMonth {
		for _, n := range r.ByMonthDay {
			all = append(all, w.numbered("day", n, w.Ordinal, "", "month", w.MonthOf[month-1]))
		}
	}
	return w.wrap("days", all)
}

// weekdays describes BYDAY: every such weekday, or numbered weekdays of the month or year.
func (w *Words) weekdays(r *Rule) string {
	var plain, nth []string
	table := w.Each
	key := "each"
	week := true // week: Monday to Friday so far
	if r.Freq == Weekly || len(r.ByWeekNo) > 0 {
		table = w.On
		key = "on"
	}
	for _, d := range r.ByDay {
		switch class, name := w.Class[d.Weekday], w.NthDays[d.Weekday]; {
		case d.Ordinal == 0:
			week = week && int(d.Weekday) == len(plain)
			plain = append(plain, table[d.Weekday])
		case d.Ordinal < 0:
			nth = append(nth, w.numbered("nth-end", -d.Ordinal, w.Ordinal, class, "day", name))
		default:
			nth = append(nth, w.numbered("nth", d.Ordinal, w.Ordinal, class, "day", name))
		}
	}
	var all []string
	switch {
	case week && len(plain) == 5:
		all = append(all, w.text("workdays"))
	case len(plain) > 0:
		all = append(all, w.wrap(key, plain))
	}
	switch {
	case len(nth) > 0 && r.Freq == Yearly && len(r.ByMonth) == 0:
		all = append(all, w.wrap("nths-of-year", nth))
	case len(nth) > 0:
		all = append(all, w.wrap("nths", nth))
	}
	return w.list(all)
}

// times describes the times of day of a rule: as a list of times if they are at most
// mostListed, otherwise part by part.
func (w *Words) times(r *Rule, start DateTime) string {
	parts := []struct {
		key  string
		list []int
	}{{"hours", r.ByHour}, {"minutes", r.ByMinute}, {"seconds", r.BySecond}}
	if start.Form == Date || len(r.ByHour)+len(r.ByMinute)+len(r.BySecond) == 0 {
		return ""
	}
	if _, c := newClocks(r, start); start.Form != 0 && r.Freq >= Daily && c.len() <= mostListed {
		var all []string
		for i := range c.len() {
			all = append(all, w.time(c.at(i)))
		}
		return w.wrap("times", all)
	}
	text := ""
	for _, p := range parts {
		if len(p.list) == 0 {
			continue
		}
		clause := w.numbered(
			p.key,
			len(p.list),
			w.Plural,
			"",
			"list",
			w.list(strings.Split(join(p.list, strconv.Itoa), ",")),
		)
		if text != "" {
			clause = w.text("join", "a", text, "b", clause)
		}
		text = clause
	}
	return text
}
