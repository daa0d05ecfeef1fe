// Reading content lines (section 3.1 of RFC 5545).

package ical

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// Bounds of the memory in use at a time.
const (
	maxComponent = 4 << 20 // bytes of a component, with what the parts of its lines take beside their texts
	maxDepth     = 16      // components in components
	partSize     = 64      // of a property or a parameter, beside its text
)

// A Property is a content line: NAME;PARAM=value:value.
type Property struct {
	Name   string // in upper case
	Params []Param
	Value  string // as it is written; Text and the like read it
	Line   int    // of the file, from 1
}

// A Param is a parameter of a property, with the signs of RFC 6868 decoded.
type Param struct {
	Name   string // in upper case
	Values []string
}

// Param returns the first value of a parameter, or "".
func (p *Property) Param(name string) string {
	for _, param := range p.Params {
		if param.Name == name {
			return param.Values[0]
		}
	}
	return ""
}

// All returns all values of a parameter with commas between them, as one text, or "". Some programs
// write a text with commas without quotes.
func (p *Property) All(name string) string {
	for _, param := range p.Params {
		if param.Name == name {
			return strings.Join(param.Values, ",")
		}
	}
	return ""
}

// A lineReader reads lines and joins those that were folded.
type lineReader struct {
	r    *bufio.Reader
	line int // physical lines that were read
	buf  []byte
}

func newLineReader(r io.Reader) *lineReader {
	const size = 64 << 10
	text := bufio.NewReaderSize(r, size)
	if bom, _ := text.Peek(3); string(bom) == "\ufeff" {
		_, _ = text.Discard(len(bom))
	}
	return &lineReader{r: text}
}

// next returns a content line without its end, valid until the next call, and the number of
// the line on which it begins. Of a line that is too long it returns the beginning, with
// whole false.
func (l *lineReader) next() (text []byte, number int, whole bool, err error) {
	l.buf = l.buf[:0]
	number = l.line + 1
	whole = true
	if cap(l.buf) > 1<<20 {
		l.buf = nil // a long line is rare
	}
	for {
		chunk, err := l.r.ReadSlice('\n')
		if len(chunk) > 0 && chunk[len(chunk)-1] == '\n' {
			l.line++
			whole = l.add(bytes.TrimSuffix(chunk[:len(chunk)-1], []byte("\r"))) && whole
			if folded, _ := l.r.Peek(1); len(folded) == 0 ||
				folded[0] != ' ' && folded[0] != '\t' {
				return l.buf, number, whole, nil
			}
			_, _ = l.r.Discard(1)
			continue
		}
		whole = l.add(chunk) && whole
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && (len(l.buf) > 0 || len(chunk) > 0):
			l.line++
			return l.buf, number, whole, nil
		case err != nil:
			return nil, number, false, err
		}
	}
}

// add adds a chunk to the line, as long as that may be longer.
func (l *lineReader) add(chunk []byte) bool {
	if len(l.buf)+len(chunk) > maxComponent {
		return false
	}
	l.buf = append(l.buf, chunk...)
	return true
}

// parse makes a property of a content line in UTF-8. Control characters, which may not be in one,
// are left out.
func parse(text []byte, number int) (p Property, ok bool) {
	name, rest, ok := cutName(strings.Map(dropControl, string(text)))
	if !ok {
		return p, false
	}
	p = Property{Name: name, Line: number}
	for rest[0] == ';' {
		name, after, ok := cutName(rest[1:])
		if !ok || after[0] != '=' {
			return p, false
		}
		param := Param{Name: name}
		for after[0] == '=' || after[0] == ',' {
			var value string
			if value, after, ok = paramValue(after[1:]); !ok {
				return p, false
			}
			param.Values = append(param.Values, value)
		}
		p.Params = append(p.Params, param)
		rest = after
	}
	p.Value = rest[1:]
	return p, rest[0] == ':'
}

// dropControl returns -1 for a control character, which no line may have.
func dropControl(c rune) rune {
	if c < ' ' && c != '\t' || c == 0x7f {
		return -1
	}
	return c
}

// cutName reads a name, in upper case, up to the sign behind it.
func cutName(s string) (name, rest string, ok bool) {
	rest = strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
	name = strings.ToUpper(s[:len(s)-len(rest)])
	return name, rest, name != "" && rest != ""
}

// paramValue reads one value of a parameter, up to the sign that ends it.
func paramValue(s string) (value, rest string, ok bool) {
	if quoted, found := strings.CutPrefix(s, `"`); found {
		value, rest, ok = strings.Cut(quoted, `"`)
	} else if i := strings.IndexAny(s, ",;:"); i >= 0 {
		value = s[:i]
		rest = s[i:]
		ok = true
	}
	if !ok || rest == "" || rest[0] != ',' && rest[0] != ';' && rest[0] != ':' {
		return "", "", false
	}
	return paramSigns.Replace(value), rest, true
}

// paramSigns are those of RFC 6868.
var paramSigns = strings.NewReplacer("^^", "^", "^n", "\n", "^'", `"`)

// size returns how much of memory a property takes, about.
func (p *Property) size() int {
	n := len(p.Name) + len(p.Value) + partSize
	for _, param := range p.Params {
		n += partSize * (1 + len(param.Values))
		for _, value := range param.Values {
			n += len(value)
		}
	}
	return n
}
