// The _fields parameter: only some members of an answer.

package respond

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// wanted is a tree of the members that are asked for; a leaf wants all below.
type wanted map[string]wanted

// wantedOf reads a list of members such as "id,title,venue.city".
func wantedOf(fields string) wanted {
	root := wanted{}
	for field := range strings.SplitSeq(fields, ",") {
		at := root
		parts := strings.Split(strings.TrimSpace(field), ".")
		for i, part := range parts {
			below, ok := at[part]
			switch {
			case ok && below == nil:
			case i == len(parts)-1, part == "json_ld": // it is whole, as in the original
				at[part] = nil
			case !ok:
				below = wanted{}
				at[part] = below
			}
			if below == nil {
				break
			}
			at = below
		}
	}
	return root
}

// selectFields keeps the members of a JSON object that a list names, in the order
// of the object. Dots lead into objects, not into lists of them: these lose all
// items when members of them are asked for, and other values stay.
func selectFields(parts iter.Seq[[]byte], fields string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		s := selector{below: wantedOf(fields)}
		for part := range parts {
			s.out = s.out[:0]
			for _, c := range part {
				s.read(c)
			}
			if len(s.out) > 0 && !yield(s.out) {
				return
			}
		}
	}
}

// A selector reads valid JSON byte by byte and appends what is wanted of it.
type selector struct {
	out   []byte
	at    place
	below wanted   // in the value that comes next
	open  []wanted // in the objects that are open, the innermost last
	comma bool     // a member of the innermost was appended
	name  []byte   // of a member, with its quotes

	// Of a value that is wanted whole or not at all:
	drop     bool
	depth    int // how many lists and objects are open
	inString bool

	escaped bool // a backslash was before, in a string
}

// A place is the token that a selector expects.
type place int

const (
	atValue  place = iota // a value whose members are selected
	atMember              // or the comma before one, or the end of an object
	inName
	atColon
	inValue // wanted whole or not at all
	atEnd
)

func (s *selector) read(c byte) {
	switch s.at {
	case atValue:
		s.value(c)
	case atMember:
		switch c {
		case '"':
			s.name = append(s.name[:0], c)
			s.at = inName
		case '}':
			s.out = append(s.out, c)
			s.open = s.open[:len(s.open)-1]
			s.comma = true // the object itself was a member
			s.end()
		}
	case inName:
		if s.name = append(s.name, c); s.endsString(c) {
			s.at = atColon
		}
	case atColon:
		s.member()
	case inValue:
		s.pass(c)
	}
}

// value reads the first byte of a value whose members are selected.
func (s *selector) value(c byte) {
	switch c {
	case ' ', '\n', '\r', '\t':
	case '{':
		s.out = append(s.out, c)
		s.open = append(s.open, s.below)
		s.comma = false
		s.at = atMember
	case '[':
		s.out = append(s.out, "[]"...)
		s.drop = true
		s.at = inValue
		s.pass(c)
	default:
		s.drop = false
		s.at = inValue
		s.pass(c)
	}
}

// member decides about a member whose name has been read, at the colon.
func (s *selector) member() {
	name := string(s.name[1 : len(s.name)-1])
	if bytes.IndexByte(s.name, '\\') >= 0 {
		_ = json.Unmarshal(s.name, &name) // it is valid
	}
	below, ok := s.open[len(s.open)-1][name]
	if s.drop, s.at = !ok, inValue; !ok {
		return
	}
	if s.comma {
		s.out = append(s.out, ',')
	}
	s.out = append(append(s.out, s.name...), ':')
	s.comma = true
	if below != nil {
		s.below = below
		s.at = atValue
	}
}

// pass reads a byte of a value that is wanted whole or not at all, or the first
// behind a number or a word.
func (s *selector) pass(c byte) {
	if s.depth == 0 && !s.inString && (c == ',' || c == '}') {
		s.end()
		s.read(c)
		return
	}
	if !s.drop {
		s.out = append(s.out, c)
	}
	switch {
	case s.inString:
		s.inString = !s.endsString(c)
	case c == '"':
		s.inString = true
		return
	case c == '{' || c == '[':
		s.depth++
		return
	case c == '}' || c == ']':
		s.depth--
	default:
		return
	}
	if s.depth == 0 && !s.inString {
		s.end()
	}
}

// endsString reports whether a byte of a string is the quote at its end.
func (s *selector) endsString(c byte) bool {
	if s.escaped {
		s.escaped = false
		return false
	}
	s.escaped = c == '\\'
	return c == '"'
}

// end ends a value.
func (s *selector) end() {
	if s.at = atMember; len(s.open) == 0 {
		s.at = atEnd
	}
}
