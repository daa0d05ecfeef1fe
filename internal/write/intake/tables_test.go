package intake_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write"
	"almanac/internal/write/intake"
	"almanac/move/files"
	"almanac/store"
)

// leftOf returns what the reader of a file says of parts that it does not take.
func leftOf(t testing.TB, file string) string {
	t.Helper()
	var pages files.Pages
	err := files.Reader{}.Read(
		strings.NewReader(file),
		"f.csv",
		func(intake.Item) error { return nil },
		pages.Add,
	)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(pages.Left, "\n")
}

// summaries returns a line for each event, by start: title, start and end without seconds that are
// 0, "days" for whole days, status unless it is published, website, and the names of venues,
// organizers and categories.
func (c *calendar) summaries() (lines []string) {
	c.Helper()
	venues := all[*store.Venue](c, store.Venues)
	organizers := all[*store.Organizer](c, store.Organizers)
	terms := all[*store.Term](c, store.Categories)
	events := eventsOf(c)
	slices.SortFunc(events, store.ByStart)
	for _, e := range events {
		line := e.Title + " " + strings.TrimSuffix(e.Start.String(), ":00") + " " +
			strings.TrimSuffix(e.End.String(), ":00")
		if e.AllDay {
			line = e.Title + " days " + e.Start.String()[:10] + " " + e.End.String()[:10]
			if e.Start.Time().Hour() != 0 || e.End != store.WallOf(e.End.Time().Truncate(24*time.Hour).Add(24*time.Hour-time.Second)) {
				line += " from " + e.Start.String() + " to " + e.End.String()
			}
		}
		if e.Status != store.Publish {
			line += " " + string(e.Status)
		}
		if e.State != "" {
			line += " " + string(e.State)
		}
		if e.Website != "" {
			line += " " + e.Website
		}
		for _, v := range venues {
			if slices.Contains(e.Venues, v.ID) {
				line += " @" + v.Name
			}
		}
		for _, o := range organizers {
			if slices.Contains(e.Organizers, o.ID) {
				line += " by " + o.Name
			}
		}
		var names []string
		for _, term := range terms {
			if slices.Contains(e.Categories, term.ID) {
				names = append(names, " #"+term.Name)
			}
		}
		slices.Sort(names)
		lines = append(lines, line+strings.Join(names, ""))
	}
	return lines
}

// A tableKind is a table that people or programs write, and what becomes of it.
type tableKind struct {
	name string
	file string
	want []string // as summaries
	left string   // parts of what is said of cells that are not taken; "" for nothing
	said string   // parts of the refusals
}

// testTables imports each table twice into an empty calendar: the second time changes nothing.
func testTables(t *testing.T, kinds []tableKind) {
	for _, tt := range kinds {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCalendar(t)
			said := ""
			for _, refusal := range c.load(tt.file).Refusals {
				said += refusal.Reason
			}
			if diff := cmp.Diff(tt.want, c.summaries()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if !strings.Contains(said, tt.said) || (tt.said == "") != (said == "") {
				t.Errorf("refusals %q, want %q", said, tt.said)
			}
			left := leftOf(t, tt.file)
			if !strings.Contains(left, tt.left) || (tt.left == "") != (left == "") {
				t.Errorf("left out %q, want %q", left, tt.left)
			}
			for what, n := range counts(c.load(tt.file)) {
				if !strings.HasSuffix(what, string(write.Unchanged)) {
					t.Errorf("again: %d %s", n, what)
				}
			}
		})
	}
}

// A table with names and starts of events is about events, whatever else its columns name. The
// first word of a column may be missing.
func TestTablesAreOfEvents(t *testing.T) {
	testTables(t, []tableKind{
		{
			name: "place and organizer without the first word",
			file: "Event Name,Venue Name,Organizer Name,Start Date,Start Time\nYoga,Barn,Kim,2031-02-03,18:15\n",
			want: []string{"Yoga 2031-02-03 18:15 2031-02-03 18:15 @Barn by Kim"},
		},
		{
			name: "a question in the header, and an end",
			file: "EVENT NAME;START DATE;START TIME;END TIME;All day event?;VENUE NAME\nYoga;2031-02-03;18:15;19:45;no;Barn\n",
			want: []string{"Yoga 2031-02-03 18:15 2031-02-03 19:45 @Barn"},
		},
		{
			name: "the place first",
			file: "Venue Name\tEvent Name\tEvent Start Date\nBarn\tYoga\t2031-02-03\n",
			want: []string{"Yoga days 2031-02-03 2031-02-03 @Barn"},
		},
		{
			name: "the place and its town, and a category",
			file: "event name,start date,venue name,venue city,category\nYoga,2031-02-03,Barn,Ely,Sport\n",
			want: []string{"Yoga days 2031-02-03 2031-02-03 @Barn #Sport"},
		},
		{
			name: "appointments with a place of venues",
			file: "Subject,Start Date,Venue Name\nYoga,2031-02-03,Barn\n",
			want: []string{"Yoga days 2031-02-03 2031-02-03"},
			left: `1 cells of the column "Venue Name"`,
		},
		{
			name: "what tells neither of a status nor of a series",
			file: "Event Name,Start Date,State,Series,Status\nYoga,2031-02-03,Ohio,Winter,sold out\n",
			want: []string{"Yoga days 2031-02-03 2031-02-03"},
			left: `1 cells of the column "Series", 1 cells of the column "State", 1 cells of the column "Status"`,
		},
	})
	for _, header := range []string{
		"Event Name,Venue Name",
		"Event Title;Start Date;Venue Name",
		"Venue Name,Event,Date",
		"Organizer Name,Subject",
		"Organizer Name\tEvent Date\tVenue Name",
	} {
		items, err := read(header + "\nA,B,2031-02-03\n")
		if err == nil || len(items) > 0 ||
			!strings.Contains(err.Error(), "has columns of events") {
			t.Errorf("%s: %d records, error %v", header, len(items), err)
		}
	}
	for _, header := range []string{"Venue Name,City,Phone", "Venue Name,Events"} {
		items, err := read(header + "\nBarn,Ely,5\n")
		if err != nil || len(items) != 1 || items[0].Kind != "venues" {
			t.Errorf("%s: %v, error %v", header, items, err)
		}
	}
}

// The midnight that a spreadsheet adds to its dates is no time of day beside a column of times. An
// end without a date that is before the start is on the next day.
func TestTableTimes(t *testing.T) {
	const head = "EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME\n"
	testTables(t, []tableKind{
		{
			name: "midnight beside a time",
			file: "Event Name,Event Start Date,Event Start Time\nQuiz,2031-02-03 00:00:00,19:30:00\n",
			want: []string{"Quiz 2031-02-03 19:30 2031-02-03 19:30"},
		},
		{
			name: "of a database",
			file: "Event Name,Event Start Date,Event Start Time\nQuiz,2031-02-03T00:00:00.000,19:30\n",
			want: []string{"Quiz 2031-02-03 19:30 2031-02-03 19:30"},
		},
		{
			name: "with points, and an end",
			file: head + "Quiz,03.02.2031 00:00,19:30,04.02.2031 00:00,01:15\n",
			want: []string{"Quiz 2031-02-03 19:30 2031-02-04 01:15"},
		},
		{
			name: "an end without a time",
			file: head + "Quiz,2031-02-03 0:00,19:30,2031-02-03 0:00,\n",
			want: []string{"Quiz 2031-02-03 19:30 2031-02-03 19:30"},
		},
		{
			name: "twelve o'clock, and no time in a row",
			file: head + "Quiz,2/23/2031 12:00:00 AM,7:30 PM,,\nFair,2/24/2031 12:00:00 AM,,2/26/2031 12:00:00 AM,\n",
			want: []string{
				"Quiz 2031-02-23 19:30 2031-02-23 19:30",
				"Fair days 2031-02-24 2031-02-26",
			},
		},
		{
			name: "whole days",
			file: "Event Name,Event Start Date,Event End Date,All Day Event\nFair,2031-02-24 00:00:00,2031-02-26 00:00:00,TRUE\n",
			want: []string{"Fair days 2031-02-24 2031-02-26"},
		},
		{
			name: "midnight in the column of times",
			file: head + "Ball,2031-02-03 00:00:00,00:00,,00:30\nVigil,2031-02-04 00:00:00,00:00:00,,\n",
			want: []string{
				"Ball 2031-02-03 00:00 2031-02-03 00:30",
				"Vigil 2031-02-04 00:00 2031-02-04 00:00",
			},
		},
		{
			name: "a time in the cell of the date alone",
			file: "Event Name,Event Start Date\nQuiz,2031-02-03 19:30\n",
			want: []string{"Quiz 2031-02-03 19:30 2031-02-03 19:30"},
		},
		{
			name: "midnight in the cell of the date, and no column of times",
			file: "Event Name,Event Start Date\nVigil,2031-02-03 00:00\n",
			want: []string{"Vigil 2031-02-03 00:00 2031-02-03 00:00"},
		},
		{
			name: "an end after midnight",
			file: head + "Ball,2031-02-03,21:00,,02:00\n",
			want: []string{"Ball 2031-02-03 21:00 2031-02-04 02:00"},
		},
		{
			name: "an end at midnight, at the end of a month",
			file: "Event Name,Event Start Date,Event Start Time,Event End Time\nBall,2031-02-28,9 PM,12:00 AM\n",
			want: []string{"Ball 2031-02-28 21:00 2031-03-01 00:00"},
		},
		{
			name: "twenty-four hours",
			file: head + "Ball,2031-02-03,21:00,,24:00\nGala,2031-02-04,21:00,2031-02-04,24:00:00\n",
			want: []string{
				"Ball 2031-02-03 21:00 2031-02-04 00:00",
				"Gala 2031-02-04 21:00 2031-02-05 00:00",
			},
		},
		{
			name: "an end before the start on a day that is written",
			file: head + "Ball,2031-02-03,21:00,2031-02-03,02:00\n",
			said: "ends at 2031-02-03 02:00:00, before it starts at 2031-02-03 21:00:00",
		},
		{
			name: "an end of an appointment after midnight",
			file: "Subject,Start Date,Start Time,End Time\nBall,2031-02-03,9:00 PM,1:30 AM\n",
			want: []string{"Ball 2031-02-03 21:00 2031-02-04 01:30"},
		},
		{
			name: "names of months",
			file: "Event Name,Event Start Date\nA,13-May-2031\nB,14-feb-31\nC,\"Thu, 15 May 2031\"\nD,\"Friday, May 16, 2031\"\n" +
				"E,17. May 2031\nF,18/MAY/2031\nG,May 19th 2031\nH,1 Sept 2031\nI,2031-Oct-05\nJ,6-November-2031\n",
			want: []string{
				"B days 2031-02-14 2031-02-14", "A days 2031-05-13 2031-05-13", "C days 2031-05-15 2031-05-15",
				"D days 2031-05-16 2031-05-16", "E days 2031-05-17 2031-05-17", "F days 2031-05-18 2031-05-18",
				"G days 2031-05-19 2031-05-19", "H days 2031-09-01 2031-09-01", "I days 2031-10-05 2031-10-05",
				"J days 2031-11-06 2031-11-06",
			},
		},
		{
			name: "no month",
			file: "Event Name,Event Start Date\nA,13-Mag-2031\n",
			said: `Event Start Date: "13-Mag-2031" is no date`,
		},
	})
}

// Cells are read as spreadsheets write them: with other words for TRUE, a line about the
// separator, spaces around quotes, and lines that end in CR alone.
func TestTableForms(t *testing.T) {
	days := func(word string) tableKind {
		return tableKind{
			name: word,
			file: "Event Name,Event Start Date,Event Start Time,All Day Event\nFair,2031-02-24,10:00," + word + "\n",
		}
	}
	var kinds []tableKind
	for _, word := range []string{"WAHR", "Ja", "VRAI", "VERDADERO", "vero", "Prawda", "ИСТИНА", "x", "是"} {
		kind := days(word)
		kind.want = []string{"Fair days 2031-02-24 2031-02-24 from 2031-02-24 10:00:00 to 2031-02-24 23:59:59"}
		kinds = append(kinds, kind)
	}
	for _, word := range []string{"FALSCH", "nein", "FAUX", "FALSO", "ONWAAR", "EPÄTOSI", "ложь", "0", "否"} {
		kind := days(word)
		kind.want = []string{"Fair 2031-02-24 10:00 2031-02-24 10:00"}
		kinds = append(kinds, kind)
	}
	const row = "Event Name;Event Start Date;Event Category\r\nQuiz;2031-02-03;\"Fun; games, night\"\r\n"
	quiz := []string{"Quiz days 2031-02-03 2031-02-03 #Fun; games #night"}
	party := []string{"Quiz, with prizes days 2031-02-03 2031-02-03 #Fun #games"}
	two := []string{"Film 2031-02-03 19:30 2031-02-03 19:30", "Talk 2031-02-04 20:00 2031-02-04 20:00"}
	const lines = "Event Name,Event Start Date,Event Start Time\nFilm,2031-02-03,19:30\nTalk,2031-02-04,20:00\n"
	kinds = append(kinds, []tableKind{
		{name: "a line about the separator", file: "sep=;\r\n" + row, want: quiz},
		{name: "it in capitals, behind a mark", file: "\ufeffSEP=;\n" + row, want: quiz},
		{name: "it in quotes", file: "\"sep=;\"\n" + row, want: quiz},
		{
			name: "it with a comma, although semicolons find columns too",
			file: "sep=,\nEvent Name,Event Start Date,\"Event Category;Event Tags;Event Cost\"\nQuiz,2031-02-03,7\n",
			want: []string{"Quiz days 2031-02-03 2031-02-03"},
			left: `1 cells of the column "Event Category;Event Tags;Event Cost"`,
		},
		{
			name: "it with a bar",
			file: "sep=|\nEvent Name|Event Start Date|Event Category\nQuiz|2031-02-03|Fun; games, night\n",
			want: quiz,
		},
		{name: "it with a tab", file: "sep=\t\n" + strings.ReplaceAll(strings.ReplaceAll(row, "; ", ":"), ";", "\t"),
			want: []string{"Quiz days 2031-02-03 2031-02-03 #Fun:games #night"}},
		{
			name: "spaces behind commas",
			file: "Event Name, Event Start Date, Event Category\n\"Quiz, with prizes\", 2031-02-03, \"Fun, games\"\n",
			want: party,
		},
		{
			name: "several, and before commas",
			file: "\"Event Name\" ,\"Event Start Date\"   ,  \"Event Category\"  \n  \"Quiz, with prizes\"  , \"2031-02-03\" ,   \"Fun, games\" \n",
			want: party,
		},
		{
			name: "behind semicolons",
			file: "Event Name; Event Start Date; Event Category\n \"Quiz, with prizes\"; 2031-02-03; \"Fun, games\"\n",
			want: party,
		},
		{
			name: "behind tabs, with a cell that is empty",
			file: "Event Name\t Event Cost\t Event Start Date\t Event Category\n \"Quiz, with prizes\"\t\t 2031-02-03\t \"Fun, games\"\n",
			want: party,
		},
		{
			name: "in quotes they stay, and so do quotes written twice",
			file: "Event Name, Event Start Date\n\"The  \"\"big\"\" , one\" , 2031-02-03\n",
			want: []string{`The  "big" , one days 2031-02-03 2031-02-03`},
		},
		{name: "lines that end in CR", file: strings.ReplaceAll(lines, "\n", "\r"), want: two},
		{name: "the last one without", file: strings.TrimSuffix(strings.ReplaceAll(lines, "\n", "\r"), "\r"), want: two},
		{name: "they with semicolons and quotes",
			file: "\"Event Name\";\"Event Start Date\";\"Event Start Time\"\rFilm;\"2031-02-03\";\"19:30\"\r\"Talk\";2031-02-04;20:00\r", want: two},
		{name: "they behind a line about the separator",
			file: "sep=,\r" + strings.ReplaceAll(lines, "\n", "\r"), want: two},
		{name: "some end in CR, some in both, some in LF",
			file: "Event Name,Event Start Date,Event Start Time\r\nFilm,2031-02-03,19:30\rTalk,2031-02-04,20:00\n", want: two},
		{name: "an empty line between them",
			file: "Event Name,Event Start Date,Event Start Time\r\rFilm,2031-02-03,19:30\r\rTalk,2031-02-04,20:00\r", want: two},
		{
			name: "a status in capitals",
			file: "Event Name,Event Start Date,Event Status\nA,2031-02-03,DRAFT\nB,2031-02-04,Publish\nC,2031-02-05,PRIVATE\n" +
				"D,2031-02-06,Pending\nE,2031-02-07,TRASH\n",
			want: []string{
				"A days 2031-02-03 2031-02-03 draft", "B days 2031-02-04 2031-02-04", "C days 2031-02-05 2031-02-05 private",
				"D days 2031-02-06 2031-02-06 pending", "E days 2031-02-07 2031-02-07 trash",
			},
		},
		{
			name: "a state in capitals",
			file: "Event Name,Event Start Date,Event State\nA,2031-02-03,CANCELED\nB,2031-02-04,Postponed\nC,2031-02-05,Scheduled\n",
			want: []string{
				"A days 2031-02-03 2031-02-03 canceled", "B days 2031-02-04 2031-02-04 postponed", "C days 2031-02-05 2031-02-05",
			},
		},
		{
			name: "empty cells behind the header row",
			file: "Event Name,Event Start Date\nA,2031-02-03,,,\nB,2031-02-04, ,\n",
			want: []string{"A days 2031-02-03 2031-02-03", "B days 2031-02-04 2031-02-04"},
		},
		{
			name: "cells behind the header row",
			file: "Event Name,Event Start Date\nA,2031-02-03\nB,2031-02-04,x\nC,2031-02-05,,y,z\n",
			want: []string{
				"A days 2031-02-03 2031-02-03", "B days 2031-02-04 2031-02-04", "C days 2031-02-05 2031-02-05",
			},
			left: "f.csv: not taken: 3 cells in no column, the first in line 3",
		},
		{
			name: "fewer cells",
			file: "Event Name,Event Start Date,Event Start Time,Event Category\nA,2031-02-03\n",
			want: []string{"A days 2031-02-03 2031-02-03"},
		},
		{
			name: "two columns for one member",
			file: "Event Name,Event Start Date,Event Category,Event Categories\nA,2031-02-03,Fun,\nB,2031-02-04,,Fun\nC,2031-02-05,Fun,Sad\n",
			want: []string{
				"A days 2031-02-03 2031-02-03 #Fun", "B days 2031-02-04 2031-02-04 #Fun", "C days 2031-02-05 2031-02-05 #Fun",
			},
			left: `1 cells of the column "Event Categories", which another column says too`,
		},
	}...)
	testTables(t, kinds)
}

// A private appointment is known by any word for it.
func TestPrivateAppointments(t *testing.T) {
	for word, want := range map[string]store.Status{
		"WAHR": store.Private, "True": store.Private, "Ja": store.Private, "?": store.Private, "1": store.Private,
		"FALSCH": store.Publish, "False": store.Publish, "Off": store.Publish, "": store.Publish, "0": store.Publish,
	} {
		c := newCalendar(t)
		c.mustLoad("Subject,Start Date,Private\nDentist,2031-02-03," + word + "\n")
		if got := eventsOf(c)[0].Status; got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// Two events of one name and start at two places are two, in one batch and in several, and a later
// table changes the one at its place.
func TestTablesOfRooms(t *testing.T) {
	const head = "Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Cost\n"
	const film = "Film,2031-02-03,19:30,"
	blue := "Film 2031-02-03 19:30 2031-02-03 19:30 @Blue"
	red := "Film 2031-02-03 19:30 2031-02-03 19:30 @Red"
	none := "Film 2031-02-03 19:30 2031-02-03 19:30"
	const bare = "Event Name,Event Start Date,Event Start Time"
	const both = head + film + "Red,\n" + film + "Blue,\n"
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"two rooms", []string{both}, []string{blue, red}},
		{"a room twice", []string{both + film + "RED,\n"}, []string{blue, red}},
		{"a room and none", []string{head + film + "Red,\n" + film + ",\n"}, []string{none, red}},
		{
			"in another order",
			[]string{both, head + film + "Blue,\n" + film + "Red,\n"},
			[]string{blue, red},
		},
		{"one of them alone", []string{both, head + film + "Blue,\n"}, []string{blue, red}},
		{"an event that moves", []string{head + film + "Red,\n", head + film + "Blue,\n"}, []string{blue}},
		{
			"one of two that moves",
			[]string{head + film + "Green,\n" + film + "Red,\n", head + film + "Blue,\n" + film + "Red,\n"},
			[]string{blue, red},
		},
		{
			"a room that comes later",
			[]string{bare + "\n" + film + "\n", head + film + "Red,\n"},
			[]string{red},
		},
		{
			"a table without rooms",
			[]string{head + film + "Red,\n", bare + "\n" + film + "\n"},
			[]string{red},
		},
		{
			"two in the trash",
			[]string{bare + ",Venue Name,Event Status\n" + film + "Red,trash\n" + film + "Blue,trash\n"},
			[]string{none + " trash @Blue", none + " trash @Red"},
		},
		{
			"two with a UID",
			[]string{bare + ",Venue Name,UID\n" + film + "Red,a\n" + film + "Blue,b\n"},
			[]string{blue, red},
		},
	} {
		for _, size := range []int{1, 2, 500} {
			t.Run(fmt.Sprint(tt.name, " by ", size), func(t *testing.T) {
				t.Parallel()
				c := newCalendar(t)
				for _, file := range tt.files {
					c.loadBy(size, file)
				}
				got := c.summaries()
				slices.Sort(got)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				for what, n := range c.loadBy(size, tt.files[len(tt.files)-1]) {
					if !strings.HasSuffix(what, string(write.Unchanged)) {
						t.Errorf("again: %d %s", n, what)
					}
				}
			})
		}
	}

	// Series too.
	c := newCalendar(t)
	const rule = "Event Name,Event Start Date,Event Start Time,Event Venue Name,Event Series Rule\n" +
		"Film,2031-02-03,19:30,Red,FREQ=DAILY;COUNT=2\nFilm,2031-02-03,19:30,Blue,FREQ=DAILY;COUNT=2\n"
	for range 2 {
		c.loadBy(1, rule)
		got := c.summaries()
		slices.Sort(got)
		want := []string{blue, red, strings.ReplaceAll(blue, "-03", "-04"), strings.ReplaceAll(red, "-03", "-04")}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("series (-want +got):\n%s", diff)
		}
	}
}

// A category that shares its name with another one is the same when its name comes back in a table.
func TestTableOfTermsOfOneName(t *testing.T) {
	c := newCalendar(t)
	c.mustLoad(`{"categories":[{"name":"Fun","slug":"a"},{"name":"Fun","slug":"b"},{"name":"Sad","slug":"c"}],
		"tags":[{"name":"Loud","slug":"d"},{"name":"Loud","slug":"e"}]}`)
	c.mustLoad(list(
		event(1, `,"categories":[{"name":"Fun","slug":"b"}],"tags":[{"name":"Loud","slug":"e"}]`),
		event(2, `,"categories":[{"name":"Sad","slug":"c"},{"name":"Fun","slug":"b"}]`),
		event(3, `,"categories":[{"name":"Fun","slug":"b"},{"name":"Fun","slug":"a"}]`),
	))
	if diff := cmp.Diff(
		map[string]int{"events unchanged": 3, "categories unchanged": 2, "tags unchanged": 1},
		counts(c.mustLoad(asTable(c, "http://home.example:8080"))),
	); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	c.mustLoad("EVENT NAME,EVENT START DATE,EVENT START TIME,EVENT CATEGORY\nE1,2031-06-01,10:00,Sad\n")
	want := all[*store.Term](c, store.Categories)["c"].ID
	for _, e := range eventsOf(c) {
		if e.Title == "E1" && !slices.Equal(e.Categories, []int64{want}) {
			t.Errorf("the event has the categories %v, want %d", e.Categories, want)
		}
	}
}

// loadBy imports a file in batches of a size, and returns what all reports count.
func (c *calendar) loadBy(size int, file string) map[string]int {
	c.Helper()
	items, err := read(file)
	if err != nil {
		c.Fatal(err)
	}
	var report intake.Report
	var state intake.State
	for some := range slices.Chunk(items, size) {
		err := c.Update(7, func(tx *store.Tx) error {
			result, err := intake.Batch{Items: some, State: state}.Apply(tx, c.options)
			report.Merge(result.Report)
			state = result.State
			return err
		})
		if err != nil {
			c.Fatal(err)
		}
	}
	for _, refusal := range report.Refusals {
		c.Error(refusal)
	}
	return counts(report)
}
