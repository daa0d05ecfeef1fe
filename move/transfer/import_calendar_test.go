package transfer_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/cmdtest"
	"almanac/store"
)

// This file imports calendars in iCalendar.

// calendarFile writes a calendar of some lines, in which "|" ends a line, and returns its
// name.
func calendarFile(t testing.TB, parts ...string) string {
	t.Helper()
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.ReplaceAll(
		strings.Join(parts, ""),
		"|",
		"\r\n",
	) + "END:VCALENDAR\r\n"
	return tempFile(t, "calendar.txt", text) // the name must not matter
}

// vevent returns an event with a UID and some lines.
func vevent(uid, lines string) string {
	return "BEGIN:VEVENT|UID:" + uid + "|" + lines + "|END:VEVENT|"
}

// eventLines returns the events of a directory: times, zone, title, and for events of series their
// place. It checks the store.
func eventLines(t testing.TB, dir string) (lines []string) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	_ = s.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e := r.(*store.Event)
			line := fmt.Sprintf("%s to %s %s %s", e.Start, e.End, e.Timezone, e.Title)
			if e.AllDay {
				line = fmt.Sprintf("%.10s to %.10s all day %s", e.Start, e.End, e.Title)
			}
			if e.Status != store.Publish {
				line += ", " + string(e.Status)
			}
			if e.State != "" || e.StateReason != "" || e.PreviousStart != 0 {
				line += strings.TrimRight(fmt.Sprintf(", %s %s", e.State, e.StateReason), " ")
			}
			if e.PreviousStart != 0 {
				line += fmt.Sprintf(", instead of %s", e.PreviousStart)
			}
			if p := e.Recurrence; p != nil {
				line += fmt.Sprintf(", for %s", p.Start)
				if len(p.Changed) > 0 {
					line += " with " + strings.Join(p.Changed, " ")
				}
			}
			lines = append(lines, line)
		}
		return nil
	})
	slices.Sort(lines)
	return lines
}

// wantHeld compares what a directory has.
func wantHeld(t testing.TB, dir, what string, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, eventLines(t, dir)); d != "" {
		t.Errorf("%s (-want, +got):\n%s", what, d)
	}
}

// wantSums compares what an import made, changed and left alone.
func wantSums(t testing.TB, dir, what string, made, changed int, files ...string) {
	t.Helper()
	if got := sums(t, mustImport(t, append([]string{"-data", dir}, files...)...)); got[0] != made ||
		got[1] != changed ||
		got[3] != 0 {
		t.Errorf("%s: %d made and %d changed, want %d and %d", what, got[0], got[1], made, changed)
	}
}

func TestImportCalendarTimes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := calendarFile(
		t,
		"BEGIN:VTIMEZONE|TZID:Mine|BEGIN:STANDARD|DTSTART:19701025T030000|TZOFFSETFROM:+0200|TZOFFSETTO:+0100|RRULE:FREQ=YEARLY;BYMONTH=10;"+
			"BYDAY=-1SU|END:STANDARD|BEGIN:DAYLIGHT|DTSTART:19700329T020000|TZOFFSETFROM:+0100|TZOFFSETTO:+0200|"+
			"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU|END:DAYLIGHT|END:VTIMEZONE|",
		vevent(
			"1",
			"SUMMARY:a|DTSTART;TZID=Europe/Paris:20310510T190000|DTEND;TZID=Europe/Paris:20310510T210000",
		),
		vevent(
			"2",
			"SUMMARY:b|DTSTART;TZID=W. Europe Standard Time:20310510T190000|DURATION:PT90M",
		),
		vevent("3", "SUMMARY:c|DTSTART:20310510T190000Z|DTEND;TZID=Europe/Paris:20310510T220000"),
		vevent("4", "SUMMARY:d|DTSTART:20310510T190000"),
		vevent("5", "SUMMARY:e|DTSTART;TZID=Mine:20310510T190000|DURATION:P1D"),
		vevent("6", "SUMMARY:f|DTSTART;VALUE=DATE:20310510"),
		vevent("7", "SUMMARY:g|DTSTART;VALUE=DATE:20310510|DTEND;VALUE=DATE:20310513"),
		vevent("8", "SUMMARY:h|DTSTART;VALUE=DATE:20310510|DTEND;VALUE=DATE:20310510"),
		vevent("9", "SUMMARY:i|DTSTART;VALUE=DATE:20310510|DURATION:P2D"),
		vevent("10", "SUMMARY:j|DTSTART;TZID=America/New_York:20310309T013000|DURATION:PT1H"),
		vevent(
			"11",
			"SUMMARY:k|DTSTART;TZID=\"/mozilla.org/20050126_1/Asia/Tokyo\":20310510T190000",
		),
	)
	wantSums(t, dir, "import", 11, 0, file)
	wantHeld(t, dir, "times",
		"2031-03-09 01:30:00 to 2031-03-09 03:30:00 America/New_York j",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 Asia/Tokyo k",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC d",
		"2031-05-10 19:00:00 to 2031-05-10 20:00:00 UTC c",
		"2031-05-10 19:00:00 to 2031-05-10 20:30:00 Europe/Berlin b",
		"2031-05-10 19:00:00 to 2031-05-10 21:00:00 Europe/Paris a",
		"2031-05-10 19:00:00 to 2031-05-11 19:00:00 Europe/Budapest e",
		"2031-05-10 to 2031-05-10 all day f",
		"2031-05-10 to 2031-05-10 all day h",
		"2031-05-10 to 2031-05-11 all day i",
		"2031-05-10 to 2031-05-12 all day g",
	)
	wantSums(t, dir, "the same again", 0, 0, file)

	zoned := t.TempDir()
	wantSums(
		t,
		zoned,
		"a calendar with a zone",
		3,
		0,
		calendarFile(t, "X-WR-TIMEZONE:Europe/Berlin|",
			vevent("1", "SUMMARY:a|DTSTART:20310510T190000Z|DTEND:20310510T200000Z"),
			vevent("2", "SUMMARY:b|DTSTART:20310510T190000"),
			vevent("3", "SUMMARY:c|DTSTART:20310510T190000Z|RRULE:FREQ=DAILY;COUNT=1")),
	)
	wantHeld(t, zoned, "times of a calendar with a zone",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 Europe/Berlin b",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC c, for 2031-05-10 19:00:00",
		"2031-05-10 21:00:00 to 2031-05-10 22:00:00 Europe/Berlin a")
}

// TestImportCalendarMembers imports all that an event can say, and shows it.
func TestImportCalendarMembers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustImport(t, "-data", dir, calendarFile(
		t,
		vevent(
			"1",
			"DTSTART:20310510T190000Z|SUMMARY:Tom & Jerry\\, <live>|DESCRIPTION:One\\ntwo\\n\\n<three>|URL:https://a.example.org/1|"+
				"LOCATION:Town Hall\\, 1 Main St\\, Springfield|GEO:48.5;-1.25|ORGANIZER;CN=\"Ann, Smith\":mailto:ann@example.org|"+
				"CATEGORIES:Music,Jazz\\, Blues|CATEGORIES:Music|IMAGE;VALUE=URI:https://a.example.org/1.png|CREATED:20300101T100000Z|"+
				"LAST-MODIFIED:20300102T100000Z|X-FOO:bar|BEGIN:VALARM|ACTION:DISPLAY|END:VALARM",
		),
		vevent(
			"2",
			"DTSTART:20310511T190000Z|SUMMARY:HTML|DESCRIPTION:plain|X-ALT-DESC;FMTTYPE=text/html:<html><body>Hi <b>you</b>"+
				"<script>alert(1)</script></body></html>|LOCATION:Town Hall\\n1 Main St\\nSpringfield|"+
				"ORGANIZER;CN=\"Ann, Smith\":MAILTO:Ann@example.org|"+
				"ATTACH;FMTTYPE=image/jpeg:https://a.example.org/2.jpg|CLASS:CONFIDENTIAL",
		),
		vevent(
			"3",
			"DTSTART:20310512T190000Z|SUMMARY:Online|LOCATION:https://meet.example.org/x,y|ORGANIZER:mailto:bob@example.org|"+
				"ATTACH;FMTTYPE=application/pdf:https://a.example.org/3.pdf|URL:javascript:alert(1)|X-COST;X-CURRENCY=EUR:10 €",
		),
	))
	type summary struct {
		Title, Description, Website, Status, Date, Modified, Image, Categories, Venue, Organizer string
	}
	server := startServer(t, "-data", dir)
	events := shownEvents(t, server)
	got := map[string]summary{}
	for _, one := range events {
		e := one.(object)
		text := func(o any, name string) string {
			m, _ := o.(object)
			return fmt.Sprint(m[name])
		}
		s := summary{
			Title:       text(e, "title"),
			Description: text(e, "description"),
			Website:     text(e, "website"),
			Status:      text(e, "status"),
			Image:       text(e["image"], "url"),
			Venue: text(
				e["venue"],
				"venue",
			) + "/" + text(
				e["venue"],
				"address",
			) + "/" + text(
				e["venue"],
				"geo_lat",
			),
		}
		if e["slug"] == "tom-jerry-live" {
			s.Date = text(e, "date_utc")
			s.Modified = text(e, "modified_utc")
		}
		for _, c := range e["categories"].([]any) {
			s.Categories += text(c, "name") + ";"
		}
		for _, o := range e["organizer"].([]any) {
			s.Organizer += text(o, "organizer") + "/" + text(o, "email")
		}
		got[e["slug"].(string)] = s
	}
	want := map[string]summary{
		"tom-jerry-live": {
			"Tom &amp; Jerry, &lt;live&gt;",
			"<p>One<br />\ntwo</p>\n<p>&lt;three&gt;</p>",
			"https://a.example.org/1",
			"publish",
			"2030-01-01 10:00:00",
			"2030-01-02 10:00:00",
			"https://a.example.org/1.png",
			"Jazz, Blues;Music;",
			"Town Hall/1 Main St, Springfield/48.5",
			"Ann, Smith/ann@example.org",
		},
		"online": {
			Title:     "Online",
			Website:   "http",
			Status:    "publish",
			Image:     "<nil>",
			Venue:     "https://meet.example.org/x,y/<nil>/<nil>",
			Organizer: "bob@example.org/bob@example.org",
		},
	}
	if s := got["online"]; strings.HasPrefix(s.Website, "http") { // its own page
		s.Website = "http"
		got["online"] = s
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("events (-want, +got):\n%s", d)
	}
	venues := shown(t, server, "/cal/events/v1/venues", "venues")
	if len(venues) != 2 {
		t.Errorf("there are %d venues, want 2: %v", len(venues), venues)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, dir, "events with the private one",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC Tom &amp; Jerry, &lt;live&gt;",
		"2031-05-11 19:00:00 to 2031-05-11 19:00:00 UTC HTML, private",
		"2031-05-12 19:00:00 to 2031-05-12 19:00:00 UTC Online")
	if exported := exportOf(t, dir); !strings.Contains(exported, `"Hi <b>you</b>alert(1)"`) {
		t.Errorf("HTML of others is not cleaned: %s", exported)
	} else if !strings.Contains(exported, `"currency_code": "EUR"`) {
		t.Errorf("the currency of a cost is lost: %s", exported)
	}
}

// TestImportCalendarSlugs imports calendars of sites of The Events Calendar: the slug is in the
// address of the page of an event, whatever word the site has before it.
func TestImportCalendarSlugs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var events []string
	for i, address := range []string{"/event/a/", "/termin/b/", "/events/c", "/de/kalender/veranstaltung/d/?lang=de", "/event/e/2031-05-10/",
		"/event/2031-05-10/", "/?post_type=tribe_events&p=7", "/"} {
		events = append(events, vevent(
			fmt.Sprintf("%d-1-2@choir.example.org", i+1),
			fmt.Sprintf(
				"SUMMARY:T%d|DTSTART:20310510T190000Z|URL:https://choir.example.org%s",
				i+1,
				address,
			),
		))
	}
	events = append(
		events,
		vevent(
			"x@choir.example.org",
			"SUMMARY:T9|DTSTART:20310510T190000Z|URL:https://choir.example.org/a/b/",
		),
	)
	file := calendarFile(t, events...)
	mustImport(t, "-data", dir, file)
	server := startServer(t, "-data", dir)
	var got []string
	for _, one := range shownEvents(t, server) {
		e := one.(object)
		got = append(
			got,
			fmt.Sprint(
				e["title"],
				" ",
				e["slug"],
				" ",
				strings.HasPrefix(e["website"].(string), "https://choir.example.org"),
			),
		)
	}
	slices.Sort(got)
	want := []string{
		"T1 a false",
		"T2 b false",
		"T3 c false",
		"T4 d false",
		"T5 e false",
		"T6 2031-05-10 false",
		"T7 t7 true",
		"T8 t8 true",
		"T9 t9 true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("title, slug, and whether the address is a website (-want, +got):\n%s", d)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	wantSums(t, dir, "the same again", 0, 0, file)
}

// exportOf returns what export writes of a directory.
func exportOf(t testing.TB, dir string) string {
	t.Helper()
	return mustRun(t, "export", "-data", dir)
}

// TestImportCalendarSeries imports series in two files: a series comes before and after its
// changed dates, and a newer file moves, adds and takes away dates.
func TestImportCalendarSeries(t *testing.T) {
	t.Parallel()
	const changed = "RECURRENCE-ID;TZID=Europe/Paris:20310520T190000|SUMMARY:Choir, late|DTSTART;TZID=Europe/Paris:20310520T200000|" +
		"DTEND;TZID=Europe/Paris:20310520T210000|LAST-MODIFIED:20300105T000000Z"
	const cancelled = "RECURRENCE-ID:20310527T170000Z|SUMMARY:Choir|DTSTART;TZID=Europe/Paris:20310527T190000|STATUS:CANCELLED"
	const master = "SUMMARY:Choir|DTSTART;TZID=Europe/Paris:20310513T190000|DURATION:PT1H|RRULE:FREQ=WEEKLY;COUNT=5|" +
		"EXDATE;TZID=Europe/Paris:20310603T190000|RDATE:20310612T180000Z|LAST-MODIFIED:20300110T000000Z"
	want := []string{
		"2031-05-13 19:00:00 to 2031-05-13 20:00:00 Europe/Paris Choir, for 2031-05-13 19:00:00",
		"2031-05-20 20:00:00 to 2031-05-20 21:00:00 Europe/Paris Choir, late, for 2031-05-20 19:00:00 with end_date start_date title",
		"2031-05-27 19:00:00 to 2031-05-27 19:00:00 Europe/Paris Choir, canceled, for 2031-05-27 19:00:00 with end_date event_status",
		"2031-06-10 19:00:00 to 2031-06-10 20:00:00 Europe/Paris Choir, for 2031-06-10 19:00:00",
		"2031-06-12 20:00:00 to 2031-06-12 21:00:00 Europe/Paris Choir, for 2031-06-12 20:00:00",
	}
	a := vevent("x", changed)
	b := vevent("x", cancelled)
	c := vevent("x", master)
	for i, order := range [][]string{{a, b, c}, {c, a, b}, {b, c, a}} {
		dir := t.TempDir()
		file := calendarFile(t, order...)
		if i == 0 {
			wantSums(t, dir, "in one file", 5, 0, file)
		} else {
			for _, one := range order { // each in a run of its own
				mustImport(t, "-data", dir, calendarFile(t, one))
			}
		}
		wantHeld(t, dir, fmt.Sprint("order ", i), want...)
		before := exportOf(t, dir)
		wantSums(t, dir, "the same again", 0, 0, file)
		for _, one := range order {
			wantSums(t, dir, "each again", 0, 0, calendarFile(t, one))
		}
		if exportOf(t, dir) != before {
			t.Error("importing the same again changed something")
		}
		ids := idsByStart(t, dir)

		older := strings.NewReplacer("20300110T", "20300109T", "SUMMARY:Choir", "SUMMARY:Old")
		wantSums(t, dir, "an older file", 0, 0, calendarFile(t, older.Replace(c)))

		newer := strings.NewReplacer("20300110T", "20300111T", "20310603", "20310610", "COUNT=5", "COUNT=6", "PT1H", "PT2H").
			Replace(c)
		mustImport(t, "-data", dir, calendarFile(t, newer))
		wantHeld(
			t,
			dir,
			"after a newer file",
			"2031-05-13 19:00:00 to 2031-05-13 21:00:00 Europe/Paris Choir, for 2031-05-13 19:00:00",
			want[1],
			want[2],
			"2031-06-03 19:00:00 to 2031-06-03 21:00:00 Europe/Paris Choir, for 2031-06-03 19:00:00",
			"2031-06-10 19:00:00 to 2031-06-10 20:00:00 Europe/Paris Choir, trash, for 2031-06-10 19:00:00",
			"2031-06-12 20:00:00 to 2031-06-12 22:00:00 Europe/Paris Choir, for 2031-06-12 20:00:00",
			"2031-06-17 19:00:00 to 2031-06-17 21:00:00 Europe/Paris Choir, for 2031-06-17 19:00:00",
		)
		for start, id := range idsByStart(t, dir) {
			if was, had := ids[start]; had && was != id {
				t.Errorf("the event of %s was %d, and is %d", start, was, id)
			}
		}

		shifted := strings.NewReplacer("20300110T", "20300112T", "20310513T19", "20310514T18", "20310603T19", "20310604T18").
			Replace(c)
		mustImport(t, "-data", dir, calendarFile(t, shifted))
		now := idsByStart(t, dir)
		if now["2031-05-14 18:00:00"] != ids["2031-05-13 19:00:00"] {
			t.Errorf("a series that moves has other ids: %v, was %v", now, ids)
		}
		mustImport(t, "-data", dir, calendarFile(t, vevent(
			"x",
			"SUMMARY:Once|DTSTART;TZID=Europe/Paris:20310514T180000|LAST-MODIFIED:20300113T000000Z",
		)))
		if now := idsByStart(t, dir); now["2031-05-14 18:00:00"] != ids["2031-05-13 19:00:00"] {
			t.Errorf("a series that becomes a single event has another id: %v", now)
		}
		mustImport(
			t,
			"-data",
			dir,
			calendarFile(t, strings.Replace(c, "20300110T", "20300114T", 1)),
		)
		mustImport(
			t,
			"-data",
			dir,
			calendarFile(
				t,
				vevent(
					"x",
					"DTSTART:20310514T180000Z|STATUS:CANCELLED|LAST-MODIFIED:20300115T000000Z",
				),
			),
		)
		for _, line := range eventLines(t, dir) {
			if !strings.Contains(line, ", trash") && !strings.Contains(line, ", canceled") {
				t.Errorf("after the series was cancelled there is %s", line)
			}
		}
		wantSums(t, dir, "what was cancelled, again", 0, 0, calendarFile(t, c))
	}
}

// A calendar cancels events, also with a message that has no other properties, and a newer
// calendar takes that back. An event in the trash stays there.
func TestImportCanceled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const start, changed = "DTSTART:20310510T190000Z|", "|LAST-MODIFIED:203001%02dT000000Z"
	take := func(what string, day int, lines string, want ...string) {
		t.Helper()
		file := calendarFile(t, vevent("x", fmt.Sprintf(start+lines+changed, day)))
		mustImport(t, "-data", dir, file)
		wantHeld(t, dir, what, want...)
		wantSums(t, dir, what+", again", 0, 0, file)
	}
	const is = "2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC Fair"
	take("new and cancelled", 1, "SUMMARY:Fair|DESCRIPTION:a|STATUS:CANCELLED", is+", canceled")
	take("not any more", 2, "SUMMARY:Fair|DESCRIPTION:a|STATUS:CONFIRMED", is)
	take("by a message", 3, "STATUS:CANCELLED", is+", canceled")
	if text := exportOf(t, dir); !strings.Contains(text, "<p>a</p>") {
		t.Errorf("a message took away more: %s", text)
	}
	take("without a status", 4, "SUMMARY:Fair|DESCRIPTION:a", is)
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(1, func(tx *store.Tx) error {
		e := *tx.Event(1)
		e.Status = store.Trash
		return tx.Put(&e)
	}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	take("deleted here", 5, "SUMMARY:Fair|STATUS:CANCELLED", is+", trash")
}

// The states of events come back from each format that a server writes, in any language, and are
// taken back.
func TestImportStates(t *testing.T) {
	t.Parallel()
	from := startServer(t, "-memory", "-url", "http://from.example")
	c := from.Admin()
	times := func(day string) string {
		return `"start_date":"2031-05-` + day + ` 19:00","end_date":"2031-05-` + day + ` 20:00","timezone":"Europe/Paris"`
	}
	for _, body := range []string{
		`{"title":"Fair","event_status":"canceled","event_status_reason":"Rain, & wind",` + times("01") + `}`,
		`{"title":"Cancelled: Ball","event_status":"postponed",` + times("02") + `}`,
		`{"title":"Dance",` + times("03") + `}`,
		`{"title":"Choir","recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"},` + times("06") + `}`,
		`{"title":"Walk","event_status":"canceled","event_status_reason":"Snow","recurrence":{"rule":"FREQ=WEEKLY;COUNT=2"},` + times("07") + `}`,
	} {
		c.Must(t, "POST", v1+"/events", body)
	}
	ids := map[string]int{}
	const window = "?start_date=2031-01-01&end_date=2032-01-01&per_page=50"
	var found struct {
		Events []struct {
			ID    int    `json:"id"`
			Title string `json:"title"`
			Start string `json:"start_date"`
		} `json:"events"`
	}
	if err := json.Unmarshal([]byte(c.Must(t, "GET", v1+"/events"+window, "")), &found); err != nil {
		t.Fatal(err)
	}
	for _, e := range found.Events {
		ids[e.Title+" "+e.Start[8:10]] = e.ID
	}
	change := func(name, body string) { c.Must(t, "PATCH", fmt.Sprint(v1, "/events/", ids[name]), body) }
	change(
		"Dance 03",
		`{"rescheduled":true,"start_date":"2031-05-04 19:00","event_status_reason":"Floor"}`,
	)
	change("Choir 13", `{"event_status":"canceled","event_status_reason":"Ill"}`)
	change("Walk 14", `{"event_status":"scheduled"}`)
	want := []string{
		"2031-05-01 19:00:00 to 2031-05-01 20:00:00 Europe/Paris Fair, canceled Rain, & wind",
		"2031-05-02 19:00:00 to 2031-05-02 20:00:00 Europe/Paris Cancelled: Ball, postponed",
		"2031-05-04 19:00:00 to 2031-05-04 20:00:00 Europe/Paris Dance,  Floor, instead of 2031-05-03 19:00:00",
		"2031-05-06 19:00:00 to 2031-05-06 20:00:00 Europe/Paris Choir, for 2031-05-06 19:00:00",
		"2031-05-07 19:00:00 to 2031-05-07 20:00:00 Europe/Paris Walk, canceled Snow, for 2031-05-07 19:00:00",
		"2031-05-13 19:00:00 to 2031-05-13 20:00:00 Europe/Paris Choir, canceled Ill, for 2031-05-13 19:00:00 with event_status " +
			"event_status_reason",
		"2031-05-14 19:00:00 to 2031-05-14 20:00:00 Europe/Paris Walk, for 2031-05-14 19:00:00 with event_status event_status_reason",
		"2031-05-20 19:00:00 to 2031-05-20 20:00:00 Europe/Paris Choir, for 2031-05-20 19:00:00",
	}
	dirs := map[string]string{}
	fetch := func(path string) string {
		return tempFile(t, strings.ReplaceAll(path, "/", "-"), c.Must(t, "GET", path+window, ""))
	}
	paths := []string{
		v1 + "/events",
		v1 + "/events.ics",
		"/ja" + v1 + "/events.ics",
		v1 + "/events.csv",
	}
	for _, path := range paths {
		dir := t.TempDir()
		dirs[path] = dir
		file := fetch(path)
		mustImport(t, "-data", dir, file)
		expect := slices.Clone(want)
		if strings.HasSuffix(path, ".csv") {
			expect[2] = strings.TrimSuffix(
				expect[2],
				", instead of 2031-05-03 19:00:00",
			) // a table has no column for it
		}
		if got := eventLines(t, dir); cmp.Diff(expect, got) != "" &&
			(path == paths[1] || path == paths[2]) {
			t.Errorf("%s: %s", path, cmp.Diff(expect, got))
		} else if states := regexp.MustCompile(`, for .*`); cmp.Diff(states.ReplaceAllString(strings.Join(expect, "|"), ""),
			states.ReplaceAllString(strings.Join(got, "|"), "")) != "" { // lists know no template
			t.Errorf("%s: %s", path, cmp.Diff(expect, got))
		}
		wantSums(t, dir, path+" again", 0, 0, file)
	}
	change("Fair 01", `{"event_status":"scheduled"}`)
	change("Dance 03", `{"rescheduled":false,"event_status_reason":""}`)
	for _, path := range paths[:3] {
		mustImport(t, "-data", dirs[path], fetch(path))
		got := eventLines(t, dirs[path])
		if !strings.HasSuffix(got[0], " Fair") || !strings.HasSuffix(got[2], " Dance") {
			t.Errorf("%s: taken back: %q", path, got)
		}
	}
}

// A calendar that a server has written brings costs elsewhere as people read them, whatever symbol
// the server puts before those that have none.
func TestImportCalendarCosts(t *testing.T) {
	t.Parallel()
	from := startServer(t, "-memory", "-url", "http://from.example", "-currency", "kr ")
	c := from.Admin()
	for i, cost := range []string{`"10"`, `"0"`, `"10€"`, `"5, 10, 20"`, `["5 €","Students, free","1.000 €"]`, `"-5"`, `"Donation"`,
		`""`, `"CHF 1’000.50"`} {
		c.Must(
			t,
			"POST",
			v1+"/events",
			fmt.Sprintf(`{"title":"Cost %d","start_date":"2031-05-14 19:00",
			"end_date":"2031-05-14 20:00","cost":%s}`, i, cost),
		)
	}
	listing := tempFile(
		t,
		"events.json",
		`{"events":[{"id":7,"global_id":"old.example.org?id=7","title":"A currency alone",
		"start_date":"2031-05-13 19:00:00","end_date":"2031-05-13 19:00:00","timezone":"UTC","cost":"",
		"cost_details":{"currency_symbol":"€","currency_code":"EUR",
		"currency_position":"suffix","values":[]}}]}`,
	)
	mustImport(t, "-to", from.URL, "-token", c.Token, listing)
	calendar := tempFile(
		t,
		"events.ics",
		c.Must(t, "GET", v1+"/events.ics?starts_after=2031-01-01", ""),
	)
	to := startServer(t, "-memory", "-currency", "kr ")
	mustImport(t, "-to", to.URL, "-token", to.Token, calendar)
	costs := func(s *cmdtest.Server) map[string]string {
		all := map[string]string{}
		for _, e := range shownEvents(t, s) {
			e := e.(object)
			all[fmt.Sprint(e["title"])] = fmt.Sprint(e["cost"])
		}
		return all
	}
	if diff := cmp.Diff(costs(from), costs(to)); diff != "" {
		t.Errorf("costs (-from +to):\n%s", diff)
	}
}

// idsByStart returns the ids of the events that are not in the trash, by their starts.
func idsByStart(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	s, err := store.Peek(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ids := map[string]int64{}
	_ = s.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			if e := r.(*store.Event); e.Status != store.Trash {
				ids[e.Start.String()] = e.ID
			}
		}
		return nil
	})
	return ids
}

// Lists of other sites tell the state of an event in its data for search engines.
func TestImportStatesOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	take := func(modified, data string, want ...string) {
		t.Helper()
		mustImport(
			t,
			"-data",
			dir,
			tempFile(
				t,
				"events.json",
				`{"events":[{"id":7,"global_id":"old.example.org?id=7","title":"Fair",
			"start_date":"2031-05-13 19:00:00","end_date":"2031-05-13 19:00:00","timezone":"Europe/Paris","modified_utc":"`+modified+`",
			"json_ld":{`+data+`}}]}`,
			),
		)
		wantHeld(t, dir, data, want...)
	}
	const is = "2031-05-13 19:00:00 to 2031-05-13 19:00:00 Europe/Paris Fair"
	take(
		"2030-01-01 00:00:00",
		`"eventStatus":"https://schema.org/EventCancelled"`,
		is+", canceled",
	)
	take(
		"2030-01-02 00:00:00",
		`"eventStatus":"http://schema.org/EventPostponed"`,
		is+", postponed",
	)
	take(
		"2030-01-03 00:00:00",
		`"eventStatus":"https://schema.org/EventRescheduled","previousStartDate":"2031-05-12T17:00:00+00:00"`,
		is+",, instead of 2031-05-12 19:00:00",
	)
	take("2030-01-04 00:00:00", `"@type":"Event"`, is+",, instead of 2031-05-12 19:00:00")
	take("2030-01-05 00:00:00", `"eventStatus":"https://schema.org/EventScheduled"`, is)
}
