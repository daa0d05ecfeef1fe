package markup

// This file writes the inline elements of a page. Blocks end and resume them, since they cannot be around blocks, and
// one that ends before another that is in it does too.

// A pageInline is an inline element of which the end has not come.
type pageInline struct {
	*pageElement
	raw  string
	home int // the number of blocks it was opened in
}

// phrase makes room for text: it opens the parts that text has to be in, and the inline elements around it.
func (p *page) phrase() {
	for p.top().holds.content == parts {
		p.imply(p.top().holds.part)
	}
	for p.written < p.begun {
		i := p.inlines[p.written]
		p.repeats -= len(i.raw)
		start := len(p.b)
		if p.repeats < 0 || !p.tag(i.name, i.pageElement, i.raw) {
			p.b = p.b[:start]
			p.drop(p.written)
			continue
		}
		p.b = append(p.b, '>')
		p.written++
	}
}

// inline takes the start tag of an inline element, which is written when something comes that is in it.
func (p *page) inline(e *pageElement, raw string) {
	switch e.name {
	case "a", "dfn", "ruby": // cannot be in one of their own
		if p.endInline(e.name); e.name == "a" && p.isExcerpt() {
			return
		}
	case "rt", "rp":
		p.endReading()
		if p.findInline("ruby") < 0 {
			return
		}
	}
	if p.begun < deepest {
		p.inlines[p.begun] = pageInline{e, raw, p.depth}
		p.begun++
	}
}

// drop takes an inline element off the list.
func (p *page) drop(i int) {
	copy(p.inlines[i:], p.inlines[i+1:p.begun])
	p.begun--
}

func (p *page) findInline(name string) int {
	for i := p.begun - 1; i >= 0; i-- {
		if p.inlines[i].name == name {
			return i
		}
	}
	return -1
}

// endInline ends the innermost inline element of the name. Those in it go on.
func (p *page) endInline(name string) {
	if name == "ruby" {
		p.endReading()
	}
	if i := p.findInline(name); i >= 0 {
		p.suspend(i)
		p.drop(i)
	}
}

// endReading ends what is said about the text of a ruby element so far.
func (p *page) endReading() {
	p.endInline("rt")
	p.endInline("rp")
}

// suspend writes the ends of inline elements until so many are open. The next text resumes them.
func (p *page) suspend(n int) {
	for p.written > n {
		p.written--
		p.b = append(append(append(p.b, "</"...), p.inlines[p.written].name...), '>')
	}
}
