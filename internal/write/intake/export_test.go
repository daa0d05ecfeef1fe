package intake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/store"
)

// exported returns an export of events, which begin in the evening of May 12.
func exported(date string, events ...string) string {
	for i := range events {
		events[i] = fmt.Sprintf(
			`{"title":"E","start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00","timezone":"Europe/Paris",
			"date_utc":%q,"modified_utc":%[1]q,%s}`,
			date,
			events[i],
		)
	}
	return `{"exact":true,"events":[` + strings.Join(events, ",") + `]}`
}

// An event of an export is known again, and otherwise becomes another event.
func TestExports(t *testing.T) {
	t.Parallel()
	const first, later = "2031-01-01 00:00:00.5", "2031-01-02 00:00:00"
	tests := []struct {
		name, before, after string
		want                map[string]int
	}{
		{
			"the same",
			exported(first, `"id":9,"slug":"e"`),
			exported(first, `"id":9,"slug":"e"`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{
			"an older one",
			exported(later, `"id":9,"slug":"e","excerpt":"X"`),
			exported(first, `"id":9,"slug":"e"`),
			map[string]int{"events unchanged": 1},
		},
		{
			"an emptied member",
			exported(first, `"id":9,"slug":"e","excerpt":"X"`),
			exported(first, `"id":9,"slug":"e"`),
			map[string]int{"events updated": 1},
		},
		{
			"another slug",
			exported(first, `"id":9,"slug":"e"`),
			exported(first, `"id":9,"slug":"f"`),
			map[string]int{
				"events created": 1,
			},
		},
		{"by lineage", exported(first, `"id":9,"slug":"e","global_id_lineage":["a.example?id=3"]`),
			exported(
				first,
				`"id":8,"slug":"f","global_id_lineage":["a.example?id=3"]`,
			), map[string]int{
				"events updated": 1,
			}},
		{
			"this calendar's, renamed",
			exported(first, `"id":1,"slug":"e"`),
			strings.Replace(exported(first, `"id":1,"slug":"e"`), `"E"`, `"F"`, 1),
			map[string]int{"events updated": 1},
		},
		{"another calendar's with the same id", exported(first, `"id":1,"slug":"e"`),
			strings.Replace(exported(later, `"id":1,"slug":"e"`), `"E"`, `"F"`, 1), map[string]int{
				"events created": 1,
			}},
		{"a taken slug", strings.Replace(exported(first, `"id":9,"slug":"e"`), `"E"`, `"F"`, 1),
			exported(first, `"id":9,"slug":"e"`, `"id":10,"slug":"e-2"`), map[string]int{
				"events created": 2,
			}},
		{
			"drafts",
			exported(first, `"id":9,"slug":"","status":"draft"`),
			exported(first, `"id":9,"slug":"","status":"draft"`,
				`"id":10,"slug":"","status":"draft"`),
			map[string]int{
				"events created":   1,
				"events unchanged": 1,
			},
		},
		{
			"the same in a list, whose times have no fraction",
			exported(first, `"id":9,"slug":"e"`),
			`{"events":[{"title":"E","slug":"e","start_date":"2031-05-12 20:00:00",
			"end_date":"2031-05-12 22:00:00","timezone":"Europe/Paris","modified_utc":"2031-01-01 00:00:00"}]}`,
			map[string]int{"events unchanged": 1},
		},
		{
			"a later draft",
			exported(first, `"id":9,"slug":"","status":"draft"`),
			exported(later, `"id":9,"slug":"","status":"draft"`),
			map[string]int{"events created": 1},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			c.mustLoad(test.before)
			if diff := cmp.Diff(test.want, counts(c.mustLoad(test.after))); diff != "" {
				t.Errorf("counts (-want, +got):\n%s", diff)
			}
			before := c.Seq()
			if again := c.mustLoad(test.after); c.Seq() != before {
				t.Errorf("again: %v", counts(again))
			}
		})
	}
}

// The series of an export keep the later horizon, the events here, and the account that imported
// them.
func TestExportedSeries(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const file = `{"exact":true,"series":[{"id":5,"title":"S","slug":"s","author":3,"rule":"FREQ=WEEKLY","start_date":"2031-05-12 20:00:00",
		"end_date":"2031-05-12 22:00:00","timezone":"Europe/Paris","horizon":"2031-05-20 00:00:00","date_utc":"2031-01-01 00:00:00",
		"modified_utc":"2031-01-01 00:00:00"%s}],
		"events":[{"id":6,"title":"S","slug":"s-2031-05-12","start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00",
		"timezone":"Europe/Paris","recurrence":{"series":5,"start":"2031-05-12 20:00:00"}}]}`
	c.mustLoad(list(event(1, `,"slug":"s"`)))
	c.mustLoad(fmt.Sprintf(file, ""))
	err := c.Update(1, func(tx *store.Tx) error {
		next := *tx.SeriesByID()[0]
		next.Horizon += 7 * 24 * 60 * 60
		return tx.Put(&next)
	})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Seq()
	c.options.Account = 8
	if report := c.mustLoad(fmt.Sprintf(file, "")); c.Seq() != before {
		t.Errorf("again: %v", counts(report))
	}
	c.mustLoad(fmt.Sprintf(file, `,"excerpt":"X"`))
	_ = c.View(func(v *store.View) error {
		all := v.SeriesByID()
		got := []any{
			len(all),
			all[0].Horizon.String(),
			all[0].Event.Author,
			all[0].Event.Excerpt,
			all[0].Event.Slug,
			len(v.Instances(all[0].ID)),
		}
		if diff := cmp.Diff([]any{1, "2031-05-27 00:00:00", int64(7), "X", "s", 1}, got); diff != "" {
			t.Errorf("(-want, +got):\n%s", diff)
		}
		return nil
	})
}

// Two exports of one import have ids of their own, and what an event names by its name stays as it
// is.
func TestExportsTogether(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	var venues, concerts []intake.Item
	for _, name := range []string{"A", "B"} {
		venue, err := read(
			`{"exact":true,"venues":[{"id":3,"venue":"` + name + `","slug":"` + name + `","city":"C"}]}`,
		)
		if err != nil {
			t.Fatal(err)
		}
		concert, err := read(
			strings.ReplaceAll(
				exported("2031-01-01 00:00:00", `"id":4,"slug":"e","venue":[3]`),
				`"E"`,
				`"`+name+`"`,
			),
		)
		if err != nil {
			t.Fatal(err)
		}
		venue[0].File = name
		concert[0].File = name
		venues = append(venues, venue...)
		concerts = append(concerts, concert...)
	}
	err := c.Update(7, func(tx *store.Tx) error {
		_, err := intake.Batch{Items: append(venues, concerts...)}.Apply(tx, c.options)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c.mustLoad(list(event(1, `,"venue":{"venue":"A","city":"D"}`)))
	events := all[*store.Event](c, store.Events)
	halls := all[*store.Venue](c, store.Venues)
	got := []any{
		events["e"].Venues[0],
		events["e-2"].Venues[0],
		events["e1"].Venues[0],
		halls["A"].City,
	}
	if diff := cmp.Diff([]any{halls["A"].ID, halls["B"].ID, halls["A"].ID, "C"}, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}
