// The writer of records: one method for each sort of member.

package render

import (
	"math"
	"strconv"
	"time"
)

// A writer appends JSON objects for a Renderer, member by member in the order of
// the calls. Each method writes one member, or more where it says so. It is
// given the name as it stands in the JSON, with all that stands before and all
// that follows up to the value: `{"id":` begins an object, `,"title":"` goes on
// in one and begins a string.
type writer struct {
	*Renderer
	api, origin, site string // API, Origin, and the host of global ids, escaped for JSON
	b                 []byte
	plain             bool   // names have no entities
	brief             bool   // texts are shortened, in data for search engines
	at                string // address of an event's page there; "" is its own
}

func (r *Renderer) writer(b []byte) writer {
	return writer{
		Renderer: r,
		api:      escaped(r.API),
		origin:   escaped(r.Origin),
		site:     escaped(r.home()),
		b:        b,
	}
}

// raw writes JSON as it is: names, brackets and members that never differ.
func (w *writer) raw(json string) { w.b = append(w.b, json...) }

// comma divides the items of a list; i counts them.
func (w *writer) comma(i int) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
}

// text writes a string.
func (w *writer) text(name, s string) {
	w.b = append(appendText(append(w.b, name...), s), '"')
}

// someText writes a string that is left out when it is empty.
func (w *writer) someText(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

// writeList writes a list.
func writeList[T any](w *writer, name string, list []T, write func(*writer, T)) {
	w.raw(name)
	for i, item := range list {
		w.comma(i)
		write(w, item)
	}
	w.raw(`]`)
}

// texts writes a list of strings.
func (w *writer) texts(name string, list []string) {
	writeList(w, name, list, func(w *writer, s string) { w.text(`"`, s) })
}

// html writes a text as HTML, by markup.AppendContent or AppendExcerpt.
func (w *writer) html(name, s string, appendHTML func([]byte, string) []byte) {
	w.raw(name)
	n := len(w.b)
	w.b = append(escapeFrom(appendHTML(w.b, w.Located(s)), n), '"')
}

// someHTML is html for texts that are left out when they show nothing.
func (w *writer) someHTML(name, s string, appendHTML func([]byte, string) []byte) {
	before := len(w.b)
	if w.html(name, s, appendHTML); len(w.b) == before+len(name)+len(`"`) {
		w.b = w.b[:before]
	}
}

// address writes a string of a base and a path, both as they stand in a string,
// and the id at the end.
func (w *writer) address(name, base, path string, id int64) {
	b := append(append(append(w.b, name...), base...), path...)
	w.b = append(strconv.AppendInt(b, id, 10), '"')
}

// number writes a whole number.
func (w *writer) number(name string, n int64) {
	w.b = strconv.AppendInt(append(w.b, name...), n, 10)
}

// someNumber writes a whole number that is left out when it is 0.
func (w *writer) someNumber(name string, n int64) {
	if n != 0 {
		w.number(name, n)
	}
}

// quoted writes a whole number as a string.
func (w *writer) quoted(name string, n int64) {
	w.number(name, n)
	w.b = append(w.b, '"')
}

// float writes a number as encoding/json does: like JavaScript, in the fewest
// digits that read as the same number. A zero has no sign.
func (w *writer) float(name string, f float64) {
	w.raw(name)
	abs := math.Abs(f)
	if abs == 0 {
		f = 0
	}
	format := byte('f')
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	w.b = strconv.AppendFloat(w.b, f, format, -1, 64)
	if n := len(w.b); format == 'e' && string(w.b[n-4:n-1]) == "e-0" {
		w.b = append(w.b[:n-2], w.b[n-1]) // e-07 is e-7
	}
}

// flag writes a truth value.
func (w *writer) flag(name string, v bool) {
	w.raw(name)
	w.b = strconv.AppendBool(w.b, v)
}

// flagIf writes a truth value, or null if it is not told.
func (w *writer) flagIf(told bool, name string, v bool) {
	if told {
		w.flag(name, v)
		return
	}
	w.raw(name)
	w.raw("null")
}

// date writes what a clock in UTC shows at t.
func (w *writer) date(name string, t time.Time) {
	w.b = append(appendDate(append(w.b, name...), t), '"')
}

// dateAndDetails writes a date, and a member with the date taken apart.
func (w *writer) dateAndDetails(name, details string, t time.Time) {
	from := len(w.b) + len(name)
	w.date(name, t)
	year := w.b[from : len(w.b)-len(`-01-02 15:04:05"`)]
	rest := w.b[len(w.b)-len(`-01-02 15:04:05"`):]
	w.raw(details)
	w.raw(`{"year":"`)
	w.b = append(w.b, year...)
	for i, name := range [...]string{`","month":"`, `","day":"`, `","hour":"`, `","minutes":"`, `","seconds":"`} {
		w.raw(name)
		w.b = append(w.b, rest[1+3*i:][:2]...)
	}
	w.raw(`"}`)
}
