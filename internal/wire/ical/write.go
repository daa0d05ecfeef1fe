// Content lines (section 3.1 of RFC 5545) and the values in them.

package ical

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Writer appends content lines to B. Line begins one, Param adds parameters, and every
// other method writes the value and ends the line:
//
//	w.Line("DTSTART").Param("TZID", "Europe/Paris").Local(start)
//
// Each text stays inside its value: lines are folded, special characters escaped, and control
// characters left out. Names, and values that are given to Raw, are those of the caller's program.
type Writer struct {
	B    []byte
	line int // where in B the line begins that is being written
}

// lineMost is how many octets a line has at most, without its end.
const lineMost = 75

// Begin and End write the lines around a component.
func (w *Writer) Begin(component string) { w.Line("BEGIN").Raw(component) }
func (w *Writer) End(component string)   { w.Line("END").Raw(component) }

// Line begins a line.
func (w *Writer) Line(name string) *Writer {
	w.line = len(w.B)
	w.B = append(w.B, name...)
	return w
}

// Param writes a parameter with one value. Prohibited characters are encoded by RFC 6868.
func (w *Writer) Param(name, value string) *Writer {
	b := append(append(append(w.B, ';'), name...), '=')
	from := len(b)
	b = appendEscaped(b, value, paramEscapes)
	if bytes.ContainsAny(b[from:], ":;,") {
		b = append(slices.Insert(b, from, '"'), '"')
	}
	w.B = b
	return w
}

// Text writes a value of one text, or of several for lists such as CATEGORIES.
func (w *Writer) Text(texts ...string) {
	if len(texts) == 0 {
		w.separate(0)
	}
	for i, text := range texts {
		w.separate(i)
		w.B = appendEscaped(w.B, text, textEscapes)
	}
	w.end()
}

// Phrase writes a text of the parts that are not empty, with a comma between them.
func (w *Writer) Phrase(parts ...string) {
	before := ":"
	for _, part := range parts {
		if part != "" {
			w.B = appendEscaped(append(w.B, before...), part, textEscapes)
			before = `\, `
		}
	}
	w.end()
}

// URI writes an address. Characters that no address may have are percent-encoded.
func (w *Writer) URI(uri string) {
	w.B = AppendURI(append(w.B, ':'), uri)
	w.end()
}

// AppendURI appends an address as URI writes it.
func AppendURI(b []byte, uri string) []byte {
	for {
		n := uriEscapes.plainLength(uri)
		b = append(b, uri[:n]...)
		if uri = uri[n:]; uri == "" {
			return b
		}
		r, size := utf8.DecodeRuneInString(uri)
		if r < utf8.RuneSelf || r == utf8.RuneError && size == 1 || isLineEnd(r) {
			for _, c := range []byte(uri[:size]) {
				b = fmt.Appendf(b, "%%%02X", c)
			}
		} else {
			b = append(b, uri[:size]...)
		}
		uri = uri[size:]
	}
}

// Number writes a whole number, and Geo a place on the globe.
func (w *Writer) Number(n int64) {
	w.B = strconv.AppendInt(append(w.B, ':'), n, 10)
	w.end()
}

func (w *Writer) Geo(lat, lng float64) {
	w.B = strconv.AppendFloat(append(w.B, ':'), lat, 'f', -1, 64)
	w.B = strconv.AppendFloat(append(w.B, ';'), lng, 'f', -1, 64)
	w.end()
}

// Raw writes a value as it is: one of the caller's program, not a text of a record.
func (w *Writer) Raw(value string) {
	w.B = append(append(w.B, ':'), value...)
	w.end()
}

// Date writes days, Local local times, and UTC moments. Lists such as EXDATE have several.
func (w *Writer) Date(days ...time.Time)   { w.times(days, "20060102") }
func (w *Writer) Local(walls ...time.Time) { w.times(walls, "20060102T150405") }
func (w *Writer) UTC(moments ...time.Time) { w.times(moments, "20060102T150405Z") }

func (w *Writer) times(times []time.Time, layout string) {
	for i, t := range times {
		w.separate(i)
		if t = t.UTC(); t.Year() > 9999 { // years have four digits
			t = t.AddDate(9999-t.Year(), 0, 0)
		}
		w.B = t.AppendFormat(w.B, layout)
	}
	w.end()
}

// separate writes what stands before an item of a value.
func (w *Writer) separate(i int) {
	if i == 0 {
		w.B = append(w.B, ':')
	} else {
		w.B = append(w.B, ',')
	}
}

// end folds the line, never inside a character, and ends it.
func (w *Writer) end() {
	if line := w.B[w.line:]; len(line) > lineMost {
		whole := len(w.B)
		for room := lineMost; len(line) > room; room = lineMost - 1 { // the space counts
			for !utf8.RuneStart(line[room]) {
				room--
			}
			w.B = append(append(w.B, line[:room]...), "\r\n "...)
			line = line[room:]
		}
		w.B = append(w.B, line...)
		w.B = append(w.B[:w.line], w.B[whole:]...)
	}
	w.B = append(w.B, "\r\n"...)
}

// escapes says what stands for a byte or a line end in a value.
type escapes struct {
	plain   [256]bool // bytes that stand for themselves
	of      [utf8.RuneSelf]string
	lineEnd string
}

func newEscapes(lineEnd string, of map[byte]string) *escapes {
	e := &escapes{lineEnd: lineEnd}
	for c := range byte(utf8.RuneSelf) {
		e.plain[c] = c == '\t' || c >= ' ' && c != 0x7f // no control character, which no line may have
	}
	for c, s := range of {
		e.plain[c], e.of[c] = false, s
	}
	return e
}

var (
	textEscapes  = newEscapes(`\n`, map[byte]string{'\\': `\\`, ';': `\;`, ',': `\,`})
	paramEscapes = newEscapes(`^n`, map[byte]string{'^': `^^`, '"': `^'`})
	uriEscapes   = newEscapes("", map[byte]string{
		'\t': "",
		' ':  "",
		'"':  "",
		'<':  "",
		'>':  "",
		'\\': "",
		'^':  "",
		'`':  "",
		'{':  "",
		'|':  "",
		'}':  "",
	})
)

// plainLength counts the bytes at the start of a text that stand for themselves.
func (e *escapes) plainLength(s string) (n int) {
	for n < len(s) && e.plain[s[n]] {
		n++
	}
	return n
}

// isLineEnd reports whether some program takes a character for the end of a line.
func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// appendEscaped appends a text. All that some program takes for the end of a line is one
// line end; control characters are left out, and what is no UTF-8 becomes U+FFFD.
func appendEscaped(b []byte, s string, e *escapes) []byte {
	for {
		n := e.plainLength(s)
		b = append(b, s[:n]...)
		if s = s[n:]; s == "" {
			return b
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case strings.HasPrefix(s, "\r\n"): // the line end is the next
		case isLineEnd(r):
			b = append(b, e.lineEnd...)
		case r >= utf8.RuneSelf:
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, e.of[r]...)
		}
		s = s[size:]
	}
}
