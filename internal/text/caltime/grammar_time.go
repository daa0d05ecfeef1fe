// The productions of times of day and of zones.

package caltime

import "strings"

// clock reads one to three numbers joined by colons, a fraction of the seconds,
// which does not count, and am or pm.
func (p *parser) clock(parts []token) bool {
	var values [3]int
	for i, t := range parts {
		if t.digits() > 2 {
			return p.refuse("hours, minutes and seconds have one or two digits")
		}
		values[i] = t.value
	}
	p.pos += 2*len(parts) - 1
	if dot, fraction := p.peek(0), p.peek(1); len(parts) == 3 &&
		dot.is(symbol, ".") && dot.tight && fraction.kind == number && fraction.tight {
		p.pos += 2
	}
	h := values[0]
	m := values[1]
	s := values[2]
	if afternoon, length := p.meridiem(0); length > 0 {
		if h < 1 || h > 12 {
			return p.refuse("with am or pm the hours go from 1 to 12")
		}
		p.pos += length
		h %= 12
		if afternoon {
			h += 12
		}
	}
	return p.setTime(h, m, s)
}

// meridiem looks for am, pm, a.m. or p.m. i places ahead, and tells how many
// tokens it takes; none if it is not there.
func (p *parser) meridiem(i int) (afternoon bool, length int) {
	letter, m := strings.CutSuffix(p.peek(i).text, "m")
	if letter != "a" && letter != "p" {
		return false, 0
	}
	length = 1
	if !m {
		if !p.peek(i+1).is(symbol, ".") || !p.peek(i+2).is(word, "m") {
			return false, 0
		}
		length = 3
	}
	if p.peek(i+length).is(symbol, ".") {
		length++
	}
	return letter == "p", length
}

// clockAfterT reads the time of ISO 8601, with colons or without.
func (p *parser) clockAfterT() bool {
	joint, parts := p.chain()
	t := p.peek(0)
	switch {
	case t.kind != number || !t.tight:
		return false
	case joint == ":":
		return p.clock(parts)
	case t.digits() == 4:
		p.pos++
		return p.setTime(t.value/100, t.value%100, 0)
	case t.digits() == 6:
		p.pos++
		return p.setTime(t.value/10000, t.value/100%100, t.value%100)
	}
	return false
}

// setTime notes a time of day. 24:00 is the midnight that ends the day, and the
// second 60 the leap second, which counts as the one after it.
func (p *parser) setTime(h, m, s int) bool {
	switch {
	case p.meaning.hasTime:
		return p.refuse("it names two times of day")
	case h > 24:
		return p.refuse("there is no hour %d", h)
	case h == 24 && (m > 0 || s > 0):
		return p.refuse("the day ends at 24:00")
	case m > 59:
		return p.refuse("there is no minute %d", m)
	case s > 60:
		return p.refuse("there is no second %d", s)
	}
	p.meaning.hasTime = true
	p.meaning.hour = h
	p.meaning.minute = m
	p.meaning.second = s
	return true
}

// offset reads the digits after a sign.
func (p *parser) offset(sign int) bool {
	joint, parts := p.chain()
	t := parts[0]
	hours := t.value
	minutes := 0
	switch {
	case joint == ":" && len(parts) == 2 && t.digits() <= 2 && parts[1].digits() == 2:
		minutes = parts[1].value
		p.pos += 2
	case t.digits() == 4:
		hours = t.value / 100
		minutes = t.value % 100
	case t.digits() > 2:
		return p.refuse("an offset has two digits for the hours and two for the minutes")
	}
	p.pos++
	if hours > 23 || minutes > 59 {
		return p.refuse("an offset is less than a day")
	}
	return p.setZone(fixed("", "", sign*(hours*secondsPerHour+minutes*60)))
}

func (p *parser) zoneName() bool {
	name := p.peek(0).text
	p.pos++
	if sign, digits := p.peek(0), p.peek(1); (name == "utc" || name == "gmt") &&
		sign.tight && digits.kind == number && digits.tight {
		switch sign.text {
		case "+":
			p.pos++
			return p.offset(1)
		case "-":
			p.pos++
			return p.offset(-1)
		}
	}
	for t := p.peek(0); t.tight && (t.kind != symbol || strings.Contains("/_+-", t.text)); t = p.peek(0) {
		name += t.text
		p.pos++
	}
	if hours, ok := offsets[name]; ok {
		return p.setZone(fixed("", "", hours*secondsPerHour))
	}
	zone, err := LoadZone(name)
	if err != nil {
		return p.refuse("%q is no word and no time zone it could hold", name)
	}
	return p.setZone(zone)
}

func (p *parser) setZone(zone *Zone) bool {
	if p.meaning.zone != nil {
		return p.refuse("it names two time zones")
	}
	p.meaning.zone = zone
	return true
}
