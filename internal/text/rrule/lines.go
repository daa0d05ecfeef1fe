package rrule

// This file reads the lines of a set (sections 3.8.2.4 and 3.8.5 of RFC 5545).

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ParseSet reads the lines DTSTART, RRULE, RDATE and EXDATE, in any order and
// folded or not (section 3.1). Zones returns the zone of a TZID, as time.LoadLocation does.
// Lines without DTSTART are read too: the caller adds the start and checks the set.
// RDATE and EXDATE in another zone than the start become moments in UTC.
func ParseSet(text string, zones func(name string) (*time.Location, error)) (*Set, error) {
	s := &Set{}
	seen := map[string]bool{}
	var later []line // RDATE and EXDATE, which need the zone of the start
	text = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(text)
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) == "" {
			continue
		}
		parsed, err := parseLine(strings.TrimRight(l, "\r\n"), zones)
		if err != nil {
			return nil, err
		}
		switch name := parsed.name; {
		case name == "RRULE" && seen[name]:
			return nil, errors.New(
				"RRULE: there are two; RFC 5545 says that a set should have one, and programs differ on the others. " +
					"Make a set of each",
			)
		case name == "DTSTART" && seen[name]:
			return nil, errors.New("DTSTART: it is there twice; a set has one start")
		case name == "RRULE":
			if s.Rule, err = ParseRule(parsed.value); err != nil {
				return nil, err
			}
		case name == "DTSTART":
			dates, err := parsed.dates()
			if err != nil {
				return nil, err
			}
			if len(dates) != 1 {
				return nil, errors.New(
					"DTSTART: a set has one start, and its other dates are RDATE",
				)
			}
			s.Start = dates[0]
			s.Zone = parsed.zone
		default:
			later = append(later, parsed)
		}
		seen[parsed.name] = true
	}
	for _, l := range later {
		dates, err := l.dates()
		if err != nil {
			return nil, err
		}
		if l.zone != nil && (s.Zone == nil || s.Zone.String() != l.zone.String()) {
			for i, d := range dates {
				dates[i] = At(d.In(l.zone), UTC)
			}
		}
		if l.name == "RDATE" {
			s.RDates = append(s.RDates, dates...)
		} else {
			s.ExDates = append(s.ExDates, dates...)
		}
	}
	if s.Start.Form == 0 {
		return s, nil
	}
	return s, s.Check()
}

// A line is a content line, section 3.1 of RFC 5545.
type line struct {
	name, value string
	zone        *time.Location // of its TZID
	kind        string         // its VALUE: DATE, or another with a time
}

func parseLine(text string, zones func(string) (*time.Location, error)) (l line, err error) {
	quoted := false
	colon := strings.IndexFunc(text, func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return c == ':' && !quoted
	})
	if colon < 0 {
		return l, fmt.Errorf(
			"%q is no line of a set: lines are written NAME:value, as in RRULE:FREQ=WEEKLY",
			text,
		)
	}
	params := strings.Split(text[:colon], ";")
	l.name = strings.ToUpper(params[0])
	l.value = text[colon+1:]
	switch l.name {
	case "DTSTART", "RRULE", "RDATE", "EXDATE":
	case "EXRULE":
		return l, errors.New("EXRULE: RFC 5545 has it no more; dates are taken away by EXDATE")
	default:
		return l, fmt.Errorf(
			"%q is no line of a set; there are DTSTART, RRULE, RDATE and EXDATE",
			l.name,
		)
	}
	for _, param := range params[1:] { // unknown parameters are ignored (section 3.2)
		switch name, value, _ := strings.Cut(param, "="); strings.ToUpper(name) {
		case "VALUE":
			l.kind = strings.ToUpper(value)
		case "TZID":
			if l.zone, err = zones(strings.Trim(value, `"`)); err != nil {
				return l, fmt.Errorf("%s: TZID %s: %w", l.name, value, err)
			}
		}
	}
	switch {
	case l.kind == "PERIOD":
		return l, fmt.Errorf(
			"%s: a period has a length of its own, and the dates of a set are equally long; write where it begins",
			l.name,
		)
	case l.kind != "" && l.kind != "DATE" && l.kind != "DATE-TIME":
		return l, fmt.Errorf(
			"%s: VALUE=%s is not known; there are DATE and DATE-TIME",
			l.name,
			l.kind,
		)
	case l.zone != nil && l.kind == "DATE":
		return l, fmt.Errorf("%s: dates without a time have no TZID", l.name)
	}
	return l, nil
}

// dates reads the value of a line that is a list of dates.
func (l line) dates() ([]DateTime, error) {
	var all []DateTime
	for text := range strings.SplitSeq(l.value, ",") {
		d, err := ParseDateTime(text)
		switch {
		case err != nil:
		case (d.Form == Date) != (l.kind == "DATE"):
			err = fmt.Errorf(
				"%s: dates without a time, and they alone, are on lines with VALUE=DATE",
				text,
			)
		case d.Form == UTC && l.zone != nil:
			err = fmt.Errorf("%s: a time in UTC has no TZID", text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
		all = append(all, d)
	}
	return all, nil
}
