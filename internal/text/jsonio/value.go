// Package jsonio reads JSON that others wrote, such as bodies of requests, files of other sites
// and seeds, and writes JSON that is made of Go values. A Value is a text that is known to be
// JSON and knows its place, so that errors can name it; it is taken apart when its members or
// items are asked for, and no sooner:
//
//	v := jsonio.Value{Raw: text}
//	for _, m := range v.Members() { … m.Name, m.Text() … }
//
// check.go finds the mistake in a text before it becomes a Value, and stream.go reads files that
// are larger than memory. write.go writes as json.Marshal does, but without escapes that only
// HTML needs, and objects whose members keep an order that is known only when they are made.
package jsonio

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Value is a JSON value without the blanks around it. The zero Value stands
// for what is not there. Raw must be valid JSON. Values are not safe for
// concurrent use: Members and Items remember what they found.
type Value struct {
	Raw   []byte
	At    int // offset of Raw in the text that it was found in
	parts []*Member
}

// A Member is a member of an object; in the parts of a list, an item.
type Member struct {
	Name   string
	NameAt int // offset of the name, as At
	Value
}

// Kind returns the first byte: { [ " t f n - or a digit; 0 for what is not there.
func (v *Value) Kind() byte {
	if len(v.Raw) == 0 {
		return 0
	}
	return v.Raw[0]
}

// IsNumber reports whether the value is a number.
func (v *Value) IsNumber() bool { k := v.Kind(); return k == '-' || '0' <= k && k <= '9' }

// IsNull reports whether the value is null or not there.
func (v *Value) IsNull() bool { k := v.Kind(); return k == 0 || k == 'n' }

// IsEmpty reports whether the value is null, not there, false or an empty list:
// all that stands for an empty text where the form of our records comes from.
func (v *Value) IsEmpty() bool {
	return v.IsNull() || v.Kind() == 'f' || v.Kind() == '[' && v.Raw[blanks(v.Raw, 1)] == ']'
}

// Text returns a text, and false for every other value.
func (v *Value) Text() (s string, ok bool) {
	if v.Kind() != '"' {
		return "", false
	}
	if plain := v.Raw[1 : len(v.Raw)-1]; bytes.IndexByte(plain, '\\') < 0 &&
		utf8.Valid(plain) { // as nearly all are
		return string(plain), true
	}
	return s, json.Unmarshal(v.Raw, &s) == nil
}

// Integer returns a whole number, also from a text; 0 for other values.
func (v *Value) Integer() int64 {
	n, err := strconv.ParseInt(strings.Trim(string(v.Raw), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Members returns the members of an object in order, duplicates too; nil for other values.
func (v *Value) Members() []*Member {
	if v.Kind() != '{' {
		return nil
	}
	return v.split()
}

// split returns the members of an object, or the items of a list, and keeps them.
func (v *Value) split() []*Member {
	if v.parts != nil {
		return v.parts
	}
	v.parts = []*Member{}
	for i := blanks(v.Raw, 1); v.Raw[i] != '}' && v.Raw[i] != ']'; {
		m := &Member{}
		if v.Kind() == '{' {
			end := skip(v.Raw, i)
			m.Name, m.NameAt = string(v.Raw[i+1:end-1]), v.At+i
			if strings.Contains(m.Name, `\`) {
				m.Name, _ = (&Value{Raw: v.Raw[i:end]}).Text()
			}
			i = blanks(v.Raw, 1+blanks(v.Raw, end)) // behind the colon
		}
		end := skip(v.Raw, i)
		m.Value = Value{Raw: v.Raw[i:end], At: v.At + i}
		v.parts = append(v.parts, m)
		if i = blanks(v.Raw, end); v.Raw[i] == ',' {
			i = blanks(v.Raw, i+1)
		}
	}
	return v.parts
}

// Member returns the last member with a name, which is the effective one, or an empty Value.
func (v *Value) Member(name string) *Value {
	members := v.Members()
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return &members[i].Value
		}
	}
	return &Value{}
}

// Set replaces the text of a member by another, which must be JSON, for all later readers.
// Raw of v keeps what was read. A member that is not there is added, at the place
// of v.
func (v *Value) Set(name, text string) {
	if m := v.Member(name); m.Kind() != 0 {
		m.Replace(text)
		return
	}
	v.parts = append(v.parts, &Member{name, v.At, Value{Raw: []byte(text), At: v.At}})
}

// Replace replaces the text of the value by another, which must be JSON.
func (v *Value) Replace(text string) { *v = Value{Raw: []byte(text), At: v.At} }

// Items returns the items of a list in their order. A value that is no list is a
// list of one, and what IsEmpty has none.
func (v *Value) Items() (items []*Value) {
	switch {
	case v.IsEmpty():
		return nil
	case v.Kind() != '[':
		return []*Value{v}
	}
	for _, item := range v.split() {
		items = append(items, &item.Value)
	}
	return items
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
