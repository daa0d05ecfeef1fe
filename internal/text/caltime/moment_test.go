// Tests of the grammar of dates: the moment of each form, and refused texts.

package caltime_test

import (
	"strings"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"github.com/google/go-cmp/cmp"
)

// present is Friday 20 November 2026, 19:01:40.25 in New York.
var present = time.Date(2026, 11, 21, 0, 1, 40, 250e6, time.UTC)

func moment(t testing.TB, text string, now time.Time, z *caltime.Zone) caltime.Moment {
	t.Helper()
	m, err := caltime.Parse(text, now, z)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reading parses in New York and returns the wall clock.
func reading(t testing.TB, text string) string {
	t.Helper()
	return moment(t, text, present, zone(t, "America/New_York")).Wall.Format(caltime.Layout)
}

func TestParseForms(t *testing.T) {
	tests := []struct{ text, want string }{
		// Figures.
		{"2031-05-10", "2031-05-10 00:00:00"},
		{"2031-05-10 09:00", "2031-05-10 09:00:00"},
		{"2031-05-10 09:00:05", "2031-05-10 09:00:05"},
		{"2031-05-10T09:00", "2031-05-10 09:00:00"},
		{"2031-05-10t09:00:05", "2031-05-10 09:00:05"},
		{"2031-05-10T09:00:00.123", "2031-05-10 09:00:00"},
		{"2031-05-10 09:00:59.999999999999", "2031-05-10 09:00:59"},
		{"  2031-05-10\t09:00\n", "2031-05-10 09:00:00"},
		{"2026-1-5 9:3:0", "2026-01-05 09:03:00"},
		{"2026/11/20T06:00", "2026-11-20 06:00:00"},
		{"2026/1/5", "2026-01-05 00:00:00"},
		{"05/10/2031", "2031-05-10 00:00:00"},
		{"5/9/2031 9am", "2031-05-09 09:00:00"},
		{"10.05.2031", "2031-05-10 00:00:00"},
		{"9.5.2031 14:30", "2031-05-09 14:30:00"},
		{"10-05-2031", "2031-05-10 00:00:00"},
		{"2031-05", "2031-05-01 00:00:00"},
		{"20310510T090000", "2031-05-10 09:00:00"},
		{"20310510T0930", "2031-05-10 09:30:00"},
		{"20310510 9:30", "2031-05-10 09:30:00"},
		{"2031-05-10T093000Z", "2031-05-10 09:30:00"},
		{"9:30 2031-05-10", "2031-05-10 09:30:00"},
		{"9am, 2031-05-10", "2031-05-10 09:00:00"},

		// Weeks: 2031 begins on a Wednesday, 2027 on a Friday.
		{"2031-W20", "2031-05-12 00:00:00"},
		{"2031W20", "2031-05-12 00:00:00"},
		{"2031-w20-3", "2031-05-14 00:00:00"},
		{"2031W207", "2031-05-18 00:00:00"},
		{"2031-W20-3T10:00", "2031-05-14 10:00:00"},
		{"2031-W20 10:00", "2031-05-12 10:00:00"},
		{"2031-W01", "2030-12-30 00:00:00"},
		{"2027-W01-1", "2027-01-04 00:00:00"},
		{"2026-W53-7", "2027-01-03 00:00:00"},
		{"2027-W53", "2028-01-03 00:00:00"},
		{"last day of 2031-W01", "2030-12-31 00:00:00"},

		// English.
		{"May 10, 2031 9am", "2031-05-10 09:00:00"},
		{"may 10,2031", "2031-05-10 00:00:00"},
		{"April 10 2031", "2031-04-10 00:00:00"},
		{"APRIL 10TH, 2031", "2031-04-10 00:00:00"},
		{"10 May 2031", "2031-05-10 00:00:00"},
		{"1st may 2031", "2031-05-01 00:00:00"},
		{"2nd Sept. 2031", "2031-09-02 00:00:00"},
		{"10. May 2031", "2031-05-10 00:00:00"},
		{"10-May-2031", "2031-05-10 00:00:00"},
		{"May-10-2031", "2031-05-10 00:00:00"},
		{"2031-May-10", "2031-05-10 00:00:00"},
		{"2031 May 10 9am", "2031-05-10 09:00:00"},
		{"May 2031", "2031-05-01 00:00:00"},
		{"May 2031 10:00", "2031-05-01 10:00:00"},
		{"2031 May", "2031-05-01 00:00:00"},
		{"10 May", "2026-05-10 00:00:00"},
		{"May 10 10:00", "2026-05-10 10:00:00"},
		{"Sat, 10 May 2031 10:00:00 +0000", "2031-05-10 10:00:00"},
		{"Monday, 10 May 2031", "2031-05-12 00:00:00"},

		// Times.
		{"2031-05-10 9am", "2031-05-10 09:00:00"},
		{"2031-05-10 9:30 PM", "2031-05-10 21:30:00"},
		{"2031-05-10 9:30:15pm", "2031-05-10 21:30:15"},
		{"2031-05-10 9 p.m.", "2031-05-10 21:00:00"},
		{"2031-05-10 12am", "2031-05-10 00:00:00"},
		{"2031-05-10 12:30am", "2031-05-10 00:30:00"},
		{"2031-05-10 12pm", "2031-05-10 12:00:00"},
		{"2031-05-10 noon", "2031-05-10 12:00:00"},
		{"2031-05-10 midnight", "2031-05-10 00:00:00"},
		{"2031-05-10 24:00", "2031-05-11 00:00:00"},
		{"2031-12-31 24:00:00", "2032-01-01 00:00:00"},
		{"2031-05-10 23:59:60", "2031-05-11 00:00:00"},

		// Days that run on.
		{"2031-02-30", "2031-03-02 00:00:00"},
		{"2032-02-30", "2032-03-01 00:00:00"},
		{"2031-04-31 10:00", "2031-05-01 10:00:00"},

		// The ends of the calendar.
		{"0001-01-01", "0001-01-01 00:00:00"},
		{"1900-01-01", "1900-01-01 00:00:00"},
		{"1970-01-01 00:00:00", "1970-01-01 00:00:00"},
		{"9999-12-31 23:59:59", "9999-12-31 23:59:59"},

		// Words.
		{"now", "2026-11-20 19:01:40"},
		{"NOW", "2026-11-20 19:01:40"},
		{"today", "2026-11-20 00:00:00"},
		{"midnight", "2026-11-20 00:00:00"},
		{"noon", "2026-11-20 12:00:00"},
		{"tomorrow", "2026-11-21 00:00:00"},
		{"tomorrow 9am", "2026-11-21 09:00:00"},
		{"9am tomorrow", "2026-11-21 09:00:00"},
		{"tomorrow noon", "2026-11-21 12:00:00"},
		{"yesterday 14:00", "2026-11-19 14:00:00"},
		{"10:00", "2026-11-20 10:00:00"},
		{"T10:00", "2026-11-20 10:00:00"},

		// Weekdays; today is a Friday.
		{"friday", "2026-11-20 00:00:00"},
		{"monday", "2026-11-23 00:00:00"},
		{"sunday 9am", "2026-11-22 09:00:00"},
		{"this friday", "2026-11-20 00:00:00"},
		{"next friday", "2026-11-27 00:00:00"},
		{"last friday", "2026-11-13 00:00:00"},
		{"next monday 9am", "2026-11-23 09:00:00"},
		{"next wednesday 4pm", "2026-11-25 16:00:00"},
		{"last thurs", "2026-11-19 00:00:00"},
		{"previous tue", "2026-11-17 00:00:00"},
		{"monday next week", "2026-11-23 00:00:00"},
		{"sunday this week", "2026-11-22 00:00:00"},
		{"monday this week", "2026-11-16 00:00:00"},
		{"saturday last week 10:00", "2026-11-14 10:00:00"},
		{"+1 week monday", "2026-11-30 00:00:00"},

		// Steps.
		{"+5 weeks", "2026-12-25 19:01:40"},
		{"5 weeks", "2026-12-25 19:01:40"},
		{"-1 month", "2026-10-20 19:01:40"},
		{"+1 day 10:00", "2026-11-21 10:00:00"},
		{"+1 week 2 days", "2026-11-29 19:01:40"},
		{"+1 week -2 days +3 hours", "2026-11-25 22:01:40"},
		{"90 minutes ago", "2026-11-20 17:31:40"},
		{"1 week 2 days ago", "2026-11-11 19:01:40"},
		{"+30 sec", "2026-11-20 19:02:10"},
		{"2 fortnights", "2026-12-18 19:01:40"},
		{"next week", "2026-11-27 19:01:40"},
		{"next month", "2026-12-20 19:01:40"},
		{"last year", "2025-11-20 19:01:40"},
		{"this week", "2026-11-20 19:01:40"},
		{"last day", "2026-11-19 19:01:40"},
		{"first day of next month", "2026-12-01 19:01:40"},
		{"last day of next month midnight", "2026-12-31 00:00:00"},
		{"first day of", "2026-11-01 19:01:40"},
		{"last day of February 2032", "2032-02-29 00:00:00"},
		{"2031-05-10 +1 day", "2031-05-11 00:00:00"},
		{"2031-05-10 10:00 -90 minutes", "2031-05-10 08:30:00"},
		{"2031-01-31 +1 month", "2031-03-03 00:00:00"},
		{"2031-01-31 last day of next month", "2031-02-28 00:00:00"},
		{"2032-02-29 +1 year", "2033-03-01 00:00:00"},
		{"2031-12-31 +1 day", "2032-01-01 00:00:00"},
		{"today +2 hours", "2026-11-20 02:00:00"},

		// Steps over changes of the clock: days are days, hours pass.
		{"2031-03-08 12:00 +1 day", "2031-03-09 12:00:00"},
		{"2031-03-08 12:00 +24 hours", "2031-03-09 13:00:00"},
		{"2031-11-02 00:30 +2 hours", "2031-11-02 01:30:00"},
		{"2031-11-02 00:30 +3 hours", "2031-11-02 02:30:00"},

		// Readings that do not exist stay as written.
		{"2031-03-09 02:30", "2031-03-09 02:30:00"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, reading(t, tt.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseInstant(t *testing.T) {
	type got struct {
		Wall, Instant     string
		Explicit, HasTime bool
	}
	const yes, no = true, false
	tests := []struct {
		text string
		want got
	}{
		// The zone given counts when the text has none.
		{"2031-05-10", got{"2031-05-10 00:00:00", "2031-05-10 04:00:00", no, no}},
		{"2031-05-10 00:00", got{"2031-05-10 00:00:00", "2031-05-10 04:00:00", no, yes}},
		{"2031-03-09 02:30", got{"2031-03-09 02:30:00", "2031-03-09 07:30:00", no, yes}},
		{"2031-11-02 01:30", got{"2031-11-02 01:30:00", "2031-11-02 05:30:00", no, yes}},
		{"9999-12-31 23:59:59", got{"9999-12-31 23:59:59", "10000-01-01 04:59:59", no, yes}},
		{"2031-W20", got{"2031-05-12 00:00:00", "2031-05-12 04:00:00", no, no}},

		// Offsets and zones in the text.
		{"2031-05-01T10:00:00Z", got{"2031-05-01 10:00:00", "2031-05-01 10:00:00", yes, yes}},
		{"2031-05-01T10:00:00.000Z", got{"2031-05-01 10:00:00", "2031-05-01 10:00:00", yes, yes}},
		{"20310501T100000Z", got{"2031-05-01 10:00:00", "2031-05-01 10:00:00", yes, yes}},
		{"2031-05-01T10:00:00+02:00", got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes}},
		{"2031-05-01T10:00:00+0200", got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes}},
		{"2031-05-01T10:00:00+02", got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes}},
		{"2031-05-01 10:00 -5", got{"2031-05-01 10:00:00", "2031-05-01 15:00:00", yes, yes}},
		{"2031-05-01T10:00:00-03:30", got{"2031-05-01 10:00:00", "2031-05-01 13:30:00", yes, yes}},
		{
			"2031-05-01T10:00:00 +05:45",
			got{"2031-05-01 10:00:00", "2031-05-01 04:15:00", yes, yes},
		},
		{"2031-05-01 10:00:00 UTC", got{"2031-05-01 10:00:00", "2031-05-01 10:00:00", yes, yes}},
		{"2031-05-01 10:00:00 GMT", got{"2031-05-01 10:00:00", "2031-05-01 10:00:00", yes, yes}},
		{"2031-05-01 10:00 UTC+2", got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes}},
		{"2031-05-01 10:00 GMT-0530", got{"2031-05-01 10:00:00", "2031-05-01 15:30:00", yes, yes}},
		{
			"2031-05-01 10:00 Europe/Paris",
			got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes},
		},
		{
			"2031-05-01 10:00 America/Port-au-Prince",
			got{"2031-05-01 10:00:00", "2031-05-01 14:00:00", yes, yes},
		},
		{
			"2031-05-01 10:00 etc/gmt+5",
			got{"2031-05-01 10:00:00", "2031-05-01 15:00:00", yes, yes},
		},
		{"2031-05-01 10am EST", got{"2031-05-01 10:00:00", "2031-05-01 15:00:00", yes, yes}},
		{"2031-05-01 10am EDT", got{"2031-05-01 10:00:00", "2031-05-01 14:00:00", yes, yes}},
		{"2031-05-01 10:00 PST8PDT", got{"2031-05-01 10:00:00", "2031-05-01 17:00:00", yes, yes}},
		{"2031-05-01 10:00 CEST", got{"2031-05-01 10:00:00", "2031-05-01 08:00:00", yes, yes}},
		{"2031-05-01+02:00", got{"2031-05-01 00:00:00", "2031-04-30 22:00:00", yes, no}},
		{"2031-05-01-05:00", got{"2031-05-01 00:00:00", "2031-05-01 05:00:00", yes, no}},
		{
			"Sat, 10 May 2031 10:00:00 +0200",
			got{"2031-05-10 10:00:00", "2031-05-10 08:00:00", yes, yes},
		},
		{
			"2031-05-01 10:00 UTC +1 day",
			got{"2031-05-02 10:00:00", "2031-05-02 10:00:00", yes, yes},
		},
		{
			"2031-03-30 02:30 Europe/Paris",
			got{"2031-03-30 02:30:00", "2031-03-30 01:30:00", yes, yes},
		},

		// Timestamps.
		{"1935000000", got{"2031-04-26 20:00:00", "2031-04-26 20:00:00", yes, yes}},
		{" @1935000000 ", got{"2031-04-26 20:00:00", "2031-04-26 20:00:00", yes, yes}},
		{"2031", got{"1970-01-01 00:33:51", "1970-01-01 00:33:51", yes, yes}},
		{"20310510", got{"1970-08-24 01:48:30", "1970-08-24 01:48:30", yes, yes}},
		{"0", got{"1970-01-01 00:00:00", "1970-01-01 00:00:00", yes, yes}},
		{"@-86400", got{"1969-12-31 00:00:00", "1969-12-31 00:00:00", yes, yes}},
		{"253402300799", got{"9999-12-31 23:59:59", "9999-12-31 23:59:59", yes, yes}},
		{"@-62135596800", got{"0001-01-01 00:00:00", "0001-01-01 00:00:00", yes, yes}},

		// Words go by the zone given, or the one in the text.
		{"now", got{"2026-11-20 19:01:40", "2026-11-21 00:01:40", no, yes}},
		{"now UTC", got{"2026-11-21 00:01:40", "2026-11-21 00:01:40", yes, yes}},
		{"today", got{"2026-11-20 00:00:00", "2026-11-20 05:00:00", no, no}},
		{"today Asia/Tokyo", got{"2026-11-21 00:00:00", "2026-11-20 15:00:00", yes, no}},
		{"tomorrow 9am", got{"2026-11-21 09:00:00", "2026-11-21 14:00:00", no, yes}},
		{"monday", got{"2026-11-23 00:00:00", "2026-11-23 05:00:00", no, no}},
		{"+1 hour", got{"2026-11-20 20:01:40", "2026-11-21 01:01:40", no, yes}},
		{"10:00", got{"2026-11-20 10:00:00", "2026-11-20 15:00:00", no, yes}},
		{"May 10", got{"2026-05-10 00:00:00", "2026-05-10 04:00:00", no, no}},
		{"2031-05-10 +1 day", got{"2031-05-11 00:00:00", "2031-05-11 04:00:00", no, no}},
		{"2031-05-10 +1 hour", got{"2031-05-10 01:00:00", "2031-05-10 05:00:00", no, yes}},
	}
	z := zone(t, "America/New_York")
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			m := moment(t, tt.text, present, z)
			got := got{
				m.Wall.Format(caltime.Layout), m.Instant.Format(caltime.Layout),
				m.Explicit, m.HasTime,
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In the second pass of a repeated hour, now is not an hour ago.
func TestParseNowInRepeatedHour(t *testing.T) {
	z := zone(t, "America/New_York")
	now := local(t, "2031-11-02 06:30:00")
	for text, want := range map[string]string{
		"now":         "2031-11-02 06:30:00",
		"+10 minutes": "2031-11-02 06:40:00",
		"1 hour ago":  "2031-11-02 05:30:00",
		"1:30":        "2031-11-02 05:30:00",
	} {
		if diff := cmp.Diff(local(t, want), moment(t, text, now, z).Instant); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParseNilZone(t *testing.T) {
	want := caltime.Moment{
		Wall:    local(t, "2026-11-21 00:00:00"),
		Instant: local(t, "2026-11-21 00:00:00"),
	}
	if diff := cmp.Diff(want, moment(t, "today", present, nil)); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for want, texts := range map[string][]string{
		"none of the forms": {"", " ", ",", "@", "@x", "ähnlich", "UTC", "+02:00", "Europe/Paris", "ago",
			"2031-05-10 ago", "next", "next 10:00", "first monday", "+", "+ 5 weeks", "May", "10:00:00:00",
			"2031-05-10T", "2031-05-10 10", "9223372036854775808", "['2031-05-10']", "2031-05-10\x00", "２０３１-05-10"},
		"":                            {"-86400", "1e9", "1.5", "10:00 ../../etc/passwd"},
		`"bad" is no word`:            {"bad"},
		`"garbage" is no word`:        {"garbage"},
		`"a" is no word`:              {"a"},
		"there is no year 0":          {"0000-00-00 00:00:00", "0000-01-01", "May 10 0000"},
		"there is no month 13":        {"2031-13-01", "13/10/2031", "10.13.2031", "20311301 10:00"},
		"there is no month 0":         {"2031-00-10"},
		"there is no day 32":          {"2031-05-32", "32 May 2031"},
		"there is no day 0":           {"2031-05-00"},
		"there is no week 54":         {"2031-W54"},
		"there is no week 0":          {"2031-W00"},
		"there is no day 8 in a week": {"2031-W20-8"},
		"a week has two digits":       {"2031-W5"},
		"there is no hour 25":         {"2031-05-10 25:00", "2031-05-10T2500"},
		"the day ends at 24:00":       {"2031-05-10 24:01"},
		"there is no minute 60":       {"2031-05-10 10:60"},
		"there is no second 61":       {"2031-05-10 10:00:61"},
		"from 1 to 12":                {"2031-05-10 13pm", "2031-05-10 0am"},
		"one or two digits":           {"2031-05-10 100:00"},
		"a year has four digits":      {"31-05-10", "5/10/31", "12031-05-10", "2031-005-10", "2031.05.10"},
		"two days":                    {"2031-05-10 2031-05-11"},
		// The last one lost its plus sign in a query.
		"two times of day":             {"2031-05-10 10:00 11:00", "10:00 noon", "2031-05-10T10:00:00 2:00"},
		"two weekdays":                 {"monday tuesday"},
		"two time zones":               {"10:00 UTC Z"},
		"an offset is less than a day": {"10:00 +25:00", "10:00 +02:60"},
		"two digits for the hours":     {"10:00 +02000"},
		`"mars/phobos" is no word`:     {"10:00 Mars/Phobos"},
		`"parsecs" is no word`:         {"+5 parsecs"},
		`"tx" is no word`:              {"2031-05-10Tx"},
		"at most nine digits":          {"+1234567890 seconds"},
		"outside the years 1 to 9999": {"+80000000 hours", "+9000 years", "-3000 years", "9999-12-31 24:00",
			"0001-01-01 -1 second", "253402300800", "@-62135596801"},
		"more than 10000 years": {"999999999 years", "999999999 hours"},
		"101 bytes is too long": {strings.Repeat(" ", 101)},
	} {
		for _, text := range texts {
			m, err := caltime.Parse(text, present, nil)
			switch {
			case err == nil:
				t.Errorf("%q: got %v, want an error", text, m)
			case !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "give a date such as"):
				t.Errorf("%q: got %v, want %q and the forms", text, err, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"2031-05-10T14:30:00.5+02:00", "May 10th, 2031 2:30pm Europe/Paris", "next monday 9am", "+1 week 2 days ago",
		"last day of next month", "2031-W20-3", "20310510T1000Z", "@-86400", "1935000000", "10.05.2031 24:00 EST",
		"999999999 years ago", "0001-01-01 00:00 +14:00", "9999-12-31 23:59:60",
	} {
		f.Add(text)
	}
	z := zone(f, "America/New_York")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := caltime.Parse(text, present, z)
		if err != nil {
			if diff := cmp.Diff(caltime.Moment{}, m); diff != "" {
				t.Error(diff)
			}
			return
		}
		if year := m.Wall.Year(); year < 1 || year > 9999 {
			t.Fatalf("%q lies in the year %d", text, year)
		}
		if apart := m.Wall.Sub(m.Instant).Abs(); apart >= 24*time.Hour {
			t.Errorf("%q: reading and instant are %v apart", text, apart)
		}
		again := moment(t, m.Wall.Format(caltime.Layout), present, z)
		if diff := cmp.Diff(m.Wall, again.Wall); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	z := zone(b, "America/New_York")
	for _, text := range []string{"2031-05-10 14:30:00", "2031-05-10T14:30:00Z", "next monday 9am"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := caltime.Parse(text, present, z); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
