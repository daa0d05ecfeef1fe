package ical_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
	"almanac/move/files/ical"
)

// readAll reads the components of a file, and how many lines were none.
func readAll(t testing.TB, file string) (all []*ical.Component, ignored int) {
	t.Helper()
	r := ical.NewReader(strings.NewReader(file))
	for {
		c, err := r.Next()
		if err == io.EOF {
			return all, r.Ignored
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
}

func inCalendar(body string) string { return "BEGIN:VCALENDAR\r\n" + body + "END:VCALENDAR\r\n" }

func TestReaderLines(t *testing.T) {
	property := func(name, value string, line int, params ...ical.Param) ical.Property {
		return ical.Property{Name: name, Params: params, Value: value, Line: line}
	}
	param := func(name string, values ...string) ical.Param {
		return ical.Param{
			Name:   name,
			Values: values,
		}
	}
	for name, c := range map[string]struct {
		lines   string
		want    []ical.Property
		ignored int
	}{
		"folded":           {"SUMMARY:a\r\n b\r\n\tc\r\nX:1\r\n", []ical.Property{property("SUMMARY", "abc", 3), property("X", "1", 6)}, 0},
		"folded in a rune": {"SUMMARY:caf\xc3\r\n \xa9\r\n", []ical.Property{property("SUMMARY", "café", 3)}, 0},
		"LF alone":         {"summary:a\n b\nX:1\n", []ical.Property{property("SUMMARY", "ab", 3), property("X", "1", 5)}, 0},
		"parameters": {"DTSTART;TZID=Europe/Paris;X-A=1,2:2026\n",
			[]ical.Property{property("DTSTART", "2026", 3, param("TZID", "Europe/Paris"), param("X-A", "1", "2"))}, 0},
		"quoted": {"ORGANIZER;CN=\"A; B: C, D\":mailto:a@b\n",
			[]ical.Property{property("ORGANIZER", "mailto:a@b", 3, param("CN", "A; B: C, D"))}, 0},
		"RFC 6868":        {"ORGANIZER;CN=^'A^'^nB^^n:x\n", []ical.Property{property("ORGANIZER", "x", 3, param("CN", "\"A\"\nB^n"))}, 0},
		"empty lines":     {"\n\nX:1\n", []ical.Property{property("X", "1", 5)}, 0},
		"control signs":   {"SUMMARY:a\x00b\x07c\td\n", []ical.Property{property("SUMMARY", "abc\td", 3)}, 0},
		"what is no line": {"hello\n:x\nA B:1\nX;:1\nX;A=\"b:1\nX;A=\"b\"c:1\nX:1\n", []ical.Property{property("X", "1", 9)}, 6},
		"an END too many": {"X:1\nEND:VALARM\n", []ical.Property{property("X", "1", 3)}, 1},
		"a name in a value": {"X:1\nDESCRIPTION:END:VEVENT\n",
			[]ical.Property{property("X", "1", 3), property("DESCRIPTION", "END:VEVENT", 4)}, 0},
	} {
		all, ignored := readAll(
			t,
			"\ufeffBEGIN:VCALENDAR\nBEGIN:VEVENT\n"+c.lines+"END:VEVENT\nEND:VCALENDAR\n",
		)
		if len(all) != 1 || all[0].Wrong != "" {
			t.Errorf("%s: read %d components, %+v", name, len(all), all)
			continue
		}
		if diff := cmp.Diff(c.want, all[0].Properties); diff != "" || ignored != c.ignored {
			t.Errorf(
				"%s: %d lines ignored, want %d (-want, +got):\n%s",
				name,
				ignored,
				c.ignored,
				diff,
			)
		}
	}
}

// TestReaderBroken reads invalid calendars: errors are reported, and reading continues.
func TestReaderBroken(t *testing.T) {
	const good = "BEGIN:VEVENT\nUID:good\nEND:VEVENT\n"
	for name, c := range map[string]struct{ file, wrong string }{
		"no end": {inCalendar("BEGIN:VEVENT\nUID:bad\n" + good), "there is no END:VEVENT before line 4, where another begins"},
		"no end in a calendar": {inCalendar("BEGIN:VEVENT\nUID:bad\n") + inCalendar(good),
			"there is no END:VEVENT before line 4, where the calendar ends"},
		"no end of a calendar": {"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:bad\n" + inCalendar(good),
			"there is no END:VEVENT before line 4, where another begins"},
		"crossed": {inCalendar("BEGIN:VEVENT\nBEGIN:VALARM\nEND:VEVENT\n" + good),
			"line 4 ends VEVENT before VALARM, which is in it"},
		"deep": {inCalendar("BEGIN:VEVENT\n" + strings.Repeat("BEGIN:VALARM\n", 1000) + "END:VALARM\nEND:VEVENT\n" + good),
			"line 18: components are nested more than 16 deep"},
		"Latin-1": {inCalendar("BEGIN:VEVENT\nSUMMARY:Caf\xe9\nEND:VEVENT\n" + good),
			"line 3 is not UTF-8; convert the file, as by iconv -f ISO-8859-1 -t UTF-8"},
		"large": {inCalendar("BEGIN:VEVENT\n" + strings.Repeat("EXDATE:20261124T190000\n", 100_000) + "END:VEVENT\n" + good),
			"is larger than 4 MiB"},
		"a long line": {inCalendar("BEGIN:VEVENT\nSUMMARY:" + strings.Repeat("long", 2<<20) + "\nEND:VEVENT\n" + good),
			"line 3 is longer than 4 MiB"},
		"folded for ever": {inCalendar("BEGIN:VEVENT\nSUMMARY:\n" + strings.Repeat(" a\n", 5<<20) + "END:VEVENT\n" + good),
			"line 3 is longer than 4 MiB"},
	} {
		all, _ := readAll(t, c.file)
		if len(all) != 2 || all[0].Wrong != c.wrong || all[1].Wrong != "" ||
			all[1].Text("UID") != "good" {
			t.Errorf(
				"%s: read %d components; the first is wrong in that %q, want %q",
				name,
				len(all),
				all[0].Wrong,
				c.wrong,
			)
		}
	}
	all, _ := readAll(t, "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:cut")
	if len(all) != 1 || all[0].Wrong != "the file ends before END:VEVENT" ||
		all[0].Text("UID") != "cut" {
		t.Errorf("read of a file that is cut off: %+v", all)
	}
}

// An endless is a file that goes on without a line end, or without an end of its
// component, for some bytes.
type endless struct {
	chunk string
	left  int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n+len(e.chunk) <= len(b) {
		n += copy(b[n:], e.chunk)
	}
	e.left -= n
	return n, nil
}

// TestReaderMemoryAlone reads what would not fit into what a component may have.
func TestReaderMemoryAlone(t *testing.T) {
	race.AloneInTurn(t)
	for name, chunk := range map[string]string{
		"a line of 24 MB":       "x",
		"folded":                "x\n ",
		"properties":            "X:1\n",
		"parameters":            "X;A=1;B=2;C=3;D=4:1\n",
		"components":            "BEGIN:A\nEND:A\n",
		"nested":                "BEGIN:A\n",
		"nested, with an end":   "BEGIN:A\nBEGIN:B\nEND:A\n",
		"lines that are none":   "x\n",
		"events without an end": "BEGIN:VEVENT\n",
		"ends":                  "END:A\n",
		"calendars":             "BEGIN:VCALENDAR\nX:1\n",
		"a calendar's":          "X:1\nEND:VEVENT\n",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			file := io.MultiReader(
				strings.NewReader("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nX:"),
				&endless{chunk, 24 << 20},
			)
			r := ical.NewReader(file)
			runtime.GC()
			runtime.ReadMemStats(&before)
			most := uint64(0)
			for i := 0; ; i++ {
				c, err := r.Next()
				if err != nil && err != io.EOF {
					t.Fatal(err)
				}
				if i%100_000 == 0 || err != nil {
					runtime.GC()
					runtime.ReadMemStats(&after)
					most = max(most, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
					runtime.KeepAlive(c)
					runtime.KeepAlive(r)
				}
				if err != nil {
					break
				}
			}
			if most > 12<<20 {
				t.Errorf("%d bytes are held of a file of 24 MiB", most)
			}
		})
	}
}

func TestValues(t *testing.T) {
	p := ical.Property{Value: `a\, b\; c\\n\nd\Ne\x`}
	if diff := cmp.Diff("a, b; c\\n\nd\ne\\x", p.Text()); diff != "" {
		t.Error(diff)
	}
	p.Value = `Music,Jazz\, Blues,, \\,x\`
	if diff := cmp.Diff([]string{"Music", "Jazz, Blues", ` \`, `x\`}, p.TextList()); diff != "" {
		t.Error(diff)
	}
	for value, want := range map[string]string{
		"P1D": "{1 0}", "PT1H30M": "{0 5400}", "P2W": "{14 0}", "P1DT12H": "{1 43200}", "+PT15S": "{0 15}", "p1dt1s": "{1 1}", "PT0S": "{0 0}",
		"-PT1H": "bad", "": "bad", "P": "bad", "PT": "bad", "P1H": "bad", "PT1D": "bad", "1D": "bad", "PD": "bad",
		"P99999999999999999999D": "bad", "P999999999W": "bad", "PT1": "bad",
	} {
		d, err := ical.ParseDuration(value)
		got := fmt.Sprint(d)
		if err != nil {
			got = "bad"
		}
		if got != want {
			t.Errorf("duration %q is %s, want %s", value, got, want)
		}
	}
	p.Value = "20261124T190000/PT2H, 20261125T190000Z/20261125T200000Z,20261126,"
	periods, err := p.Periods()
	if err != nil || len(periods) != 3 || periods[0].Length.Seconds != 7200 ||
		periods[1].End.String() != "20261125T200000Z" ||
		periods[2].Start.String() != "20261126" {
		t.Errorf("periods: %+v, %v", periods, err)
	}
	for _, value := range []string{"x", "/PT2H", "20261124T190000/x", "20261124T190000/P", "20261332"} {
		p.Value = value
		if _, err := p.Periods(); err == nil {
			t.Errorf("%q was read", value)
		}
	}
}
