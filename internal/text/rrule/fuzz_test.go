package rrule

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A parsed rule is printed in a form that parses to an equal rule with the same form.
func FuzzParseRule(f *testing.F) {
	for _, text := range []string{"FREQ=DAILY", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU,-1MO;BYHOUR=8,9;BYMINUTE=30;BYSETPOS=-1;WKST=SU",
		"FREQ=SECONDLY;UNTIL=20261231T235960Z;BYYEARDAY=-366;BYMONTHDAY=+1;BYSECOND=60", "BYWEEKNO=53,-1;FREQ=YEARLY;COUNT=3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule(text)
		if err != nil {
			return
		}
		again, err := ParseRule(r.String())
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, r, err)
		}
		if diff := cmp.Diff(r, again); diff != "" || r.String() != again.String() {
			t.Errorf("%q is printed as %q, which is another rule:\n%s", text, r, diff)
		}
	})
}

// The printed lines of a set parse to an equal set. Its dates are in order, each is
// there once, and From any of them yields the same dates.
func FuzzParseSet(f *testing.F) {
	f.Add("DTSTART;TZID=Europe/Berlin:20260328T023000\r\n" +
		"RRULE:FREQ=HOURLY\r\nRDATE;VALUE=DATE:20260329,\r\n 20270101\r\nEXDATE:20260330T003000Z\r\n")
	f.Add(
		"DTSTART;VALUE=DATE:20260328\nRRULE:FREQ=WEEKLY;UNTIL=20270101\nEXDATE;VALUE=DATE:20260404",
	)
	f.Add(
		"EXDATE;TZID=America/New_York:20260101T000000\nDTSTART;TZID=Pacific/Apia:20111229T100000\nRRULE:FREQ=MINUTELY;INTERVAL=7",
	)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSet(text, time.LoadLocation)
		if err != nil {
			return
		}
		again, err := ParseSet(s.String(), time.LoadLocation)
		if err != nil || s.String() != again.String() {
			t.Fatalf("%q is printed as %q, and that (error %v) as %q", text, s, err, again)
		}
		all := first(s, time.Unix(-1<<40, 0), 40)
		if !slices.IsSortedFunc(all, time.Time.Compare) ||
			len(slices.CompactFunc(slices.Clone(all), time.Time.Equal)) != len(all) {
			t.Errorf("%q: the dates are not in order, or not each there once: %v", text, all)
		}
		for i := range all {
			if diff := cmp.Diff(all[i:], first(s, all[i], len(all)-i)); diff != "" &&
				len(all) > 0 {
				t.Fatalf("%q: from %s on (-want, +got)\n%s", text, all[i], diff)
			}
		}
	})
}

func first(s *Set, from time.Time, most int) (all []time.Time) {
	for date := range s.From(from) {
		if len(all) == most {
			break
		}
		all = append(all, date)
	}
	return all
}

// Expansion returns the dates of the model, and no date costs more than a bound.
func FuzzExpand(f *testing.F) {
	for _, tt := range rangeOfRules {
		f.Add(tt, int64(1_795_000_000), int64(40*day))
	}
	f.Fuzz(func(t *testing.T, text string, start, skip int64) {
		r, err := ParseRule(text)
		if err != nil || len(text) > 300 {
			return
		}
		r.Until = DateTime{}
		const years = 8000 * 365 * day
		start = (start%years+years)%years - 900*365*day // the model knows the years 1070 to 9070
		checkExpansion(t, r, DateTime{start, Local}, (skip%years+years)%years)
		checkExpansion(t, &Rule{
			Freq:       max(r.Freq, Daily),
			ByMonth:    r.ByMonth,
			ByMonthDay: []int{1, -1},
			Count:      r.Count,
			Interval:   r.Interval,
		},
			At(DateTime{start, Local}.reading(), Date), 0)
	})
}

var rangeOfRules = []string{
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	"FREQ=YEARLY;BYWEEKNO=1,-1",
	"FREQ=YEARLY;BYDAY=20MO,-1FR;INTERVAL=3", "FREQ=HOURLY;INTERVAL=7;BYHOUR=3,4;BYMINUTE=0,59;BYSETPOS=2",
	"FREQ=MINUTELY;INTERVAL=25;BYDAY=MO",
	"FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,60;BYMINUTE=5", "FREQ=DAILY;BYMONTHDAY=29;BYMONTH=2;COUNT=3",
	"FREQ=YEARLY;BYYEARDAY=366,-366;BYMONTH=12",
}
