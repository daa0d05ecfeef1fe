// The _pretty parameter: JSON for people.

package respond

import (
	"iter"
	"strings"
)

// indent writes valid JSON with a line for each member and item, as json.Indent
// does with four spaces.
func indent(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var n indenter
		for part := range parts {
			n.out = n.out[:0]
			for _, c := range part {
				n.read(c)
			}
			if len(n.out) > 0 && !yield(n.out) {
				return
			}
		}
	}
}

// An indenter reads JSON byte by byte and appends it with lines.
type indenter struct {
	out      []byte
	depth    int
	opened   bool // the last byte opened a list or an object
	inString bool
	escaped  bool
}

func (n *indenter) read(c byte) {
	if n.inString {
		n.out = append(n.out, c)
		n.inString = c != '"' || n.escaped
		n.escaped = c == '\\' && !n.escaped
		return
	}
	switch c {
	case ' ', '\n', '\r', '\t':
		return
	case '}', ']':
		if n.depth--; !n.opened {
			n.line()
		}
		n.opened = false
		n.out = append(n.out, c)
		return
	}
	if n.opened {
		n.opened = false
		n.line()
	}
	n.out = append(n.out, c)
	switch c {
	case '"':
		n.inString = true
	case '{', '[':
		n.depth = n.depth + 1
		n.opened = true
	case ',':
		n.line()
	case ':':
		n.out = append(n.out, ' ')
	}
}

// line begins a line.
func (n *indenter) line() {
	const step = "    "
	n.out = append(append(n.out, '\n'), strings.Repeat(step, n.depth)...)
}
