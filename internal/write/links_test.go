// Tests of links from events to venues, organizers and terms.

package write_test

import "testing"

func TestLinks(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /venues {"venue":"One"}`, `POST /venues {"venue":"Two"}`,
		`POST /organizers {"organizer":"Ann"}`, `POST /organizers {"organizer":"Bob"}`,
		"POST /events " + gala,
	}
	play(t, given, "POST /events", gala, []row{
		{name: "venue by id", send: `{"venue":1}`, want: `{"venue":{"id":1}}`},
		{name: "venue by id as text", send: `{"venue":"1"}`, want: `{"venue":{"id":1}}`},
		{
			name: "venue by object with id: the rest is not read",
			send: `{"venue":{"id":1,"venue":"New","phone":"5"}}`,
			want: `{"venue":{"id":1,"venue":"One","phone":"<absent>"}}`,
		},
		{
			name: "venue by object with no id in it",
			send: `{"venue":{"id":0,"venue":"New"}}`,
			want: `{"id":7,"venue":{"id":6,"venue":"New"}}`,
		},
		{
			name: "venue made",
			send: `{"venue":{"venue":"New","status":"draft","image":"https://e.org/v.png","show_map":"no"}}`,
			want: `{"status":"publish","venue":{"venue":"New","status":"draft","show_map":false,"image":{"url":"https://e.org/v.png"}}}`,
		},
		{
			name: "venue found by its name",
			send: `{"venue":{"venue":"one"}}`,
			want: `{"venue":{"id":1,"venue":"One"}}`,
		},
		{name: "venue in a list", send: `{"venue":[1]}`, want: `{"venue":{"id":1}}`},
		{
			name: "venue made in a list",
			send: `{"venue":[{"venue":"New"}]}`,
			want: `{"venue":{"venue":"New"}}`,
		},
		{name: "two venues", send: `{"venue":[1,2]}`, want: "400 could-not-create-venue"},
		{name: "two venues as text", send: `{"venue":"1,2"}`, want: "400 could-not-create-venue"},
		{name: "list of null", send: `{"venue":[null]}`, want: "400 could-not-create-venue"},
		{name: "no venue: empty", send: `{"venue":""}`, want: `{"venue":[]}`},
		{name: "no venue: zero", send: `{"venue":0}`, want: `{"venue":[]}`},
		{name: "no venue: false", send: `{"venue":false}`, want: `{"venue":[]}`},
		{name: "no venue: list", send: `{"venue":[]}`, want: `{"venue":[]}`},
		{name: "no venue: object", send: `{"venue":{}}`, want: `{"venue":[]}`},
		{name: "venue unknown", send: `{"venue":99}`, want: "400 rest_invalid_param venue"},
		{name: "venue an organizer", send: `{"venue":3}`, want: "400 rest_invalid_param venue"},
		{name: "venue a text", send: `{"venue":"One"}`, want: "400 rest_invalid_param venue"},
		{
			name: "venue without a name",
			send: `{"venue":{"city":"Bath"}}`,
			want: "400 rest_invalid_param venue",
		},
		{
			name: "venue with a bad website",
			send: `{"venue":{"venue":"New","website":"nope"}}`,
			want: "400 rest_invalid_param venue",
		},
		{
			name: "venue of spaces",
			send: `{"venue":{"venue":" "}}`,
			want: "400 could-not-create-venue",
		},

		{name: "organizer by id", send: `{"organizer":3}`, want: `{"organizer":[{"id":3}]}`},
		{
			name: "organizer by object with id",
			send: `{"organizer":{"id":3}}`,
			want: `{"organizer":[{"id":3}]}`,
		},
		{
			name: "organizer made",
			send: `{"organizer":{"organizer":"Eve","email":"no mail"}}`,
			want: `{"organizer":[{"organizer":"Eve","email":"no mail"}]}`,
		},
		{
			name: "organizers in their order",
			send: `{"organizer":[4,{"organizer":"Eve"},"3"]}`,
			want: `{"organizer":[{"id":4},{"organizer":"Eve"},{"id":3}]}`,
		},
		{
			name: "organizers as text",
			send: `{"organizer":"4, 3"}`,
			want: `{"organizer":[{"id":4},{"id":3}]}`,
		},
		{
			name: "an organizer twice",
			send: `{"organizer":[3,3,{"organizer":"ANN"}]}`,
			want: `{"organizer":[{"id":3}]}`,
		},
		{
			name: "one new organizer twice",
			send: `{"organizer":[{"organizer":"Eve"},{"organizer":"eve"}]}`,
			want: `{"organizer":[{"organizer":"Eve"}]}`,
		},
		{
			name: "organizers of null",
			send: `{"organizer":[3,null]}`,
			want: "400 could-not-create-organizer",
		},
		{
			name: "one of several is unknown",
			send: `{"organizer":[3,99]}`,
			want: "400 rest_invalid_param organizer",
		},
		{
			name: "no organizer: the name of no venue",
			send: `{"organizer":{"venue":""}}`,
			want: `{"organizer":[]}`,
		},
		{
			name: "organizer without a name",
			send: `{"organizer":{"venue":"One"}}`,
			want: "400 rest_invalid_param organizer",
		},
		{
			name: "no name of a venue",
			send: `{"venue":{"organizer":""}}`,
			want: "400 rest_invalid_param venue",
		},
		{
			name: "organizer of spaces",
			send: `{"organizer":[{"organizer":" "}]}`,
			want: "400 could-not-create-organizer",
		},
		{
			name: "organizer with a bad website",
			send: `{"organizer":{"organizer":"Eve","website":"x"}}`,
			want: "400 rest_invalid_param organizer",
		},

		{
			name: "made by a contributor",
			as:   "contributor",
			send: `{"venue":{"venue":"New"},"organizer":{"organizer":"Eve","status":"publish"}}`,
			want: `{"status":"draft","venue":{"status":"draft"},"organizer":[{"status":"pending"}]}`,
		},
	})
}

// Nothing is stored when any part is refused.
func TestLinksAreAllOrNothing(t *testing.T) {
	t.Parallel()
	for _, send := range []string{
		`{"venue":{"venue":"Ghost"},"organizer":[{"organizer":" "}]}`,
		`{"organizer":[{"organizer":"Ghost"},99]}`,
		`{"categories":["Ghost"],"cost":{"a":1}}`,
		`{"categories":["Ghost"],"title":" "}`,
	} {
		d := open(t)
		if status, answer := d.ask("", "POST", "/events", merge(t, gala, send)); status != 400 {
			t.Errorf("%s: %d %v", send, status, answer)
		}
		for _, path := range []string{"/events?search=Gala&start_date=2031-01-01&end_date=2032-01-01", "/venues", "/organizers",
			"/categories?hide_empty=false"} {
			if _, answer := d.ask("", "GET", path, ""); answer["total"] != 0.0 {
				t.Errorf("%s: %s has %v", send, path, answer["total"])
			}
		}
	}
}

func TestTermsOfEvents(t *testing.T) {
	t.Parallel()
	given := []string{
		`POST /categories {"name":"Music"}`, `POST /categories {"name":"Jazz","parent":1}`, `POST /tags {"name":"Free Entry"}`,
	}
	play(t, given, "POST /events", gala, []row{
		{name: "by id", send: `{"categories":1}`, want: `{"categories":[{"id":1,"count":1}]}`},
		{name: "by id as text", send: `{"categories":["1"]}`, want: `{"categories":[{"id":1}]}`},
		{
			name: "as one text",
			send: `{"categories":"2, Music"}`,
			want: `{"categories":[{"id":2},{"id":1}]}`,
		},
		{
			name: "by name in any case",
			send: `{"categories":["JAZZ"]}`,
			want: `{"categories":[{"id":2,"parent":1}]}`,
		},
		{name: "by slug", send: `{"tags":"free-entry"}`, want: `{"tags":[{"id":3}]}`},
		{name: "by name", send: `{"tags":["Free Entry"]}`, want: `{"tags":[{"id":3}]}`},
		{
			name: "new",
			send: `{"categories":["New & Old"]}`,
			want: `{"categories":[{"id":4,"name":"New &amp; Old","slug":"new-old","parent":0}]}`,
		},
		{
			name: "new, by a contributor",
			as:   "contributor",
			send: `{"tags":["new"]}`,
			want: `{"tags":[{"name":"new","count":0}]}`,
		},
		{
			name: "new, of signs",
			send: `{"tags":["!!!"]}`,
			want: `{"tags":[{"name":"!!!","slug":"4"}]}`,
		},
		{
			name: "one new in two spellings",
			send: `{"tags":["Late","LATE"]}`,
			want: `{"tags":[{"name":"Late"}]}`,
		},
		{
			name: "numbers are no names",
			send: `{"categories":["-1"," 98 ",1]}`,
			want: `{"categories":[{"id":1}]}`,
		},
		{
			name: "unknown ids are skipped",
			send: `{"categories":[99,1,"98"]}`,
			want: `{"categories":[{"id":1}]}`,
		},
		{name: "the id of another taxonomy", send: `{"tags":[1]}`, want: `{"tags":[]}`},
		{
			name: "nothing is skipped",
			send: `{"categories":["",0,"0",null,false,1]}`,
			want: `{"categories":[{"id":1}]}`,
		},
		{name: "none: empty", send: `{"categories":""}`, want: `{"categories":[]}`},
		{name: "none: false", send: `{"tags":false}`, want: `{"tags":[]}`},
		{
			name: "as records show them",
			send: `{"categories":[{"id":1,"name":"x"},{"name":"New"}],"tags":[{"slug":"free-entry"}]}`,
			want: `{"categories":[{"id":1},{"name":"New"}],"tags":[{"id":3}]}`,
		},
		{
			name: "object that names nothing",
			send: `{"categories":[{"foo":1}]}`,
			want: "400 rest_invalid_param categories",
		},
		{name: "true", send: `{"categories":[true]}`, want: "400 rest_invalid_param categories"},
		{name: "list in a list", send: `{"tags":[["a"]]}`, want: "400 rest_invalid_param tags"},
		{name: "tags alone", send: `{"tags":["<b></b>"]}`, want: "400 rest_invalid_param tags"},
	})
}
