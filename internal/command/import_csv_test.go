package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tables are imported beside other files, into a directory and into a server.
func TestImportTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	venues := write("venues.csv", "venue name;venue city;VENUE STATE/PROVINCE;VENUE COUNTRY\r\nTown Hall;Springfield;IL;USA\r\n")
	organizers := write("organizers.csv", "ORGANIZER NAME\tORGANIZER EMAIL\n\"Ann\"\tann@example.org\n")
	events := write("events.csv", "\ufeffEVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,EVENT VENUE NAME,"+
		"EVENT ORGANIZER NAME,EVENT CATEGORY,EVENT COST,EVENT CURRENCY SYMBOL,TIMEZONE,EVENT DESCRIPTION\n"+
		"Jazz,3/4/2031,8:00 PM,3/4/2031,11 PM,town hall,Ann,\"Music, Late\",10,€,Europe/Paris,\"Two\nlines\"\n"+
		"Lost,32/13/2031,,,,,,,,,,\n"+
		"Fair,12/31/2031,,1/1/2032,,Town Hall,,,,,,\n")
	ambiguous := write("ambiguous.csv", "EVENT NAME,EVENT START DATE\nMay be,03/04/2031\n")

	data := filepath.Join(dir, "data")
	exit, stdout, stderr := runImport(t, "-data", data, venues, sample("lindmoor.json"), organizers, events, ambiguous)
	for _, want := range []string{
		events + `:4: record 2 (events): EVENT START: "32/13/2031" is no date; write it as YYYY-MM-DD`,
		ambiguous + `:2: record 1 (events): EVENT START: "03/04/2031" may be of two days, and no date of the file tells which; ` +
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
	if exit, _, stderr := runImport(t, "-data", data, write("other.csv", "a,b\n1,2\n")); exit != 1 || !strings.Contains(stderr, "EVENT NAME") {
		t.Errorf("a table of other things: exit status %d\n%s", exit, stderr)
	}

	offline, online := startServer(t, "-data", data), startServer(t, "-memory")
	_, stdout, _ = runImport(t, "-to", online.url, "-token", online.token, venues, organizers, events)
	if got := sums(t, stdout); got[0] != 6 || got[3] != 1 {
		t.Errorf("into a server:\n%s", stdout)
	}
	type summary struct{ Title, Start, End, Zone, Cost, Description, Place string }
	for _, s := range []*testServer{offline, online} {
		got := map[string]summary{}
		for _, e := range shownEvents(t, s) {
			e := e.(object)
			text := func(name string) string { s, _ := e[name].(string); return s }
			venue, _ := e["venue"].(object)
			name, _ := venue["venue"].(string)
			city, _ := venue["city"].(string)
			got[text("slug")] = summary{text("title"), text("start_date"), text("end_date"), text("timezone"), text("cost"),
				text("description"), name + ", " + city}
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
