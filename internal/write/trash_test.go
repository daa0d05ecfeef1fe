// Tests of deletes.

package write_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/people/account"
)

func TestDelete(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /events {"title":"Gala","start_date":"2031-05-10","end_date":"2031-05-10","venue":{"venue":"Hall"},
			"organizer":[{"organizer":"Ann"}],"categories":["Music"]}`,
		`POST /events {"title":"Draft","start_date":"2031-05-10","end_date":"2031-05-10","status":"draft"}`,
		`POST /events {"title":"Gone","start_date":"2031-05-10","end_date":"2031-05-10"}`, "DELETE /events/5",
		`POST /venues {"venue":"Old"}`, "DELETE /venues/6",
	}
	play(t, given, "DELETE /events/3", "", []row{
		{
			name: "event",
			want: `{"status":"trash","slug":"gala__trashed","url":"URL/?post_type=tribe_events&p=3",
			"website":"URL/?post_type=tribe_events&p=3",
			"venue":{"id":1},"organizer":[{"id":2}],"categories":[{"name":"Music","count":0}],"json_ld":"<absent>"}`,
		},
		{
			name: "force has no meaning",
			ask:  "DELETE /events/3?force=true",
			want: `{"status":"trash"}`,
		},
		{
			name: "event that was never published",
			ask:  "DELETE /events/4",
			want: `{"slug":"__trashed","date_utc":"2026-11-21 00:00:00"}`,
		},
		{
			name: "event by slug",
			ask:  "DELETE /events/by-slug/gala",
			want: `{"id":3,"status":"trash"}`,
		},
		{name: "event twice", ask: "DELETE /events/5", want: "410 event-is-in-trash"},
		{
			name: "event twice, by its slug of then",
			ask:  "DELETE /events/by-slug/gone",
			want: "400 rest_invalid_param slug",
		},
		{
			name: "event twice, by its slug of now",
			ask:  "DELETE /events/by-slug/gone__trashed",
			want: "410 event-is-in-trash",
		},
		{name: "event unknown", ask: "DELETE /events/99", want: "404 rest-event-not-found"},
		{
			name: "event that is a venue",
			ask:  "DELETE /events/1",
			want: "400 rest-invalid-event-id",
		},
		{name: "event of another", as: "author", want: "403 rest_forbidden"},
		{name: "event by a stranger", as: stranger, want: "401 rest_forbidden"},
		{
			name: "slug is free again",
			ask:  "PATCH /events/3",
			send: `{"slug":"gone"}`,
			want: `{"slug":"gone"}`,
		},
		{
			name: "venue",
			ask:  "DELETE /venues/1",
			want: `{"status":"trash","slug":"hall__trashed","url":"URL/?post_type=tribe_venue&p=1"}`,
		},
		{name: "venue twice", ask: "DELETE /venues/6", want: "410 venue-is-in-trash"},
		{name: "venue unknown", ask: "DELETE /venues/99", want: "400 rest_invalid_param id"},
		{
			name: "venue that is an event",
			ask:  "DELETE /venues/3",
			want: "400 rest_invalid_param id",
		},
		{
			name: "organizer",
			ask:  "DELETE /organizers/2",
			want: `{"status":"trash","slug":"ann__trashed"}`,
		},
		{
			name: "category",
			ask:  "DELETE /categories/1",
			want: `{"name":"Music","count":1,"_links":"<absent>"}`,
		},
		{
			name: "category unknown",
			ask:  "DELETE /categories/99",
			want: "400 rest_invalid_param id",
		},
	})
}

// A caller without the right to edit published records cannot restore one from the trash, but
// their own drafts.
func TestUntrash(t *testing.T) {
	t.Parallel()
	const fair = `{"title":"Fair","start_date":"2031-05-10","end_date":"2031-05-10"}`
	const out, no = `{"status":"draft"}`, "403 rest_forbidden"
	published := []string{`PATCH /events/1 {"status":"publish"}`}
	draft := []string{}
	for _, tt := range []struct {
		name  string
		given []string // requests of the administrator, after the contributor made the event
		own   []string // then requests of the contributor
		want  string
	}{
		{"published, then deleted", append(published, "DELETE /events/1"), nil, no},
		{"published, then updated into the trash", append(published, `PATCH /events/1 {"status":"trash"}`), nil, no},
		{"published, deleted, and changed there", append(published, "DELETE /events/1", `PATCH /events/1 {"title":"Other"}`,
			`PATCH /events/1 {"status":"trash"}`), nil, no},
		{"private, then deleted", []string{`PATCH /events/1 {"status":"private"}`, "DELETE /events/1"}, nil, no},
		{"scheduled, then deleted", []string{`PATCH /events/1 {"status":"future","date":"2031-01-01"}`, "DELETE /events/1"}, nil, no},
		{"a draft, deleted by an administrator", append(draft, "DELETE /events/1"), nil, out},
		{"a draft again, then deleted", append(published, `PATCH /events/1 {"status":"draft"}`, "DELETE /events/1"), nil, out},
		{"out of the trash and in it again", append(published, "DELETE /events/1", `PATCH /events/1 {"status":"pending"}`,
			"DELETE /events/1"), nil, out},
		{"their draft", draft, []string{"DELETE /events/1"}, out},
		{"their pending event, updated into the trash", draft, []string{`PATCH /events/1 {"status":"pending"}`,
			`PATCH /events/1 {"status":"trash"}`, `PATCH /events/1 {"title":"X"}`}, out},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := open(t)
			play := func(as account.Role, requests []string) {
				t.Helper()
				for _, line := range requests {
					method, rest, _ := strings.Cut(line, " ")
					path, body, _ := strings.Cut(rest, " ")
					if status, answer := d.ask(as, method, path, body); status >= 300 {
						t.Fatalf("given %s: %d %v", line, status, answer)
					}
				}
			}
			play(account.Contributor, []string{"POST /events " + fair})
			play("", tt.given)
			play(account.Contributor, tt.own)
			for _, send := range []string{`{"title":"Changed"}`, out} {
				status, answer := d.ask(account.Contributor, "PATCH", "/events/1", send)
				want := tt.want
				if want == out && send != out {
					want = `{"status":"trash"}`
				}
				compare(t, want, status, answer)
			}
		})
	}
	d := open(
		t,
		`POST /events {"title":"Made there","start_date":"2031-05-10","end_date":"2031-05-10","status":"trash","author":4}`,
	)
	status, answer := d.ask(account.Contributor, "PATCH", "/events/1", out)
	compare(t, out, status, answer)
}

// A deleted record disappears from every event, and nothing else does.
func TestDeleteUnlinks(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /venues {"venue":"Hall"}`, `POST /organizers {"organizer":"Ann"}`, `POST /organizers {"organizer":"Bob"}`,
		`POST /categories {"name":"Music"}`, `POST /categories {"name":"Jazz","parent":1}`, `POST /categories {"name":"Bebop","parent":2}`,
	}
	const events = 12
	for i := range events {
		given = append(
			given,
			fmt.Sprintf(
				`POST /events {"title":"E%d","start_date":"2031-05-10","end_date":"2031-05-10","venue":1,"organizer":[2,3],
				"categories":[2,3]}`,
				i,
			),
		)
	}
	d := open(
		t,
		append(given, "DELETE /venues/1", "DELETE /organizers/2", "DELETE /categories/2")...)
	for i := range events {
		status, answer := d.ask("", "GET", fmt.Sprint("/events/", 4+i), "")
		compare(
			t,
			`{"venue":[],"organizer":[{"id":3}],"categories":[{"id":3,"parent":1}]}`,
			status,
			answer,
		)
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	given := []string{
		"POST /events " + merge(t, gala, `{"password":"secret","description":"text"}`),
	}
	play(t, given, "PATCH /events/1", "", []row{
		{
			name: "an update needs none",
			send: `{"title":"New"}`,
			want: `{"title":"New","description":"<p>text</p>"}`,
		},
		{
			name: "a delete needs none",
			ask:  "DELETE /events/1",
			want: `{"status":"trash","description":"<p>text</p>"}`,
		},
		{name: "a read needs it", ask: "GET /events/1", want: "403 event-password-protected"},
	})
	for _, send := range []string{`{"password":null}`, `{"password":""}`} {
		d := open(t, given[0], "PATCH /events/1 "+send)
		status, answer := d.ask(stranger, "GET", "/events/1", "")
		compare(t, `{"description":"<p>text</p>"}`, status, answer)
	}
}
