// Content lines (section 3.1 of RFC 5545) and the values in them.

package ical

import (
	"strings"
	"time"
	"unicode/utf8"
)

// A Writer appends content lines to B. Line begins one, Param adds parameters, and every
// other method writes the value and ends the line:
//
//	w.Line("DTSTART").Param("TZID", "Europe/Paris").Local(start)
//
// Whatever a text holds, it stays inside its value: lines are folded, special characters
// escaped, and control characters left out. Names, and values that are given to Raw, are
// those of the caller's program.
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

// Param writes a parameter with one value. What may not stand in one is encoded as RFC
// 6868 has it.
func (w *Writer) Param(name, value string) *Writer {
	b := append(append(append(w.B, ';'), name...), '=')
	quoted := strings.ContainsAny(value, ":;,")
	if quoted {
		b = append(b, '"')
	}
	if b = appendEscaped(b, value, paramEscapes); quoted {
		b = append(b, '"')
	}
	w.B = b
	return w
}

// Text writes a value of texts, of which there are several in lists such as CATEGORIES.
func (w *Writer) Text(texts ...string) {
	for i, text := range texts {
		w.separate(i)
		w.B = appendEscaped(w.B, text, textEscapes)
	}
	w.end()
}

// URI writes an address. What no address may hold is percent-encoded.
func (w *Writer) URI(uri string) {
	const hex = "0123456789ABCDEF"
	b := append(w.B, ':')
	for i := 0; i < len(uri); {
		r, size := rune(uri[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(uri[i:])
		}
		if r <= ' ' || strings.ContainsRune("\"<>\\^`{|}\x7f\u0085\u2028\u2029", r) || r == utf8.RuneError && size == 1 {
			for _, c := range []byte(uri[i : i+size]) {
				b = append(b, '%', hex[c>>4], hex[c&15])
			}
		} else {
			b = append(b, uri[i:i+size]...)
		}
		i += size
	}
	w.B = b
	w.end()
}

// Raw writes a value as it is: one of the caller's program, not a text of a record.
func (w *Writer) Raw(value string) {
	w.B = append(append(w.B, ':'), value...)
	w.end()
}

// Date writes days, Local what clocks show, and UTC moments. Those of lists such as
// EXDATE may be several.
func (w *Writer) Date(days ...time.Time) {
	for i, t := range days {
		w.separate(i)
		w.B = appendDate(w.B, t)
	}
	w.end()
}

func (w *Writer) Local(walls ...time.Time) {
	for i, t := range walls {
		w.separate(i)
		w.B = appendClock(appendDate(w.B, t), t)
	}
	w.end()
}

func (w *Writer) UTC(moments ...time.Time) {
	for i, t := range moments {
		w.separate(i)
		t = t.UTC()
		w.B = append(appendClock(appendDate(w.B, t), t), 'Z')
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
		e.plain[c] = c >= ' ' && c != 0x7f || c == '\t'
	}
	for c, s := range of {
		e.plain[c], e.of[c] = false, s
	}
	return e
}

var (
	textEscapes  = newEscapes(`\n`, map[byte]string{'\\': `\\`, ';': `\;`, ',': `\,`})
	paramEscapes = newEscapes(`^n`, map[byte]string{'^': `^^`, '"': `^'`})
)

// appendEscaped appends a text. All that some program takes for the end of a line is one
// line end; control characters are left out, and what is no UTF-8 becomes U+FFFD.
func appendEscaped(b []byte, s string, e *escapes) []byte {
	for {
		n := 0
		for n < len(s) && e.plain[s[n]] {
			n++
		}
		b = append(b, s[:n]...)
		if s = s[n:]; s == "" {
			return b
		}
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s)
		}
		switch {
		case r == '\r' && len(s) > 1 && s[1] == '\n': // the line end is the next
		case r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			b = append(b, e.lineEnd...)
		case r >= utf8.RuneSelf:
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, e.of[r]...)
		}
		s = s[size:]
	}
}

// appendDate appends a date with four digits for the year: those outside 0 to 9999 have no
// form.
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	year = min(max(year, 0), 9999)
	return appendTwo(appendTwo(appendTwo(appendTwo(b, year/100), year%100), int(month)), day)
}

func appendClock(b []byte, t time.Time) []byte {
	hour, minute, second := t.Clock()
	return appendTwo(appendTwo(appendTwo(append(b, 'T'), hour), minute), second)
}

// appendTwo appends two digits.
func appendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10%10), byte('0'+n%10)) }
