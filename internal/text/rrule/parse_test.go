package rrule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/rrule"
)

// Rules and the one form in which they are printed.
func TestParseRule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"FREQ=DAILY", "FREQ=DAILY"},
		{"freq=weekly;byday=tu,th;interval=2", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"},
		{"INTERVAL=1;WKST=MO;FREQ=WEEKLY", "FREQ=WEEKLY"},
		{"BYDAY=-1SA,+2MO,FR,2MO;FREQ=MONTHLY;WKST=SU", "FREQ=MONTHLY;BYDAY=FR,2MO,-1SA;WKST=SU"},
		{"FREQ=MONTHLY;BYMONTHDAY=-1,15,1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"},
		{"FREQ=YEARLY;BYWEEKNO=20,-1;BYMONTH=12,5;UNTIL=20261231", "FREQ=YEARLY;UNTIL=20261231;BYMONTH=5,12;BYWEEKNO=20,-1"},
		{"FREQ=HOURLY;BYYEARDAY=-366,366;UNTIL=20261231t235959z", "FREQ=HOURLY;UNTIL=20261231T235959Z;BYYEARDAY=366,-366"},
		{"FREQ=MINUTELY;COUNT=007;BYSECOND=60,0;BYMINUTE=59;BYHOUR=00,23;BYSETPOS=-1",
			"FREQ=MINUTELY;COUNT=7;BYHOUR=0,23;BYMINUTE=59;BYSECOND=0,60;BYSETPOS=-1"},
		{"FREQ=DAILY;UNTIL=20161231T235960", "FREQ=DAILY;UNTIL=20161231T235959"},
	} {
		r, err := rrule.ParseRule(tt.text)
		if err != nil {
			t.Errorf("ParseRule(%q): %v", tt.text, err)
			continue
		}
		if got := r.String(); got != tt.want {
			t.Errorf("ParseRule(%q) prints %q, want %q", tt.text, got, tt.want)
		}
		again, err := rrule.ParseRule(r.String())
		if diff := cmp.Diff(r, again); diff != "" || err != nil {
			t.Errorf("%q: read again (error %v) it is another rule:\n%s", r, err, diff)
		}
	}
}

// A prohibited rule is refused with the name of the part, what is wrong, and what would
// be right.
func TestParseRuleRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"", `"" is no part of a rule: parts are written NAME=VALUE with ; between them, as in FREQ=WEEKLY;BYDAY=TU`},
		{"FREQ=DAILY;", `"" is no part of a rule: parts are written NAME=VALUE`},
		{"RRULE:FREQ=DAILY", "RRULE:FREQ: there is no such part of a rule; there are FREQ, UNTIL,"},
		{"INTERVAL=2", "FREQ: it is missing"},
		{"FREQ=DAILY;FREQ=DAILY", "FREQ: it is there twice"},
		{"FREQ=FORTNIGHTLY", `FREQ: "FORTNIGHTLY" is no frequency; there are SECONDLY, MINUTELY,`},
		{"FREQ=DAILY;COUNT=2;UNTIL=20260101", "COUNT: the rule has UNTIL too"},
		{"FREQ=DAILY;COUNT=0", `COUNT: "0" is not a number from 1 to 999999999`},
		{"FREQ=DAILY;COUNT=+1", `COUNT: "+1" is not a number from 1`},
		{"FREQ=DAILY;INTERVAL=0", `INTERVAL: "0" is not a number from 1`},
		{"FREQ=DAILY;INTERVAL=99999999999999999999", `INTERVAL: "99999999999999999999" is not a number from 1`},
		{"FREQ=DAILY;UNTIL=20260229", `UNTIL: "20260229" is no date: it is written 20261124,`},
		{"FREQ=DAILY;UNTIL=20260228T240000", `UNTIL: "20260228T240000" is no date`},
		{"FREQ=DAILY;UNTIL=20260228Z", `UNTIL: "20260228Z" is no date`},
		{"FREQ=DAILY;UNTIL=20260228T000000.5", `UNTIL: "20260228T000000.5" is no date`},
		{"FREQ=DAILY;BYHOUR=24", `BYHOUR: "24" is not a number from 0 to 23`},
		{"FREQ=DAILY;BYHOUR=-1", `BYHOUR: "-1" is not a number from 0 to 23`},
		{"FREQ=DAILY;BYMINUTE=60", `BYMINUTE: "60" is not a number from 0 to 59`},
		{"FREQ=DAILY;BYSECOND=61", `BYSECOND: "61" is not a number from 0 to 60`},
		{"FREQ=DAILY;BYHOUR=1,,2", `BYHOUR: "" is not a number from 0 to 23`},
		{"FREQ=DAILY;BYMONTH=0", `BYMONTH: "0" is not a number from 1 to 12`},
		{"FREQ=MONTHLY;BYMONTHDAY=0", `BYMONTHDAY: "0" is not a number from 1 to 31, or -31 to -1 to count from the end`},
		{"FREQ=MONTHLY;BYMONTHDAY=-32", `BYMONTHDAY: "-32" is not a number from 1 to 31`},
		{"FREQ=YEARLY;BYYEARDAY=367", `BYYEARDAY: "367" is not a number from 1 to 366, or -366 to -1`},
		{"FREQ=YEARLY;BYWEEKNO=54", `BYWEEKNO: "54" is not a number from 1 to 53, or -53 to -1`},
		{"FREQ=YEARLY;BYDAY=MO;BYSETPOS=0", `BYSETPOS: "0" is not a number from 1 to 366, or -366 to -1`},
		{"FREQ=YEARLY;BYDAY=54MO", `BYDAY: "54" is not a number from 1 to 53`},
		{"FREQ=YEARLY;BYDAY=0MO", `BYDAY: "0" is not a number from 1 to 53`},
		{"FREQ=YEARLY;BYDAY=M", `BYDAY: "M" is no weekday; there are MO, TU, WE, TH, FR, SA, SU, with a number before them`},
		{"FREQ=WEEKLY;WKST=1MO", `WKST: "1MO" is no weekday; there are MO, TU, WE, TH, FR, SA, SU`},
		{"FREQ=WEEKLY;BYDAY=1MO", "BYDAY: 1MO has a number, which goes with FREQ=MONTHLY or YEARLY; with FREQ=WEEKLY it is MO"},
		{"FREQ=YEARLY;BYWEEKNO=1;BYDAY=-1MO", "BYDAY: -1MO has a number, which does not go with BYWEEKNO"},
		{"FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO: weeks have numbers within a year; it goes with FREQ=YEARLY, and not with MONTHLY"},
		{"FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY: it does not go with FREQ=DAILY, but with YEARLY, HOURLY"},
		{"FREQ=WEEKLY;BYYEARDAY=1", "BYYEARDAY: it does not go with FREQ=WEEKLY"},
		{"FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY: it does not go with FREQ=MONTHLY"},
		{"FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY: it does not go with FREQ=WEEKLY"},
		{"FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS: it picks from the dates of another BY part, and there is none"},
	} {
		r, err := rrule.ParseRule(tt.text)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf(
				"ParseRule(%q) = %v, error %v, want an error that begins with %q",
				tt.text,
				r,
				err,
				tt.want,
			)
		}
	}
}

// Lines are read in any order and folded, and printed in one form.
func TestParseSet(t *testing.T) {
	t.Parallel()
	text := "EXDATE;TZID=Europe/Berlin:20261208T193000\r\n" +
		"rrule:FREQ=WEEKLY;IN\r\n TERVAL=2\n" +
		"RDATE;VALUE=DATE:20270102,20270101\n" +
		"EXDATE;TZID=\"America/New_York\";X-A=\"b:c\":20261222T133000\n\n" +
		"DTSTART;X-B=c;TZID=Europe/Berlin:20261124T193000"
	s, err := rrule.ParseSet(text, time.LoadLocation)
	if err != nil {
		t.Fatal(err)
	}
	want := "DTSTART;TZID=Europe/Berlin:20261124T193000\r\nRRULE:FREQ=WEEKLY;INTERVAL=2\r\nRDATE;VALUE=DATE:20270101,20270102\r\n" +
		"EXDATE;TZID=Europe/Berlin:20261208T193000\r\nEXDATE:20261222T183000Z\r\n"
	if diff := cmp.Diff(want, s.String()); diff != "" {
		t.Errorf("printed (-want, +got):\n%s", diff)
	}
	for range 9 {
		s.ExDates = append(s.ExDates, rrule.DateTime{
			Seconds: s.Start.Seconds + 86400*int64(len(s.ExDates)),
			Form:    rrule.Local,
		})
	}
	for line := range strings.SplitSeq(s.String(), "\r\n") {
		if len(line) > 75 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	again, err := rrule.ParseSet(s.String(), time.LoadLocation)
	if err != nil || again.String() != s.String() {
		t.Errorf("read again (error %v):\n%s\nwant:\n%s", err, again, s)
	}
	if s, err := rrule.ParseSet("RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20261224", nil); err != nil ||
		s.Start.Form != 0 ||
		len(s.ExDates) != 1 {
		t.Errorf("without a start: %v, error %v", s, err)
	}
}

func TestParseSetRefuses(t *testing.T) {
	t.Parallel()
	const start = "DTSTART;TZID=Europe/Berlin:20261124T193000\n"
	for _, tt := range []struct{ text, want string }{
		{"FREQ=DAILY", `"FREQ=DAILY" is no line of a set: lines are written NAME:value`},
		{"SUMMARY:Choir", `"SUMMARY" is no line of a set; there are DTSTART, RRULE, RDATE and EXDATE`},
		{"EXRULE:FREQ=DAILY", "EXRULE: RFC 5545 has it no more; dates are taken away by EXDATE"},
		{"RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "RRULE: there are two; RFC 5545 says that a set should have one"},
		{start + start, "DTSTART: it is there twice"},
		{"DTSTART:20261124T193000,20261124T203000", "DTSTART: a set has one start"},
		{"DTSTART:20261124", "DTSTART: 20261124: dates without a time, and they alone, are on lines with VALUE=DATE"},
		{"DTSTART;VALUE=DATE:20261124T193000", "DTSTART: 20261124T193000: dates without a time, and they alone"},
		{"DTSTART;VALUE=DATE;TZID=Europe/Berlin:20261124", "DTSTART: dates without a time have no TZID"},
		{"DTSTART;TZID=Europe/Berlin:20261124T193000Z", "DTSTART: 20261124T193000Z: a time in UTC has no TZID"},
		{"DTSTART;TZID=Europe/Atlantis:20261124T193000", "DTSTART: TZID Europe/Atlantis: unknown time zone Europe/Atlantis"},
		{"RDATE;VALUE=PERIOD:19960403T020000Z/PT3H", "RDATE: a period has a length of its own, and the dates of a set are equally long"},
		{"RDATE;VALUE=TEXT:x", "RDATE: VALUE=TEXT is not known; there are DATE and DATE-TIME"},
		{"EXDATE:2026-11-24", `EXDATE: "2026-11-24" is no date: it is written 20261124`},
		{start + "RRULE:FREQ=DAILY;UNTIL=20261231", "UNTIL: 20261231 is not of the form that goes with the start, " +
			"20261124T193000 in Europe/Berlin; right would be UNTIL=20261231T225959Z"},
		{start + "RRULE:FREQ=DAILY;UNTIL=20260701T000000", "UNTIL: 20260701T000000 is not of the form that goes with the start, " +
			"20261124T193000 in Europe/Berlin; right would be UNTIL=20260630T220000Z"},
		{start + "RRULE:FREQ=DAILY;UNTIL=20260701T000000Z", "UNTIL: 20260701T000000Z is before the start, 20261124T193000 in Europe/Berlin"},
		{"DTSTART:20261124T193000\nRRULE:FREQ=DAILY;UNTIL=20270101T000000Z", "UNTIL: 20270101T000000Z is not of the form that goes with " +
			"the start, 20261124T193000; right would be UNTIL=20270101T000000"},
		{"DTSTART:20261124T193000\nRRULE:FREQ=DAILY;UNTIL=20270101", "UNTIL: 20270101 is not of the form that goes with " +
			"the start, 20261124T193000; right would be UNTIL=20270101T235959"},
		{"DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=DAILY;UNTIL=20270101T000000Z", "UNTIL: 20270101T000000Z is not of the form that goes with " +
			"the start, 20261124; right would be UNTIL=20270101"},
		{"DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=HOURLY", "FREQ: HOURLY does not go with a start without a time, 20261124"},
		{"DTSTART;VALUE=DATE:20261124\nEXDATE:20261124T193000", `EXDATE: "20261124T193000" is not of the form of the start, 20261124`},
		{"DTSTART:20261124T193000\nRDATE:20261124T193000Z", `RDATE: "20261124T193000Z" is not of the form of the start, 20261124T193000`},
		{"DTSTART:20261124T193000Z\nRDATE:20261124T193000", `RDATE: "20261124T193000" is not of the form of the start, 20261124T193000Z`},
	} {
		s, err := rrule.ParseSet(tt.text, time.LoadLocation)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf(
				"ParseSet(%q) = %v, error %v, want an error that begins with %q",
				tt.text,
				s,
				err,
				tt.want,
			)
		}
	}
}
