package rrule_test

import (
	"fmt"
	"time"

	"almanac/internal/text/rrule"
)

// A choir meets every second Tuesday. Its next dates after any moment cost the same.
func Example() {
	set, err := rrule.ParseSet(
		"DTSTART;TZID=Europe/Berlin:20261124T193000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU\n"+
			"EXDATE;VALUE=DATE:20761215",
		time.LoadLocation,
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	n := 0
	for date := range set.From(time.Date(2076, 12, 1, 0, 0, 0, 0, time.UTC)) {
		if n++; n > 3 {
			break
		}
		fmt.Println(date.Format("Mon 2 Jan 2006 15:04"))
	}
	// Output:
	// Tue 1 Dec 2076 19:30
	// Tue 29 Dec 2076 19:30
	// Tue 12 Jan 2077 19:30
}

// Errors name the part, what is wrong with it and what would be right.
func ExampleParseRule() {
	rule, err := rrule.ParseRule("byday=-1sa;freq=monthly")
	fmt.Println(rule, err)
	_, err = rrule.ParseRule("FREQ=WEEKLY;BYDAY=-1SA")
	fmt.Println(err)
	// Output:
	// FREQ=MONTHLY;BYDAY=-1SA <nil>
	// BYDAY: -1SA has a number, which goes with FREQ=MONTHLY or YEARLY; with FREQ=WEEKLY it is SA
}

// On 29 March 2026 clocks in Berlin go from 2:00 to 3:00, and 2:30 becomes 3:30. An
// hourly rule gives the hours that the clock shows, 3:00 once.
func ExampleSet_Between_skippedHour() {
	zone, _ := time.LoadLocation("Europe/Berlin")
	from := time.Date(2026, 3, 28, 0, 0, 0, 0, zone)
	before := time.Date(2026, 3, 31, 0, 0, 0, 0, zone)
	start := rrule.At(time.Date(2026, 3, 28, 2, 30, 0, 0, zone), rrule.Local)
	daily := rrule.Set{Start: start, Zone: zone, Rule: &rrule.Rule{Freq: rrule.Daily}}
	for date := range daily.Between(from, before) {
		fmt.Println(date)
	}
	start = rrule.At(time.Date(2026, 3, 29, 1, 0, 0, 0, zone), rrule.Local)
	hourly := rrule.Set{Start: start, Zone: zone, Rule: &rrule.Rule{Freq: rrule.Hourly, Count: 4}}
	for date := range hourly.All() {
		fmt.Println(date)
	}
	// Output:
	// 2026-03-28 02:30:00 +0100 CET
	// 2026-03-29 03:30:00 +0200 CEST
	// 2026-03-30 02:30:00 +0200 CEST
	// 2026-03-29 01:00:00 +0100 CET
	// 2026-03-29 03:00:00 +0200 CEST
	// 2026-03-29 04:00:00 +0200 CEST
}

// On 25 October 2026 clocks in Berlin show 2:00 to 3:00 twice: it is the first.
func ExampleSet_Between_repeatedHour() {
	zone, _ := time.LoadLocation("Europe/Berlin")
	start := rrule.At(time.Date(2026, 10, 25, 1, 30, 0, 0, zone), rrule.Local)
	hourly := rrule.Set{Start: start, Zone: zone, Rule: &rrule.Rule{Freq: rrule.Hourly}}
	for date := range hourly.Between(time.Date(2026, 10, 25, 0, 0, 0, 0, zone), time.Date(2026, 10, 25, 4, 0, 0, 0, zone)) {
		fmt.Println(date)
	}
	// Output:
	// 2026-10-25 01:30:00 +0200 CEST
	// 2026-10-25 02:30:00 +0200 CEST
	// 2026-10-25 03:30:00 +0100 CET
}

// The start is the first date, and counts, whether the rule gives it or not.
func ExampleSet_All() {
	set, _ := rrule.ParseSet(
		"DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3",
		time.LoadLocation,
	)
	for date := range set.All() {
		fmt.Println(date.Format(time.DateOnly))
	}
	// Output:
	// 2026-11-24
	// 2026-11-30
	// 2026-12-31
}

// A language is a table of phrases.
func ExampleWords_Describe() {
	set, _ := rrule.ParseSet("DTSTART;TZID=Europe/Berlin:20261124T193000\n"+
		"RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20261231T225959Z", time.LoadLocation)
	for _, tag := range []string{"en", "de", "cs"} {
		words, err := rrule.WordsOf(tag)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(words.Describe(set))
	}
	// Output:
	// every 2 weeks on Tuesday and Thursday, until 31 December 2026
	// alle 2 Wochen am Dienstag und Donnerstag, bis zum 31. Dezember 2026
	// každé 2 týdny v úterý a ve čtvrtek, do 31. prosince 2026
}
