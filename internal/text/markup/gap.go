package markup

// This file holds what stands between two pieces of a text: spaces, line ends and breaks.

import "bytes"

// A gap is white space, with a lineBreak for each <br>. Two breaks with only white space between
// them are a blank line, so at most the last <br> of a gap is a break.
type gap []byte

// lineBreak is no white space, and nothing else than white space comes into a gap.
const lineBreak = 0

func (g gap) breaks() int { return bytes.Count(g, []byte{lineBreak}) }

// parts returns what is before the last break, and what is after it. Without a break all is before
// it.
func (g gap) parts() (before, after gap) {
	if i := bytes.LastIndexByte(g, lineBreak); i >= 0 {
		return g[:i], g[i+1:]
	}
	return g, nil
}

func (g gap) lines() int { return bytes.Count(g, []byte{'\n'}) }

// blank reports whether the gap divides paragraphs.
func (g gap) blank() bool {
	before, after := g.parts()
	return g.breaks() > 1 || before.lines() > 1 || after.lines() > 1
}

func (g gap) isBreak() bool { return bytes.ContainsAny(g, "\n\x00") }

// tail returns what is kept at the end of a paragraph that the gap follows: the spaces on its
// line.
func (g gap) tail() gap {
	if i := bytes.IndexAny(g, "\n\x00"); i >= 0 {
		return g[:i]
	}
	return g
}

// head returns what is kept at the beginning of a paragraph that the gap comes before: the spaces
// on its line, and a line end behind a break.
func (g gap) head() gap {
	if _, after := g.parts(); g.breaks()%2 == 1 && after.lines() < 2 {
		return after
	}
	return g[bytes.LastIndexAny(g, "\n\x00")+1:]
}

// opening and closing return what is kept between the text of an element and its tags.
func (g gap) opening() gap {
	switch {
	case g.breaks() == 0 && g.lines() < 2:
		return g
	case g.breaks()%2 == 1:
		return g.head()
	}
	return g.lineEnd()
}

func (g gap) closing() gap {
	switch {
	case g.breaks() == 0 && g.lines() < 2:
		return g
	case g.lines() == 0:
		return g.tail()
	}
	return g.lineEnd()
}

func (g gap) lineEnd() gap {
	if i := bytes.IndexByte(g, '\n'); i >= 0 {
		return g[i : i+1]
	}
	return nil
}

// appendWithin appends what is kept of the gap within a paragraph: a line end is a break, and so
// is a break, which stands for the line end behind it too. Spaces before a line end go.
func (g gap) appendWithin(b []byte) []byte {
	before, after := g.parts()
	if i := bytes.IndexByte(before, '\n'); i >= 0 {
		b = append(b, "<br />\n"...)
		before = before[i+1:]
	}
	b = append(b, before...)
	if g.breaks() == 0 {
		return b
	}
	b = append(b, "<br />"...)
	return append(b, after[max(0, bytes.IndexByte(after, '\n')):]...)
}

// isRendered reports whether the gap is the output of appendWithin for a line end before a break.
// Rendered again, it would be two breaks, and so a blank line: in an element, where rendered text
// stands, it is not changed.
func (g gap) isRendered() bool {
	before, after := g.parts()
	return g.breaks() == 2 && bytes.HasPrefix(before, []byte{lineBreak, '\n'}) &&
		before.lines() == 1 &&
		(after.lines() == 0 || after.lines() == 1 && after[0] == '\n')
}

func (g gap) appendRaw(b []byte) []byte {
	return append(b, bytes.ReplaceAll(g, []byte{lineBreak}, []byte("<br />"))...)
}
