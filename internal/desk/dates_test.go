package desk_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/account"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// complaint finds the field and the text of each reason why a form was not taken.
var complaint = regexp.MustCompile(`<a href="#f-([a-z_]+)">([^<]*)</a>`)

// Dates of a form are stored as they were typed, or refused at their field with all that was
// typed.
func TestDatesOfForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	e := eventOf(2, store.Publish, "Fair")
	e.Start = store.WallOf(time.Date(2031, 6, 1, 19, 0, 0, 0, time.UTC))
	e.Timezone = "UTC"
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
		{"6/1/2031", "", "", "", "2031-06-01 – 2031-06-01"},
		{"2031-6-1", "", "", "", "2031-06-01 – 2031-06-01"},
		{"1906761600", "", "", "", "date" + odd},
		{"2031-06-01 19:00", "", "", "", "date" + odd},
		{"2031-06-01", "", "next friday", "", "last" + odd},
		{"2031-06-01", "19:00", "2031-05-31", "", "last: This day is before the first one."},
		{"2031-06-01", "", "2031-05-31", "", "last: This day is before the first one."},
		{"2031-06-01", "7 pm", "", "10:30pm", "2031-06-01 19:00 – 2031-06-01 22:30"},
		{"2031-06-01", "19.30", "", "6 Uhr", "2031-06-01 19:30 – 2031-06-02 06:00"},
		{"2031-06-01", "19h30", "", "1 am", "2031-06-01 19:30 – 2031-06-02 01:00"},
		{"2031-06-01", "7", "", "", "starts" + clock},
		{"2031-06-01", "7:3", "", "half", "starts" + clock + "; ends" + clock},
		{"2031-06-01", "24:00", "", "", "starts" + clock},
		{"2031-06-01", "19:00", "", "late", "ends" + clock},
		{"2031-06-01", "", "", "22:00", "starts: Enter when it starts too, or empty the end."},
		{"2031-06-01", "", "2031-06-02", "22:00", "starts: Enter when it starts too, or empty the end."},
		{"2031-06-01", "19:00", "2031-06-01", "18:00", "ends: The end is before the start."},
		{"2031-06-01", "19:30", "", "18:00", "ends: The end is before the start."},
		{"2031-06-01", "20:00", "", "07:59", "2031-06-01 20:00 – 2031-06-02 07:59"},
		{"2031-06-01", "20:00", "", "08:01", "ends: The end is before the start."},
		{"2031-06-01", "20:00", "2031-06-02", "08:01", "2031-06-01 20:00 – 2031-06-02 08:01"},
	} {
		fields := []string{
			"title",
			"Concert",
			"date",
			test.date,
			"starts",
			test.starts,
			"last",
			test.last,
			"ends",
			test.ends,
			"description",
			"Bring a friend.",
			"zone",
			"UTC",
		}
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
			if diff := cmp.Diff(test.want, strings.Join(all, "; ")); diff != "" ||
				got.status != 422 {
				t.Errorf("%q at %s: %d (-want +got):\n%s", fields, path, got.status, diff)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf(
					"%q at %s is refused, and changes (-before +after):\n%s",
					fields,
					path,
					diff,
				)
			}
			again := formOf(got.body)
			for i := 0; i < len(fields); i += 2 {
				if again[fields[i]] != fields[i+1] {
					t.Errorf(
						"%q at %s: %s is %q in the form again",
						fields,
						path,
						fields[i],
						again[fields[i]],
					)
				}
			}
		}
	}
}

// Times of the public form and of a publication are read as people type them. One
// that cannot be read is complained of once.
func TestTypedTimes(t *testing.T) {
	t.Parallel()
	w, _ := proposing(t, account.Author, 10)
	b := w.browser()
	typed := with(proposal, "starts", "7 pm", "ends", "22.30 Uhr")
	if got := b.propose(typed...); got.status != 303 {
		t.Error(got.status, got.body)
	}
	odd := b.propose(with(proposal, "starts", "half past seven", "ends", "")...)
	var all []string
	for _, m := range complaint.FindAllStringSubmatch(odd.body, -1) {
		all = append(all, m[1]+": "+html.UnescapeString(m[2]))
	}
	want := []string{"starts: Enter a time as hours and minutes, such as 19:30."}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
	w.as(account.Editor).post("/desk/events/new", "title", "Choir", "date", "6/3/2031", "starts", "8 pm", "zone", "UTC",
		"repeat", "weekly", "until", "6/10/2031", "publish", "May 30, 2031 6:15 am", "do", "publish")
	var got []string
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			got = append(got, fmt.Sprint(e.Title, " ", e.Start, " ", e.Date.Format(time.DateTime)))
		}
		return nil
	})
	slices.Sort(got)
	want = []string{
		"Choir 2031-06-03 20:00:00 2031-05-30 06:15:00",
		"Choir 2031-06-10 20:00:00 2031-05-30 06:15:00",
		"Fair 2031-06-01 19:00:00 2031-05-10 12:00:05",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
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
			all[fmt.Sprint(e.ID)] = e.Start.Time().
				Format(layout) +
				" – " + e.End.Time().
				Format(layout)
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

// An event like another one takes as many days, whole or not, has its picture, and comes again by
// its rule if that is asked for.
func TestLikeAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.as(account.Editor)
	w.put(&store.Image{URL: store.MediaPath + "fair.png", Author: 2})
	image := w.images()[0]
	for _, test := range []struct {
		name   string
		fields []string // of the first event
		change []string // of the form of the second one
		want   string   // times of the second one
	}{
		{"fair", []string{"starts", "10:00", "ends", "18:00", "last", "2031-06-03"}, nil, "2031-07-01 10:00 – 2031-07-03 18:00"},
		{"whole days", []string{"last", "2031-06-03"}, nil, "2031-07-01 – 2031-07-03"},
		{"one whole day", nil, nil, "2031-07-01 – 2031-07-01"},
		{"night", []string{"starts", "22:00", "ends", "02:00"}, nil, "2031-07-01 22:00 – 2031-07-02 02:00"},
		{"three nights", []string{"starts", "22:00", "ends", "02:00", "last", "2031-06-03"}, nil, "2031-07-01 22:00 – 2031-07-03 02:00"},
		{"another last day", []string{"last", "2031-06-03"}, []string{"last", "2031-07-09"}, "2031-07-01 – 2031-07-09"},
		{"without its days", []string{"last", "2031-06-03"}, []string{"days", ""}, "2031-07-01 – 2031-07-01"},
	} {
		first := b.post(
			"/desk/events/new",
			append(
				test.fields,
				"title",
				test.name,
				"date",
				"2031-06-01",
				"zone",
				"UTC",
				"image",
				image,
				"do",
				"publish",
			)...)
		id := regexp.MustCompile(`\d+`).FindString(first.location)
		page := b.get("/desk/events/new?like=" + id)
		if !strings.Contains(page.body, `<details class="part" open>`+"\n<summary>Several days") {
			t.Error(test.name, "the days of the form are not open", page.body)
		}
		form := fields(page.body)
		pairs := append(test.change, "date", "2031-07-01", "do", "publish")
		for name, value := range form {
			if !slices.Contains(pairs, name) {
				pairs = append(pairs, name, value)
			}
		}
		made := b.post("/desk/events/new?like="+id, pairs...)
		second := regexp.MustCompile(`\d+`).FindString(made.location)
		if diff := cmp.Diff(test.want, w.times()[second]); diff != "" {
			t.Errorf("%s: %d (-want +got):\n%s", test.name, made.status, diff)
		}
		if got := fields(b.get("/desk/events/" + second).body)["image"]; got != image {
			t.Errorf("%s: the picture is %q, not %q", test.name, got, image)
		}
	}

	odd := b.post(
		"/desk/events/new",
		"title",
		"Odd",
		"date",
		"2031-06-01",
		"zone",
		"UTC",
		"days",
		"many",
	)
	if odd.status != 422 || !strings.Contains(odd.body, `<a href="#f-days">`) {
		t.Error(odd.status, odd.body)
	}

	first := b.post(
		"/desk/events/new",
		"title",
		"Choir",
		"date",
		"2031-06-03",
		"zone",
		"UTC",
		"repeat",
		"fortnightly",
		"until",
		"2031-07-01",
		"do",
		"publish",
	)
	edit, _, _ := strings.Cut(first.location, "?")
	like := "/desk/events/new?like=" + strings.TrimPrefix(edit, "/desk/events/")
	if page := b.get(like).body; !strings.Contains(
		page,
		`<option value="FREQ=WEEKLY;INTERVAL=2;BYDAY=TU">every 2 weeks on Tuesday</option>`,
	) {
		t.Error("the rule of the series is not offered:", page)
	}
	before := len(w.events())
	if got := b.post(like, "title", "Song", "date", "2031-08-05", "zone", "UTC", "do", "publish"); got.status != 303 ||
		len(w.events()) != before+1 {
		t.Error("an event like one of a series is single:", got.status, w.events())
	}
	if got := b.post(like, "title", "Band", "date", "2031-08-05", "zone", "UTC", "repeat", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "until",
		"2031-09-02", "do", "publish"); got.status != 303 ||
		strings.Count(strings.Join(w.events(), " "), "Band") != 3 {
		t.Error("it comes again by the rule:", got.status, w.events())
	}
}

// images returns the ids of all pictures.
func (w *world) images() (all []string) {
	_ = w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Images) {
			all = append(all, fmt.Sprint(r.Key()))
		}
		return nil
	})
	slices.Sort(all)
	return all
}

// The list of the desk has an event of another zone by its moment: it is past when that has come,
// stands where the clock of the site puts it, and has the times of that clock.
func TestListsByMoments(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // in UTC, at noon
	b := w.as(account.Editor)
	for _, one := range []struct {
		title, zone string
		hour        int // at which it begins there, on the day of now
	}{
		{"Tokyo-over", "Asia/Tokyo", 19}, {"Tokyo-soon", "Asia/Tokyo", 22}, {"Here", "UTC", 14}, {"Lima", "America/Lima", 8}, {"Over", "UTC", 10},
		{"Yesterday", "UTC", -13},
	} {
		e := eventOf(2, store.Publish, one.title)
		e.Timezone = one.zone
		e.Start = store.WallOf(
			now.Truncate(24 * time.Hour).Add(time.Duration(one.hour) * time.Hour),
		)
		e.End = e.Start + 3600
		w.put(e)
	}
	row := regexp.MustCompile(
		`<bdi>([\w-]+)</bdi></a>(?s:.*?)class="note"><bdi>[^<]* at ([^<]*)</bdi>`,
	)
	for state, want := range map[string][]string{
		"":     {"Tokyo-soon 1:00 PM", "Lima 1:00 PM", "Here 2:00 PM"},
		"past": {"Over 10:00 AM", "Tokyo-over 10:00 AM", "Yesterday 11:00 AM"},
	} {
		var got []string
		_, rows, _ := strings.Cut(b.get("/desk/?state="+state).body, `class="rows"`)
		for _, found := range row.FindAllStringSubmatch(rows, -1) {
			got = append(got, found[1]+" "+strings.ReplaceAll(found[2], "\u202f", " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the list %q (-want, +got):\n%s", state, diff)
		}
	}
}

// The form of a scheduled event has the time of its publication, in the zone of the site, and that
// of another event has none.
func TestFormOfScheduledEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	scheduled := eventOf(2, store.Future, "Later")
	published := eventOf(2, store.Publish, "Now")
	scheduled.Date = now.AddDate(0, 1, 0)
	w.put(scheduled, published)
	got := map[int64]string{}
	for _, id := range []int64{scheduled.ID, published.ID} {
		got[id] = fields(w.as(account.Editor).get(fmt.Sprint("/desk/events/", id)).body)["publish"]
	}
	want := map[int64]string{scheduled.ID: "2031-06-10T12:00", published.ID: ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("times of publication (-want, +got):\n%s", diff)
	}
}
