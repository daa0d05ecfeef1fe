// Dates with and without a time of day, and how a zone makes moments of them.

package rrule

import (
	"fmt"
	"strings"
	"time"
)

// A Form is a form of dates in iCalendar.
type Form int

// The forms. The zero Form is that of a date that is not there.
const (
	Date  Form = iota + 1 // 20261124: a day
	Local                 // 20261124T193000: a reading of a clock on the wall
	UTC                   // 20261124T183000Z: a moment
)

// A DateTime is a DATE or DATE-TIME of iCalendar. The zero DateTime is none.
type DateTime struct {
	Wall int64 // seconds from 1970-01-01 00:00:00 on the same clock; for a Date those of its midnight
	Form Form
}

const (
	day                = 86400
	firstWall    int64 = -62_167_219_200 // 0000-01-01 00:00:00
	lastWall     int64 = 253_402_300_799 // 9999-12-31 23:59:59
	dateLayout         = "20060102"
	localLayout        = "20060102T150405"
	dateTimeHelp       = "it is written 20261124, 20261124T193000 or, in UTC, 20261124T183000Z"
)

// At returns the DateTime of a time: in the form Date or Local what a calendar
// or clock in t's own location shows at t, in the form UTC the moment itself.
func At(t time.Time, form Form) DateTime {
	if form == UTC {
		t = t.UTC()
	}
	_, offset := t.Zone()
	wall := t.Unix() + int64(offset)
	if form == Date {
		wall -= secondOfDay(wall)
	}
	return DateTime{wall, form}
}

// ParseDateTime reads a date of any form.
func ParseDateTime(text string) (DateTime, error) {
	plain, utc := strings.CutSuffix(strings.ToUpper(text), "Z")
	layout, d := localLayout, DateTime{Form: Local}
	switch {
	case utc:
		d.Form = UTC
	case len(plain) == len(dateLayout):
		layout, d.Form = dateLayout, Date
	}
	leap := len(plain) == len(localLayout) && plain[13:] == "60"
	if leap { // section 3.3.12: who knows no leap seconds reads the second before
		plain = plain[:13] + "59"
	}
	t, err := time.Parse(layout, plain)
	if err != nil || t.Format(layout) != plain { // package time reads fractions that are not in the layout
		return DateTime{}, fmt.Errorf("%q is no date: %s", text, dateTimeHelp)
	}
	d.Wall = t.Unix()
	return d, nil
}

// String returns the form of iCalendar, and "" for no date.
func (d DateTime) String() string {
	t := d.reading()
	switch d.Form {
	case Date:
		return t.Format(dateLayout)
	case Local:
		return t.Format(localLayout)
	case UTC:
		return t.Format(localLayout) + "Z"
	}
	return ""
}

// In returns the moment of the date on a clock of the zone (section 3.3.5 of
// RFC 5545): of two moments that the clock shows the same the first, and for a
// reading that it skips the moment that it would be had the clock not been changed. A
// date is its midnight.
func (d DateTime) In(zone *time.Location) time.Time {
	if d.Form == UTC {
		return d.reading().In(zone)
	}
	return moment(d.Wall, zone)
}

// reading returns what the clock shows, as a time in UTC.
func (d DateTime) reading() time.Time { return time.Unix(d.Wall, 0).UTC() }

// secondOfDay returns the seconds since midnight.
func secondOfDay(wall int64) int64 { return (wall%day + day) % day }

// moment returns the time at which a clock of the zone shows a reading. See In.
func moment(wall int64, zone *time.Location) time.Time {
	r := time.Unix(wall, 0).UTC()
	t := time.Date(r.Year(), r.Month(), r.Day(), r.Hour(), r.Minute(), r.Second(), 0, zone)
	_, offset := t.Zone()
	if t.Unix()+int64(offset) < wall { // skipped, and t is what the offset after makes of it
		return time.Unix(wall-int64(offset), 0).In(zone)
	}
	if begin, _ := t.ZoneBounds(); !begin.IsZero() { // did the clock show it before it was set back?
		_, before := begin.Add(-1).Zone()
		if first := wall - int64(before); first < begin.Unix() && t.Unix()+int64(offset) == wall {
			return time.Unix(first, 0).In(zone)
		}
	}
	return t
}
