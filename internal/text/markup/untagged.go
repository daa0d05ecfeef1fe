package markup

// This file renders text without tags, which most descriptions are, in one pass: the typesetter
// marks the lines and paragraphs as it comes to them. The tests compare it with the way that
// tagged text takes.

import "strings"

// isUntagged reports whether no tag or comment begins anywhere in s.
func isUntagged(s string) bool { return strings.IndexByte(s, '<') < 0 }

// appendUntagged appends what paragraphs makes of the typeset text.
func appendUntagged(b []byte, s string) []byte {
	start := 0 // of the first line that says something
	for i := 0; i < len(s) && isSpace(s[i]); i++ {
		if s[i] == '\n' || s[i] == '\r' {
			start = i + 1
		}
	}
	s = s[start:]
	if trim(s) == "" {
		return b
	}
	t := typesetter{src: s, out: append(b, "<p>"...), wrap: true}
	t.run()
	return append(t.rest(), "</p>"...)
}

// lineEnd takes the white space around the line end at pos: a blank line divides paragraphs, a
// single line end is a break. The next line keeps its indent, the one before its spaces if it ends
// a paragraph. At the end of src nothing is marked.
func (t *typesetter) lineEnd() {
	end := t.pos
	next := t.pos
	indent := t.pos
	lines := 0
	for ; next < len(t.src) && isSpace(t.src[next]); next++ {
		switch c := t.src[next]; {
		case c == '\n' && next > t.pos && t.src[next-1] == '\r': // the second half of a line end
			indent = next + 1
		case c == '\n' || c == '\r':
			lines = lines + 1
			indent = next + 1
		}
	}
	last := next == len(t.src)
	for lines == 1 && !last && end > t.done && isSpace(t.src[end-1]) {
		end--
	}
	t.out = append(t.out, t.src[t.done:end]...)
	switch {
	case last:
		indent = next
	case lines > 1:
		t.out = append(t.out, "</p>\n<p>"...)
	default:
		t.out = append(t.out, "<br />\n"...)
	}
	t.out = append(t.out, t.src[indent:next]...)
	t.done = next
	t.keep(next-t.pos, ' ')
}
