package intake_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/write"
	"almanac/internal/write/intake"
	"almanac/move/files"
	"almanac/store"
)

var noon = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

// A calendar is a store that is imported into.
type calendar struct {
	testing.TB
	*store.Store
	options intake.Options
	state   intake.State
}

// newCalendar makes an empty store in a site in New York. It is checked when
// the test ends.
func newCalendar(t testing.TB) *calendar {
	t.Helper()
	s := apitest.Store(t, func() time.Time { return noon })
	site, err := caltime.LoadZone("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return &calendar{
		TB:    t,
		Store: s,
		options: intake.Options{
			Site:    site,
			Now:     noon,
			Account: 7,
			Home:    "home.example:8080",
		},
	}
}

// load imports a file as one batch. The state goes through JSON, as it does on
// the way to a server and back.
func (c *calendar) load(file string) intake.Report {
	c.Helper()
	items, err := read(file)
	if err != nil {
		c.Fatal(err)
	}
	var result intake.Result
	err = c.Update(7, func(tx *store.Tx) error {
		result, err = intake.Batch{Items: items, State: c.state}.Apply(tx, c.options)
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	data, err := json.Marshal(result)
	if err != nil {
		c.Fatal(err)
	}
	var copied intake.Result
	if err := json.Unmarshal(data, &copied); err != nil {
		c.Fatal(err)
	}
	c.state = copied.State
	return copied.Report
}

// mustLoad imports a file without refusals.
func (c *calendar) mustLoad(file string) intake.Report {
	c.Helper()
	report := c.load(file)
	for _, refusal := range report.Refusals {
		c.Fatal(refusal)
	}
	return report
}

func all[R store.Record](c *calendar, k store.Kind) map[string]R {
	return apitest.Records[R](c, c.Store, k)
}

// counts returns what a report counts, "events created" and so on.
func counts(r intake.Report) map[string]int {
	n := map[string]int{}
	for k, outcomes := range r.Records {
		for _, outcome := range outcomes {
			n[k.String()+" "+string(outcome)]++
		}
	}
	return n
}

// event returns a record with some members beside those that every event has.
func event(id int, members string) string {
	return fmt.Sprintf(
		`{"global_id":"a.example?id=%d","title":"E%[1]d","slug":"e%[1]d","start_date":"2031-06-01 10:00:00",
		"end_date":"2031-06-01 11:00:00",
		"modified_utc":"2031-01-01 00:00:00"%s}`,
		id,
		members,
	)
}

// list returns a listing of events.
func list(events ...string) string { return `{"events":[` + strings.Join(events, ",") + `]}` }

// Names of imports get slugs in the language that the site was given, and slugs of the file stay.
func TestSlugsOfTheLanguageOfTheSite(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"": "muller-strase", "de": "mueller-strasse"} {
		c := newCalendar(t)
		err := c.Update(7, func(tx *store.Tx) error {
			return tx.SetSettings(store.Settings{
				Language: language,
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		longest := "a--" + strings.Repeat("b", 197)
		const times = `"start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 11:00:00"`
		c.mustLoad(list(`{"global_id":"a.example?id=1","title":"Müller Straße",`+times+`}`,
			`{"global_id":"a.example?id=2","title":"Müller","slug":"muller",`+times+`}`,
			`{"global_id":"a.example?id=3","title":"Long","slug":"`+longest+`",`+times+`}`))
		got := map[string]string{}
		for _, e := range all[*store.Event](c, store.Events) {
			got[e.Title] = e.Slug
		}
		if diff := cmp.Diff(map[string]string{
			"Müller Straße": want,
			"Müller":        "muller",
			"Long":          longest,
		}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", language, diff)
		}
	}
}

// A record without a global id is known by its name, and says nothing of the members that it
// lacks.
func TestByName(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustLoad(
		`{"venues":[{"venue":"V","city":"C","state":"NY","stateprovince":"NY","geo_lat":1,"geo_lng":2,"description":"D"}],
		"organizers":[{"organizer":"O","phone":"1"}]}`,
	)
	c.mustLoad(
		`{"venues":[{"venue":"V","state":"N.Y.","phone":"5"}],"organizers":[{"organizer":"O","email":"o@o.example"}]}`,
	)
	v := all[*store.Venue](c, store.Venues)["v"]
	o := all[*store.Organizer](c, store.Organizers)["o"]
	got := []any{v.City, v.StateProvince, v.Phone, v.Description, *v.Geo, o.Phone, o.Email}
	if diff := cmp.Diff([]any{"C", "NY", "5", "D", store.Geo{
		Lat: 1,
		Lng: 2,
	}, "1", "o@o.example"}, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// Every member of the wire has its place.
func TestMembers(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustLoad(`{"events":[{
		"id":5,"global_id":"a.example?id=5","global_id_lineage":["a.example?id=5","b.example/x?id=2"],"author":"31","status":"private",
		"date":"2030-12-31 19:00:00","date_utc":"2031-01-01 00:00:00","modified":"2031-01-02 19:00:00","modified_utc":"2031-01-03 00:00:00",
		"url":"https://a.example/event/fete/","rest_url":"https://a.example/wp-json/tribe/events/v1/events/5",
		"title":"F&ecirc;te &amp; &#8220;more&#8221;","description":"<p>One &amp; two</p>","excerpt":"<p>One</p>","slug":"fete",
		"image":{"url":"/a.jpg","id":9,"extension":"jpg","width":800,"height":600,"filesize":12345,"original_image":"a-raw.jpg","sizes":{
			"thumbnail":{"width":150,"height":150,"mime-type":"image/jpeg","filesize":99,"url":"/a-150.jpg"},
			"medium":{"width":"300","height":225,"mime-type":"image/jpeg","uncropped":false,"url":"/a-300.jpg"}}},
		"all_day":true,"start_date":"2031-06-01 00:00:00","end_date":"2031-06-02 23:59:59","timezone":"europe/paris",
		"utc_start_date":"1999-01-01 00:00:00","timezone_abbr":"XYZ",
		"cost":"$7 – $11","cost_details":{"currency_symbol":"$","currency_code":"USD","currency_position":"prefix","values":["7","11"]},
		"website":"https://t.example/?a=1&amp;b=2&#038;c=&#039;","show_map":true,"show_map_link":true,"hide_from_listings":true,
			"sticky":true,"featured":true,
		"ticketed":["shop"],
		"categories":[{"name":"Rock &amp; Roll","slug":"rock","taxonomy":"tribe_events_cat","description":"Loud","parent":0,"id":3,
			"urls":{"self":"https://a.example/c/3"}}],
		"tags":[{"name":"Free","slug":"free","taxonomy":"post_tag","id":4}],
		"venue":[{"id":6,"status":"draft","date":"2031-01-01 00:00:00","date_utc":"0000-00-00 00:00:00","modified":"2031-01-01 00:00:00",
			"modified_utc":"0000-00-00 00:00:00",
			"venue":"Caf&eacute;","description":"<p>Here</p>","slug":"cafe","address":"1 Way","city":"Town","country":"Land","province":"P",
				"state":"S","zip":"01234","phone":"5",
			"website":"v.example","stateprovince":"SP","geo_lat":48.5,"geo_lng":"-2.25","show_map":false,"show_map_link":true,
				"global_id":"a.example?id=6"}],
		"organizer":{"id":8,"organizer":"Mu's","slug":"mus","phone":"6","website":"o.example","email":"o@o.example",
			"global_id":"a.example?id=8","date":"2031-01-01 07:00:00","modified_utc":"0000-00-00 00:00:00"},
		"custom_fields":[],"json_ld":{}}]}`)

	cropped := false
	newYear := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	ids := cmpopts.IgnoreTypes(store.Meta{})
	wantEvent := &store.Event{
		Post: store.Post{
			Author:      7,
			Status:      store.Private,
			Date:        newYear,
			Modified:    newYear.AddDate(0, 0, 2),
			Slug:        "fete",
			Description: "<p>One &amp; two</p>",
			Excerpt:     "<p>One</p>",
			Origins: []string{
				"https://a.example/event/fete/",
				"a.example?id=5",
				"b.example/x?id=2",
			},
		},
		Title:    `Fête & "more"`,
		AllDay:   true,
		Timezone: "Europe/Paris",
		Start:    store.WallOf(time.Date(2031, 6, 1, 0, 0, 0, 0, time.UTC)),
		End:      store.WallOf(time.Date(2031, 6, 2, 23, 59, 59, 0, time.UTC)),
		Cost: store.Cost{
			Entries:  []string{"$7", "$11"},
			Symbol:   "$",
			Code:     "USD",
			Position: "prefix",
		},
		Website:          "https://t.example/?a=1&b=2&c='",
		ShowMap:          true,
		ShowMapLink:      true,
		HideFromListings: true,
		Sticky:           true,
		Featured:         true,
		Ticketed:         true,
	}
	links := cmpopts.IgnoreFields(store.Event{}, "Categories", "Tags", "Venues", "Organizers")
	image := cmpopts.IgnoreFields(store.Post{}, "Image")
	e := all[*store.Event](c, store.Events)["fete"]
	if diff := cmp.Diff(wantEvent, e, ids, links, image); diff != "" {
		t.Errorf("event (-want, +got):\n%s", diff)
	}
	wantVenues := map[string]*store.Venue{"cafe": {
		Post: store.Post{
			Author:      7,
			Status:      store.Draft,
			Date:        newYear.Add(5 * time.Hour),
			Undated:     true,
			Slug:        "cafe",
			Description: "<p>Here</p>",
			Origins:     []string{"a.example?id=6"},
		},
		Name:          "Café",
		Address:       "1 Way",
		City:          "Town",
		Country:       "Land",
		Province:      "P",
		State:         "S",
		Zip:           "01234",
		Phone:         "5",
		Website:       "http://v.example",
		StateProvince: "SP",
		ShowMapLink:   true,
		Geo:           &store.Geo{Lat: 48.5, Lng: -2.25},
	}}
	venues := all[*store.Venue](c, store.Venues)
	if diff := cmp.Diff(wantVenues, venues, ids); diff != "" {
		t.Errorf("venues (-want, +got):\n%s", diff)
	}
	wantOrganizers := map[string]*store.Organizer{"mus": {
		Post: store.Post{
			Author:   7,
			Status:   store.Publish,
			Date:     newYear.Add(12 * time.Hour),
			Modified: newYear.Add(12 * time.Hour),
			Slug:     "mus",
			Origins:  []string{"a.example?id=8"},
		},
		Name:    "Mu's",
		Phone:   "6",
		Website: "http://o.example",
		Email:   "o@o.example",
	}}
	organizers := all[*store.Organizer](c, store.Organizers)
	if diff := cmp.Diff(wantOrganizers, organizers, ids); diff != "" {
		t.Errorf("organizers (-want, +got):\n%s", diff)
	}
	categories := all[*store.Term](c, store.Categories)
	tags := all[*store.Term](c, store.Tags)
	wantTerms := []*store.Term{
		{Taxonomy: store.Categories, Name: "Rock & Roll", Slug: "rock", Description: "Loud"},
		{Taxonomy: store.Tags, Name: "Free", Slug: "free"},
	}
	if diff := cmp.Diff(wantTerms, []*store.Term{categories["rock"], tags["free"]}, ids); diff != "" {
		t.Errorf("terms (-want, +got):\n%s", diff)
	}
	images := all[*store.Image](c, store.Images)
	wantImages := map[string]*store.Image{"https://a.example/a.jpg": {
		URL:       "https://a.example/a.jpg",
		Extension: "jpg",
		Width:     800,
		Height:    600,
		Filesize:  12345,
		Original:  "a-raw.jpg",
		Sizes: []store.ImageSize{
			{
				Name:     "thumbnail",
				Width:    150,
				Height:   150,
				MIMEType: "image/jpeg",
				Filesize: 99,
				URL:      "https://a.example/a-150.jpg",
			},
			{
				Name:      "medium",
				Width:     300,
				Height:    225,
				MIMEType:  "image/jpeg",
				Uncropped: &cropped,
				URL:       "https://a.example/a-300.jpg",
			},
		},
	}}
	if diff := cmp.Diff(wantImages, images, ids); diff != "" {
		t.Errorf("images (-want, +got):\n%s", diff)
	}
	picture := images["https://a.example/a.jpg"].ID
	wantLinks := [][]int64{
		{categories["rock"].ID},
		{tags["free"].ID},
		{venues["cafe"].ID},
		{organizers["mus"].ID},
		{picture},
	}
	if diff := cmp.Diff(wantLinks, [][]int64{e.Categories, e.Tags, e.Venues, e.Organizers, {e.Image}}); diff != "" {
		t.Errorf("links (-want, +got):\n%s", diff)
	}
}

// Entities are decoded once, and never into markup.
func TestTitles(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, shown, want string }{
		{"plain", "Fair", "Fair"},
		{"space around", "  Fair ", "Fair"},
		{"ampersands", "A &amp; B &#038; C", "A & B & C"},
		{
			"as it was typed",
			"St Elmo&#8217;s &#8220;day&#8221; &#8211; at 5&#8217;",
			"St Elmo’s “day” – at 5’",
		},
		{"an apostrophe", "St Elmo&#8217;s", "St Elmo's"},
		{"a dash that nobody typed", "9&#8211;10", "9–10"},
		{"a raw quote beside an entity", `Joe's &amp; Sons`, "Joe's & Sons"},
		{"decoded once only", "AT&amp;amp;T", "AT&amp;amp;T"},
		{"no tag", "On &lt;b&gt; in HTML", "On &lt;b&gt; in HTML"},
		{"a tag", "<em>Big</em> &amp; small", "<em>Big</em> & small"},
		{"less", "1 &lt; 2", "1 < 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			title, err := json.Marshal(test.shown)
			if err != nil {
				t.Fatal(err)
			}
			c.mustLoad(list(event(1, `,"title":`+string(title))))
			if got := all[*store.Event](c, store.Events)["e1"].Title; got != test.want {
				t.Errorf("%q is stored as %q, want %q", test.shown, got, test.want)
			}
		})
	}
}

// A second import changes nothing, in any order of files.
func TestTwice(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	venue := `{"venue":"V","slug":"v","global_id":"a.example?id=90","modified_utc":"2031-01-01 00:00:00"}`
	draft := event(
		3,
		`,"status":"draft","slug":"","date_utc":"0000-00-00 00:00:00","date":"2031-01-01 00:00:00","modified_utc":"0000-00-00 00:00:00"`,
	)
	undated := `{"global_id":"a.example?id=4","title":"Undated","start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 10:00:00"}`
	file := list(
		event(1, `,"slug":"same","venue":`+venue),
		event(2, `,"slug":"same","venue":`+venue),
		draft,
		undated,
	)
	first := counts(c.mustLoad(file))
	if diff := cmp.Diff(map[string]int{
		"events created": 4,
		"venues created": 1,
	}, first); diff != "" {
		t.Errorf("first (-want, +got):\n%s", diff)
	}
	c.options.Now = noon.Add(time.Hour)
	second := counts(c.mustLoad(file))
	if diff := cmp.Diff(map[string]int{
		"events unchanged": 4,
		"venues unchanged": 1,
	}, second); diff != "" {
		t.Errorf("second (-want, +got):\n%s", diff)
	}
	third := counts(c.mustLoad(list(event(9, `,"venue":`+venue))))
	if diff := cmp.Diff(map[string]int{
		"events created":   1,
		"venues unchanged": 1,
	}, third); diff != "" {
		t.Errorf("another file with the venue (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "e9", "same", "same-2", "undated"},
		slices.Sorted(maps.Keys(all[*store.Event](c, store.Events)))); diff != "" {
		t.Errorf("slugs (-want, +got):\n%s", diff)
	}
}

// How records are matched, and which of two states counts.
func TestMatching(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		before, after string
		want          map[string]int
	}{
		{
			"newer",
			event(1, ``),
			event(1, `,"title":"New","modified_utc":"2031-02-01 00:00:00"`),
			map[string]int{
				"events updated": 1,
			},
		},
		{"changed without a newer date", event(1, ``), event(1, `,"title":"New"`), map[string]int{
			"events updated": 1,
		}},
		{
			"older",
			event(1, ``),
			event(1, `,"title":"Old","modified_utc":"2030-02-01 00:00:00"`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{"another", event(1, ``), event(2, ``), map[string]int{"events created": 1}},
		{
			"only newer",
			event(1, ``),
			event(1, `,"modified_utc":"2031-02-01 00:00:00"`),
			map[string]int{
				"events updated": 1,
			},
		},
		{
			"by its lineage",
			event(1, ``),
			event(
				2,
				`,"slug":"e1","title":"E1","global_id_lineage":["a.example?id=2","a.example?id=1"]`,
			),
			map[string]int{"events updated": 1},
		},
		{
			"by the lineage of what is stored",
			event(2, `,"global_id_lineage":["a.example?id=2","a.example?id=1"]`),
			event(1, `,"title":"E2","slug":"e2"`),
			map[string]int{"events unchanged": 1},
		},
		{
			"our own",
			event(1, ``),
			event(1, `,"global_id":"home.example?id=1","title":"Ours"`),
			map[string]int{
				"events updated": 1,
			},
		},
		{
			"our own, unchanged",
			event(1, ``),
			event(1, `,"global_id":"home.example?id=1"`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{
			"without a global id",
			event(1, `,"global_id":""`),
			event(1, `,"global_id":""`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{
			"another without a global id",
			event(1, `,"global_id":""`),
			event(2, `,"global_id":""`),
			map[string]int{
				"events created": 1,
			},
		},
		{
			"another slug without a global id",
			event(1, `,"global_id":""`),
			event(1, `,"global_id":"","slug":"e2"`),
			map[string]int{"events created": 1},
		},
		{
			"a venue inside, by its name",
			event(1, `,"venue":{"venue":"V","city":"C"}`),
			event(1, `,"venue":{"venue":"V"}`),
			map[string]int{"events unchanged": 1, "venues unchanged": 1},
		},
		{
			"our own, before ports were left out",
			event(1, ``),
			event(1, `,"global_id":"home.example:8080?id=1"`),
			map[string]int{"events unchanged": 1},
		},
		{"our own, by another port", event(1, ``), event(
			1,
			`,"global_id":"home.example?id=1","slug":"e2","url":"http://home.example:9090/event/e2/"`,
		),
			map[string]int{"events created": 1}},
		{
			"our own, by our port",
			event(1, ``),
			event(
				1,
				`,"global_id":"home.example?id=1","url":"http://home.example:8080/event/e1/"`,
			),
			map[string]int{"events unchanged": 1},
		},
		{
			"the port is left out by now",
			event(1, `,"global_id":"a.example:81?id=1"`),
			event(1, ``),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{
			"the port was left out before",
			event(1, ``),
			event(1, `,"global_id":"a.example:81?id=1"`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{
			"the port is in the address",
			event(1, `,"global_id":"a.example:81?id=1","url":"http://a.example:81/event/e1/"`),
			event(1, `,"url":"http://a.example:81/event/e1/"`),
			map[string]int{
				"events unchanged": 1,
			},
		},
		{"another port is in the address", event(1, `,"url":"http://a.example:81/event/e1/"`),
			event(1, `,"slug":"e2","url":"http://a.example:82/event/e2/"`), map[string]int{
				"events created": 1,
			}},
		{
			"one of two ports",
			event(
				1,
				`,"global_id":"a.example:81?id=1"`,
			) + "," + event(
				1,
				`,"slug":"e2","global_id":"a.example:82?id=1"`,
			),
			event(1, `,"slug":"e3"`),
			map[string]int{"events created": 1},
		},
		{
			"an address of IPv6",
			event(1, `,"global_id":"[::1]:81?id=1"`),
			event(1, `,"global_id":"[::1]?id=1"`),
			map[string]int{"events unchanged": 1},
		},
		{
			"a path",
			event(1, `,"global_id":"a.example:81/site?id=1"`),
			event(1, `,"global_id":"a.example/site?id=1"`),
			map[string]int{"events unchanged": 1},
		},
		{
			"members that a file leaves out stay",
			event(1, `,"sticky":true,"description":"D","cost":"$5","website":""`),
			event(1, ``),
			map[string]int{"events unchanged": 1},
		},
		{
			"links that a file leaves out stay",
			event(1, `,"tags":["t"],"venue":{"venue":"V","global_id":"a.example?id=90"}`),
			event(1, ``),
			map[string]int{"events unchanged": 1},
		},
		{
			"links that a file empties go",
			event(1, `,"tags":["t"]`),
			event(1, `,"tags":[]`),
			map[string]int{
				"events updated": 1,
			},
		},
		{
			"without a time of change by now",
			event(1, ``),
			event(1, `,"modified_utc":"0000-00-00 00:00:00"`),
			map[string]int{"events unchanged": 1},
		},
		{
			"another category with the same name",
			event(1, `,"categories":[{"name":"Fun","slug":"a"}]`),
			event(1, `,"categories":[{"name":"Fun","slug":"b"}]`),
			map[string]int{"events updated": 1, "categories created": 1},
		},
		{
			"the longest reason",
			event(1, ``),
			event(
				1,
				`,"event_status":"canceled","event_status_reason":"`+strings.Repeat("é", 500)+`"`,
			),
			map[string]int{"events updated": 1},
		},
		{
			"in the trash, by a list without a status",
			event(1, `,"status":"trash"`),
			event(1, `,"slug":""`),
			map[string]int{"events unchanged": 1},
		},
		{
			"a lineage of two records",
			event(1, ``) + "," + event(2, ``),
			event(2, `,"global_id_lineage":["a.example?id=2","a.example?id=1"]`),
			map[string]int{"events unchanged": 1},
		},
		{"protected by now", event(1, `,"description":"D","all_day":false,"featured":true`),
			event(
				1,
				`,"description":"","all_day":null,"featured":null,"venue":[]`,
			), map[string]int{
				"events unchanged": 1,
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			c.mustLoad(list(test.before))
			if diff := cmp.Diff(test.want, counts(c.mustLoad(list(test.after)))); diff != "" {
				t.Errorf("counts (-want, +got):\n%s", diff)
			}
			again := counts(c.mustLoad(list(test.after)))
			if again["events updated"] > 0 {
				t.Errorf("again: %v", again)
			}
		})
	}
}

// An event whose content a password hides is left out and named.
func TestProtectedEvent(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const hidden = "is protected by a password, and the file does not say its content"
	report := c.load(list(event(1, `,"description":"","all_day":null`)))
	if len(report.Refusals) != 1 || report.Refusals[0].Reason != hidden || len(report.Records) > 0 {
		t.Errorf("%v, %v", report.Refusals, report.Records)
	}
}

// A time of change that lies ahead does not keep out what the site says later. One of an author is
// not taken, and named.
func TestChangedAhead(t *testing.T) {
	t.Parallel()
	author := account.Account{ID: 7, Role: account.Author}
	for _, by := range []account.Account{{}, author} {
		for _, modified := range []string{
			`,"modified_utc":"2039-01-01 00:00:00"`,
			`,"modified_utc":null,"modified":"2031-05-11 12:00:00"`,
		} {
			c := newCalendar(t)
			c.options.By = by
			first := list(event(1, modified+`,"description":"first"`))
			told := c.mustLoad(first).Unknown
			want := intake.UnknownKey{
				Kind: store.Events,
				Key:  "modified_utc",
				File: "f.json",
				Reason: "is more than a day ahead of now, and was not taken: " +
					"it would keep later versions out",
			}
			isTold := len(told) == 1 && told[0] == want
			if isTold != (by.ID != 0) || !isTold && len(told) > 0 {
				t.Errorf("%v: %s: %v", by, modified, told)
			}
			if again := counts(c.mustLoad(first)); again["events unchanged"] != 1 {
				t.Errorf("%v: %s: the second time %v", by, modified, again)
			}
			c.options.Now = noon.Add(time.Hour)
			c.mustLoad(list(event(1, `,"modified_utc":"2031-05-10 12:30:00","description":"later"`)))
			for _, e := range all[*store.Event](c, store.Events) {
				if e.Description != "later" {
					t.Errorf("%v: %s keeps out what the site said later: %q", by, modified, e.Description)
				}
			}
		}
	}
	c := newCalendar(t)
	c.options.By = author
	near := list(event(1, `,"modified_utc":"2031-05-11 11:00:00"`))
	if told := c.mustLoad(near).Unknown; len(told) > 0 {
		t.Errorf("within a day: %v", told)
	}
}

// A calendar that is imported again changes what it changed, and the rest stays.
func TestCalendarAgain(t *testing.T) {
	t.Parallel()
	const paris = "DTSTART;TZID=Europe/Paris:203105"
	version := func(day int, events ...string) string {
		file := "BEGIN:VCALENDAR\n"
		for _, event := range events {
			file += fmt.Sprintf(
				"BEGIN:VEVENT\nSUMMARY:E\nLAST-MODIFIED:203105%02dT000000Z\n%s\nEND:VEVENT\n",
				day,
				event,
			)
		}
		return file + "END:VCALENDAR\n"
	}
	for _, tt := range []struct {
		name   string
		files  []string
		delete string // start of the event that is deleted here before the last file
		want   []string
	}{
		{"a last day in UTC, at noon and half an hour in the zone of the site",
			[]string{version(1, "UID:a\nDTSTART;VALUE=DATE:20310510\nRRULE:FREQ=DAILY;UNTIL=20310511T163000Z")},
			"", []string{"2031-05-10 00:00:00 E 2", "2031-05-11 00:00:00 E 3", "2031-05-12 00:00:00 E 4"}},
		{"a series without its first day, of which a move would keep as many events",
			[]string{
				version(1, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;UNTIL=20310513T210000Z"),
				version(2, "UID:a\n"+paris+"11T200000\nRRULE:FREQ=DAILY;UNTIL=20310513T210000Z")},
			"", []string{"2031-05-11 20:00:00 E 3", "2031-05-12 20:00:00 E 4", "2031-05-13 20:00:00 E 5"}},
		{"a date that was deleted here, before the file changed",
			[]string{
				version(1, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;COUNT=2"),
				version(12, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;COUNT=2\nLOCATION:Hall")},
			"2031-05-11 20:00:00", []string{"2031-05-10 20:00:00 E 2", "2031-05-11 20:00:00 E 5"}},
		{"a date that was deleted here, after the file changed",
			[]string{
				version(1, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;COUNT=2"),
				version(2, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;COUNT=2\nLOCATION:Hall")},
			"2031-05-11 20:00:00", []string{"2031-05-10 20:00:00 E 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			for i, file := range tt.files {
				if i == len(tt.files)-1 && tt.delete != "" {
					c.discard(tt.delete)
				}
				c.mustLoad(file)
			}
			if diff := cmp.Diff(tt.want, c.starts()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}

	// An end is as far from the start as a duration says, also where the clocks change.
	c := newCalendar(t)
	const night = "UID:a\nDTSTART;TZID=America/New_York:20311031T220000\nRRULE:FREQ=DAILY;COUNT=2\nDURATION:PT"
	for i, want := range [][]string{
		{"2031-11-01 06:00:00", "2031-11-02 05:00:00"},
		{"2031-11-01 07:00:00", "2031-11-02 06:00:00"},
	} {
		c.mustLoad(version(i+1, night+fmt.Sprint(8+i)+"H"))
		var got []string
		for _, e := range eventsOf(c) {
			got = append(got, e.End.String())
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ends of version %d (-want +got):\n%s", i+1, diff)
		}
	}

	// What a series without a date had here leaves its slug to others.
	c = newCalendar(t)
	c.mustLoad(version(1, "UID:a\n"+paris+"10T200000"))
	c.mustLoad(version(2, "UID:a\n"+paris+"10T200000\nRRULE:FREQ=DAILY;UNTIL=20310501T000000Z"))
	c.mustLoad(version(3, "UID:b\n"+paris+"11T200000"))
	slugs := map[string]store.Status{}
	for _, e := range eventsOf(c) {
		slugs[e.Slug] = e.Status
	}
	if diff := cmp.Diff(map[string]store.Status{"": store.Trash, "e": store.Publish}, slugs); diff != "" {
		t.Errorf("slugs (-want +got):\n%s", diff)
	}

	// An endless rule keeps its start up to a thousand dates before now.
	for first, want := range map[string]string{
		"20280813": "2028-08-13 20:00:00",
		"20280812": "2031-05-10 20:00:00",
	} {
		c = newCalendar(t)
		c.mustLoad(version(1, "UID:a\nDTSTART;TZID=America/New_York:"+first+"T200000\nRRULE:FREQ=DAILY"))
		if got := c.series()[0].Event.Start.String(); got != want {
			t.Errorf("a series since %s begins at %s, want %s", first, got, want)
		}
	}

	// An organizer is known by an e-mail address in any case.
	c = newCalendar(t)
	const ann = "\nORGANIZER;CN=Ann:mailto:%s@Example.org"
	c.mustLoad(version(1, "UID:a\n"+paris+"10T200000"+fmt.Sprintf(ann, "Ann")))
	report := c.mustLoad(version(1, "UID:b\n"+paris+"10T200000"+fmt.Sprintf(ann, "ANN")))
	if diff := cmp.Diff(map[string]int{"events created": 1, "organizers unchanged": 1}, counts(report)); diff != "" {
		t.Errorf("organizers (-want +got):\n%s", diff)
	}
}

// loadAs imports a file whose records have become bases before, and returns what they became now.
func (c *calendar) loadAs(file, as string, bases []*intake.Taken, gone bool) []*intake.Taken {
	c.Helper()
	items, err := read(file)
	if err != nil {
		c.Fatal(err)
	}
	for i := range items {
		items[i].As = as
		items[i].Gone = gone
		if bases != nil {
			items[i].Base = bases[i]
		}
	}
	var result intake.Result
	if err := c.Update(7, func(tx *store.Tx) error {
		result, err = intake.Batch{Items: items, State: c.state}.Apply(tx, c.options)
		return err
	}); err != nil {
		c.Fatal(err)
	}
	for _, refusal := range result.Report.Refusals {
		c.Error(refusal)
	}
	c.state = result.State
	return result.Taken
}

// A record of a source that is read again belongs to the account of the source only if the source
// overwrites it, and one that is gone goes to the trash only if it is still to begin.
func TestSourceAgain(t *testing.T) {
	t.Parallel()
	for as, want := range map[string]int64{intake.Keep: 7, intake.Overwrite: 8} {
		c := newCalendar(t)
		c.loadAs(list(event(1, ``)), as, nil, false)
		c.options.Account = 8
		c.loadAs(list(event(1, `,"modified_utc":"2031-02-01 00:00:00","title":"F"`)), as, nil, false)
		e := eventsOf(c)[0]
		if diff := cmp.Diff([]any{"F", want}, []any{e.Title, e.Author}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", as, diff)
		}
	}
	for start, want := range map[string]store.Status{
		"2031-05-10 08:00:00": store.Publish,
		"2031-05-10 08:00:01": store.Trash,
	} {
		c := newCalendar(t)
		file := list(event(1, `,"start_date":"`+start+`"`))
		c.loadAs(file, intake.Keep, c.loadAs(file, intake.Keep, nil, false), true)
		if got := eventsOf(c)[0].Status; got != want {
			t.Errorf("an event at %s has the status %s, want %s", start, got, want)
		}
	}
	// A series that was gone comes back, whatever the source says of its change.
	c := newCalendar(t)
	const series = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:E\nUID:a\nLAST-MODIFIED:20310501T000000Z\n" +
		"DTSTART:20310511T100000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\nEND:VCALENDAR\n"
	bases := c.loadAs(series, intake.Keep, nil, false)
	bases = c.loadAs(series, intake.Keep, bases, true)
	if left := c.starts(); len(left) > 0 {
		t.Errorf("%q stay of a series that is gone", left)
	}
	c.loadAs(series, intake.Keep, bases, false)
	if back := c.starts(); len(back) != 2 {
		t.Errorf("%q are back of a series with two dates", back)
	}

	// A date without members of its own keeps a change of its series here.
	c = newCalendar(t)
	const date = "BEGIN:VEVENT\nSUMMARY:%s\nUID:a\nLAST-MODIFIED:20310501T000000Z\n" +
		"RECURRENCE-ID:20310512T100000Z\nDTSTART:20310512T100000Z\nEND:VEVENT\nEND:VCALENDAR\n"
	both := strings.Replace(series, "END:VCALENDAR\n", date, 1)
	bases = c.loadAs(fmt.Sprintf(both, "E"), intake.Keep, nil, false)
	for _, e := range eventsOf(c) {
		next := *e
		next.Modified = noon
		if err := c.Update(1, func(tx *store.Tx) error { return tx.Put(&next) }); err != nil {
			t.Fatal(err)
		}
	}
	c.loadAs(fmt.Sprintf(both, "Other"), intake.Keep, bases, false)
	if diff := cmp.Diff([]string{
		"2031-05-11 10:00:00 E 2",
		"2031-05-12 10:00:00 E 3",
	}, c.starts()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// discard moves the event with a start to the trash, as its page does.
func (c *calendar) discard(start string) {
	c.Helper()
	editor := write.Editor{
		Caller: account.Account{ID: 7, Role: account.Administrator},
		Now:    noon,
		Site:   c.options.Site,
		Zones:  &caltime.Zones{},
	}
	for _, e := range eventsOf(c) {
		if e.Start.String() != start {
			continue
		}
		if err := c.Update(7, func(tx *store.Tx) error {
			_, _, err := editor.DeleteEvent(tx, write.This, e)
			return err
		}); err != nil {
			c.Fatal(err)
		}
	}
}

// An editor claims the whole lineage of a record, an author its own id alone.
func TestLineageByRole(t *testing.T) {
	t.Parallel()
	for role, want := range map[account.Role][]string{
		account.Author: {"a.example?id=1"},
		account.Editor: {"a.example?id=1", "b.example?id=2"},
	} {
		c := newCalendar(t)
		c.options.By = account.Account{ID: 7, Role: role}
		c.mustLoad(list(event(1, `,"global_id_lineage":["a.example?id=1","b.example?id=2"]`)))
		if diff := cmp.Diff(want, eventsOf(c)[0].Origins); diff != "" {
			t.Errorf("%s (-want +got):\n%s", role, diff)
		}
	}
}

// Members that venues and organizers leave out are empty.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.mustLoad(
		`{"venues":[{"venue":"V","slug":"v","phone":"1","geo_lat":1,"geo_lng":2,"show_map":false,"show_map_link":false,
		"global_id":"a.example?id=1","image":"https://a.example/i.png"}]}`,
	)
	c.mustLoad(
		`{"venues":[{"venue":"V","slug":"v","city":"C","show_map":false,"show_map_link":false,"global_id":"a.example?id=1"}]}`,
	)
	want := &store.Venue{Name: "V", City: "C"}
	got := all[*store.Venue](c, store.Venues)["v"]
	if diff := cmp.Diff(want, got, cmpopts.IgnoreTypes(store.Post{})); diff != "" ||
		got.Image != 0 {
		t.Errorf("venue with the image %d (-want, +got):\n%s", got.Image, diff)
	}
}

// Terms are known by slug, filled in but not changed, and find their parents
// over files and batches.
func TestTerms(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	category := func(id, parent int, slug, more string) string {
		return fmt.Sprintf(
			`{"id":%d,"name":%q,"slug":%q,"parent":%d,"urls":{"self":"https://a.example/c/%d",
			"collection":"https://a.example/c"}%s}`,
			id,
			slug,
			slug,
			parent,
			id,
			more,
		)
	}
	c.mustLoad(
		`{"categories":[` + category(
			1,
			2,
			"child",
			"",
		) + `,` + category(
			3,
			2,
			"sister",
			"",
		) + `]}`,
	)
	c.mustLoad(list(event(1, `,"categories":[`+category(4, 1, "grandchild", "")+`]`)))
	report := c.mustLoad(`{"categories":[` + category(2, 4, "top", `,"description":"D"`) + `]}`)
	if diff := cmp.Diff(map[string]int{
		"categories created": 1,
		"categories updated": 1,
	}, counts(report)); diff != "" {
		t.Errorf("parent at last (-want, +got):\n%s", diff)
	}
	// A second site names the same slugs, and other parents.
	c.mustLoad(
		`{"categories":[{"id":1,"name":"Other","slug":"top","taxonomy":"tribe_events_cat","parent":9,"description":"Else",
		"urls":{"self":"https://b.example/c/1"}}]}`,
	)

	// A parent stays, even if the site has another one by now.
	c.mustLoad(`{"categories":[` + category(3, 1, "sister", "") + `]}`)

	terms := all[*store.Term](c, store.Categories)
	up := map[string]string{}
	for slug, term := range terms {
		for other, parent := range terms {
			if parent.ID == term.Parent {
				up[slug] = other
			}
		}
	}
	// child, grandchild and top would be a circle: it is left open where it would close.
	if diff := cmp.Diff(map[string]string{
		"top":        "grandchild",
		"sister":     "top",
		"grandchild": "child",
	}, up); diff != "" {
		t.Errorf("parents (-want, +got):\n%s", diff)
	}
	if top := terms["top"]; top.Name != "top" || top.Description != "D" {
		t.Errorf("top was changed: %+v", top)
	}
}

// Events find their parents in whatever order they come.
func TestParents(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	child := list(event(1, `,"post_parent":3`), event(2, `,"post_parent":3`))
	c.mustLoad(child)
	c.mustLoad(list(event(3, `,"post_parent":0`)))
	events := all[*store.Event](c, store.Events)
	if got, want := []int64{events["e1"].Parent, events["e2"].Parent}, events["e3"].ID; got[0] != want ||
		got[1] != want {
		t.Errorf("parents %v, want %d", got, want)
	}
	if diff := cmp.Diff(map[string]int{
		"events unchanged": 2,
	}, counts(c.mustLoad(child))); diff != "" {
		t.Errorf("again (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{
		"events updated": 1,
	}, counts(c.mustLoad(list(event(1, `,"post_parent":0`))))); diff != "" {
		t.Errorf("without (-want, +got):\n%s", diff)
	}
}

// Later records add facts to an image; a newer record replaces them.
func TestImages(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	const url = "https://a.example/i.png?x=1"
	image := func(more string) string { return `,"image":{"url":"` + url + `"` + more + `}` }
	steps := []struct {
		name, event string
		want        store.Image
	}{
		{"an address", event(1, `,"image":"`+url+`"`), store.Image{Extension: "png"}},
		{"more", event(2, image(`,"width":10,"sizes":{"s":{"width":1,"height":1,"url":"s"}}`)),
			store.Image{
				Extension: "png",
				Width:     10,
				Sizes: []store.ImageSize{{
					Name:   "s",
					Width:  1,
					Height: 1,
					URL:    "s",
				}},
			}},
		{"otherwise", event(3, image(`,"width":20,"height":5,"sizes":[]`)), store.Image{
			Extension: "png",
			Width:     10,
			Height:    5,
			Sizes:     []store.ImageSize{{Name: "s", Width: 1, Height: 1, URL: "s"}},
		}},
		{
			"newer",
			event(
				3,
				`,"modified_utc":"2031-02-02 00:00:00"`+image(
					`,"width":30,"sizes":{"t":{"width":2,"height":2,"url":"t"}}`,
				),
			),
			store.Image{
				Extension: "png",
				Width:     30,
				Height:    5,
				Sizes: []store.ImageSize{{
					Name:   "t",
					Width:  2,
					Height: 2,
					URL:    "t",
				}},
			},
		},
	}
	for _, step := range steps {
		c.mustLoad(list(step.event))
		step.want.URL = url
		if diff := cmp.Diff(&step.want, all[*store.Image](c, store.Images)[url], cmpopts.IgnoreTypes(store.Meta{})); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", step.name, diff)
		}
	}
}

// Each reason for which a record cannot be taken.
func TestRefusals(t *testing.T) {
	t.Parallel()
	venue := func(members string) string {
		return `{"venues":[{"venue":"V","global_id":"a.example?id=1"` + members + `}]}`
	}
	tests := []struct{ name, file, want string }{
		{"status", list(event(1, `,"status":"tribe-ignored"`)),
			`has the status "tribe-ignored"; publish, future, draft, pending, private and trash can be taken`},
		{"zone", list(event(1, `,"timezone":"Nowhere"`)), `time zone "Nowhere": `},
		{
			"no title",
			list(event(1, `,"title":" "`)),
			"has neither title nor description nor excerpt",
		},
		{"no start", list(event(1, `,"start_date":""`)), "has no start_date"},
		{
			"points",
			list(event(1, `,"start_date":"06.12.2026"`)),
			`start_date must be a date, not "06.12.2026"; write it as YYYY-MM-DD HH:MM:SS`,
		},
		{
			"slashes",
			list(event(1, `,"end_date":"06/12/2026 20:00"`)),
			"end_date must be a date, not \"06/12/2026 20:00\"; " +
				"write it as YYYY-MM-DD HH:MM:SS",
		},
		{"never", list(event(1, `,"end_date":"0000-00-00 00:00:00"`)),
			`end_date must be a date, not "0000-00-00 00:00:00"; write it as YYYY-MM-DD HH:MM:SS`},
		{"backwards", list(event(1, `,"end_date":"2031-05-01 10:00:00"`)),
			"ends at 2031-05-01 10:00:00, before it starts at 2031-06-01 10:00:00"},
		{"a list for a text", list(event(1, `,"title":[1]`)), "title must be a text"},
		{
			"a text for a flag",
			list(event(1, `,"sticky":"perhaps"`)),
			"sticky must be true or false",
		},
		{"an image", list(event(1, `,"image":17`)), "image must be an object"},
		{
			"a category",
			list(event(1, `,"categories":[17]`)),
			"categories: must be a list of objects",
		},
		{
			"a category without a name",
			list(event(1, `,"categories":[{"slug":"x"}]`)),
			"categories: has no name",
		},
		{
			"an unknown venue",
			list(event(1, `,"venue":17`)),
			"venue: there is no 17 among the venues",
		},
		{"a text for a venue", list(event(1, `,"venue":"Hall"`)), "venue: must be an object"},
		{"no venue name", `{"venues":[{"global_id":"a.example?id=1","city":"C"}]}`, "has no name"},
		{"half a place", venue(`,"geo_lat":1`), "has one of geo_lat and geo_lng"},
		{"the other half", venue(`,"geo_lng":1`), "has one of geo_lat and geo_lng"},
		{
			"off the globe",
			venue(`,"geo_lat":91,"geo_lng":0`),
			"geo_lat must be a number of degrees from -90 to 90",
		},
		{
			"not in decimal digits",
			venue(`,"geo_lat":"0x1p3","geo_lng":"1_0"`),
			"geo_lat must be a number of degrees from -90 to 90",
		},
		{
			"a protected venue",
			`{"venues":[{"global_id":"a.example?id=1","venue":[],"show_map":null}]}`,
			"is protected by a password",
		},
		{
			"a protected organizer",
			`{"organizers":[{"global_id":"a.example?id=1","organizer":[]}]}`,
			"is protected by a password",
		},
		{"no organizer name", `{"organizers":[{"global_id":"a.example?id=1"}]}`, "has no name"},
		{"no term name", `{"tags":[{"slug":"x","name":"<b></b>"}]}`, "has no name"},
		{"no object", `{"tags":[null]}`, "is not an object"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			report := c.load(test.file)
			if len(report.Refusals) != 1 ||
				!strings.HasPrefix(report.Refusals[0].Reason, test.want) {
				t.Errorf("refusals %v, want %q", report.Refusals, test.want)
			}
			if n := counts(report); len(n) > 0 {
				t.Errorf("something was taken: %v", n)
			}
		})
	}
}

// A Run hashes no password itself: it asks for those that records bring, with what is stored of
// the event.
func TestSeal(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		c := newCalendar(t)
		var asked [][2]string
		hash := func(stored, text string) (string, error) {
			asked = append(asked, [2]string{stored, text})
			return "hash of " + text, nil
		}
		for _, passwords := range [][]string{{"a", "b"}, {"a", "c"}} {
			var events []string
			for i, password := range passwords {
				events = append(events, event(i+1, `,"password":"`+password+`"`))
			}
			items, err := read(list(events...))
			if err != nil {
				t.Fatal(err)
			}
			run := intake.Batch{Items: items, Strict: strict}.Run(c.options)
			for !run.Done() {
				err := c.Update(7, run.Step)
				if err == nil || errors.Is(err, intake.ErrUnsealed) {
					err = run.Seal(hash)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		want := [][2]string{{"", "a"}, {"", "b"}, {"hash of a", "a"}, {"hash of b", "c"}}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("strict %t: asked for (-want, +got):\n%s", strict, diff)
		}
		stored := map[string]bool{}
		for _, e := range apitest.Records[*store.Event](t, c.Store, store.Events) {
			stored[e.Password] = true
		}
		if diff := cmp.Diff(map[string]bool{
			"hash of a": true,
			"hash of c": true,
		}, stored); diff != "" {
			t.Errorf("strict %t: stored (-want, +got):\n%s", strict, diff)
		}
	}
}

// A record that cannot be taken leaves nothing behind, a strict batch neither.
func TestUndone(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	inner := `,"categories":[{"name":"C","slug":"c","id":1,"urls":{"self":"https://a.example/c/1"},"parent":2}],
		"venue":{"venue":"V","global_id":"a.example?id=90"},"image":"https://a.example/i.png"`
	bad := event(1, inner+`,"organizer":"nobody"`)
	report := c.load(list(bad))
	if n := counts(report); len(n) != 0 || len(report.Refusals) != 1 {
		t.Errorf("counts %v, refusals %v", n, report.Refusals)
	}
	if diff := cmp.Diff(intake.State{}, c.state); diff != "" {
		t.Errorf("state (-want, +got):\n%s", diff)
	}
	items, err := read(list(event(2, inner), bad))
	if err != nil {
		t.Fatal(err)
	}
	var result intake.Result
	err = c.Update(7, func(tx *store.Tx) error {
		result, err = intake.Batch{Items: items, Strict: true}.Apply(tx, c.options)
		return err
	})
	if !errors.Is(err, intake.ErrRefused) || len(result.Report.Refusals) != 1 ||
		len(result.Report.Records) != 0 {
		t.Errorf("strict: error %v, report %+v", err, result.Report)
	}
	err = c.View(func(v *store.View) error {
		if v.Seq() != 0 {
			t.Errorf("something was stored: %d transactions", v.Seq())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	// An event whose venue cannot be taken is taken without.
	report = c.load(
		list(
			event(3, `,"venue":{"venue":" ","slug":"x"}`),
			event(4, `,"venue":{"venue":" ","slug":"x"}`),
		),
	)
	want := []intake.Refusal{{
		Kind:     "venues",
		File:     "f.json",
		Position: 1,
		ID:       "x",
		Reason:   "has no name",
		Embedded: true,
	}}
	if diff := cmp.Diff(want, report.Refusals); diff != "" {
		t.Errorf("refusals (-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"events created": 2}, counts(report)); diff != "" {
		t.Errorf("counts (-want, +got):\n%s", diff)
	}
}

// Addresses of pictures that are paths are those of the site that the record is from, wherever it
// says which that is.
func TestPicturesOfSite(t *testing.T) {
	t.Parallel()
	const calendar = "BEGIN:VCALENDAR\n%sBEGIN:VEVENT\nUID:x@a.example\nSUMMARY:X\nDTSTART:20310510T190000Z\nIMAGE:/i.png\n" +
		"%sEND:VEVENT\nEND:VCALENDAR\n"
	for _, tt := range []struct{ file, want string }{
		{list(event(1, `,"image":{"url":"/i.png?a=1&b=ü","sizes":{"s":{"url":"//cdn.example/s.png"}}}`)), "https://a.example/i.png?a=1&b=ü"},
		{list(event(1, `,"url":"http://b.example:8080/event/x/","image":"/i.png"`)), "http://b.example:8080/i.png"},
		{list(event(1, `,"url":7,"image":"//cdn.example/i.png"`)), "https://cdn.example/i.png"},
		{list(event(1, `,"image":"i.png"`)), "i.png"},
		{`{"events":[{"global_id":"a.example/sub?id=1","title":"E","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 21:00:00",
			"image":"/i.png"}]}`, "https://a.example/i.png"},
		{"EVENT NAME,EVENT START DATE,EVENT PAGE,EVENT FEATURED IMAGE\nX,2031-05-10,http://b.example/event/x/,/i.png\n",
			"http://b.example/i.png"},
		{"EVENT NAME,EVENT START DATE,GLOBAL ID,EVENT FEATURED IMAGE\nX,2031-05-10,b.example?id=7,/i.png\n", "https://b.example/i.png"},
		{"EVENT NAME,EVENT START DATE,GLOBAL ID,EVENT FEATURED IMAGE\nX,2031-05-10,x@b.example,/i.png\n", "/i.png"},
		{fmt.Sprintf(calendar, "X-ORIGINAL-URL:https://b.example/c\n", "URL:https://c.example/x\n"), "https://c.example/i.png"},
		{fmt.Sprintf(calendar, "X-ORIGINAL-URL:https://b.example/c\n", ""), "https://b.example/i.png"},
		{fmt.Sprintf(calendar, "SOURCE;VALUE=URI:https://b.example/c.ics\n", "URL:javascript:1\n"), "https://b.example/i.png"},
	} {
		c := newCalendar(t)
		c.mustLoad(tt.file)
		images := all[*store.Image](c, store.Images)
		if images[tt.want] == nil {
			t.Errorf("%s: %v, want %s", tt.file, images, tt.want)
		}
		for _, size := range images[tt.want].Sizes {
			if size.URL != "https://cdn.example/s.png" {
				t.Errorf("%s: a size at %s", tt.file, size.URL)
			}
		}
		if n := len(all[*store.Image](c, store.Images)); n != 1 {
			t.Errorf("%s: %d images", tt.file, n)
		}
	}
}

// A report has a bound, whatever a batch holds: refusals and unknown keys behind the first
// thousand are counted, and of long texts it has the beginning. A refusal that is taken back with
// its record does not count.
func TestReportIsBounded(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	var events []string
	for i := range 1200 {
		events = append(
			events,
			event(
				i+1,
				fmt.Sprintf(`,"%d%s":1,"venue":{"venue":" ","slug":"x%d"},"organizer":"nobody"`,
					i, strings.Repeat("k", 2000), i),
			),
		)
	}
	events = append(
		events,
		event(1201, `,"status":"`+strings.Repeat("ö", 2000)+`"`),
		event(1202, `,"venue":{"venue":" "}`),
	)
	report := c.load(list(events...))
	if diff := cmp.Diff(map[string]int{
		"events": 201,
		"venues": 1,
	}, report.Further); diff != "" || len(report.Refusals) != 1000 {
		t.Errorf("%d are named, and (-want, +got):\n%s", len(report.Refusals), diff)
	}
	if n := len(report.Unknown); n != 1001 || report.Unknown[1000].Key != "others" {
		t.Errorf("%d unknown keys", n)
	}
	for _, refusal := range report.Refusals {
		if refusal.Kind != "events" {
			t.Errorf("%v is named, which came after 1,000 events", refusal)
		}
	}
	if text, _ := json.Marshal(report); len(text) > 1<<21 {
		t.Errorf("the report has %d bytes", len(text))
	}
	c = newCalendar(t)
	if report = c.load(list(events[1200])); !strings.HasSuffix(report.Refusals[0].Reason, "ö") ||
		len(report.Refusals[0].Reason) > 2000 {
		t.Errorf("the reason has %d bytes", len(report.Refusals[0].Reason))
	}
}

// Members without a place are named once for each kind.
func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	more := `,"is_virtual":true,"virtual_video_source":"video","custom_fields":{"a":1},"meta":{"a":1},
		"image":{"url":"u","alt":"x","sizes":{"s":{"url":"v","z":1}}},
		"venue":{"venue":"V","is_virtual":1,"global_id":"a.example?id=90"}`
	report := c.mustLoad(list(event(1, more), event(2, more)))
	want := []intake.UnknownKey{
		{
			Kind: store.Events,
			Key:  "is_virtual",
			File: "f.json",
		}, {
			Kind: store.Events,
			Key:  "meta",
			File: "f.json",
		},
		{
			Kind: store.Images,
			Key:  "alt",
			File: "f.json",
		}, {
			Kind: store.Images,
			Key:  "sizes.z",
			File: "f.json",
		},
		{Kind: store.Venues, Key: "is_virtual", File: "f.json"},
	}
	if diff := cmp.Diff(want, report.Unknown); diff != "" {
		t.Errorf("unknown keys (-want, +got):\n%s", diff)
	}
	var total intake.Report
	total.Merge(report)
	total.Merge(c.mustLoad(list(event(3, more))))
	if diff := cmp.Diff(want, total.Unknown); diff != "" {
		t.Errorf("merged (-want, +got):\n%s", diff)
	}
	if n := counts(total)["events created"]; n != 3 {
		t.Errorf("%d events created, want 3", n)
	}
}

// Whatever a record holds, the store stays sound.
func FuzzApply(f *testing.F) {
	for _, record := range []string{
		event(1, ``), event(1, `,"venue":[{"venue":"V"},7],"organizer":[{"organizer":"O"}],"categories":["c",{"name":"N","parent":3}]`),
		event(1, `,"all_day":null,"venue":[]`), event(1, `,"post_parent":1,"global_id_lineage":["","a.example?id=1",7]`),
		event(1, `,"image":{"url":"u","sizes":{"a":{"width":-1}}},"cost":"5","cost_details":{"values":[5,"x",[]]}`),
		event(1, `,"id":1,"global_id":"","slug":"É","status":"trash","cost":["5"],"currency_code":"EUR","recurrence":{"series":1}`),
		event(1, `,"id":3,"global_id":"","all_day":true,"image":3,"venue":[1],"post_parent":3,"modified_utc":"0000-00-00 00:00:00"`),
		`{"venue":"V","geo_lat":"NaN","geo_lng":1e999}`, `{"organizer":{},"slug":"%"}`, `{"name":"&","taxonomy":"post_tag","slug":"-"}`,
		`{"title":"&lt;","start_date":"9999-12-31 23:59:59","end_date":"9999-12-31 23:59:59","timezone":"UTC+14"}`,
		`{"title":"x","start_date":"0001-01-01 00:00:00","end_date":"0001-01-01 00:00:00","timezone":"UTC-12","date":"0001-01-01 ` +
			`00:00:00"}`, `{"title":{}}`,
	} {
		f.Add(record, false)
		f.Add(record, true)
	}
	f.Fuzz(func(t *testing.T, record string, seed bool) {
		items, err := read("[" + record + "]")
		if err != nil {
			return
		}
		if seed {
			for _, exact := range []bool{false, true} {
				for i := range items {
					items[i].Exact = exact
				}
				seed := intake.Seed{Items: items, Next: [2]int64{1, 1}}
				_, _ = seed.Plant(newCalendar(t).Store, intake.Options{
					Now: noon,
				}) // refused or not
			}
			return
		}
		for _, exact := range []bool{false, true} {
			for i := range items {
				items[i].Exact = exact
			}
			c := newCalendar(t)
			var seq [2]uint64
			for i := range seq {
				err = c.Update(7, func(tx *store.Tx) error {
					result, err := intake.Batch{Items: items, State: c.state}.Apply(tx, c.options)
					c.state = result.State
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				seq[i] = uint64(c.Seq())
			}
			if exact && seq[0] != seq[1] {
				t.Errorf("an export changed something the second time: %s", record)
			}
		}
	})
}

// Whatever a calendar holds, the store stays sound, and it can be taken in any order.
func FuzzCalendar(f *testing.F) {
	f.Add(
		"UID:a\nDTSTART:20310510T190000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20310517T190000Z",
		"UID:a\nRECURRENCE-ID:20310524T190000Z\n"+
			"DTSTART:20310524T200000Z\nSUMMARY:x\nSTATUS:CANCELLED",
	)
	f.Add(
		"UID:a\nSUMMARY:x\nDTSTART;VALUE=DATE:20310510\nRDATE;VALUE=DATE:20310512",
		"UID:a\nSUMMARY:y\n"+
			"DTSTART;TZID=Europe/Paris:20310510T190000\n"+
			"DURATION:P1DT1H\nLOCATION:A\\, B\nGEO:1;2\nORGANIZER;CN=a:mailto:a@b\nCATEGORIES:c,d",
	)
	f.Add(
		"UID:a\nSUMMARY:x\nDTSTART:20310510T190000",
		"UID:a\nSTATUS:CANCELLED\nDTSTART:99991231T235959Z\nRRULE:FREQ=SECONDLY",
	)
	f.Fuzz(func(t *testing.T, first, second string) {
		c := newCalendar(t)
		take := func(event string) {
			file := strings.NewReader(
				"BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + event + "\nEND:VEVENT\nEND:VCALENDAR\n",
			)
			_ = files.Reader{}.Read(file, "f", func(item intake.Item) error {
				err := c.Update(7, func(tx *store.Tx) error {
					result, err := intake.Batch{
						Items: []intake.Item{item},
						State: c.state,
					}.Apply(tx, c.options)
					c.state = result.State
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return nil
			}, nil)
		}
		for _, event := range []string{first, second, first, second, first} {
			take(event)
		}
	})
}
