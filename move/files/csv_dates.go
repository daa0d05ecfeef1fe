// Dates and times as spreadsheets write them.

package files

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

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
		return dayFirst
	case 12 < b && b <= 31 && a <= 12:
		return monthFirst
	}
	return ""
}

func (o *dateOrder) of(a, b int) (DateOrder, error) {
	mdy := o.lines[monthFirst]
	dmy := o.lines[dayFirst]
	order := certain(a, b)
	switch {
	case o.wanted != "":
		return o.wanted, nil
	case order != "" && o.lines[order] == 0:
		return "", fmt.Errorf(
			"is in another order than the date in line %d, by which the dates before were read; give -date-order",
			mdy+dmy,
		)
	case order != "":
		return order, nil
	case a == b || a > 12 || b > 12: // both orders give the same day, or neither is valid
		return dayFirst, nil
	case mdy > 0 && dmy > 0:
		return "", fmt.Errorf(
			"may be of two days, since line %d of the file has the month first and line %d the day",
			mdy,
			dmy,
		)
	case mdy > 0:
		return monthFirst, nil
	case dmy > 0:
		return dayFirst, nil
	}
	return "", errors.New(
		"may be of two days, and no date of the file tells which; give -date-order mdy or -date-order dmy",
	)
}

// slashed returns the numbers of a date that ends with the year and could have two orders. Dates
// with points are not ambiguous: their day comes first everywhere.
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

func (o *dateOrder) read(text string) (time.Time, error) {
	if day, ok := plainDate(text); ok {
		return day, nil
	}
	if a, b, year, ok := slashed(text); ok {
		order, err := o.of(a, b)
		if err != nil {
			return time.Time{}, fmt.Errorf(
				"%q %w, or write it as %s",
				text,
				err,
				SuggestedDates(text),
			)
		}
		if order == monthFirst {
			a, b = b, a
		}
		day := time.Date(year, time.Month(b), a, 0, 0, 0, 0, time.UTC)
		if order != yearFirst && day.Day() == a && int(day.Month()) == b {
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
	return time.Time{}, fmt.Errorf(
		"%.40q is no date%s; write it as %s",
		text,
		in,
		SuggestedDates(text),
	)
}

// clock returns a time of day.
func clock(text string) (time.Duration, error) {
	plain := strings.Join(
		strings.Fields(strings.ReplaceAll(strings.ToUpper(text), ".M.", "M")),
		"",
	)
	if plain == "24:00" || plain == "24:00:00" {
		return 24 * time.Hour, nil
	}
	for _, layout := range []string{"15:04", "15:04:05", "15.04", "3:04PM", "3:04:05PM", "3PM"} {
		if t, err := time.Parse(layout, plain); err == nil {
			return t.Sub(t.Truncate(24 * time.Hour)).Truncate(time.Second), nil
		}
	}
	return 0, fmt.Errorf("%.40q is no time of day; write it as 20:00 or 8:00 PM", text)
}

// A moment is a date of a row, and its time of day.
type moment struct {
	day      time.Time
	clock    time.Duration // since midnight
	hasClock bool
}

// String returns the moment in the form of lists.
func (m moment) String() string { return m.day.Add(m.clock).Format(time.DateTime) }

// moment returns the start or the end of an event. The end may have no date. If isPlain, a cell of
// a date has no time of day: spreadsheets add midnight to dates. Errors name the column.
func (t *tableReader) moment(
	cells map[string]string,
	name string,
	isPlain bool,
) (m moment, err error) {
	date, beside := dateAndTime(cells[name+".date"])
	if date != "" || name == "start" {
		if m.day, err = t.dates.read(date); err != nil {
			return m, fmt.Errorf("%s: %w", t.names[name+".date"], err)
		}
	}
	hour := cells[name+".time"]
	column := t.names[name+".time"]
	isBeside := hour == ""
	if isBeside {
		hour = beside
		column = t.names[name+".date"]
	}
	if hour == "" {
		return m, nil
	}
	if m.clock, err = clock(hour); err != nil {
		return m, fmt.Errorf("%s: %w", column, err)
	}
	m.hasClock = !isBeside || !isPlain || m.clock != 0
	return m, nil
}
