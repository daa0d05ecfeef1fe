package markup

// This file puts the blocks of a page where HTML allows them: it adds missing parents, and
// replaces a misplaced block by its content.

import (
	"bytes"
	"math/bits"
	"slices"
)

type pageBlockOpen struct {
	*pageElement
	tag     string       // as written, "" for a transparent block without tags
	holds   *pageElement // rules for its content: its own, or its parent's if transparent
	start   int          // of its start tag in b
	end     int          // of its start tag in b
	implied bool         // not in the stored text
	raw     string       // start tag of details that wait for their summary
	levels  uint         // page.levels before it
}

func (p *page) top() *pageBlockOpen { return &p.blocks[p.depth-1] }

func (p *page) push(o pageBlockOpen) {
	p.blocks[p.depth] = o
	p.depth++
}

// block takes the start tag of a block. Where it cannot be, its content is put where it would be.
func (p *page) block(e *pageElement, name, raw string) {
	if p.isExcerpt() {
		p.boundary(e)
		return
	}
	open := pageBlockOpen{pageElement: e, tag: e.name, raw: raw}
	if !p.place(e) {
		open.tag = ""
	}
	open.levels = p.levels
	if p.depth >= deepest {
		p.divide()
		return
	}
	switch t := p.top(); {
	case open.tag == "":
	case e.name == "h":
		level := uint(name[1] - '0')
		p.levels &= 1<<level - 1
		n := min(p.o.Heading+bits.OnesCount(p.levels), 6)
		p.levels |= 1 << level
		open.tag = "h1h2h3h4h5h6"[2*n-2 : 2*n]
	case e.name == "details":
		open.start = len(p.b)
		open.end = len(p.b)
		open.tag = ""
		open.holds = e
		p.push(open)
		return
	case e.name == "summary":
		p.write(t, t.name, t.raw)
	case e.name == "thead" && len(p.b) > t.end && !bytes.HasSuffix(p.b, []byte("</caption>")):
		open.pageElement = pageRows
		open.tag = pageRows.name
	}
	p.write(&open, open.tag, raw)
	p.push(open)
}

// write writes the start tag of a block; without a name it is transparent.
func (p *page) write(o *pageBlockOpen, tag, raw string) {
	o.tag = tag
	o.holds = o.pageElement
	o.start = len(p.b)
	if tag == "" {
		t := p.top()
		p.divide()
		o.holds = t.holds
		o.start = t.start
		o.end = t.end
		return
	}
	p.tag(tag, o.pageElement, raw)
	p.b = append(p.b, '>')
	o.end = len(p.b)
}

// place ends and opens what has to be so that the element can follow, and reports whether it can.
func (p *page) place(e *pageElement) bool {
	t := p.top()
	switch {
	case e.name == "summary":
		return t.name == "details" && t.tag == "" && t.holds == t.pageElement && len(p.b) == t.end
	case e.name == "caption" && (t.name != "table" || t.tag == "" || len(p.b) > t.end):
		return false
	case e.in != nil:
		i := p.find(e, e.in, true)
		if i == 0 {
			return false
		}
		p.closeTo(i + 1)
		if e.in[0] == "tr" && p.top().name != "tr" {
			p.imply("tr")
		}
		return true
	}
	for t.holds.name == "p" || t.holds == pageTitle && e == pageTitle {
		p.closeTo(p.depth - 1)
		t = p.top()
	}
	if t.holds.content == texts {
		return false
	}
	p.suspend(0)
	for p.top().holds.content == parts {
		p.imply(p.top().holds.part)
	}
	return true
}

// imply opens an element that was left out.
func (p *page) imply(name string) {
	o := pageBlockOpen{pageElement: pageElements[name], implied: true, levels: p.levels}
	p.suspend(0)
	p.write(&o, name, "")
	p.push(o)
}

// find returns the place of the innermost open block with one of the names, which have to do with
// e, or 0. Nothing in a cell reaches out of it, and no part of a table out of that.
func (p *page) find(e *pageElement, names []string, shown bool) int {
	for i := p.depth - 1; i > 0; i-- {
		o := &p.blocks[i]
		switch isPart := e.name == "table" || slices.Contains(e.in, "table"); {
		case slices.Contains(names, o.name) && (o.tag != "" || !shown):
			return i
		case o.tag != "" && (o.name == "table" || slices.Contains(o.in, "table") && o.content != parts && !isPart):
			return 0
		}
	}
	return 0
}

func (p *page) endTag(e *pageElement) {
	switch {
	case e.content == words:
		p.endInline(e.name)
	case p.isExcerpt() && e.content != none:
		p.boundary(e)
	default:
		if i := p.find(e, []string{e.name}, false); i > 0 {
			p.closeTo(i)
		}
	}
}

// boundary divides the paragraphs of an excerpt. The cells of a row stay in one.
func (p *page) boundary(e *pageElement) {
	if slices.Contains(e.in, "tr") {
		p.divide()
	} else {
		p.closeTo(1)
	}
}

// closeTo closes blocks until n are open, with the inline elements that began in them. A block
// that got nothing is taken back, but for cells, which have their place.
func (p *page) closeTo(n int) {
	p.suspend(0)
	for p.depth > n {
		t := p.top()
		p.depth--
		switch {
		case t.tag == "":
			p.divide()
		case len(p.b) == t.end && t.name == "summary":
			p.b = append(p.b, "…</summary>"...)
		case len(p.b) == t.end && (t.implied || !slices.Contains(t.in, "tr")):
			p.b = p.b[:t.start]
			p.levels = t.levels
		default:
			p.b = append(append(append(p.b, "</"...), t.tag...), '>')
		}
	}
	for p.begun > 0 && p.inlines[p.begun-1].home > n {
		p.begun--
	}
}

// divide keeps text apart on both sides of a block that is not written.
func (p *page) divide() {
	if t := p.top(); t.holds.content != parts && len(p.b) > t.end && !isSpace(p.b[len(p.b)-1]) {
		p.b = append(p.b, ' ')
	}
}
