// JSON values that know where in a file they stand.

package seed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A file is the text of a seed.
type file struct {
	name string
	text []byte
}

// line returns the number of the line, from 1, that an offset is in.
func (f *file) line(at int) int { return 1 + bytes.Count(f.text[:at], []byte("\n")) }

// A value is a JSON value in a file, without the blanks around it. Its text is
// known to be valid.
type value struct {
	raw []byte
	at  int // offset of raw in the file
}

// values yields the values of a file, which stand one after the other. The error
// of the one that is none says what is wrong, and its at where.
func (f *file) values() iter.Seq2[value, error] {
	return func(yield func(value, error) bool) {
		at := 0
		if bytes.HasPrefix(f.text, []byte("\ufeff")) {
			at = len("\ufeff") // some editors put it in front of UTF-8
		}
		for at = blanks(f.text, at); at < len(f.text); at = blanks(f.text, at) {
			end := skip(f.text, at)
			v := value{f.text[at:end], at}
			if wrong, err := syntax(v.raw); err != nil {
				yield(value{at: at + wrong}, err)
				return
			}
			if !yield(v, nil) {
				return
			}
			at = end
		}
	}
}

// syntax returns what is wrong with a text that should be a value, and where.
func syntax(text []byte) (at int, err error) {
	if !utf8.Valid(text) {
		for utf8.FullRune(text[at:]) {
			r, size := utf8.DecodeRune(text[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return at, fmt.Errorf("is not UTF-8")
	}
	if json.Valid(text) {
		return 0, nil
	}
	var none json.RawMessage
	err = json.Unmarshal(text, &none)
	if wrong, ok := err.(*json.SyntaxError); ok {
		if at = max(0, int(wrong.Offset)-1); wrong.Error() == "unexpected end of JSON input" {
			return len(text), fmt.Errorf("ends in the middle of its JSON; was it cut off?")
		}
	}
	return at, err
}

// kind returns the first byte: { [ " t f n - or a digit; 0 for what is not there.
func (v value) kind() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// isNumber reports whether the value is a number.
func (v value) isNumber() bool { k := v.kind(); return k == '-' || '0' <= k && k <= '9' }

// isNothing reports whether the value is null or not there.
func (v value) isNothing() bool { k := v.kind(); return k == 0 || k == 'n' }

// text returns a text.
func (v value) text() (s string, ok bool) {
	if v.kind() != '"' {
		return "", false
	}
	return s, json.Unmarshal(v.raw, &s) == nil
}

// integer returns a whole number, also one that is written as a text; 0 for
// everything else.
func (v value) integer() int64 {
	n, err := strconv.ParseInt(strings.Trim(string(v.raw), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// A member is a member of an object.
type member struct {
	name string
	at   int // offset of the name in the file
	value
}

// An object is a value taken apart.
type object struct {
	value
	members []member // in their order
}

// object returns the members of an object, and none of another value.
func (v value) object() object {
	o := object{value: v}
	for i := blanks(v.raw, 1); v.kind() == '{' && v.raw[i] == '"'; {
		end := skip(v.raw, i)
		m := member{name: string(v.raw[i+1 : end-1]), at: v.at + i}
		if strings.Contains(m.name, `\`) {
			m.name, _ = value{raw: v.raw[i:end]}.text()
		}
		i = blanks(v.raw, 1+blanks(v.raw, end)) // behind the colon
		end = skip(v.raw, i)
		m.value = value{v.raw[i:end], v.at + i}
		o.members = append(o.members, m)
		if i = blanks(v.raw, end); v.raw[i] == ',' {
			i = blanks(v.raw, i+1)
		}
	}
	return o
}

// member returns the last member with a name, which is the one that counts, or
// one that is not there.
func (o *object) member(name string) (found member) {
	for _, m := range o.members {
		if m.name == name {
			found = m
		}
	}
	return found
}

// items yields the items of a list in their order. A value that is no list is a
// list of one, and null and what is not there of none.
func (v value) items() iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		if v.kind() != '[' {
			if !v.isNothing() {
				yield(0, v)
			}
			return
		}
		for i, n := blanks(v.raw, 1), 0; v.raw[i] != ']'; n++ {
			end := skip(v.raw, i)
			if !yield(n, value{v.raw[i:end], v.at + i}) {
				return
			}
			if i = blanks(v.raw, end); v.raw[i] == ',' {
				i = blanks(v.raw, i+1)
			}
		}
	}
}

// blanks returns the offset of the first byte from one on that is no blank.
func blanks(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// skip returns the offset of the end of the value that begins at one. Of a text
// that is not valid it returns some end.
func skip(text []byte, at int) int {
	depth := 0
	for i := at; i < len(text); {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		default:
			from := i
			for i < len(text) && strings.IndexByte(" \t\r\n,:]}[{\"", text[i]) < 0 {
				i++
			}
			if i == from { // a blank or a mark
				i++
				if depth > 0 {
					continue
				}
			}
		}
		if depth <= 0 {
			return min(i, len(text))
		}
	}
	return len(text)
}
