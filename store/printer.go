// Writing JSON in the form in which encoding/json writes records and changes,
// several times as fast.

package store

import (
	"bytes"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// A printer writes canonical JSON: what encoding/json makes of records, byte for
// byte. Odd values, of which that needs to know more, make it odd: what it has
// written is of no value then, and encoding/json has to say what is right, or
// what is wrong with it.
type printer struct {
	text []byte
	odd  bool
}

// put writes a literal.
func (p *printer) put(literal string) { p.text = append(p.text, literal...) }

// flag writes a literal when something is so.
func (p *printer) flag(literal string, is bool) {
	if is {
		p.put(literal)
	}
}

// int writes a whole number behind a literal.
func (p *printer) int(literal string, n int64) {
	p.put(literal)
	p.text = strconv.AppendInt(p.text, n, 10)
}

// uint writes one that is not negative.
func (p *printer) uint(literal string, n uint64) {
	p.put(literal)
	p.text = strconv.AppendUint(p.text, n, 10)
}

// optionalInt writes one that is not 0.
func (p *printer) optionalInt(literal string, n int64) {
	if n != 0 {
		p.int(literal, n)
	}
}

// float writes a number, unless it is one of those that have an exponent.
func (p *printer) float(literal string, f float64) {
	if size := math.Abs(f); size != 0 && size < 1e-6 || !(size < 1e21) {
		p.odd = true
		return
	}
	p.put(literal)
	p.text = strconv.AppendFloat(p.text, f, 'f', -1, 64)
}

// time writes a moment in UTC.
func (p *printer) time(literal string, t time.Time) {
	if t.Location() != time.UTC || !hasForm(t) {
		p.odd = true
		return
	}
	p.put(literal)
	p.text = append(t.AppendFormat(append(p.text, '"'), time.RFC3339Nano), '"')
}

// wall writes a wall clock.
func (p *printer) wall(literal string, w Wall) {
	if !w.hasForm() {
		p.odd = true
		return
	}
	p.put(literal)
	t := w.Time()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	const digits = "0123456789"
	form := [...]byte{
		'"', digits[year/1000], digits[year/100%10], digits[year/10%10], digits[year%10], '-',
		digits[month/10], digits[month%10], '-', digits[day/10], digits[day%10], ' ',
		digits[hour/10], digits[hour%10], ':', digits[minute/10], digits[minute%10], ':', digits[second/10], digits[second%10], '"',
	}
	p.text = append(p.text, form[:]...)
}

// ids writes a list that is not empty.
func (p *printer) ids(literal string, ids []int64) { printList(p, literal, ids, p.int) }

// strings writes a list that is not empty.
func (p *printer) strings(literal string, list []string) { printList(p, literal, list, p.string) }

// printList writes a list that is not empty with what writes one item of it.
func printList[T any](p *printer, literal string, list []T, item func(literal string, value T)) {
	for _, value := range list {
		item(literal, value)
		literal = ","
	}
	p.flag("]", len(list) > 0)
}

// optional writes a text that is not empty.
func (p *printer) optional(literal, s string) {
	if s != "" {
		p.string(literal, s)
	}
}

// string writes a text.
func (p *printer) string(literal, s string) {
	p.put(literal)
	p.text = append(p.text, '"')
	from := len(p.text)
	p.text = append(p.text, s...)
	if n, ascii := plain(p.text[from:]); n < len(s) || !ascii && !isPlainUTF8(p.text[from:]) {
		p.text = p.text[:from]
		p.escaped(s)
	}
	p.text = append(p.text, '"')
}

// isPlainUTF8 reports whether nothing of a text that is not ASCII is replaced:
// bytes that are no UTF-8, and what old JavaScript takes for ends of lines.
func isPlainUTF8(text []byte) bool {
	return utf8.Valid(text) && !bytes.Contains(text, []byte("\u2028")) && !bytes.Contains(text, []byte("\u2029"))
}

// escaped writes a text in which something has to be.
func (p *printer) escaped(s string) {
	const hex = "0123456789abcdef"
	for at, r := range s {
		switch r {
		case '"', '\\':
			p.text = append(p.text, '\\', byte(r))
		case '\b':
			p.put(`\b`)
		case '\f':
			p.put(`\f`)
		case '\n':
			p.put(`\n`)
		case '\r':
			p.put(`\r`)
		case '\t':
			p.put(`\t`)
		case '\u2028', '\u2029':
			p.text = append(p.text, '\\', 'u', '2', '0', '2', hex[r&0xf])
		case utf8.RuneError:
			p.replacement(s[at:])
		default:
			if r < ' ' {
				p.text = append(p.text, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
			} else {
				p.text = utf8.AppendRune(p.text, r)
			}
		}
	}
}

// replacement writes the replacement character that a text begins with: one that
// stands for a byte that is no UTF-8 is escaped.
func (p *printer) replacement(s string) {
	if _, size := utf8.DecodeRuneInString(s); size == 1 {
		p.put(`\ufffd`)
		return
	}
	p.put(string(utf8.RuneError))
}
