package markup

// This file renders text without tags, which most descriptions are, in one pass: the typesetter marks the
// lines and paragraphs as it comes to them. The tests compare it with the way that tagged text takes.

import "strings"

// isUntagged reports whether no tag or comment begins anywhere in s.
func isUntagged(s string) bool { return strings.IndexByte(s, '<') < 0 }

// appendUntagged appends what paragraphs makes of the typeset text.
func appendUntagged(b []byte, s string) []byte {
	s = strings.TrimSpace(s)
	if s == "" {
		return b
	}
	t := typesetter{src: s, out: append(b, "<p>"...), wrap: true}
	t.run()
	return append(t.rest(), "</p>"...)
}

// lineEnd takes the white space around the line end at pos: a blank line divides paragraphs, a single line
// end is a break, behind which the next line keeps its indent. Text follows, as src was trimmed.
func (t *typesetter) lineEnd() {
	end, next, indent, lines := t.pos, t.pos, t.pos, 0
	for end > t.done && isSpace(t.src[end-1]) {
		end--
	}
	for ; next < len(t.src) && isSpace(t.src[next]); next++ {
		switch c := t.src[next]; {
		case c == '\n' && next > t.pos && t.src[next-1] == '\r': // the second half of a line end
			indent = next + 1
		case c == '\n' || c == '\r':
			lines, indent = lines+1, next+1
		}
	}
	t.out = append(t.out, t.src[t.done:end]...)
	if lines > 1 {
		t.out = append(t.out, "</p>\n<p>"...)
	} else {
		t.out = append(append(t.out, "<br />\n"...), t.src[indent:next]...)
	}
	t.done = next
	t.keep(next-t.pos, ' ')
}
