package caltime_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/caltime"
)

// The values of relative dates at a moment, in local time.
func TestRelative(t *testing.T) {
	t.Parallel()
	const (
		tuesday = "2031-05-13T10:20:30Z" // 12:20:30 in Paris, 06:20:30 in New York
		eve     = "2031-12-31T23:30:00Z" // 2032-01-01 00:30 in Paris
		leap    = "2032-02-29T12:00:00Z" // a Sunday
		fold    = "2031-10-26T00:30:00Z" // 02:30 in Paris, for the first time
		again   = "2031-10-26T01:30:00Z" // 02:30 in Paris, for the second time
	)
	const paris, newYork = "Europe/Paris", "America/New_York"
	tests := []struct{ now, zone, text, want string }{
		{tuesday, paris, "@now", "2031-05-13 12:20:30"},
		{tuesday, paris, "@now+2h", "2031-05-13 14:20:30"},
		{tuesday, paris, "@now-90min-30s", "2031-05-13 10:50:00"},
		{tuesday, paris, "@now+1d", "2031-05-14 12:20:30"},
		{tuesday, paris, "@now 08:00", "2031-05-13 08:00:00"},
		{tuesday, paris, "@now Asia/Tokyo", "2031-05-13 19:20:30"},
		{tuesday, paris, "@today", "2031-05-13 00:00:00"},
		{tuesday, paris, "@today+3d 19:00", "2031-05-16 19:00:00"},
		{tuesday, paris, "@TODAY+3D 19:00:15", "2031-05-16 19:00:15"},
		{tuesday, paris, "@tomorrow 09:00", "2031-05-14 09:00:00"},
		{tuesday, paris, "@yesterday+1w-1d", "2031-05-18 00:00:00"},
		{eve, "UTC", "@today", "2031-12-31 00:00:00"},
		{eve, paris, "@today", "2032-01-01 00:00:00"},
		{eve, "UTC", "@today Pacific/Kiritimati", "2032-01-01 00:00:00"},
		{tuesday, paris, "@today+1mo-1y", "2030-06-13 00:00:00"},

		{tuesday, paris, "@tuesday", "2031-05-13 00:00:00"},
		{tuesday, paris, "@next-tuesday", "2031-05-20 00:00:00"},
		{tuesday, paris, "@last-tuesday", "2031-05-06 00:00:00"},
		{tuesday, paris, "@next-monday 09:00 Europe/Rome", "2031-05-19 09:00:00"},
		{tuesday, paris, "@monday", "2031-05-19 00:00:00"},
		{tuesday, paris, "@last-monday+2w", "2031-05-26 00:00:00"},
		{tuesday, paris, "@saturday+2w 10:00", "2031-05-31 10:00:00"},

		{tuesday, paris, "@december-24 16:00", "2031-12-24 16:00:00"},
		{tuesday, paris, "@may-13", "2031-05-13 00:00:00"},
		{tuesday, paris, "@may-12", "2032-05-12 00:00:00"},
		{tuesday, paris, "@next-may-13", "2032-05-13 00:00:00"},
		{tuesday, paris, "@last-may-13", "2030-05-13 00:00:00"},
		{tuesday, paris, "@last-may-12-3d", "2031-05-09 00:00:00"},
		{tuesday, paris, "@february-29 12:00", "2032-02-29 12:00:00"},
		{tuesday, paris, "@last-february-29", "2028-02-29 00:00:00"},
		{tuesday, paris, "@february-29+1y", "2033-02-28 00:00:00"},
		{leap, "UTC", "@february-29", "2032-02-29 00:00:00"},
		{leap, "UTC", "@next-february-29", "2036-02-29 00:00:00"},
		{leap, "UTC", "@today+1y", "2033-02-28 00:00:00"},
		{"2097-01-01T00:00:00Z", "UTC", "@february-29", "2104-02-29 00:00:00"},
		{"2031-01-31T08:00:00Z", "UTC", "@today+1mo", "2031-02-28 00:00:00"},
		{"2031-01-31T08:00:00Z", "UTC", "@now+1mo+1d", "2031-03-01 08:00:00"},

		{tuesday, paris, "@start-of-week", "2031-05-12 00:00:00"},
		{leap, "UTC", "@start-of-week", "2032-02-23 00:00:00"},
		{leap, "UTC", "@last-day-of-week", "2032-02-29 00:00:00"},
		{tuesday, paris, "@last-friday-of-week 18:00", "2031-05-16 18:00:00"},
		{tuesday, paris, "@second-day-of-week", "2031-05-13 00:00:00"},
		{tuesday, paris, "@start-of-month", "2031-05-01 00:00:00"},
		{tuesday, paris, "@start-of-month-1d", "2031-04-30 00:00:00"},
		{tuesday, paris, "@last-day-of-month", "2031-05-31 00:00:00"},
		{tuesday, paris, "@last-day-of-month+1mo", "2031-06-30 00:00:00"},
		{tuesday, paris, "@last-day-of-month-3mo", "2031-02-28 00:00:00"},
		{tuesday, paris, "@last-day-of-month+9mo", "2032-02-29 00:00:00"},
		{tuesday, paris, "@first-monday-of-month", "2031-05-05 00:00:00"},
		{tuesday, paris, "@fourth-thursday-of-november", "2031-11-27 00:00:00"},
		{tuesday, paris, "@third-thursday-of-month", "2031-05-15 00:00:00"},
		{tuesday, paris, "@last-friday-of-month+1mo", "2031-06-27 00:00:00"},
		{tuesday, paris, "@last-saturday-of-month", "2031-05-31 00:00:00"},
		{tuesday, paris, "@last-day-of-february", "2032-02-29 00:00:00"},
		{tuesday, paris, "@last-day-of-february+1y", "2033-02-28 00:00:00"},
		{tuesday, paris, "@last-day-of-february+1mo", "2032-03-31 00:00:00"},
		{tuesday, paris, "@start-of-may", "2032-05-01 00:00:00"},
		{tuesday, paris, "@last-day-of-may", "2031-05-31 00:00:00"},
		{leap, "UTC", "@last-day-of-february", "2032-02-29 00:00:00"},
		{tuesday, paris, "@start-of-year", "2031-01-01 00:00:00"},
		{tuesday, paris, "@start-of-year+1y+1mo", "2032-02-01 00:00:00"},
		{tuesday, paris, "@last-day-of-year 23:59:59", "2031-12-31 23:59:59"},
		{tuesday, paris, "@last-sunday-of-year", "2031-12-28 00:00:00"},

		{tuesday, newYork, "@next-dst-gap", "2032-03-14 03:00:00"},
		{tuesday, newYork, "@next-dst-gap-30min", "2032-03-14 01:30:00"},
		{tuesday, newYork, "@next-dst-gap 02:30", "2032-03-14 02:30:00"},
		{tuesday, newYork, "@last-dst-gap", "2031-03-09 03:00:00"},
		{tuesday, newYork, "@next-dst-fold", "2031-11-02 01:00:00"},
		{tuesday, newYork, "@next-dst-fold+1h", "2031-11-02 01:00:00"},
		{tuesday, newYork, "@next-dst-fold+2h", "2031-11-02 02:00:00"},
		{tuesday, newYork, "@last-dst-fold+1d 12:00", "2030-11-04 12:00:00"},
		{tuesday, "UTC", "@next-dst-gap America/New_York", "2032-03-14 03:00:00"},
		{tuesday, "UTC", "@next-dst-fold Australia/Lord_Howe", "2032-04-04 01:30:00"},
		{"2031-03-09T06:59:59Z", newYork, "@next-dst-gap", "2031-03-09 03:00:00"},
		{"2031-03-09T07:00:00Z", newYork, "@next-dst-gap", "2032-03-14 03:00:00"},
		{"2031-03-09T07:00:00Z", newYork, "@last-dst-gap", "2031-03-09 03:00:00"},
		{fold, paris, "@last-dst-fold", "2031-10-26 02:00:00"},
		{fold, paris, "@next-dst-fold", "2032-10-31 02:00:00"},
		{"2031-10-25T23:59:59Z", paris, "@next-dst-fold", "2031-10-26 02:00:00"},
		{"2031-10-25T23:59:59Z", paris, "@last-dst-fold", "2030-10-27 02:00:00"},
		{fold, paris, "@now+1h", "2031-10-26 02:30:00"},
		{again, paris, "@now+30min", "2031-10-26 03:00:00"},
		{fold, paris, "@now+30min", "2031-10-26 02:00:00"},

		{tuesday, paris, "@start+2h", "2031-06-01 20:00:00"},
		{tuesday, paris, "@start 23:00", "2031-06-01 23:00:00"},
		{tuesday, paris, "@start+1d 02:00", "2031-06-02 02:00:00"},
		{tuesday, paris, "@start-2w", "2031-05-18 18:00:00"},
	}
	for _, test := range tests {
		now, err := time.Parse(time.RFC3339, test.now)
		if err != nil {
			t.Fatal(err)
		}
		z := zone(t, test.zone)
		r := caltime.Relative{
			Now:   now,
			Zone:  z,
			Start: z.Instant(time.Date(2031, 6, 1, 18, 0, 0, 0, time.UTC)),
		}
		m, named, err := r.Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := m.Wall.Format(caltime.Layout); got != test.want {
			t.Errorf(
				"at %s in %s, %s is %s, want %s",
				test.now,
				test.zone,
				test.text,
				got,
				test.want,
			)
		}
		if m.Explicit != (named != nil) || m.Explicit != strings.Contains(test.text, "/") {
			t.Errorf("%s: %+v in the zone %v", test.text, m, named)
		}
		if named != nil {
			z = named
		}
		if got := z.Wall(m.Instant); !got.Equal(m.Wall) && test.text != "@next-dst-gap 02:30" {
			t.Errorf("%s: the instant %v is not %v in %v", test.text, m.Instant, m.Wall, z)
		}
	}
}

// The instant of a moment is exact where its wall clock is not.
func TestRelativeInstant(t *testing.T) {
	t.Parallel()
	again := time.Date(2031, 10, 26, 1, 30, 0, 0, time.UTC) // 02:30 in Paris, for the second time
	r := caltime.Relative{Now: again, Zone: zone(t, "Europe/Paris"), Zones: &caltime.Zones{}}
	for text, want := range map[string]time.Time{
		"@now":                           again,
		"@now+1h":                        again.Add(time.Hour),
		"@now 02:30":                     again.Add(-time.Hour),
		"@now Europe/Berlin":             again,
		"@next-dst-gap 02:30":            time.Date(2032, 3, 28, 1, 30, 0, 0, time.UTC), // skipped: 03:30
		"@next-dst-gap America/New_York": time.Date(2032, 3, 14, 7, 0, 0, 0, time.UTC),
		"@last-dst-fold+1h":              time.Date(2031, 10, 26, 1, 0, 0, 0, time.UTC),
	} {
		m, _, err := r.Parse(text)
		if err != nil || !m.Instant.Equal(want) {
			t.Errorf("%s is at %v, want %v (%v)", text, m.Instant, want, err)
		}
	}
}

func TestRelativeErrors(t *testing.T) {
	t.Parallel()
	r := caltime.Relative{Now: time.Date(2031, 5, 13, 10, 0, 0, 0, time.UTC)}
	for text, want := range map[string]string{
		"@":                            "is not a relative date",
		"@1935000000":                  "is not a relative date",
		"tomorrow":                     "is not a relative date",
		"@" + strings.Repeat("a", 100): "of at most 100 bytes",
		"@someday":                     "@someday is none of the days and moments",
		"@next":                        "@next is none of",
		"@next-":                       "@next is none of",
		"@next-now":                    "@next-now is none of",
		"@mon":                         "@mon is none of",
		"@dst-gap":                     "@dst-gap is none of",
		"@next-dst":                    "@next-dst is none of",
		"@december":                    "a month needs a day",
		"@december+1d":                 "a month needs a day",
		"@december-":                   "a month needs a day",
		"@december-32":                 "december has no day 32",
		"@december-0":                  "december has no day 0",
		"@february-30":                 "february has no day 30",
		"@december-24d":                `"d" is no step`,
		"@december-024":                "december has no day 024",
		"@start-of-day":                `"day" is no period`,
		"@start-of-spring":             `"spring" is no period`,
		"@fifth-monday-of-month":       `"fifth" is no place`,
		"@first-weekday-of-month":      `"weekday" is neither day nor a weekday`,
		"@second-monday-of-week":       "no week has a second monday",
		"@today+3":                     `a step of "3" has no unit`,
		"@today+d":                     `a step of "d" has no number`,
		"@today+3m":                    "write mo or min",
		"@today+3days":                 `a step of "3days" has no unit`,
		"@today+99999999999d":          "too large a one",
		"@today+9999999d":              "more than 10000 years",
		"@today*3d":                    `"*3d" is no step`,
		"@today+9000y":                 "outside the years 1 to 9999",
		"@today-3000y":                 "outside the years 1 to 9999",
		"@today+9000y+9000y":           "more than 10000 years",
		"@now+9000000h+70000000h":      "outside the years 1 to 9999",
		"@today 25:00":                 `there is no time of day "25:00"`,
		"@today 9:00":                  `"9:00" is no time of day`,
		"@today 09:00:00:00":           "is no time of day",
		"@today 09:6x":                 "there is no time of day",
		"@today noon":                  `time zone "noon"`,
		"@today 09:00 Mars/Base":       `time zone "Mars/Base"`,
		"@today UTC 09:00":             `"09:00" comes after the zone`,
		"@today+2h 09:00":              "do not go with a clock",
		"@start+2h":                    "an event that has a start_date",
		"@next-dst-gap":                "clocks in UTC are not put forward within 200 years",
		"@next-dst-fold Asia/Tokyo":    "clocks in Asia/Tokyo are not put back within 200 years",
	} {
		_, _, err := r.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// On every day of some years, weekdays, days of months and days of periods are
// where a search from day to day finds them.
func TestRelativeEveryDay(t *testing.T) {
	t.Parallel()
	first := time.Date(2031, 1, 1, 15, 0, 0, 0, time.UTC)
	for n := range 2 * 366 {
		now := first.AddDate(0, 0, n)
		today := caltime.StartOfDay(now)
		search := func(step int, from time.Time, meets func(time.Time) bool) time.Time {
			for day := from; ; day = day.AddDate(0, 0, step) {
				if meets(day) {
					return day
				}
			}
		}
		tomorrow := today.AddDate(0, 0, 1)
		yesterday := today.AddDate(0, 0, -1)
		friday := func(d time.Time) bool { return d.Weekday() == time.Friday }
		leap := func(d time.Time) bool { return d.Month() == time.February && d.Day() == 29 }
		march := func(d time.Time) bool { return d.Month() == time.March && d.AddDate(0, 0, 1).Day() == 1 }
		june := func(d time.Time) bool {
			return d.Month() == time.June && d.Weekday() == time.Monday && d.Day() > 7 &&
				d.Day() <= 14
		}
		want := map[string]time.Time{
			"@friday":                search(1, today, friday),
			"@next-friday":           search(1, tomorrow, friday),
			"@last-friday":           search(-1, yesterday, friday),
			"@february-29":           search(1, today, leap),
			"@next-february-29":      search(1, tomorrow, leap),
			"@last-february-29":      search(-1, yesterday, leap),
			"@last-day-of-march":     search(1, today, march),
			"@second-monday-of-june": search(1, today, june),
			"@start-of-week": search(
				-1,
				today,
				func(d time.Time) bool { return d.Weekday() == time.Monday },
			),
			"@start-of-month": search(
				-1,
				today,
				func(d time.Time) bool { return d.Day() == 1 },
			),
			"@start-of-year": search(
				-1,
				today,
				func(d time.Time) bool { return d.YearDay() == 1 },
			),
			"@last-day-of-month": search(
				1,
				today,
				func(d time.Time) bool { return d.AddDate(0, 0, 1).Day() == 1 },
			),
		}
		got := map[string]time.Time{}
		for text := range want {
			m, _, err := caltime.Relative{Now: now}.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got[text] = m.Wall
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("at %v (-walked, +found):\n%s", now, diff)
		}
	}
}

// Changes of clocks are where each hour of the zone shows them.
func TestRelativeChanges(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "Africa/Casablanca",
		"America/Asuncion", "Pacific/Apia"} {
		z := zone(t, name)
		var gaps []time.Time
		for at := time.Date(2008, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2015; at = at.Add(30 * time.Minute) {
			if z.Offset(at) > z.Offset(at.Add(-30*time.Minute)) {
				gaps = append(gaps, at)
			}
		}
		for i, gap := range gaps[:len(gaps)-1] {
			next, _, err := caltime.Relative{Now: gap, Zone: z}.Parse("@next-dst-gap")
			if err != nil || !next.Instant.Equal(gaps[i+1]) {
				t.Errorf(
					"%s: after %v clocks are put forward at %v, want %v (%v)",
					name,
					gap,
					next.Instant,
					gaps[i+1],
					err,
				)
			}
			last, _, err := caltime.Relative{
				Now:  gaps[i+1].Add(-time.Second),
				Zone: z,
			}.Parse("@last-dst-gap")
			if err != nil || !last.Instant.Equal(gap) {
				t.Errorf(
					"%s: before %v clocks were put forward at %v, want %v (%v)",
					name,
					gaps[i+1],
					last.Instant,
					gap,
					err,
				)
			}
		}
	}
}

func FuzzRelative(f *testing.F) {
	for _, text := range []string{
		"@now", "@today+3d 19:00", "@next-monday 09:00 Europe/Rome", "@december-24-1w", "@last-friday-of-month+1mo", "@start+2h",
		"@next-dst-fold Australia/Lord_Howe", "@start-of-year+9000y", "@today 24:00", "@\x00", "@a \xff", "@now+1s-1s Asia/Kathmandu",
	} {
		f.Add(text, int64(1_936_000_000), "Europe/Paris")
	}
	f.Fuzz(func(t *testing.T, text string, now int64, name string) {
		z, err := caltime.LoadZone(name)
		present := time.Unix(now, 0).UTC()
		if err != nil || present.Year() < 2 || present.Year() > 9998 {
			return
		}
		m, named, err := caltime.Relative{Now: present, Zone: z, Start: present}.Parse(text)
		if err != nil {
			return
		}
		if !caltime.IsRelative(text) || m.Wall.Year() < 1 || m.Wall.Year() > 9999 ||
			m.Explicit != (named != nil) {
			t.Errorf("%q is %+v", text, m)
		}
		if named == nil {
			named = z
		}
		if at := named.Instant(m.Wall); !at.Equal(m.Instant) &&
			!named.Wall(m.Instant).Equal(m.Wall) {
			t.Errorf("%q: the wall clock %v is at %v, not at %v", text, m.Wall, at, m.Instant)
		}
	})
}
