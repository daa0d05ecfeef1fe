package desk_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// complaint finds the field and the text of each reason why a form was not taken.
var complaint = regexp.MustCompile(`<a href="#f-([a-z]+)">([^<]*)</a>`)

// Dates of a form are stored as they were typed, or refused at their field with all that was typed.
func TestDatesOfForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	e := eventOf(2, store.Publish, "Fair")
	e.Start, e.Timezone = store.WallOf(time.Date(2031, 6, 1, 19, 0, 0, 0, time.UTC)), "UTC"
	e.End = e.Start + 2*86_400
	w.put(e)
	edit := fmt.Sprint("/desk/events/", e.ID)
	const (
		odd   = ": Enter a date as year, month and day, such as 2031-06-01."
		clock = ": Enter a time as hours and minutes, such as 19:30."
	)
	for _, test := range []struct {
		date, starts, last, ends string
		want                     string // the times that are stored, or the complaints
	}{
		{"2031-06-01", "19:00", "", "", "2031-06-01 19:00 – 2031-06-01 19:00"},
		{"2031-06-01", "19:00", "", "22:30", "2031-06-01 19:00 – 2031-06-01 22:30"},
		{"2031-06-01", "22:00", "", "00:30", "2031-06-01 22:00 – 2031-06-02 00:30"},
		{"2031-06-01", "19:00", "2031-06-03", "", "2031-06-01 19:00 – 2031-06-03 19:00"},
		{"2031-06-01", "19:00", "2031-06-03", "08:00", "2031-06-01 19:00 – 2031-06-03 08:00"},
		{"2031-06-01", "", "", "", "2031-06-01 – 2031-06-01"},
		{"2031-06-01", "", "2031-06-02", "", "2031-06-01 – 2031-06-02"},
		{"2032-02-29", "", "", "", "2032-02-29 – 2032-02-29"},
		{"", "19:00", "", "", "date: Enter the date."},
		{"", "", "2031-06-03", "", "date: Enter the date."},
		{"2031-02-31", "", "", "", "date: February 2031 has 28 days."},
		{"2031-04-31", "19:00", "", "", "date: April 2031 has 30 days."},
		{"2031-02-29", "19:00", "2031-02-30", "", "date: February 2031 has 28 days.; last: February 2031 has 28 days."},
		{"2031-13-01", "", "", "", "date" + odd},
		{"2031-06-32", "", "", "", "date" + odd},
		{"tomorrow", "19:00", "", "", "date" + odd},
		{"+1 week", "", "", "", "date" + odd},
		{"01.06.2031", "19:00", "", "", "date" + odd},
		{"6/1/2031", "", "", "", "date" + odd},
		{"2031-6-1", "", "", "", "date" + odd},
		{"1906761600", "", "", "", "date" + odd},
		{"2031-06-01 19:00", "", "", "", "date" + odd},
		{"2031-06-01", "", "next friday", "", "last" + odd},
		{"2031-06-01", "19:00", "2031-05-31", "", "last: This day is before the first one."},
		{"2031-06-01", "", "2031-05-31", "", "last: This day is before the first one."},
		{"2031-06-01", "7 pm", "", "", "starts" + clock},
		{"2031-06-01", "19.30", "", "", "starts" + clock},
		{"2031-06-01", "24:00", "", "", "starts" + clock},
		{"2031-06-01", "19:00", "", "late", "ends" + clock},
		{"2031-06-01", "", "", "22:00", "starts: Enter when it starts too, or empty the end."},
		{"2031-06-01", "", "2031-06-02", "22:00", "starts: Enter when it starts too, or empty the end."},
		{"2031-06-01", "19:00", "2031-06-01", "18:00", "ends: The end is before the start."},
	} {
		fields := []string{"title", "Concert", "date", test.date, "starts", test.starts, "last", test.last, "ends", test.ends,
			"description", "Bring a friend.", "zone", "UTC"}
		for _, path := range []string{"/desk/events/new", edit} {
			before := w.times()
			got := b.post(path, append(fields, "do", "draft")...)
			after := w.times()
			if got.status == 303 {
				id := regexp.MustCompile(`\d+`).FindString(got.location)
				if diff := cmp.Diff(test.want, after[id]); diff != "" {
					t.Errorf("%q at %s (-want +got):\n%s", fields, path, diff)
				}
				continue
			}
			var all []string
			for _, m := range complaint.FindAllStringSubmatch(got.body, -1) {
				all = append(all, m[1]+": "+html.UnescapeString(m[2]))
			}
			if diff := cmp.Diff(test.want, strings.Join(all, "; ")); diff != "" || got.status != 422 {
				t.Errorf("%q at %s: %d (-want +got):\n%s", fields, path, got.status, diff)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("%q at %s is refused, and changes (-before +after):\n%s", fields, path, diff)
			}
			again := formOf(got.body)
			for i := 0; i < len(fields); i += 2 {
				if again[fields[i]] != fields[i+1] {
					t.Errorf("%q at %s: %s is %q in the form again", fields, path, fields[i], again[fields[i]])
				}
			}
		}
	}
}

// times returns the times of all events as people read them, by id.
func (w *world) times() map[string]string {
	all := map[string]string{}
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			layout := "2006-01-02 15:04"
			if e.AllDay {
				layout = "2006-01-02"
			}
			all[fmt.Sprint(e.ID)] = e.Start.Time().Format(layout) + " – " + e.End.Time().Format(layout)
		}
		return nil
	})
	return all
}

// formOf returns the values of the fields of a form.
func formOf(body string) map[string]string {
	all := fields(body)
	if m := regexp.MustCompile(`(?s)<textarea[^>]* name="description"[^>]*>(.*?)</textarea>`).FindStringSubmatch(body); m != nil {
		all["description"] = strings.TrimSpace(html.UnescapeString(m[1]))
	}
	return all
}
