// The productions of dates that name a day of the calendar.

package caltime

import "time"

// numericDate reads two or three numbers joined by a symbol. The four digits tell
// where the year is, the symbol tells the order of the rest.
func (p *parser) numericDate(joint string, parts []token) bool {
	p.pos += 2*len(parts) - 1
	a := parts[0]
	b := parts[1]
	c := token{value: 1}
	if len(parts) == 3 {
		c = parts[2]
	}
	yearFirst := a.digits() == 4 && b.digits() <= 2 && c.digits() <= 2
	yearLast := a.digits() <= 2 && b.digits() <= 2 && c.digits() == 4
	switch {
	case yearFirst && (joint == "-" || joint == "/" && len(parts) == 3):
		return p.setDate(a.value, b.value, c.value)
	case yearLast && (joint == "-" || joint == "."):
		return p.setDate(c.value, b.value, a.value)
	case yearLast && joint == "/":
		return p.setDate(c.value, a.value, b.value)
	}
	return p.refuse("a year has four digits, a month and a day have one or two")
}

// weekAhead tells how many places ahead the number of a week follows its year,
// and 0 if none does.
func (p *parser) weekAhead() int {
	i := 1
	if p.peek(i).is(symbol, "-") {
		i++
	}
	if p.peek(0).digits() != 4 || !p.peek(i).is(word, "w") || p.peek(i+1).kind != number {
		return 0
	}
	return i + 1
}

// weekDate reads a week of ISO 8601, which begins on Monday, and a day in it.
func (p *parser) weekDate(ahead int) bool {
	year := p.peek(0)
	week := p.peek(ahead)
	p.pos += ahead + 1
	number := week.value
	day := 1
	switch dash, last := p.peek(0), p.peek(1); {
	case week.digits() == 3:
		number = week.value / 10
		day = week.value % 10
	case week.digits() != 2:
		return p.refuse("a week has two digits, as in 2031-W05")
	case dash.is(symbol, "-") && dash.tight && last.digits() == 1 && last.tight:
		day = last.value
		p.pos += 2
	}
	if number < 1 || number > 53 {
		return p.refuse("there is no week %d", number)
	}
	if day < 1 || day > 7 {
		return p.refuse("there is no day %d in a week", day)
	}
	// The fourth of January is always in the first week.
	fourth := time.Date(year.value, time.January, 4, 0, 0, 0, 0, time.UTC)
	sinceMonday := int(fourth.Weekday()+6) % 7
	t := fourth.AddDate(0, 0, 7*(number-1)+day-1-sinceMonday)
	return p.setDate(t.Year(), int(t.Month()), t.Day())
}

// absent stands for a part of an English date that was not given.
const absent = -1

// englishDate reads a date with the name of a month, before or after the day. A
// month with a year alone is its first day.
func (p *parser) englishDate() bool {
	year := p.part(asYear)
	day := absent
	if year == absent {
		day = p.day()
	}
	month := p.part(asMonth)
	if month == absent {
		return false
	}
	if day == absent {
		day = p.day()
	}
	if year == absent {
		year = p.part(asYear)
	}
	switch {
	case day == absent && year == absent:
		return false
	case day == absent:
		day = 1
	}
	return p.setDate(year, month, day)
}

// day reads the day of an English date, which may be an ordinal.
func (p *parser) day() int {
	day := p.part(asDay)
	if t := p.peek(0); day != absent && t.tight && t.kind == word {
		switch t.text {
		case "st", "nd", "rd", "th":
			p.pos++
		}
	}
	return day
}

// part reads one part of an English date and the joint before it, if accepted.
func (p *parser) part(accept func(token) int) int {
	i := 0
	if t := p.peek(0); t.tight && (t.is(symbol, "-") || t.is(symbol, ".")) {
		i = 1
	}
	value := accept(p.peek(i))
	if value != absent {
		p.pos += i + 1
	}
	return value
}

func asYear(t token) int {
	if t.digits() != 4 {
		return absent
	}
	return t.value
}

func asMonth(t token) int {
	month, ok := monthOf(t.text)
	if !ok {
		return absent
	}
	return int(month)
}

func asDay(t token) int {
	if n := t.digits(); n != 1 && n != 2 {
		return absent
	}
	return t.value
}

// setDate notes a date. Days up to 31 are allowed in every month; days past its end
// are in the next.
func (p *parser) setDate(year, month, day int) bool {
	m := &p.meaning
	switch {
	case m.hasDate:
		return p.refuse("it names two days")
	case year == 0:
		return p.refuse("there is no year 0")
	case month < 1 || month > 12:
		return p.refuse("there is no month %d", month)
	case day < 1 || day > 31:
		return p.refuse("there is no day %d", day)
	}
	m.hasDate = true
	m.month = month
	m.day = day
	if year != absent {
		m.year = year
	}
	return true
}
