package rrule

// This file has the type of rules and prints them.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Frequency is the unit in which a rule counts.
type Frequency int

// The frequencies, from the shortest to the longest. The zero Frequency is none.
const (
	Secondly Frequency = iota + 1
	Minutely
	Hourly
	Daily
	Weekly
	Monthly
	Yearly
)

var frequencyNames = []string{
	"",
	"SECONDLY",
	"MINUTELY",
	"HOURLY",
	"DAILY",
	"WEEKLY",
	"MONTHLY",
	"YEARLY",
}

// String returns the name in a rule: WEEKLY.
func (f Frequency) String() string { return frequencyNames[f] }

// A Weekday is a day of the week. The week begins on Monday, as it does in rules
// without WKST, and so the zero Weekday is Monday, unlike that of package time.
type Weekday int

const monday Weekday = 0

var weekdayNames = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// WeekdayOf returns the weekday of a time, in the time's own location.
func WeekdayOf(t time.Time) Weekday { return Weekday((t.Weekday() + 6) % 7) }

// String returns the name in a rule: TU.
func (d Weekday) String() string { return weekdayNames[d] }

// A Day is one entry of BYDAY: every such weekday of the period (Ordinal 0), the
// first (1), the last (-1), and so on.
type Day struct {
	Ordinal int
	Weekday Weekday
}

// String returns the entry in a rule: TU, 2TU, -1TU.
func (d Day) String() string {
	if d.Ordinal == 0 {
		return d.Weekday.String()
	}
	return strconv.Itoa(d.Ordinal) + d.Weekday.String()
}

// A Rule is a recurrence rule, RECUR in section 3.3.10 of RFC 5545. Its fields
// are the parts of a rule; a zero field is an absent part. ParseRule returns checked
// rules. Set.Check checks the parts of a changed rule together.
type Rule struct {
	Freq     Frequency
	Interval int      // every Interval periods; 0 is 1
	Count    int      // dates, including the start; 0 is without an end
	Until    DateTime // the last possible moment of a date

	ByMonth    []int // 1 to 12
	ByWeekNo   []int // 1 to 53, or -53 to -1 from the end
	ByYearDay  []int // 1 to 366, or -366 to -1 from the end
	ByMonthDay []int // 1 to 31, or -31 to -1 from the end
	ByDay      []Day
	ByHour     []int // 0 to 23
	ByMinute   []int // 0 to 59
	BySecond   []int // 0 to 60
	BySetPos   []int // 1 to 366, or -366 to -1 from the end
	WeekStart  Weekday
}

type part struct {
	name     string
	list     func(*Rule) *[]int
	min, max int
	signed   bool // numbers may be negative, which count from the end
}

// numberParts are in the order in which RFC 5545 applies them and String prints
// them; BYDAY comes after the first dayPartsEnd.
var numberParts = []part{
	{"BYMONTH", func(r *Rule) *[]int { return &r.ByMonth }, 1, 12, false},
	{"BYWEEKNO", func(r *Rule) *[]int { return &r.ByWeekNo }, 1, 53, true},
	{"BYYEARDAY", func(r *Rule) *[]int { return &r.ByYearDay }, 1, 366, true},
	{"BYMONTHDAY", func(r *Rule) *[]int { return &r.ByMonthDay }, 1, 31, true},
	{"BYHOUR", func(r *Rule) *[]int { return &r.ByHour }, 0, 23, false},
	{"BYMINUTE", func(r *Rule) *[]int { return &r.ByMinute }, 0, 59, false},
	{"BYSECOND", func(r *Rule) *[]int { return &r.BySecond }, 0, 60, false},
	{"BYSETPOS", func(r *Rule) *[]int { return &r.BySetPos }, 1, 366, true},
}

const dayPartsEnd = 4

// String returns the canonical form of the rule: the frequency, the end, the
// interval, the other parts in the order in which they are applied, lists in
// order and without repetition, and no defaults. ParseRule reads it as an equal rule.
func (r *Rule) String() string {
	b := []byte("FREQ=" + r.Freq.String())
	add := func(name, value string) { b = append(append(append(append(b, ';'), name...), '='), value...) }
	if r.Until.Form != 0 {
		add("UNTIL", r.Until.String())
	}
	if r.Count != 0 {
		add("COUNT", strconv.Itoa(r.Count))
	}
	if r.Interval > 1 {
		add("INTERVAL", strconv.Itoa(r.Interval))
	}
	r = r.canonical()
	for i, p := range numberParts {
		if i == dayPartsEnd && len(r.ByDay) > 0 {
			add("BYDAY", join(r.ByDay, Day.String))
		}
		if list := *p.list(r); len(list) > 0 {
			add(p.name, join(list, strconv.Itoa))
		}
	}
	if r.WeekStart != monday {
		add("WKST", r.WeekStart.String())
	}
	return string(b)
}

// canonical returns a copy of the rule with its lists in the order of fromEnd and
// without repetition.
func (r *Rule) canonical() *Rule {
	c := *r
	c.Interval = max(c.Interval, 1)
	for _, p := range numberParts {
		list := p.list(&c)
		*list = slices.Clone(*list)
		slices.SortFunc(*list, fromEnd)
		*list = slices.Compact(*list)
	}
	c.ByDay = slices.Clone(c.ByDay)
	slices.SortFunc(c.ByDay, func(a, b Day) int {
		return cmp.Or(fromEnd(a.Ordinal, b.Ordinal), cmp.Compare(a.Weekday, b.Weekday))
	})
	c.ByDay = slices.Compact(c.ByDay)
	return &c
}

// fromEnd compares numbers, with negative numbers after the positive.
func fromEnd(a, b int) int {
	if (a < 0) != (b < 0) {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

func join[T any](list []T, text func(T) string) string {
	var all []string
	for _, v := range list {
		all = append(all, text(v))
	}
	return strings.Join(all, ",")
}
