package markup

// This file writes HTML that was stored, by whomever, as pages show it: of every element it makes what a list allows, where
// HTML allows it, and so browsers read it as it is written.

import "strings"

// PageOptions say what a page shows of a text besides text.
type PageOptions struct {
	Origin       string   // of the site, as "https://example.org": its pictures are shown, and links to it are not marked
	PictureHosts []string // others whose pictures, sound and films are shown; links stand for the rest
	FrameHosts   []string // whose frames are shown; links stand for the rest
	Heading      int      // level of the highest heading, 2 to 6
}

// AppendPage appends HTML as a page may show it inside of a <div dir="auto">, whatever it is: elements and attributes of
// [Content] that are on a list, each where HTML has it, all closed, and nothing that runs, frames or fetches what the
// options do not name. It needs no style or script in the page's Content-Security-Policy.
//
// No id, name or class comes through, so none can clash with those of the page, and links to places in the text are text.
// Links to other sites have rel="nofollow ugc noopener": they were not chosen by who runs the site, so it does not
// recommend them to search engines, and what they open gets no hold on the page. The levels of headings are made to
// follow each other. Controls that embed, override or isolate directions are dropped, since one without its end
// reaches beyond the text; dir, bdi and bdo do the same and end.
func AppendPage(b []byte, s string, o PageOptions) []byte {
	o.Heading = min(max(o.Heading, 2), 6)
	return appendPage(b, s, o, pageBlock)
}

// AppendPageExcerpt appends HTML as paragraphs of text, as lists show it: with the inline elements of
// [AppendPage], but without links, pictures and headings.
func AppendPageExcerpt(b []byte, s string) []byte {
	return appendPage(b, s, PageOptions{}, pageExcerpt)
}

// pageExcerpt holds an excerpt.
var pageExcerpt = &pageElement{content: parts, part: "p"}

// deepest is how many blocks can be in each other, and how many inline elements.
const deepest = 24

// A page writes what pages show.
type page struct {
	b       []byte
	o       PageOptions
	levels  uint // a bit for each level of heading above or at the last one, as stored
	repeats int  // how many bytes of inline tags may still be written, since blocks end and resume them

	depth   int                        // of blocks
	blocks  [deepest + 3]pageBlockOpen // the first is what the text is in; there is room for parts of a table that are left out
	begun   int                        // how many inlines there are, also those that are not written, since nothing came that is in them
	written int                        // how many of these are open in b
	inlines [deepest]pageInline
}

func appendPage(b []byte, s string, o PageOptions, root *pageElement) []byte {
	p := page{b: b, o: o, repeats: 4 * len(s), depth: 1}
	p.blocks[0] = pageBlockOpen{pageElement: root, holds: root, start: len(b), end: len(b)}
	for z := newScanner(s); z.next(); {
		e := pageElements[z.name]
		switch {
		case z.kind == text:
			p.text(z.raw)
		case z.kind == startTag && unshown[z.name]:
			z.skipContent()
		case z.kind == comment:
		case e == nil:
			if roles[z.name] >= caption {
				p.divide()
			}
		case z.kind == endTag:
			p.endTag(e)
		case e.content == words:
			p.inline(e, z.raw)
		case e.content == none:
			p.void(e, z)
		default:
			p.block(e, z.name, z.raw)
		}
	}
	p.closeTo(1)
	return p.b
}

func (p *page) isExcerpt() bool { return p.blocks[0].pageElement == pageExcerpt }

func (p *page) text(s string) {
	if t := p.top(); strings.Trim(s, spaces) == "" && t.holds.name != "pre" {
		if t.holds.content == parts || len(p.b) == t.end {
			return
		}
	} else {
		p.phrase()
	}
	p.b = appendShown(p.b, s)
}

// void takes the tag of an element without content, or with content that is no text.
func (p *page) void(e *pageElement, z *scanner) {
	switch {
	case e.name == "hr" && p.isExcerpt():
		p.closeTo(1)
	case e.name == "hr":
		if p.place(e) {
			p.b = append(p.b, "<hr>"...)
		}
	case e.name != "br" && e.name != "wbr":
		p.media(e, z)
	case p.top().holds.content != parts:
		p.b = append(append(append(p.b, '<'), e.name...), '>')
	}
}
