// Tests of writes of series.

package write_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// choir is a series of four Tuesdays.
const choir = `{"title":"Choir","start_date":"2026-11-24 19:00","end_date":"2026-11-24 21:00","recurrence":{"rule":"FREQ=WEEKLY;COUNT=4"}}`

// A change of dates updates modified of the series, even if all its events stay: calendars must
// read it again.
func TestSeriesModified(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.create(choir)
	for _, step := range []struct {
		name string
		do   func() result
	}{
		{"an event is deleted", func() result { return c.delete(4, "this") }},
		{"it comes back", func() result { return c.update(4, "this", `{"status":"publish"}`) }},
		{"an event leaves", func() result { return c.update(3, "this", `{"recurrence":null}`) }},
		{"it is cut", func() result { return c.update(5, "following", `{"title":"Concert"}`) }},
		{"it ends sooner", func() result { return c.delete(4, "following") }},
	} {
		c.tick(time.Hour)
		if r := step.do(); r.err != nil {
			t.Fatalf("%s: %v", step.name, r.err)
		}
		c.view(func(v *store.View) {
			if got := v.Series(1).Event.Modified; !got.Equal(c.now) {
				t.Errorf("%s: changed at %s, want %s", step.name, got, c.now)
			}
		})
	}
}

// An event of the trash whose date another event of its series has comes back as a single one.
func TestBackToATakenDate(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.said(c.create(choir), "made [2 3 4 5]")
	c.said(c.delete(3, "this"), "alone")
	err := c.store.Update(1, func(tx *store.Tx) error { // which no request can store
		e := *tx.Event(3)
		e.ID = 0
		e.Slug = ""
		e.Status = store.Publish
		return tx.Put(&e)
	})
	if err != nil {
		t.Fatal(err)
	}
	c.said(c.update(3, "this", `{"status":"publish"}`), "3 alone")
	c.view(func(v *store.View) {
		if e := v.Event(3); e.Status != store.Publish || e.Recurrence != nil {
			t.Errorf("%s, of %v", e.Status, e.Recurrence)
		}
	})
}

// A transaction that needs the dates of a rule ends before these are computed, and one with them
// computes none. A series that others change all the time gets its dates all the same.
func TestDatesAreComputedOutsideOfTransactions(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	values, rec, err := c.values(params.EventCreate, choir)
	if err != nil {
		t.Fatal(err)
	}
	plans := new(write.Plans)
	runs := 0
	asked := int64(0)
	create := func(rule string) error {
		runs++
		ed := write.Editor{Caller: c.as, Now: c.now, Site: c.site, Zones: &c.zones, Plans: plans}
		ed.Afford = func(bytes int64) error { asked = bytes; return nil }
		return c.store.Update(1, func(tx *store.Tx) error {
			rec := *rec
			if rec.Rule, err = rrule.ParseRule(rule); err != nil {
				return err
			}
			_, _, err := ed.CreateEvent(tx, values, &rec)
			return err
		})
	}
	const rule = "FREQ=WEEKLY;COUNT=4"
	var unplanned *write.Unplanned
	if err := create(rule); !errors.As(err, &unplanned) {
		t.Fatalf("error %v, want one without dates", err)
	}
	unplanned.Plan()
	if err := create(rule); err != nil {
		t.Fatal(err)
	}
	if asked != 4*(250+store.RecordMemory)+2*int64(len("Choir")) {
		t.Errorf("it writes %d bytes at least", asked)
	}
	for n := 5; ; n++ {
		err := create(fmt.Sprint("FREQ=WEEKLY;COUNT=", n))
		if !errors.As(err, &unplanned) {
			if err != nil || n != 12 {
				t.Errorf("%d dates: error %v", n, err)
			}
			break
		}
		unplanned.Plan()
	}
	c.view(func(v *store.View) {
		if n := v.Len(store.Events); n != 4+12 || runs != 10 {
			t.Errorf("%d events after %d transactions", n, runs)
		}
	})
}

// Dates that were computed for a series do not serve it when somebody has changed it meanwhile.
func TestDatesOfAChangedSeries(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.create(choir)
	values, _, err := c.values(params.EventUpdate, `{"title":"Concert"}`)
	if err != nil {
		t.Fatal(err)
	}
	plans := new(write.Plans)
	update := func() error {
		ed := write.Editor{Caller: c.as, Now: c.now, Site: c.site, Zones: &c.zones, Plans: plans}
		return c.store.Update(1, func(tx *store.Tx) error {
			_, _, err := ed.UpdateEvent(tx, values, nil, write.All, tx.Event(2))
			return err
		})
	}
	var unplanned *write.Unplanned
	if err := update(); !errors.As(err, &unplanned) {
		t.Fatalf("error %v, want one without dates", err)
	}
	unplanned.Plan()
	c.said(c.delete(3, "this"), "3 alone")
	if err := update(); !errors.As(err, &unplanned) {
		t.Fatalf("error %v, want one without the dates that are left", err)
	}
	unplanned.Plan()
	if err := update(); err != nil {
		t.Fatal(err)
	}
	c.view(func(v *store.View) {
		if n := v.Len(store.Events); n != 4 || v.Event(3).Status != store.Trash ||
			v.Event(4).Title != "Concert" {
			t.Errorf("%d events, the deleted one is %s", n, v.Event(3).Status)
		}
	})
}

// Exceptions that are days take away all dates of these, and a rule with a COUNT is walked through
// once for all of them: each day would count its dates from the start.
func TestExceptionDaysOfACount(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const body = `{"title":"Choir","start_date":"2026-11-24 09:00","end_date":"2026-11-24 10:00","recurrence":{"rule":%q,"exdates":%s}}`
	c.said(
		c.create(
			fmt.Sprintf(
				body,
				"FREQ=DAILY;BYHOUR=9,14;COUNT=8",
				`["2026-11-27","2026-11-25","2035-01-01"]`,
			),
		),
		"2 made [2 3 4 5] kept [] removed []",
	)
	var got []string
	c.view(func(v *store.View) {
		for _, date := range v.Series(1).EXDates {
			got = append(got, date.String())
		}
	})
	want := []string{
		"2026-11-25 09:00:00",
		"2026-11-25 14:00:00",
		"2026-11-27 09:00:00",
		"2026-11-27 14:00:00",
		"2035-01-01 09:00:00",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exceptions (-want +got):\n%s", diff)
	}
	const far = "exdates name a day after more than 100000 dates; right would be its times, such as 9000-01-01 09:00:00."
	c.said(
		c.create(
			fmt.Sprintf(body, "FREQ=SECONDLY;COUNT=999999999", `["2035-01-01","9000-01-01"]`),
		),
		"recurrence: "+far,
	)
}

func TestSeriesCreate(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.said(c.create(choir), "2 made [2 3 4 5] kept [] removed []")
	c.expect("four Tuesdays",
		"series 1 2026-11-24 19:00:00 FREQ=WEEKLY;COUNT=4",
		"2 choir-2026-11-24 2026-11-24 19:00:00 publish Choir of 1",
		"3 choir-2026-12-01 2026-12-01 19:00:00 publish Choir of 1",
		"4 choir-2026-12-08 2026-12-08 19:00:00 publish Choir of 1",
		"5 choir-2026-12-15 2026-12-15 19:00:00 publish Choir of 1")
}

func TestSeriesThis(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.create(choir)
	c.said(c.update(3, "this", `{"title":"Concert","start_date":"2026-12-01 20:00"}`), "3 alone")
	c.said(c.delete(4, "this"), "4 alone")
	c.expect(
		"one changed, one deleted",
		"series 1 2026-11-24 19:00:00 FREQ=WEEKLY;COUNT=4 -2026-12-08 19:00:00",
		"2 choir-2026-11-24 2026-11-24 19:00:00 publish Choir of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-01 19:00:00 [start_date title]",
		"4 choir-2026-12-08__trashed 2026-12-08 19:00:00 trash Choir of 1",
		"5 choir-2026-12-15 2026-12-15 19:00:00 publish Choir of 1",
	)
	c.said(
		c.update(5, "all", `{"title":"Singing","description":"All of us"}`),
		"5 made [] kept [2 3 5] removed []",
	)
	c.said(c.update(4, "this", `{"status":"publish"}`), "4 alone")
	c.expect(
		"all changed, then one came back",
		"series 1 2026-11-24 19:00:00 FREQ=WEEKLY;COUNT=4",
		"2 choir-2026-11-24 2026-11-24 19:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-01 19:00:00 [start_date title]",
		"4 choir-2026-12-08 2026-12-08 19:00:00 publish Choir of 1 [description title]",
		"5 choir-2026-12-15 2026-12-15 19:00:00 publish Singing of 1",
	)
	c.said(
		c.update(2, "all", `{"start_date":"2026-11-25 18:00","end_date":"2026-11-25 20:00"}`),
		"2 made [] kept [2 3 4 5] removed []",
	)
	c.expect(
		"moved",
		"series 1 2026-11-25 18:00:00 FREQ=WEEKLY;COUNT=4",
		"2 choir-2026-11-25 2026-11-25 18:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-02 18:00:00 [end_date start_date title]",
		"4 choir-2026-12-09 2026-12-09 18:00:00 publish Choir of 1 [description title]",
		"5 choir-2026-12-16 2026-12-16 18:00:00 publish Singing of 1",
	)
	c.said(
		c.update(4, "following", `{"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}`),
		"4 made [7] kept [4 5] removed []",
	)
	c.expect(
		"split",
		"series 1 2026-11-25 18:00:00 FREQ=WEEKLY;COUNT=2",
		"series 6 2026-12-09 18:00:00 FREQ=WEEKLY;COUNT=3",
		"2 choir-2026-11-25 2026-11-25 18:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-02 18:00:00 [end_date start_date title]",
		"4 choir-2026-12-09 2026-12-09 18:00:00 publish Choir of 6 [description title]",
		"5 choir-2026-12-16 2026-12-16 18:00:00 publish Singing of 6",
		"7 choir-2026-12-23 2026-12-23 18:00:00 publish Singing of 6",
	)
}

// Later dates of a series have its venue, too, when it comes back from the trash.
func TestTrashedVenue(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	first := c.create(
		`{"title":"Choir","start_date":"2026-11-25 20:00","end_date":"2026-11-25 22:00","venue":{"venue":"Hall"},
		"recurrence":"FREQ=WEEKLY"}`,
	).event
	hall := first.Venues[0]
	c.write(func(ed write.Editor, tx *store.Tx, r *result) {
		_, r.err = ed.TrashLinked(tx, tx.Venue(hall))
		r.event = first
	})
	before := 0
	c.view(func(v *store.View) { before = v.Len(store.Events) })
	c.tick(100 * 24 * time.Hour)
	c.view(func(v *store.View) {
		events := v.EventsOf(store.Venues, hall)
		series := v.SeriesOf(store.Venues, hall)
		if len(events) != v.Len(store.Events) || len(series) != 1 ||
			v.Len(store.Events) <= before {
			t.Errorf(
				"%d of %d events and %d series have the venue",
				len(events),
				v.Len(store.Events),
				len(series),
			)
		}
	})
}
