// Tests of writes of venues and organizers.

package write_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/store"
)

func TestCreateVenue(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /venues", `{"venue":"Hall"}`, []row{
		{
			name: "what is not sent",
			want: `{"id":1,"author":"1","status":"publish","slug":"hall","url":"URL/venue/hall/","show_map":true,
			"show_map_link":true,
			"description":"<absent>","address":"<absent>","stateprovince":"<absent>","website":"<absent>","image":"<absent>","excerpt":"<absent>"}`,
		},
		{name: "no name", send: `{"venue":null}`, want: "400 rest_missing_callback_param venue"},
		{name: "name empty", send: `{"venue":""}`, want: "400 rest_invalid_param venue"},
		{name: "name of spaces", send: `{"venue":" "}`, want: "400 could-not-create-venue"},
		{name: "name a number", send: `{"venue":5}`, want: "400 rest_invalid_param venue"},
		{
			name: "empty is absent",
			send: `{"description":"","address":"","phone":"","website":"","image":"","stateprovince":""}`,
			want: `{"description":"<absent>","address":"<absent>","phone":"<absent>","image":"<absent>"}`,
		},
		{
			name: "no tags",
			send: `{"address":"1 <b>Oak</b> St","city":" Bath "}`,
			want: `{"address":"1 Oak St","city":"Bath"}`,
		},
		{name: "zip zero", send: `{"zip":"0"}`, want: `{"zip":"0"}`},
		{name: "zip a number", send: `{"zip":2108}`, want: "400 rest_invalid_param zip"},
		{name: "list", send: `{"city":[]}`, want: "400 rest_invalid_param city"},
		{
			name: "website",
			send: `{"website":"https://w.org/?a&b"}`,
			want: `{"website":"https://w.org/?a&b"}`,
		},
		{name: "website bad", send: `{"website":"w.org"}`, want: "400 rest_invalid_param website"},
		{name: "status empty", send: `{"status":""}`, want: "400 rest_invalid_param status"},
		{name: "author unknown", send: `{"author":99}`, want: "400 rest_invalid_param author"},
		{name: "date empty", send: `{"date":""}`, want: "400 rest_invalid_param date"},
		{
			name: "maps by words",
			send: `{"show_map":"ENABLED","show_map_link":"x"}`,
			want: `{"show_map":true,"show_map_link":false}`,
		},
		{name: "map empty", send: `{"show_map":""}`, want: `{"show_map":false}`},
		{name: "map as it is shown", send: `{"show_map":false}`, want: `{"show_map":false}`},
		{
			name: "map a number",
			send: `{"show_map":0}`,
			want: "400 rest_invalid_param show_map, type",
		},
		{
			name: "slug and excerpt are not read",
			send: `{"slug":"x","excerpt":"y"}`,
			want: `{"slug":"hall","excerpt":"<absent>"}`,
		},
		{
			name: "coordinates",
			send: `{"geo_lat":1.5,"geo_lng":"-2"}`,
			want: `{"geo_lat":1.5,"geo_lng":-2}`,
		},
		{name: "half a point", send: `{"geo_lat":1.5}`, want: "400 rest_invalid_param geo_lng"},

		{name: "state", send: `{"state":"MA"}`, want: `{"stateprovince":"MA"}`},
		{
			name: "state of the US",
			send: `{"state":"MA","province":"ON","country":"US"}`,
			want: `{"stateprovince":"MA"}`,
		},
		{
			name: "state of the United States",
			send: `{"state":"MA","country":"United States"}`,
			want: `{"stateprovince":"MA"}`,
		},
		{
			name: "state of the USA",
			send: `{"state":"MA","country":"USA"}`,
			want: `{"stateprovince":"MA"}`,
		},
		{
			name: "state elsewhere",
			send: `{"state":"MA","country":"Canada"}`,
			want: `{"stateprovince":"<absent>"}`,
		},
		{
			name: "province elsewhere",
			send: `{"state":"MA","province":"ON","country":"Canada"}`,
			want: `{"stateprovince":"ON"}`,
		},
		{
			name: "province of the US",
			send: `{"province":"ON","country":"US"}`,
			want: `{"stateprovince":"ON"}`,
		},
		{
			name: "stateprovince",
			send: `{"state":"MA","stateprovince":"X"}`,
			want: `{"stateprovince":"X"}`,
		},
		{
			name: "stateprovince empty",
			send: `{"state":"MA","stateprovince":""}`,
			want: `{"stateprovince":"MA"}`,
		},
		{
			name: "stateprovince 0, which is none",
			send: `{"state":"MA","stateprovince":"0"}`,
			want: `{"stateprovince":"MA"}`,
		},
		{
			name: "stateprovince 0 alone",
			send: `{"stateprovince":"0"}`,
			want: `{"stateprovince":"<absent>"}`,
		},
		{name: "state 0", send: `{"state":"0"}`, want: `{"state":"0","stateprovince":"<absent>"}`},
	})
}

func TestReuseVenue(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /venues {"venue":"Hall","description":"D","address":"1 Oak ` +
			`St","city":"Bath","phone":"1","status":"private","show_map":"no","image":"https://e.org/a.png"}`,
		`POST /venues {"venue":"Gone"}`, "DELETE /venues/3",
	}
	const kept = `"id":2,"venue":"Hall","slug":"hall","description":"<p>D</p>","status":"private","author":"1","address":"1 Oak ` +
		`St","show_map":false,"image":{"id":1}`
	play(t, given, "POST /venues", `{"venue":" hALL "}`, []row{
		{name: "by name", want: `{` + kept + `,"phone":"1"}`},
		{
			name: "what a record is does not change",
			send: `{"description":"D","status":"draft","author":2,"date":"2020-01-01"}`,
			want: `{` + kept + `}`,
		},
		{
			name: "details do",
			send: `{"phone":"","zip":"123","city":"BATH"}`,
			want: `{` + kept + `,"phone":"<absent>","zip":"123","city":"BATH"}`,
		},
		{
			name: "a state makes a stateprovince",
			send: `{"state":"MA"}`,
			want: `{` + kept + `,"state":"MA","stateprovince":"MA"}`,
		},
		{
			name: "the letter case of a description is no difference",
			send: `{"description":"d"}`,
			want: `{` + kept + `}`,
		},
		{
			name: "a description of spaces is none",
			send: `{"description":"  "}`,
			want: `{` + kept + `}`,
		},
		{
			name: "another description is another venue",
			send: `{"description":"E"}`,
			want: `{"id":4,"slug":"hall-2"}`,
		},
		{
			name: "another address is another venue",
			send: `{"address":"2 Elm St"}`,
			want: `{"id":4,"slug":"hall-2"}`,
		},
		{
			name: "what is in the trash is not found",
			send: `{"venue":"Gone"}`,
			want: `{"id":4,"slug":"gone"}`,
		},
		{
			name: "an editor's hand is needed for changes",
			as:   "editor",
			send: `{"phone":"9"}`,
			want: `{` + kept + `,"phone":"9"}`,
		},
		{
			name: "what one may not see is another venue",
			as:   "author",
			send: `{"phone":"9"}`,
			want: `{"id":4,"author":"3"}`,
		},
	})
	play(
		t,
		[]string{`POST /venues {"venue":"Hall","phone":"1"}`},
		"POST /venues",
		`{"venue":"Hall"}`,
		[]row{
			{
				name: "who may not edit it changes nothing",
				as:   "contributor",
				send: `{"phone":"9"}`,
				want: `{"id":1,"phone":"1"}`,
			},
		},
	)
}

// A reused record keeps its modified, even if its details change.
func TestReuseKeepsModified(t *testing.T) {
	t.Parallel()
	d := open(t, `POST /venues {"venue":"Hall"}`, `POST /organizers {"organizer":"Ann"}`)
	d.srv.Clock.Advance(time.Hour)
	want := map[string]any{"modified_utc": "2026-11-21 00:00:00", "phone": "9"}
	for path, name := range map[string]string{
		"/venues":     `{"venue":"Hall","phone":"9"}`,
		"/organizers": `{"organizer":"Ann","phone":"9"}`,
	} {
		status, answer := d.ask("", "POST", path, name)
		if diff := gocmp.Diff(want, map[string]any{
			"modified_utc": answer["modified_utc"],
			"phone":        answer["phone"],
		}); status != 201 ||
			diff != "" {
			t.Errorf("%s: %d (-want +got)\n%s", path, status, diff)
		}
	}
}

// Reuse without a change writes nothing.
func TestReuseWritesNothing(t *testing.T) {
	t.Parallel()
	d := open(
		t,
		`POST /venues {"venue":"Hall","phone":"1","image":"https://e.org/a.png","show_map":"no"}`,
		`POST /organizers {"organizer":"Ann","email":"a@b.c"}`,
	)
	revisions := func() (venue, organizer uint64) {
		_ = d.srv.Store.View(func(v *store.View) error {
			venue = v.Venue(2).Rev
			organizer = v.Organizer(3).Rev
			return nil
		})
		return venue, organizer
	}
	venue, organizer := revisions()
	for _, step := range []struct {
		path, send      string
		writes, writesO bool
	}{
		{"/venues", `{"venue":"HALL","phone":"1","show_map":"no","image":"https://e.org/a.png"}`, false, false},
		{"/organizers", `{"organizer":"ann","email":" a@b.c"}`, false, false},
		{"/events", merge(t, gala, `{"venue":{"venue":"Hall"},"organizer":[{"organizer":"Ann"}]}`), false, false},
		{"/venues", `{"venue":"Hall","show_map":"yes"}`, true, false},
		{"/venues", `{"venue":"Hall","show_map_link":"no"}`, true, false},
		{"/venues", `{"venue":"Hall","geo_lat":1,"geo_lng":2}`, true, false},
		{"/venues", `{"venue":"Hall","geo_lat":1,"geo_lng":2}`, false, false},
		{"/venues", `{"venue":"Hall","image":""}`, true, false},
		{"/venues", `{"venue":"Hall","zip":"2"}`, true, false},
		{"/organizers", `{"organizer":"Ann","phone":"2"}`, false, true},
		{"/organizers", `{"organizer":"Ann","image":"https://e.org/a.png"}`, false, true},
	} {
		if status, answer := d.ask("", "POST", step.path, step.send); status != 201 {
			t.Fatalf("%s: %d %v", step.send, status, answer)
		}
		nextV, nextO := revisions()
		if (nextV != venue) != step.writes || (nextO != organizer) != step.writesO {
			t.Errorf(
				"POST %s %s: revisions %d and %d become %d and %d",
				step.path,
				step.send,
				venue,
				organizer,
				nextV,
				nextO,
			)
		}
		venue = nextV
		organizer = nextO
	}
}

// Different names of one country, state or province match.
func TestReuseVenueByRegion(t *testing.T) {
	t.Parallel()
	const again, other = `{"id":1}`, `{"id":2}`
	for _, tt := range []struct{ stored, sent, want string }{
		{`"country":"United States"`, `"country":"US"`, again},
		{`"country":"US"`, `"country":"U.S.A."`, again},
		{`"country":"usa"`, `"country":" united  states of america"`, again},
		{`"country":"UK"`, `"country":"GBR"`, again},
		{`"country":"Ivory Coast"`, `"country":"Cote d'Ivoire"`, again},
		{`"country":"US"`, `"country":"United Kingdom"`, other},
		{`"country":"Niger"`, `"country":"Nigeria"`, other},
		{`"country":"Nowhere"`, `"country":"NOWHERE"`, again},
		{`"country":"Nowhere"`, `"country":"Elsewhere"`, other},
		{`"state":"IL"`, `"state":"Illinois"`, again},
		{`"state":"IL"`, `"state":"Israel"`, other},
		{`"state":"IL"`, `"state":"IN"`, other},
		{`"province":"Quebec"`, `"province":"qc"`, again},
		{`"province":"ON"`, `"province":"Alberta"`, other},
		{`"stateprovince":"D.C."`, `"stateprovince":"District of Columbia"`, again},
		{`"state":"WA"`, `"state":"Western Australia"`, again},
		{`"state":"WA"`, `"state":"Washington"`, again},
		{`"state":"Washington"`, `"state":"Western Australia"`, other},
		{`"city":"IL"`, `"city":"Illinois"`, other},
		{`"country":"US"`, `"country":" ","state":"","city":"  "`, again},
		{`"country":" "`, `"country":"France"`, again},
	} {
		t.Run(tt.stored+", "+tt.sent, func(t *testing.T) {
			t.Parallel()
			d := open(t, `POST /venues {"venue":"Hall",`+tt.stored+`}`)
			status, answer := d.ask("", "POST", "/venues", `{"venue":"Hall",`+tt.sent+`}`)
			compare(t, tt.want, status, answer)
		})
	}
}

// A description is compared as it would be stored.
func TestReuseWithMarkup(t *testing.T) {
	t.Parallel()
	d := open(t)
	for range 2 {
		status, answer := d.ask(
			"author",
			"POST",
			"/venues",
			`{"venue":"Hall","description":"<script>x</script>D"}`,
		)
		compare(t, `{"id":1,"description":"<p>xD</p>"}`, status, answer)
	}
}

func TestUpdateVenue(t *testing.T) {
	t.Parallel()
	given := []string{`POST /venues {"venue":"Hall","description":"D","address":"1 Oak ` +
		`St","state":"MA","phone":"1","show_map":"no","show_map_link":"no","status":"draft","image":"https://e.org/a.png"}`,
		`POST /organizers {"organizer":"Ann"}`}
	playChanges(t, given, "/venues/2", []row{
		{name: "nothing", send: `{}`, want: `{}`},
		{name: "name: the slug stays", send: `{"venue":"Other"}`, want: `{"venue":"Other"}`},
		{name: "name empty", send: `{"venue":""}`, want: "400 rest_invalid_param venue"},
		{name: "name of spaces", send: `{"venue":" "}`, want: "400 rest_invalid_param venue"},
		{
			name: "description emptied",
			send: `{"description":""}`,
			want: `{"description":"<absent>"}`,
		},
		{
			name: "details emptied",
			send: `{"address":"","phone":""}`,
			want: `{"address":"<absent>","phone":"<absent>"}`,
		},
		{
			name: "null",
			send: `{"address":null,"show_map":null,"image":null,"description":null}`,
			want: `{}`,
		},
		{
			name: "the state takes stateprovince along",
			send: `{"state":"NY"}`,
			want: `{"state":"NY","stateprovince":"NY"}`,
		},
		{
			name: "the country too",
			send: `{"country":"Canada","province":"ON"}`,
			want: `{"country":"Canada","province":"ON","stateprovince":"ON"}`,
		},
		{
			name: "unless it is sent",
			send: `{"state":"NY","stateprovince":"X"}`,
			want: `{"state":"NY","stateprovince":"X"}`,
		},
		{
			name: "0 is none",
			send: `{"state":"NY","stateprovince":"0"}`,
			want: `{"state":"NY","stateprovince":"<absent>"}`,
		},
		{name: "map", send: `{"show_map":"yes"}`, want: `{"show_map":true}`},
		{name: "image", send: `{"image":""}`, want: `{"image":"<absent>"}`},
		{
			name: "status",
			send: `{"status":"publish"}`,
			want: `{"status":"publish","url":"URL/venue/hall/","date_utc":"2026-11-21 00:00:00"}`,
		},
		{
			name: "trash",
			send: `{"status":"trash"}`,
			want: `{"status":"trash","slug":"hall__trashed","date_utc":"2026-11-21 00:00:00"}`,
		},
		{name: "slug and id are not read", send: `{"slug":"x","id":99}`, want: `{}`},
		{
			name: "by slug",
			ask:  "PUT /venues/by-slug/HALL",
			send: `{"phone":"2"}`,
			want: `{"phone":"2"}`,
		},
		{
			name: "by slug, unknown",
			ask:  "PUT /venues/by-slug/none",
			send: `{}`,
			want: "400 rest_invalid_param slug",
		},
		{
			name: "unknown",
			ask:  "PUT /venues/99",
			as:   stranger,
			send: `{}`,
			want: "400 rest_invalid_param id",
		},
		{
			name: "an organizer",
			ask:  "PUT /venues/3",
			send: `{}`,
			want: "400 rest_invalid_param id",
		},
		{name: "another's", as: "author", send: `{}`, want: "403 rest_forbidden"},
	})
}

func TestOrganizer(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /organizers {"organizer":"Ann","description":"D","email":"a@b.c","phone":"1"}`,
	}
	play(t, given, "POST /organizers", `{"organizer":"Bob"}`, []row{
		{
			name: "what is not sent",
			want: `{"id":2,"status":"publish","slug":"bob","url":"URL/organizer/bob/","email":"<absent>","description":"<absent>"}`,
		},
		{
			name: "name of spaces",
			send: `{"organizer":" "}`,
			want: "400 could-not-create-organizer",
		},
		{
			name: "found again, whatever the letter case",
			send: `{"organizer":"ANN","description":"d"}`,
			want: `{"id":1,"organizer":"Ann","description":"<p>D</p>"}`,
		},
		{
			name: "no name",
			send: `{"organizer":null}`,
			want: "400 rest_missing_callback_param organizer",
		},
		{name: "email is not checked", send: `{"email":"nope"}`, want: `{"email":"nope"}`},
		{name: "email a number", send: `{"email":5}`, want: "400 rest_invalid_param email"},
		{
			name: "used again",
			send: `{"organizer":"ANN","phone":"2"}`,
			want: `{"id":1,"organizer":"Ann","phone":"2","email":"a@b.c"}`,
		},
		{
			name: "another description",
			send: `{"organizer":"Ann","description":"E"}`,
			want: `{"id":2,"slug":"ann-2"}`,
		},
		{
			name: "used again by another",
			as:   "author",
			send: `{"organizer":"Ann","phone":"2"}`,
			want: `{"id":1,"phone":"1"}`,
		},
	})
	playChanges(t, given, "/organizers/1", []row{
		{name: "nothing", send: `{}`, want: `{}`},
		{
			name: "emptied",
			send: `{"email":"","description":""}`,
			want: `{"email":"<absent>","description":"<absent>"}`,
		},
		{name: "renamed", send: `{"organizer":"Eve"}`, want: `{"organizer":"Eve"}`},
		{name: "name empty", send: `{"organizer":""}`, want: "400 rest_invalid_param organizer"},
	})
}
