package markup

// This file makes paragraphs: it reads typed text mixed with HTML and finds out where a <p> or a <br /> is
// meant.

import (
	"bytes"
	"strings"
)

// paragraphs puts text into paragraphs. A blank line, or two breaks, divide paragraphs; a single line end
// becomes a break. Blocks stay as they are, each tag on a line of its own. Text that stands alone in a block
// gets no paragraph, save in a blockquote; nor do mere tags, such as an <a> that wraps blocks. White space
// at the ends is trimmed.
func paragraphs(s string) string {
	s = lineEnds.Replace(s)
	c := composer{out: make([]byte, 0, len(s)+len(s)/8), open: map[string]int{}}
	for z := newScanner(s); z.next(); {
		switch z.kind {
		case text:
			c.text(z.raw)
		case comment:
			c.piece(z.raw, true)
		case startTag:
			c.startTag(z)
		case endTag:
			c.endTag(z)
		}
	}
	c.endRun(false)
	return strings.TrimSpace(string(c.out))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A composer collects a run, which is all that stands between two tags of blocks, and writes it when it
// knows what comes after.
type composer struct {
	out   []byte
	stack []string       // the blocks that are open, <p> is not among them
	open  map[string]int // how often each is on the stack
	fresh bool           // nothing was written since the start tag on top of the stack
	ended bool           // what was written last is a block
	para  string         // the start tag of the <p> that is open

	run   []byte // without the white space around it
	parts []part // what blank lines make of it
	lead  gap    // the white space before it
	gap   gap    // the white space read after it
	tight bool   // it ends in the tag of a caption
}

// A part of a run is what may become a paragraph.
type part struct {
	start, end int
	solid      bool // holds more than mere tags
}

// A gap is white space and breaks.
type gap struct {
	raw    []byte
	lines  int // line ends
	breaks int // <br /> tags
}

func (g *gap) blank() bool { return g.lines > 1 || g.breaks > 1 }

// edge returns what is kept of the gap at the end of a block.
func (g *gap) edge() []byte {
	switch {
	case g.breaks == 0 && g.lines <= 1:
		return g.raw
	case g.lines > 0:
		return []byte("\n")
	}
	return nil
}

// appendWithin appends what is kept of the gap within a paragraph.
func (g *gap) appendWithin(b []byte) []byte {
	if g.lines == 0 {
		return append(b, g.raw...)
	}
	b = append(b, "<br />\n"...)
	return append(b, g.raw[bytes.LastIndexAny(g.raw, "\n>")+1:]...)
}

func (g *gap) reset() { *g = gap{raw: g.raw[:0]} }

func (c *composer) text(s string) {
	for s != "" {
		n := 0
		for n < len(s) && isSpace(s[n]) {
			n++
		}
		c.gap.raw = append(c.gap.raw, s[:n]...)
		c.gap.lines += strings.Count(s[:n], "\n")
		s = s[n:]
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		for n > 0 && isSpace(s[n-1]) {
			n--
		}
		if n > 0 {
			c.piece(s[:n], true)
			s = s[n:]
		}
	}
}

func (c *composer) startTag(z *scanner) {
	switch r := roles[z.name]; r {
	case inline, replaced:
		if z.name == "br" {
			c.gap.raw = append(c.gap.raw, "<br />"...)
			c.gap.breaks++
			return
		}
		c.piece(z.raw, r == replaced)
	case opaque:
		z.skipContent()
		c.piece(z.raw, true)
	case caption:
		c.caption(z.raw)
	case para:
		c.endRun(false)
		c.para = z.raw
	default:
		c.endRun(false)
		complete := r == rule || r == listing && z.skipContent()
		c.newLine()
		c.out = append(c.out, z.raw...)
		c.fresh, c.ended = !complete, complete
		if !complete {
			c.stack = append(c.stack, z.name)
			c.open[z.name]++
		}
	}
}

func (c *composer) endTag(z *scanner) {
	switch roles[z.name] {
	case inline, replaced, opaque:
		c.piece(z.raw, false)
	case caption:
		c.caption(z.raw)
	case para:
		c.endRun(c.para != "")
	default:
		c.endRun(c.para == "" && z.name == c.top())
		if c.ended {
			c.newLine()
		}
		c.out = append(c.out, z.raw...)
		c.fresh, c.ended = false, true
		for c.open[z.name] > 0 {
			top := c.top()
			c.stack = c.stack[:len(c.stack)-1]
			c.open[top]--
			if top == z.name {
				break
			}
		}
	}
}

func (c *composer) caption(tag string) {
	if len(c.parts) > 0 {
		c.gap.reset()
	}
	c.piece(tag, true)
	c.tight = true
}

// piece appends something inline to the run.
func (c *composer) piece(s string, solid bool) {
	switch {
	case len(c.parts) == 0:
		c.lead, c.gap = c.gap, c.lead
		c.parts = append(c.parts, part{})
	case c.tight:
	case c.gap.blank():
		c.parts = append(c.parts, part{start: len(c.run)})
	default:
		c.run = c.gap.appendWithin(c.run)
	}
	c.gap.reset()
	c.tight = false
	c.run = append(c.run, s...)
	last := &c.parts[len(c.parts)-1]
	last.end = len(c.run)
	last.solid = last.solid || solid
}

// endRun writes the run. With closing, the end tag of the block or <p> it stands in comes next.
func (c *composer) endRun(closing bool) {
	trail := c.gap
	alone := c.fresh && closing && !c.lead.blank() && !trail.blank()
	top := c.top()
	switch {
	case c.para != "":
		c.writeParagraph(closing, trail)
	case len(c.parts) == 0:
	case top == "" || top == "blockquote",
		roles[top] == flow && (!alone || len(c.parts) > 1),
		roles[top] == compact && len(c.parts) > 1:
		c.writeParagraphs()
	default:
		c.writeBare(closing, trail)
	}
	c.run, c.parts = c.run[:0], c.parts[:0]
	c.lead.reset()
	c.gap.reset()
	c.tight = false
}

// writeParagraph writes the run as the content of the <p> that is open. Blank lines end it and begin others.
func (c *composer) writeParagraph(closing bool, trail gap) {
	tag := c.para
	c.para = ""
	if len(c.parts) == 0 && tag == "<p>" {
		return
	}
	c.newLine()
	c.out = append(c.out, tag...)
	c.out = append(c.out, c.lead.edge()...)
	for i, p := range c.parts {
		if i > 0 {
			c.out = append(c.out, "</p>\n<p>"...)
		}
		c.out = append(c.out, c.run[p.start:p.end]...)
	}
	if closing && len(c.parts) > 0 {
		c.out = append(c.out, trail.edge()...)
	}
	c.out = append(c.out, "</p>"...)
	c.fresh, c.ended = false, true
}

// writeParagraphs writes each part of the run as a paragraph of its own.
func (c *composer) writeParagraphs() {
	for i, p := range c.parts {
		c.newLine()
		if !p.solid {
			if i > 0 && !c.parts[i-1].solid {
				c.newLine() // else the two would be one line when this is read again
			}
			c.out = append(c.out, c.run[p.start:p.end]...)
			continue
		}
		c.out = append(c.out, "<p>"...)
		c.out = append(c.out, c.run[p.start:p.end]...)
		c.out = append(c.out, "</p>"...)
	}
	c.fresh, c.ended = false, true
}

// writeBare writes the run without paragraphs.
func (c *composer) writeBare(closing bool, trail gap) {
	if c.fresh {
		c.out = append(c.out, c.lead.edge()...)
	} else {
		c.newLine()
	}
	for i, p := range c.parts {
		if i > 0 {
			c.out = append(c.out, "<br />\n"...)
		}
		c.out = append(c.out, c.run[p.start:p.end]...)
	}
	if closing {
		c.out = append(c.out, trail.edge()...)
	}
	c.fresh, c.ended = false, !closing
}

// newLine begins a new line unless nothing was written yet.
func (c *composer) newLine() {
	if len(c.out) > 0 {
		c.out = append(c.out, '\n')
	}
}

// top returns the name of the innermost block that is open, or "".
func (c *composer) top() string {
	if len(c.stack) == 0 {
		return ""
	}
	return c.stack[len(c.stack)-1]
}
