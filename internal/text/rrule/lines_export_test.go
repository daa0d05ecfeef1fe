package rrule

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// String returns the lines of the set, as ParseSet reads them: DTSTART, RRULE,
// RDATE, EXDATE, folded, and with the line ends of iCalendar, CRLF.
func (s *Set) String() string {
	var b strings.Builder
	write := func(name string, dates []DateTime) {
		for _, form := range []Form{Date, Local, UTC} {
			same := slices.DeleteFunc(
				slices.Clone(dates),
				func(d DateTime) bool { return d.Form != form },
			)
			if len(same) == 0 {
				continue
			}
			slices.SortFunc(
				same,
				func(a, b DateTime) int { return cmp.Compare(a.Seconds, b.Seconds) },
			)
			param := ""
			switch {
			case form == Date:
				param = ";VALUE=DATE"
			case form == Local && s.Zone != nil:
				param = ";TZID=" + s.Zone.String()
			}
			fold(&b, name+param+":"+join(slices.Compact(same), DateTime.String))
		}
	}
	write("DTSTART", []DateTime{s.Start})
	if s.Rule != nil {
		fold(&b, "RRULE:"+s.Rule.String())
	}
	write("RDATE", s.RDates)
	write("EXDATE", s.ExDates)
	return b.String()
}

// fold writes a line folded to at most 75 bytes (section 3.1).
func fold(b *strings.Builder, text string) {
	for room := 75; len(text) > room; room = 74 {
		for !utf8.RuneStart(text[room]) {
			room--
		}
		b.WriteString(text[:room] + "\r\n ")
		text = text[room:]
	}
	b.WriteString(text + "\r\n")
}
