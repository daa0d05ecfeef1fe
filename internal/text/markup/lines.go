package markup

// This file turns HTML into plain text of several lines, as in a mail.

import (
	"html"
	"strconv"
	"strings"
)

// AppendLines appends rendered HTML as plain text: paragraphs with a blank line between
// them, lists with a bullet or a number before each item, links followed by their address,
// images as their alternative text. Entities are decoded.
func AppendLines(b []byte, s string) []byte {
	l := liner{b: b, start: len(b)}
	for z := newScanner(s); z.next(); {
		switch z.kind {
		case text:
			l.text(z.raw)
		case startTag:
			l.startTag(z)
		case endTag:
			l.endTag(z.name)
		}
	}
	return l.b
}

type liner struct {
	b         []byte
	start     int   // of the output in b
	ends      int   // how many line ends come before the next text
	space     bool  // a space comes before the next text of the same line
	pre       int   // depth of elements whose white space counts
	lists     []int // last item number of each open list, -1 for bullets
	marked    int   // end of the bullet of the last item
	link      string
	linkStart int // of the text of link
}

func (l *liner) text(s string) {
	if l.pre > 0 {
		l.write(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s))
		return
	}
	for s != "" {
		n := 0
		for n < len(s) && isSpace(s[n]) {
			n++
		}
		l.space = l.space || n > 0
		s = s[n:]
		for n = 0; n < len(s) && (s[n] > ' ' || s[n] == ' ' && n+1 < len(s) && s[n+1] > ' ' || !isSpace(s[n])); n++ {
		}
		if n > 0 {
			l.write(s[:n])
		}
		s = s[n:]
	}
}

// write writes what stands in one line, after what comes before it.
func (l *liner) write(s string) {
	switch {
	case len(l.b) == l.start:
	case l.ends > 0:
		l.b = append(l.b, "\n\n"[:l.ends]...)
	case l.space:
		l.b = append(l.b, ' ')
	}
	l.ends = 0
	l.space = false
	for n := strings.IndexByte(s, '&'); n >= 0; n = strings.IndexByte(s, '&') {
		end := max(entityEnd(s, n), n+1)
		l.b = append(append(l.b, s[:n]...), html.UnescapeString(s[n:end])...)
		s = s[end:]
	}
	l.b = append(l.b, s...)
}

// breakLine ends the line, unless it has only the bullet of an item: at least the given
// number of line ends comes before the next text.
func (l *liner) breakLine(ends int) {
	if ends > 0 && len(l.b) > l.marked {
		l.ends = max(l.ends, ends)
		l.space = false
	}
}

// apart returns how many line ends are around an element: a blank line around most.
func (l *liner) apart(name string) int {
	switch r := roles[name]; {
	case name == "li" || name == "tr" || name == "dt" || name == "dd" || r == caption || len(l.lists) > 0 && r > caption:
		return 1
	case name == "td" || name == "th" || name == "style" || r <= caption:
		return 0
	}
	return 2
}

func (l *liner) startTag(z *scanner) {
	l.breakLine(l.apart(z.name))
	switch z.name {
	case "br":
		l.breakLine(min(l.ends+1, 2))
	case "hr":
		l.write("---")
		l.breakLine(2)
	case "td", "th":
		l.space = true
	case "pre":
		l.pre++
	case "ul":
		l.lists = append(l.lists, -1)
	case "ol":
		l.lists = append(l.lists, 0)
	case "li":
		l.item()
	case "img":
		l.text(attributeOf(z.raw, "alt"))
	case "a":
		l.link, l.linkStart = html.UnescapeString(attributeOf(z.raw, "href")), len(l.b)
	}
	z.skipHidden()
}

// item writes the bullet or number of an item of a list.
func (l *liner) item() {
	bullet := "-"
	if n := len(l.lists) - 1; n >= 0 {
		if bullet = strings.Repeat("  ", min(n, 8)) + bullet; l.lists[n] >= 0 {
			l.lists[n]++
			bullet = bullet[:len(bullet)-1] + strconv.Itoa(l.lists[n]) + "."
		}
	}
	l.write(bullet)
	l.space = true
	l.marked = len(l.b)
}

func (l *liner) endTag(name string) {
	switch name {
	case "pre":
		l.pre = max(l.pre-1, 0)
	case "ul", "ol":
		l.lists = l.lists[:max(len(l.lists)-1, 0)]
	case "a":
		l.address()
	}
	l.breakLine(l.apart(name))
}

// address writes where a link leads, unless its text says so or that is on the same page.
func (l *liner) address() {
	to := strings.TrimPrefix(l.link, "mailto:")
	l.link = ""
	if !strings.ContainsAny(to, ":@") || strings.Contains(string(l.b[l.linkStart:]), to) {
		return
	}
	l.space = true
	l.write("(")
	l.b = append(append(l.b, to...), ')')
}

func attributeOf(tag, name string) string {
	for a := range attributes(tag) {
		if a.name == name {
			return a.value
		}
	}
	return ""
}
