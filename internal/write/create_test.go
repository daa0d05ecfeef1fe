// Tests of events made by a create.

package write_test

import (
	"fmt"
	"testing"

	"almanac/internal/text/cost"
	"almanac/internal/text/markup"
	"almanac/store"
)

// gala is the default body of the creates of this file.
const gala = `{"title":"Gala","start_date":"2031-05-10 10:00:00","end_date":"2031-05-10 12:00:00"}`

func TestCreateEvent(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{
			name: "what is not sent",
			want: `{"author":"1","status":"publish","date":"2026-11-20 19:00:00","date_utc":"2026-11-21 00:00:00",
			"modified_utc":"2026-11-21 00:00:00","slug":"gala","description":"","excerpt":"","image":false,"all_day":false,
				"timezone":"America/New_York",
			"cost":"","website":"URL/event/gala/","url":"URL/event/gala/","show_map":false,"show_map_link":false,"hide_from_listings":false,
			"sticky":false,"featured":false,"categories":[],"tags":[],"venue":[],"organizer":[],"custom_fields":[]}`,
		},
		{
			name: "all that is missing at once",
			send: `{"title":"-","start_date":"-","end_date":"-"}`,
			want: "400 rest_missing_callback_param title start_date end_date",
		},
		{
			name: "null is missing",
			send: `{"title":null,"end_date":null}`,
			want: "400 rest_missing_callback_param title end_date",
		},
		{
			name: "all that is wrong at once",
			send: `{"title":"","author":99,"status":"x"}`,
			want: "400 rest_invalid_param author status title",
		},
		{
			name: "types are looked at last",
			send: `{"title":"","all_day":"yes"}`,
			want: "400 rest_invalid_param title",
		},
		{
			name: "wrong types together",
			send: `{"all_day":"yes","start_date":5}`,
			want: "400 rest_invalid_param all_day start_date, type",
		},

		{name: "no parent", send: `{"post_parent":0}`, want: `{"title":"Gala"}`},
		{name: "title empty", send: `{"title":""}`, want: "400 rest_invalid_param title"},
		{name: "title 0", send: `{"title":"0"}`, want: "400 rest_invalid_param title"},
		{name: "title a number", send: `{"title":5}`, want: "400 rest_invalid_param title"},
		{
			name: "title with NUL",
			send: `{"title":"a\u0000b"}`,
			want: "400 rest_invalid_param title",
		},
		{name: "title of spaces", send: `{"title":"  "}`, want: "400 rest_invalid_param title"},
		{
			name: "title of spaces beside an excerpt",
			send: `{"title":"  ","excerpt":"x"}`,
			want: `{"title":"","slug":"1"}`,
		},
		{
			name: "titles are trimmed when shown, texts as a whole",
			send: `{"title":" a ","description":" b ","excerpt":" c "}`,
			want: `{"title":"a","description":"<p> b </p>","excerpt":"<p> c </p>"}`,
		},
		{
			name: "backslashes are kept",
			send: `{"title":"a\\b","description":"c\\\\d"}`,
			want: `{"title":"a\\b","description":"<p>c\\\\d</p>"}`,
		},
		{
			name: "description empty",
			send: `{"description":""}`,
			want: "400 rest_invalid_param description",
		},
		{name: "excerpt empty", send: `{"excerpt":""}`, want: "400 rest_invalid_param excerpt"},
		{name: "slug empty", send: `{"slug":""}`, want: "400 rest_invalid_param slug"},
		{name: "slug of signs", send: `{"slug":"?!"}`, want: `{"slug":"gala"}`},
		{
			name: "editor's script",
			as:   "editor",
			send: `{"description":"<script>x()</script>y"}`,
			want: `{"description":"<p><script>x()</script>y</p>"}`,
		},
		{
			name: "author's script",
			as:   "author",
			send: `{"title":"<script>t</script>T","description":"<b onclick=\"x()\">b</b><iframe>f</iframe>"}`,
			want: `{"title":"tT","description":"<p><b>b</b>f</p>"}`,
		},

		{
			name: "author's title of blocks",
			as:   "author",
			send: `{"title":"<h2><b>A</b></h2> <span>B</span><img src=x>","excerpt":"<span>e</span>"}`,
			want: `{"title":"<b>A</b> B","excerpt":"<p><span>e</span></p>"}`,
		},
		{
			name: "contributor's names",
			as:   "contributor",
			send: `{"venue":{"venue":"<p>V</p><i>v</i>"},"organizer":{"organizer":"<u>O</u> & <script>o</script>"}}`,
			want: `{"venue":{"venue":"V<i>v</i>"},"organizer":[{"organizer":"O &#038; o"}]}`,
		},
		{
			name: "editor's title of blocks",
			as:   "editor",
			send: `{"title":"<h2>A</h2>"}`,
			want: `{"title":"<h2>A</h2>"}`,
		},
		{
			name: "nothing but tags as a name",
			as:   "author",
			send: `{"venue":{"venue":"<p></p>"}}`,
			want: "400 could-not-create-venue",
		},

		{name: "author another", send: `{"author":"3"}`, want: `{"author":"3"}`},
		{name: "author unknown", send: `{"author":99}`, want: "400 rest_invalid_param author"},
		{name: "author zero", send: `{"author":0}`, want: "400 rest_invalid_param author"},
		{
			name: "author another, by an author",
			as:   "author",
			send: `{"author":2}`,
			want: "403 rest_forbidden",
		},
		{
			name: "author oneself, by an author",
			as:   "author",
			send: `{"author":3}`,
			want: `{"author":"3"}`,
		},
		{
			name: "id is not read",
			send: `{"id":4711,"menu_order":3,"meta":{"a":1},"custom_fields":{"b":2}}`,
			want: `{"id":1,"custom_fields":[]}`,
		},
		{
			name: "null is not sent",
			send: `{"author":null,"status":null,"date":null,"timezone":null,"all_day":null,"image":null,"cost":null,"website":null,
				"show_map":null,"categories":null,"venue":null,"organizer":null,"description":null,"slug":null}`,
			want: `{"author":"1","status":"publish","timezone":"America/New_York","all_day":false,"image":false,"website":"URL/event/gala/",
				"venue":[],"slug":"gala"}`,
		},

		{
			name: "truth as text",
			send: `{"all_day":"TRUE","sticky":"1","featured":1,"show_map":true}`,
			want: `{"all_day":true,"sticky":true,"featured":true,"show_map":true}`,
		},
		{
			name: "truth as a word",
			send: `{"show_map":"yes"}`,
			want: "400 rest_invalid_param show_map, type",
		},
		{name: "truth empty", send: `{"sticky":""}`, want: "400 rest_invalid_param sticky, type"},
		{name: "truth two", send: `{"featured":2}`, want: "400 rest_invalid_param featured, type"},

		{
			name: "website",
			send: `{"website":"https://w.org/?a=1&b='2'"}`,
			want: `{"website":"https://w.org/?a=1&amp;b=&#039;2&#039;"}`,
		},
		{
			name: "website by mail",
			send: `{"website":"mailto:a@b.org"}`,
			want: `{"website":"mailto:a@b.org"}`,
		},
		{name: "website empty", send: `{"website":""}`, want: `{"website":"URL/event/gala/"}`},
		{name: "website zero", send: `{"website":0}`, want: `{"website":"URL/event/gala/"}`},
		{
			name: "website without scheme",
			send: `{"website":"example.org"}`,
			want: "400 rest_invalid_param website",
		},
		{
			name: "website of a script",
			send: `{"website":"javascript:x()"}`,
			want: "400 rest_invalid_param website",
		},
		{
			name: "website beyond ASCII",
			send: `{"website":"https://exämple.org/"}`,
			want: "400 rest_invalid_param website",
		},
		{name: "website a number", send: `{"website":5}`, want: "400 rest_invalid_param website"},

		{
			name: "image by address",
			send: `{"image":"https://e.org/a/b.PNG?x=1"}`,
			want: `{"id":2,"image":{"id":1,"url":"https://e.org/a/b.PNG?x=1","extension":"PNG"}}`,
		},
		{
			name: "image without path",
			send: `{"image":"https://e.org"}`,
			want: `{"id":2,"image":{"url":"https://e.org","extension":"<absent>"}}`,
		},
		{
			name: "image with a long ending",
			send: `{"image":"https://e.org/a.abcdef"}`,
			want: `{"image":{"url":"https://e.org/a.abcdef","extension":"<absent>"}}`,
		},
		{name: "image false", send: `{"image":false}`, want: `{"image":false}`},
		{name: "image empty", send: `{"image":""}`, want: "400 rest_invalid_param image"},
		{name: "image zero", send: `{"image":0}`, want: "400 rest_invalid_param image"},
		{name: "image unknown", send: `{"image":"4711"}`, want: "400 rest_invalid_param image"},
		{name: "image no address", send: `{"image":"abc"}`, want: "400 rest_invalid_param image"},
		{
			name: "image by one who may not upload",
			as:   "contributor",
			send: `{"image":"https://e.org/a.png"}`,
			want: "400 rest_invalid_param image",
		},
		{
			name: "image by one who may not create",
			as:   stranger,
			send: `{"image":"https://e.org/a.png"}`,
			want: "401 rest_forbidden",
		},
		{
			name: "image of a venue by one who may not upload",
			as:   "contributor",
			send: `{"venue":{"venue":"X","image":"https://e.org/a.png"}}`,
			want: "400 rest_invalid_param venue",
		},

		{name: "by a subscriber", as: "subscriber", want: "403 rest_forbidden"},
		{name: "by a stranger", as: stranger, want: "401 rest_forbidden"},
		{
			name: "nonsense by a stranger, whose body is not read",
			as:   stranger,
			send: `{"title":""}`,
			want: "401 rest_forbidden",
		},
	})
}

func TestCreateEventAgain(t *testing.T) {
	t.Parallel()
	play(t, []string{
		"POST /events " + gala,
		`POST /events {"title":"Image","start_date":"2031-01-01","end_date":"2031-01-01","image":"https://e.org/a.png"}`,
	}, "POST /events", gala, []row{
		{name: "the same title is another event", want: `{"id":4,"slug":"gala-2"}`},
		{name: "a slug that is taken", send: `{"slug":"GALA"}`, want: `{"slug":"gala-2"}`},
		{
			name: "an address that is known is the same image",
			send: `{"image":"https://e.org/a.png"}`,
			want: `{"image":{"id":2}}`,
		},
		{name: "an image by id as text", send: `{"image":"2"}`, want: `{"image":{"id":2}}`},
		{name: "an image by id", send: `{"image":2}`, want: `{"image":{"id":2}}`},
		{
			name: "an image as it is shown",
			send: `{"image":{"url":"https://e.org/a.png","id":2,"extension":"png"}}`,
			want: `{"image":{"id":2}}`,
		},
		{
			name: "an image that is an event",
			send: `{"image":1}`,
			want: "400 rest_invalid_param image",
		},
	})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	const ahead = `,"date":"2027-01-01 10:00:00"`
	play(t, nil, "POST /events", gala, []row{
		{name: "none", as: "author", want: `{"status":"publish"}`},
		{
			name: "none, contributor",
			as:   "contributor",
			want: `{"status":"draft","slug":"","date_utc":"0000-00-00 00:00:00","modified_utc":"0000-00-00 ` +
				`00:00:00","url":"URL/?post_type=tribe_events&p=1","website":"URL/?post_type=tribe_events&p=1"}`,
		},
		{name: "publish", send: `{"status":"publish"}`, want: `{"status":"publish"}`},
		{
			name: "publish, contributor",
			as:   "contributor",
			send: `{"status":"publish"}`,
			want: `{"status":"pending"}`,
		},
		{
			name: "publish ahead",
			send: `{"status":"publish"` + ahead + `}`,
			want: `{"status":"future","date_utc":"2027-01-01 15:00:00","slug":"gala","url":"URL/?post_type=tribe_events&p=1"}`,
		},
		{
			name: "publish in 59 seconds",
			send: `{"date":"2026-11-20 19:00:59"}`,
			want: `{"status":"publish"}`,
		},
		{
			name: "publish in 60 seconds",
			send: `{"date":"2026-11-20 19:01:00"}`,
			want: `{"status":"future"}`,
		},
		{name: "future", send: `{"status":"future"}`, want: `{"status":"publish"}`},
		{
			name: "future ahead",
			send: `{"status":"future"` + ahead + `}`,
			want: `{"status":"future"}`,
		},
		{
			name: "future, contributor",
			as:   "contributor",
			send: `{"status":"future"` + ahead + `}`,
			want: `{"status":"pending","date":"2027-01-01 10:00:00","date_utc":"0000-00-00 00:00:00"}`,
		},
		{name: "draft", send: `{"status":"draft"}`, want: `{"status":"draft","slug":""}`},
		{name: "pending", send: `{"status":"pending"}`, want: `{"status":"pending","slug":""}`},
		{
			name: "pending, contributor",
			as:   "contributor",
			send: `{"status":"pending"}`,
			want: `{"status":"pending"}`,
		},
		{
			name: "private",
			send: `{"status":"private"}`,
			want: `{"status":"private","url":"URL/event/gala/"}`,
		},
		{
			name: "private, contributor",
			as:   "contributor",
			send: `{"status":"private"}`,
			want: `{"status":"pending"}`,
		},
		{name: "trash", send: `{"status":"trash"}`, want: `{"status":"trash","slug":"gala"}`},
		{
			name: "auto-draft",
			send: `{"status":"auto-draft"}`,
			want: "400 rest_invalid_param status",
		},
		{name: "inherit", send: `{"status":"inherit"}`, want: "400 rest_invalid_param status"},
		{name: "empty", send: `{"status":""}`, want: "400 rest_invalid_param status"},
		{name: "unknown", send: `{"status":"PUBLISH"}`, want: "400 rest_invalid_param status"},
		{
			name: "venue",
			ask:  "POST /venues",
			as:   "contributor",
			send: `{"venue":"Hall"}`,
			want: `{"status":"draft","slug":"hall","url":"URL/?post_type=tribe_venue&p=1"}`,
		},
		{
			name: "organizer",
			ask:  "POST /organizers",
			as:   "contributor",
			send: `{"organizer":"Ann","status":"publish"}`,
			want: `{"status":"pending","slug":"ann"}`,
		},
	})
}

func TestSlug(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{
			name: "quotes and dashes",
			send: `{"title":"Bob's \"Big\" -- Show & Tell"}`,
			want: `{"slug":"bobs-big-show-tell"}`,
		},
		{name: "slash", send: `{"title":"a/b"}`, want: `{"slug":"a-b"}`},
		{
			name: "accents",
			send: `{"title":"Émile & Zoë – naïve…"}`,
			want: `{"slug":"emile-zoe-naive"}`,
		},
		{name: "point", send: `{"title":"1,000.50"}`, want: `{"slug":"1000-50"}`},
		{name: "digits", send: `{"title":"2031"}`, want: `{"slug":"2031"}`},
		{name: "currency", send: `{"title":"cost \"10€\""}`, want: `{"slug":"cost-10e"}`},
		{name: "another script", send: `{"title":"日本"}`, want: `{"slug":"%e6%97%a5%e6%9c%ac"}`},
		{name: "signs alone have the id", send: `{"title":"!!!"}`, want: `{"slug":"1"}`},
		{name: "sent", send: `{"slug":"My Slug"}`, want: `{"slug":"my-slug"}`},
		{
			name: "sent with a draft",
			send: `{"slug":"My Slug","status":"draft"}`,
			want: `{"slug":"my-slug"}`,
		},
	})
	given := []string{
		`POST /events {"title":"A","start_date":"2031-05-10","end_date":"2031-05-10","slug":"x"}`,
		`POST /events {"title":"B","start_date":"2031-05-10","end_date":"2031-05-10","slug":"x-1"}`,
	}
	playChanges(t, given, "/events/2", []row{
		{
			name: "taken, by one with the number 1",
			send: `{"slug":"x"}`,
			want: `{"slug":"x-2","url":"URL/event/x-2/","website":"URL/event/x-2/"}`,
		},
	})
}

func TestCost(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{
			name: "number",
			send: `{"cost":10.5}`,
			want: `{"cost":"$10.5","cost_details":{"currency_symbol":"","currency_code":"","currency_position":"","values":["10.5"]}}`,
		},
		{
			name: "symbol behind",
			send: `{"cost":"10€"}`,
			want: `{"cost":"10€","cost_details":{"currency_symbol":"€","currency_position":"postfix","values":["10"]}}`,
		},
		{
			name: "list",
			send: `{"cost":["0$","20$","30$"]}`,
			want: `{"cost":"Free – 30$","cost_details":{"currency_symbol":"$","currency_position":"postfix","values":["0","20","30"]}}`,
		},
		{
			name: "zero",
			send: `{"cost":0}`,
			want: `{"cost":"Free","cost_details":{"values":["0"]}}`,
		},
		{name: "empty", send: `{"cost":""}`, want: `{"cost":"","cost_details":{"values":[]}}`},
		{name: "false", send: `{"cost":false}`, want: `{"cost":"","cost_details":{"values":[]}}`},
		{
			name: "two separators",
			send: `{"cost":"1,000.50"}`,
			want: `{"cost":"$1,000.50","cost_details":{"values":["1000.50"]}}`,
		},
		{
			name: "spacing",
			send: `{"cost":"10 USD"}`,
			want: `{"cost":"10 USD","cost_details":{"currency_symbol":"USD","currency_position":"postfix"}}`,
		},
		{
			name: "words",
			send: `{"cost":"Pay what you can"}`,
			want: `{"cost":"Pay what you can","cost_details":{"values":["pay-what-you-can"]}}`,
		},
		{name: "object", send: `{"cost":{"amount":5}}`, want: "400 rest_invalid_param cost"},
	})
	d := open(t)
	fair := &store.Event{
		Post: store.Post{
			Slug:   "fair",
			Status: store.Publish,
			Date:   now,
		},
		Title:    "Fair",
		Timezone: "UTC",
		Cost: cost.Cost{
			Entries:  []string{"10"},
			Symbol:   "€",
			Code:     "EUR",
			Position: cost.Postfix,
		},
	}
	d.srv.Seed(fair)
	for _, send := range []string{`{"cost":"12€"}`, `{"cost":""}`} { // the code of an import stays with an amount
		status, answer := d.ask("", "PATCH", fmt.Sprint("/events/", fair.ID), send)
		want := map[bool]string{true: "EUR"}[send != `{"cost":""}`]
		compare(t, `{"cost_details":{"currency_code":"`+want+`"}}`, status, answer)
	}
}

// Many equal names get slugs by a search that looks for gaps among the low numbers only.
func TestSlugOfMany(t *testing.T) {
	t.Parallel()
	var given []string
	for n := 1; n <= 130; n++ {
		slug := "fair"
		if n > 1 {
			slug = markup.Suffix(slug, n)
		}
		if n != 30 && n != 100 {
			given = append(
				given,
				fmt.Sprintf(
					`POST /events {"title":"Place %d","start_date":"2031-05-10","end_date":"2031-05-10","slug":%q}`,
					n,
					slug,
				),
			)
		}
	}
	d := open(t, given...)
	for _, want := range []string{"fair-30", "fair-131", "fair-132"} {
		status, event := d.ask(
			"",
			"POST",
			"/events",
			`{"title":"Fair","start_date":"2031-05-10","end_date":"2031-05-10"}`,
		)
		if status != 201 || event["slug"] != want {
			t.Errorf("%d with slug %v, want %s", status, event["slug"], want)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{
			name: "an offset does not count",
			send: `{"start_date":"2031-05-01T10:00:00Z","end_date":"2031-05-01 12:00 Europe/Paris","timezone":"Asia/Tokyo"}`,
			want: `{"start_date":"2031-05-01 10:00:00","utc_start_date":"2031-05-01 01:00:00","utc_end_date":"2031-05-01 03:00:00"}`,
		},
		{
			name: "the clock of a timestamp is UTC's",
			send: `{"start_date":"1935000000","end_date":"1935003600"}`,
			want: `{"start_date":"2031-04-26 20:00:00","utc_start_date":"2031-04-27 00:00:00"}`,
		},
		{
			name: "words are about the event's zone",
			send: `{"start_date":"tomorrow","end_date":"tomorrow 9am","timezone":"Asia/Tokyo"}`,
			want: `{"start_date":"2026-11-22 00:00:00","end_date":"2026-11-22 09:00:00"}`,
		},
		{
			name: "a day begins at midnight",
			send: `{"start_date":"2031-05-10","end_date":"2031-05-11"}`,
			want: `{"start_date":"2031-05-10 00:00:00","end_date":"2031-05-11 00:00:00"}`,
		},
		{
			name: "whole days",
			send: `{"start_date":"2031-07-04 13:00","end_date":"2031-07-05 14:30","all_day":true}`,
			want: `{"start_date":"2031-07-04 00:00:00","end_date":"2031-07-05 23:59:59"}`,
		},
		{
			name: "a whole day in UTC",
			send: `{"start_date":"2031-07-14","end_date":"2031-07-14","all_day":true,"timezone":"Europe/Paris"}`,
			want: `{"utc_start_date":"2031-07-13 22:00:00","utc_end_date":"2031-07-14 21:59:59"}`,
		},
		{
			name: "an hour that is skipped",
			send: `{"start_date":"2031-03-09 02:30","end_date":"2031-03-09 04:00"}`,
			want: `{"start_date":"2031-03-09 03:30:00","utc_start_date":"2031-03-09 07:30:00"}`,
		},
		{
			name: "an hour that is repeated",
			send: `{"start_date":"2031-11-02 01:30","end_date":"2031-11-02 01:45"}`,
			want: `{"utc_start_date":"2031-11-02 05:30:00"}`,
		},
		{
			name: "end before start",
			send: `{"end_date":"2031-05-10 08:00"}`,
			want: `{"end_date":"2031-05-10 10:00:00","utc_end_date":"2031-05-10 14:00:00"}`,
		},
		{
			name: "end at start",
			send: `{"end_date":"2031-05-10 10:00"}`,
			want: `{"end_date":"2031-05-10 10:00:00"}`,
		},
		{
			name: "a day past the month",
			send: `{"start_date":"2031-02-30","end_date":"2031-03-05"}`,
			want: `{"start_date":"2031-03-02 00:00:00"}`,
		},
		{
			name: "the epoch",
			send: `{"start_date":"1970-01-01 00:00:00","timezone":"UTC"}`,
			want: `{"utc_start_date":"1970-01-01 00:00:00"}`,
		},
		{
			name: "the last second",
			send: `{"start_date":"9999-12-31 23:59:59","end_date":"9999-12-31 23:59:59"}`,
			want: `{"start_date":"9999-12-31 23:59:59"}`,
		},
		{name: "no date", send: `{"start_date":"bad"}`, want: "400 rest_invalid_param start_date"},
		{
			name: "no month",
			send: `{"start_date":"2031-13-01"}`,
			want: "400 rest_invalid_param start_date",
		},
		{
			name: "no hour",
			send: `{"end_date":"2031-05-10 25:00"}`,
			want: "400 rest_invalid_param end_date",
		},
		{
			name: "no year",
			send: `{"start_date":"0000-01-01"}`,
			want: "400 rest_invalid_param start_date",
		},
		{name: "empty", send: `{"start_date":""}`, want: "400 rest_invalid_param start_date"},
		{name: "true", send: `{"start_date":true}`, want: "400 rest_invalid_param start_date"},
		{
			name: "number",
			send: `{"start_date":1935000000}`,
			want: "400 rest_invalid_param start_date, type",
		},

		{
			name: "date is the site's, whatever the zone",
			send: `{"date":"2026-01-02 10:00:00","timezone":"Asia/Tokyo"}`,
			want: `{"date":"2026-01-02 10:00:00","date_utc":"2026-01-02 15:00:00"}`,
		},
		{
			name: "date in UTC",
			send: `{"date_utc":"2026-01-02 10:00:00"}`,
			want: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`,
		},
		{
			name: "both dates",
			send: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`,
			want: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`,
		},
		{
			name: "dates that disagree: UTC counts",
			send: `{"date":"2026-01-02 05:00:00","date_utc":"2026-05-02 10:00:00"}`,
			want: `{"date":"2026-05-02 06:00:00","date_utc":"2026-05-02 10:00:00"}`,
		},
		{name: "date empty", send: `{"date":""}`, want: "400 rest_invalid_param date"},
		{
			name: "date a number",
			send: `{"date_utc":1770000000}`,
			want: "400 rest_invalid_param date_utc, type",
		},
	})
}

func TestZones(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{
			name: "empty",
			send: `{"timezone":""}`,
			want: `{"timezone":"America/New_York","timezone_abbr":"EDT"}`,
		},
		{
			name: "any case",
			send: `{"timezone":"europe/PARIS"}`,
			want: `{"timezone":"Europe/Paris","timezone_abbr":"CEST","utc_start_date":"2031-05-10 08:00:00"}`,
		},
		{
			name: "alias",
			send: `{"timezone":"EST"}`,
			want: `{"timezone":"EST","timezone_abbr":"EST","utc_start_date":"2031-05-10 15:00:00"}`,
		},
		{
			name: "hours",
			send: `{"timezone":"UTC+2"}`,
			want: `{"timezone":"UTC+2","timezone_abbr":"UTC+2","utc_start_date":"2031-05-10 08:00:00"}`,
		},
		{
			name: "hours west",
			send: `{"timezone":"UTC-5"}`,
			want: `{"utc_start_date":"2031-05-10 15:00:00"}`,
		},
		{
			name: "half hours",
			send: `{"timezone":"UTC+5.5"}`,
			want: `{"timezone":"UTC+5.5","utc_start_date":"2031-05-10 04:30:00"}`,
		},
		{
			name: "minutes",
			send: `{"timezone":"UTC+5:30"}`,
			want: `{"timezone":"UTC+5:30","utc_start_date":"2031-05-10 04:30:00"}`,
		},
		{
			name: "offset",
			send: `{"timezone":"+02:00"}`,
			want: `{"timezone":"+02:00","timezone_abbr":"GMT+0200"}`,
		},
		{
			name: "offset without colon",
			send: `{"timezone":"+0200"}`,
			want: `{"timezone":"+02:00","timezone_abbr":"GMT+0200","utc_start_date":"2031-05-10 08:00:00"}`,
		},
		{
			name: "offset of hours",
			send: `{"timezone":"-05"}`,
			want: `{"timezone":"-05:00","utc_start_date":"2031-05-10 15:00:00"}`,
		},
		{
			name: "Z",
			send: `{"timezone":"Z"}`,
			want: `{"timezone":"UTC","timezone_abbr":"UTC","utc_start_date":"2031-05-10 10:00:00"}`,
		},
		{
			name: "UTC+2 after a form",
			send: `{"timezone":"UTC 2"}`,
			want: `{"timezone":"UTC+2","utc_start_date":"2031-05-10 08:00:00"}`,
		},
		{
			name: "abbreviation",
			send: `{"timezone":"EDT"}`,
			want: "400 rest_invalid_param timezone",
		},
		{
			name: "the furthest east",
			send: `{"timezone":"UTC+14"}`,
			want: `{"utc_start_date":"2031-05-09 20:00:00"}`,
		},
		{
			name: "too far east",
			send: `{"timezone":"UTC+15"}`,
			want: "400 rest_invalid_param timezone",
		},
		{
			name: "no offset",
			send: `{"timezone":"UTC+abc"}`,
			want: "400 rest_invalid_param timezone",
		},
		{
			name: "unknown",
			send: `{"timezone":"Mars/Phobos"}`,
			want: "400 rest_invalid_param timezone",
		},
		{name: "number", send: `{"timezone":5}`, want: "400 rest_invalid_param timezone"},
	})
}
