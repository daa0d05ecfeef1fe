package transfer_test

import (
	"almanac/internal/tools/cmdtest"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tables are imported beside other files, into a directory and into a server.
func TestImportTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	venues := tempFile(
		t,
		"venues.csv",
		"venue name;venue city;VENUE STATE/PROVINCE;VENUE COUNTRY\r\nTown Hall;Springfield;IL;USA\r\n",
	)
	organizers := tempFile(
		t,
		"organizers.csv",
		"ORGANIZER NAME\tORGANIZER EMAIL\n\"Ann\"\tann@example.org\n",
	)
	events := tempFile(
		t,
		"events.csv",
		"\ufeffEVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,EVENT VENUE NAME,"+
			"EVENT ORGANIZER NAME,EVENT CATEGORY,EVENT COST,EVENT CURRENCY SYMBOL,TIMEZONE,EVENT DESCRIPTION\n"+
			"Jazz,3/4/2031,8:00 PM,3/4/2031,11 PM,town hall,Ann,\"Music, Late\",10,€,Europe/Paris,\"Two\nlines\"\n"+
			"Lost,32/13/2031,,,,,,,,,,\n"+
			"Fair,12/31/2031,,1/1/2032,,Town Hall,,,,,,\n",
	)
	ambiguous := tempFile(t, "ambiguous.csv", "EVENT NAME,EVENT START DATE\nMay be,03/04/2031\n")

	data := filepath.Join(dir, "data")
	exit, stdout, stderr := runImport(
		t,
		"-data",
		data,
		venues,
		sample("lindmoor.json"),
		organizers,
		events,
		ambiguous,
	)
	for _, want := range []string{
		events + `:4: record 2 (events): EVENT START DATE: "32/13/2031" is no date; write it as YYYY-MM-DD`,
		ambiguous + `:2: record 1 (events): EVENT START DATE: "03/04/2031" may be of two days, and no date of the file tells which; ` +
			`give -date-order mdy or -date-order dmy, or write it as 2031-03-04 or 2031-04-03`,
	} {
		if exit != 1 || !strings.Contains(stderr, want+"\n") {
			t.Errorf("exit status %d, want %q:\n%s", exit, want, stderr)
		}
	}
	if got := sums(t, stdout); got[3] != 2 {
		t.Errorf("refused other than two rows:\n%s", stdout)
	}
	if got := sums(t, mustImport(t, "-data", data, "-date-order", "dmy", ambiguous)); got[0] != 1 {
		t.Errorf("with an order, %v", got)
	}
	exit, stdout, _ = runImport(t, "-data", data, venues, organizers, events)
	if got := sums(t, stdout); exit != 1 || got[0]+got[1] != 0 {
		t.Errorf("again:\n%s", stdout)
	}
	exit, _, stderr = runImport(t, "-data", data, "-date-order", "year", events)
	if exit != 2 || !strings.Contains(stderr, "must be mdy, dmy or ymd") {
		t.Errorf("a wrong order: exit status %d\n%s", exit, stderr)
	}
	exit, _, stderr = runImport(t, "-data", data, tempFile(t, "other.csv", "a,b\n1,2\n"))
	if exit != 1 || !strings.Contains(stderr, "EVENT NAME") {
		t.Errorf("a table of other things: exit status %d\n%s", exit, stderr)
	}

	offline := startServer(t, "-data", data)
	online := startServer(t, "-memory")
	_, stdout, _ = runImport(
		t,
		"-to",
		online.URL,
		"-token",
		online.Token,
		venues,
		organizers,
		events,
	)
	if got := sums(t, stdout); got[0] != 6 || got[3] != 1 {
		t.Errorf("into a server:\n%s", stdout)
	}
	type summary struct{ Title, Start, End, Zone, Cost, Description, Place string }
	for _, s := range []*cmdtest.Server{offline, online} {
		got := map[string]summary{}
		for _, e := range shownEvents(t, s) {
			e := e.(object)
			text := func(name string) string { s, _ := e[name].(string); return s }
			venue, _ := e["venue"].(object)
			name, _ := venue["venue"].(string)
			city, _ := venue["city"].(string)
			got[text("slug")] = summary{
				text("title"),
				text("start_date"),
				text("end_date"),
				text("timezone"),
				text("cost"),
				text("description"),
				name + ", " + city,
			}
		}
		for slug, want := range map[string]summary{
			"jazz": {"Jazz", "2031-03-04 20:00:00", "2031-03-04 23:00:00", "Europe/Paris", "€10", "<p>Two<br />\nlines</p>",
				"Town Hall, Springfield"},
			"fair": {"Fair", "2031-12-31 00:00:00", "2032-01-01 23:59:59", "UTC", "", "", "Town Hall, Springfield"},
		} {
			if diff := cmp.Diff(want, got[slug]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", slug, diff)
			}
		}
	}
}

// A table that a server has written changes nothing, and one event when it was edited in one cell;
// a new title for the series leaves that event where the table has put it.
func TestImportOwnTable(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory", "-url", "http://calendar.example.org")
	c := s.Admin()
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"Choir","start_date":"2031-05-13 20:00","end_date":"2031-05-13 22:00","timezone":"Europe/Paris",
		"recurrence":{"rule":"FREQ=WEEKLY;COUNT=3"}}`,
	)
	c.Must(
		t,
		"POST",
		v1+"/events",
		`{"title":"=Fair","start_date":"2031-05-14","end_date":"2031-05-14","all_day":true,"cost":"5-10 €"}`,
	)
	text := c.Must(t, "GET", v1+"/events.csv?starts_after=2031-01-01", "")
	file := filepath.Join(t.TempDir(), "own.csv")
	for _, step := range []struct {
		text string
		want []int
	}{
		{text, []int{0, 0, 4, 0}},
		{strings.Replace(text, "2031-05-20,20:00:00,2031-05-20", "2031-05-21,20:00:00,2031-05-21", 1), []int{0, 1, 3, 0}},
	} {
		replace(t, file, step.text)
		if diff := cmp.Diff(step.want, sums(t, mustImport(t, "-to", s.URL, "-token", s.Token, file))); diff != "" {
			t.Errorf("sums (-want, +got):\n%s", diff)
		}
	}
	first := shownEvents(t, s)[0].(object)
	c.Must(
		t,
		"PUT",
		fmt.Sprintf("%s/events/%v?scope=all", v1, first["id"]),
		`{"title":"Big choir"}`,
	)
	var got []string
	for _, e := range shownEvents(t, s) {
		e := e.(object)
		got = append(got, fmt.Sprint(e["start_date"], " ", e["title"]))
	}
	want := []string{
		"2031-05-13 20:00:00 Big choir",
		"2031-05-14 00:00:00 =Fair",
		"2031-05-21 20:00:00 Big choir",
		"2031-05-27 20:00:00 Big choir",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
