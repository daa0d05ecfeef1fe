package markup

// This file writes the inline elements of a page. They cannot contain blocks, so blocks end and
// resume them. The end of an outer inline element ends and resumes the inner elements.

type pageInline struct {
	*pageElement
	raw  string
	home int // page.depth at its start tag
}

// phrase prepares for text: it opens the required parents, and resumes the inline elements.
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

// inline takes the start tag of an inline element. The tag is written when content follows.
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

// endInline ends the innermost inline element of the name. Elements inside it stay open.
func (p *page) endInline(name string) {
	if name == "ruby" {
		p.endReading()
	}
	if i := p.findInline(name); i >= 0 {
		p.suspend(i)
		p.drop(i)
	}
}

// endReading ends the annotation of a ruby element.
func (p *page) endReading() {
	p.endInline("rt")
	p.endInline("rp")
}

// suspend writes end tags of inline elements until n are open. The next text resumes them.
func (p *page) suspend(n int) {
	for p.written > n {
		p.written--
		p.b = append(append(append(p.b, "</"...), p.inlines[p.written].name...), '>')
	}
}
