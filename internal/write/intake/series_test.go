package intake_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/store"
)

// instance returns an event of a series as a site shows it, which has the series 90.
func instance(id int, title, start, recurrence string) string {
	end, _ := time.Parse(time.DateTime, start)
	return fmt.Sprintf(
		`{"id":%d,"global_id":"a.example?id=%[1]d","title":%q,"slug":"choir-%s","start_date":%q,"end_date":%q,
		"modified_utc":"2031-05-01 00:00:00","timezone":"Europe/Paris","recurrence":{"series":90,%s}}`,
		id,
		title,
		start[:10],
		start,
		end.Add(2*time.Hour).Format(time.DateTime),
		recurrence,
	)
}

// places returns the series and the places of the events in them.
func (c *calendar) places() (got []string) {
	_ = c.View(func(v *store.View) error {
		for _, s := range v.SeriesByID() {
			got = append(
				got,
				fmt.Sprintf(
					"%s %s %s %v %v",
					s.Event.Slug,
					s.Event.Start,
					s.Rule,
					s.RDates,
					s.Horizon,
				),
			)
			for _, e := range v.Instances(s.ID) {
				got = append(
					got,
					fmt.Sprintf(
						"%s %s %q %v",
						e.Origins[0],
						e.Start,
						e.Recurrence.Start,
						e.Recurrence.Changed,
					),
				)
			}
		}
		return nil
	})
	return got
}

// Events of a series that a site has shown are of one here, and known again.
func TestSeries(t *testing.T) {
	t.Parallel()
	const rule = `"rule":"FREQ=WEEKLY;BYDAY=TU",`
	file := list(
		instance(
			7,
			"Choir",
			"2031-05-13 19:00:00",
			rule+`"start":"2031-05-13 19:00:00","changed":false`,
		),
		instance(
			9,
			"Concert",
			"2031-05-27 20:00:00",
			rule+`"start":"2031-05-27 19:00:00","changed":true`,
		),
		instance(
			8,
			"Choir",
			"2031-05-23 19:00:00",
			rule+`"start":"2031-05-23 19:00:00","changed":false`,
		), // a Friday
	)
	want := []string{
		"choir 2031-05-13 19:00:00 FREQ=WEEKLY;BYDAY=TU [2031-05-23 19:00:00] 1970-01-01 00:00:00",
		`a.example?id=7 2031-05-13 19:00:00 "2031-05-13 19:00:00" []`,
		`a.example?id=8 2031-05-23 19:00:00 "2031-05-23 19:00:00" []`,
		`a.example?id=9 2031-05-27 20:00:00 "2031-05-27 19:00:00" [end_date start_date title]`,
	}
	c := newCalendar(t)
	c.mustLoad(file)
	if diff := cmp.Diff(want, c.places()); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	before := c.Seq()
	if report := c.mustLoad(file); counts(report)["events unchanged"] != 3 ||
		c.Seq() != before {
		t.Errorf("imported again: %v, %d transactions", counts(report), c.Seq()-before)
	}

	// The site has moved the series by a week, to where its other events were.
	shifted := list(
		instance(
			7,
			"Choir",
			"2031-05-20 19:00:00",
			rule+`"start":"2031-05-20 19:00:00","changed":false`,
		),
		instance(
			6,
			"Choir",
			"2031-05-27 19:00:00",
			rule+`"start":"2031-05-27 19:00:00","changed":false`,
		),
		instance(
			9,
			"Concert",
			"2031-06-03 20:00:00",
			rule+`"start":"2031-06-03 19:00:00","changed":true`,
		),
	)
	shifted = strings.ReplaceAll(shifted, "2031-05-01", "2031-05-02")
	c.mustLoad(shifted)
	want = []string{
		want[0], `a.example?id=7 2031-05-20 19:00:00 "2031-05-20 19:00:00" []`, want[2],
		`a.example?id=6 2031-05-27 19:00:00 "2031-05-27 19:00:00" []`,
		`a.example?id=9 2031-06-03 20:00:00 "2031-06-03 19:00:00" [end_date start_date title]`,
	}
	if diff := cmp.Diff(want, c.places()); diff != "" {
		t.Errorf("moved (-want, +got):\n%s", diff)
	}

	// An event that was made here for a date becomes the site's event on that date.
	var made store.Event
	err := c.Update(1, func(tx *store.Tx) error {
		s := tx.SeriesByID()[0]
		made = s.Event
		made.Start = made.Start + 28*86_400
		made.End = made.End + 28*86_400
		made.Origins = nil
		made.Slug = "choir-2031-06-10"
		made.Recurrence = &store.Recurrence{Series: s.ID, Start: made.Start}
		return tx.Put(&made)
	})
	if err != nil {
		t.Fatal(err)
	}
	report := c.mustLoad(
		list(instance(70, "Choir", "2031-06-10 19:00:00", rule+`"start":"2031-06-10 19:00:00"`)),
	)
	if got := all[*store.Event](c, store.Events)["choir-2031-06-10"]; got.ID != made.ID ||
		counts(report)["events updated"] != 1 {
		t.Errorf("%v: %+v, made was %d", counts(report), got, made.ID)
	}

	// A store in which they keep their ids.
	planted := newCalendar(t)
	seed := intake.Seed{Next: [2]int64{100, 100}}
	items, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	seed.Items = items
	if _, err := seed.Plant(planted.Store, planted.options); err != nil {
		t.Fatal(err)
	}
	_ = planted.View(func(v *store.View) error {
		if v.Series(90) == nil || len(v.Instances(90)) != 3 {
			t.Errorf("the seed has the series %v", v.SeriesByID())
		}
		return nil
	})
}

// An invalid place in a series is refused, and an event without a global id has none.
func TestSeriesRefused(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	for recurrence, want := range map[string]string{
		`"rule":"FREQ=OFTEN","start":"2031-05-13 19:00:00"`: `recurrence: rule: `,
		`"rule":"FREQ=DAILY","start":"soon"`:                `recurrence: start must be a date, not "soon"; write it as YYYY-MM-DD HH:MM:SS`,
	} {
		report := c.load(list(instance(7, "Choir", "2031-05-13 19:00:00", recurrence)))
		if len(report.Refusals) != 1 || !strings.HasPrefix(report.Refusals[0].Reason, want) {
			t.Errorf("%s: %v, want %s", recurrence, report.Refusals, want)
		}
	}
	c.mustLoad(
		list(
			strings.Replace(
				instance(
					7,
					"Choir",
					"2031-05-13 19:00:00",
					`"rule":"FREQ=DAILY","start":"2031-05-13 19:00:00"`,
				),
				"global_id",
				"id_elsewhere",
				1,
			),
		),
	)
	c.mustLoad(
		list(
			event(8, `,"recurrence":"RRULE:FREQ=DAILY"`),
			event(9, `,"recurrence":{"every":"day"}`),
			event(10, `,"recurrence":[]`),
		),
	)
	if got := c.places(); got != nil {
		t.Errorf("there are %v", got)
	}
}
