package pull

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Future events that their source lacks go to the trash if that is wanted, unless they changed
// here, and come back with it. Past events stay, and a source that lacks them may be empty.
func TestMissing(t *testing.T) {
	t.Parallel()
	all := []string{
		"UID:past|DTSTART:19990510T200000Z|SUMMARY:Past",
		"UID:stays|DTSTART:29990510T200000Z|SUMMARY:Stays",
		"UID:goes|DTSTART:29990511T200000Z|SUMMARY:Goes",
		"UID:here|DTSTART:29990512T200000Z|SUMMARY:Here",
		"UID:series|DTSTART:20200101T200000Z|SUMMARY:Series|RRULE:FREQ=YEARLY;COUNT=3;INTERVAL=900",
		"UID:series|RECURRENCE-ID:29200101T200000Z|DTSTART:29200102T200000Z|SUMMARY:Series late",
		"UID:weekly|DTSTART:29990601T200000Z|SUMMARY:Weekly|RRULE:FREQ=WEEKLY;COUNT=2",
	}
	const before = `1999-05-10 Past publish
2020-01-01 Series publish
2920-01-02 Series late publish
2999-05-10 Stays publish
2999-05-11 Goes publish
2999-05-12 Here publish
2999-06-01 Weekly publish
2999-06-08 Weekly publish
3820-01-01 Series publish
`
	gone := func(titles ...string) string {
		lines := strings.Split(before, "\n")
		for i, line := range lines {
			for _, title := range titles {
				if strings.HasSuffix(line, title+" publish") && !strings.HasPrefix(line, "2020") {
					lines[i] = strings.Replace(line, "publish", "trash", 1)
				}
			}
		}
		return strings.ReplaceAll(strings.Join(lines, "\n"), "Here", "Here too")
	}
	for as, want := range map[string]string{
		"keep":      gone("Goes", "Series", "Series late", "Weekly"),
		"once":      gone("Goes", "Series", "Series late", "Weekly"),
		"overwrite": gone("Goes", "Series", "Series late", "Weekly", "Here"),
		"":          gone(),
	} {
		t.Run(as, func(t *testing.T) {
			eachTarget(t, func(t *testing.T, c *calendar) {
				s := newSite(t)
				m := map[string]string{
					"name": "club",
					"url":  s.URL + "/d",
					"as":   as,
					"gone": "trash",
				}
				if as == "" {
					m["as"], m["gone"] = "overwrite", "keep"
				}
				list := sourceList(t, m)
				s.put("/d", document{body: ics(all...)})
				c.must(t, list)
				if diff := cmp.Diff(before, c.lines(t)); diff != "" {
					t.Fatal(diff)
				}
				c.rename(t, "Here", "Here too")
				s.put("/d", document{body: ics(all[1])})
				for range 2 {
					out := c.must(t, list)
					if diff := cmp.Diff(want, c.lines(t)); diff != "" {
						t.Fatalf("%s\n%s", diff, out)
					}
				}
				s.put("/d", document{body: ics(all...)})
				for range 2 {
					c.must(t, list)
					want := strings.ReplaceAll(before, "Here", "Here too")
					if as == "overwrite" || as == "" {
						want = before
					}
					if diff := cmp.Diff(want, trashed.ReplaceAllString(c.lines(t), "")); diff != "" {
						t.Fatal("came back: " + diff)
					}
				}
				ids, seq := c.events(t)
				c.must(t, list)
				if again, after := c.events(t); after != seq || len(again) != len(ids) {
					t.Errorf("%d transactions at the end", after-seq)
				}
			})
		})
	}
}

// trashed are lines of events in the trash. A series that comes back has new events.
var trashed = regexp.MustCompile(`(?m)^.* trash\n`)

// An event that was deleted here stays in the trash, unless the source overwrites. The state of
// another calendar keeps no record away.
func TestDeletedHere(t *testing.T) {
	t.Parallel()
	for as, want := range map[string]string{
		"keep":      "trash",
		"once":      "trash",
		"overwrite": "publish",
	} {
		for form, write := range forms {
			t.Run(as+" "+form, func(t *testing.T) {
				eachTarget(t, func(t *testing.T, c *calendar) {
					s := newSite(t)
					list := sourceList(t, map[string]string{
						"name": "club",
						"url":  s.URL + "/d",
						"as":   as,
						"gone": "trash",
					})
					s.put("/d", document{body: write([]string{"A", "B"}, 1)})
					c.must(t, list)
					path := fmt.Sprintf("%s/%d", events, c.id(t, "A"))
					c.with(t, func() { c.request(t, "DELETE", path, "") })
					for range 2 {
						if c.must(t, list); c.lines(
							t,
						) != "2999-05-10 A "+want+"\n2999-05-11 B publish\n" {
							t.Fatal(c.lines(t))
						}
					}
					if c.url != "" {
						return
					}
					if err := os.RemoveAll(c.dir); err != nil {
						t.Fatal(err)
					}
					c.with(t, func() {
						for range 3 {
							c.request(
								t,
								"POST",
								events,
								`{"title":"Other","start_date":"2999-01-01","end_date":"2999-01-01"}`,
							)
						}
					})
					s.put("/d", document{body: write([]string{"A"}, 1)})
					c.must(t, list)
					if diff := cmp.Diff(strings.Repeat("2999-01-01 Other publish\n", 3)+"2999-05-10 A publish\n", c.lines(t)); diff != "" {
						t.Error(diff)
					}
				})
			})
		}
	}
}

// A later run knows the dates of a series, a series in the trash, and the second record of a key.
// Without a state, an event stays in the trash.
func TestParts(t *testing.T) {
	t.Parallel()
	const series = "UID:s|DTSTART:29990601T200000Z|SUMMARY:Series|RRULE:FREQ=WEEKLY;COUNT=2"
	const date = "UID:s|RECURRENCE-ID:29990608T200000Z|DTSTART:29990609T200000Z|SUMMARY:Late"
	const single = "UID:1|DTSTART:29990510T200000Z|SUMMARY:"
	const past = "UID:p|DTSTART:19990510T200000Z|SUMMARY:Past"
	const whole = "2999-06-01 Series publish\n2999-06-08 Series publish\n"
	for name, test := range map[string]struct {
		as    string
		steps []string // documents; "DELETE" deletes the series, "LOSE" the state
		want  string
	}{
		"once, a date later":     {"once", []string{ics(series), ics(series, date)}, whole},
		"once, a date at once":   {"once", []string{ics(series, date)}, strings.Replace(whole, "08 Series", "09 Late", 1)},
		"keep, a date later":     {"keep", []string{ics(series), ics(series, date)}, strings.Replace(whole, "08 Series", "09 Late", 1)},
		"keep, deleted":          {"keep", []string{ics(series), "DELETE", ics(series)}, strings.ReplaceAll(whole, "publish", "trash")},
		"keep, deleted and lost": {"keep", []string{ics(series), "DELETE", "LOSE", ics(series)}, strings.ReplaceAll(whole, "publish", "trash")},
		"keep, twice":            {"keep", []string{ics(single+"A", single+"B"), ics(single+"C", single+"B")}, "2999-05-10 C publish\n"},
		"keep, a table and lost": {"keep", []string{forms["csv"]([]string{"Series"}, 1), "DELETE", "LOSE", forms["csv"]([]string{"Series"}, 1)},
			"2999-05-10 Series trash\n"},
		"keep, gone and nothing": {"keep", []string{ics(past, series, date), ics(past), ics()},
			"1999-05-10 Past publish\n2999-06-01 Series trash\n2999-06-09 Late trash\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t, false)
			s := newSite(t)
			list := sourceList(t, map[string]string{
				"name": "club",
				"url":  s.URL + "/d",
				"as":   test.as,
				"gone": "trash",
			})
			for _, step := range test.steps {
				switch step {
				case "DELETE":
					path := fmt.Sprintf("%s/%d?scope=all", events, c.id(t, "Series"))
					c.with(t, func() { c.request(t, "DELETE", path, "") })
				case "LOSE":
					if err := os.Remove(c.state); err != nil {
						t.Fatal(err)
					}
				default:
					s.put("/d", document{body: step})
					c.must(t, list)
					c.must(t, list)
				}
			}
			if diff := cmp.Diff(test.want, c.lines(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A series that has no date any more is gone, and all else that is gone goes too.
func TestSeriesWithoutDate(t *testing.T) {
	t.Parallel()
	const start = "UID:1@club.example|DTSTART:29990602T100000Z|SUMMARY:Series|"
	const other = "UID:2@club.example|DTSTART:29990603T100000Z|SUMMARY:Other"
	const last = "UID:3@club.example|DTSTART:29990604T100000Z|SUMMARY:Last"
	for name, lines := range map[string]string{
		"exceptions": "RRULE:FREQ=WEEKLY;COUNT=2|EXDATE:29990602T100000Z,29990609T100000Z",
		"until":      "RRULE:FREQ=WEEKLY;UNTIL=29990601T100000Z",
	} {
		for _, as := range []string{"keep", "once", "overwrite"} {
			t.Run(name+", "+as, func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t, false)
				s := newSite(t)
				list := sourceList(t, map[string]string{
					"name": "club",
					"url":  s.URL + "/d",
					"as":   as,
					"gone": "trash",
				})
				s.put("/d", document{body: ics(start+"RRULE:FREQ=WEEKLY;COUNT=2", other, last)})
				c.must(t, list)
				s.put("/d", document{body: ics(start+lines, last)})
				c.must(t, list)
				want := "2999-06-02 Series trash\n2999-06-03 Other trash\n2999-06-04 Last publish\n" +
					"2999-06-09 Series trash\n"
				if as == "once" { // which holds, whatever the source says later
					want = strings.ReplaceAll(want, "Series trash", "Series publish")
				}
				if diff := cmp.Diff(want, c.lines(t)); diff != "" {
					t.Error(diff)
				}
				_, seq := c.events(t)
				c.must(t, list)
				if _, again := c.events(t); again != seq {
					t.Error("the last pull changed something")
				}
			})
		}
	}
}
