package rrule_test

import (
	"testing"
	"time"

	"almanac/internal/text/rrule"
)

// A series of 50 years costs the same at its end as at its beginning: ten dates.
func BenchmarkTenDates(b *testing.B) {
	for _, rule := range []string{"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "FREQ=MONTHLY;BYDAY=-1SA", "FREQ=YEARLY;BYWEEKNO=20",
		"FREQ=MINUTELY;INTERVAL=25;BYHOUR=9,10",
		"FREQ=WEEKLY;COUNT=2610;BYDAY=TU", "FREQ=MONTHLY;COUNT=610;BYDAY=-1SA"} {
		s, err := rrule.ParseSet(
			"DTSTART;TZID=Europe/Berlin:20261124T193000\nRRULE:"+rule,
			time.LoadLocation,
		)
		if err != nil {
			b.Fatal(err)
		}
		for _, at := range []struct {
			name string
			year int
		}{{"beginning", 2027}, {"end", 2076}} {
			from := time.Date(at.year, 1, 1, 0, 0, 0, 0, s.Zone)
			b.Run(rule+"/"+at.name, func(b *testing.B) {
				for b.Loop() {
					n := 0
					for range s.From(from) {
						if n++; n == 10 {
							break
						}
					}
					if n != 10 {
						b.Fatalf("%d dates", n)
					}
				}
			})
		}
	}
}
