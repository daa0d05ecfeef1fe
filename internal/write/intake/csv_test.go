package intake_test

import (
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/i18n/cldr"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/internal/write/intake"
	"almanac/internal/write/seed"
	"almanac/move/files"
	"almanac/store"
)

// table returns a file of the testdata.
func table(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ignored are fields of stored records that no file contains.
var ignored = cmp.Options{
	cmpopts.IgnoreTypes(
		store.Meta{},
	), cmpopts.IgnoreFields(store.Post{}, "Date", "Modified", "Author", "Status", "Slug"),
	cmpopts.EquateEmpty(),
}

func TestTables(t *testing.T) {
	c := newCalendar(t)
	c.mustLoad(table(t, "venues.csv"))
	c.mustLoad(table(t, "organizers.csv"))
	c.mustLoad(table(t, "events.csv"))
	venues := all[*store.Venue](c, store.Venues)
	organizers := all[*store.Organizer](c, store.Organizers)
	terms := all[*store.Term](c, store.Categories)
	for slug, want := range map[string]*store.Venue{
		"town-hall": {
			Post: store.Post{
				Description: "Built in 1890.\n\nWarm.",
			},
			Name:          "Town Hall",
			Address:       "1 Main St, Room 2",
			City:          "Springfield",
			State:         "IL",
			StateProvince: "IL",
			Zip:           "62701",
			Country:       "United States",
			Phone:         "+1 555 0100",
			Website:       "https://hall.example/",
			ShowMap:       true,
		},
		"cafe-am-see": {
			Name:          "Café, am See",
			Address:       "Seestraße 5",
			City:          "Bern",
			Province:      "BE",
			StateProvince: "BE",
			Country:       "Switzerland",
			ShowMap:       true,
			ShowMapLink:   true,
		},
		"new-place": {Name: "New Place", ShowMap: true, ShowMapLink: true},
	} {
		if diff := cmp.Diff(want, venues[slug], ignored); diff != "" {
			t.Errorf("venue %s (-want +got):\n%s", slug, diff)
		}
	}
	if diff := cmp.Diff(&store.Organizer{
		Name:    "Ann Smith",
		Email:   "ann@example.org",
		Phone:   "555",
		Website: "https://ann.example/",
	},
		organizers["ann-smith"], ignored); diff != "" {
		t.Errorf("organizer (-want +got):\n%s", diff)
	}
	images := all[*store.Image](c, store.Images)
	tags := all[*store.Term](c, store.Tags)
	events := all[*store.Event](c, store.Events)
	for slug, want := range map[string]*store.Event{
		"jazz-blues": {
			Post: store.Post{
				Description: "Two lines:\nthis, and \"that\".",
				Excerpt:     "In short",
				Image:       images["https://x.example/a.jpg"].ID,
			},
			Title:    "Jazz & Blues",
			Start:    wallOf(t, "2031-12-31 20:00:00"),
			End:      wallOf(t, "2032-01-01 01:00:00"),
			Timezone: "America/Chicago",
			Cost: store.Cost{
				Entries:  []string{"10", "20"},
				Symbol:   "€",
				Position: "postfix",
				Code:     "EUR",
				Wording:  "10-20",
			},
			Website:    "https://x.example/?a=1&b=2",
			Sticky:     true,
			ShowMap:    true,
			Venues:     []int64{venues["town-hall"].ID},
			Organizers: []int64{organizers["ann-smith"].ID, organizers["bob"].ID},
			Categories: []int64{terms["music"].ID, terms["rb"].ID},
			Tags:       []int64{tags["loud"].ID},
		},
		"fair": {
			Title:            "Fair",
			AllDay:           true,
			Start:            wallOf(t, "2031-11-27 00:00:00"),
			End:              wallOf(t, "2031-11-29 23:59:59"),
			Timezone:         "America/New_York",
			Venues:           []int64{venues["new-place"].ID},
			HideFromListings: true,
			ShowMapLink:      true,
			ShowMap:          true,
		},
		"11": {
			Title:    "=1+1",
			Start:    wallOf(t, "2031-05-13 12:00:00"),
			End:      wallOf(t, "2031-05-13 12:00:00"),
			Timezone: "America/New_York",
			Venues:   []int64{venues["cafe-am-see"].ID},
			Cost:     store.Cost{Entries: []string{"7.50"}},
		},
	} {
		if diff := cmp.Diff(want, events[slug], ignored); diff != "" {
			t.Errorf("event %s (-want +got):\n%s", slug, diff)
		}
	}
	if len(events) != 3 || len(venues) != 3 || len(organizers) != 2 {
		t.Errorf("%d events, %d venues, %d organizers", len(events), len(venues), len(organizers))
	}

	for _, name := range []string{"venues.csv", "organizers.csv", "events.csv"} {
		for what, n := range counts(c.mustLoad(table(t, name))) {
			if !strings.HasSuffix(what, string(write.Unchanged)) {
				t.Errorf("%s again: %d %s", name, n, what)
			}
		}
	}
}

func wallOf(t testing.TB, text string) (w store.Wall) {
	t.Helper()
	if err := w.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return w
}

// A newer table changes what it says, and leaves what it has no column for.
func TestTableNewer(t *testing.T) {
	c := newCalendar(t)
	c.mustLoad(table(t, "venues.csv"))
	c.mustLoad(table(t, "events.csv"))
	before := all[*store.Event](c, store.Events)["jazz-blues"]
	report := c.mustLoad(
		"Event Name;EVENT START DATE;event start time;Timezone;EVENT_END_DATE;EVENT END TIME;EVENT COST;EVENT TAGS\r\n" +
			"Jazz & Blues;2031-12-31;8 pm;America/Chicago;2031-12-31;11:30 p.m.;7;\r\n;;;;;;;\r\n",
	)
	if diff := cmp.Diff(map[string]int{"events updated": 1}, counts(report)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	want := *before
	want.End = wallOf(t, "2031-12-31 23:30:00")
	want.Entries = []string{"7"}
	want.Tags = nil
	want.Symbol = ""
	want.Code = ""
	want.Position = ""
	want.Wording = ""
	if diff := cmp.Diff(&want, all[*store.Event](c, store.Events)["jazz-blues"], ignored); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	// Another start is another event.
	report = c.mustLoad(
		"EVENT NAME\tEVENT START DATE\tEVENT START TIME\nJazz & Blues\t2031-12-30\t20:00\n",
	)
	if diff := cmp.Diff(map[string]int{"events created": 1}, counts(report)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}

	// A state without a reason keeps the reason, and a cost without a currency the symbol.
	c.mustLoad(list(event(1, `,"event_status":"canceled","event_status_reason":"Rain",
		"cost":"$5","cost_details":{"currency_symbol":"$","values":["5"]}`)))
	report = c.mustLoad(
		"EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END TIME,EVENT STATE,EVENT COST\n" +
			"E1,2031-06-01,10:00,11:00,canceled,$5\n",
	)
	if diff := cmp.Diff(map[string]int{"events unchanged": 1}, counts(report)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}

	report = c.mustLoad("VENUE NAME,VENUE PHONE\ntown hall,\n\"Café, am See\",1\n")
	venue := all[*store.Venue](c, store.Venues)["town-hall"]
	if venue.Phone != "" || venue.City != "Springfield" || venue.Description == "" ||
		venue.Name != "town hall" {
		t.Errorf("venue %+v, report %v", venue, counts(report))
	}
}

// The dates of a file are read in one order.
func TestTableDates(t *testing.T) {
	for _, c := range []struct {
		name  string
		order files.DateOrder
		dates []string
		want  []string // or a part of the reason why it is refused
	}{
		{"ISO", "", []string{"2031-05-10", "2031-5-1", "2031/05/10"}, []string{"2031-05-10", "2031-05-01", "2031-05-10"}},
		{"points", "", []string{"31.12.2031", "3.4.2031"}, []string{"2031-12-31", "2031-04-03"}},
		{"digits alone", "", []string{"20311231"}, []string{"2031-12-31"}},
		{"a short year", "", []string{"06.12.31", "06.13.31"}, []string{"write it as 2031-12-06", "write it as YYYY-MM-DD"}},
		{"names", "", []string{"May 10, 2031", "10 May 2031"}, []string{"2031-05-10", "2031-05-10"}},
		{"month first", "", []string{"03/04/2031", "12/31/2031", "2031-01-01"}, []string{"2031-03-04", "2031-12-31", "2031-01-01"}},
		{"day first", "", []string{"03/04/2031", "31-12-2031"}, []string{"2031-04-03", "2031-12-31"}},
		{"nothing tells", "", []string{"03/04/2031", "2031-01-01", "4/4/2031"},
			[]string{"no date of the file tells which; give -date-order mdy or -date-order dmy, or write it as 2031-03-04 or 2031-04-03",
				"2031-01-01", "2031-04-04"}},
		{"no such day", "", []string{"05/45/2031", "45/05/2031"}, []string{`"05/45/2031" is no date`, `"45/05/2031" is no date`}},
		{"both", "", []string{"03/04/2031", "13/04/2031", "04/13/2031"},
			[]string{"line 4 of the file has the month first and line 3 the day", "2031-04-13", "2031-04-13"}},
		{"told month first", "mdy", []string{"03/04/2031", "13/04/2031", "3/4/31"},
			[]string{"2031-03-04", `"13/04/2031" is no date in the order mdy`, "2031-03-04"}},
		{"told day first", "dmy", []string{"03/04/2031", "3.4.31"}, []string{"2031-04-03", "2031-04-03"}},
		{"told year first", "ymd", []string{"31/04/03", "03/04/2031"}, []string{"2031-04-03", "is no date in the order ymd"}},
		{"short", "", []string{"3/4/31"}, []string{`"3/4/31" is no date; write it as 2031-03-04 or 2031-04-03`}},
		{"none", "", []string{"31/02/2031", "2031-02-30", "soon", ""}, []string{"is no date", "is no date", "is no date", "is no date"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "EVENT NAME,EVENT START DATE\n"
			for i, date := range c.dates {
				file += fmt.Sprintf("E%d,\"%s\"\n", i, date)
			}
			var got []string
			err := files.Reader{
				DateOrder: c.order,
			}.Read(strings.NewReader(file), "f.csv", func(item intake.Item) error {
				if item.Line != len(got)+2 || item.Position != len(got)+1 {
					t.Errorf("item %d is in line %d", item.Position, item.Line)
				}
				_, date, _ := strings.Cut(string(item.Record), `"start_date":"`)
				got = append(
					got,
					item.Reject+strings.TrimSuffix(date[:min(len(date), 19)], " 00:00:00"),
				)
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(
				c.want,
				got,
				func(want, got string) bool { return strings.Contains(got, want) },
			) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Rows are not retained: their memory is free when the next ones are read.
func TestTableMemory(t *testing.T) {
	row := "E,2031-05-10," + strings.Repeat("x", 1<<16) + "\n"
	rows := slices.Repeat([]io.Reader{nil}, 500)
	for i := range rows {
		rows[i] = strings.NewReader(row)
	}
	before := heap()
	n := 0
	head := strings.NewReader("EVENT NAME,EVENT START DATE,EVENT DESCRIPTION\n")
	err := files.Reader{}.Read(
		io.MultiReader(append([]io.Reader{head}, rows...)...),
		"f.csv",
		func(intake.Item) error {
			if n++; n == len(rows)-1 {
				if after := heap(); after > before+2<<20 {
					t.Errorf("%d bytes are kept of %d rows of %d bytes", after-before, n, len(row))
				}
			}
			return nil
		},
		nil,
	)
	if err != nil || n != len(rows) {
		t.Errorf("%d rows, %v", n, err)
	}
}

// A date of the rows behind those that could wait cannot change what was decided.
func TestTableLarge(t *testing.T) {
	pad := strings.Repeat("x", 1<<20)
	file := "EVENT NAME,EVENT START DATE,EVENT DESCRIPTION\nA,03/04/2031,\nB,03/31/2031,\n" +
		strings.Repeat("C,03/05/2031,"+pad+"\n", 33) + "D,31/03/2031,\nE,03/06/2031,\n"
	var got []string
	err := files.Reader{}.Read(strings.NewReader(file), "f.csv", func(item intake.Item) error {
		got = append(got, item.Reject)
		return nil
	}, nil)
	if err != nil || len(got) != 37 ||
		!strings.Contains(got[35], "in another order than the date in line 3") ||
		strings.Join(got, "") != got[35] {
		t.Errorf("%q, %v", got, err)
	}
	endless := strings.NewReader("EVENT NAME,EVENT START DATE\nA\n\"" + strings.Repeat(pad, 20))
	err = files.Reader{}.Read(endless, "f.csv", func(intake.Item) error { return nil }, nil)
	if err == nil ||
		!strings.Contains(err.Error(), "f.csv: behind record 1: the row has more than 8 MiB") {
		t.Errorf("a row without end: %v", err)
	}
}

func TestTableRefusals(t *testing.T) {
	c := newCalendar(t)
	const file = "\ufeffEVENT NAME,EVENT START DATE,EVENT START TIME,ALL DAY EVENT,TIMEZONE,PRICE TIER\n" +
		"A,2031-05-10,25:00,,,\n" + // 2
		"\"B\nb\",2031-05-10,8:00 PM,maybe,,\n" + // 3
		"C,2031-05-10,20:00,,Mars/Olympus,\n" + // 5
		"D \"d\" D,\"x\"y,,,,\n" + // 6
		"E,2031-05-10,20:00,TRUE,,,extra\n" + // 7
		"\xff,2031-05-10,20:00,TRUE,,\n" + // 8
		",2031-05-10,20:00,,,\n" + // 9
		"G,2031-05-10,20:00,no,,gold\n" // 10
	report := c.load(file)
	var got []string
	for _, refusal := range report.Refusals {
		got = append(got, fmt.Sprintf("%s:%d: record %d (%s): %s", refusal.File, refusal.Line,
			refusal.Position, refusal.Kind, refusal.Reason))
	}
	want := []string{
		`f.json:2: record 1 (events): EVENT START TIME: "25:00" is no time of day; write it as 20:00 or 8:00 PM`,
		`f.json:3: record 2 (events): ALL DAY EVENT must be TRUE or FALSE, not "maybe"`,
		`f.json:5: record 3 (events): time zone "Mars/Olympus": give an IANA name`,
		`f.json:6: record 4 (events): is no row: bare " in non-quoted-field in line 6; a quote inside a quoted cell is written twice`,
		`f.json:8: record 6 (events): is not UTF-8; save the file as "CSV UTF-8"`,
		`f.json:9: record 7 (events): has neither title nor description nor excerpt`,
	}
	if !slices.EqualFunc(
		want,
		got,
		func(want, got string) bool { return strings.HasPrefix(got, want) },
	) {
		t.Errorf("refusals (-want +got):\n%s", cmp.Diff(want, got))
	}
	if diff := cmp.Diff(map[string]int{"events created": 2}, counts(report)); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	left := `f.csv: not taken: 1 cells in no column, the first in line 7, 1 cells of the column "PRICE TIER"`
	if diff := cmp.Diff(left, leftOf(t, file)); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// Tables of the built-in seeds are imported too; the last seed has unusual values.
func TestTablesOfSeeds(t *testing.T) {
	unchanged := func(what string, r intake.Report) {
		t.Helper()
		for outcome, n := range counts(r) {
			if !strings.HasSuffix(outcome, string(write.Unchanged)) {
				t.Errorf("%s: %d %s", what, n, outcome)
			}
		}
	}
	for _, name := range seed.ProfileNames() {
		here := newCalendar(t)
		there := newCalendar(t)
		if err := seed.PlantFile(here.Store, name, seed.Options{
			Now:  noon,
			Site: here.options.Site,
		}); err != nil {
			t.Fatal(err)
		}
		file := asTable(here, "http://home.example:8080")
		whole := name != "@torture" // where categories have one name, and events passwords
		if r := here.mustLoad(file); whole {
			unchanged(name+" in its own place", r)
		}
		there.options.Home = "there.example"
		for _, refusal := range there.load(file).Refusals {
			if whole || !strings.Contains(refusal.Reason, "is protected by a password") {
				t.Errorf("%s: %v", name, refusal)
			}
		}
		unchanged(name+" again", there.load(file))
		if diff := cmp.Diff(columnsOf(t, file), columnsOf(t, asTable(there, "http://there.example"))); whole &&
			diff != "" {
			t.Errorf("%s (-here +there):\n%s", name, diff)
		}
	}
}

// asTable writes all events of a calendar as CSV.
func asTable(c *calendar, origin string) string {
	c.Helper()
	var b []byte
	err := c.View(func(v *store.View) error {
		r := &render.Renderer{
			Source:   v,
			Origin:   origin,
			API:      origin,
			Site:     c.options.Site,
			Zones:    &caltime.Zones{},
			Currency: cldr.Currency{Code: "USD", Symbol: "$"},
			Locale:   cldr.Of("en"),
			Free:     "Free",
			Readable: func(*store.Post) bool { return true },
			Unlocked: func(e *store.Event) bool { return e.Password == "" },
		}
		var events []*store.Event
		for e := range v.Each(store.Events) {
			events = append(events, e.(*store.Event))
		}
		slices.SortFunc(events, store.ByStart)
		var l feed.List
		for _, e := range events {
			inside, _ := r.Inside(e)
			l.AddFields(inside)
		}
		b = feed.CSV.Head(b, &l)
		for _, e := range events {
			inside, _ := r.Inside(e)
			b = feed.CSV.Cells(feed.CSV.Event(b, r, e), &l, inside)
		}
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
	return string(b)
}

// A table that was written by this program makes the same events again.
func TestTableOfOurs(t *testing.T) {
	here := newCalendar(t)
	here.mustLoad(table(t, "venues.csv"))
	here.mustLoad(table(t, "events.csv"))
	here.mustLoad(list(
		event(
			1,
			`,"description":"Typed.\n\n-- Twice","cost":"from -5 €","recurrence":{"series":9,"rule":"FREQ=DAILY;COUNT=2",
			"start":"2031-06-01 10:00:00"},
			"venue":[{"venue":"'=A","geo_lat":-73.98,"geo_lng":0},{"venue":"B, C\\"}],"global_id_lineage":["x, y\\?id=3"]`,
		),
		event(
			2,
			`,"status":"draft","all_day":true,"organizer":[{"organizer":"-5"},{"organizer":"+A, @B"}],
			"custom_fields":{"z":{"label":"=Zed, \"z\"","value":"-1;\r\n@x"},"a [b] 50%":{"label":"A [b]","value":"'=1"},"é":"e"}`,
		),
		event(
			3,
			`,"custom_fields":{"é":"f","z":{"label":"Another [label]","value":"3"},"EVENT NAME":"x","event_slug":"no_slug"}`,
		),
	))
	const origin = "http://home.example:8080"
	file := asTable(here, origin)
	for what, n := range counts(here.mustLoad(file)) {
		if !strings.HasSuffix(what, string(write.Unchanged)) {
			t.Errorf("%d %s by the table of the calendar itself", n, what)
		}
	}

	there := newCalendar(t)
	there.options.Home = "there.example"
	there.mustLoad(file)
	for what, n := range counts(there.mustLoad(file)) {
		if !strings.HasSuffix(what, string(write.Unchanged)) {
			t.Errorf("%d %s by the same table", n, what)
		}
	}
	// Ids and addresses differ; everything else is equal.
	if diff := cmp.Diff(columnsOf(t, file), columnsOf(t, asTable(there, "http://there.example"))); diff != "" {
		t.Errorf("tables (-here +there):\n%s", diff)
	}
}

// The header of a column of a custom field is its label, with the key in brackets if that differs.
// An empty cell removes the field, all others stay. Other unknown columns are reported.
func TestColumnsOfFields(t *testing.T) {
	c := newCalendar(t)
	const head = "EVENT NAME,EVENT START DATE,EVENT START TIME,"
	load := func(columns, cells string, want store.CustomFields) {
		t.Helper()
		file := head + columns + "\nChoir,2031-05-13,20:00," + cells + "\n"
		c.mustLoad(file)
		for _, e := range all[*store.Event](c, store.Events) {
			if diff := cmp.Diff(want, e.CustomFields); diff != "" {
				t.Errorf("%s (-want +got):\n%s", columns, diff)
			}
		}
		left := `f.csv: not taken: 1 cells of the column "Price [EUR]"`
		if diff := cmp.Diff(left, leftOf(t, file)); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", columns, diff)
		}
	}
	z := store.CustomField{Key: "zone_a", Label: "zone_a", Value: "5"}
	dress := store.CustomField{Key: "_ecp_custom_2", Label: "Dress", Value: "tie"}
	load(
		"FIELD: zone_a,field:Dress [_ecp_custom_2],FIELD:,Price [EUR]",
		"5,tie,,7",
		store.CustomFields{z, dress},
	)
	load("Price [EUR],FIELD: Shoes", "7,black", store.CustomFields{z, dress, {
		Key:   "Shoes",
		Label: "Shoes",
		Value: "black",
	}})
	load(
		"Price [EUR],FIELD: Shoes,FIELD: zone_a,FIELD: Zone [zone_a]",
		"7,,5,",
		store.CustomFields{z, dress},
	)
	c.mustLoad("VENUE NAME,FIELD: Seats\nHall,300\n")
	if got := all[*store.Venue](c, store.Venues)["hall"].CustomFields; len(got) != 1 ||
		got[0].Value != "300" {
		t.Errorf("the hall has %v", got)
	}
	many := head + strings.Repeat("FIELD: a,", 997) + "FIELD: b\nChoir,2031-05-13,20:00" +
		strings.Repeat(",x", 998) + "\n"
	c.mustLoad(many)
	left := `f.csv: not taken: 1 cells of the column "FIELD: b"`
	if diff := cmp.Diff(left, leftOf(t, many)); diff != "" {
		t.Errorf("many columns (-want +got):\n%s", diff)
	}
}

// Tables of Google and Outlook are in plain text, in the zone of the site, and whole days end when
// the day behind them begins.
func TestAppointments(t *testing.T) {
	const file = "\"Subject\",\"Start Date\",\"Start Time\",\"End Date\",\"End Time\",\"All day event\",\"Reminder on/off\",\"Categories\"," +
		"\"Description\",\"Location\",\"Private\",\"Sensitivity\"\r\n" +
		"Q&amp;A <live>,12/24/2031,7:00:00 PM,12/24/2031,9:30:00 PM,False,True,Music;R&B,\"First <line>\r\n\r\nSecond\"," +
		"\"Town Hall, 1 Main St, Springfield\",False,Normal\r\n" +
		"One day,12/24/2031,12:00:00 AM,12/25/2031,12:00:00 AM,True,False,,,,False,Normal\r\n" +
		"Three days,12/24/2031,,12/26/2031,,TRUE,,,,,,\r\n" +
		"Dentist,12/3/2031,8:00 AM,,,False,,,,Practice,TRUE,\r\n" +
		"Talk,12/3/2031,9:00 AM,12/3/2031,9:15 AM,,,,,,,Confidential\r\n"
	type said struct{ Title, Start, End, Zone, Description, Status, Venue, Address string }
	want := []said{
		{
			"Dentist",
			"2031-12-03 08:00:00",
			"2031-12-03 08:00:00",
			"America/New_York",
			"",
			"private",
			"Practice",
			"",
		},
		{
			"One day",
			"2031-12-24 00:00:00",
			"2031-12-24 23:59:59",
			"America/New_York",
			"",
			"publish",
			"",
			"",
		},
		{
			"Q&amp;amp;A &lt;live&gt;",
			"2031-12-24 19:00:00",
			"2031-12-24 21:30:00",
			"America/New_York",
			"<p>First &lt;line&gt;</p>\n<p>Second</p>\n",
			"publish",
			"Town Hall",
			"1 Main St, Springfield",
		},
		{
			"Talk",
			"2031-12-03 09:00:00",
			"2031-12-03 09:15:00",
			"America/New_York",
			"",
			"private",
			"",
			"",
		},
		{
			"Three days",
			"2031-12-24 00:00:00",
			"2031-12-26 23:59:59",
			"America/New_York",
			"",
			"publish",
			"",
			"",
		},
	}
	inUTF16 := func(order binary.AppendByteOrder, text string) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var tabs strings.Builder
	w := csv.NewWriter(&tabs)
	w.Comma = '\t'
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"UTF-8":                file,
		"UTF-8 with a mark":    "\ufeff" + file,
		"UTF-16":               inUTF16(binary.LittleEndian, file),
		"UTF-16 the other way": inUTF16(binary.BigEndian, file),
		"UTF-16 with tabs":     inUTF16(binary.LittleEndian, tabs.String()),
	} {
		c := newCalendar(t)
		c.mustLoad(file)
		left := `f.csv: not taken: 2 cells of the column "Reminder on/off"`
		if diff := cmp.Diff(left, leftOf(t, file)); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", name, diff)
		}
		venues := map[int64]*store.Venue{}
		for _, v := range all[*store.Venue](c, store.Venues) {
			venues[v.ID] = v
		}
		var got []said
		for _, e := range all[*store.Event](c, store.Events) {
			s := said{
				e.Title,
				e.Start.String(),
				e.End.String(),
				e.Timezone,
				e.Description,
				string(e.Status),
				"",
				"",
			}
			for _, id := range e.Venues {
				s.Venue = venues[id].Name
				s.Address = venues[id].Address
			}
			got = append(got, s)
		}
		slices.SortFunc(got, func(a, b said) int { return strings.Compare(a.Title, b.Title) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", name, diff)
		}
		if terms := all[*store.Term](c, store.Categories); len(terms) != 2 || terms["rb"] == nil {
			t.Errorf("%s: categories %v", name, terms)
		}
		if n := counts(c.mustLoad(file)); n["events unchanged"] != len(want) ||
			n["events updated"]+n["events created"] > 0 {
			t.Errorf("%s again: %v", name, n)
		}
	}
	// Nobody knows which day this is.
	report := newCalendar(t).load("Subject,Start Date\nDentist,12/3/2031\n")
	if len(report.Refusals) != 1 ||
		!strings.Contains(report.Refusals[0].Reason, "may be of two days") {
		t.Errorf("a date of two days: %v", report.Refusals)
	}
}

// Half a character of UTF-16 is refused with its row, and half a unit with the file.
func TestBrokenUTF16(t *testing.T) {
	lines := func(last string) string {
		var b strings.Builder
		for _, c := range "\ufeffEVENT NAME,EVENT START DATE\nA,2031-05-10\n" {
			b.Write([]byte{byte(c), byte(c >> 8)})
		}
		return b.String() + last
	}
	for last, want := range map[string]string{
		"\x00\xd8,\x00x\x00": "is not UTF-8",
		"\x00\xdc,\x00x\x00": "is not UTF-8",
		"\x00\xd8":           "is not UTF-8",
		"x":                  "unexpected EOF",
		"":                   "",
	} {
		items, err := read(lines(last))
		got := fmt.Sprint(err)
		for _, item := range items {
			got += item.Reject
		}
		if !strings.Contains(got, want) || want == "" && (err != nil || len(items) != 1) {
			t.Errorf("%q: %v, %v; want %s", last, items, err, want)
		}
	}
}

// starts returns the starts of the events that are not in the trash, with their titles and ids, in
// order.
func (c *calendar) starts() (all []string) {
	for _, e := range eventsOf(c) {
		if e.Status != store.Trash {
			all = append(all, fmt.Sprintf("%s %s %d", e.Start, e.Title, e.ID))
		}
	}
	slices.Sort(all)
	return all
}

// series returns the series by their ids.
func (c *calendar) series() (all []*store.Series) {
	_ = c.View(func(v *store.View) error {
		all = v.SeriesByID()
		return nil
	})
	return all
}

// eventsOf returns all events, also those that share a slug.
func eventsOf(c *calendar) (events []*store.Event) {
	c.Helper()
	if err := c.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			events = append(events, r.(*store.Event))
		}
		return nil
	}); err != nil {
		c.Fatal(err)
	}
	return events
}

// A row is known by its UID or its number before its name and start, so that a start which was
// wrong is corrected.
func TestTableIdentity(t *testing.T) {
	const plain = "EVENT NAME,EVENT START DATE\n"
	const uid, number = "EVENT NAME,EVENT START DATE,UID\n", "EVENT NAME,EVENT START DATE,EVENT ID\n"
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
		wrong string
	}{
		{"a start that is corrected", []string{uid + "A,2031-05-10,a@x.example\n", uid + "A,2031-05-11,a@x.example\n"},
			[]string{"2031-05-11 00:00:00 A 1"}, ""},
		{"a name and a start", []string{uid + "A,2031-05-10,a@x.example\n", uid + "B,2031-05-11,a@x.example\n"},
			[]string{"2031-05-11 00:00:00 B 1"}, ""},
		{"a UID of The Events Calendar", []string{list(event(7, "")), uid + "A,2031-05-11,7-1-2@a.example\n"},
			[]string{"2031-05-11 00:00:00 A 1"}, ""},
		{"a UID of a calendar", []string{
			"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@x.example\nSUMMARY:A\nDTSTART:20310510\nEND:VEVENT\nEND:VCALENDAR\n",
			uid + "A,2031-05-11,a@x.example\n"}, []string{"2031-05-11 00:00:00 A 1"}, ""},
		{"a number", []string{number + "A,2031-05-10,1\nB,2031-05-10,2\n", number + "A,2031-05-11,1\nC,2031-05-10,2\n"},
			[]string{"2031-05-10 00:00:00 C 2", "2031-05-11 00:00:00 A 1"}, ""},
		{"the number of another table", []string{number + "A,2031-05-10,1\n", number + "B,2031-05-11,1\n"}, []string{"2031-05-10 00:00:00 A 1"},
			`has the EVENT ID of "A" at 2031-05-10 00:00:00, and neither its name nor its start: is it another event?`},
		{"a UID that comes later", []string{plain + "A,2031-05-10\n", uid + "A,2031-05-10,a\n", uid + "A,2031-05-11,a\n"},
			[]string{"2031-05-11 00:00:00 A 1"}, ""},
		{"rows that are alike", []string{uid + "A,2031-05-10,a\nA,2031-05-10,b\n", uid + "A,2031-05-10,a\nA,2031-05-10,b\n"},
			[]string{"2031-05-10 00:00:00 A 1", "2031-05-10 00:00:00 A 2"}, ""},
		{"an id of this calendar that is gone", []string{plain + "A,2031-05-10\n",
			"EVENT NAME,EVENT START DATE,GLOBAL ID,EVENT SLUG\nA,2031-05-10,home.example?id=9,other\n"},
			[]string{"2031-05-10 00:00:00 A 1", "2031-05-10 00:00:00 A 2"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCalendar(t)
			wrong := ""
			for _, file := range tt.files {
				for _, refusal := range c.load(file).Refusals {
					wrong += refusal.Reason
				}
			}
			if diff := cmp.Diff(tt.want, c.starts()); diff != "" || wrong != tt.wrong {
				t.Errorf("refused %q, events (-want +got):\n%s", wrong, diff)
			}
		})
	}
}

// A venue of another calendar is not one here that has its name.
func TestTableVenues(t *testing.T) {
	c := newCalendar(t)
	c.mustLoad("VENUE NAME,VENUE CITY\nTown Hall,Bern\n")
	const file = "EVENT NAME,EVENT START DATE,EVENT VENUE NAME,EVENT VENUE CITY,EVENT VENUE GLOBAL ID\n" +
		"A,2031-05-10,Town Hall,Basel,x.example?id=1\n" +
		"B,2031-05-10,Town Hall,Chur,x.example?id=2\n"
	for range 2 {
		c.mustLoad(file)
	}
	var cities []string
	for _, v := range all[*store.Venue](c, store.Venues) {
		cities = append(cities, v.City)
	}
	slices.Sort(cities)
	if diff := cmp.Diff([]string{"Basel", "Bern", "Chur"}, cities); diff != "" {
		t.Errorf("venues (-want +got):\n%s", diff)
	}
}

// The rule of a series makes the series, which is known as other rows are.
func TestTableSeries(t *testing.T) {
	const head = "EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END TIME,EVENT SERIES RULE,UID"
	const rest = "20:00,22:00,FREQ=WEEKLY;COUNT=%d,%s\n"
	row := func(start string, count int, uid string) string {
		return "Choir," + start + "," + fmt.Sprintf(rest, count, uid)
	}
	four := []string{
		"2031-05-10 20:00:00 Choir 2",
		"2031-05-17 20:00:00 Choir 3",
		"2031-05-24 20:00:00 Choir 4",
		"2031-05-31 20:00:00 Choir 5",
	}
	for name, uid := range map[string]string{
		"known by name and start": "",
		"known by a UID":          "choir@x.example",
		"known by a number":       "3",
	} {
		t.Run(name, func(t *testing.T) {
			c := newCalendar(t)
			h := head
			if uid == "3" {
				h = strings.Replace(head, "UID", "EVENT ID", 1)
			}
			c.mustLoad(
				strings.Replace(
					h,
					",EVENT START TIME",
					",EVENT WEBSITE,EVENT START TIME",
					1,
				) + "\n" +
					strings.Replace(
						row("2031-05-10", 4, uid),
						",20:00",
						",https://choir.example/,20:00",
						1,
					),
			)
			if diff := cmp.Diff(four, c.starts()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[string]int{
				"events unchanged": 4,
			}, counts(c.mustLoad(h+"\n"+row("2031-05-10", 4, uid)))); diff != "" {
				t.Errorf("again (-want +got):\n%s", diff)
			}
			c.options.Now = noon.Add(time.Hour)
			if report := c.mustLoad(h + "\n" + row("2031-05-10", 3, uid)); len(
				report.Unknown,
			) > 0 {
				t.Errorf("unknown: %v", report.Unknown)
			}
			if series := c.series(); len(series) != 1 ||
				series[0].Event.Modified != c.options.Now {
				t.Errorf("series %+v", series)
			}
			if diff := cmp.Diff(four[:3], c.starts()); diff != "" {
				t.Errorf("shorter (-want +got):\n%s", diff)
			}
			for _, e := range eventsOf(c) {
				if e.Website != "https://choir.example/" || e.End != e.Start+2*3600 || e.ShowMap {
					t.Errorf("event %d ends at %s and has the website %q", e.ID, e.End, e.Website)
				}
			}
			if uid == "" {
				return
			}
			c.mustLoad(h + "\n" + row("2031-05-11", 3, uid))
			shifted := []string{
				"2031-05-11 20:00:00 Choir 2",
				"2031-05-18 20:00:00 Choir 3",
				"2031-05-25 20:00:00 Choir 4",
			}
			if diff := cmp.Diff(shifted, c.starts()); diff != "" {
				t.Errorf("moved (-want +got):\n%s", diff)
			}
			report := c.load(
				h + "\n" + strings.Replace(row("2031-05-13", 3, uid), "Choir", "Band", 1),
			)
			if (len(report.Refusals) == 1) != (uid == "3") {
				t.Errorf("of another table: %v", report)
			}
		})
	}

	// An event that was there alone becomes the first of its series.
	c := newCalendar(t)
	c.mustLoad(
		"EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT DESCRIPTION\nChoir,2031-05-10,20:00,Sing\n",
	)
	c.mustLoad(head + "\n" + row("2031-05-10", 2, ""))
	if diff := cmp.Diff([]string{"2031-05-10 20:00:00 Choir 1", "2031-05-17 20:00:00 Choir 3"}, c.starts()); diff != "" {
		t.Errorf("a single event (-want +got):\n%s", diff)
	}
	for _, e := range eventsOf(c) {
		if e.ID == 1 && e.Description != "Sing" {
			t.Errorf("the first is %+v", e)
		}
	}
	// A series that is there is known by the name and the start of its first event, and by no
	// other.
	c.mustLoad(
		"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nSUMMARY:Band\nDTSTART:20310510T210000\nRRULE:FREQ=DAILY;COUNT=3\n" +
			"END:VEVENT\nEND:VCALENDAR\n",
	)
	c.mustLoad(head + "\nBand,2031-05-10,21:00,,FREQ=DAILY;COUNT=2,\n")
	if series := c.series(); len(series) != 2 || series[1].Rule != "FREQ=DAILY;COUNT=2" {
		t.Errorf("series %+v", series)
	}
	c.mustLoad(head + "\nBand,2031-05-11,21:00,,FREQ=DAILY;COUNT=2,\n")
	if series := c.series(); len(series) != 3 || series[1].Rule != "FREQ=DAILY;COUNT=2" ||
		len(c.starts()) != 2+2+2 {
		t.Errorf("series %+v, events %v", series, c.starts())
	}
	report := c.load(head + "\nBand,2031-05-10,20:00,,FREQ=SOMETIMES,\n")
	if len(report.Refusals) != 1 || !strings.Contains(report.Refusals[0].Reason, "SOMETIMES") {
		t.Errorf("a rule that is none: %v", report.Refusals)
	}

	// An event that becomes a series keeps the number of its slug, although a lower one is free.
	c = newCalendar(t)
	c.mustLoad(list(event(1, `,"slug":"e"`), event(2, `,"global_id":"","slug":"e-3"`)))
	c.mustLoad("EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END TIME,EVENT SLUG,EVENT SERIES RULE\n" +
		"E2,2031-06-01,10:00,11:00,e,FREQ=WEEKLY;COUNT=2\n")
	if e := all[*store.Event](c, store.Events)["e-3"]; e == nil || e.Title != "E2" || e.Recurrence == nil {
		t.Errorf("the first event is %+v", e)
	}
}

// A cell that a spreadsheet could compute has an apostrophe before it in our tables, however it
// begins, and comes back unchanged.
func TestFormulas(t *testing.T) {
	here := newCalendar(t)
	there := newCalendar(t)
	there.options.Home = "there.example"
	covered := map[string]bool{
		"=1": true, "+1 555": true, "-1-1": true, "@SUM(A1)": true, "\t=1": true, "\tx": true, "＝1": true, "＋1": true,
		"－1": true, "＠x": true, "\u200b=1": true, "\ufeff@x": true, "\u2060＋1": true, "\u202e\u200f-x": true, "\u00ad=1": true,
		" =1 ": true, "\u00a0＠x": true, "\n=1": true, "\ufe0f=1": true, "\u3164=1": true, "\x01=1": true, "'=1": true, "'\u200b'＝1": true,
		"''\t": true,
		"'-1":  true,
		"-1":   false, "-73.98": false, "1=1": false, "'x": false, "'": false, "\u200bx": false, "x\t=1": false, "〜=1": false,
	}
	var events []string
	for text := range covered {
		quoted, _ := json.Marshal(text)
		events = append(
			events,
			event(
				len(events)+1,
				fmt.Sprintf(`,"venue":{"venue":"V%d","address":%s}`, len(events), quoted),
			),
		)
	}
	here.mustLoad(list(events...))
	file := asTable(here, "http://home.example:8080")
	there.mustLoad(file)
	got := map[string]bool{}
	for _, v := range all[*store.Venue](there, store.Venues) {
		quoted := strings.ReplaceAll("'"+v.Address, `"`, `""`)
		got[v.Address] = strings.Contains(file, ","+quoted+",") ||
			strings.Contains(file, `,"`+quoted+`",`)
	}
	if diff := cmp.Diff(covered, got); diff != "" {
		t.Errorf("texts, and whether they have an apostrophe (-want +got):\n%s", diff)
	}
}

// A table that was written for somebody who does not know the password of an event says
// nothing of its inside, and takes nothing away.
func TestTableOfClosed(t *testing.T) {
	c := newCalendar(t)
	c.mustLoad(
		list(
			event(
				2,
				`,"all_day":true,"password":"secret","description":"Inside","venue":[{"venue":"V"}],"cost":"5","website":"w"`,
			),
		),
	)
	file := asTable(c, "http://home.example:8080")
	if strings.Contains(file, "Inside") {
		t.Errorf("the table shows the inside:\n%s", file)
	}
	if diff := cmp.Diff(map[string]int{
		"events unchanged": 1,
	}, counts(c.mustLoad(file))); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// columnsOf returns the rows of a table of ours, without what differs from one calendar
// to another.
func columnsOf(t testing.TB, file string) (rows []string) {
	t.Helper()
	err := files.Reader{}.Read(strings.NewReader(file), "f.csv", func(item intake.Item) error {
		var record map[string]any
		if item.Reject != "" {
			t.Error(item.Reject)
			return nil
		}
		if err := json.Unmarshal(item.Record, &record); err != nil {
			return err
		}
		for _, name := range []string{"global_id", "global_id_lineage", "url", "modified_utc", "date_utc"} {
			delete(record, name)
		}
		venues, _ := record["venue"].([]any)
		for _, v := range venues {
			delete(v.(map[string]any), "global_id")
		}
		if series, ok := record["recurrence"].(map[string]any); ok {
			delete(series, "series")
		}
		rows = append(rows, fmt.Sprint(record))
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// FuzzTables reads files that may be tables: every row is an item, once, and the store
// stays sound.
func FuzzTables(f *testing.F) {
	for _, name := range []string{"events.csv", "venues.csv", "organizers.csv"} {
		f.Add(table(f, name), "")
	}
	f.Add("EVENT NAME;EVENT START DATE\n\"a\n\";03/04/2031\n\"", "dmy")
	f.Add(
		"EVENT NAME\tGLOBAL ID\tGLOBAL ID LINEAGE\tEVENT SERIES\n'=1\ta?id=1\t\\,\\\\,x\t=\n",
		"mdy",
	)
	f.Add("VENUE NAME,VENUE LATITUDE,VENUE LONGITUDE\na,-1,+1\n", "ymd")
	f.Add("Subject,Start Date,End Date,End Time,All day event,Location,Private,Categories\n"+
		"a,12/24/2031,12/25/2031,0:00,TRUE,\"x, y\",x,a;b\n", "mdy")
	f.Add(
		"EVENT NAME,EVENT START DATE,EVENT SERIES RULE,EVENT ID\na,2031-05-10,FREQ=WEEKLY;COUNT=2,1\nb,2031-05-10,FREQ=DAILY,1\n",
		"",
	)
	f.Add("\xff\xfeE\x00V\x00E\x00N\x00T\x00\x00\xd8", "")
	f.Fuzz(func(t *testing.T, file, order string) {
		var items []intake.Item
		err := files.Reader{
			DateOrder: files.DateOrder(order),
		}.Read(strings.NewReader(file), "f.csv", func(item intake.Item) error {
			items = append(items, item)
			return nil
		}, nil)
		last := 0
		for _, item := range items {
			if item.Row &&
				(item.Line < 1 || item.Line > 2+strings.Count(file, "\n")+strings.Count(file, "\r")) {
				t.Errorf("record %d is in line %d", item.Position, item.Line)
			}
			if item.Row && item.Reject == "" {
				if item.Position <= last {
					t.Errorf("record %d follows record %d", item.Position, last)
				}
				last = item.Position
			}
		}
		if err != nil {
			return
		}
		c := newCalendar(t)
		err = c.Update(7, func(tx *store.Tx) error {
			_, err := intake.Batch{Items: items}.Apply(tx, c.options)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
