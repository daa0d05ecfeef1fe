package transfer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/markup"
)

// importedTexts imports a calendar, twice, and returns the texts of its only event, its places and
// its people.
func importedTexts(t *testing.T, lines string) (event map[string]string, places, people []string) {
	t.Helper()
	dir := t.TempDir()
	file := calendarFile(t, vevent("1", "DTSTART:20310602T100000Z|"+lines))
	mustImport(t, "-data", dir, file)
	wantSums(t, dir, "the same again", 0, 0, file)
	var all struct {
		Events []struct{ Title, Description string }
		Venues []struct{ Venue, Address string }
		People []struct{ Organizer, Email string } `json:"organizers"`
	}
	if err := json.Unmarshal([]byte(mustRun(t, "export", "-data", dir)), &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all.Venues {
		places = append(places, v.Venue+" | "+v.Address)
	}
	for _, o := range all.People {
		people = append(people, o.Organizer+" | "+o.Email)
	}
	e := all.Events[0]
	return map[string]string{
		"title":       e.Title,
		"description": e.Description,
		"shown":       string(markup.AppendLines(nil, markup.TypedContent(e.Description))),
	}, places, people
}

// HTML in DESCRIPTION is HTML if a tag of it is known; all else is text.
func TestImportDescriptions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{ // HTML, and what a reader sees
		`<p>Tea and <b>cake</b>.</p><br>See <a href="https://a.example/">us</a>&nbsp\;soon`: {
			`<p>Tea and <b>cake</b>.</p><br />See <a href="https://a.example/">us</a>&nbsp;soon`,
			"",
		},
		"One<br>two<BR/>three":                      {"One<br />two<br />three", "One\ntwo\nthree"},
		`<html-blob>One<br>two</html-blob>`:         {"One<br />two", "One\ntwo"},
		`<ul><li>One</li><li>two</li></ul>`:         {"<ul><li>One</li><li>two</li></ul>", ""},
		`<span style="color:red">Red</span> shoes`:  {"", "Red shoes"},
		`<b>Mail</b> <jane@club.example>\, a < b`:   {"", "Mail <jane@club.example>, a < b"},
		`<i>See</i> <https://club.example/m>`:       {"", "See <https://club.example/m>"},
		`<script>alert(1)</script><b>Hi</b>`:        {"alert(1)<b>Hi</b>", "alert(1)Hi"},
		`<a href="javascript:alert(1)">x</a><br>y`:  {"", "x\ny"},
		`All a < b with c > 3\, and x<y.`:           {"", "All a < b with c > 3, and x<y."},
		"Jane <jane@club.example> <https://b.test>": {"", "Jane <jane@club.example> <https://b.test>"},
		`a <b and c> d`:                             {"", ""},
		`<3 you\, <-- here <wow> </wow>`:            {"", "<3 you, <-- here <wow> </wow>"},
		`List<String> and Map<K\, V>`:               {"", "List<String> and Map<K, V>"},
		`5 &lt\; 6 &amp\; AT&T`:                     {"", "5 &lt; 6 &amp; AT&T"},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			event, _, _ := importedTexts(t, "SUMMARY:x|DESCRIPTION:"+text)
			if want[0] != "" && event["description"] != want[0] {
				t.Errorf("the description is %q, want %q", event["description"], want[0])
			}
			if want[1] != "" && event["shown"] != want[1] {
				t.Errorf("a reader sees %q, want %q", event["shown"], want[1])
			}
			for _, script := range []string{"<script", "javascript:"} {
				if strings.Contains(event["description"], script) {
					t.Errorf("it has a script: %q", event["description"])
				}
			}
		})
	}
}

// Titles and names are plain text, in which many programs write entities.
func TestImportNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Bread &amp; butter":        "Bread & butter",
		"Tom &#38\\; Ann&#039\\;s":  "Tom & Ann's",
		"Caf&eacute\\; &ndash\\; x": "Café – x",
		"1 &lt\\; 2":                "1 < 2",
		"AT&T and R&D; more":        "AT&T and R&D; more",
		"Rock 'n' Roll -- a  b":     "Rock 'n' Roll -- a  b",
	} {
		event, _, _ := importedTexts(t, "SUMMARY:"+text)
		if event["title"] != want {
			t.Errorf("%s: the title is %q, want %q", text, event["title"], want)
		}
	}
	for lines, want := range map[string]string{
		`LOCATION:Inn (1 Main St\, Springfield\, USA)`:       "Inn | 1 Main St, Springfield, USA",
		`LOCATION:Inn (upstairs)\, 1 Main St`:                "Inn (upstairs) | 1 Main St",
		`LOCATION:Inn (upstairs)`:                            "Inn (upstairs) | ",
		`LOCATION:(1 Main St\, Springfield)`:                 "(1 Main St, Springfield) | ",
		`LOCATION:Inn (bar (left)\, 2 High St)`:              "Inn | bar (left), 2 High St",
		`LOCATION:Inn (old\, new)\, 1 Main St (a\, b)`:       "Inn (old, new) | 1 Main St (a, b)",
		`LOCATION:Inn (1 Main St\, Springfield`:              "Inn (1 Main St | Springfield",
		`LOCATION:Inn\n1 Main St\nSpringfield`:               "Inn | 1 Main St, Springfield",
		`LOCATION:Fish &amp\; Chips\, 1 Main St`:             "Fish & Chips | 1 Main St",
		`LOCATION:Inn :-)\, 1 Main St`:                       "Inn :-) | 1 Main St",
		`ORGANIZER;CN=Doe, Jan:mailto:j@x.example`:           "Doe, Jan | j@x.example",
		`ORGANIZER;CN="Doe, Jan":mailto:j@x.example`:         "Doe, Jan | j@x.example",
		`ORGANIZER;CN=A, B, C;ROLE=CHAIR:mailto:j@x.example`: "A, B, C | j@x.example",
		`ORGANIZER;ROLE=CHAIR;CN=A,B:mailto:j@x.example`:     "A,B | j@x.example",
		`ORGANIZER;CN=Jan Doe:mailto:j@x.example`:            "Jan Doe | j@x.example",
	} {
		_, places, people := importedTexts(t, "SUMMARY:x|"+lines)
		if diff := cmp.Diff([]string{want}, append(places, people...)); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", lines, diff)
		}
	}
}

// A title that another program changed in a calendar of ours is the title, and of equal versions of
// an event the first one stands.
func TestImportChangedTitles(t *testing.T) {
	t.Parallel()
	const start, is = "DTSTART:20310602T100000Z|", "2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC "
	for lines, want := range map[string]string{
		"SUMMARY:Cancelled: Old|X-ALMANAC-SUMMARY:Old": "Old",
		"SUMMARY:New|X-ALMANAC-SUMMARY:Old":            "New",
	} {
		dir := t.TempDir()
		mustImport(t, "-data", dir, calendarFile(t, "PRODID:-//almanac//almanac//EN|", vevent("1", start+lines)))
		wantHeld(t, dir, lines, is+want)
	}
	dir := t.TempDir()
	file := calendarFile(t, vevent("1", start+"SUMMARY:first"), vevent("1", start+"SUMMARY:second"))
	mustImport(t, "-data", dir, file)
	wantHeld(t, dir, "equal versions", is+"first")
}

// Of a series and a single event with one UID, the series has the changed dates, before and after
// the single event has gone.
func TestImportSeriesOfSharedUID(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	single := vevent("1", "DTSTART:20310501T100000Z|SUMMARY:Other")
	series := vevent("1", "DTSTART:20310602T100000Z|RRULE:FREQ=DAILY;COUNT=2|SUMMARY:Series")
	changed := vevent("1", "RECURRENCE-ID:20310603T100000Z|DTSTART:20310603T110000Z|SUMMARY:Late")
	want := []string{
		"2031-05-01 10:00:00 to 2031-05-01 10:00:00 UTC Other",
		"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC Series, for 2031-06-02 10:00:00",
		"2031-06-03 11:00:00 to 2031-06-03 11:00:00 UTC Late, for 2031-06-03 10:00:00 with end_date start_date title",
	}
	wantSums(t, dir, "all", 3, 0, calendarFile(t, single, series, changed))
	wantHeld(t, dir, "all", want...)
	wantSums(t, dir, "without the single event", 0, 0, calendarFile(t, series, changed))
	wantHeld(t, dir, "without the single event", want...)
}

// What a calendar of others says comes back from our own calendar: the same characters, dates and
// rules in an empty calendar, and no change in the same one.
func TestCalendarGoesRound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := calendarFile(
		t,
		vevent(
			"1",
			"DTSTART;TZID=Europe/Berlin:20270104T190000|DURATION:PT2H|"+
				"RRULE:FREQ=WEEKLY;BYDAY=TU|SUMMARY:First on a Monday",
		),
		vevent(
			"2",
			`DTSTART;VALUE=DATE:20270104|RRULE:FREQ=MONTHLY;BYMONTHDAY=1|SUMMARY:Day of no rule`,
		),
		vevent(
			"3",
			"DTSTART:20270713T190000Z|SUMMARY:It's \"a\" -- b...  c|DESCRIPTION:Say \"no\" -- "+
				"or 'yes'...\\n\\nMore|LOCATION:Ann's \"Bar\"\\, 1 St",
		),
		vevent(
			"4",
			"DTSTART;TZID=Europe/Berlin:20271023T210000|"+
				"DTEND;TZID=Europe/Berlin:20271024T070000|RRULE:FREQ=WEEKLY;COUNT=4|SUMMARY:Night "+
				"by the clock",
		),
		vevent(
			"5",
			"DTSTART;TZID=Europe/Berlin:20271030T210000|"+
				"DTEND;TZID=Europe/Berlin:20271031T070000|RRULE:FREQ=WEEKLY;COUNT=3|SUMMARY:First "+
				"night",
		),
		vevent(
			"6",
			"DTSTART;TZID=Europe/Berlin:20271030T200000|DURATION:PT12H|"+
				"RRULE:FREQ=WEEKLY;COUNT=3|SUMMARY:Twelve hours",
		),
		vevent("7", "DTSTART:20270608T183000Z|SUMMARY:Match 1"),
		vevent("7", "DTSTART:20270708T183000Z|SUMMARY:Match 2"),
		vevent(
			"8",
			"DTSTART:20271031T013000Z|SUMMARY:Second hour|DESCRIPTION:<b>Bold</b> & <i>italic</i>",
		),
	)
	mustImport(t, "-data", dir, file)
	s := startServer(t, on(dir, still...)...) // gives it an identity
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	calendar := tempFile(t, "own.ics", calendarOf(t, dir))
	before := mustRun(t, "export", "-data", dir)
	wantSums(t, dir, "where it is from", 0, 0, calendar)
	if diff := cmp.Diff(before, mustRun(t, "export", "-data", dir)); diff != "" {
		t.Errorf("where it is from (-before, +after):\n%s", diff)
	}
	empty := t.TempDir()
	mustImport(t, "-data", empty, calendar)
	wantHeld(t, empty, "in an empty calendar", eventLines(t, dir)...)
	for _, want := range []string{
		`"rule": "FREQ=WEEKLY;BYDAY=TU"`, `"rule": "FREQ=MONTHLY;BYMONTHDAY=1"`,
		`"title": "It's \"a\" -- b...  c"`,
		`Say \"no\" -- or 'yes'...`,
		`"venue": "Ann's \"Bar\""`,
	} {
		if !strings.Contains(mustRun(t, "export", "-data", empty), want) {
			t.Errorf("there is no %s", want)
		}
	}
	wantSums(t, dir, "the first file again", 0, 0, file)
}

// A calendar is imported where it is from, in any language: it changes nothing that it cannot say.
func TestCalendarComesHome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const at = `"start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00","timezone":`
	const paris = at + `"Europe/Paris"`
	seed := tempFile(t, "seed.json", `{
		"venues":[{"id":1,"venue":"Hall, \"A\"","address":"1 St","city":"Town","phone":"1","website":"https://a.example/","show_map":true},
			{"id":2,"venue":"<em>Bar</em>","address":"2 St","country":"France"}],
		"organizers":[{"id":3,"organizer":"Ann","email":"ann@a.example","phone":"3","website":"https://ann.example/"},
			{"id":4,"organizer":"Bob","phone":"4"}],
		"images":[{"id":5,"url":"https://a.example/1.png","width":30,"alt":"A"}],
		"events":[
		{"title":"All","tags":["T","U, v"],"categories":["C"],"venue":[1,2],"organizer":[3,4],"featured":true,"sticky":true,
			"ticketed":true,"show_map":false,"show_map_link":true,"excerpt":"Short <b>text</b>","description":"Long","image":5,
			"cost":["5 €","Students, free","1.000 €"],"website":"https://b.example/?a=b,c",
			"custom_fields":{"k":{"label":"L","value":"v"}},`+paris+`},
		{"title":"Excerpt alone","excerpt":"Short","organizer":[4],"venue":2,"website":"",`+paris+`},
		{"title":"Hidden","hide_from_listings":true,"cost":"0",`+paris+`},
		{"title":"Cost of words","cost":"18 €, reduced 12 €; children free",`+paris+`},
		{"title":"Cost of numbers","cost":"5, 10, 20",`+paris+`},
		{"title":"Cost of several numbers","cost":["0","10","20"],`+paris+`},
		{"title":"Cost of one number","cost":"1,000.50",`+paris+`},
		{"title":"Cost of a word","cost":"gratuit",`+paris+`},
		{"title":"Cancelled","event_status":"canceled","event_status_reason":"Rain","description":"Long",`+paris+`},
		{"title":"Postponed: Postponed","event_status":"postponed","cost":"Donation",`+paris+`},
		{"title":"Moved","previous_start_date":"2031-05-11 20:00:00",`+paris+`},
		{"title":"Abbreviation",`+at+`"CET"},
		{"title":"Offset",`+at+`"UTC+5.5"},
		{"title":"Put back","start_date":"2031-10-26 02:30:00","end_date":"2031-10-26 02:45:00","timezone":"Europe/Paris"},
		{"title":"Days","all_day":true,"start_date":"2031-05-12","end_date":"2031-05-13","timezone":"Asia/Tokyo"},
		{"title":"Series","tags":["T"],"venue":[2,1],"organizer":[4,3],"featured":true,"excerpt":"Short","cost":"10",`+paris+`,
			"custom_fields":{"k":{"label":"L","value":"v"}},"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}},
		{"title":"Series of days","all_day":true,"start_date":"2031-05-12","end_date":"2031-05-13","timezone":"Asia/Tokyo",
			"tags":["T"],"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}},
		{"title":"Series of an abbreviation","tags":["T"],`+at+`"CET","recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}
		]}`)
	s := startServer(t, on(dir, append([]string{"-seed", seed, "-currency", "kr ", "-url", "http://home.example"}, still...)...)...)
	c := s.Admin()
	files := []string{}
	for _, path := range []string{"/events.ics?", "/ja/events.ics?", "/de/events.ics?", "/events.ics?expand=true&"} {
		lead, rest, _ := strings.Cut(path, "/events")
		calendar := c.Must(t, "GET", lead+v1+"/events"+rest+"start_date=2031-01-01", "")
		for _, want := range []string{"SUMMARY:Series of days", "X-COST"} {
			if !strings.Contains(calendar, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
		files = append(files, tempFile(t, "own.ics", calendar))
	}
	files = append(files, tempFile(t, "hidden.ics", c.Must(t, "GET", v1+"/events/by-slug/hidden.ics", "")))
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	before := exportOf(t, dir)
	for _, file := range files {
		wantSums(t, dir, file, 0, 0, file)
		if diff := cmp.Diff(strings.Split(before, "\n"), strings.Split(exportOf(t, dir), "\n")); diff != "" {
			t.Errorf("%s (-before, +after):\n%s", file, diff)
		}
	}
}
