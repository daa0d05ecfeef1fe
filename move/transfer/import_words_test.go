package transfer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An import tells a person how many records of each kind it made, changed, left alone and refused,
// and what it did not take, by the names that these have in the file.
func TestImportTells(t *testing.T) {
	t.Parallel()
	const meta = "<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value>%s</wp:meta_value></wp:postmeta>"
	post := func(id, kind, more string) string {
		return "<item><title>T" + id + "</title><wp:post_id>" + id + "</wp:post_id><wp:status>publish</wp:status><wp:post_type>" +
			kind + "</wp:post_type>" + more + "</item>"
	}
	key := func(name, value string) string {
		return strings.Replace(strings.Replace(meta, "%s", name, 1), "%s", value, 1)
	}
	export := func(posts ...string) string {
		return `<?xml version="1.0" encoding="UTF-8"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>` +
			"<wp:base_blog_url>https://old.example</wp:base_blog_url>" + strings.Join(posts, "") + "</channel></rss>"
	}
	const header = "              created  updated  left alone  refused\n"
	row := func(kind, counts string) string { return strings.Repeat(" ", 12-len(kind)) + kind + counts + "\n" }
	for _, tt := range []struct {
		name, file     string
		stdout, stderr string
		exit           int
	}{
		{
			"a table",
			"Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Status," +
				"Venue Latitude,Venue Longitude,Timezone,Featured Event?,Seats,Poster\n" +
				"A,2031-05-10,20:00,Hall,publish,,,,,300,\n" +
				"B,2031-05-10,20:00,,sold out,,,,,,\n" +
				"C,2031-05-10,8 o'clock,,,,,,,,\n" +
				"D,2031-05-10,20:00,Barn,,95,1,,,,\n" +
				"E,2031-05-10,20:00,,,,,Mars,,,\n" +
				"F,2031-05-10,20:00,,,,,,maybe,,\n" +
				"G,2031-05-10,20:00,,,,,,,,,more\n",
			header + row("events", "        3        0           0        4") + row("venues", "        1        0           0        1"),
			"FILE:3: record 2 (events): Event Status: has the status \"sold out\"; " +
				"publish, future, draft, pending, private and trash can be taken\n" +
				"FILE:4: record 3 (events): Event Start Time: \"8 o'clock\" is no time of day; write it as 20:00 or 8:00 PM\n" +
				"FILE:5: record 4 (in it, venues): Venue Latitude must be a number of degrees from -90 to 90, not \"95\"\n" +
				"FILE:6: record 5 (events): Timezone: time zone \"Mars\": give an IANA name such as Europe/Paris, or UTC, " +
				"or an offset such as UTC+2, UTC-3:30, UTC+5.5 or +02:00\n" +
				"FILE:7: record 6 (events): Featured Event? must be TRUE or FALSE, not \"maybe\"\n" +
				"FILE: not taken: 1 cells in no column, the first in line 8, 1 cells of the column \"Seats\"\n",
			0,
		},
		{
			"a table of organizers",
			"ORGANIZER NAME;Organizer Website;ROOM\nAnn;javascript:x;5\nBob;www.bob.example;\nCid;;6\n",
			header + row("organizers", "        2        0           0        1"),
			"FILE:2: record 1 (organizers): Organizer Website must be an address such as https://example.org/, not \"javascript:x\"\n" +
				"FILE: not taken: 2 cells of the column \"ROOM\"\n",
			0,
		},
		{
			"an export of WordPress",
			export(
				post("7", "tribe_events", key("_EventStartDate", "soon")+key("_EventEndDate", "2031-05-10 20:00:00")),
				post("8", "tribe_venue", key("_VenueURL", "javascript:x")+key("_VenueCity", "Ely")),
				post("9", "tribe_organizer", key("_OrganizerEmail", "a@b.example")+key("_Organizerpost_date", "2020-01-01 00:00:00")+
					key("_Organizerpost_title", "Ann")+key("_seo_score", "7")),
				post("10", "page", ""),
			),
			header + row("events", "        0        0           0        1") + row("venues", "        0        0           0        1") +
				row("organizers", "        1        0           0        0"),
			"FILE:1: record 1 (venues old.example?id=8): _VenueURL must be an address such as https://example.org/, not \"javascript:x\"\n" +
				"FILE:1: record 3 (events old.example?id=7): _EventStartDate must be a date, not \"soon\"; write it as YYYY-MM-DD HH:MM:SS\n" +
				"FILE: not taken: 1 posts of the type \"page\", 1 values of \"_seo_score\"\n",
			0,
		},
		{
			"a calendar",
			"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nSUMMARY:A\r\nDTSTART:20310510T200000Z\r\nURL:javascript:x\r\nEND:VEVENT\r\n" +
				"BEGIN:VEVENT\r\nUID:b\r\nSUMMARY:B\r\nDTSTART:20310510T200000Z\r\nDTEND:20310509T200000Z\r\nEND:VEVENT\r\n" +
				"BEGIN:VTODO\r\nUID:c\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
			header + row("events", "        1        0           0        1"),
			"1 VTODO, 1 addresses in URL that no page may link to\n",
			0,
		},
		{
			"a list, whose pictures stay",
			`{"events":[{"title":"A","start_date":"2031-05-10 20:00:00","end_date":"2031-05-10 21:00:00","seats":3,` +
				`"image":"https://old.example/a.jpg"}]}`,
			header + row("events", "        1        0           0        0") + row("images", "        1        0           0        0") +
				"pictures left where they are: 1; give -pictures DIRECTORY to take files along, or -fetch-pictures\n",
			"FILE: events have a key \"seats\", which has no place here\n",
			0,
		},
		{
			"a list with dates in other forms",
			`{"events":[{"title":"A","start_date":"06.12.2031","end_date":"2031-12-06 21:00:00"},` +
				`{"title":"B","start_date":"2031-12-06 20:00:00","end_date":"06/12/2031 20:00"}]}`,
			header + row("events", "        0        0           0        2"),
			"FILE: record 1 (events): start_date must be a date, not \"06.12.2031\"; write it as 2031-12-06 HH:MM:SS\n" +
				"FILE: record 2 (events): end_date must be a date, not \"06/12/2031 20:00\"; " +
				"write it as 2031-06-12 or 2031-12-06 HH:MM:SS\n",
			0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file := tempFile(t, "file", tt.file)
			exit, stdout, stderr := runImport(t, "-partial", "-data", filepath.Join(t.TempDir(), "data"), file)
			var lines []string
			for line := range strings.Lines(stdout) {
				if !strings.Contains(line, "        0        0           0        0\n") {
					lines = append(lines, line)
				}
			}
			if diff := cmp.Diff(tt.stdout, strings.Join(lines, "")); diff != "" || exit != tt.exit {
				t.Errorf("exit status %d, output (-want +got):\n%s", exit, diff)
			}
			stderr = strings.ReplaceAll(stderr, file, "FILE")
			if !strings.HasSuffix(stderr, tt.stderr) && !strings.Contains(stderr, tt.stderr) {
				t.Errorf("messages (-want +got):\n%s", cmp.Diff(tt.stderr, stderr))
			}
		})
	}
}

// What people write as a website is a link of the page of an event, of its venue and its organizer.
func TestImportedWebsites(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mustImport(
		t, "-data", dir,
		tempFile(t, "venues.csv", "VENUE NAME,VENUE WEBSITE\nHall,hall.example/plan\n"),
		tempFile(t, "organizers.csv", "ORGANIZER NAME,ORGANIZER WEBSITE\nAnn,www.ann.example\n"),
		tempFile(t, "events.csv", "EVENT NAME,EVENT START DATE,EVENT WEBSITE,EVENT VENUE NAME,EVENT ORGANIZER NAME\n"+
			"Choir,2031-05-10,www.choir.example,Hall,Ann\n"),
	)
	s := startServer(t, on(dir)...)
	page := s.Admin().Must(t, "GET", "/event/choir/", "")
	for _, link := range []string{"http://www.choir.example", "http://hall.example/plan", "http://www.ann.example"} {
		if !strings.Contains(page, `href="`+link+`"`) {
			t.Errorf("the page has no link to %s", link)
		}
	}
}
