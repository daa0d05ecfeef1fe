package transfer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/store"
)

// sources returns files in every form that a calendar in a directory has, by form.
func sources(t testing.TB, dir string, flags ...string) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	keep := func(form, text string) { files[form] = append(files[form], tempFile(t, form, text)) }
	s := startServer(t, on(dir, append(flags, "-url", "http://calendar.example.org")...)...)
	c := s.Admin()
	for _, list := range []string{"events", "venues", "organizers", "categories", "tags"} {
		query := "per_page=50&page=%d"
		if list == "events" {
			query += "&starts_after=1990-01-01"
		}
		for page := 1; ; page++ {
			text := c.Must(t, "GET", fmt.Sprintf("%s/%s?"+query, v1, list, page), "")
			keep("lists", text)
			var body struct {
				Pages int `json:"total_pages"`
			}
			if err := json.Unmarshal([]byte(text), &body); err != nil || page >= body.Pages {
				break
			}
		}
	}
	keep("ics", c.Must(t, "GET", v1+"/events.ics?starts_after=1990-01-01", ""))
	keep("csv", c.Must(t, "GET", v1+"/events.csv?starts_after=1990-01-01", ""))
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	keep("export", exportOf(t, dir))
	keep(
		"ical",
		mustRun(
			t,
			"export",
			"-data",
			dir,
			"-format",
			"ical",
			"-url",
			"http://calendar.example.org",
		),
	)
	return files
}

// contentOf returns the number of events and of transactions of a directory, and its export.
func contentOf(t testing.TB, dir string) (events int, seq uint64, export string) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.View(func(v *store.View) error {
		events = v.Len(store.Events)
		return nil
	})
	seq = uint64(s.Seq())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return events, seq, exportOf(t, dir)
}

// A file that is imported twice changes nothing the second time, in every form: into an empty
// calendar, into a calendar with other records, and into the calendar that wrote it.
func TestImportTwiceAlone(t *testing.T) {
	race.Alone(t)
	for _, seed := range []string{"@small", "@city", "@torture"} {
		t.Run(seed, func(t *testing.T) {
			t.Parallel()
			own := t.TempDir()
			for form, files := range sources(t, own, "-seed", seed) {
				for _, target := range []string{"own", "empty", "other"} {
					t.Run(
						form+" into "+target,
						func(t *testing.T) { importTwice(t, own, target, form, files) },
					)
				}
			}
		})
	}
}

func importTwice(t *testing.T, own, target, form string, files []string) {
	dir := filepath.Join(t.TempDir(), "data")
	switch target {
	case "own":
		if err := os.CopyFS(dir, os.DirFS(own)); err != nil {
			t.Fatal(err)
		}
	case "other":
		s := startServer(t, on(dir, "-seed", "@small", "-url", "http://other.example.org")...)
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-data", dir, "-partial"}, files...)
	var was int
	var before string
	if target == "own" {
		was, _, before = contentOf(t, dir)
	}
	_, _, first := runImport(t, args...)
	made, seq, export := contentOf(t, dir)
	if target == "own" && made != was {
		t.Errorf("%d events became %d", was, made)
	}
	if target == "own" && (form == "export" || form == "csv") && export != before {
		t.Errorf(
			"the %s of the calendar changed it:\n%.3000s",
			form,
			cmp.Diff(strings.Split(before, "\n"), strings.Split(export, "\n")),
		)
	}
	if made == 0 {
		t.Errorf("nothing was imported\n%.2000s", first)
	}
	_, table, second := runImport(t, args...)
	if _, again, twice := contentOf(t, dir); again != seq || twice != export {
		t.Errorf(
			"the second import changed something: %d transactions\n%s%.1000s\n%.3000s",
			again-seq,
			table,
			second,
			cmp.Diff(strings.Split(export, "\n"), strings.Split(twice, "\n")),
		)
	}
}

// A file written by hand changes nothing the second time, through a server either. Records with
// nothing to know them by are as many as the file has.
func TestImportTwiceByHand(t *testing.T) {
	t.Parallel()
	const dates = `"start_date":"2031-05-12 20:00:00","end_date":"2031-05-12 22:00:00"`
	tests := []struct {
		name, text string
		events     int
	}{
		{
			"minimal records",
			`{"venues":[{"venue":"Hall","city":"A"}],"tags":[{"name":"T"}],"events":[{"title":"E",` + dates + `},
			{"title":"E",` + dates + `},{"title":"F",` + dates + `,"venue":{"venue":"Hall"},"organizer":{"organizer":"O"},"tags":["T","U"],
			"categories":["C"],"image":"https://a.example/i.png"},{"title":"G","status":"draft",` + dates + `},
			{"title":"H","status":"trash",` + dates + `},{"description":"D",` + dates + `}]}`,
			6,
		},
		{
			"records of an export",
			`[{"id":7,"title":"E &amp;amp; F","slug":"e-f","date_utc":"2031-01-01 00:00:00.5",` + dates + `},
			{"id":8,"title":"E &amp;amp; F","slug":"e-f-2","date_utc":"2031-01-01 00:00:00.5",` + dates + `}]`,
			2,
		},
		{
			"an edited export",
			`{"exact":true,"images":[{"id":1,"url":"/i.png","width":3}],"categories":[{"id":1,"name":"C","parent":2},
			{"id":2,"name":"B"}],"tags":[{"id":1,"name":"T"}],"venues":[{"id":3,"venue":"V","image":1}],
			"series":[{"id":9,"title":"S","rule":"FREQ=DAILY;COUNT=2",` + dates + `}],
			"events":[{"id":4,"title":"E","slug":"É",` + dates + `,"venue":[3],"tags":[1],"categories":[1,2],"image":1,"post_parent":5,
			"cost":["5"],"currency_symbol":"€"},{"id":5,"title":"P",` + dates + `,"venue":[3]},{"id":6,"title":"S",` + dates + `,
			"recurrence":{"series":9,"start":"2031-05-12 20:00:00"}}]}`,
			3,
		},
		{
			"a calendar without UID",
			"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20310512T200000Z\r\nSUMMARY:E\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\n" +
				"DTSTART:20310512T200000Z\r\nSUMMARY:S\r\nLOCATION:Hall\r\nRRULE:FREQ=DAILY;COUNT=2\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
			3,
		},
		{
			"a table",
			"EVENT NAME,EVENT START DATE,EVENT SERIES RULE,EVENT STATUS,EVENT VENUE NAME\nE,2031-05-12,,,Hall\n" +
				"S,2031-05-12,FREQ=DAILY;COUNT=2,,\nG,2031-05-12,,trash,\n",
			4,
		},
		{"appointments", "Subject,Start Date,Start Time\nE,2031-05-12,20:00\n", 1},
		{"RSS", "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel></channel></rss>", 0},
		{"an export of WordPress", readFile(t, sample("wordpress.xml")), 11},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := tempFile(t, "file", test.text)
			for _, running := range []bool{false, true} {
				dir := filepath.Join(t.TempDir(), "data")
				var exports [2]string
				var counts [2]int
				var said [2]string
				for i := range exports {
					to := []string{"-data", dir}
					stop := func() error { return nil }
					if running {
						s := startServer(t, on(dir, still...)...)
						to = []string{"-to", s.URL, "-token", s.Admin().Token}
						stop = s.Stop
					}
					_, table, stderr := runImport(t, append(to, "-partial", file)...)
					said[i] = table + stderr
					if err := stop(); err != nil {
						t.Fatal(err)
					}
					counts[i], _, exports[i] = contentOf(t, dir)
				}
				if counts[0] != test.events || exports[0] != exports[1] {
					t.Errorf(
						"running %v: %d events, want %d\n%s%s",
						running,
						counts[0],
						test.events,
						strings.Join(said[:], "\n"),
						cmp.Diff(strings.Split(exports[0], "\n"), strings.Split(exports[1], "\n")),
					)
				}
			}
		})
	}
}

// Each fixture of the repository, and each form of tables, changes nothing the second time; also a
// newer file after an older one. Seeds are no fixtures here: their relative dates are for empty
// servers, and import refuses them.
func TestImportFixturesTwice(t *testing.T) {
	t.Parallel()
	const google = "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n" +
		"Choir,05/13/2031,8:00 PM,05/13/2031,10:00 PM,False,\"Two\nlines\",\"Town Hall, 1 Main St\",False\n" +
		"Fair,05/20/2031,,05/21/2031,,True,,,True\nChoir,05/27/2031,8:00 PM,05/27/2031,10:00 PM,False,,\"Town Hall, 1 Main St\",False\n"
	const outlook = "Subject;Start Date;Start Time;End Date;End Time;All day event;Categories;Description;Location;Private;Sensitivity\n" +
		"Chor;13.5.2031;20:00:00;13.5.2031;22:00:00;Off;Musik;Text;Rathaus;Off;Normal\n" +
		"Markt;20.5.2031;00:00:00;22.5.2031;00:00:00;On;Musik, Abend;;;Off;Private\n"
	const tables = "VENUE NAME,VENUE ADDRESS,VENUE CITY,VENUE COUNTRY\nHall,1 Main St,Springfield,United States\n"
	const rows = "EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END TIME,TIMEZONE,EVENT VENUE NAME,EVENT CATEGORY,EVENT COST,EVENT ID\n" +
		"Choir,2031-05-13,20:00,22:00,Europe/Paris,Hall,\"Music, Evening\",5 €,7\nFair,2031-05-20,,,,Hall,,Free,8\n"
	calendar := func(title string) string {
		return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:s\r\nDTSTART:20310513T200000Z\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nSUMMARY:" + title +
			"\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID:20310520T200000Z\r\nDTSTART:20310521T200000Z\r\nSUMMARY:" + title +
			" late\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART;VALUE=DATE:20310513\r\nSUMMARY:" + title +
			" day\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	}
	file := func(text string) string { return tempFile(t, "file", text) }
	newer := func(text, old, now string) [][]string {
		return [][]string{{file(text)}, {file(strings.ReplaceAll(text, old, now))}}
	}
	const intake = "internal/write/intake/testdata/"
	tests := map[string][][]string{ // files of each step
		"lists of a site": {
			{sample("lindmoor.json"), sample("lindmoor-categories.json")},
			{sample("lindmoor-newer.json")},
		},
		"tables with venues": {
			{intake + "venues.csv", intake + "organizers.csv", intake + "events.csv"},
		},
		"Google Calendar": newer(google, "Two", "Three"),
		"Outlook":         newer(outlook, "Text", "Mehr"),
		"tables by hand": {
			{file(tables), file(rows)},
			{file(strings.ReplaceAll(rows, "22", "23"))},
		},
		"calendar without times": {
			{file(calendar("A"))},
			{file(calendar("B"))},
			{file(calendar("A"))},
		},
	}
	for _, pattern := range []string{"testdata/import/*.json", "testdata/stores/older/export.json", "internal/wire/feed/testdata/calendar.ics",
		"internal/wire/feed/testdata/page.csv"} {
		found, _ := filepath.Glob(pattern) // the pattern is right
		if len(found) == 0 {
			t.Errorf("there is no %s", pattern)
		}
		for _, name := range found {
			tests[name] = [][]string{{name}}
		}
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			for i, files := range steps {
				args := append([]string{"-data", dir, "-partial"}, files...)
				_, table, stderr := runImport(t, args...)
				_, seq, export := contentOf(t, dir)
				if seq == 0 {
					t.Fatalf("step %d: nothing was imported\n%s%.2000s", i, table, stderr)
				}
				_, table, stderr = runImport(t, args...)
				if _, again, twice := contentOf(t, dir); again != seq || twice != export {
					t.Errorf(
						"step %d made %d transactions the second time\n%s%.1000s\n%.3000s",
						i,
						again-seq,
						table,
						stderr,
						cmp.Diff(strings.Split(export, "\n"), strings.Split(twice, "\n")),
					)
				}
			}
		})
	}
}
