// Dates and times as spreadsheets write them.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A DateOrder is the order of day, month and year in dates of numbers: "mdy", "dmy" or "ymd". "" finds it in the
// file.
type DateOrder string

const (
	MonthFirst DateOrder = "mdy"
	DayFirst   DateOrder = "dmy"
	YearFirst  DateOrder = "ymd"
)

// DateOrders lists all orders.
var DateOrders = []DateOrder{MonthFirst, DayFirst, YearFirst}

// A dateOrder finds the order of the dates of a file.
type dateOrder struct {
	wanted    DateOrder         // option of the caller, overrides the file
	lines     map[DateOrder]int // first line with a date that is valid in one order only
	seen      bool              // a date could have two orders
	isDecided bool              // later dates change nothing
}

// isSettled reports whether no later date can change the order.
func (o *dateOrder) isSettled() bool { return o.wanted != "" || o.isDecided || !o.seen }

// look records the order that a date proves.
func (o *dateOrder) look(text string, line int) {
	a, b, _, ok := slashed(text)
	if !ok || o.isDecided {
		return
	}
	o.seen = true
	if order := certain(a, b); order != "" && o.lines[order] == 0 {
		if o.lines == nil {
			o.lines = map[DateOrder]int{}
		}
		o.lines[order] = line
	}
}

// certain returns the only order in which a date is valid, or "".
func certain(a, b int) DateOrder {
	switch {
	case 12 < a && a <= 31 && b <= 12:
		return DayFirst
	case 12 < b && b <= 31 && a <= 12:
		return MonthFirst
	}
	return ""
}

func (o *dateOrder) of(a, b int) (DateOrder, error) {
	mdy, dmy, order := o.lines[MonthFirst], o.lines[DayFirst], certain(a, b)
	switch {
	case o.wanted != "":
		return o.wanted, nil
	case order != "" && o.lines[order] == 0:
		return "", fmt.Errorf("is in another order than the date in line %d, by which the dates before were read; give -date-order", mdy+dmy)
	case order != "":
		return order, nil
	case a == b || a > 12 || b > 12: // both orders give the same day, or neither is valid
		return DayFirst, nil
	case mdy > 0 && dmy > 0:
		return "", fmt.Errorf("may be of two days, since line %d of the file has the month first and line %d the day", mdy, dmy)
	case mdy > 0:
		return MonthFirst, nil
	case dmy > 0:
		return DayFirst, nil
	}
	return "", errors.New("may be of two days, and no date of the file tells which; give -date-order mdy or -date-order dmy")
}

// slashed returns the numbers of a date that ends with the year and could have two orders. Dates with points are not
// ambiguous: their day comes first everywhere.
func slashed(text string) (a, b, year int, ok bool) {
	date, _ := dateAndTime(text)
	parts := strings.FieldsFunc(date, func(r rune) bool { return r == '/' || r == '-' })
	if len(parts) != 3 || len(parts[0]) > 2 || len(parts[1]) > 2 || len(parts[2]) != 4 {
		return 0, 0, 0, false
	}
	for i, n := range []*int{&a, &b, &year} {
		var err error
		if *n, err = strconv.Atoi(parts[i]); err != nil || *n < 0 {
			return 0, 0, 0, false
		}
	}
	return a, b, year, true
}

// dateAndTime splits a cell such as "2031-05-10 20:00" or "2031-05-10T20:00".
func dateAndTime(text string) (date, clock string) {
	for i, r := range text {
		if (r == 'T' || unicode.IsSpace(r)) && i > 0 && isDigit(text[i-1]) && i+1 < len(text) && isDigit(text[i+1]) &&
			strings.ContainsAny(text[:i], "-/.") {
			return text[:i], strings.TrimSpace(strings.TrimPrefix(text[i:], "T"))
		}
	}
	return text, ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (o *dateOrder) read(text string) (time.Time, error) {
	for _, layout := range plainDates {
		if day, err := time.Parse(layout, text); err == nil {
			return day, nil
		}
	}
	if a, b, year, ok := slashed(text); ok {
		order, err := o.of(a, b)
		if err != nil {
			return time.Time{}, fmt.Errorf("%q %w, or write it as %s", text, err, suggested(text))
		}
		if order == MonthFirst {
			a, b = b, a
		}
		day := time.Date(year, time.Month(b), a, 0, 0, 0, 0, time.UTC)
		if order != YearFirst && day.Day() == a && int(day.Month()) == b {
			return day, nil
		}
	}
	for _, layout := range shortDates[o.wanted] {
		if day, err := time.Parse(layout, text); err == nil {
			return day, nil
		}
	}
	in := ""
	if o.wanted != "" {
		in = " in the order " + string(o.wanted)
	}
	return time.Time{}, fmt.Errorf("%.40q is no date%s; write it as %s", text, in, suggested(text))
}

// suggested returns the possible meanings of an ambiguous date as YYYY-MM-DD, or that form, for errors.
func suggested(text string) string {
	date, _ := dateAndTime(text)
	var days []string
	for _, layout := range slices.Concat(plainDates, shortDates[MonthFirst], shortDates[DayFirst]) {
		if day, err := time.Parse(layout, date); err == nil {
			days = append(days, day.Format(time.DateOnly))
		}
	}
	slices.Sort(days)
	return cmp.Or(strings.Join(slices.Compact(days), " or "), "YYYY-MM-DD")
}

// plainDates are layouts of dates that are not ambiguous.
var plainDates = []string{
	"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006",
	"20060102",
}

// shortDates are layouts of dates that need an order, such as those with years of two digits.
var shortDates = map[DateOrder][]string{
	MonthFirst: {"1/2/06", "1-2-06", "1/2/2006", "1-2-2006"}, DayFirst: {"2/1/06", "2-1-06", "2.1.06", "2/1/2006", "2-1-2006"},
	YearFirst: {"06/1/2", "06-1-2", "06.1.2"},
}

// clock returns a time of day as HH:MM:SS.
func clock(text string) (string, error) {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, strings.ReplaceAll(strings.ToUpper(text), ".M.", "M"))
	for _, layout := range []string{"15:04", "15:04:05", "15.04", "3:04PM", "3:04:05PM", "3PM"} {
		if t, err := time.Parse(layout, plain); err == nil {
			return t.Format(time.TimeOnly), nil
		}
	}
	return "", fmt.Errorf("%.40q is no time of day; write it as 20:00 or 8:00 PM", text)
}

// moment returns a date and a time in the form of lists. without is the time of a date that has none.
func (o *dateOrder) moment(date, hour, without string) (string, error) {
	date, beside := dateAndTime(date)
	day, err := o.read(date)
	if err != nil {
		return "", err
	}
	if hour, err = clock(cmp.Or(hour, beside, without)); err != nil {
		return "", err
	}
	return day.Format(time.DateOnly) + " " + hour, nil
}
