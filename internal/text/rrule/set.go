package rrule

// This file has the type of sets and checks them.

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// A Set is a recurrence set, section 3.8.5 of RFC 5545: its first date, a rule
// for more dates, and dates that are added and removed.
type Set struct {
	// Start is DTSTART, the first date of the set. A rule takes absent parts from it:
	// the time of day, the weekday, the day of the month.
	Start DateTime
	// Zone is the zone of dates of the form Local. Without a zone the set yields them
	// as if it were UTC, like dates of the form Date.
	Zone    *time.Location
	Rule    *Rule      // RRULE; may be nil
	RDates  []DateTime // RDATE: added dates
	ExDates []DateTime // EXDATE: removed dates, also of the rule, RDATE and DTSTART
}

// Check returns an error that says what is wrong with a set and what would be right.
// ParseSet returns checked sets.
func (s *Set) Check() error {
	switch {
	case s.Start.Form == 0:
		return errors.New("DTSTART: it is missing; a set needs its first date")
	case s.Zone != nil && s.Start.Form != Local:
		return fmt.Errorf(
			"DTSTART: %s has no use for the zone %s; a local time has one",
			s.Start,
			s.Zone,
		)
	}
	if err := s.Start.check(); err != nil {
		return fmt.Errorf("DTSTART: %w", err)
	}
	for _, list := range []struct {
		name  string
		dates []DateTime
	}{{"RDATE", s.RDates}, {"EXDATE", s.ExDates}} {
		for _, d := range list.dates {
			if err := d.check(); err != nil {
				return fmt.Errorf("%s: %w", list.name, err)
			}
			if d.Form != s.Start.Form && d.Form != Date && (d.Form != UTC || s.Zone == nil) {
				return fmt.Errorf(
					"%s: %q is not of the form of the start, %s; %s",
					list.name,
					d,
					s.Start,
					dateTimeHelp,
				)
			}
		}
	}
	if s.Rule == nil {
		return nil
	}
	if err := s.Rule.check(); err != nil {
		return err
	}
	if s.Start.Form == Date && s.Rule.Freq < Daily {
		return fmt.Errorf(
			"FREQ: %s does not go with a start without a time, %s; DAILY to YEARLY do",
			s.Rule.Freq,
			s.Start,
		)
	}
	return s.checkUntil()
}

// checkUntil checks that UNTIL is not before the start and has the form that the start
// requires (section 3.3.10).
func (s *Set) checkUntil() error {
	until := s.Rule.Until
	want := s.Start.Form
	if s.Zone != nil {
		want = UTC
	}
	switch {
	case until.Form == 0:
		return nil
	case until.Form != want:
		right := until
		if right.Form == Date { // to the end of the day
			right.Seconds += day - 1
		}
		switch {
		case want == UTC && until.Form != UTC:
			right = At(DateTime{right.Seconds, Local}.In(s.zone()), UTC)
		case until.Form == UTC && s.Zone == nil:
			right.Form = want
		}
		right = At(right.reading(), want)
		return fmt.Errorf(
			"UNTIL: %s is not of the form that goes with the start, %s; right would be UNTIL=%s",
			until,
			s.start(),
			right,
		)
	case until.In(s.zone()).Before(s.Start.In(s.zone())):
		return fmt.Errorf("UNTIL: %s is before the start, %s", until, s.start())
	}
	return nil
}

func (s *Set) start() string {
	if s.Zone != nil {
		return s.Start.String() + " in " + s.Zone.String()
	}
	return s.Start.String()
}

func (s *Set) zone() *time.Location { return cmp.Or(s.Zone, time.UTC) }
