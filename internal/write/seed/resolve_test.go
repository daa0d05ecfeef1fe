package seed_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/store"
)

// Names reference records of every kind, in any order.
func TestNames(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustPlant(`{
		"$comment": "everything refers to everything",
		"events":[
			{"title":"Child","start_date":"2031-05-12","end_date":"2031-05-12","post_parent":"$fair","venue":"$hall",
				"organizer":["$the.choir",{"organizer":"Band","image":"$Poster_2"},"$émile"],"categories":["$rock","Theatre"],"tags":"$5-free",
					"image":"$Poster_2"},
			{"title":"Parent","$name":"fair","$comment":{"for":["people"]},"start_date":"2031-05-12","end_date":"2031-05-12",
				"venue":["$hall"],"categories":[{"name":"$rock"}]}],
		"organizers":[{"$name":"the.choir","organizer":"Choir"},{"$name":"émile","organizer":"Émile"}],
		"venues":[{"id":30,"venue":"Other"},{"venue":"Hall","$name":"hall","image":"$Poster_2"}],
		"categories":[{"$name":"rock","name":"Rock","parent":"$music"},{"$name":"music","name":"Music"}],
		"tags":[{"$name":"5-free","name":"Free"}],
		"images":[{"url":"https://a.example/1.png"},{"$name":"Poster_2","url":"https://a.example/2.png"}]}`)
	events := all[*store.Event](c, store.Events)
	organizers := all[*store.Organizer](c, store.Organizers)
	categories := all[*store.Term](c, store.Categories)
	child := events["child"]
	parent := events["parent"]
	hall := all[*store.Venue](c, store.Venues)["hall"]
	poster := all[*store.Image](c, store.Images)["https://a.example/2.png"].ID
	want := [][]int64{
		{
			parent.ID,
			hall.ID,
			poster,
		}, {poster, poster}, {organizers["choir"].ID, organizers["band"].ID, organizers["emile"].ID},
		{
			categories["rock"].ID,
			categories["theatre"].ID,
		}, {all[*store.Term](c, store.Tags)["free"].ID}, {categories["music"].ID},
	}
	got := [][]int64{
		{
			child.Parent,
			child.Venues[0],
			child.Image,
		}, {hall.Image, organizers["band"].Image}, child.Organizers,
		child.Categories, child.Tags, {categories["rock"].Parent},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want, +got):\n%s", diff)
	}
	if len(categories) != 4 || parent.Categories[0] == child.Categories[0] {
		t.Errorf("the category named in an object is not the text of its name: %v", categories)
	}
}

// Relative dates use the clock and the zone of the event or the site. The site is in New York, and
// now is 08:00 on a Saturday there.
func TestDates(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, members, start, end, zone string }{
		{
			"in the site's zone",
			`"start_date":"@today+3d 19:00","end_date":"@start+2h"`,
			"2031-05-13 19:00:00",
			"2031-05-13 21:00:00",
			"America/New_York",
		},
		{
			"in its own zone",
			`"timezone":"Asia/Tokyo","start_date":"@today 22:00","end_date":"@tomorrow"`,
			"2031-05-10 22:00:00",
			"2031-05-11 00:00:00",
			"Asia/Tokyo",
		},
		{
			"in the zone it names",
			`"start_date":"@next-monday 09:00 Europe/Rome","end_date":"@start+90min"`,
			"2031-05-12 09:00:00",
			"2031-05-12 10:30:00",
			"Europe/Rome",
		},
		{
			"in both",
			`"timezone":"Asia/Tokyo","start_date":"@next-monday 09:00 Europe/Rome","end_date":"@start+90min Europe/Rome"`,
			"2031-05-12 16:00:00",
			"2031-05-12 17:30:00",
			"Asia/Tokyo",
		},
		{
			"in an empty zone",
			`"timezone":"","start_date":"@now","end_date":"@now+1h"`,
			"2031-05-10 08:00:00",
			"2031-05-10 09:00:00",
			"America/New_York",
		},
		{
			"a day later",
			`"start_date":"@december-31 22:00","end_date":"@start+1d 02:00"`,
			"2031-12-31 22:00:00",
			"2032-01-01 02:00:00",
			"America/New_York",
		},
		{
			"across an hour that is skipped",
			`"start_date":"@next-dst-gap-1h","end_date":"@start+2h"`,
			"2032-03-14 01:00:00",
			"2032-03-14 04:00:00",
			"America/New_York",
		},
		{
			"in an hour that is skipped",
			`"start_date":"@next-dst-gap 02:30 America/New_York","end_date":"@start"`,
			"2032-03-14 03:30:00",
			"2032-03-14 03:30:00",
			"America/New_York",
		},
		{
			"across an hour that comes twice",
			`"start_date":"@next-dst-fold Europe/Paris","end_date":"@start+3h"`,
			"2031-10-26 02:00:00",
			"2031-10-26 04:00:00",
			"Europe/Paris",
		},
		{
			"whole days",
			`"all_day":true,"start_date":"@last-day-of-february 15:00","end_date":"@start+1d"`,
			"2032-02-29 00:00:00",
			"2032-03-01 23:59:59",
			"America/New_York",
		},
		{
			"a whole day elsewhere",
			`"all_day":"1","timezone":"Pacific/Kiritimati","start_date":"@now","end_date":"@now"`,
			"2031-05-11 00:00:00",
			"2031-05-11 23:59:59",
			"Pacific/Kiritimati",
		},
		{
			"an end relative to a date",
			`"start_date":"2031-06-01 10:00","end_date":"@start+1w"`,
			"2031-06-01 10:00:00",
			"2031-06-08 10:00:00",
			"America/New_York",
		},
		{
			"an end relative to a timestamp",
			`"start_date":1935000000,"end_date":"@start+1h"`,
			"2031-04-26 20:00:00",
			"2031-04-26 21:00:00",
			"America/New_York",
		},
		{
			"dates of requests",
			`"start_date":"tomorrow 9am","end_date":"@1937000000"`,
			"2031-05-11 09:00:00",
			"2031-05-19 23:33:20",
			"America/New_York",
		},
	}
	for _, exact := range []string{``, `"exact":true,`} {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t)
				c.mustPlant(fmt.Sprintf(`{%s"events":[{"title":"E",%s}]}`, exact, test.members))
				e := all[*store.Event](c, store.Events)["e"]
				if diff := cmp.Diff([]string{test.start, test.end, test.zone}, []string{e.Start.String(), e.End.String(), e.Timezone}); diff != "" {
					t.Errorf("%s(-want, +got):\n%s", exact, diff)
				}
			})
		}
	}
}

// Times of publication and change are in the zone of the site, or in UTC.
func TestStamps(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse("2006-01-02 15:04:05.999999999", text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	tests := []struct {
		name, members string
		want          store.Post
	}{
		{"relative to now", `"date":"@now-2h","modified":"@yesterday 12:00"`,
			store.Post{
				Status:   store.Publish,
				Date:     at("2031-05-10 10:00:00"),
				Modified: at("2031-05-09 16:00:00"),
			}},
		{"in UTC", `"date_utc":"@today 06:00","modified_utc":"@now"`,
			store.Post{Status: store.Publish, Date: at("2031-05-10 06:00:00"), Modified: noon}},
		{"relative to the start", `"date":"@start-2w","modified_utc":"@start-1w 00:00"`,
			store.Post{
				Status:   store.Publish,
				Date:     at("2031-05-06 22:00:00"),
				Modified: at("2031-05-13 00:00:00"),
			}},
		{"in words of requests", `"date":"May 1, 2031 9am","modified":"2031-05-02"`,
			store.Post{
				Status:   store.Publish,
				Date:     at("2031-05-01 13:00:00"),
				Modified: at("2031-05-02 04:00:00"),
			}},
		{"ahead", `"date":"@tomorrow"`, store.Post{
			Status:   store.Future,
			Date:     at("2031-05-11 04:00:00"),
			Modified: at("2031-05-11 04:00:00"),
		}},
		{"scheduled", `"status":"future","date":"@tomorrow"`, store.Post{
			Status:   store.Future,
			Date:     at("2031-05-11 04:00:00"),
			Modified: at("2031-05-11 04:00:00"),
		}},
		{"scheduled once", `"status":"future","date":"@yesterday"`, store.Post{
			Status:   store.Publish,
			Date:     at("2031-05-09 04:00:00"),
			Modified: at("2031-05-09 04:00:00"),
		}},
		{"a draft", `"status":"draft"`, store.Post{
			Status:  store.Draft,
			Date:    noon,
			Undated: true,
		}},
		{"a draft with a date", `"status":"draft","date":"@yesterday","slug":""`,
			store.Post{Status: store.Draft, Date: at("2031-05-09 04:00:00")}},
		{"in the trash", `"status":"trash","slug":"e__trashed"`, store.Post{
			Status:   store.Trash,
			Date:     noon,
			Modified: noon,
			Slug:     "e__trashed",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			c.mustPlant(
				`{"events":[{"title":"E","start_date":"2031-05-20 18:00","end_date":"@start",` + test.members + `}]}`,
			)
			for slug, e := range all[*store.Event](c, store.Events) {
				test.want.Author = 7
				if test.want.Slug == "" && test.want.Status != store.Draft {
					test.want.Slug = "e"
				}
				test.want.Meta = e.Meta
				if diff := cmp.Diff(test.want, e.Post); diff != "" {
					t.Errorf("%s (-want, +got):\n%s", slug, diff)
				}
			}
		})
	}
}

// Records of a site are decoded, and records written for a seed stay unchanged.
func TestListed(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const shown = `{"id":%d,"global_id":"a.example?id=%[1]d","global_id_lineage":["a.example?id=%[1]d"],"status":"publish",
		"title":"Tea &#038; Cake","slug":"tea-%[1]d",
		"url":"https://a.example/event/tea/","json_ld":{},"plugin":{"x":1},"start_date":"2031-05-12 10:00:00","end_date":"2031-05-12 11:00:00",
		"timezone":"Europe/Paris","image":false,"website":"https://a.example/event/tea/","cost":"$5",
			"cost_details":{"currency_symbol":"$","currency_position":"prefix","values":["5"]},
		"venue":{"id":40,"global_id":"a.example?id=40","venue":"Tea &amp; Co"},"organizer":[],"custom_fields":[],
		"categories":[{"id":3,"name":"Jazz","slug":"jazz","taxonomy":"tribe_events_cat","parent":2,
			"urls":{"collection":"https://a.example/categories"}}]}`
	page := fmt.Sprintf(`{"events":[`+shown+`],"rest_url":"u","total":3,"total_pages":2}`, 31)
	c.mustPlant(
		page + "\n" + fmt.Sprintf(
			`[`+shown+`]`,
			31,
		) + `{"tags":[{"name":"Tea &amp; Cake","$name":"t"}],
		"events":[{"title":"Tea &amp; Cake","slug":"Hand-written!","start_date":"2031-05-12","end_date":"2031-05-12","tags":["$t"],
			"website":"https://b.example/?a=1&amp;b=2"}]}`,
	)
	events := all[*store.Event](c, store.Events)
	if len(events) != 2 {
		t.Fatalf("%d events, want that of two pages once, and the other", len(events))
	}
	got := []any{
		events["tea-31"].ID, events["tea-31"].Title, events["tea-31"].Website, events["tea-31"].Origins, events["tea-31"].Entries,
		all[*store.Venue](c, store.Venues)["tea-co"].Name, all[*store.Term](c, store.Categories)["jazz"].ID,
		events["hand-written"].Title, events["hand-written"].Website,
	}
	want := []any{
		int64(
			31,
		), "Tea & Cake", "", []string{"a.example?id=31"}, []string{"$5"}, "Tea & Co", int64(3),
		"Tea &amp; Cake", "https://b.example/?a=1&b=2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}
