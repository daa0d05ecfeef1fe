// Tests of writes of series.

package write_test

import (
	"testing"
	"time"

	"almanac/internal/write"
	"almanac/store"
)

// choir is a series of four Tuesdays.
const choir = `{"title":"Choir","start_date":"2026-11-24 19:00","end_date":"2026-11-24 21:00","recurrence":{"rule":"FREQ=WEEKLY;COUNT=4"}}`

// A change of dates updates modified of the series, even if all its events stay: calendars must read it again.
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
	c.expect("one changed, one deleted",
		"series 1 2026-11-24 19:00:00 FREQ=WEEKLY;COUNT=4 -2026-12-08 19:00:00",
		"2 choir-2026-11-24 2026-11-24 19:00:00 publish Choir of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-01 19:00:00 [start_date title]",
		"4 choir-2026-12-08__trashed 2026-12-08 19:00:00 trash Choir of 1",
		"5 choir-2026-12-15 2026-12-15 19:00:00 publish Choir of 1")
	c.said(c.update(5, "all", `{"title":"Singing","description":"All of us"}`), "5 made [] kept [2 3 5] removed []")
	c.said(c.update(4, "this", `{"status":"publish"}`), "4 alone")
	c.expect("all changed, then one came back",
		"series 1 2026-11-24 19:00:00 FREQ=WEEKLY;COUNT=4",
		"2 choir-2026-11-24 2026-11-24 19:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-01 19:00:00 [start_date title]",
		"4 choir-2026-12-08 2026-12-08 19:00:00 publish Choir of 1 [description title]",
		"5 choir-2026-12-15 2026-12-15 19:00:00 publish Singing of 1")
	c.said(c.update(2, "all", `{"start_date":"2026-11-25 18:00","end_date":"2026-11-25 20:00"}`), "2 made [] kept [2 3 4 5] removed []")
	c.expect("moved",
		"series 1 2026-11-25 18:00:00 FREQ=WEEKLY;COUNT=4",
		"2 choir-2026-11-25 2026-11-25 18:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-02 18:00:00 [end_date start_date title]",
		"4 choir-2026-12-09 2026-12-09 18:00:00 publish Choir of 1 [description title]",
		"5 choir-2026-12-16 2026-12-16 18:00:00 publish Singing of 1")
	c.said(c.update(4, "following", `{"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}`), "4 made [7] kept [4 5] removed []")
	c.expect("split",
		"series 1 2026-11-25 18:00:00 FREQ=WEEKLY;COUNT=2",
		"series 6 2026-12-09 18:00:00 FREQ=WEEKLY;COUNT=3",
		"2 choir-2026-11-25 2026-11-25 18:00:00 publish Singing of 1",
		"3 choir-2026-12-01 2026-12-01 20:00:00 publish Concert of 1 2026-12-02 18:00:00 [end_date start_date title]",
		"4 choir-2026-12-09 2026-12-09 18:00:00 publish Choir of 6 [description title]",
		"5 choir-2026-12-16 2026-12-16 18:00:00 publish Singing of 6",
		"7 choir-2026-12-23 2026-12-23 18:00:00 publish Singing of 6")
}

// Later dates of a series have its venue, too, when it comes back from the trash.
func TestTrashedVenue(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	first := c.create(`{"title":"Choir","start_date":"2026-11-25 20:00","end_date":"2026-11-25 22:00","venue":{"venue":"Hall"},
		"recurrence":"FREQ=WEEKLY"}`).event
	hall := first.Venues[0]
	c.write(func(ed write.Editor, tx *store.Tx, r *result) {
		_, r.err = ed.TrashLinked(tx, tx.Venue(hall))
		r.event = first
	})
	before := 0
	c.view(func(v *store.View) { before = v.Len(store.Events) })
	c.tick(100 * 24 * time.Hour)
	c.view(func(v *store.View) {
		events, series := v.EventsOf(store.Venues, hall), v.SeriesOf(store.Venues, hall)
		if len(events) != v.Len(store.Events) || len(series) != 1 || v.Len(store.Events) <= before {
			t.Errorf("%d of %d events and %d series have the venue", len(events), v.Len(store.Events), len(series))
		}
	})
}
