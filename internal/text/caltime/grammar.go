// The grammar of dates. A text is a Unix timestamp or a row of phrases in any
// order, of each kind at most one except for steps. Blanks and commas separate
// them, "T" a date from its time:
//
//	text     = digits | "@" ["-"] digits | phrase { phrase }
//	phrase   = date | ["T"] time | zone | day | weekday | step
//	date     = Y "-" M "-" D | Y "/" M "/" D | Y "-" M | YYYYMMDD
//	         | D "-" M "-" Y | D "." M "." Y | M "/" D "/" Y
//	         | Y ["-"] "W" ww [["-"] weekday number]
//	         | D month [Y] | month D [Y] | month Y | Y month [D]
//	time     = h ":" m [":" s ["." fraction]] ["am" | "pm"] | h ("am" | "pm")
//	         | "noon" | "midnight" | "T" hhmm [ss]
//	zone     = "Z" | offset | ("UTC" | "GMT") [offset] | abbreviation | IANA name
//	offset   = ("+" | "-") (hh | hhmm | hh ":" mm)
//	day      = "now" | "today" | "tomorrow" | "yesterday"
//	         | ("first" | "last") "day" "of"
//	weekday  = ["next" | "last" | "this"] name
//	step     = ("next" | "last" | "this") unit | ["+" | "-"] n unit | "ago"
//
// Y has four digits, M, D and the parts of a time have one or two. Beside an
// English month the parts may be joined by "-" or ".", and D may be an ordinal.
// "ago" turns the steps before it around.

package caltime

import "fmt"

// A parser walks over tokens and gathers their meaning. Productions are methods
// that begin at p.pos: on success they have moved it and noted what was said; on
// failure the whole text is refused.
type parser struct {
	tokens  []token
	pos     int
	meaning meaning
	stepped bool   // a number with a unit was read, which "ago" may follow
	reason  string // why a form that was recognised is refused
}

func (p *parser) peek(i int) token {
	if p.pos+i >= len(p.tokens) {
		return token{}
	}
	return p.tokens[p.pos+i]
}

func (p *parser) refuse(format string, args ...any) bool {
	p.reason = fmt.Sprintf(format, args...)
	return false
}

// text reads all phrases. A zone alone is no date.
func (p *parser) text() bool {
	said := false
	for p.pos < len(p.tokens) {
		zone := p.meaning.zone
		if !p.phrase() {
			return false
		}
		said = said || p.meaning.zone == zone
	}
	return said
}

func (p *parser) phrase() bool {
	switch t := p.peek(0); t.kind {
	case number:
		return p.number()
	case word:
		return p.word()
	case symbol:
		return p.signed()
	}
	return false
}

// number reads the phrases that begin with a digit.
func (p *parser) number() bool {
	joint, parts := p.chain()
	if len(parts) > 1 {
		if joint == ":" {
			return p.clock(parts)
		}
		return p.numericDate(joint, parts)
	}
	if _, length := p.meridiem(1); length > 0 {
		return p.clock(parts)
	}
	if _, ok := unitOf(p.peek(1).text); ok {
		return p.step(1)
	}
	if n := parts[0].value; parts[0].digits() == 8 { // alone they would be a timestamp
		p.pos++
		return p.setDate(n/10000, n/100%100, n%100)
	}
	if week := p.weekAhead(); week > 0 {
		return p.weekDate(week)
	}
	return p.englishDate()
}

// chain looks ahead at up to three numbers joined by the same symbol without blanks.
func (p *parser) chain() (joint string, parts []token) {
	parts = append(parts, p.peek(0))
	for len(parts) < 3 {
		sep := p.peek(2*len(parts) - 1)
		next := p.peek(2 * len(parts))
		if sep.kind != symbol || !sep.tight || next.kind != number || !next.tight {
			break
		}
		if joint != "" && sep.text != joint {
			break
		}
		joint = sep.text
		parts = append(parts, next)
	}
	return joint, parts
}

// word reads the phrases that begin with a letter.
func (p *parser) word() bool {
	m := &p.meaning
	t := p.peek(0)
	if _, ok := monthOf(t.text); ok {
		return p.englishDate()
	}
	if _, ok := weekdayOf(t.text); ok {
		return p.weekday(0)
	}
	if _, ok := directions[t.text]; ok || t.text == "first" {
		return p.direction()
	}
	p.pos++
	if days, ok := days[t.text]; ok {
		m.midnight = true
		m.shift.days += days
		return true
	}
	if h, ok := hours[t.text]; ok {
		return p.setTime(h, 0, 0)
	}
	switch t.text {
	case "now":
		return true
	case "ago":
		var turned distance
		turned.add(-1, m.shift)
		m.shift = turned
		return p.stepped
	case "t":
		return p.clockAfterT()
	}
	p.pos--
	return p.zoneName()
}

// signed reads the phrases that begin with a sign: a step or an offset.
func (p *parser) signed() bool {
	sign := 1
	switch p.peek(0).text {
	case "-":
		sign = -1
	case "+":
	default:
		return false
	}
	n := p.peek(1)
	unit := p.peek(2)
	if n.kind != number || !n.tight {
		return false
	}
	p.pos++
	if _, ok := unitOf(unit.text); ok {
		return p.step(sign)
	}
	return p.offset(sign)
}

// direction reads next, last, this or first with what follows.
func (p *parser) direction() bool {
	m := &p.meaning
	t := p.peek(0)
	next := p.peek(1)
	if edge, ok := edges[t.text]; ok && next.is(word, "day") && p.peek(2).is(word, "of") {
		m.edge = edge
		p.pos += 3
		return true
	}
	direction, ok := directions[t.text]
	if !ok {
		return false
	}
	p.pos++
	if _, ok := weekdayOf(next.text); ok {
		return p.weekday(direction)
	}
	unit, ok := unitOf(next.text)
	if !ok {
		return false
	}
	p.pos++
	m.inWeek = m.inWeek || next.text == "week"
	m.shift.add(int64(direction), unit)
	return true
}

func (p *parser) weekday(direction int) bool {
	m := &p.meaning
	if m.hasWeekday {
		return p.refuse("it names two weekdays")
	}
	m.hasWeekday = true
	m.weekday, _ = weekdayOf(p.peek(0).text)
	m.direction = direction
	p.pos++
	return true
}

func (p *parser) step(sign int) bool {
	n := p.peek(0)
	unit, _ := unitOf(p.peek(1).text)
	if n.value < 0 {
		return p.refuse("a step has at most nine digits")
	}
	p.meaning.shift.add(int64(sign*n.value), unit)
	if p.meaning.shift.far() {
		return p.refuse("it steps over more than 10000 years")
	}
	p.stepped = true
	p.pos += 2
	return true
}
