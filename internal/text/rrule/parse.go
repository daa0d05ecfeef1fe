package rrule

// This file reads rules.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const partNames = "FREQ, UNTIL, COUNT, INTERVAL, BYSECOND, BYMINUTE, BYHOUR, BYDAY, " +
	"BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH, BYSETPOS, WKST"

// largest is the largest COUNT and INTERVAL: the seconds of a year 31 times over.
const largest = 999_999_999

// ParseRule reads a rule, "FREQ=MONTHLY;BYDAY=-1SA": parts in any order and letter
// case. A rule that section 3.3.10 of RFC 5545 prohibits is an error, which names the
// part, what is wrong and what would be right. Set.Check compares the forms of UNTIL
// and the start.
func ParseRule(text string) (*Rule, error) {
	r := &Rule{Interval: 1}
	var seen []string
	for field := range strings.SplitSeq(text, ";") {
		name, value, found := strings.Cut(strings.ToUpper(field), "=")
		if !found || value == "" {
			return nil, fmt.Errorf(
				"%q is no part of a rule: parts are written NAME=VALUE with ; between them, as in FREQ=WEEKLY;BYDAY=TU",
				field,
			)
		}
		if slices.Contains(seen, name) {
			return nil, fmt.Errorf(
				"%s: it is there twice; a part has all of its values in one list",
				name,
			)
		}
		seen = append(seen, name)
		if err := r.parsePart(name, value); err != nil {
			return nil, err
		}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.canonical(), nil
}

func (r *Rule) parsePart(name, value string) (err error) {
	switch name {
	case "FREQ":
		i := slices.Index(frequencyNames, value)
		if i < 1 {
			return fmt.Errorf(
				"FREQ: %q is no frequency; there are %s",
				value,
				strings.Join(frequencyNames[1:], ", "),
			)
		}
		r.Freq = Frequency(i)
	case "UNTIL":
		if r.Until, err = ParseDateTime(value); err != nil {
			return fmt.Errorf("UNTIL: %w", err)
		}
	case "COUNT":
		r.Count, err = parseNumber(name, value, 1, largest, false)
	case "INTERVAL":
		r.Interval, err = parseNumber(name, value, 1, largest, false)
	case "WKST":
		r.WeekStart, err = parseWeekday(name, value)
	case "BYDAY":
		for entry := range strings.SplitSeq(value, ",") {
			d := Day{}
			at := max(len(entry)-2, 0)
			if d.Weekday, err = parseWeekday(name, entry[at:]); err != nil {
				return err
			}
			if at > 0 {
				if d.Ordinal, err = parseNumber(name, entry[:at], 1, 53, true); err != nil {
					return err
				}
			}
			r.ByDay = append(r.ByDay, d)
		}
	default:
		i := slices.IndexFunc(numberParts, func(p part) bool { return p.name == name })
		if i < 0 {
			return fmt.Errorf("%s: there is no such part of a rule; there are %s", name, partNames)
		}
		p := numberParts[i]
		for entry := range strings.SplitSeq(value, ",") {
			n, err := parseNumber(name, entry, p.min, p.max, p.signed)
			if err != nil {
				return err
			}
			*p.list(r) = append(*p.list(r), n)
		}
	}
	return err
}

// parseNumber reads digits, with a sign before them if numbers may be negative.
func parseNumber(name, text string, least, most int, signed bool) (int, error) {
	digits := text
	if signed && (strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+")) {
		digits = text[1:]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || strings.Trim(digits, "0123456789") != "" || n > most || n < least {
		return 0, outOfRange(name, text, least, most, signed)
	}
	if text[0] == '-' {
		n = -n
	}
	return n, nil
}

func parseWeekday(name, text string) (Weekday, error) {
	i := slices.Index(weekdayNames, text)
	if i < 0 {
		example := ""
		if name == "BYDAY" {
			example = ", with a number before them for the first (1TU), the last (-1TU) and so on"
		}
		return 0, fmt.Errorf(
			"%s: %q is no weekday; there are %s%s",
			name,
			text,
			strings.Join(weekdayNames, ", "),
			example,
		)
	}
	return Weekday(i), nil
}

func outOfRange(name, text string, least, most int, signed bool) error {
	also := ""
	if signed {
		also = fmt.Sprintf(", or -%d to -%d to count from the end", most, least)
	}
	return fmt.Errorf("%s: %q is not a number from %d to %d%s", name, text, least, most, also)
}
