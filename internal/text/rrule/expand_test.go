package rrule

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// mostLooks is the greatest cost of a date: a look at every day to the year 9999, and
// a look at every second of a day.
const mostLooks = 3_700_000

// checkExpansion compares the expansion of a rule with the model, from the start and
// from a later reading.
func checkExpansion(t *testing.T, r *Rule, start DateTime, skip int64) {
	t.Helper()
	length := int64(1200 * day)
	if r.Freq < Daily {
		length = 3 * day
		if r.Freq == Secondly && len(r.BySecond) == 0 {
			length = 3600
		}
	}
	if w := newScan(r, start, lastLocal); w.begins.len()*w.within.len() > 2000 && r.Freq >= Daily {
		return // too much for the model
	}
	end := start.Seconds + length
	want := modelReadings(r, start, end)
	from := start.Seconds + skip%length
	for _, from := range []int64{start.Seconds, from} {
		w := newScan(r, start, lastLocal)
		var got []int64
		looks := 0
		for reading := range w.readings(from) {
			if r.Count == 0 && w.looks-looks > mostLooks {
				t.Errorf("%s from %s cost %d looks for one date", r, start, w.looks-looks)
			}
			looks = w.looks
			if reading >= end {
				break
			}
			got = append(got, reading)
		}
		if r.Count == 0 && w.looks-looks > mostLooks {
			t.Errorf("%s from %s cost %d looks to end", r, start, w.looks-looks)
		}
		later := want
		for len(later) > 0 && later[0] < from {
			later = later[1:]
		}
		if !slices.Equal(later, got) {
			t.Errorf(
				"%s, start %s, from %s: (-want, +got)\n%s",
				r,
				start,
				DateTime{from, Local},
				cmp.Diff(texts(later), texts(got)),
			)
		}
	}
}

func texts(readings []int64) []string {
	var all []string
	for _, r := range readings[:min(len(readings), 60)] {
		all = append(all, DateTime{r, Local}.String())
	}
	return all
}

// randomRule makes a rule that RFC 5545 allows.
func randomRule(rng *rand.Rand) *Rule {
	for {
		r := &Rule{Freq: Frequency(1 + rng.IntN(7)), Interval: 1}
		if rng.IntN(2) == 0 {
			r.Interval = 1 + rng.IntN([]int{3, 12, 40, 500}[rng.IntN(4)])
		}
		if rng.IntN(3) == 0 {
			r.Count = 1 + rng.IntN(40)
		}
		for _, p := range numberParts {
			if rng.IntN(5) != 0 {
				continue
			}
			for range 1 + rng.IntN([]int{1, 4, 20}[rng.IntN(3)]) {
				n := p.min + rng.IntN(p.max-p.min+1)
				if p.signed && rng.IntN(3) == 0 {
					n = -max(n, 1)
				}
				*p.list(r) = append(*p.list(r), n)
			}
		}
		if rng.IntN(3) == 0 {
			for range 1 + rng.IntN(4) {
				r.ByDay = append(r.ByDay, Day{Weekday: Weekday(rng.IntN(7))})
				if r.Freq >= Monthly && rng.IntN(2) == 0 {
					r.ByDay[len(r.ByDay)-1].Ordinal = []int{1, 2, 4, 5, -1, -2, 20, -53}[rng.IntN(8)]
				}
			}
		}
		if rng.IntN(3) == 0 {
			r.WeekStart = Weekday(rng.IntN(7))
		}
		if r.check() == nil {
			return r
		}
	}
}

func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5545, 1))
	for range 400 {
		start := DateTime{rng.Int64N(200*365*day) - 20*365*day, Local}
		if rng.IntN(4) == 0 { // the last days of a year, leap days
			start = At(
				time.Date(
					1996+rng.IntN(12),
					time.Month(2+10*rng.IntN(2)),
					29,
					rng.IntN(24),
					0,
					0,
					0,
					time.UTC,
				),
				Local,
			)
		}
		checkExpansion(t, randomRule(rng), start, rng.Int64N(1200*day))
	}
}

// Zones whose clocks skip an hour, half an hour, a day, and were never changed.
var zones = []string{
	"Europe/Berlin",
	"America/New_York",
	"Australia/Lord_Howe",
	"Pacific/Apia",
	"Asia/Kathmandu",
	"America/St_Johns",
	"Africa/Casablanca",
	"America/Sao_Paulo",
	"Pacific/Chatham",
	"Antarctica/Troll",
	"UTC",
}

// Local times become moments by section 3.3.5, around every change of some years.
// Dates come in order and once, from any moment on.
func TestZones(t *testing.T) {
	t.Parallel()
	for _, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		change := time.Date(2010, 1, 1, 0, 0, 0, 0, zone)
		for range 6 {
			if _, change = change.ZoneBounds(); change.IsZero() {
				break
			}
			around := At(change, Local).Seconds
			var want []int64
			s := &Set{
				Start: DateTime{around - 30*3600 - 17, Local},
				Zone:  zone,
				Rule: &Rule{
					Freq:     Minutely,
					Interval: 25,
					Count:    180,
				},
			}
			for i := range int64(s.Rule.Count) {
				unix := modelMoment(s.Start.Seconds+i*25*60, zone)
				if got := (DateTime{s.Start.Seconds + i*25*60, Local}).In(zone).Unix(); got != unix {
					t.Errorf(
						"%s: %s is %d, want %d",
						name,
						DateTime{s.Start.Seconds + i*25*60, Local},
						got,
						unix,
					)
				}
				want = append(want, unix)
			}
			slices.Sort(want)
			want = slices.Compact(want)
			for i := 0; i < len(want); i += 3 {
				for _, from := range []int64{want[i], want[i] + 1} {
					var got []int64
					for date := range s.From(time.Unix(from, 0)) {
						got = append(got, date.Unix())
					}
					later := want[i+int(from-want[i]):]
					if !slices.Equal(later, got) {
						t.Fatalf(
							"%s around %s, from %d: (-want, +got)\n%s",
							name,
							change,
							from,
							cmp.Diff(later, got),
						)
					}
				}
			}
		}
	}
}

// Rules without a date end the search, at a cost that is bounded and small.
func TestNever(t *testing.T) {
	t.Parallel()
	start := At(time.Date(2026, 11, 24, 19, 30, 0, 0, time.UTC), Local)
	for _, tt := range []struct {
		rule  string
		looks int
	}{
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 146_200},
		{"FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31", 146_200},
		{"FREQ=MONTHLY;BYDAY=6MO", 146_200},
		{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", 146_200},
		{"FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", 146_200},
		{"FREQ=DAILY;INTERVAL=7;BYDAY=MO", 146_200},
		{"FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", 146_200},
		{"FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", 146_200},
		{"FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", 240_000},
		{"FREQ=HOURLY;INTERVAL=24;BYHOUR=3", 300_000},
		{"FREQ=MINUTELY;INTERVAL=7;BYDAY=MO;BYYEARDAY=366;BYHOUR=0,7,14,21;BYMINUTE=1,8,15", 3_700_000},
		{"FREQ=SECONDLY;INTERVAL=11;BYMONTH=2;BYMONTHDAY=30", 3_700_000},
		{"FREQ=SECONDLY;INTERVAL=86399;BYHOUR=0;BYMINUTE=0;BYSECOND=0;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 3_700_000},
		{"FREQ=YEARLY;INTERVAL=999999999", 400},
		{"FREQ=SECONDLY;INTERVAL=999999999;BYMONTHDAY=31;BYMONTH=2", 3_700_000},
	} {
		r, err := ParseRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		w := newScan(r, start, lastLocal)
		for reading := range w.readings(start.Seconds) {
			t.Logf("%s: %s", tt.rule, DateTime{reading, Local})
			break
		}
		t.Logf("%s: %d looks", tt.rule, w.looks)
		if w.looks > tt.looks {
			t.Errorf("%s: %d looks, more than %d", tt.rule, w.looks, tt.looks)
		}
	}
}

// COUNT is counted from the start where it has to be, and computed where it can.
func TestCount(t *testing.T) {
	t.Parallel()
	start := At(time.Date(2026, 11, 24, 19, 30, 0, 0, time.UTC), Local)
	for rule, most := range map[string]int{
		"FREQ=WEEKLY;BYDAY=MO,TU,FR;COUNT=100000": 100,
		"FREQ=SECONDLY;COUNT=900000000":           100,
		"FREQ=DAILY;COUNT=9000;BYHOUR=1,2":        100,
		"FREQ=HOURLY;INTERVAL=5;COUNT=900000":     100,
		"FREQ=MONTHLY;COUNT=1000;BYDAY=-1SA":      1000 * 31,
	} {
		r, err := ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		var all []int64
		if r.Count <= 100_000 {
			all = slices.Collect(newScan(r, start, lastLocal).readings(start.Seconds))
			if len(all) != r.Count-1 && !strings.Contains(rule, "BYDAY=MO") || len(all) == 0 {
				t.Errorf("%s has %d dates", rule, len(all))
			}
		} else { // the last by arithmetic
			all = []int64{start.Seconds + int64(r.Count-1)*units[r.Freq]*int64(r.Interval)}
		}
		w := newScan(r, start, lastLocal)
		got := slices.Collect(w.readings(all[len(all)-1]))
		if !slices.Equal(got, all[len(all)-1:]) || w.looks > most {
			t.Errorf(
				"%s at its end: %v with %d looks, want %v",
				rule,
				texts(got),
				w.looks,
				texts(all[len(all)-1:]),
			)
		}
		if after := slices.Collect(newScan(r, start, lastLocal).readings(all[len(all)-1] + 1)); len(
			after,
		) > 0 {
			t.Errorf("%s after its end: %v", rule, texts(after))
		}
	}
}
