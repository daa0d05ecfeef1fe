// The cost of series compared with single events.

package write_test

import (
	"fmt"
	"testing"
	"time"
)

// A series of 105 events is one request; 105 events are 105.
func BenchmarkSeriesCreate(b *testing.B) {
	b.Run("one of 105", func(b *testing.B) {
		c := newCalendar(b)
		for b.Loop() {
			if r := c.create(fmt.Sprintf(`{"title":"Choir","start_date":"2026-11-24 19:00","end_date":"2026-11-24 21:00","slug":"choir-%d",
				"recurrence":{"rule":"FREQ=WEEKLY;COUNT=105"}}`, c.store.Seq())); r.err != nil ||
				len(r.report.Made) != 105 {
				b.Fatal(r)
			}
		}
	})
	b.Run("105 of one", func(b *testing.B) {
		c := newCalendar(b)
		for b.Loop() {
			at := time.Date(2026, 11, 24, 19, 0, 0, 0, time.UTC)
			for range 105 {
				body := fmt.Sprintf(
					`{"title":"Choir","start_date":%q,"end_date":%q,"slug":"choir-%d"}`,
					at.Format(time.DateTime),
					at.Add(2*time.Hour).Format(time.DateTime),
					c.store.Seq(),
				)
				if r := c.create(body); r.err != nil {
					b.Fatal(r)
				}
				at = at.AddDate(0, 0, 7)
			}
		}
	})
}

// A change of a series costs what the series holds.
func BenchmarkSeriesUpdate(b *testing.B) {
	for _, events := range []int{50, 500} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			c := newCalendar(b)
			c.do(
				event(
					"2026-11-24 19:00",
					fmt.Sprintf(`"recurrence":{"rule":"FREQ=DAILY;COUNT=%d"}`, events),
				),
			)
			for days := 0; b.Loop(); days++ {
				body := fmt.Sprintf(
					`all 2 {"title":"Choir %d","start_date":"2026-11-%d 19:00"}`,
					days,
					24+days%2,
				)
				if r := c.do(body); r.err != nil || len(r.report.Kept) != events {
					b.Fatal(r)
				}
			}
		})
	}
}
