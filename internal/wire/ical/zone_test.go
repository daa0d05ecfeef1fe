package ical_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"almanac/internal/text/caltime"
	"almanac/internal/tools/race"
	"almanac/internal/wire/ical"
	"github.com/google/go-cmp/cmp"
)

// An observance is one of a VTIMEZONE, as this test reads it.
type observance struct {
	daylight   bool
	start      time.Time
	from, to   int
	name, rule string
}

// vtimezone reads a VTIMEZONE.
func vtimezone(t *testing.T, text string) (all []observance) {
	t.Helper()
	var o observance
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		var err error
		switch name {
		case "BEGIN":
			o = observance{daylight: value == "DAYLIGHT"}
		case "DTSTART":
			o.start, err = time.Parse("20060102T150405", value)
		case "TZOFFSETFROM":
			o.from = seconds(value)
		case "TZOFFSETTO":
			o.to = seconds(value)
		case "TZNAME":
			o.name = value
		case "RRULE":
			o.rule = value
		case "END":
			if value != "VTIMEZONE" {
				all = append(all, o)
			}
		case "TZID", "":
		default:
			t.Fatalf("unknown line %q", line)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) == 0 {
		t.Fatalf("no observance in\n%s", text)
	}
	return all
}

func seconds(offset string) int {
	h, _ := strconv.Atoi(offset[1:3])
	m, _ := strconv.Atoi(offset[3:5])
	s := 0
	if len(offset) > 5 {
		s, _ = strconv.Atoi(offset[5:])
	}
	if s += 3600*h + 60*m; offset[0] == '-' {
		return -s
	}
	return s
}

// last returns the last moment not after t at which the observance begins.
func (o observance) last(t time.Time) (time.Time, bool) {
	onset := o.start.Add(-time.Duration(o.from) * time.Second)
	if onset.After(t) {
		return onset, false
	}
	if o.rule == "" {
		return onset, true
	}
	for year := t.Year() + 1; year >= o.start.Year(); year-- {
		at := o.inYear(year).Add(-time.Duration(o.from) * time.Second)
		if !at.After(t) {
			return at, true
		}
	}
	return onset, true
}

// inYear returns what the rule gives in a year, by looking at every day of the month.
func (o observance) inYear(year int) (found time.Time) {
	parts := map[string]string{}
	for part := range strings.SplitSeq(o.rule, ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	month, _ := strconv.Atoi(parts["BYMONTH"])
	ordinal := parts["BYDAY"][:len(parts["BYDAY"])-2]
	day := parts["BYDAY"][len(parts["BYDAY"])-2:]
	var days []time.Time
	for d := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC); d.Month() == time.Month(month); d = d.AddDate(0, 0, 1) {
		listed := parts["BYMONTHDAY"] == "" ||
			strings.Contains(","+parts["BYMONTHDAY"]+",", fmt.Sprintf(",%d,", d.Day()))
		if strings.ToUpper(d.Weekday().String()[:2]) == day && listed {
			days = append(days, d)
		}
	}
	n, _ := strconv.Atoi(ordinal)
	switch {
	case n > 0:
		found = days[n-1]
	case n < 0:
		found = days[len(days)+n]
	case len(days) != 1:
		panic(fmt.Sprint(o.rule, " gives ", days))
	default:
		found = days[0]
	}
	return found.Add(o.start.Sub(o.start.Truncate(24 * time.Hour)))
}

// shown returns what the observances say of a moment.
func shown(all []observance, t time.Time) string {
	var at time.Time
	text := "nothing"
	for _, o := range all {
		if begin, ok := o.last(t); ok && (text == "nothing" || begin.After(at)) {
			at = begin
			text = fmt.Sprint(o.to, o.name, o.daylight)
		}
	}
	return text
}

// In a range of years, the VTIMEZONE of each zone has the same offsets as the zone.
func TestZoneSaysAlone(t *testing.T) {
	race.Alone(t)
	list, err := os.ReadFile("../../text/caltime/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := append(strings.Fields(string(list)), "UTC+2", "UTC-3:30", "UTC+5.5", "+02:00")
	rng := rand.New(rand.NewPCG(17, 1))
	looks := 0
	ruled := 0
	for _, name := range names {
		z, err := caltime.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		spans := [][2]int{{2025, 2027}, {1850, 1851}}
		if rng.IntN(8) == 0 {
			spans = append(spans, [2]int{1900, 2100})
		}
		for range 2 {
			from := 1900 + rng.IntN(199)
			spans = append(spans, [2]int{from, from + 1 + rng.IntN(min(30, 2100-from))})
		}
		for _, years := range spans {
			from := time.Date(
				years[0],
				time.Month(rng.IntN(12)+1),
				rng.IntN(28)+1,
				rng.IntN(24),
				rng.IntN(60),
				0,
				0,
				time.UTC,
			)
			to := time.Date(
				years[1],
				time.Month(rng.IntN(12)+1),
				rng.IntN(28)+1,
				rng.IntN(24),
				rng.IntN(60),
				0,
				0,
				time.UTC,
			)
			var w ical.Writer
			w.TimeZone(z, from, to)
			all := vtimezone(t, string(w.B))
			moments := []time.Time{from, to}
			for _, c := range z.Changes(from, to)[1:] {
				moments = append(moments, c.At, c.At.Add(-time.Second))
			}
			for range 20 {
				moments = append(moments, from.Add(time.Duration(rng.Int64N(int64(to.Sub(from))))))
			}
			for _, o := range all {
				if o.rule != "" { // and for good
					ruled++
					moments = append(
						moments,
						to.AddDate(10, rng.IntN(12), 0),
						to.AddDate(rng.IntN(200), 0, rng.IntN(365)),
					)
				}
			}
			for _, at := range moments {
				if at.Before(from) || len(moments) > 300 && rng.IntN(8) > 0 {
					continue
				}
				there := at.In(z.Location())
				abbr, offset := there.Zone()
				looks++
				if want, got := fmt.Sprint(offset, abbr, there.IsDST()), shown(all, at); got != want {
					t.Fatalf(
						"%s in %s to %s: at %s it says %s, want %s\n%s",
						name,
						from,
						to,
						at,
						got,
						want,
						w.B,
					)
				}
			}
		}
	}
	if looks < 30_000 || ruled < 400 {
		t.Errorf("only %d moments were looked at, and %d rules", looks, ruled)
	}
}

func TestZone(t *testing.T) {
	day := func(year int, month time.Month) time.Time { return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		zone     string
		from, to time.Time
		want     []string
	}{
		{"America/New_York", day(2026, 1), day(2026, 12), []string{
			"BEGIN:STANDARD", "DTSTART:20251102T020000", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU", "TZOFFSETFROM:-0400",
			"TZOFFSETTO:-0500", "TZNAME:EST", "END:STANDARD",
			"BEGIN:DAYLIGHT", "DTSTART:20260308T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "TZOFFSETFROM:-0500",
			"TZOFFSETTO:-0400", "TZNAME:EDT", "END:DAYLIGHT"}},
		{"Asia/Tokyo", day(2026, 1), day(2026, 12), []string{
			"BEGIN:STANDARD", "DTSTART:19510909T010000", "TZOFFSETFROM:+1000", "TZOFFSETTO:+0900", "TZNAME:JST", "END:STANDARD"}},
		{"Asia/Jerusalem", day(2026, 11), day(2026, 12), []string{
			"BEGIN:STANDARD", "DTSTART:20261025T020000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0300",
			"TZOFFSETTO:+0200", "TZNAME:IST", "END:STANDARD",
			"BEGIN:DAYLIGHT", "DTSTART:20270326T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR",
			"TZOFFSETFROM:+0200", "TZOFFSETTO:+0300", "TZNAME:IDT", "END:DAYLIGHT"}},
		{"+02:00", day(2026, 1), day(2026, 12), []string{
			"BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200", "TZNAME:GMT+0200", "END:STANDARD"}},
	}
	for _, test := range tests {
		z, err := caltime.LoadZone(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		var w ical.Writer
		w.TimeZone(z, test.from, test.to)
		want := append(
			[]string{"BEGIN:VTIMEZONE", "TZID:" + test.zone},
			append(test.want, "END:VTIMEZONE", "")...)
		got := strings.Split(strings.ReplaceAll(string(w.B), "\r\n ", ""), "\r\n")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.zone, diff)
		}
	}
}
