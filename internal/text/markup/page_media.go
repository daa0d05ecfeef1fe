package markup

// This file writes attributes, and pictures, films and frames or links to them.

import (
	"html"
	"slices"
	"strings"
)

// tag writes a start tag up to its ">", and reports whether it has the required attribute. The
// first of two attributes of the same name counts, as in browsers.
func (p *page) tag(name string, e *pageElement, raw string) bool {
	p.b = append(append(p.b, '<'), name...)
	whole := e.need == ""
	seen := 0
	for a := range attributes(raw) {
		n := slices.Index(e.attributes, a.name)
		switch {
		case a.name == "dir":
			n = len(e.attributes)
			a.value = strings.ToLower(a.value)
		case a.name == "lang":
			n = len(e.attributes) + 1
		}
		if n < 0 || seen&(1<<n) != 0 {
			continue
		}
		seen |= 1 << n
		if a.name == "href" {
			if to, ok := p.address(a.value); ok {
				p.href(to)
				whole = true
			}
		} else if isPageValue(a.name, a.value) {
			p.attribute(a.name, a.value)
			whole = whole || e.need == a.name || e.need == "*"
		}
	}
	return whole
}

// attribute writes an attribute with a value that may hold entities.
func (p *page) attribute(name, value string) {
	p.b = append(append(append(p.b, ' '), name...), `="`...)
	p.b = append(appendShown(p.b, value), '"')
}

func (p *page) href(to pageAddress) {
	p.attribute("href", to.url)
	if !to.own {
		p.attribute("rel", "nofollow ugc noopener")
	}
}

type pageAddress struct {
	url  string // as HTML
	host string // with a port; "" for a relative address or without a host
	own  bool   // it leads to no other site
	web  bool   // a browser can fetch it
}

// address parses a stored address as browsers do: "\" is "/" in it, and white space at the ends
// and all line ends are ignored. It reports whether the address is allowed. An address with a user
// name pretends to lead elsewhere, and a place in the text has no id to lead to.
func (p *page) address(raw string) (a pageAddress, ok bool) {
	s := html.UnescapeString(withAmpersands(raw, "&amp;"))
	s = strings.Trim(strings.Map(dropControl, s), " ")
	scheme := ""
	rest := s
	if i := strings.IndexAny(s, `:/?#\`); i >= 0 && s[i] == ':' {
		scheme = strings.ToLower(s[:i+1])
		rest = s[i+1:]
	}
	switch scheme {
	case "mailto:", "tel:":
		return pageAddress{url: escapeAddress(s), own: true}, true
	case "http:", "https:", "webcal:", "":
	default:
		return a, false
	}
	end := strings.IndexAny(rest+"?", "?#")
	path := strings.ReplaceAll(rest[:end], `\`, "/")
	if after, found := strings.CutPrefix(path, "//"); found {
		a.host, _, _ = strings.Cut(strings.ToLower(after), "/")
		ok = a.host != "" && !strings.Contains(a.host, "@")
	} else {
		ok = scheme == "" && s != "" && s[0] != '#'
	}
	_, own, _ := strings.Cut(p.o.Origin, "//")
	a.own = a.host == "" || a.host == own
	a.web = scheme != "webcal:"
	a.url = escapeAddress(s[:len(s)-len(rest)] + path + rest[end:])
	return a, ok
}

// escapeAddress writes an address as HTML, with only the characters that addresses have.
func escapeAddress(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '&':
			b.WriteString("&amp;")
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0:
			b.Write([]byte{'%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// media writes a picture, a film, sound or a frame, or a link to it if its host is not in the
// options. An excerpt has the alternative text of a picture.
func (p *page) media(e *pageElement, z *scanner) {
	tag := z.raw
	label := attributeOf(z.raw, "alt")
	source := attributeOf(z.raw, "src")
	if e.name != "img" {
		label = attributeOf(tag, "title")
		if z.skipContent() && source == "" {
			source = firstSource(z.raw[len(tag):])
		}
	}
	to, ok := p.address(source)
	shown := to.own || slices.Contains(p.o.PictureHosts, to.host)
	if e.name == "iframe" {
		shown = slices.Contains(p.o.FrameHosts, to.host)
		if strings.Trim(label, spaces) == "" {
			label = to.host
		}
	}
	switch {
	case !ok || !to.web || p.isExcerpt():
		if e.name == "img" {
			p.text(label)
		}
		return
	case !shown:
		p.link(to, label)
		return
	}
	if e.name != "img" {
		p.endInline("a")
	}
	p.phrase()
	p.tag(e.name, e, tag)
	p.attribute("src", to.url)
	switch e.name {
	case "img":
		p.attribute("alt", label)
		p.b = append(p.b, ` loading="lazy" decoding="async">`...)
	case "iframe":
		p.attribute("title", label)
		p.b = append(
			p.b,
			` loading="lazy" allowfullscreen="" sandbox="allow-forms allow-popups allow-presentation `+
				`allow-same-origin allow-scripts"></iframe>`...)
	default:
		p.b = append(append(append(p.b, ` controls="" preload="none"></`...), e.name...), '>')
	}
}

// firstSource returns the address of the first source in the content of a film.
func firstSource(content string) string {
	for z := newScanner(content); z.next(); {
		if z.kind == startTag && z.name == "source" {
			return attributeOf(z.raw, "src")
		}
	}
	return ""
}

// link writes a link with a text, or with the end of its address. In another link it writes the
// text alone.
func (p *page) link(to pageAddress, label string) {
	p.phrase()
	if strings.Trim(label, spaces) == "" {
		label = strings.TrimRight(to.url[:strings.IndexAny(to.url+"?", "?#")], "/")
		if label = label[strings.LastIndexByte(label, '/')+1:]; label == "" {
			label = to.url
		}
	}
	if p.findInline("a") >= 0 {
		p.b = appendShown(p.b, label)
		return
	}
	p.b = append(p.b, "<a"...)
	p.href(to)
	p.b = append(appendShown(append(p.b, '>'), label), "</a>"...)
}
