// Tests of updates of events: members that were sent change, and no others.

package write_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/tools/apitest"
	"almanac/store"
)

func TestUpdateEvent(t *testing.T) {
	t.Parallel()
	// Venue 2, organizers 3 and 4, image 1, event 5; categories 1 and 2, tag 3.
	given := []string{
		`POST /events {"title":"Full","description":"text","excerpt":"short","slug":"full","author":2,"timezone":"Asia/Tokyo",
		"start_date":"2031-06-01 10:00","end_date":"2031-06-01 12:00","date":"2026-01-02 03:04:05","image":"https://e.org/a.png","cost":"$12",
		"website":"https://w.org/","show_map":true,"show_map_link":true,"featured":true,"sticky":true,"hide_from_listings":true,
		"categories":["Alpha","Beta"],"tags":["one"],"venue":{"venue":"Hall"},"organizer":[{"organizer":"Ann"},{"organizer":"Bob"}]}`,
	}
	playChanges(t, given, "/events/5", []row{
		{name: "nothing", send: `{}`, want: `{}`},
		{name: "nothing by PUT", ask: "PUT /events/5", want: `{}`},
		{name: "nothing by POST", ask: "POST /events/5", want: `{}`},
		{
			name: "null",
			send: `{"timezone":null,"all_day":null,"status":null,"date":null,"image":null,"cost":null,"website":null,"show_map":null,
				"organizer":null,"venue":null,"categories":null,"tags":null}`,
			want: `{}`,
		},
		{name: "title", send: `{"title":"New"}`, want: `{"title":"New"}`},
		{
			name: "postponed to another day",
			send: `{"event_status":"postponed","rescheduled":true,"start_date":"2031-06-01 11:00"}`,
			want: `{"utc_start_date":"2031-06-01 02:00:00","start_date":"2031-06-01 11:00:00",
				"event_status":"postponed","previous_start_date":"2031-06-01 10:00:00"}`,
		},
		{
			name: "its own parent",
			send: `{"post_parent":5}`,
			want: "400 rest_invalid_param post_parent",
		},
		{name: "title empty", send: `{"title":""}`, want: "400 rest_invalid_param title"},
		{name: "title of spaces, with a text", send: `{"title":" "}`, want: `{"title":""}`},
		{
			name: "no text at all",
			send: `{"title":" ","description":"","excerpt":""}`,
			want: "400 rest_invalid_param title",
		},
		{name: "description emptied", send: `{"description":""}`, want: `{"description":""}`},
		{name: "excerpt emptied", send: `{"excerpt":""}`, want: `{"excerpt":""}`},
		{
			name: "slug",
			send: `{"slug":"Other One"}`,
			want: `{"slug":"other-one","url":"URL/event/other-one/"}`,
		},
		{name: "slug empty, as drafts show it", send: `{"slug":""}`, want: `{}`},
		{
			name: "slug 0, which no path could name",
			send: `{"slug":"0"}`,
			want: "400 rest_invalid_param slug",
		},
		{
			name: "slug 0, by slug",
			ask:  "PATCH /events/by-slug/full",
			send: `{"slug":"0"}`,
			want: "400 rest_invalid_param slug",
		},
		{name: "excerpt 0", send: `{"excerpt":"0"}`, want: `{"excerpt":"<p>0</p>"}`},
		{name: "author", send: `{"author":3}`, want: `{"author":"3"}`},
		{name: "id", send: `{"id":99}`, want: `{}`},

		{
			name: "start",
			send: `{"start_date":"2031-06-01 09:00"}`,
			want: `{"start_date":"2031-06-01 09:00:00","utc_start_date":"2031-06-01 00:00:00"}`,
		},
		{
			name: "end",
			send: `{"end_date":"2031-06-01 13:00"}`,
			want: `{"end_date":"2031-06-01 13:00:00","utc_end_date":"2031-06-01 04:00:00"}`,
		},
		{
			name: "start past the end moves both",
			send: `{"start_date":"2031-06-03 20:00"}`,
			want: `{"start_date":"2031-06-03 20:00:00","utc_start_date":"2031-06-03 11:00:00","end_date":"2031-06-03 ` +
				`22:00:00","utc_end_date":"2031-06-03 13:00:00"}`,
		},
		{
			name: "start at the end leaves the end",
			send: `{"start_date":"2031-06-01 12:00"}`,
			want: `{"start_date":"2031-06-01 12:00:00","utc_start_date":"2031-06-01 03:00:00"}`,
		},
		{
			name: "end before the start",
			send: `{"end_date":"2031-05-01"}`,
			want: `{"end_date":"2031-06-01 10:00:00","utc_end_date":"2031-06-01 01:00:00"}`,
		},
		{
			name: "zone",
			send: `{"timezone":"UTC"}`,
			want: `{"timezone":"UTC","timezone_abbr":"UTC","utc_start_date":"2031-06-01 10:00:00","utc_end_date":"2031-06-01 12:00:00"}`,
		},
		{
			name: "zone empty",
			send: `{"timezone":""}`,
			want: `{"timezone":"America/New_York","timezone_abbr":"EDT","utc_start_date":"2031-06-01 ` +
				`14:00:00","utc_end_date":"2031-06-01 16:00:00"}`,
		},
		{
			name: "whole day",
			send: `{"all_day":true}`,
			want: `{"all_day":true,"start_date":"2031-06-01 00:00:00","end_date":"2031-06-01 23:59:59","utc_start_date":"2031-05-31 ` +
				`15:00:00","utc_end_date":"2031-06-01 14:59:59"}`,
		},
		{
			name: "date",
			send: `{"date":"2026-02-03 04:05:06"}`,
			want: `{"date":"2026-02-03 04:05:06","date_utc":"2026-02-03 09:05:06"}`,
		},
		{
			name: "date never, as drafts show it",
			send: `{"date_utc":"0000-00-00 00:00:00"}`,
			want: `{}`,
		},
		{
			name: "date ahead schedules",
			send: `{"date":"2027-02-03","status":"publish"}`,
			want: `{"status":"future",
			"date":"2027-02-03 00:00:00","date_utc":"2027-02-03 05:00:00","url":"URL/?post_type=tribe_events&p=5",
			"categories":[{"count":0},{"count":0}],"tags":[{"count":0}]}`,
		},

		{name: "image false", send: `{"image":false}`, want: `{"image":false}`},
		{name: "image empty", send: `{"image":""}`, want: "400 rest_invalid_param image"},
		{
			name: "image as it is shown",
			send: `{"image":{"id":1,"url":"https://e.org/a.png"}}`,
			want: `{}`,
		},
		{
			name: "cost emptied",
			send: `{"cost":""}`,
			want: `{"cost":"","cost_details":{"currency_symbol":"","currency_position":"","values":[]}}`,
		},
		{name: "cost as it is shown", send: `{"cost":"$12"}`, want: `{}`},
		{name: "website emptied", send: `{"website":""}`, want: `{"website":""}`},
		{
			name: "flags",
			send: `{"show_map":false,"show_map_link":"0","featured":"false","sticky":0,"hide_from_listings":false}`,
			want: `{"show_map":false,"show_map_link":false,"featured":false,"sticky":false,"hide_from_listings":false}`,
		},
		{
			name: "organizers in their order",
			send: `{"organizer":[4,3]}`,
			want: `{"organizer":[{"id":4},{"id":3}]}`,
		},
		{name: "organizers emptied", send: `{"organizer":[]}`, want: `{"organizer":[]}`},
		{name: "organizers as empty text", send: `{"organizer":""}`, want: `{"organizer":[]}`},
		{name: "venue emptied", send: `{"venue":""}`, want: `{"venue":[]}`},
		{name: "venue zero", send: `{"venue":0}`, want: `{"venue":[]}`},
		{
			name: "venue as it is shown when there is none",
			send: `{"venue":[]}`,
			want: `{"venue":[]}`,
		},
		{name: "venue object without members", send: `{"venue":{}}`, want: `{"venue":[]}`},
		{
			name: "categories replaced",
			send: `{"categories":["Beta"]}`,
			want: `{"categories":[{"name":"Beta"}]}`,
		},
		{name: "categories emptied", send: `{"categories":""}`, want: `{"categories":[]}`},
		{name: "tags emptied", send: `{"tags":[]}`, want: `{"tags":[]}`},

		{
			name: "draft",
			send: `{"status":"draft"}`,
			want: `{"status":"draft","url":"URL/?post_type=tribe_events&p=5","categories":[{"count":0},{"count":0}],"tags":[{"count":0}]}`,
		},
		{
			name: "trash",
			send: `{"status":"trash"}`,
			want: `{"status":"trash","slug":"full__trashed","url":"URL/?post_type=tribe_events&p=5","categories":[{"count":0},{"count":0}],
				"tags":[{"count":0}]}`,
		},
		{name: "future that is past", send: `{"status":"future"}`, want: `{}`},
		{
			name: "status unknown",
			send: `{"status":"inherit"}`,
			want: "400 rest_invalid_param status",
		},

		{
			name: "by slug",
			ask:  "PATCH /events/by-slug/full",
			send: `{"title":"New","slug":"new"}`,
			want: `{"title":"New","slug":"new","url":"URL/event/new/"}`,
		},
		{
			name: "by slug, unknown",
			ask:  "PATCH /events/by-slug/none",
			send: `{"title":"New"}`,
			want: "404 rest-event-not-found",
		},
		{name: "unknown", ask: "PATCH /events/99", send: `{}`, want: "404 rest-event-not-found"},
		{
			name: "unknown, stranger",
			ask:  "PATCH /events/99",
			as:   stranger,
			send: `{}`,
			want: "401 rest_forbidden",
		},
		{name: "a venue", ask: "PATCH /events/2", send: `{}`, want: "400 rest-invalid-event-id"},
		{name: "another's", as: "author", send: `{}`, want: "403 rest_forbidden"},
	})
}

func TestUpdateAllDay(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /events {"title":"Fair","all_day":true,"start_date":"2031-06-01","end_date":"2031-06-02","timezone":"UTC"}`,
	}
	playChanges(t, given, "/events/1", []row{
		{
			name: "no longer whole days: the times stay",
			send: `{"all_day":false}`,
			want: `{"all_day":false}`,
		},
		{
			name: "moved to an hour: as many days",
			send: `{"start_date":"2031-06-05 15:00"}`,
			want: `{"start_date":"2031-06-05 00:00:00","utc_start_date":"2031-06-05 00:00:00","end_date":"2031-06-06 ` +
				`23:59:59","utc_end_date":"2031-06-06 23:59:59"}`,
		},
		{
			name: "an hour of the last day",
			send: `{"start_date":"2031-06-02 15:00"}`,
			want: `{"start_date":"2031-06-02 00:00:00","utc_start_date":"2031-06-02 00:00:00"}`,
		},
	})
}

func TestUpdateDraft(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /events {"title":"Gala","start_date":"2031-05-10","end_date":"2031-05-10","author":4,"status":"pending",
		"venue":{"venue":"Hall","status":"draft"},"organizer":[{"organizer":"Ann","status":"pending"}]}`,
	}
	// A contributor cannot read other authors' drafts.
	const public = `"status":"publish","slug":"gala","date_utc":"2026-11-21 00:00:00","url":"URL/event/gala/","website":"URL/event/gala/"`
	const published = `{` + public + `,"venue":{"status":"publish","date_utc":"2026-11-21 00:00:00"},"organizer":[{"status":"publish"}]}`
	playChanges(t, given, "/events/3", []row{
		{name: "the title does not publish", send: `{"title":"New"}`, want: `{"title":"New"}`},
		{
			name: "publishing leaves what is not named as it is",
			send: `{"status":"publish"}`,
			want: `{` + public + `}`,
		},
		{
			name: "publishing takes along what is named",
			send: `{"status":"publish","venue":1,"organizer":[2]}`,
			want: published,
		},
		{
			name: "an organizer alone",
			send: `{"status":"publish","organizer":"2"}`,
			want: `{` + public + `,"organizer":[{"status":"publish"}]}`,
		},
		{
			name: "by objects",
			send: `{"status":"publish","venue":{"id":1},"organizer":{"organizer":"ANN"}}`,
			want: published,
		},
		{
			name: "unless they say otherwise",
			send: `{"status":"publish","venue":{"id":1,"status":"draft"},"organizer":[{"organizer":"Ann","status":"pending"}]}`,
			want: `{` + public + `}`,
		},
		{
			name: "they may say the same",
			send: `{"status":"publish","venue":{"id":1,"status":"publish"},"organizer":[{"organizer":"Ann","status":"publish"}]}`,
			want: published,
		},
		{
			name: "named beside what is not published",
			send: `{"venue":1,"organizer":[2]}`,
			want: `{}`,
		},
		{
			name: "named beside a private event",
			send: `{"status":"private","venue":1,"organizer":[2]}`,
			want: `{"status":"private",` + strings.TrimPrefix(public, `"status":"publish",`) + `}`,
		},
		{
			name: "publish, contributor",
			as:   "contributor",
			send: `{"status":"publish"}`,
			want: `{"venue":[],"organizer":[]}`,
		},
		{
			name: "draft, contributor",
			as:   "contributor",
			send: `{"status":"draft"}`,
			want: `{"status":"draft","venue":[],"organizer":[]}`,
		},
		{
			name: "trashed before it was published",
			send: `{"status":"trash"}`,
			want: `{"status":"trash","slug":"__trashed","date_utc":"2026-11-21 00:00:00"}`,
		},
	})
}

// A published event publishes its drafts when it is created and when it is saved again.
func TestPublishNamed(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /venues {"venue":"Hall","status":"draft"}`, `POST /organizers {"organizer":"Ann","status":"pending"}`,
		`POST /organizers {"organizer":"Bob","status":"private"}`, `POST /organizers {"organizer":"Eve","date":"2027-01-01"}`,
		`POST /events {"title":"Gala","start_date":"2031-05-10","end_date":"2031-05-10"}`,
	}
	playChanges(t, given, "/events/5", []row{
		{
			name: "saved again",
			send: `{"venue":1,"organizer":[2]}`,
			want: `{"venue":{"status":"publish"},"organizer":[{"status":"publish"}]}`,
		},
		{
			name: "what is private or scheduled stays",
			send: `{"organizer":[3,4]}`,
			want: `{"organizer":[{"status":"private"},{"status":"future"}]}`,
		},
	})
	play(t, given, "POST /events", gala, []row{
		{
			name: "made",
			send: `{"venue":{"venue":"Hall"},"organizer":[2]}`,
			want: `{"venue":{"id":1,"status":"publish"},"organizer":[{"id":2,"status":"publish"}]}`,
		},
		{
			name: "made as a draft",
			send: `{"status":"draft","venue":1,"organizer":[2]}`,
			want: `{"venue":{"id":1,"status":"draft"},"organizer":[{"id":2,"status":"pending"}]}`,
		},
		{
			name: "made for later",
			send: `{"date":"2027-01-01","venue":1}`,
			want: `{"status":"future","venue":{"id":1,"status":"draft"}}`,
		},
	})
	t.Run("linked before and named with another", func(t *testing.T) {
		t.Parallel()
		d := open(t, append(given, `PATCH /events/5 {"status":"draft","venue":1,"organizer":[2]}`,
			`PATCH /events/5 {"status":"publish","organizer":[2]}`)...)
		status, answer := d.ask("", "GET", "/events/5", "")
		compare(
			t,
			`{"status":"publish","venue":{"status":"draft"},"organizer":[{"status":"publish"}]}`,
			status,
			answer,
		)
	})
}

func TestRestore(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /events {"title":"Gala","start_date":"2031-05-10","end_date":"2031-05-10"}`, "DELETE /events/1",
		`POST /venues {"venue":"Hall"}`, "DELETE /venues/2",
	}
	playChanges(t, given, "/events/1", []row{
		{
			name: "without a status it stays in the trash",
			send: `{"title":"New"}`,
			want: `{"title":"New"}`,
		},
		{
			name: "event as draft",
			send: `{"status":"draft"}`,
			want: `{"status":"draft","slug":"gala"}`,
		},
		{
			name: "event",
			send: `{"status":"publish"}`,
			want: `{"status":"publish","slug":"gala","url":"URL/event/gala/","website":"URL/event/gala/"}`,
		},
	})
	playChanges(t, given, "/venues/2", []row{
		{
			name: "venue",
			send: `{"status":"publish"}`,
			want: `{"status":"publish","slug":"hall","url":"URL/venue/hall/"}`,
		},
	})
}

// A published record with a date ahead stays public when a revision of it is restored, and the
// slug of a category that another one has by now is not taken from it.
func TestRestoreKeeps(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /categories {"name":"Music"}`, `PATCH /categories/1 {"slug":"tunes"}`,
		`POST /categories {"name":"Other","slug":"other"}`,
		`PATCH /categories/2 {"slug":"music"}`)
	ahead := &store.Event{
		Post: store.Post{
			Slug:   "gala",
			Status: store.Publish,
			Date:   now.AddDate(1, 0, 0),
		},
		Title:    "Gala",
		Timezone: "UTC",
	}
	d.srv.Seed(ahead)
	event := fmt.Sprint("/events/", ahead.ID)
	status, answer := d.ask("", "PATCH", event, `{"title":"New"}`)
	compare(t, `{"status":"publish","title":"New"}`, status, answer)
	for path, tt := range map[string]struct {
		back int // revisions from the newest
		want string
	}{
		event:           {1, `{"status":"publish","title":"Gala"}`},
		"/categories/1": {1, "400 duplicate_term_slug"},
	} {
		_, list := d.ask("", "GET", path+"/revisions", "")
		number := list["revisions"].([]any)[tt.back].(map[string]any)["number"].(float64)
		status, answer := d.ask(
			"",
			"POST",
			fmt.Sprintf("%s/revisions/%d/restore", path, int64(number)),
			"",
		)
		compare(t, tt.want, status, answer)
	}
}

// The slug of a merged venue leads to the other one, unless nobody could find it.
func TestMergeDraft(t *testing.T) {
	t.Parallel()
	d := open(
		t,
		`POST /venues {"venue":"Hall"}`,
		`POST /venues {"venue":"Barn"}`,
		`POST /venues {"venue":"Plan","status":"draft",
		"slug":"plan"}`,
		`POST /venues/2/merge {"into":1}`,
		`POST /venues/3/merge {"into":1}`,
	)
	for slug, want := range map[string]bool{"barn": true, "plan": false} {
		if status, _ := apitest.Text(t, d.srv.As(""), "GET", d.srv.URL+"/venue/"+slug+"/", ""); (status < 400) != want {
			t.Errorf("%s leads to the other venue is not %t: %d", slug, want, status)
		}
	}
}

// A record that another is merged into changes with that: its slugs do.
func TestMergeModified(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /venues {"venue":"Hall"}`, `POST /venues {"venue":"Barn"}`)
	d.srv.Clock.Advance(time.Hour)
	want := `{"venue":"Hall","modified_utc":"2026-11-21 01:00:00"}`
	status, answer := d.ask("", "POST", "/venues/2/merge", `{"into":1}`)
	compare(t, want, status, answer)
	status, answer = d.ask("", "GET", "/venues/1", "")
	compare(t, want, status, answer)
}

// The other events of a series that is made of a proposal have nothing of the person who proposed
// it.
func TestRepeatProposal(t *testing.T) {
	t.Parallel()
	d := open(t)
	start := store.WallOf(now.AddDate(0, 0, 7))
	fair := &store.Event{
		Post: store.Post{
			Author: 1,
			Status: store.Pending,
			Date:   now,
		},
		Title:    "Fair",
		Timezone: "UTC",
		Start:    start,
		End:      start,
		Proposal: store.Proposal{Key: "key", Name: "Ann", Email: "ann@example.org"},
	}
	d.srv.Seed(fair)
	status, answer := d.ask(
		"",
		"PATCH",
		fmt.Sprint("/events/", fair.ID),
		`{"recurrence":"FREQ=WEEKLY;COUNT=3"}`,
	)
	compare(t, `{"title":"Fair"}`, status, answer)
	want := map[string]string{"events 0": "Ann", "events 1": "", "events 2": "", "series 0": ""}
	got := map[string]string{}
	_ = d.srv.Store.View(func(v *store.View) error {
		for r := range v.Each(store.AllSeries) {
			got["series 0"] = fmt.Sprint(r.(*store.Series).Event.Proposal.Name)
		}
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			got[fmt.Sprint("events ", int64(e.Start-start)/(7*86_400))] = e.Proposal.Name
		}
		return nil
	})
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
