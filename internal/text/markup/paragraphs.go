package markup

// This file makes paragraphs: it reads typed text mixed with HTML and finds out where a <p> or a
// <br /> is meant.

import (
	"bytes"
	"strings"
)

// paragraphs puts text into paragraphs. A blank line, or two breaks, divide paragraphs; a single
// line end becomes a break. Blocks stay as they are, each tag on a line of its own. Text that
// stands alone in a block gets no paragraph, save in a blockquote; nor do mere tags, such as an
// <a> that wraps blocks. Spaces at the ends of a paragraph stay; white space at the ends of the
// whole is trimmed.
func paragraphs(s string) string {
	s = lineEnds.Replace(s)
	c := composer{out: make([]byte, 0, len(s)+len(s)/8), open: map[string]int{}}
	for z := newScanner(s); z.next(); {
		switch z.kind {
		case text:
			c.text(z.raw)
		case comment:
			c.fragment(z.raw, true)
		case startTag:
			c.startTag(z)
		case endTag:
			c.endTag(z)
		}
	}
	c.endRun(false)
	return trim(string(c.out))
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A composer collects a run, which is all that stands between two tags of blocks, and writes it
// when it knows what comes after.
type composer struct {
	out   []byte
	stack []string       // the open blocks except <p>
	open  map[string]int // how often each is on the stack
	fresh bool           // nothing was written since the start tag on top of the stack
	ended bool           // the last output is a block
	loose bool           // the last output is text or inline tags outside of a paragraph
	para  string         // the start tag of the open <p>

	run   []byte // without the white space around it
	parts []part // the run divided at blank lines
	lead  gap    // the white space before it
	gap   gap    // the white space read after it
	tight bool   // it ends in the tag of a caption
}

type part struct {
	start, end int
	solid      bool // holds more than mere tags
}

func (c *composer) text(s string) {
	for s != "" {
		n := 0
		for n < len(s) && isSpace(s[n]) {
			n++
		}
		c.gap = append(c.gap, s[:n]...)
		s = s[n:]
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		for n > 0 && isSpace(s[n-1]) {
			n--
		}
		if n > 0 {
			c.fragment(s[:n], true)
			s = s[n:]
		}
	}
}

func (c *composer) startTag(z *scanner) {
	switch r := roles[z.name]; r {
	case inline, replaced:
		if z.name == "br" {
			c.gap = append(c.gap, lineBreak)
			return
		}
		c.fragment(z.raw, r == replaced)
	case opaque:
		z.skipContent()
		c.fragment(z.raw, true)
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
		c.fresh = !complete
		c.ended = complete
		c.loose = false
		if !complete {
			c.stack = append(c.stack, z.name)
			c.open[z.name]++
		}
	}
}

func (c *composer) endTag(z *scanner) {
	switch roles[z.name] {
	case inline, replaced, opaque:
		c.fragment(z.raw, false)
	case caption:
		c.caption(z.raw)
	case para:
		if c.para == "" {
			c.gap = append(c.gap, "\n\n"...) // one too many ends a paragraph all the same
			return
		}
		c.endRun(true)
	default:
		c.endRun(c.para == "" && z.name == c.top())
		if c.ended {
			c.newLine()
		}
		c.out = append(c.out, z.raw...)
		c.fresh = false
		c.ended = true
		c.loose = false
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
		c.gap = c.gap[:0]
	}
	c.fragment(tag, true)
	c.tight = true
}

func (c *composer) fragment(s string, solid bool) {
	switch {
	case len(c.parts) == 0:
		c.lead, c.gap = c.gap, c.lead
		c.parts = append(c.parts, part{})
	case c.tight:
	case (c.para != "" || len(c.stack) > 0) && c.gap.isRendered():
		c.run = c.gap.appendRaw(c.run)
		solid = true
	case c.gap.blank():
		c.run = append(c.run, c.gap.tail()...)
		c.parts[len(c.parts)-1].end = len(c.run)
		c.parts = append(c.parts, part{start: len(c.run)})
		c.run = append(c.run, c.gap.head()...)
	default:
		c.run, solid = c.gap.appendWithin(c.run), solid || c.gap.isBreak()
	}
	c.gap = c.gap[:0]
	c.tight = false
	c.run = append(c.run, s...)
	last := &c.parts[len(c.parts)-1]
	last.end = len(c.run)
	last.solid = last.solid || solid
}

// endRun writes the run. With closing, the end tag of the block or <p> it stands in comes next.
func (c *composer) endRun(closing bool) {
	trailing := c.gap
	alone := c.fresh && closing && !c.lead.blank() && !trailing.blank()
	top := c.top()
	switch {
	case c.para != "":
		c.writeParagraph(closing, trailing)
	case len(c.parts) == 0:
	case top == "" || top == "blockquote",
		roles[top] == flow && (!alone || len(c.parts) > 1),
		roles[top] == compact && len(c.parts) > 1:
		c.writeParagraphs(trailing)
	default:
		c.writeBare(closing, trailing)
	}
	c.run = c.run[:0]
	c.parts = c.parts[:0]
	c.lead = c.lead[:0]
	c.gap = c.gap[:0]
	c.tight = false
}

// writeParagraph writes the run as the content of the <p> that is open. Blank lines end it and
// begin others.
func (c *composer) writeParagraph(closing bool, trailing gap) {
	tag := c.para
	c.para = ""
	if len(c.parts) == 0 && tag == "<p>" {
		return
	}
	c.newLine()
	c.out = append(c.out, tag...)
	c.out = append(c.out, c.lead.opening()...)
	for i, p := range c.parts {
		if i > 0 {
			c.out = append(c.out, "</p>\n<p>"...)
		}
		c.out = append(c.out, c.run[p.start:p.end]...)
	}
	switch {
	case len(c.parts) == 0:
	case closing:
		c.out = append(c.out, trailing.closing()...)
	default:
		c.out = append(c.out, trailing.tail()...)
	}
	c.out = append(c.out, "</p>"...)
	c.fresh = false
	c.ended = true
	c.loose = false
}

// writeParagraphs writes each part of the run as a paragraph of its own.
func (c *composer) writeParagraphs(trailing gap) {
	for i, p := range c.parts {
		c.newLine()
		if !p.solid {
			if c.loose {
				c.newLine() // else the two would be one line when this is read again
			}
			c.loose = true
			c.out = append(c.out, bytes.Trim(c.run[p.start:p.end], spaces)...)
			continue
		}
		c.loose = false
		c.out = append(c.out, "<p>"...)
		if i == 0 {
			c.out = append(c.out, c.lead.head()...)
		}
		c.out = append(c.out, c.run[p.start:p.end]...)
		if i == len(c.parts)-1 {
			c.out = append(c.out, trailing.tail()...)
		}
		c.out = append(c.out, "</p>"...)
	}
	c.fresh = false
	c.ended = true
}

func (c *composer) writeBare(closing bool, trailing gap) {
	switch {
	case c.fresh:
		c.out = append(c.out, c.lead.opening()...)
	case c.loose:
		c.out = append(c.out, "<br />\n"...) // as it will be read again
	default:
		c.newLine()
	}
	for i, p := range c.parts {
		text := c.run[p.start:p.end]
		if i > 0 {
			c.out = append(c.out, "<br />\n"...)
			text = bytes.TrimPrefix(text, []byte("\n"))
		}
		c.out = append(c.out, text...)
	}
	switch {
	case !closing:
	case roles[c.top()] != line:
		c.out = append(c.out, trailing.closing()...)
	case trailing.isRendered():
		c.out = trailing.appendRaw(c.out)
	case trailing.blank() || trailing.breaks() == 0:
		c.out = append(c.out, trailing.closing()...)
	default:
		c.out = trailing.appendWithin(c.out)
	}
	c.fresh = false
	c.ended = !closing
	c.loose = true
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
