package rrule

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/words.txt anew")

// described are sets that use every phrase, without their DTSTART: Tuesday, 24 November
// 2026, 19:30 in Berlin.
var described = []string{
	"RRULE:FREQ=SECONDLY;INTERVAL=30", "RRULE:FREQ=SECONDLY;BYSECOND=0,30;BYMINUTE=0", "RRULE:FREQ=MINUTELY;INTERVAL=21",
	"RRULE:FREQ=MINUTELY",
	"RRULE:FREQ=HOURLY;INTERVAL=3;BYHOUR=9,12,15,18;BYDAY=MO,WE", "RRULE:FREQ=HOURLY;UNTIL=20261124T220000Z", "RRULE:FREQ=SECONDLY",
	"RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=10", "RRULE:FREQ=DAILY;BYMONTH=7,8", "RRULE:FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0,30",
	"RRULE:FREQ=DAILY;BYDAY=SA,SU", "RRULE:FREQ=DAILY;BYSECOND=10;COUNT=2",
	"RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20261231T225959Z", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
	"RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE,SU;WKST=SU", "RRULE:FREQ=WEEKLY;INTERVAL=5;COUNT=1", "RRULE:FREQ=WEEKLY;INTERVAL=21;COUNT=22",
	"RRULE:FREQ=MONTHLY", "RRULE:FREQ=MONTHLY;BYDAY=-1SA", "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15", "RRULE:FREQ=MONTHLY;BYMONTHDAY=2,3,-1",
	"RRULE:FREQ=MONTHLY;BYDAY=TU", "RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=1WE,3SU", "RRULE:FREQ=MONTHLY;BYDAY=2TH,4FR,5MO,-2TU,-3SU",
	"RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
	"RRULE:FREQ=MONTHLY;INTERVAL=18;BYMONTHDAY=-2,-5",
	"RRULE:FREQ=MONTHLY;INTERVAL=3;BYDAY=SA,1MO;BYSETPOS=1,2,-2",
	"RRULE:FREQ=YEARLY", "RRULE:FREQ=YEARLY;BYMONTH=3,6;INTERVAL=4", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
	"RRULE:FREQ=YEARLY;BYDAY=20MO,-2WE",
	"RRULE:FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO", "RRULE:FREQ=YEARLY;BYWEEKNO=1,-2,-10",
	"RRULE:FREQ=YEARLY;BYYEARDAY=1,100,-1", "RRULE:FREQ=YEARLY;BYYEARDAY=-2,-3,-100",
	"RRULE:FREQ=YEARLY;BYMONTHDAY=31", "RRULE:FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
	"RDATE;VALUE=DATE:20261201,20270102", "RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261229",
	"RRULE:FREQ=WEEKLY\nRDATE;VALUE=DATE:20261224\nEXDATE;VALUE=DATE:20261229,20270105",
	"RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:" + many(13) + "\nRDATE;VALUE=DATE:" + many(21),
}

func many(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("202701%02d", i+1))
	}
	return strings.Join(all, ",")
}

// Descriptions in every language, in a table that one can read.
func TestDescribe(t *testing.T) {
	t.Parallel()
	const file = "testdata/words.txt"
	var b strings.Builder
	b.WriteString("What sets with the start Tuesday, 24 November 2026, 19:30 are called. " +
		"go test -run TestDescribe ./internal/text/rrule -update writes this file.\n")
	for _, tag := range Languages() {
		w, err := WordsOf(tag)
		if err != nil {
			t.Errorf("%s: %v", tag, err)
			continue
		}
		fmt.Fprintf(&b, "\n== %s\n", tag)
		for _, lines := range described {
			s, err := ParseSet(
				"DTSTART;TZID=Europe/Berlin:20261124T193000\n"+lines,
				time.LoadLocation,
			)
			if err != nil {
				t.Fatalf("%s: %v", lines, err)
			}
			fmt.Fprintf(
				&b,
				"%s\n    %s\n",
				strings.ReplaceAll(lines[:min(len(lines), 90)], "\n", " "),
				w.Describe(s),
			)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("%s (-want, +got)\n%s", file, diff)
	}
}

// placeholders are the phrases and their placeholders. A phrase may leave {n} out, and has
// the months in the form of Months ({in}) or of MonthOf ({months}).
var placeholders = map[string]string{
	"every-secondly": "n", "every-minutely": "n", "every-hourly": "n", "every-daily": "n", "every-weekly": "n", "every-monthly": "n",
	"every-yearly": "n",
	"join":         "a b", "only": "a b", "with": "a b", "note": "a b",
	"list-two": "a b", "list-middle": "a b", "list-last": "a b", // A, B and C
	"on": "list", "each": "list", "workdays": "", "nth": "n day", "nth-end": "n day", "nths": "list", "nths-of-year": "list",
	"nths-of-months": "a in months",
	"monthday":       "n", "monthday-end": "n", "monthdays": "list", "of-every-month": "a",
	"yearday": "n", "yearday-end": "n", "yeardays": "list", "week": "n", "week-end": "n", "weeks": "list", "months": "list",
	"day": "n month", "days": "list", "date": "n month year", "date-listed": "n month year", "date-time": "date time",
	"time": "h m", "seconds-of": "time s",
	"times": "list", "hours": "list", "minutes": "list", "seconds": "list",
	"position": "n", "position-end": "n", "positions": "list", "week-start": "day", "until": "n date", "count": "n",
	"dates": "list", "also": "list", "also-many": "n", "except": "list", "except-many": "n",
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

// checkPhrase checks the placeholders of a phrase.
func checkPhrase(p phrase, names []string) error {
	if p.cases != nil {
		for name, c := range p.cases {
			if err := checkPhrase(c, names); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	var found []string
	for _, m := range placeholder.FindAllStringSubmatch(p.text, -1) {
		found = append(found, m[1])
	}
	for _, name := range names {
		if !slices.Contains(found, name) && name != "n" && name != "in" && name != "months" {
			return fmt.Errorf("%q has no {%s}", p.text, name)
		}
	}
	for _, name := range found {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q has {%s}, which there is not", p.text, name)
		}
	}
	return nil
}

// Every language has all phrases with their placeholders, and no other. It has a text for every
// number and every weekday, and uses each text.
func TestWordsAreComplete(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		w, err := WordsOf(tag)
		if err != nil {
			t.Errorf("%s: %v", tag, err)
			continue
		}
		for i := range 7 {
			if w.Weekdays[i] == "" || w.On[i] == "" || w.Each[i] == "" || w.NthDays[i] == "" {
				t.Errorf("%s: weekday %d misses a name", tag, i)
			}
		}
		for i := range 12 {
			if w.Months[i] == "" || w.MonthOf[i] == "" {
				t.Errorf("%s: month %d misses a name", tag, i+1)
			}
		}
		for key := range w.Phrases {
			if _, ok := placeholders[key]; !ok {
				t.Errorf("%s: there is no phrase %q", tag, key)
			}
		}
		for key, names := range placeholders {
			p, ok := w.Phrases[key]
			if !ok {
				t.Errorf("%s: the phrase %q is missing", tag, key)
				continue
			}
			if err := checkPhrase(p, strings.Fields(names)); err != nil {
				t.Errorf("%s: the phrase %q: %v", tag, key, err)
			}
			if p.cases == nil {
				if p.text == "" {
					t.Errorf("%s: the phrase %q is empty", tag, key)
				}
				continue
			}
			said := map[string]bool{}
			for n := 1; n <= 130; n++ {
				for _, class := range slices.Compact(slices.Sorted(slices.Values(w.Class[:]))) {
					for _, categories := range [][][2]string{w.Plural, w.Ordinal} {
						text := w.numbered(key, n, categories, class)
						if text == "" {
							t.Fatalf(
								"%s: the phrase %q has no text for %d and class %q",
								tag,
								key,
								n,
								class,
							)
						}
						said[fmt.Sprint(n, text)] = true
					}
				}
			}
			for _, text := range leaves(w.Phrases[key]) {
				found := false
				for n := 1; n <= 130; n++ {
					found = found || said[fmt.Sprint(n, fill(text, "n", fmt.Sprint(n)))]
				}
				if !found {
					t.Errorf("%s: the phrase %q is never %q", tag, key, text)
				}
			}
		}
	}
	if _, err := WordsOf("tlh"); err == nil ||
		!strings.Contains(err.Error(), `no words of the language "tlh"; there are those of`) {
		t.Errorf("a language that is not there: %v", err)
	}
}

func leaves(p phrase) (all []string) {
	if p.cases == nil {
		return []string{p.text}
	}
	for _, c := range p.cases {
		all = append(all, leaves(c)...)
	}
	return all
}

// The description of a set without a start or a zone leaves out their parts.
func TestDescribeWithout(t *testing.T) {
	t.Parallel()
	w, err := WordsOf("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{
		{"RRULE:FREQ=WEEKLY", "every week"},
		{"RRULE:FREQ=MONTHLY;INTERVAL=2", "every 2 months"},
		{"RRULE:FREQ=YEARLY;BYMONTH=2,3", "every year in February and March"},
		{"RRULE:FREQ=DAILY;BYHOUR=8,9", "every day in the hours 8 and 9 of the day"},
		{"DTSTART;VALUE=DATE:20261124\nRRULE:FREQ=YEARLY;UNTIL=20301124", "every year on 24 November, until 24 November 2030"},
		{"DTSTART;VALUE=DATE:20261124", "on 24 November 2026"},
		// The last day is the last day whose first time is not after UNTIL.
		{"DTSTART:20261124T190000\nRRULE:FREQ=DAILY;UNTIL=20261126T190000", "every day, until 26 November 2026"},
		{"DTSTART:20261124T190000\nRRULE:FREQ=DAILY;UNTIL=20261126T185959", "every day, until 25 November 2026"},
		{"DTSTART;TZID=America/New_York:20261124T190000\nRRULE:FREQ=DAILY;UNTIL=20261127T000000Z", "every day, until 26 November 2026"},
		{"DTSTART:20261124T190000\nRRULE:FREQ=DAILY;BYHOUR=19,9;UNTIL=20261126T090000", "every day at 09:00 and 19:00, until 26 November 2026"},
		{"RRULE:FREQ=DAILY;UNTIL=20261126T000000", "every day, until 26 November 2026"},
	} {
		s, err := ParseSet(tt.text, time.LoadLocation)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Describe(s); got != tt.want {
			t.Errorf("%q is called %q, want %q", tt.text, got, tt.want)
		}
	}
}
