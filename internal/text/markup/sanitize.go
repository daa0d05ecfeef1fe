package markup

// This file cleans HTML of accounts that may not post it raw. It keeps what it knows and writes it
// anew; nothing is taken over as it came but text.

import (
	"html"
	"slices"
	"strings"
)

// Sanitize reduces HTML to the elements, attributes and URL schemes of an allow-list. Tags of
// other elements vanish and their text stays; comments vanish too. The result is balanced, has
// every attribute quoted and every "<" of the text escaped, and does not change when it is
// sanitized again.
//
// The list has no script, frame, form or foreign content (svg, math), no element whose content
// browsers parse in a special way, and no id, name or data attribute, since scripts of pages act
// on them.
func Sanitize(s string) string { return clean(s, elements) }

// SanitizeTitle is [Sanitize] for titles and names, which stand in headings and links: of elements
// it keeps the few inline ones that comments may have.
func SanitizeTitle(s string) string { return clean(s, inlineElements) }

// TermDescription cleans the description of a category or tag, which is stored and shown as this
// returns it: with the elements of [SanitizeTitle], and every "&" that begins no entity as one.
func TermDescription(s string) string {
	return clean(withAmpersands(s, "&amp;"), inlineElements)
}

// An elementSet maps the name of an allowed element to its allowed attributes. The key "*" is for
// all elements.
type elementSet map[string][]string

var elements = elementSet{
	"*": {"aria-hidden", "aria-label", "class", "dir", "lang", "role", "style", "title"},

	"a": {
		"href",
		"hreflang",
		"rel",
		"target",
	}, "abbr": nil, "acronym": nil, "address": nil, "article": nil,
	"aside": nil, "audio": {"controls", "loop", "muted", "preload", "src"}, "b": nil, "bdi": nil, "bdo": nil,
	"big": nil, "blockquote": {"cite"}, "br": nil, "caption": {"align"}, "center": nil, "cite": nil, "code": nil,
	"col": {"align", "span", "width"}, "colgroup": {"align", "span", "width"}, "dd": nil,
	"del": {
		"cite",
		"datetime",
	}, "details": {"open"}, "dfn": nil, "div": {"align"}, "dl": nil, "dt": nil,
	"em": nil, "figcaption": nil, "figure": nil, "font": {"color", "face", "size"}, "footer": nil, "h1": {"align"}, "h2": {"align"},
	"h3": {
		"align",
	}, "h4": {"align"}, "h5": {"align"}, "h6": {"align"}, "header": nil, "hgroup": nil, "hr": nil,
	"i": nil, "img": {"align", "alt", "height", "loading", "src", "width"}, "ins": {"cite", "datetime"},
	"kbd": nil, "li": {"value"}, "main": nil, "mark": nil, "nav": nil, "ol": {"reversed", "start", "type"},
	"p": {
		"align",
	}, "pre": nil, "q": {"cite"}, "rp": nil, "rt": nil, "ruby": nil, "s": nil, "samp": nil,
	"section": nil, "small": nil, "source": {"src", "type"}, "span": nil, "strike": nil, "strong": nil,
	"sub": nil, "summary": nil, "sup": nil, "table": {"border", "cellpadding", "cellspacing", "width"},
	"tbody": nil, "td": {"align", "colspan", "headers", "rowspan", "valign", "width"}, "tfoot": nil,
	"th":    {"abbr", "align", "colspan", "headers", "rowspan", "scope", "valign", "width"},
	"thead": nil, "time": {"datetime"}, "tr": {"align", "valign"}, "tt": nil, "u": nil, "ul": nil, "var": nil,
	"video": {
		"controls",
		"height",
		"loop",
		"muted",
		"poster",
		"preload",
		"src",
		"width",
	}, "wbr": nil,
}

var inlineElements = elementSet{
	"a": {
		"href",
		"title",
	}, "abbr": {"title"}, "acronym": {"title"}, "b": nil, "blockquote": {"cite"}, "cite": nil, "code": nil,
	"del": {
		"datetime",
	}, "em": nil, "i": nil, "q": {"cite"}, "s": nil, "strike": nil, "strong": nil,
}

// void names the allowed elements that have no end tag.
var void = map[string]bool{
	"br":     true,
	"col":    true,
	"hr":     true,
	"img":    true,
	"source": true,
	"wbr":    true,
}

// solitary names the elements that cannot stand directly in one of their own kind: the second ends
// the first.
var solitary = map[string]bool{
	"dd": true, "dt": true, "li": true, "p": true, "td": true, "th": true, "tr": true,
}

var urlAttributes = map[string]bool{"cite": true, "href": true, "poster": true, "src": true}

// schemes are those a URL may have; one without a scheme is fine too.
var schemes = []string{"ftp", "geo", "http", "https", "mailto", "sms", "tel", "webcal"}

// styles are the CSS properties that a style attribute may set. They change text and the space
// around it, but move no element over others and fetch nothing.
var styles = []string{
	"background-color", "border", "border-collapse", "border-color", "border-style", "border-width", "clear",
	"color", "direction", "float", "font-family", "font-size", "font-style", "font-variant", "font-weight", "height",
	"letter-spacing", "line-height", "list-style-type", "margin", "margin-bottom", "margin-left", "margin-right",
	"margin-top", "max-height", "max-width", "padding", "padding-bottom",
	"padding-left", "padding-right", "padding-top", "text-align", "text-decoration", "text-indent",
	"text-transform", "vertical-align", "white-space", "width",
}

// A cleaner writes balanced HTML.
type cleaner struct {
	strings.Builder
	stack []string       // the elements that are open
	open  map[string]int // how often each is on the stack
}

func clean(s string, allowed elementSet) string {
	if !strings.Contains(s, "<") {
		return s
	}
	c := cleaner{open: map[string]int{}}
	c.Grow(len(s))
	for z := newScanner(s); z.next(); {
		attrs, ok := allowed[z.name]
		switch {
		case z.kind == text:
			c.WriteString(strings.ReplaceAll(z.raw, "<", "&lt;"))
		case z.kind == comment || !ok:
		case z.kind == startTag:
			c.startTag(z, attrs, allowed["*"])
		case c.open[z.name] > 0:
			c.closeThrough(z.name)
		}
	}
	for len(c.stack) > 0 {
		c.closeThrough(c.stack[len(c.stack)-1])
	}
	return c.String()
}

func (c *cleaner) startTag(z *scanner, allowed, global []string) {
	if n := len(c.stack); n > 0 && solitary[z.name] && c.stack[n-1] == z.name {
		c.closeThrough(z.name)
	}
	c.WriteString("<" + z.name)
	var seen []string
	for a := range attributes(z.raw) {
		ok := slices.Contains(allowed, a.name) || slices.Contains(global, a.name)
		if !ok || slices.Contains(seen, a.name) {
			continue
		}
		seen = append(seen, a.name)
		switch {
		case urlAttributes[a.name]:
			a.value, ok = cleanURL(a.value)
		case a.name == "style":
			a.value = cleanStyle(a.value)
			ok = a.value != ""
		}
		if ok {
			c.WriteString(" " + a.name + `="` + quoteValue.Replace(a.value) + `"`)
		}
	}
	if void[z.name] {
		c.WriteString(" />")
		return
	}
	c.WriteString(">")
	c.stack = append(c.stack, z.name)
	c.open[z.name]++
}

// closeThrough closes the innermost element of the name, and those inside it first.
func (c *cleaner) closeThrough(name string) {
	for {
		n := len(c.stack) - 1
		top := c.stack[n]
		c.stack = c.stack[:n]
		c.open[top]--
		c.WriteString("</" + top + ">")
		if top == name {
			return
		}
	}
}

// quoteValue makes a value fit between double quotes. Its entities are left as they are.
var quoteValue = strings.NewReplacer(`"`, "&quot;", "<", "&lt;", ">", "&gt;")

// cleanURL takes out of a URL, written with entities, what browsers take out, and reports whether
// its scheme is allowed. A text with a colon that might be taken for a scheme is not.
func cleanURL(raw string) (string, bool) {
	raw = strings.Map(dropControl, raw)
	raw = strings.Trim(raw, " ")
	u := strings.Map(dropControl, html.UnescapeString(raw))
	u = strings.TrimSpace(u)
	end := strings.IndexAny(u, ":/?#")
	if end < 0 || u[end] != ':' {
		return raw, true
	}
	return raw, slices.Contains(schemes, strings.ToLower(u[:end]))
}

func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// cleanStyle keeps the declarations of a style attribute that are on the list and hold plain words
// and numbers.
func cleanStyle(raw string) string {
	var b strings.Builder
	for declaration := range strings.SplitSeq(html.UnescapeString(raw), ";") {
		property, value, _ := strings.Cut(declaration, ":")
		property = strings.ToLower(strings.TrimSpace(property))
		value = strings.TrimSpace(value)
		if value == "" || !slices.Contains(styles, property) ||
			strings.IndexFunc(value, notPlainStyle) >= 0 ||
			strings.HasPrefix(property, "margin") &&
				strings.Contains(value, "-") { // which would move it over others
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(property + ": " + value + ";")
	}
	return b.String()
}

func notPlainStyle(r rune) bool {
	return !(r < 0x80 && isLetterOrDigit(byte(r)) || strings.ContainsRune(" .,%#!-", r))
}
