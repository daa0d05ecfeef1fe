// The moment of a date whose words have been read.

package caltime

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Moment is a date as somebody wrote it. Which of its two times counts is for
// the caller to say: an event starts at the wall clock its author wrote, a
// search goes by the instant where the text names one.
type Moment struct {
	// Wall is the reading as written, whatever offset stands beside it; for words
	// relative to now the reading in the zone; for a timestamp the one in UTC. It
	// need not exist in the zone: 02:30 stays 02:30 where clocks are put forward.
	// Its year is from 1 to 9999.
	Wall time.Time

	// Instant is the instant meant, in UTC: by the offset or zone in the text,
	// otherwise Wall in the zone given. In the first and last hours of the years 1
	// and 9999 it may fall outside of them.
	Instant time.Time

	// Explicit says that the text itself names the instant, by an offset, a zone
	// or as a timestamp, so that the zone given to Parse plays no part.
	Explicit bool

	// HasTime is false when only a day was written and midnight stands for it:
	// "2031-05-10", "tomorrow", "next monday". Words that keep the time of day,
	// as "now" and "+2 weeks" do, have it.
	HasTime bool
}

// At returns the moment of a wall clock reading in the zone, to the second, like
// Parse of the reading in [Layout]. It is zero outside the years 1 to 9999, where
// Parse returns an error.
func At(local time.Time, zone *Zone) Moment {
	if !inRange(local) {
		return Moment{}
	}
	local = time.Unix(local.Unix(), 0).UTC() // whole seconds
	return Moment{Wall: local, Instant: zone.Instant(local), HasTime: true}
}

// forms ends every error of Parse.
const forms = `give a date such as "2031-05-10", "2031-05-10 14:30:00", "2031-05-10T14:30:00+02:00" or "May 10, 2031 2:30pm", ` +
	`a Unix timestamp, or words such as "today", "tomorrow 9am", "next monday" or "+2 weeks"`

// maxText is the length of the longest text Parse looks at, in bytes.
const maxText = 100

// Parse reads a date as people and programs write it. The specification says no
// more than "date"; grammar.go lists the forms, which existing clients send and
// their users type. Letter case and surrounding space do not matter.
//
// Words relative to now are taken in the zone, or in the one the text names.
// Digits alone are always a Unix timestamp, even if they look like a year or a
// day. Days past the end of a month run on into the next (2031-02-30 is 2 March),
// also after a step (31 January +1 month is 3 March). Months, hours, minutes and
// years that do not exist are errors, and so are results outside the years 1 to
// 9999. Every error says which forms are understood.
func Parse(text string, now time.Time, zone *Zone) (Moment, error) {
	if len(text) > maxText {
		return Moment{}, fmt.Errorf("a date of %d bytes is too long: %s", len(text), forms)
	}
	if m, ok := plain(text, zone); ok {
		return m, nil
	}
	if seconds, ok := timestamp(text); ok {
		if seconds < firstSecond || seconds > lastSecond {
			return Moment{}, errOutside(text)
		}
		t := time.Unix(seconds, 0).UTC()
		return Moment{Wall: t, Instant: t, Explicit: true, HasTime: true}, nil
	}
	p := parser{tokens: scan(text)}
	if !p.text() {
		if p.reason == "" {
			p.reason = "it has none of the forms that are understood"
		}
		return Moment{}, fmt.Errorf("%q is not a date, %s: %s", text, p.reason, forms)
	}
	m := p.meaning.resolve(now, zone)
	if !inRange(m.Wall) {
		return Moment{}, errOutside(text)
	}
	return m, nil
}

// The years 1 to 9999 in Unix seconds.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

// timestamp reads a text that is nothing but a Unix timestamp.
func timestamp(text string) (seconds int64, ok bool) {
	text, marked := strings.CutPrefix(strings.TrimSpace(text), "@")
	digits := text
	if marked {
		digits = strings.TrimPrefix(text, "-")
	}
	if strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return seconds, err == nil
}

func errOutside(text string) error {
	return fmt.Errorf("%q lies outside the years 1 to 9999: %s", text, forms)
}

func inRange(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

// A meaning has the parts of a text. Missing parts come from the present.
type meaning struct {
	hasDate          bool
	year, month, day int // year 0: the present one

	hasTime              bool
	hour, minute, second int

	zone *Zone // nil: none was named

	midnight bool // a word for a whole day: 00:00 unless a time is given
	shift    distance
	edge     edge // of the month that was reached

	hasWeekday bool
	weekday    time.Weekday
	direction  int  // -1 before the day, 0 on or after it, +1 after it
	inWeek     bool // the weekday belongs to the week, Monday to Sunday, that was reached
}

// A distance is in time. Months and days are counted on the calendar,
// seconds as they pass.
type distance struct{ years, months, days, seconds int64 }

// far tells whether one part alone crosses the whole calendar. Other distances
// cannot overflow, whatever the size of an int.
func (s distance) far() bool {
	const years, day = 10_000, 24 * secondsPerHour
	exceeds := func(n, most int64) bool { return n > most || n < -most }
	return exceeds(s.years, years) || exceeds(s.months, 12*years) ||
		exceeds(s.days, 366*years) || exceeds(s.seconds, 366*years*day)
}

func (s *distance) add(n int64, unit distance) {
	s.years += n * unit.years
	s.months += n * unit.months
	s.days += n * unit.days
	s.seconds += n * unit.seconds
}

// An edge is a day every month has; the zero value is none.
type edge int

const (
	firstDay edge = iota + 1
	lastDay
)

// resolve answers with a Wall out of range if the words lead there.
func (m *meaning) resolve(now time.Time, zone *Zone) Moment {
	if m.zone != nil {
		zone = m.zone
	}
	present := zone.Wall(now)
	keeps := !m.hasDate && !m.hasTime && !m.midnight && !m.hasWeekday

	year, month, day := m.date(present)
	hour := m.hour
	minute := m.minute
	second := m.second
	if keeps {
		hour, minute, second = present.Clock()
	}
	local := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if !inRange(local) {
		return Moment{Wall: local}
	}
	instant := zone.Instant(local)
	if keeps && local.Equal(present) {
		// Now is now, also in the second pass of an hour that is repeated.
		instant = time.Unix(now.Unix(), 0).UTC()
	}
	if m.shift.seconds != 0 {
		instant = time.Unix(instant.Unix()+m.shift.seconds, 0).UTC()
		local = zone.Wall(instant)
	}
	return Moment{
		Wall:     local,
		Instant:  instant,
		Explicit: m.zone != nil,
		HasTime:  m.hasTime || keeps || m.shift.seconds != 0,
	}
}

// date returns the day meant, which need not be normal: the weekday is looked for
// first, then come the steps, then the edge of the month.
func (m *meaning) date(present time.Time) (year, month, day int) {
	year = present.Year()
	month = int(present.Month())
	day = present.Day()
	if m.hasDate {
		month = m.month
		day = m.day
		if m.year != 0 {
			year = m.year
		}
	}
	if m.hasWeekday {
		from := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Weekday()
		day += m.daysTo(from)
	}
	year += int(m.shift.years)
	month += int(m.shift.months)
	day += int(m.shift.days)
	switch m.edge {
	case firstDay:
		day = 1
	case lastDay:
		month = month + 1
		day = 0
	}
	return year, month, day
}

// daysTo returns how far the weekday is from another one.
func (m *meaning) daysTo(from time.Weekday) int {
	if m.inWeek {
		return int(m.weekday+6)%7 - int(from+6)%7
	}
	days := int(m.weekday-from+7) % 7
	switch {
	case m.direction < 0:
		days -= 7
	case m.direction > 0 && days == 0:
		days = 7
	}
	return days
}
