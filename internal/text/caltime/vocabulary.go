// Words a date may be made of.

package caltime

import (
	"slices"
	"strings"
	"time"
)

var months = []string{
	"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december",
}

var weekdays = []string{
	"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
}

const secondsPerHour = 60 * 60

var units = map[string]distance{
	"sec": {seconds: 1}, "second": {seconds: 1},
	"min": {seconds: 60}, "minute": {seconds: 60},
	"hour":  {seconds: secondsPerHour},
	"day":   {days: 1},
	"week":  {days: 7},
	"month": {months: 1},
	"year":  {years: 1},

	"fortnight": {days: 14},
}

// days are the words for a day near today.
var days = map[string]int64{"yesterday": -1, "today": 0, "tomorrow": 1}

// hours are the words for a time of day.
var hours = map[string]int{"midnight": 0, "noon": 12}

// edges are the words before "day of".
var edges = map[string]edge{"first": firstDay, "last": lastDay}

// directions are the words before a unit or a weekday, in steps.
var directions = map[string]int{"next": 1, "this": 0, "last": -1, "previous": -1}

// offsets holds abbreviations that are not zones by themselves, in hours east of
// UTC: of RFC 5322, and unambiguous abbreviations of summer times and of distant
// zones. LoadZone knows abbreviations of standard times.
var offsets = map[string]int{
	"z":   0,
	"edt": -4, "cst": -6, "cdt": -5, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
	"west": 1, "bst": 1, "cest": 2, "mest": 2, "eest": 3, "msk": 3,
	"jst": 9, "kst": 9, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}

// monthOf returns the month of a name, whole or in three letters.
func monthOf(name string) (time.Month, bool) {
	if name == "sept" {
		return time.September, true
	}
	i := indexOf(months, name)
	return time.Month(i + 1), i >= 0
}

// weekdayOf returns the weekday of a name, whole or in three letters and more as
// they are in use.
func weekdayOf(name string) (time.Weekday, bool) {
	switch name {
	case "tues", "thur", "thurs":
		name = name[:3]
	}
	i := indexOf(weekdays, name)
	return time.Weekday(i), i >= 0
}

func indexOf(names []string, name string) int {
	return slices.IndexFunc(names, func(full string) bool {
		return name == full || name == full[:3]
	})
}

// unitOf returns the distance of a unit, singular or plural.
func unitOf(name string) (distance, bool) {
	unit, ok := units[strings.TrimSuffix(name, "s")]
	return unit, ok
}
