// The grammar of relative dates, which begin with "@".
//
//	relative = "@" anchor { step } [ blanks clock ] [ blanks zone ]
//	anchor   = "now" | "today" | "tomorrow" | "yesterday" | "start"
//	         | [ "next-" | "last-" ] weekday
//	         | [ "next-" | "last-" ] month "-" day
//	         | "start-of-" period
//	         | place "-" ( "day" | weekday ) "-of-" period
//	         | ( "next-" | "last-" ) ( "dst-gap" | "dst-fold" )
//	place    = "first" | "second" | "third" | "fourth" | "last"
//	period   = "week" | "month" | "year" | month
//	step     = ( "+" | "-" ) n ( "y" | "mo" | "w" | "d" | "h" | "min" | "s" )
//	clock    = hh ":" mm [ ":" ss ]
//	zone     = a name that LoadZone takes
//
// Months and weekdays are whole English words. Letter case does not matter.

package caltime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// relativeForms ends the errors of Relative.Parse.
const relativeForms = `write "@today+3d 19:00", "@now+2h", "@next-monday 09:00 Europe/Rome", "@december-24", "@start-of-month", ` +
	`"@last-friday-of-month+1mo", "@next-dst-gap America/New_York" or, for an end, "@start+2h"`

// A Relative has the values that dates with "@" are relative to.
type Relative struct {
	Now   time.Time // the present
	Zone  *Zone     // whose clocks count where a date names no other; nil is UTC
	Start time.Time // the value of "@start"; zero if there is none
	Zones *Zones    // keeps the zones that dates name; nil keeps none
}

// IsRelative reports whether a text is for Relative.Parse: it begins with "@"
// and goes on with a letter. "@1935000000" is a Unix timestamp, which Parse reads.
func IsRelative(text string) bool {
	return len(text) > 1 && text[0] == '@' && ('a' <= text[1]|' ' && text[1]|' ' <= 'z')
}

type anchored struct {
	anchor anchor
	steps  distance
	clock  time.Duration // since midnight; less than 0 when none was given
	zone   *Zone         // nil when none was named
}

// Parse reads a date that begins with "@" and returns its value now. The grammar
// is at the top of relative.go.
//
// The anchor is a day, which begins at midnight, or a moment: now, start, a
// change of the clocks. today is the local date in the zone. A weekday or a day of
// a month is the first that is today or later, with "next-" the first after today,
// with "last-" the last before it. A period contains today, and weeks begin on
// Monday; a named month is the first whose requested day is today or later. A
// dst-gap is the moment that follows a missing hour, and a dst-fold the first
// moment of the first occurrence of an hour that comes twice.
//
// Steps of y and mo move the year and month before the day is found in them:
// "@last-day-of-month+1mo" is the last day of the next month. A day past the end
// of a month is its last day. Then w and d apply, and then the clock, which
// replaces midnight or the time of the moment. Steps of h, min and s count elapsed
// time; they cannot be combined with a clock.
//
// In a year only steps of y lead to another period, and a week is always the week
// of today: elsewhere steps move the day that was found.
//
// The Moment is in the named zone, which is also returned, or else in the zone of
// r, and then the returned zone is nil. Errors say what would be right.
func (r Relative) Parse(text string) (Moment, *Zone, error) {
	a, err := r.read(text)
	if err != nil {
		return Moment{}, nil, fmt.Errorf("%.100q: %w; %s", text, err, relativeForms)
	}
	m, err := r.resolve(a)
	if err != nil {
		return Moment{}, nil, fmt.Errorf("%.100q: %w", text, err)
	}
	return m, a.zone, nil
}

func (r Relative) read(text string) (a anchored, err error) {
	if !IsRelative(text) || len(text) > maxText {
		return a, fmt.Errorf("is not a relative date of at most %d bytes", maxText)
	}
	words := strings.Fields(text[1:])
	a.clock = -1
	rest, err := a.anchor.read(strings.ToLower(words[0]))
	words = words[1:]
	if err == nil {
		err = a.readSteps(rest)
	}
	if err == nil && len(words) > 0 && strings.ContainsRune(words[0], ':') && '0' <= words[0][0] &&
		words[0][0] <= '9' {
		a.clock, err = readClock(words[0])
		words = words[1:]
	}
	if err == nil && len(words) > 0 {
		a.zone, err = r.load(words[0])
		words = words[1:]
	}
	switch {
	case err != nil:
		return a, err
	case len(words) > 0:
		return a, fmt.Errorf("%q comes after the zone, where nothing may come", words[0])
	case a.clock >= 0 && a.steps.seconds != 0:
		return a, fmt.Errorf("steps of h, min and s do not go with a clock")
	}
	return a, nil
}

func (r Relative) load(name string) (*Zone, error) {
	if r.Zones == nil {
		return LoadZone(name)
	}
	return r.Zones.Load(name)
}

var stepUnits = map[string]distance{
	"y": {years: 1}, "mo": {months: 1}, "w": {days: 7}, "d": {days: 1},
	"h": {seconds: secondsPerHour}, "min": {seconds: 60}, "s": {seconds: 1},
}

// readSteps reads what follows an anchor.
func (a *anchored) readSteps(text string) error {
	for text != "" {
		sign := int64(1)
		switch text[0] {
		case '-':
			sign = -1
		case '+':
		default:
			return fmt.Errorf("%q is no step such as +3d", text)
		}
		digits := text[1 : len(text)-len(strings.TrimLeft(text[1:], "0123456789"))]
		text = text[1+len(digits):]
		unit := text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
		text = text[len(unit):]
		step, ok := stepUnits[unit]
		n, err := strconv.ParseUint(digits, 10, 32)
		switch {
		case unit == "m":
			return fmt.Errorf("a step in m may mean months or minutes: write mo or min")
		case !ok:
			return fmt.Errorf("a step of %q has no unit of y, mo, w, d, h, min and s", digits+unit)
		case err != nil:
			return fmt.Errorf(
				"a step of %q has no number in front of its unit, or too large a one",
				digits+unit,
			)
		}
		a.steps.add(sign*int64(n), step)
		if a.steps.far() {
			return fmt.Errorf("it steps over more than 10000 years")
		}
	}
	return nil
}

func readClock(text string) (time.Duration, error) {
	parts := strings.Split(text, ":")
	if len(parts) == 2 {
		parts = append(parts, "00")
	}
	var values [3]time.Duration
	for i, limit := range [...]uint64{24, 60, 60} {
		if len(parts) != 3 || len(parts[i]) != 2 {
			return 0, fmt.Errorf("%q is no time of day such as 09:30 or 09:30:15", text)
		}
		n, err := strconv.ParseUint(parts[i], 10, 8)
		if err != nil || n >= limit {
			return 0, fmt.Errorf("there is no time of day %q; there are 00:00 to 23:59:59", text)
		}
		values[i] = time.Duration(n)
	}
	return values[0]*time.Hour + values[1]*time.Minute + values[2]*time.Second, nil
}

// wholeWord finds a name in a list, spelled out.
func wholeWord(names []string, word string) (i int, ok bool) {
	i = slices.Index(names, word)
	return i, i >= 0
}
