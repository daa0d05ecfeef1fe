package cldr

// This file reads the patterns of CLDR ("Date Format Patterns" in part 4 of Unicode
// Technical Standard #35) and writes times by them.

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// fields maps the supported letters of patterns to their fields: a month in a date and a
// standalone month are the same field.
var fields = map[byte]byte{
	'y': 'y',
	'M': 'M',
	'L': 'M',
	'd': 'd',
	'E': 'E',
	'c': 'E',
	'a': 'a',
	'H': 'h',
	'h': 'h',
	'K': 'h',
	'm': 'm',
}

// A pattern is a text with fields of a time.
type pattern struct {
	tokens []token
	second int // first token of the second date of an interval: its field repeats
}

// A token is a field, or a text where letter is 0.
type token struct {
	letter byte
	width  int // how often the letter stands there
	text   string
}

// UnmarshalText reads a pattern as CLDR writes it: letters are fields but between
// apostrophes.
func (p *pattern) UnmarshalText(source []byte) error {
	*p = pattern{}
	seen := map[byte]bool{}
	text := func(s string) { p.tokens = append(p.tokens, token{text: s}) }
	for s := string(source); s != ""; {
		letter := s[0]
		width := 1
		switch {
		case letter == '\'':
			quoted, rest, ok := strings.Cut(s[1:], "'")
			if !ok {
				return fmt.Errorf("pattern %q: an apostrophe has no other", source)
			}
			if quoted == "" {
				quoted = "'"
			}
			text(quoted)
			s = rest
			continue
		case letter|0x20 < 'a' || letter|0x20 > 'z':
			for width < len(s) && s[width] != '\'' && (s[width]|0x20 < 'a' || s[width]|0x20 > 'z') {
				width++
			}
			text(s[:width])
			s = s[width:]
			continue
		case fields[letter] == 0:
			return fmt.Errorf("pattern %q: no field %q", source, letter)
		}
		for width < len(s) && s[width] == letter {
			width++
		}
		if field := fields[letter]; seen[field] && p.second == 0 {
			p.second = len(p.tokens)
		} else {
			seen[field] = true
		}
		p.tokens = append(p.tokens, token{letter: letter, width: width})
		s = s[width:]
	}
	return nil
}

// write writes a time, or an interval by a pattern that has fields of both ends.
func (p pattern) write(l *Locale, from, to time.Time) string {
	b := make([]byte, 0, 64) // most are shorter
	t := from
	for i, token := range p.tokens {
		if i == p.second && i > 0 {
			t = to
		}
		b = token.append(b, l, t)
	}
	return string(b)
}

func (p token) append(b []byte, l *Locale, t time.Time) []byte {
	switch f := &l.facts; p.letter {
	case 0:
		return append(b, p.text...)
	case 'y':
		return strconv.AppendInt(b, int64(t.Year()), 10)
	case 'M':
		return p.month(b, t.Month(), &f.Months, &f.MonthsShort)
	case 'L':
		return p.month(b, t.Month(), &f.MonthsAlone, &f.MonthsShortAlone)
	case 'd':
		return p.number(b, t.Day())
	case 'E':
		return append(b, p.name(f.Weekdays[t.Weekday()], f.WeekdaysShort[t.Weekday()])...)
	case 'c':
		return append(
			b,
			p.name(f.WeekdaysAlone[t.Weekday()], f.WeekdaysShortAlone[t.Weekday()])...)
	case 'a':
		return append(b, f.DayPeriods[t.Hour()/12]...)
	case 'H':
		return p.number(b, t.Hour())
	case 'h':
		return p.number(b, (t.Hour()+11)%12+1)
	case 'K':
		return p.number(b, t.Hour()%12)
	}
	return p.number(b, t.Minute()) // UnmarshalText let no other field pass
}

func (p token) month(b []byte, m time.Month, wide, short *[12]string) []byte {
	if p.width < 3 {
		return p.number(b, int(m))
	}
	return append(b, p.name(wide[m-1], short[m-1])...)
}

func (p token) name(wide, short string) string {
	if p.width == 4 {
		return wide
	}
	return short
}

func (p token) number(b []byte, n int) []byte {
	if p.width == 2 && n < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// A joint is a text with two places, {0} and {1}, for others.
type joint struct {
	before, between, after string
	swapped                bool // {1} comes first
}

// UnmarshalText reads a joint as CLDR writes it, in which letters may stand between
// apostrophes.
func (j *joint) UnmarshalText(source []byte) error {
	text := strings.ReplaceAll(string(source), "'", "")
	first := "{0}"
	second := "{1}"
	if j.swapped = strings.Index(text, second) < strings.Index(text, first); j.swapped {
		first, second = second, first
	}
	var rest string
	var one, other bool
	j.before, rest, one = strings.Cut(text, first)
	j.between, j.after, other = strings.Cut(rest, second)
	if !one || !other || strings.ContainsAny(j.before+j.between+j.after, "{}") {
		return fmt.Errorf("%q: has to have {0} and {1} once each", source)
	}
	return nil
}

// join returns the text with a in the place of {0}, and b in that of {1}.
func (j joint) join(a, b string) string {
	if j.swapped {
		a, b = b, a
	}
	return j.before + a + j.between + b + j.after
}
