package ical_test

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/internal/text/caltime"
	"almanac/move/files/ical"
)

// FuzzReaderLines checks that lines are text without control characters, that names are
// valid, and that parameters have values.
func FuzzReaderLines(f *testing.F) {
	f.Add("SUMMARY:a\r\n b\r\nDTSTART;TZID=\"Europe/Paris\",x;VALUE=DATE:20261124\n")
	f.Add(
		"ORGANIZER;CN=^'A^n:mailto:x\nRDATE;VALUE=PERIOD:20261124T190000Z/PT1H\nX:P1DT2H\nX:+0100\n",
	)
	f.Add("X;A=\"b\nX;=:\n\xff\xfe\x00\n:\n;\nCATEGORIES:a\\,b,c\\\n")
	f.Fuzz(func(t *testing.T, lines string) {
		all, _ := readAll(t, "BEGIN:VCALENDAR\nBEGIN:X\n"+lines+"\nEND:X\nEND:VCALENDAR\n")
		for _, c := range all {
			for i := range c.Properties {
				p := &c.Properties[i]
				if p.Name == "" || p.Name != strings.ToUpper(p.Name) || p.Line < 2 {
					t.Errorf("a property without a name or a line: %+v", p)
				}
				for _, param := range p.Params {
					if len(param.Values) == 0 {
						t.Errorf("a parameter without a value: %+v", p)
					}
				}
				for _, text := range append(p.TextList(), p.Text(), p.Param("CN"), p.Value) {
					if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\r\x7f") {
						t.Errorf("%q is no text", text)
					}
				}
				_, _ = p.Date()
				_, _ = p.Periods()
				_, _ = ical.ParseDuration(p.Value)
				_, _ = ical.Offset(p.Value)
			}
		}
	})
}

// FuzzReaderComponents reads whole files: a component that is not wrong is closed and not
// too deep, and the zone that is found for a name is one.
func FuzzReaderComponents(f *testing.F) {
	f.Add(inCalendar("BEGIN:VEVENT\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\n"))
	f.Add(
		inCalendar(
			zone(
				"A",
				"16010101T030000 +0200 +0100 RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
				"16010101T020000 +0100 +0200",
			),
		),
	)
	f.Add("END:VEVENT\nBEGIN:VCALENDAR\nBEGIN:A\nBEGIN:B\nEND:A\nBEGIN:VCALENDAR\nBEGIN:A")
	var depth func(c *ical.Component) int
	depth = func(c *ical.Component) (most int) {
		for _, inner := range c.Components {
			most = max(most, depth(inner))
		}
		return most + 1
	}
	f.Fuzz(func(t *testing.T, file string) {
		var z ical.Zones
		r := ical.NewReader(strings.NewReader(file))
		for {
			c, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := depth(c); n > 16 || c.Name == "VCALENDAR" || c.Line < 1 ||
				c.Line > strings.Count(file, "\n")+1 {
				t.Errorf("%s of line %d is %d deep", c.Name, c.Line, n)
			}
			z.Define(c)
			if m, err := z.Find(c.Text("TZID"), 1_780_000_000); err == nil && m.Zone != "" {
				if _, err := caltime.LoadZone(m.Zone); err != nil {
					t.Errorf("the zone that was found is none: %v", err)
				}
			}
		}
	})
}
