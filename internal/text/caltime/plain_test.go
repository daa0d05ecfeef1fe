// Tests that what is read without the grammar means what the grammar says. A
// blank before a text says nothing, and leaves it to the grammar.

package caltime_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/tools/race"
	"github.com/google/go-cmp/cmp"
)

// sameAsGrammar compares what a text means with and without a blank before it.
func sameAsGrammar(t *testing.T, text string, now time.Time, z *caltime.Zone) {
	t.Helper()
	want, refused := caltime.Parse(" "+text, now, z)
	got, err := caltime.Parse(text, now, z)
	if got != want || (err == nil) != (refused == nil) {
		t.Errorf(
			"%q in %s: got %+v, %v; the grammar says %+v, %v",
			text,
			z,
			got,
			err,
			want,
			refused,
		)
	}
}

func TestPlainFormsAlone(t *testing.T) {
	race.Alone(t)
	zones := []*caltime.Zone{
		nil,
		zone(t, "America/New_York"),
		zone(t, "Australia/Lord_Howe"),
		zone(t, "Africa/Casablanca"),
		zone(t, "UTC-11.5"),
	}
	rng := rand.New(rand.NewPCG(20261120, 7))
	// among returns a number in the range of a part, and sometimes one beside it.
	among := func(least, most int) int { return least - 1 + rng.IntN(most-least+3) - rng.IntN(2)*rng.IntN(2) }
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	for range 200_000 {
		year := 1 + rng.IntN(9999)
		if rng.IntN(8) == 0 {
			year = []int{0, 1, 2, 1582, 1900, 2000, 2032, 2100, 9998, 9999}[rng.IntN(10)]
		}
		text := fmt.Sprintf("%04d-%02d-%02d", year, max(0, among(1, 12)), max(0, among(1, 31)))
		if rng.IntN(4) > 0 {
			text += fmt.Sprintf(
				"%s%02d:%02d:%02d",
				pick(" ", "T"),
				max(0, among(0, 23)),
				max(0, among(0, 59)),
				max(0, among(0, 59)),
			)
		}
		switch rng.IntN(4) {
		case 0:
			text += pick(
				"Z",
				"z",
				" Z",
				".5",
				".25Z",
				"+0200",
				"-05",
				" +02:00",
				" 02:00",
				"Z+01:00",
				" UTC",
				"+2:00",
			)
		case 1:
			text += fmt.Sprintf(
				"%s%02d:%02d",
				pick("+", "-"),
				max(0, among(0, 23)),
				max(0, among(0, 59)),
			)
		}
		if rng.IntN(4) == 0 { // one byte is another
			at := rng.IntN(len(text))
			text = text[:at] + pick(
				"0",
				"9",
				"-",
				":",
				"/",
				".",
				" ",
				"t",
				"é",
				"\x00",
				"",
			) + text[at+1:]
		}
		sameAsGrammar(t, text, present, zones[rng.IntN(len(zones))])
	}
}

// Every reading of the days on which clocks change.
func TestPlainFormsWhereClocksChange(t *testing.T) {
	t.Parallel()
	z := zone(t, "America/New_York")
	for _, day := range []string{"2031-03-09", "2031-11-02", "2031-02-30", "2032-02-30"} {
		for minute := range 24*60 + 1 {
			sameAsGrammar(t, fmt.Sprintf("%s %02d:%02d:00", day, minute/60, minute%60), present, z)
		}
	}
}

// Forms that programs write are read without allocating.
func TestPlainFormsAllocateNothing(t *testing.T) {
	z := zone(t, "America/New_York")
	for _, text := range []string{"2031-05-10", "2031-05-10 14:30:00", "2031-05-10T14:30:00"} {
		if n := testing.AllocsPerRun(100, func() { _, _ = caltime.Parse(text, present, z) }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	z := zone(t, "America/New_York")
	for _, reading := range []time.Time{
		local(t, "2031-05-10 14:30:00"), local(t, "2031-03-09 02:30:00"), local(t, "0001-01-01 00:00:00"), local(t, "9999-12-31 23:59:59"),
		present,
		time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		want, _ := caltime.Parse(reading.Format(caltime.Layout), present, z)
		if diff := cmp.Diff(want, caltime.At(reading, z)); diff != "" {
			t.Errorf("%v: %s", reading, diff)
		}
	}
}

func FuzzPlainForms(f *testing.F) {
	for _, text := range []string{
		"2031-05-10", "2031-02-30 24:00:00", "2031-05-10T14:30:00+02:00", "9999-12-31 23:59:59-23:59", "0001-01-01T00:00:00Z",
		"0000-01-01", "2031-05-10 23:59:60",
	} {
		f.Add(text)
	}
	z := zone(f, "America/New_York")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 100 { // a blank more would be too long
			sameAsGrammar(t, text, present, z)
		}
	})
}
