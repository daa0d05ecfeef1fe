package seed_test

import (
	"strings"
	"testing"

	"almanac/store"
)

// Errors have file, line and member, a limited number at a time, and nothing is planted.
func TestErrors(t *testing.T) {
	t.Parallel()
	event := func(more string) string {
		return `{"title":"E","start_date":"2031-05-12","end_date":"2031-05-12"` + more + `}`
	}
	events := func(more ...string) string {
		for i := range more {
			more[i] = event(more[i])
		}
		return "{\"events\":[\n" + strings.Join(more, ",\n") + "]}"
	}
	tests := []struct{ name, file, want string }{
		{"an empty file", " \n", "seed.json:1: is empty"},
		{
			"no JSON",
			"{\"events\":[\n",
			"seed.json:2: ends in the middle of its JSON; was it cut off?",
		},
		{
			"a text that is cut off",
			"{\"events\":[\n{\"title\":\"E",
			"seed.json:2: ends in the middle of its JSON",
		},
		{
			"a comma too many",
			"{\"events\":[\n{\"title\":\"E\",\n}]}",
			"seed.json:3: invalid character '}'",
		},
		{
			"a comma too few",
			"{\"events\":[]\n\n\"venues\":[]}",
			"seed.json:3: invalid character '\"' after object key:value pair",
		},
		{"a wrong bracket", "{\"events\":[\n}]", "seed.json:2: invalid character '}'"},
		{
			"Latin-1",
			"{\"tags\":[{\"name\":\"A\"},\n{\"name\":\"Caf\xe9\"}]}",
			"seed.json:2: is not UTF-8",
		},
		{
			"half a surrogate pair",
			"{\"tags\":[{\"name\":\"A\"},\n{\"name\":\"\\ud83d\"}]}",
			"seed.json:2: tags[1]: holds half a surrogate pair",
		},
		{"a bare value", "\n7", "seed.json:2: must be an object with lists of records"},
		{
			"a list of what is no record",
			"[\n7,8]",
			"seed.json:2: [0]: is not to be told for an event",
		},
		{"an unknown list", "{\"events\":[],\n\"venue_s\":[]}",
			"seed.json:2: venue_s: is no list of a seed; there are events, venues, organizers, categories, tags and images; did you mean venues?"},
		{"no list", "{\"events\":\n{}}", "seed.json:2: events: must be a list of records"},
		{
			"no record",
			"{\"events\":[\n5]}",
			"seed.json:2: events[0]: must be a record, which is an object, not 5",
		},
		{"exactly what", `{"exact":1,"events":[]}`, "seed.json:1: exact: must be true or false"},

		{"a misspelled member", events("", ",\n\"start\":1"),
			"seed.json:4: events[1].start: means nothing in an event; did you mean start_date?"},
		{
			"another misspelled member",
			`{"venues":[{"venue":"V","postCode":"1"}]}`,
			"seed.json:1: venues[0].postCode: means nothing in a venue",
		},
		{
			"a member in camel case",
			events(",\"allDay\":true"),
			"seed.json:2: events[0].allDay: means nothing in an event; did you mean all_day?",
		},
		{
			"a member that follows",
			events(",\"url\":\"x\""),
			"seed.json:2: events[0].url: follows from other members, and cannot be set",
		},
		{
			"a member twice",
			events(",\n\"title\":\"F\""),
			"seed.json:3: events[0].title: stands there twice, in line 2 too",
		},
		{"a member inside", events(",\"venue\":{\"venue\":\"V\",\n\"town\":\"T\"}"),
			"seed.json:3: events[0].venue.town: means nothing in a venue"},
		{
			"a member inside a list",
			events(",\"organizer\":[7,{\"organizer\":\"O\",\n\"fax\":\"T\"}]"),
			"seed.json:3: events[0].organizer[1].fax: means nothing in an organizer",
		},
		{
			"an object for a text",
			events(",\"slug\":{}"),
			"seed.json:2: events[0].slug: must be a text, not {}",
		},
		{
			"a list for a flag",
			events(",\"all_day\":[]"),
			"seed.json:2: events[0].all_day: must be true or false, not []",
		},
		{
			"no flag",
			events(",\"all_day\":\"perhaps\""),
			`seed.json:2: events[0].all_day: must be true or false, not "perhaps"`,
		},
		{
			"a flag for a number",
			`{"images":[{"url":"u","width":true}]}`,
			"seed.json:1: images[0].width: must be a whole number, not true",
		},
		{"no number", `{"images":[{"url":"u","width":"wide"}]}`,
			`seed.json:1: images[0].width: must be a whole number that is not negative, not "wide"`},
		{
			"no lineage",
			events(",\"global_id_lineage\":\"x\""),
			`seed.json:2: events[0].global_id_lineage: must be a list of texts, not "x"`,
		},
		{
			"no lineage of texts",
			events(",\"global_id_lineage\":[1]"),
			`seed.json:2: events[0].global_id_lineage: must be a list of texts`,
		},
		{"nothing that is needed", "{\"events\":[\n{\"title\":\"E\"}]}",
			"seed.json:2: events[0]: has no start_date\nseed.json:2: events[0]: has no end_date"},
		{
			"a venue without a name",
			`{"venues":[{"city":"C"}]}`,
			"seed.json:1: venues[0]: has no venue",
		},
		{
			"a venue of blanks",
			`{"venues":[{"venue":"  "}]}`,
			"seed.json:1: venues[0]: has no name",
		},
		{
			"an event of blanks",
			events(`,"slug":"s"},{"title":" ","start_date":"2031-05-12","end_date":"2031-05-12"`),
			"seed.json:2: events[1]: has neither title nor description nor excerpt",
		},
		{
			"an unknown status",
			events(`,"status":"lost"`),
			`seed.json:2: events[0].status: has the status "lost"; publish, future`,
		},
		{
			"an unknown zone",
			events("", ",\n\"timezone\":\"Nowhere\""),
			`seed.json:4: events[1].timezone: time zone "Nowhere": give an IANA name`,
		},
		{
			"half a place",
			`{"venues":[{"venue":"V","geo_lat":1}]}`,
			"seed.json:1: venues[0].geo_lat: has one of geo_lat and geo_lng",
		},
		{"off the globe", `{"venues":[{"venue":"V","geo_lat":91,"geo_lng":0}]}`,
			"seed.json:1: venues[0].geo_lat: must be a number of degrees from -90 to 90"},
		{"no cost", events(`,"cost":{}`), "seed.json:2: events[0].cost: "},
		{
			"no image",
			events(`,"image":7`),
			"seed.json:2: events[0].image: must be an object, an address or false",
		},
		{
			"one address twice",
			"{\"images\":[{\"url\":\"u\"},\n{\"url\":\"u\"}]}",
			"seed.json:2: images[1].url: is that of the image 1, too",
		},
		{
			"a taken slug",
			"{\"exact\":true,\"venues\":[{\"venue\":\"V\",\"slug\":\"s\"},\n{\"venue\":\"W\",\"slug\":\"s\"}]}",
			"seed.json:2: venues[1]: store: put venues",
		},
		{
			"a series outside of an export",
			`{"series":[{"title":"S"}]}`,
			"seed.json:1: series: is for exports alone",
		},
		{"a series with a wrong rule",
			"{\"exact\":true,\"series\":[{\"title\":\"S\",\"start_date\":\"@now\",\"end_date\":\"@now\",\n\"rule\":\"FREQ=OFTEN\"}]}",
			"seed.json:2: series[0].rule: "},
		{
			"a series with a wrong date",
			`{"exact":true,"series":[{"title":"S","start_date":"@now","end_date":"@now","rdates":["soon"]}]}`,
			`seed.json:1: series[0].rdates: "soon" is not a date`,
		},
		{
			"a recurring event with an unknown parent",
			events(
				",\n\"post_parent\":\"$fair\",\"recurrence\":{\"rule\":\"FREQ=DAILY;COUNT=2\"}",
			),
			`seed.json:3: events[0].post_parent: there is no record with the $name "fair"`,
		},
		{"an unknown series", events(",\n\"recurrence\":{\"series\":9}"),
			"seed.json:3: events[0].recurrence.series: there is no series 9 in the seed"},
		{
			"a series by the name of another",
			events(`,"$name":"e"`, `,"recurrence":{"series":"$e"}`),
			"seed.json:3: events[1].recurrence.series: $e, which is events[0] in line 2, is an event; a series is wanted",
		},
		{"a misspelled recurrence", events(`,"recurrence":{"rules":"FREQ=DAILY"}`),
			"seed.json:2: events[0].recurrence.rules: means nothing in a recurrence; did you mean rule?"},
		{
			"days of a rule of seconds",
			events(`,"recurrence":{"rule":"FREQ=SECONDLY","exdates":["2031-05-13","2031-05-14"]}`),
			"seed.json:2: events[0].recurrence: exdates take away more than 5000 events; right would be a rule with fewer dates",
		},
		{
			"no recurrence",
			events(`,"recurrence":7`),
			`seed.json:2: events[0].recurrence: must be an object such as {"rule"`,
		},

		{
			"no date",
			events("},\n{\"title\":\"F\",\"start_date\":\"someday\",\"end_date\":\"2031-05-12\""),
			`seed.json:3: events[1].start_date: "someday" is not a date`,
		},
		{
			"a bad relative date",
			events(
				"},\n{\"title\":\"F\",\"start_date\":\"@nexst-monday\",\"end_date\":\"@start+2h\"",
			),
			`seed.json:3: events[1].start_date: "@nexst-monday": @nexst-monday is none of the days`,
		},
		{"a bad end", `{"events":[{"title":"F","start_date":"@today","end_date":"@start+2m"}]}`,
			`seed.json:1: events[0].end_date: "@start+2m": a step in m may mean months or minutes`},
		{
			"a start relative to itself",
			`{"events":[{"title":"F","start_date":"@start","end_date":"@today"}]}`,
			`seed.json:1: events[0].start_date: "@start": @start is for the other dates`,
		},
		{"a venue relative to no start", `{"venues":[{"venue":"V","date":"@start-1d"}]}`,
			`seed.json:1: venues[0].date: "@start-1d": @start is for`},
		{
			"no date of publication",
			events(`,"date":"soon"`),
			`seed.json:2: events[0].date: "soon" is not a date`,
		},
		{"two dates of publication", events(`,"date":"@today","date_utc":"2031-05-12 00:00:00"`),
			"seed.json:2: events[0].date: stands beside date_utc; give one of them"},
		{
			"an end before the start",
			`{"events":[{"title":"F","start_date":"@today+1d",` + "\n" + `"end_date":"@today"}]}`,
			"seed.json:2: events[0].end_date: ends at 2031-05-10 00:00:00, before it starts",
		},

		{
			"an unknown venue",
			events(`,"venue":9`),
			"seed.json:2: events[0].venue: there is no 9 among the venues",
		},
		{"an unknown organizer in a list", events(`,"organizer":[{"organizer":"O"},` + "\n9]"),
			"seed.json:3: events[0].organizer[1]: there is no 9 among the organizers"},
		{
			"an unknown category",
			events(`,"categories":[9]`),
			"seed.json:2: events[0].categories[0]: there is no 9 among them",
		},
		{
			"an unknown parent",
			events(`,"post_parent":9`),
			"seed.json:2: events[0].post_parent: there is no event 9 in the seed",
		},
		{"an unknown category above", "{\"categories\":[{\"name\":\"C\",\n\"parent\":9}]}",
			"seed.json:2: categories[0].parent: there is no category 9 in the seed"},
		{
			"an unknown category above one inside",
			events("", `,"categories":[{"name":"C","parent":9}]`),
			"seed.json:3: events[1].categories[0].parent: there is no category 9 in the seed",
		},
		{"a parent in place", events(`,"post_parent":{"title":"P"}`),
			"seed.json:2: events[0].post_parent: must be the id or the name of an event"},
		{
			"an id twice",
			events(`,"id":9`, `,"id":9`),
			"seed.json:3: events[1].id: 9 is the id of events[0] in line 2, too",
		},
		{
			"an id of two kinds",
			"{\"venues\":[{\"id\":9,\"venue\":\"V\"}],\n\"events\":[" + event(`,"id":9`) + `]}`,
			"seed.json:2: events[0].id: 9 is the id of venues[0] in line 1, too",
		},
		{
			"no id",
			events(`,"id":-1`),
			"seed.json:2: events[0].id: must be a whole number from 1 to 9007199254740991, not -1",
		},
		{
			"an id that is too large",
			events(`,"id":9007199254740992`),
			"seed.json:2: events[0].id: must be a whole number from 1 to",
		},
		{
			"an id of blanks",
			events(`,"id":"x"`),
			`seed.json:2: events[0].id: must be a whole number from 1 to`,
		},

		{
			"an unknown name",
			events(`,"venue":"$hall"`),
			`seed.json:2: events[0].venue: there is no record with the $name "hall"`,
		},
		{
			"a misspelled name",
			`{"venues":[{"$name":"town-hall","venue":"V"}],"events":[` + event(
				`,"venue":["$townhall"]`,
			) + `]}`,
			`seed.json:1: events[0].venue[0]: there is no record with the $name "townhall"; did you mean town-hall?`,
		},
		{
			"a name of another kind",
			"{\"tags\":[{\"$name\":\"free\",\"name\":\"Free\"}],\n\"events\":[" + event(
				`,"venue":"$free"`,
			) +
				`]}`,
			"seed.json:2: events[0].venue: $free, which is tags[0] in line 1, is a tag; a venue is wanted",
		},
		{
			"a name twice",
			"{\"tags\":[{\"$name\":\"a\",\"name\":\"A\"}],\n\"venues\":[{\"$name\":\"a\",\"venue\":\"A\"}]}",
			`seed.json:2: venues[0].$name: "a" is the name of tags[0] in line 1, too`,
		},
		{"no name", `{"tags":[{"$name":"a b","name":"A"}]}`,
			`seed.json:1: tags[0].$name: must be a text of letters, digits, -, _ and ., such as "town-hall", not "a b"`},
		{
			"a name inside",
			events(`,"venue":{"$name":"a","venue":"A"}`),
			"seed.json:2: events[0].venue.$name: is for records in lists",
		},

		{
			"many",
			events(
				`,"cost":{}`,
				`,"x":1`,
				`,"x":1`,
				`,"x":1`,
				`,"x":1`,
				`,"x":1`,
				`,"x":1`,
				`,"x":1`,
			),
			"seed.json:7: events[5].x: means nothing in an event\nand 2 more",
		},
		{
			"a date beside a misspelled member",
			events(`,"x":1`, `,"status":"lost"`, `,"date":"soon"`, `,"start_date":{}`),
			"seed.json:2: events[0].x: means nothing in an event\nseed.json:4: events[2].date: \"soon\" is not a date",
		},
		{
			"one record",
			"{\"title\":\"E\",\n\"start_date\":\"x\",\"end_date\":\"@today\"}",
			`seed.json:2: start_date: "x" is not a date`,
		},
		{
			"a second document",
			"{\"tags\":[]}\n{\"tags\":[7]}",
			"seed.json:2: tags[0]: must be a record",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			err := c.plant(test.file)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v\nwant %s", err, test.want)
			}
			for k := range store.Images + 1 {
				if n := c.count(k); n > 0 {
					t.Errorf("%d %v were planted", n, k)
				}
			}
		})
	}
	t.Run("a store with records", func(t *testing.T) {
		t.Parallel()
		c := newCalendar(t)
		c.mustPlant(`{"tags":[{"name":"T"}]}`)
		if err := c.plant(events("")); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a file that is not there", func(t *testing.T) {
		t.Parallel()
		c := newCalendar(t)
		for _, name := range []string{"none.json", "@none"} {
			if err := c.plantFile(name); err == nil || !strings.Contains(err.Error(), "none") {
				t.Errorf("error %v", err)
			}
		}
	})
}
