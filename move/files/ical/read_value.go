// Reading values (section 3.3 of RFC 5545).

package ical

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/rrule"
)

// Text returns the value of a text.
func (p *Property) Text() string { return textSigns.Replace(p.Value) }

// textSigns are those of a TEXT (section 3.3.11). A backslash before any other character is kept.
var textSigns = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";")

// TextList returns the values of a list of texts.
func (p *Property) TextList() (all []string) {
	for rest := p.Value; ; {
		i := 0
		for i < len(rest) && rest[i] != ',' {
			if i++; rest[i-1] == '\\' {
				i++
			}
		}
		i = min(i, len(rest))
		if text := textSigns.Replace(rest[:i]); strings.TrimSpace(text) != "" {
			all = append(all, text)
		}
		if i == len(rest) {
			return all
		}
		rest = rest[i+1:]
	}
}

// A Period is a value of RDATE: a date, and how long what begins then takes.
type Period struct {
	Start  rrule.DateTime
	End    rrule.DateTime // of a PERIOD with an end
	Length *Duration      // of a PERIOD with a duration
}

// Date returns the value of a property with one date.
func (p *Property) Date() (rrule.DateTime, error) {
	return rrule.ParseDateTime(strings.TrimSpace(p.Value))
}

// Periods returns the dates of a list, which may be periods.
func (p *Property) Periods() (all []Period, err error) {
	for text := range strings.SplitSeq(p.Value, ",") {
		start, end, isPeriod := strings.Cut(strings.TrimSpace(text), "/")
		if start == "" && !isPeriod {
			continue
		}
		var one Period
		if one.Start, err = rrule.ParseDateTime(start); err != nil {
			return nil, err
		}
		if isPeriod && strings.HasPrefix(strings.ToUpper(end), "P") {
			var length Duration
			length, err = ParseDuration(end)
			one.Length = &length
		} else if isPeriod {
			one.End, err = rrule.ParseDateTime(end)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Rule returns the value of a RECUR, without the spaces and the empty parts that programs write.
func (p *Property) Rule() string {
	parts := strings.FieldsFunc(p.Value, func(c rune) bool { return c == ';' })
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	return strings.Join(strings.Fields(strings.Join(parts, ";")), "")
}

// A Duration is a length of time: days of the calendar, and seconds that pass.
type Duration struct{ Days, Seconds int64 }

// longest is the longest duration, in seconds: all years that can be written.
const longest = 10_000 * 366 * 86_400

var errDuration = errors.New("is no duration, such as PT1H30M or P2D")

// ParseDuration reads a DURATION (section 3.3.6) that is not negative.
func ParseDuration(value string) (d Duration, err error) {
	text := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(value)), "+")
	fail := func() (Duration, error) { return Duration{}, fmt.Errorf("%.40q %w", value, errDuration) }
	rest, ok := strings.CutPrefix(text, "P")
	if !ok || rest == "" {
		return fail()
	}
	date, clock, hasClock := strings.Cut(rest, "T")
	if hasClock && clock == "" {
		return fail()
	}
	for _, part := range []struct {
		text, units string
		sizes       []int64
		sum         *int64
	}{{date, "WD", []int64{7, 1}, &d.Days}, {clock, "HMS", []int64{3600, 60, 1}, &d.Seconds}} {
		for text := part.text; text != ""; {
			i := strings.IndexAny(text, part.units)
			if i < 1 {
				return fail()
			}
			n, err := strconv.ParseInt(text[:i], 10, 64)
			if err != nil || n < 0 || n > longest {
				return fail()
			}
			*part.sum += n * part.sizes[strings.IndexByte(part.units, text[i])]
			text = text[i+1:]
		}
	}
	if d.Days > longest/86_400 || d.Seconds > longest {
		return fail()
	}
	return d, nil
}

// Offset reads a UTC-OFFSET (section 3.3.14), in seconds.
func Offset(value string) (int, error) {
	text := strings.TrimSpace(value)
	for _, layout := range []string{"-0700", "-070000"} {
		if t, err := time.Parse(layout, text); err == nil {
			_, seconds := t.Zone()
			return seconds, nil
		}
	}
	return 0, fmt.Errorf("%.40q is no offset, such as +0100", value)
}
