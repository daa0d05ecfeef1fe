package markup

// This file writes stored HTML of any author as pages show it: only elements of a list, each in a
// place where HTML allows it, so that browsers parse the output as it is written.

import "strings"

// PageOptions say which media and links of a text a page shows. Media of other hosts become links.
type PageOptions struct {
	Origin       string   // of the site, as "https://example.org", whose media are shown
	PictureHosts []string // other hosts whose pictures, sound and films are shown
	FrameHosts   []string // hosts whose frames are shown
	Heading      int      // level of the highest heading, 2 to 6
}

// AppendPage appends any HTML in a form that a page may show inside of a <div dir="auto">:
// elements and attributes of [Content] that are on a list, each where HTML allows it, and all
// closed. No scripts remain, and only frames and media of hosts in the options. It needs no style
// or script in the page's Content-Security-Policy.
//
// Ids, names and classes are dropped, so they cannot clash with those of the page, and links to
// places in the text become text. Links to other sites have rel="nofollow ugc noopener": the
// operator of the site did not choose them, so search engines must not count them, and the opened
// page gets no access to this one. The levels of headings are changed to follow each other.
// Controls that embed, override or isolate directions are dropped, since without their end they
// reach beyond the text; dir, bdi and bdo have the same effect and end.
func AppendPage(b []byte, s string, o PageOptions) []byte {
	o.Heading = min(max(o.Heading, 2), 6)
	return appendPage(b, s, o, pageBlock)
}

// AppendPageExcerpt appends HTML as paragraphs of text for lists: with the inline elements of
// [AppendPage], but without links, pictures and headings.
func AppendPageExcerpt(b []byte, s string) []byte {
	return appendPage(b, s, PageOptions{}, pageExcerpt)
}

var pageExcerpt = &pageElement{content: parts, part: "p"}

// deepest is how many blocks can be in each other, and how many inline elements.
const deepest = 24

type page struct {
	b       []byte
	o       PageOptions
	levels  uint // bit set of stored levels: the last heading and its parents
	repeats int  // bytes of inline tags that blocks may still repeat

	depth   int                        // of blocks
	blocks  [deepest + 3]pageBlockOpen // root, stored blocks, and implied parts of a table
	begun   int                        // length of inlines, including inlines without content so far
	written int                        // length of the part of inlines that is open in b
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
