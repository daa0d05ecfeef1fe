package intake_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/write"
	"almanac/store"
)

// dated returns a date of a series in the form of the paid edition. behind follows the slug in its
// address, and members are added to the common ones.
func dated(id int, slug, behind, title, start, members string) string {
	at, _ := time.Parse("2006-01-02 15:04", start)
	return fmt.Sprintf(
		`{"id":%d,"global_id":"old.example?id=%[1]d","title":%q,"slug":%q,"status":"publish","timezone":"Europe/Paris",
		"start_date":%q,"end_date":%q,"modified_utc":"2031-01-01 00:00:00","url":"https://old.example/event/%[3]s/%[6]s/"%s}`,
		id,
		title,
		slug,
		at.Format(time.DateTime),
		at.Add(2*time.Hour).Format(time.DateTime),
		behind,
		members,
	)
}

// dates returns the series by origin, and their events in order.
func (c *calendar) dates() []string {
	var got, singles []string
	_ = c.View(func(v *store.View) error {
		for _, s := range v.SeriesByID() {
			e := s.Event
			got = append(
				got,
				strings.Join(
					e.Origins,
					" ",
				)+": "+e.Slug+" "+string(
					e.Status,
				)+" "+e.Title+" "+e.Start.String()[:16]+" "+s.Rule,
			)
			for _, e := range v.Instances(s.ID) {
				line := fmt.Sprintf(
					"  %s %s %s %v",
					e.Slug,
					e.Title,
					e.Start.String()[:16],
					e.Recurrence.Changed,
				)
				if e.Recurrence.Start != e.Start {
					line += " for " + e.Recurrence.Start.String()
				}
				got = append(got, line)
			}
			for _, w := range append([]store.Wall{s.Event.Start}, s.RDates...) {
				if in := v.Instance(s.ID, w); in == nil {
					got = append(got, "  no event on "+w.String())
				}
			}
		}
		for r := range v.Each(store.Events) {
			if e := r.(*store.Event); e.Recurrence == nil {
				singles = append(singles, "single: "+e.Slug)
			}
		}
		return nil
	})
	slices.Sort(singles)
	return append(got, singles...)
}

// expect compares the series with what is wanted, and imports the file again, which has to change
// nothing.
func (c *calendar) expect(what, file string, want ...string) {
	c.Helper()
	if diff := cmp.Diff(want, c.dates()); diff != "" {
		c.Errorf("%s (-want +got):\n%s", what, diff)
	}
	before := c.Seq()
	report := c.load(file)
	if c.Seq() != before ||
		counts(report)["events created"]+counts(report)["events updated"] > 0 {
		c.Errorf(
			"%s, imported again: %v, %d transactions:\n%s",
			what,
			counts(report),
			c.Seq()-before,
			cmp.Diff(want, c.dates()),
		)
	}
}

// Dates that share a slug in their addresses are a series of just these dates, whichever come
// when, with what each has of its own.
func TestDates(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	first := list(
		dated(1000, "jazz", "2031-05-06", "Jazz", "2031-05-06 19:00", ""),
		dated(1001, "jazz", "2031-05-09", "Jazz & more", "2031-05-09 20:00", `,"cost":"$5"`),
		event(7, ""),
		dated(1002, "jazz", "2031-05-20", "Jazz", "2031-05-20 19:00", ""),
		dated(1010, "once", "2031-06-01", "Once", "2031-06-01 10:00", ""),
	)
	report := c.mustLoad(first)
	if got := counts(report); got["events created"] != 5 {
		t.Errorf("the report says %v", got)
	}
	jazz := "old.example?series=jazz: jazz publish Jazz 2031-05-06 19:00 "
	once := []string{
		"old.example?series=once: once publish Once 2031-06-01 10:00 ",
		"  once-2031-06-01 Once 2031-06-01 10:00 []",
	}
	dates := []string{
		"  jazz-2031-05-06 Jazz 2031-05-06 19:00 []",
		"  jazz-2031-05-09 Jazz & more 2031-05-09 20:00 [cost title]",
		"  jazz-2031-05-20 Jazz 2031-05-20 19:00 []",
	}
	want := append(append(append([]string{jazz}, dates...), once...), "single: e7")
	c.expect("the first document", first, want...)

	// Dates that a later document lacks stay; new ones join, also before all existing ones. A
	// refused date joins when it can be read.
	later := list(
		dated(
			1003,
			"jazz",
			"2031-06-03",
			"Jazz",
			"2031-06-03 19:00",
			"",
		),
		dated(999, "jazz", "2031-04-29", "Jazz", "2031-04-29 19:00", ""),
		dated(
			1004,
			"jazz",
			"2031-06-10",
			"Jazz",
			"2031-06-10 19:00",
			`,"cost_details":{"values":"x"}`,
		),
		dated(1005, "jazz", "2031-06-17", "Jazz", "2031-06-17 19:00", `,"status":"maybe"`),
	)
	if report := c.load(later); len(report.Refusals) != 1 ||
		counts(report)["events created"] != 3 {
		t.Fatalf("%v, %v", counts(report), report.Refusals)
	}
	jazz = "old.example?series=jazz: jazz publish Jazz 2031-04-29 19:00 "
	dates = slices.Insert(
		append(
			dates,
			"  jazz-2031-06-03 Jazz 2031-06-03 19:00 []",
			"  jazz-2031-06-10 Jazz 2031-06-10 19:00 []",
		),
		0,
		"  jazz-2031-04-29 Jazz 2031-04-29 19:00 []",
	)
	c.expect(
		"a later document",
		later,
		append(append(append([]string{jazz}, dates...), once...), "single: e7")...)
	mended := strings.Replace(later, `"maybe"`, `"publish"`, 1)
	c.mustLoad(mended)
	dates = append(dates, "  jazz-2031-06-17 Jazz 2031-06-17 19:00 []")
	c.expect(
		"a date that was refused",
		mended,
		append(append(append([]string{jazz}, dates...), once...), "single: e7")...)

	// All dates changed there: the series changes, and its events have no changes of their own. An
	// event that the file lacks differs.
	newer := strings.NewReplacer("2031-01-01 00", "2031-01-02 00", `"Jazz"`, `"Swing"`).
		Replace(list(
			dated(1001, "jazz", "2031-05-09", "Jazz & more", "2031-05-09 20:00", `,"cost":"$5"`),
			dated(
				1002,
				"jazz",
				"2031-05-20",
				"Jazz",
				"2031-05-20 19:00",
				"",
			),
			dated(1003, "jazz", "2031-06-03", "Jazz", "2031-06-03 19:00", ""),
		))
	c.mustLoad(newer)
	jazz = "old.example?series=jazz: jazz publish Jazz & more 2031-04-29 19:00 " // the first of the events that changed last
	dates = []string{
		"  jazz-2031-04-29 Jazz 2031-04-29 19:00 [cost title]",
		"  jazz-2031-05-06 Jazz 2031-05-06 19:00 [cost title]",
		"  jazz-2031-05-09 Jazz & more 2031-05-09 20:00 []",
		"  jazz-2031-05-20 Swing 2031-05-20 19:00 [cost title]",
		"  jazz-2031-06-03 Swing 2031-06-03 19:00 [cost title]",
		"  jazz-2031-06-10 Jazz 2031-06-10 19:00 [cost title]",
		"  jazz-2031-06-17 Jazz 2031-06-17 19:00 [cost title]",
	}
	c.expect(
		"a change of all dates",
		newer,
		append(append(append([]string{jazz}, dates...), once...), "single: e7")...)
}

// The same dates make the same series in any order, and over several batches.
func TestDatesInAnyOrder(t *testing.T) {
	t.Parallel()
	var records []string
	for i := range 6 {
		day := fmt.Sprintf("2031-05-%02d", 3*i+1)
		records = append(records, dated(1000+i, "jazz", day, "Jazz", day+" 19:00", ""))
	}
	whole := newCalendar(t)
	whole.mustLoad(list(records...))
	want := whole.dates()
	back := newCalendar(t)
	apart := newCalendar(t)
	slices.Reverse(records)
	back.mustLoad(list(records...))
	for _, i := range []int{2, 0, 5, 1, 4, 3} {
		apart.mustLoad(list(records[i]))
	}
	for _, c := range []*calendar{back, apart} {
		if diff := cmp.Diff(want, c.dates()); diff != "" {
			t.Errorf("in another order (-want +got):\n%s", diff)
		}
	}
	if len(want) != 7 {
		t.Errorf("got %v", want)
	}
}

// Addresses that others have, several dates of a day, dates that move, and what is no date of a
// series.
func TestDatesBesideOthers(t *testing.T) {
	t.Parallel()
	series := "old.example?series=jazz: jazz publish Jazz 2031-05-06 19:00 "
	day := func(id int, behind, start, members string) string {
		return dated(id, "jazz", behind, "Jazz", "2031-05-"+start, members)
	}
	newer := func(file string) string { return strings.ReplaceAll(file, "2031-01-01 00", "2031-01-02 00") }
	for _, tt := range []struct {
		name          string
		before, after string // "" for no import before
		want          []string
	}{
		{"a plain event with the slug of the series, and one with that of a date",
			list(event(7, `,"slug":"jazz"`), event(8, `,"slug":"jazz-2031-05-06"`)), list(day(1, "2031-05-06", "06 19:00", "")),
			[]string{series, "  jazz-2031-05-06-2 Jazz 2031-05-06 19:00 []", "single: jazz", "single: jazz-2031-05-06"}},
		{"several on one day", "",
			list(day(1, "2031-05-06", "06 19:00", ""), day(2, "2031-05-06/2", "06 21:00", ""), day(3, "2031-05-06/3", "06 21:00", "")),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  jazz-2031-05-06-2 Jazz 2031-05-06 21:00 []",
				"  jazz-2031-05-06-3 Jazz 2031-05-06 21:00 [end_date start_date] for 2031-05-06 21:00:01"}},
		{"two at one address, saved together", "", list(day(1, "2031-05-06", "06 19:00", ""), day(2, "2031-05-06", "06 21:00", "")),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  jazz-2031-05-06-2 Jazz 2031-05-06 21:00 []"}},
		{"the first of one day, by its number", "", list(day(1, "2031-05-06/1", "06 19:00", "")),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []"}},
		{"in the trash by now, where it keeps the slug of its address",
			list(day(1, "2031-05-06", "06 19:00", "")),
			newer(list(day(1, "2031-05-06", "06 19:00", `,"status":"trash"`))),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  no event on 2031-05-06 19:00:00"}},
		{"the same slug on another site", list(day(1, "2031-05-06", "06 19:00", "")),
			strings.ReplaceAll(list(day(1, "2031-05-06", "06 19:00", "")), "old.example", "new.example"),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", strings.Replace(series, "old", "new", 1),
				"  jazz-2031-05-06-2 Jazz 2031-05-06 19:00 []"}},
		{"all dates of it moved by a day, and one came before them",
			list(day(1, "2031-05-07", "07 19:00", ""), day(2, "2031-05-08", "08 19:00", "")),
			newer(list(day(3, "2031-05-06", "06 19:00", ""), day(1, "2031-05-08", "08 19:00", ""), day(2, "2031-05-09", "09 19:00", ""))),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  jazz-2031-05-08-2 Jazz 2031-05-08 19:00 []",
				"  jazz-2031-05-09 Jazz 2031-05-09 19:00 []"}},
		{"the times changed, and with them the ids",
			list(day(1, "2031-05-06", "06 18:00", ""), day(2, "2031-05-07", "07 18:00", "")),
			newer(list(day(11, "2031-05-06", "06 19:00", ""), day(12, "2031-05-07", "07 19:00", ""))),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  jazz-2031-05-07 Jazz 2031-05-07 19:00 []"}},
		{"what an earlier version made of them",
			list(event(1, `,"slug":"jazz"`), event(2, `,"slug":"jazz"`)),
			strings.ReplaceAll(list(day(1, "2031-05-06", "06 19:00", ""), day(2, "2031-05-07", "07 19:00", "")), "old.example?", "a.example?"),
			[]string{strings.Replace(series, "old", "a", 1), "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []",
				"  jazz-2031-05-07 Jazz 2031-05-07 19:00 []"}},
		{"a draft comes first", "",
			list(day(1, "2031-05-06", "06 19:00", `,"status":"draft"`), day(2, "2031-05-07", "07 19:00", "")),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 [status]", "  jazz-2031-05-07 Jazz 2031-05-07 19:00 []"}},
		{"whole days among others, and another zone", "",
			list(day(1, "2031-05-06", "06 19:00", ""), day(2, "2031-05-07", "07 00:00", `,"all_day":true`),
				day(3, "2031-05-08", "08 13:00", `,"timezone":"America/New_York"`)),
			[]string{series, "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []", "  jazz-2031-05-07 Jazz 2031-05-07 00:00 [all_day]",
				"  jazz-2031-05-08 Jazz 2031-05-08 13:00 [end_date start_date timezone] for 2031-05-08 19:00:00"}},
		{"an address in another script, in capitals, with a query", "",
			strings.ReplaceAll(list(day(1, "2031-05-06", "06 19:00", "")), "/event/jazz/2031-05-06/", "/termin/%E6%97%A5/2031-05-06/?x=y"),
			[]string{strings.Replace(series, "=jazz: jazz", "=%e6%97%a5: %e6%97%a5", 1), "  %e6%97%a5-2031-05-06 Jazz 2031-05-06 19:00 []"}},
		{"no dates of a series", "",
			strings.NewReplacer("/event/jazz/", "/", "/day/", "/event/jazz/").Replace(list(day(1, "2031-05-06", "06 19:00", "") + "," +
				strings.Replace(day(2, "2031-02-30", "07 19:00", `,"slug":"b"`), "/event/", "/day/event/", 1) + "," +
				day(3, "about/2031-05-06/x", "08 19:00", `,"slug":"c"`))),
			[]string{"single: b", "single: c", "single: jazz"}},
		{"in the trash", "", list(day(1, "2031-05-06", "06 19:00", `,"status":"trash"`)), []string{"single: jazz-2031-05-06"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			if tt.before != "" {
				c.mustLoad(tt.before)
			}
			c.mustLoad(tt.after)
			c.expect("imported", tt.after, tt.want...)
		})
	}
}

// Changes made here stay: a rule, a removed date, and the end of the series, which a new date
// revives.
func TestDatesChangedHere(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	day := func(id int, on, members string) string {
		return dated(id, "jazz", "2031-05-"+on, "Jazz", "2031-05-"+on+" 19:00", members)
	}
	file := list(day(1, "06", ""), day(2, "07", ""), day(3, "08", ""))
	c.mustLoad(file)
	ed := write.Editor{
		Caller: account.Account{
			ID:   1,
			Role: account.Administrator,
		},
		Now:   noon,
		Site:  c.options.Site,
		Zones: c.options.Zones,
	}
	do := func(slug string, f func(*store.Tx, *store.Event) error) {
		t.Helper()
		err := c.Update(
			1,
			func(tx *store.Tx) error { return f(tx, tx.BySlug(store.Events, slug).(*store.Event)) },
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	remove := func(scope write.Scope) func(tx *store.Tx, e *store.Event) error {
		return func(tx *store.Tx, e *store.Event) error {
			_, _, err := ed.DeleteEvent(tx, scope, e)
			return err
		}
	}
	do("jazz-2031-05-07", remove(write.This))
	series := "old.example?series=jazz: jazz publish Jazz 2031-05-06 19:00 "
	one := "  jazz-2031-05-06 Jazz 2031-05-06 19:00 []"
	two := "  jazz-2031-05-07__trashed Jazz 2031-05-07 19:00 []"
	three := "  jazz-2031-05-08 Jazz 2031-05-08 19:00 []"
	gone := "  no event on 2031-05-07 19:00:00" // it is an exception
	c.expect("a date in the trash", file, series, one, two, three, gone)
	more := list(day(4, "09", ""))
	c.mustLoad(more)
	four := "  jazz-2031-05-09 Jazz 2031-05-09 19:00 []"
	c.expect("another date", more, series, one, two, three, four, gone)

	do("jazz-2031-05-06", remove(write.All))
	trashed := func(line string) string { return strings.Replace(line, " Jazz", "__trashed Jazz", 1) }
	if got := c.dates()[0]; !strings.Contains(got, " trash ") {
		t.Fatalf("the series has not ended: %s", got)
	}
	again := list(day(5, "10", ""))
	c.mustLoad(again)
	five := "  jazz-2031-05-10 Jazz 2031-05-10 19:00 []"
	c.expect(
		"a date after the end",
		again,
		series,
		trashed(one),
		two,
		trashed(three),
		trashed(four),
		five,
		"  no event on 2031-05-06 19:00:00",
		gone,
		"  no event on 2031-05-08 19:00:00",
		"  no event on 2031-05-09 19:00:00",
	)

	do("jazz-2031-05-10", func(tx *store.Tx, e *store.Event) error {
		next := *tx.Series(e.Recurrence.Series)
		next.Rule = "FREQ=DAILY;COUNT=2"
		return tx.Put(&next)
	})
	last := list(day(6, "12", ""))
	c.mustLoad(last)
	six := "  jazz-2031-05-12 Jazz 2031-05-12 19:00 []"
	if got := c.dates(); !strings.HasSuffix(got[0], "FREQ=DAILY;COUNT=2") ||
		!slices.Contains(got, six) {
		t.Errorf("with a rule of its own: %v", got)
	}

	// An event that was made here for a date is that of the site: as it is, if it was changed
	// later.
	do("jazz-2031-05-12", func(tx *store.Tx, e *store.Event) error {
		made := *e
		made.Meta = store.Meta{}
		made.Origins = nil
		made.Slug = "jazz-2031-05-11"
		made.Start = e.Start - 86_400
		made.End = e.End - 86_400
		made.Recurrence = &store.Recurrence{Series: e.Recurrence.Series, Start: made.Start}
		return tx.Put(&made)
	})
	before := len(c.dates())
	c.mustLoad(list(day(7, "11", `,"modified_utc":"2030-01-01 00:00:00"`)))
	c.mustLoad(strings.ReplaceAll(list(day(7, "11", "")), "2031-01-01 00", "2031-06-01 00"))
	if got := c.dates(); len(got) != before ||
		!slices.Contains(got, "  jazz-2031-05-11 Jazz 2031-05-11 19:00 []") {
		t.Errorf("made here before: %v", got)
	}
}

// The address that an event had at its site when it came is kept with it, and is no other's.
func TestOldPages(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	at := func(page string) string { return `,"url":"https://a.example/event/` + page + `/"` }
	c.mustLoad(
		list(
			event(1, at("one")),
			event(2, at("one")),
			event(3, `,"url":"/event/three/"`),
			event(4, ""),
			strings.Replace(event(5, ""), "global_id", "nothing", 1),
		),
	)
	ours := fmt.Sprint("home.example:8080?id=", all[*store.Event](c, store.Events)["e5"].ID)
	c.mustLoad(list(strings.Replace(event(5, at("five")), "a.example?id=5", ours, 1)))
	c.mustLoad(
		list(event(1, at("uno")+`,"global_id_lineage":["a.example?id=1","b.example?id=9"]`)),
	)
	got := map[string]string{}
	for slug, e := range all[*store.Event](c, store.Events) {
		got[slug] = e.Page() + " of " + strings.Join(e.Origins, " ")
	}
	want := map[string]string{
		"e1": "https://a.example/event/one/ of https://a.example/event/one/ a.example?id=1 b.example?id=9",
		"e2": " of a.example?id=2",
		"e3": " of a.example?id=3",
		"e4": " of a.example?id=4",
		"e5": " of ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A site that had the name that this calendar has now is another site: its events are not those of
// that number here.
func TestDatesOfTheSameName(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	file := strings.ReplaceAll(
		list(dated(1000, "jazz", "2031-05-06", "Jazz", "2031-05-06 19:00", "")),
		"old.example",
		"home.example",
	)
	c.mustLoad(file)
	if got := c.dates(); len(got) != 2 ||
		!strings.HasPrefix(got[0], "home.example?series=jazz: jazz publish Jazz") {
		t.Errorf("got %v", got)
	}
}

// In a calendar that has the name of the old site, the ids of the old site are not mistaken for
// those of series here.
func TestDatesOfFormerSite(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.options.Home = "old.example"
	c.mustLoad(
		list(dated(3, "jazz", "2031-05-03", "Jazz", "2031-05-03 19:00", "")),
	) // makes a series with an id of the old site
	var all []string
	for id := 1; id <= 6; id++ {
		all = append(
			all,
			dated(
				id,
				"jazz",
				fmt.Sprint("2031-05-0", id),
				"Jazz",
				fmt.Sprintf("2031-05-0%d 19:00", id),
				"",
			),
		)
	}
	file := list(all...)
	c.mustLoad(file)
	_ = c.View(func(v *store.View) error {
		for _, s := range v.SeriesByID() {
			for i, e := range v.Instances(s.ID) {
				if want := fmt.Sprint("old.example?id=", 1+i); !slices.Contains(e.Origins, want) {
					t.Errorf(
						"event %d has the origins %q, want %s among them",
						e.ID,
						e.Origins,
						want,
					)
				}
			}
		}
		return nil
	})
	c.expect("dates", file, c.dates()...)
}
