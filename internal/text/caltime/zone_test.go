// Tests of the arithmetic of zones.

package caltime_test

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"

	"almanac/internal/text/caltime"
	"github.com/google/go-cmp/cmp"
)

func zone(t testing.TB, name string) *caltime.Zone {
	t.Helper()
	z, err := caltime.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func local(t testing.TB, text string) time.Time {
	t.Helper()
	w, err := time.Parse(caltime.Layout, text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// result has the values of a zone for a reading.
type result struct{ UTC, Wall, Abbr, ISO string }

func TestInstant(t *testing.T) {
	tests := []struct {
		name, zone, local string
		want              result
	}{
		{"summer", "America/New_York", "2031-05-10 10:00:00",
			result{
				"2031-05-10 14:00:00",
				"2031-05-10 10:00:00",
				"EDT",
				"2031-05-10T10:00:00-04:00",
			}},
		{"winter", "America/New_York", "2031-12-01 10:00:00",
			result{
				"2031-12-01 15:00:00",
				"2031-12-01 10:00:00",
				"EST",
				"2031-12-01T10:00:00-05:00",
			}},
		{"last second before a gap", "America/New_York", "2031-03-09 01:59:59",
			result{
				"2031-03-09 06:59:59",
				"2031-03-09 01:59:59",
				"EST",
				"2031-03-09T01:59:59-05:00",
			}},
		{"first second of a gap", "America/New_York", "2031-03-09 02:00:00",
			result{
				"2031-03-09 07:00:00",
				"2031-03-09 03:00:00",
				"EDT",
				"2031-03-09T03:00:00-04:00",
			}},
		{"in a gap", "America/New_York", "2031-03-09 02:30:00",
			result{
				"2031-03-09 07:30:00",
				"2031-03-09 03:30:00",
				"EDT",
				"2031-03-09T03:30:00-04:00",
			}},
		{"first second after a gap", "America/New_York", "2031-03-09 03:00:00",
			result{
				"2031-03-09 07:00:00",
				"2031-03-09 03:00:00",
				"EDT",
				"2031-03-09T03:00:00-04:00",
			}},
		{"first of a repeated hour", "America/New_York", "2031-11-02 01:00:00",
			result{
				"2031-11-02 05:00:00",
				"2031-11-02 01:00:00",
				"EDT",
				"2031-11-02T01:00:00-04:00",
			}},
		{"in a repeated hour", "America/New_York", "2031-11-02 01:30:00",
			result{
				"2031-11-02 05:30:00",
				"2031-11-02 01:30:00",
				"EDT",
				"2031-11-02T01:30:00-04:00",
			}},
		{"after a repeated hour", "America/New_York", "2031-11-02 02:00:00",
			result{
				"2031-11-02 07:00:00",
				"2031-11-02 02:00:00",
				"EST",
				"2031-11-02T02:00:00-05:00",
			}},
		{"gap east of UTC", "Europe/Paris", "2031-03-30 02:30:00",
			result{
				"2031-03-30 01:30:00",
				"2031-03-30 03:30:00",
				"CEST",
				"2031-03-30T03:30:00+02:00",
			}},
		{"repeated hour east of UTC", "Europe/Paris", "2031-10-26 02:30:00",
			result{
				"2031-10-26 00:30:00",
				"2031-10-26 02:30:00",
				"CEST",
				"2031-10-26T02:30:00+02:00",
			}},
		{"gap at midnight", "America/Santiago", "2031-09-07 00:15:00",
			result{
				"2031-09-07 04:15:00",
				"2031-09-07 01:15:00",
				"-03",
				"2031-09-07T01:15:00-03:00",
			}},
		{"gap of half an hour", "Australia/Lord_Howe", "2031-10-05 02:10:00",
			result{
				"2031-10-04 15:40:00",
				"2031-10-05 02:40:00",
				"+11",
				"2031-10-05T02:40:00+11:00",
			}},
		{"repeated half hour", "Australia/Lord_Howe", "2031-04-06 01:45:00",
			result{
				"2031-04-05 14:45:00",
				"2031-04-06 01:45:00",
				"+11",
				"2031-04-06T01:45:00+11:00",
			}},
		{"off the whole hour", "Asia/Kathmandu", "2031-05-10 10:00:00",
			result{
				"2031-05-10 04:15:00",
				"2031-05-10 10:00:00",
				"+0545",
				"2031-05-10T10:00:00+05:45",
			}},
		{"off the whole hour, gap", "Pacific/Chatham", "2031-09-28 03:00:00",
			result{
				"2031-09-27 14:15:00",
				"2031-09-28 04:00:00",
				"+1345",
				"2031-09-28T04:00:00+13:45",
			}},
		{"a day that never was", "Pacific/Apia", "2011-12-30 10:00:00",
			result{
				"2011-12-30 20:00:00",
				"2011-12-31 10:00:00",
				"+14",
				"2011-12-31T10:00:00+14:00",
			}},
		{"the evening before it", "Pacific/Apia", "2011-12-29 23:59:59",
			result{
				"2011-12-30 09:59:59",
				"2011-12-29 23:59:59",
				"-10",
				"2011-12-29T23:59:59-10:00",
			}},
		{"a day that was twice", "America/Juneau", "1867-10-18 12:00:00",
			result{
				"1867-10-17 20:57:41",
				"1867-10-18 12:00:00",
				"LMT",
				"1867-10-18T12:00:00+15:02",
			}},
		{"new offset for good, gap", "Asia/Pyongyang", "2018-05-04 23:45:00",
			result{
				"2018-05-04 15:15:00",
				"2018-05-05 00:15:00",
				"KST",
				"2018-05-05T00:15:00+09:00",
			}},
		{"new offset for good, fold", "Asia/Pyongyang", "2015-08-14 23:45:00",
			result{
				"2015-08-14 14:45:00",
				"2015-08-14 23:45:00",
				"KST",
				"2015-08-14T23:45:00+09:00",
			}},
		{"new offset for good, fold, Volga", "Europe/Volgograd", "2020-12-27 01:30:00",
			result{
				"2020-12-26 21:30:00",
				"2020-12-27 01:30:00",
				"+04",
				"2020-12-27T01:30:00+04:00",
			}},
		{"after it", "Europe/Volgograd", "2031-07-01 12:00:00",
			result{
				"2031-07-01 09:00:00",
				"2031-07-01 12:00:00",
				"MSK",
				"2031-07-01T12:00:00+03:00",
			}},
		{"end of a year", "Asia/Tokyo", "2031-12-31 23:59:59",
			result{
				"2031-12-31 14:59:59",
				"2031-12-31 23:59:59",
				"JST",
				"2031-12-31T23:59:59+09:00",
			}},
		{"begin of a year", "Asia/Tokyo", "2032-01-01 00:00:00",
			result{
				"2031-12-31 15:00:00",
				"2032-01-01 00:00:00",
				"JST",
				"2032-01-01T00:00:00+09:00",
			}},
		{"leap day", "America/New_York", "2032-02-29 10:00:00",
			result{
				"2032-02-29 15:00:00",
				"2032-02-29 10:00:00",
				"EST",
				"2032-02-29T10:00:00-05:00",
			}},
		{"before the first rule", "Europe/Paris", "0001-01-02 00:00:00",
			result{
				"0001-01-01 23:50:39",
				"0001-01-02 00:00:00",
				"LMT",
				"0001-01-02T00:00:00+00:09",
			}},
		{"long after the last rule", "Europe/Paris", "9999-07-31 12:00:00",
			result{
				"9999-07-31 10:00:00",
				"9999-07-31 12:00:00",
				"CEST",
				"9999-07-31T12:00:00+02:00",
			}},
		{"offset", "UTC+5.5", "2031-05-10 10:00:00",
			result{
				"2031-05-10 04:30:00",
				"2031-05-10 10:00:00",
				"UTC+5.5",
				"2031-05-10T10:00:00+05:30",
			}},
		{"offset without name", "-03:30", "2031-05-10 10:00:00",
			result{
				"2031-05-10 13:30:00",
				"2031-05-10 10:00:00",
				"GMT-0330",
				"2031-05-10T10:00:00-03:30",
			}},
		{"UTC", "UTC", "2031-05-10 10:00:00",
			result{
				"2031-05-10 10:00:00",
				"2031-05-10 10:00:00",
				"UTC",
				"2031-05-10T10:00:00+00:00",
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z := zone(t, tt.zone)
			instant := z.Instant(local(t, tt.local))
			got := result{
				instant.Format(
					caltime.Layout,
				), z.Wall(instant).Format(caltime.Layout), z.Abbr(instant), z.ISO(instant),
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if instant.Location() != time.UTC || z.Wall(instant).Location() != time.UTC {
				t.Error("a time is not in time.UTC")
			}
		})
	}
}

// Around every change of offset in thirty years, readings must agree with a
// search over all instants: the first that shows the reading, or where the gap
// ends up moving it.
func TestInstantAgainstSearch(t *testing.T) {
	const step, day = 15 * time.Minute, 24 * time.Hour
	for _, name := range []string{
		"America/New_York", "America/Caracas", "America/Santiago", "America/Scoresbysund", "Europe/Dublin", "Europe/Volgograd",
		"Africa/Casablanca", "Asia/Pyongyang", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Antarctica/Troll",
	} {
		t.Run(name, func(t *testing.T) {
			z := zone(t, name)
			changes := 0
			for at := local(t, "2005-01-01 00:00:00"); at.Year() < 2035; at = at.Add(day) {
				if z.Offset(at) == z.Offset(at.Add(day)) {
					continue
				}
				changes++
				first := make(map[time.Time]time.Time)
				for i := at.Add(-4 * day); i.Before(at.Add(4 * day)); i = i.Add(step) {
					if w := z.Wall(i); first[w].IsZero() {
						first[w] = i
					}
				}
				for w := at.Add(-2 * day); w.Before(at.Add(2 * day)); w = w.Add(step) {
					shown := w
					for first[shown].IsZero() {
						shown = shown.Add(-step)
					}
					want := first[shown].Add(w.Sub(shown))
					if got := z.Instant(w); !got.Equal(want) {
						t.Fatalf("%v: got %v, want %v", w, got, want)
					}
				}
			}
			if changes == 0 {
				t.Error("the offset never changed")
			}
		})
	}
}

func TestInstantCountsFieldsOnly(t *testing.T) {
	z := zone(t, "Asia/Tokyo")
	odd := time.Date(2031, 5, 10, 10, 0, 0, 999, time.FixedZone("", -8*3600))
	want := local(t, "2031-05-10 01:00:00")
	if diff := cmp.Diff(want, z.Instant(odd)); diff != "" {
		t.Error(diff)
	}
}

func TestNilZone(t *testing.T) {
	var z *caltime.Zone
	at := local(t, "2031-05-10 10:00:00")
	got := []any{
		z.Name(),
		z.Abbr(at),
		z.Offset(at),
		z.Instant(at),
		z.Wall(at),
		caltime.UTC().Name(),
	}
	if diff := cmp.Diff([]any{"UTC", "UTC", 0, at, at, "UTC"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDay(t *testing.T) {
	at := local(t, "2031-12-31 10:00:00")
	got := []time.Time{caltime.StartOfDay(at), caltime.EndOfDay(at)}
	want := []time.Time{local(t, "2031-12-31 00:00:00"), local(t, "2031-12-31 23:59:59")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkInstant(b *testing.B) {
	z := zone(b, "America/New_York")
	at := local(b, "2031-05-10 10:00:00")
	b.ReportAllocs()
	for b.Loop() {
		z.Instant(at)
	}
}

// The instant of a reading is the first at which clocks show it: at every time,
// also beyond the last transition in a zone's table, where a rule continues, and
// on the last day of its leap years.
func TestInstantOfEveryReading(t *testing.T) {
	rng := rand.New(rand.NewPCG(20261120, 1))
	var instants []time.Time
	for range 2000 {
		instants = append(
			instants,
			time.Unix(rng.Int64N(253_402_300_800+62_135_596_800)-62_135_596_800, 0),
		)
	}
	for year := 1904; year < 2600; year += 4 {
		instants = append(
			instants,
			time.Date(year, 12, 31, rng.IntN(48), rng.IntN(60), 0, 0, time.UTC),
		)
	}
	for _, name := range []string{
		"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Chatham",
		"Africa/Casablanca", "America/Sao_Paulo", "Antarctica/Troll", "Asia/Tehran", "UTC+5:30", "UTC",
	} {
		z := zone(t, name)
		for _, instant := range instants {
			reading := z.Wall(instant)
			found := z.Instant(reading)
			if got := z.Wall(found); !got.Equal(reading) || found.After(instant) {
				t.Fatalf(
					"%s: at %v clocks show %v, whose instant is %v, when they show %v",
					name,
					instant.UTC(),
					reading,
					found,
					got,
				)
			}
		}
	}
}

func TestTwice(t *testing.T) {
	for _, test := range []struct {
		zone, instant string
		want          bool
	}{
		{"Europe/Paris", "2026-10-24T23:59:59Z", false}, {"Europe/Paris", "2026-10-25T00:00:00Z", true},
		{"Europe/Paris", "2026-10-25T00:59:59Z", true}, {"Europe/Paris", "2026-10-25T01:00:00Z", false},
		{"Europe/Paris", "2026-03-29T00:30:00Z", false}, {"Australia/Lord_Howe", "2026-04-04T14:29:59Z", false},
		{"Australia/Lord_Howe", "2026-04-04T14:30:00Z", true}, {"Australia/Lord_Howe", "2026-04-04T15:00:00Z", false},
		{"America/Sitka", "1867-10-18T00:00:00Z", false}, {"UTC", "2026-10-25T00:00:00Z", false},
	} {
		at, err := time.Parse(time.RFC3339, test.instant)
		if err != nil {
			t.Fatal(err)
		}
		if got := zone(t, test.zone).Twice(at); got != test.want {
			t.Errorf("%s in %s: %v", test.instant, test.zone, got)
		}
	}
}
