package transfer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportCalendarRefusals imports invalid events among valid ones: each invalid one is reported
// with file, line and reason, and the valid ones are stored.
func TestImportCalendarRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	day := "DTSTART;VALUE=DATE:20310510|SUMMARY:x"
	bad := []struct{ lines, want string }{
		{"SUMMARY:x", "has no DTSTART"},
		{"DTSTART:tomorrow|SUMMARY:x", `line 19, DTSTART: "tomorrow" is no date`},
		{"DTSTART;TZID=Mars:20310510T190000|SUMMARY:x", `the time zone "Mars" is not known`},
		{"DTSTART:20310510T190000Z|DTEND:20310510T180000Z|SUMMARY:x", "before it starts"},
		{"DTSTART:20310510T190000Z|DURATION:PT|SUMMARY:x", `"PT" is no duration`},
		{day + "|RRULE:FREQ=NEVER", `"NEVER"`},
		{day + "|RRULE:FREQ=DAILY|RRULE:FREQ=WEEKLY", "there are two"},
		{day + "|RRULE:FREQ=DAILY|EXRULE:FREQ=WEEKLY", "EXRULE: is not known"},
		{
			"DTSTART:20310510T190000Z|SUMMARY:x|RRULE:FREQ=SECONDLY",
			"it gives more than 1000 events within 25 months",
		},
		{
			"DTSTART:19000510T190000Z|SUMMARY:x|RRULE:FREQ=DAILY;UNTIL=20200101T000000Z",
			"it gives more than",
		},
		{
			"DTSTART:16000510T190000Z|SUMMARY:x|RRULE:FREQ=SECONDLY;COUNT=999999999;BYSECOND=1,7",
			"it gives more than",
		},
		{
			"DTSTART:20310510T190000Z|SUMMARY:x|RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
			"never gives a date",
		},
		{
			"DTSTART:20310510T190000Z|SUMMARY:x|RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
			"never gives a date",
		},
		{
			"DTSTART:20310510T190000Z|SUMMARY:x|DURATION:PT1H|RDATE;VALUE=PERIOD:20310512T190000Z/PT2H",
			"a period has another length",
		},
		{day + "|RECURRENCE-ID;RANGE=THISANDFUTURE:20310510", "RANGE=THISANDFUTURE is not known"},
		{
			day + "|RRULE:FREQ=DAILY;COUNT=3" + strings.Repeat(
				"|EXDATE;VALUE=DATE:20310511",
				5001,
			),
			"there are more than 5000 dates",
		},
		{day + strings.Repeat("|EXDATE:20310511T190000Z", 1_000_000), "is larger than 4 MiB"},
		{"DTSTART:20310510T190000Z|SUMMARY:Caf\xe9", "is not UTF-8; convert the file"},
		{"DTSTART;VALUE=DATE:20310510|STATUS:CANCELLED", "is cancelled, and is not known here"},
		{day + strings.Repeat("|BEGIN:VALARM", 10_000), "components are nested more than 16 deep"},
	}
	parts := []string{
		vevent("first", "DTSTART:20310510T190000Z|SUMMARY:first"),
		vevent("untitled", "DTSTART:20310510T190000Z|SUMMARY: "),
	}
	for i, b := range bad {
		parts = append(parts, vevent(fmt.Sprint("bad", i), b.lines))
	}
	parts = append(parts, vevent("last", "DTSTART:20310510T190000Z|SUMMARY:la\x00st"))
	file := calendarFile(t, parts...)
	exit, stdout, stderr := runImport(t, "-data", dir, file)
	lines := strings.Split(stderr, "\n")
	for i, b := range bad {
		at := -1
		for j, line := range lines {
			if strings.Contains(line, fmt.Sprintf("bad%d:", i)) ||
				strings.Contains(line, fmt.Sprintf("bad%d)", i)) {
				at = j
			}
		}
		if at < 0 || !strings.HasPrefix(lines[at], file+":") ||
			!strings.Contains(lines[at], b.want) {
			t.Errorf("%.60s: refused with %q, want %q", b.lines, lines[max(at, 0)], b.want)
		}
	}
	if got := sums(t, stdout); exit != 1 || got[0] != 3 || got[3] != len(bad) {
		t.Errorf("exit status %d\n%s", exit, stdout)
	}
	wantHeld(
		t,
		dir,
		"what could be taken",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC (No title)",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC first",
		"2031-05-10 19:00:00 to 2031-05-10 19:00:00 UTC last",
	)
}

// TestImportCalendarTo imports a server's own calendar into it, which changes nothing.
func TestImportCalendarTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, on(dir, still...)...)
	file := calendarFile(
		t,
		vevent(
			"x",
			"SUMMARY:Choir|DTSTART;TZID=Europe/Paris:20310513T190000|RRULE:FREQ=WEEKLY;COUNT=3",
		),
		vevent(
			"x",
			"SUMMARY:Late|DTSTART;TZID=Europe/Paris:20310520T200000|RECURRENCE-ID;TZID=Europe/Paris:20310520T190000",
		),
		vevent("7-1-2@old.example.org", "SUMMARY:Moved|DTSTART:20310513T190000Z"),
	)
	to := []string{"-to", s.URL, "-token", s.Admin().Token}
	if got := sums(t, mustImport(t, append(to, file)...)); got[0] != 4 {
		t.Errorf("%d were made, want 4", got[0])
	}
	c := s.Admin()
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Own","start_date":"2031-05-14 19:00:00","end_date":"2031-05-14 20:00:00"}`,
	)
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Own","start_date":"2031-05-15 19:00:00","end_date":"2031-05-15 20:00:00",
		"recurrence":{"rule":"FREQ=DAILY;COUNT=3"}}`,
	)
	own := filepath.Join(t.TempDir(), "own")
	mustRun(
		t,
		"export",
		"-format",
		"ical",
		"-url",
		"http://calendar.example.org",
		"-data",
		dir,
		own,
	)
	before := c.Everything(t)
	for _, again := range []string{file, own} {
		if got := sums(t, mustImport(t, append(to, again)...)); got[0] != 0 || got[1] != 0 ||
			got[3] != 0 {
			t.Errorf("%s again: %v", filepath.Base(again), got)
		}
	}
	if after := c.Everything(t); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("importing again changed something")
	}
	// Events from JSON are identified by the id in the UID.
	listing := tempFile(
		t,
		"events.json",
		`{"events":[{"id":7,"global_id":"old.example.org?id=7","title":"Moved",
		"start_date":"2031-05-13 19:00:00","end_date":"2031-05-13 19:00:00","timezone":"UTC"}]}`,
	)
	if got := sums(t, mustImport(t, append(to, listing)...)); got[0] != 0 {
		t.Errorf("the same event as JSON: %v", got)
	}
}

// A refusal is one line, without characters that a terminal obeys, whatever the document has.
func TestImportPlain(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "list.json")
	list := `{"events":[{"global_id":"x\u001b[2J\u009b31m\u202e\nalmanac: all is well","title":"A","start_date":"never"}]}`
	if err := os.WriteFile(name, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	exit, _, stderr := runImport(t, "-data", filepath.Join(t.TempDir(), "data"), name)
	want := name + `: record 1 (events x\u001b[2J\u009b31m\u202e\u000aalmanac: all is well): `
	if lines := strings.Split(stderr, "\n"); exit != 1 || !strings.HasPrefix(lines[0], want) ||
		!strings.HasPrefix(lines[1], "almanac: ") {
		t.Errorf("%d %q, want %q", exit, stderr, want)
	}
}
