// Tests of series, one row per fact: state before, action, state after.

package write_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/write"
	"almanac/store"
)

// do runs a line such as "create {…}", "all 3 {…}", "delete following 4" or "tick 48h".
func (c *calendar) do(line string) result {
	c.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "create":
		return c.create(rest)
	case "tick":
		d, err := time.ParseDuration(rest)
		if err != nil {
			c.Fatal(err)
		}
		c.tick(d)
		return result{event: &store.Event{}}
	}
	var id int64
	if verb == "delete" {
		verb, rest, _ = strings.Cut(rest, " ")
		if _, err := fmt.Sscan(rest, &id); err != nil {
			c.Fatal(err)
		}
		return c.delete(id, write.Scope(verb))
	}
	number, body, _ := strings.Cut(rest, " ")
	if _, err := fmt.Sscan(number, &id); err != nil {
		c.Fatal(err)
	}
	return c.update(id, write.Scope(verb), body)
}

// event returns the body of an event of two hours.
func event(start, more string) string {
	at, err := time.Parse("2006-01-02 15:04", start)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(
		`create {"title":"Choir","start_date":%q,"end_date":%q,%s}`,
		start,
		at.Add(2*time.Hour).Format("2006-01-02 15:04"),
		more,
	)
}

// numbers returns "0,1,2…" up to last, as in rules.
func numbers(last int) string {
	text := "0"
	for n := range last {
		text += fmt.Sprint(",", n+1)
	}
	return text
}

func TestSeriesRows(t *testing.T) {
	t.Parallel()
	weekly := event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}`)
	for _, tt := range []struct {
		name  string
		given []string
		do    string
		want  string // the result
		then  string // lines outside the trash, as "start date changed"; "" for any
	}{
		{"exceptions by day and by time", nil,
			event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;COUNT=5","exdates":["2026-11-25","2026-11-27 19:00"]}`),
			"2 made [2 3 4]", "24T19 26T19 28T19"},
		{"an exception is all of a day", nil,
			event("2026-11-24 09:00", `"recurrence":{"rule":"FREQ=DAILY;BYHOUR=9,18;COUNT=6","exdates":["2026-11-25"]}`),
			"made", "24T09 24T18 26T09 26T18"},
		{"additions", nil, event("2026-11-24 19:00", `"recurrence":{"rdates":["2026-11-26","2026-11-28T10:00:00Z"]}`), "made [2 3 4]",
			"24T19 26T19 28T11"},
		{"lines of iCalendar", nil,
			event("2026-11-24 19:00", `"recurrence":"RRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=Asia/Tokyo:20261126T030000"`), "made", "24T19 26T19"},
		{"an end by day", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;UNTIL=20261126"}`), "made", "24T19 25T19 26T19"},
		{"an end by the clock", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;UNTIL=20261126T185959"}`), "made",
			"24T19 25T19"},
		{"an end in UTC", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;UNTIL=20261126T180000Z"}`), "made",
			"24T19 25T19 26T19"},
		{"an end of whole days", nil,
			event("2026-11-24 19:00", `"all_day":true,"recurrence":{"rule":"FREQ=DAILY;UNTIL=20261125T230000Z"}`), "made", "24T00 25T00 26T00"},
		{"a time that the clock skips", nil,
			event("2027-03-27 02:30", `"recurrence":{"rule":"FREQ=DAILY;COUNT=3","exdates":["2027-03-29"]}`), "made", "27T02 28T03"},
		{"moved out of a gap", []string{event("2027-03-27 02:30", `"recurrence":{"rule":"FREQ=DAILY;COUNT=3"}`)},
			`all 2 {"start_date":"2027-03-27 04:30","end_date":"2027-03-27 06:30"}`, "kept [2 3 4]", "27T04 28T04 29T04"},
		{"moved to another zone", []string{event("2027-03-27 02:30", `"recurrence":{"rule":"FREQ=DAILY;UNTIL=20270329T003000Z"}`)},
			`all 3 {"timezone":"Asia/Tokyo"}`, "kept [2 3 4]", "27T02 28T02 29T02"},
		{"whole days", []string{weekly}, `all 3 {"all_day":true}`, "kept [2 3 4]", "24T00 01T00 08T00"},
		{"whole days no more", []string{weekly, `all 2 {"all_day":true}`},
			`all 3 {"all_day":false,"start_date":"2026-12-02 10:00","end_date":"2026-12-02 12:00"}`,
			"kept [2 3 4]", "25T10 02T10 09T10"},
		{"a week later, each in the place of the next", []string{weekly}, `all 2 {"start_date":"2026-12-01 19:00","end_date":"2026-12-01 21:00"}`,
			"kept [2 3 4]", "01T19 08T19 15T19"},
		{"a rule with other days", []string{weekly}, `all 2 {"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4"}}`,
			"2 made [5 6] kept [2 3] removed [4]", "24T19 26T19 01T19 03T19"},
		{"exceptions stay when the rule changes", []string{weekly, "delete this 3"}, `all 2 {"recurrence":{"rule":"FREQ=WEEKLY;COUNT=4"}}`,
			"made [5] kept [2 4]", "24T19 08T19 15T19"},
		{"exceptions taken away", []string{weekly, "delete this 3"}, `all 2 {"recurrence":{"exdates":[]}}`, "made [5] kept [2 4]",
			"24T19 01T19 08T19"},
		{"a rule taken away", []string{weekly}, `all 2 {"recurrence":{"rule":null,"rdates":["2026-12-08"]}}`, "kept [2 4] removed [3]",
			"24T19 08T19"},
		{"sent back as it was read", []string{weekly},
			`this 3 {"title":"Choir","recurrence":{"series":1,"rule":"FREQ=WEEKLY;COUNT=3","changed":false}}`,
			"3 alone", "24T19 01T19 08T19"},
		{"another rule for one", []string{weekly}, `this 3 {"recurrence":{"rule":"FREQ=DAILY"}}`,
			"send it with scope=all, or with scope=following", ""},
		{"what begins to come again",
			[]string{`create {"title":"Once","slug":"one","start_date":"2026-11-24 19:00","end_date":"2026-11-24 20:00"}`},
			`this 1 {"title":"Often","recurrence":{"rule":"FREQ=DAILY;COUNT=2"}}`, "1 made [3] kept [1]", "24T19 25T19"},
		{"from an addition on", []string{event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3","rdates":["2026-11-28"]}`)},
			`following 3 {"title":"Late"}`, "kept [3 4 5]", "24T19 28T19 01T19 08T19"},
		{"from the first on", []string{weekly}, `following 2 {"title":"Late"}`, "kept [2 3 4]", ""},
		{"all leave", []string{weekly, "delete this 3"}, `all 2 {"recurrence":null,"title":"Single"}`, "2 made [] kept [2 4]", "24T19 08T19"},
		{"one leaves and others do not come back", []string{weekly, `this 3 {"recurrence":null}`, `all 2 {"title":"A"}`}, `all 4 {"title":"B"}`,
			"made [] kept [2 4] removed []", "24T19 01T19 08T19"},
		{"into the trash by an update of one", []string{weekly, `this 3 {"status":"trash"}`}, `all 2 {"title":"A"}`,
			"made [] kept [2 4] removed []", "24T19 08T19"},
		{"back from the trash after the end", []string{weekly, "delete following 3"}, `this 3 {"status":"publish"}`, "3 alone", "24T19 01T19"},
		{"back from the trash without its exception",
			[]string{weekly, "delete this 3", `all 2 {"recurrence":{"rule":"FREQ=WEEKLY;INTERVAL=2;COUNT=3","exdates":[]}}`},
			`this 3 {"status":"publish"}`, "3 alone", "24T19 01T19 08T19 22T19"},

		{"no start", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY","exdates":["2026-11-24"]}`),
			"exdates must not hold the start, 2026-11-24 19:00:00", ""},
		{"never", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}`),
			"recurrence: the rule FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 never gives a date after the start, 2026-11-24 19:00:00; " +
				"right would be one that does, such as FREQ=WEEKLY;BYDAY=TU.", ""},
		{"too many", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=HOURLY"}`),
			"gives more than 1000 events within 25 months; the first are 2026-11-24 19:00:00, 2026-11-24 20:00:00, 2026-11-24 21:00:00. Right",
			""},
		{"too many, years from now", nil, event("2036-11-24 19:00", `"recurrence":{"rule":"FREQ=MINUTELY"}`),
			"more than 1000 events within 25 months", ""},
		{"too many on one day, years from now", nil,
			event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU"}`),
			"more than 1000 events within 25 months; the first are 2032-02-29 00:00:00, 2032-02-29 00:01:00, 2032-02-29 00:02:00. Right", ""},
		{"too many at times of one day, years from now", nil,
			event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;BYHOUR=`+numbers(17)+
				`;BYMINUTE=`+numbers(59)+`"}`),
			"the first are 2032-02-29 00:00:00", ""},
		{"many on leap days, some of them Sundays", nil,
			event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=MINUTELY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU"}`), "made [2]", "24T19"},
		{"too many in the past", nil, event("2000-01-01 19:00", `"recurrence":{"rule":"FREQ=DAILY"}`),
			"more than 5000 events at once; the first are 2000-01-01", ""},
		{"too many in the past, and a number of them", nil, event("2000-01-01 19:00", `"recurrence":{"rule":"FREQ=HOURLY;COUNT=300000"}`),
			"more than 5000 events at once; the first are 2000-01-01", ""},
		{"an end before the start", nil, event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;UNTIL=20261101"}`),
			"UNTIL: 20261101T225959Z is before the start", ""},
		{"hours of whole days", nil, event("2026-11-24 19:00", `"all_day":true,"recurrence":{"rule":"FREQ=HOURLY;COUNT=3"}`),
			"FREQ: HOURLY does not go with a start without a time", ""},
		{"in the trash", nil, event("2026-11-24 19:00", `"status":"trash","recurrence":{"rule":"FREQ=DAILY;COUNT=3"}`),
			"an event in the trash does not come again", ""},
		{"all exceptions", []string{weekly}, `all 2 {"recurrence":{"exdates":["2026-11-24","2026-12-01","2026-12-08"]}}`, "it leaves no event",
			""},
		{"moved off its days", []string{event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=TU;COUNT=3"}`)},
			`all 2 {"start_date":"2026-11-25 19:00"}`,
			"the rule FREQ=WEEKLY;COUNT=3;BYDAY=TU does not give the start to which the series would move, 2026-11-25 19:00:00", ""},
		{"moved off its days, with the same rule", []string{event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY;BYDAY=TU;COUNT=3"}`)},
			`all 2 {"start_date":"2026-11-25 19:00","recurrence":{"rule":"FREQ=WEEKLY;BYDAY=TU;COUNT=3","exdates":[]}}`, "does not give the start",
			""},
		{"all of the trash", []string{weekly, "delete this 3"}, `all 3 {"title":"A"}`, "scope must be this for an event in the trash.", ""},
		{"a rule by the trash", []string{weekly, "delete this 3"}, `this 3 {"recurrence":{"rule":"FREQ=DAILY"}}`,
			"an event in the trash has no say", ""},
		{"into the trash by an update", []string{weekly}, `all 3 {"status":"trash"}`, "a DELETE with the same scope puts them there", ""},
		{"its own parent", []string{weekly}, `all 3 {"post_parent":2}`, "post_parent must not be an event of the series itself.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			for _, line := range tt.given {
				if r := c.do(line); r.err != nil {
					t.Fatal(line, r)
				}
			}
			before := c.lines()
			r := c.said(c.do(tt.do), tt.want)
			if r.err != nil {
				c.expect("refused", before...)
			}
			var starts []string
			c.view(func(v *store.View) {
				for rec := range v.Each(store.Events) {
					if e := rec.(*store.Event); e.Status != store.Trash {
						starts = append(starts, e.Start.Time().Format("01-02T15"))
					}
				}
			})
			slices.Sort(starts)
			for i := range starts { // the row does not say the month
				_, starts[i], _ = strings.Cut(starts[i], "-")
			}
			if got := strings.Join(starts, " "); tt.then != "" && got != tt.then {
				t.Errorf("the events start at %s, want %s", got, tt.then)
			}
		})
	}
}

// A request changes nothing if the caller may not change or delete one of its events.
func TestSeriesRights(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.do(event("2026-11-24 19:00", `"author":7,"recurrence":{"rule":"FREQ=DAILY;COUNT=3"}`))
	author := account.Account{ID: 7, Role: account.Author}
	c.said(c.do(`this 3 {"author":8}`), "3 alone")
	c.as = author
	before := c.lines()
	for _, line := range []string{`all 2 {"title":"Mine"}`, "delete all 2", `following 2 {"recurrence":{"rule":"FREQ=DAILY;COUNT=1"}}`,
		`all 2 {"recurrence":null}`} {
		if r := c.do(line); r.err != write.ErrForbidden {
			t.Errorf("%s: %v", line, r)
		}
	}
	c.expect("forbidden", before...)
	c.said(c.do(`following 4 {"title":"Mine"}`), "kept [4]")
	c.as = account.Account{ID: 1, Role: account.Administrator}
	c.said(c.do(`all 2 {"author":8}`), "kept [2 3]")
	c.as = author
	if r := c.do(`all 2 {"recurrence":{"rule":"FREQ=DAILY;COUNT=9"}}`); r.err != write.ErrForbidden {
		t.Errorf("the series of another: %v", r)
	}
	c.as = account.Account{ID: 1, Role: account.Administrator}
	c.do(`this 2 {"author":7}`)
	c.do(`this 3 {"author":7}`)
	c.as = author
	before = c.lines()
	for _, line := range []string{`all 2 {"title":"Mine"}`, "delete all 2", "delete following 3"} {
		if r := c.do(line); r.err != write.ErrForbidden {
			t.Errorf("%s, own events in the series of another: %v", line, r)
		}
	}
	c.expect("own events in the series of another", before...)
}

// Linked records and passwords are created once for all events of a series.
func TestSeriesMembers(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.do(
		event(
			"2026-11-24 19:00",
			`"status":"draft","password":"sesame","venue":{"venue":"Hall"},"categories":["Music"],"cost":"5",
		"recurrence":{"rule":"FREQ=DAILY;COUNT=3"}`,
		),
	)
	one := func(id int64) *store.Event {
		var e store.Event
		c.view(func(v *store.View) { e = *v.Event(id) })
		return &e
	}
	for id := int64(3); id <= 5; id++ {
		if e := one(id); len(e.Venues) != 1 || e.Venues[0] != 1 || len(e.Categories) != 1 ||
			e.Password == "" ||
			e.Password != one(3).Password ||
			e.Slug != "" {
			t.Errorf("%d is %+v", id, e)
		}
	}
	c.said(
		c.do(
			`all 4 {"status":"publish","website":"https://a.example/event/4","cost":null,"title":"Singing"}`,
		),
		"kept [3 4 5]",
	)
	for id, slug := range map[int64]string{
		3: "singing-2026-11-24",
		4: "singing-2026-11-25",
		5: "singing-2026-11-26",
	} {
		if e := one(id); e.Slug != slug || e.Website != "" || e.Status != store.Publish ||
			e.Undated ||
			e.Entries[0] != "5" ||
			!e.Date.Equal(c.now) {
			t.Errorf("%d is %+v, want the slug %s", id, e, slug)
		}
	}
	c.said(c.do(`all 4 {"slug":"chor","password":null,"venue":{"venue":"Barn"}}`), "kept [3 4 5]")
	c.said(c.do(`this 5 {"slug":"last"}`), "5 alone")
	c.said(
		c.do(`all 3 {"start_date":"2026-11-25 19:00","end_date":"2026-11-25 21:00"}`),
		"kept [3 4 5]",
	)
	for id, slug := range map[int64]string{3: "chor-2026-11-25", 4: "chor-2026-11-26", 5: "last"} {
		if e := one(id); e.Slug != slug || e.Password != "" || len(e.Venues) != 1 ||
			e.Venues[0] != one(3).Venues[0] {
			t.Errorf("%d is %+v, want the slug %s", id, e, slug)
		}
	}
	if diff := gocmp.Diff([]string{"slug"}, one(5).Recurrence.Changed); diff != "" {
		t.Error(diff)
	}
}

// The horizon moves once a month, also with concurrent calls.
func TestSeriesHorizon(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.said(c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY"}`)), "made")
	c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY;COUNT=1001"}`))
	c.do(event("2031-11-24 19:00", `"recurrence":{"rule":"FREQ=MONTHLY;COUNT=3"}`))
	c.view(func(v *store.View) {
		series := v.SeriesByID()
		if n := len(v.Instances(series[1].ID)); n < 700 || n > 800 || series[1].Horizon == 0 {
			t.Errorf("%d events of the long series, to %s", n, series[1].Horizon)
		}
		if n := len(v.Instances(series[2].ID)); n != 3 || series[2].Horizon != 0 {
			t.Errorf("%d events of the series that ends, to %s", n, series[2].Horizon)
		}
	})
	seen := func() (events int, horizon store.Wall, seq uint64) {
		c.view(func(v *store.View) {
			horizon = v.Series(1).Horizon
			for _, e := range v.Instances(1) {
				if e.Start >= horizon {
					t.Errorf("%s is made beyond the horizon, %s", e.Start, horizon)
				}
				events++
			}
		})
		return events, horizon, c.store.Seq()
	}
	events, horizon, seq := seen()
	if want := "2028-12-20 00:00:00"; horizon.String() != want || events != 109 {
		t.Errorf("%d events to %s, want 109 to %s", events, horizon, want)
	}
	for range 20 {
		c.tick(24 * time.Hour)
	}
	if _, _, now := seen(); now != seq {
		t.Errorf("%d transactions in 20 days", now-seq)
	}
	for range 40 {
		c.tick(24 * time.Hour)
		if err := write.MoveHorizons(c.store, c.now); err != nil {
			t.Fatal(err)
		}
	}
	if events, horizon, now := seen(); now > seq+6 ||
		horizon.Time().Before(c.now.AddDate(0, 24, 0)) ||
		events < 109+8 {
		t.Errorf("%d transactions, %d events to %s", now-seq, events, horizon)
	}
	c.tick(6 * 366 * 24 * time.Hour)
	c.view(func(v *store.View) {
		long := v.SeriesByID()[1]
		if n := len(v.Instances(long.ID)); n != 1001 || long.Horizon != 0 {
			t.Errorf("%d events of the long series, to %s", n, long.Horizon)
		}
	})
}

// Events of later dates do not begin at the horizon, where the next move goes on, and have no ids
// of the calendar that the series came from.
func TestSeriesHorizonAtMidnight(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.do(event("2026-11-24 00:00", `"recurrence":{"rule":"FREQ=DAILY"}`))
	err := c.store.Update(1, func(tx *store.Tx) error {
		s := *tx.Series(1)
		s.Event.Origins = []string{"old.example?id=7"}
		return tx.Put(&s)
	})
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	c.view(func(v *store.View) { first = len(v.Instances(1)) })
	c.tick(60 * 24 * time.Hour)
	c.view(func(v *store.View) {
		all := v.Instances(1)
		horizon := v.Series(1).Horizon
		if len(all) <= first {
			t.Errorf("%d events, and %d before", len(all), first)
		}
		for _, e := range all {
			if e.Start >= horizon || len(e.Origins) > 0 {
				t.Errorf("%s with the ids %q, and the horizon is %s", e.Start, e.Origins, horizon)
			}
		}
	})
}

// A stored series whose rule has too many dates, which no request can store, is left unchanged.
func TestSeriesHorizonOfTooMany(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY"}`))
	err := c.store.Update(1, func(tx *store.Tx) error {
		s := *tx.Series(1)
		s.Rule = "FREQ=HOURLY"
		return tx.Put(&s)
	})
	if err != nil {
		t.Fatal(err)
	}
	c.tick(60 * 24 * time.Hour)
	c.view(func(v *store.View) {
		if n, s := len(v.Instances(1)), v.Series(1); n != 109 || s.Horizon != 0 {
			t.Errorf("%d events to %s, want the 109 of before and no horizon", n, s.Horizon)
		}
	})
}

// A series that others changed, after it was found to be due, stays as they left it.
func TestSeriesHorizonAfterAChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCalendar(t)
		for range 4 {
			c.said(c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY"}`)), "made")
		}
		c.now = c.now.AddDate(0, 2, 0)
		c.said(c.do(event("2027-01-26 19:00", `"recurrence":{"rule":"FREQ=WEEKLY"}`)), "made")
		change := make(chan bool)
		done := make(chan error)
		go func() {
			done <- c.store.Update(1, func(tx *store.Tx) error {
				<-change
				all := tx.SeriesByID()
				horizon := all[4].Horizon
				ended := *all[0]
				ended.Event.Status = store.Trash
				whole := *all[1]
				whole.Horizon = 0
				moved := *all[2]
				moved.Horizon = horizon
				ahead := *all[3]
				ahead.Horizon = horizon + 86_400
				return errors.Join(tx.Put(&ended), tx.Put(&whole), tx.Put(&moved), tx.Put(&ahead))
			})
		}()
		synctest.Wait() // so that the change is the first transaction
		go func() { done <- write.MoveHorizons(c.store, c.now) }()
		synctest.Wait() // so that the horizons wait for it
		changed := c.store.Seq() + 1
		close(change)
		if err := errors.Join(<-done, <-done); err != nil {
			t.Fatal(err)
		}
		if seq := c.store.Seq(); seq != changed {
			t.Errorf("%d transactions after the change", seq-changed)
		}
	})
}

// Of very many dates, each transaction generates some.
func TestSeriesHorizonInParts(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=DAILY"}`))
	look := func() (events int, horizon store.Wall) {
		c.view(func(v *store.View) {
			events = len(v.Instances(1))
			horizon = v.Series(1).Horizon
		})
		return events, horizon
	}
	first, _ := look()
	c.now = c.now.AddDate(16, 0, 0)
	for _, want := range []int{first + 5000, first + 16*365 + 4} { // 4 leap years
		if err := write.MoveHorizons(c.store, c.now); err != nil {
			t.Fatal(err)
		}
		if events, horizon := look(); events != want {
			t.Errorf("%d events to %s, want %d", events, horizon, want)
		}
	}
	if _, horizon := look(); horizon.String() != "2044-12-20 00:00:00" {
		t.Errorf("the horizon is %s", horizon)
	}
}

// A clock that was set back moves the horizon back; existing events are not generated again.
func TestSeriesClockPutBack(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	made := c.do(event("2026-11-24 19:00", `"recurrence":{"rule":"FREQ=WEEKLY"}`)).report.Made
	last := made[len(made)-1]
	c.do(fmt.Sprint("delete this ", last))
	c.now = c.now.AddDate(-1, 0, 0)
	c.said(c.do(`all 2 {"title":"A"}`), "made [] kept")
	c.said(c.do(fmt.Sprintf(`this %d {"status":"publish"}`, last)), "alone")
	c.tick(14 * 31 * 24 * time.Hour)
	c.view(func(v *store.View) {
		dates := map[store.Wall]int{}
		for _, e := range v.Instances(1) {
			dates[e.Start]++
		}
		if s := v.Series(1); len(dates) <= len(made) || len(dates) != len(v.Instances(1)) ||
			len(s.EXDates) > 0 {
			t.Errorf(
				"%d dates of %d events, without %v",
				len(dates),
				len(v.Instances(1)),
				s.EXDates,
			)
		}
	})
}
