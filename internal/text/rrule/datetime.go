package rrule

// This file has dates with and without a time of day, and their moments in a zone.

import (
	"fmt"
	"strings"
	"time"
)

// A Form is a form of dates in iCalendar.
type Form int

// The forms. The zero Form is that of an absent date.
const (
	Date  Form = iota + 1 // 20261124: a day
	Local                 // 20261124T193000: a local time
	UTC                   // 20261124T183000Z: a moment
)

// A DateTime is a DATE or DATE-TIME of iCalendar; a Date is its midnight. The zero
// DateTime is an absent date.
type DateTime struct {
	Seconds int64 // since 1970-01-01 00:00:00 on the same clock
	Form    Form
}

const (
	day                = 86400
	firstLocal   int64 = -62_167_219_200 // 0000-01-01 00:00:00
	lastLocal    int64 = 253_402_300_799 // 9999-12-31 23:59:59
	dateLayout         = "20060102"
	localLayout        = "20060102T150405"
	dateTimeHelp       = "it is written 20261124, 20261124T193000 or, in UTC, 20261124T183000Z"
)

// At returns the DateTime of a time. The forms Date and Local are the date and the
// local time in t's own location.
func At(t time.Time, form Form) DateTime {
	if form == UTC {
		t = t.UTC()
	}
	_, offset := t.Zone()
	local := t.Unix() + int64(offset)
	if form == Date {
		local -= secondOfDay(local)
	}
	return DateTime{local, form}
}

// ParseDateTime reads a date of any form.
func ParseDateTime(text string) (DateTime, error) {
	plain, utc := strings.CutSuffix(strings.ToUpper(text), "Z")
	layout := localLayout
	d := DateTime{Form: Local}
	switch {
	case utc:
		d.Form = UTC
	case len(plain) == len(dateLayout):
		layout = dateLayout
		d.Form = Date
	}
	leap := len(plain) == len(localLayout) && plain[13:] == "60"
	if leap { // section 3.3.12: a clock without leap seconds reads the second before
		plain = plain[:13] + "59"
	}
	t, err := time.Parse(layout, plain)
	if err != nil ||
		t.Format(layout) != plain { // package time reads fractions that are not in the layout
		return DateTime{}, fmt.Errorf("%q is no date: %s", text, dateTimeHelp)
	}
	d.Seconds = t.Unix()
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

// In returns the moment of the date in the zone (section 3.3.5 of RFC 5545). A local
// time that happens twice is the first of the two moments. A local time that the
// clock skips is read with the offset before the change.
func (d DateTime) In(zone *time.Location) time.Time {
	if d.Form == UTC {
		return d.reading().In(zone)
	}
	return moment(d.Seconds, zone)
}

// reading returns the local time as a time in UTC.
func (d DateTime) reading() time.Time { return time.Unix(d.Seconds, 0).UTC() }

func secondOfDay(local int64) int64 { return (local%day + day) % day }

// moment returns the moment of a local time in the zone. See In.
func moment(local int64, zone *time.Location) time.Time {
	r := time.Unix(local, 0).UTC()
	t := time.Date(r.Year(), r.Month(), r.Day(), r.Hour(), r.Minute(), r.Second(), 0, zone)
	_, offset := t.Zone()
	if t.Unix()+int64(offset) < local { // skipped; t has the offset after the change
		return time.Unix(local-int64(offset), 0).In(zone)
	}
	if begin, _ := t.ZoneBounds(); !begin.IsZero() { // did the clock show it before it was set back?
		_, before := begin.Add(-1).Zone()
		if first := local - int64(before); first < begin.Unix() &&
			t.Unix()+int64(offset) == local {
			return time.Unix(first, 0).In(zone)
		}
	}
	return t
}
