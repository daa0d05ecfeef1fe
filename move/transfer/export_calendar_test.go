package transfer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
)

// calendarOf returns what export writes of a directory as iCalendar.
func calendarOf(t testing.TB, dir string, flags ...string) string {
	t.Helper()
	return mustRun(
		t,
		append(
			[]string{
				"export",
				"-format",
				"ical",
				"-url",
				"https://calendar.example.org",
				"-data",
				dir,
			},
			flags...)...)
}

// TestExportCalendarAlone exports worlds as calendars, imports these into empty directories, and
// exports them again: every byte is the same. Imported where it is from, a calendar changes
// nothing.
func TestExportCalendarAlone(t *testing.T) {
	race.Alone(t)
	for _, world := range []string{"@city", "@torture", tempFile(t, "seed.json", calendarSeed)} {
		t.Run(filepath.Base(world), func(t *testing.T) {
			t.Parallel()
			first := filepath.Join(t.TempDir(), "first")
			second := filepath.Join(t.TempDir(), "second")
			s := startServer(t, on(first, append([]string{"-seed", world}, still...)...)...)
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			calendar := calendarOf(t, first)
			if n := strings.Count(calendar, "BEGIN:VEVENT"); n < 10 {
				t.Fatalf("%d events were exported", n)
			}
			for _, hidden := range []string{"SUMMARY:Secret", "SUMMARY:Draft", "SUMMARY:Private"} {
				if strings.HasSuffix(world, ".json") && strings.Contains(calendar, hidden) {
					t.Errorf("%s was exported", hidden)
				}
			}
			file := filepath.Join(t.TempDir(), "calendar")
			mustRun(
				t,
				"export",
				"-format",
				"ical",
				"-url",
				"https://calendar.example.org",
				"-data",
				first,
				file,
			)
			if readFile(t, file) != calendar {
				t.Error("the file is not what is printed")
			}
			mustImport(t, "-data", second, file)
			if diff := cmp.Diff(strings.Split(calendar, "\r\n"), strings.Split(calendarOf(t, second), "\r\n")); diff != "" {
				t.Errorf("exported again (-first, +second):\n%s", diff)
			}
			wantSums(t, second, "the same again", 0, 0, file)
			eventLines(t, second)
			other := calendarOf(t, first, "-event-base", "termin")
			third := t.TempDir()
			const ours, its = "calendar.example.org/event/", "calendar.example.org/termin/"
			if n := strings.Count(calendar, ours); n < 10 || strings.Count(other, its) != n ||
				strings.Contains(other, ours) {
				t.Errorf(
					"of %d addresses of events, %d have the word of the site",
					n,
					strings.Count(other, its),
				)
			}
			mustImport(t, "-data", third, tempFile(t, "calendar.ics", other))
			if diff := cmp.Diff(strings.Split(calendar, "\r\n"), strings.Split(calendarOf(t, third), "\r\n")); diff != "" {
				t.Errorf(
					"exported with another word, and again with ours (-first, +third):\n%s",
					diff,
				)
			}
			own := mustRun(t, "export", "-data", first)
			if world == "@torture" { // a text of control characters, and an address that is no URI
				if got := sums(t, mustImport(t, "-data", first, file)); got[1] > 2 {
					t.Errorf("imported where it is from: %d changed", got[1])
				}
				return
			}
			wantSums(t, first, "where it is from", 0, 0, file)
			if diff := cmp.Diff(
				strings.Split(own, "\n"),
				strings.Split(mustRun(t, "export", "-data", first), "\n"),
			); diff != "" {
				t.Errorf("imported where it is from (-before, +after):\n%s", diff)
			}
		})
	}
}

// calendarSeed has what series, zones and days can be, and what no stranger sees.
const calendarSeed = `{
"venues": [{"id": 1, "venue": "Hall, \"A\"; B\\C", "address": "Street 1", "city": "Town", "zip": "12345", "country": "France",
	"geo_lat": 48.5, "geo_lng": -1.25}],
"organizers": [{"id": 2, "organizer": "Ann & Bob <x>", "email": "ann@example.org", "phone": "123"}],
"events": [
{"title": "Weekly", "start_date": "2031-05-13 19:00:00", "end_date": "2031-05-13 20:00:00", "timezone": "Europe/Paris", "venue": 1,
	"organizer": [2], "categories": ["Music, loud"], "tags": ["a;b"],
	"recurrence": {"rule": "FREQ=WEEKLY;COUNT=6", "exdates": ["2031-05-27"]}},
{"title": "Endless", "start_date": "2031-05-14 02:30:00", "end_date": "2031-05-14 03:30:00", "timezone": "Europe/Berlin",
	"recurrence": {"rule": "FREQ=MONTHLY;BYDAY=-1SU", "rdates": ["2031-07-01 12:00:00"]}},
{"title": "Days", "start_date": "2031-05-15", "end_date": "2031-05-16", "all_day": true, "timezone": "America/New_York",
	"recurrence": {"rule": "FREQ=DAILY;INTERVAL=3;UNTIL=20310601"}},
{"title": "UTC", "start_date": "2031-05-16 10:00:00", "end_date": "2031-05-16 10:00:00", "timezone": "UTC",
	"recurrence": {"rule": "FREQ=WEEKLY;COUNT=3"}},
{"title": "Offset", "start_date": "2031-05-17 10:00:00", "end_date": "2031-05-17 11:00:00", "timezone": "UTC+5.5"},
{"title": "Offset of programs", "start_date": "2031-05-17 10:00:00", "end_date": "2031-05-17 11:00:00", "timezone": "-03:00"},
{"title": "Abbreviation", "start_date": "2031-05-17 10:00:00", "end_date": "2031-05-17 11:00:00", "timezone": "CET"},
{"title": "Put back", "start_date": "2031-10-26 02:30:00", "end_date": "2031-10-26 02:45:00", "timezone": "Europe/Paris",
	"cost": "$10 - $20", "website": "https://example.org/?a=b,c;d&e", "featured": true, "excerpt": "Short",
	"description": "One\n\n<b>Two</b>; three, four\\n"},
{"title": "Three days", "start_date": "2031-05-18", "end_date": "2031-05-20", "all_day": true, "timezone": "Pacific/Auckland",
	"image": "https://example.org/a.png", "show_map": true},
{"title": "Secret", "start_date": "2031-05-19 10:00:00", "end_date": "2031-05-19 11:00:00", "password": "open"},
{"title": "Draft", "start_date": "2031-05-19 10:00:00", "end_date": "2031-05-19 11:00:00", "status": "draft"},
{"title": "Private", "start_date": "2031-05-19 10:00:00", "end_date": "2031-05-19 11:00:00", "status": "private"}
]}`
