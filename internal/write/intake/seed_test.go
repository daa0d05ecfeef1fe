package intake_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/store"
)

// item makes a record of a seed.
func item(kind string, position int, record string) intake.Item {
	return intake.Item{
		Kind:     kind,
		File:     "seed.json",
		Position: position,
		Record:   json.RawMessage(record),
	}
}

// Refusals have the path of the member, in the order of planting, and nothing is stored.
func TestPlantRefuses(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const dates = `"start_date":"2031-05-12","end_date":"2031-05-12"`
	seed := intake.Seed{
		Next: [2]int64{10, 10},
		Items: []intake.Item{
			item(
				"events",
				1,
				`{"title":"E",`+dates+`,"venue":[{"venue":"V"},{"venue":"W","geo_lat":100,"geo_lng":0}]}`,
			),
			item(
				"events",
				3,
				`{"title":"E",`+dates+`,"image":{"url":"u","sizes":{"s":{"width":"wide"}}}}`,
			),
			item("venues", 4, `{"venue":"V","id":5}`), item("venues", 5, `{"venue":"V","id":5}`),
			item("categories", 6, `{"name":"C","parent":3}`),
			item("events", 7, `{"title":"E","global_id":"a.example?id=1",`+dates+
				`,"post_parent":9,"categories":[{"name":"D","taxonomy":"tribe_events_cat","parent":8}]}`),
		},
	}
	report, err := seed.Plant(c.Store, c.options)
	if !errors.Is(err, intake.ErrRefused) || len(report.Records) > 0 {
		t.Errorf("%v: %v", err, report.Records)
	}
	var got []string
	for _, r := range report.Refusals {
		got = append(got, r.Kind, r.Field, r.Reason)
	}
	want := []string{
		"venues", "", "has the id 5, which another of the venues has",
		"events", "venue[1].geo_lat", `must be a number of degrees from -90 to 90, not "100"`,
		"events", "image.sizes.width", `must be a whole number that is not negative, not "wide"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refusals (-want, +got):\n%s", diff)
	}
	if events := all[*store.Event](c, store.Events); len(events) > 0 {
		t.Errorf("%d events were stored", len(events))
	}
}

// An exact record is taken as it is, and one beside it as a request would be.
func TestPlantExact(t *testing.T) {
	t.Parallel()
	const record = `{"title":" T &amp; ","slug":"A b","status":"publish","date_utc":"2040-01-01 00:00:00.5",
		"timezone":"america/new_york","all_day":true,
		"start_date":"2031-03-09 02:30:00","end_date":"2031-03-09 04:00:00","cost":["5 EUR"],"currency_symbol":"€","website":"a&amp;b"}`
	c := newCalendar(t)
	exact := item("events", 1, record)
	plain := item("events", 2, record)
	exact.Exact = true
	if _, err := (intake.Seed{
		Items: []intake.Item{exact, plain},
		Next:  [2]int64{1, 1},
	}).Plant(c.Store, c.options); err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, slug := range []string{"A b", "a-b"} {
		e := all[*store.Event](c, store.Events)[slug]
		if e == nil {
			t.Fatalf("no event has the slug %s", slug)
		}
		got = append(
			got,
			[]string{
				e.Title,
				string(e.Status),
				e.Date.Format("05.9"),
				e.Timezone,
				e.Start.String(),
				e.End.String(),
				e.Entries[0],
				e.Symbol,
				e.Website,
			},
		)
	}
	want := [][]string{
		{
			" T &amp; ",
			"publish",
			"00.5",
			"america/new_york",
			"2031-03-09 02:30:00",
			"2031-03-09 04:00:00",
			"5 EUR",
			"€",
			"a&amp;b",
		},
		{
			" T &amp; ",
			"future",
			"00.5",
			"America/New_York",
			"2031-03-09 00:00:00",
			"2031-03-09 23:59:59",
			"5 EUR",
			"EUR",
			"a&b",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}
