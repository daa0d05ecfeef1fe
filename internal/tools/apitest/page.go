package apitest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An element is one of a Page, with its attributes decoded.
type element struct {
	name       string
	Attributes map[string]string
}

// A Page is the result of strictly reading HTML.
type Page struct {
	Elements []element // in the order of their start tags
	Text     string    // all text but that of script elements, decoded
	Wrong    []string  // errors
}

// Links returns the addresses that the elements of a page have in an attribute.
func (p *Page) Links(attribute string) (links []string) {
	for _, e := range p.Elements {
		if link, ok := e.Attributes[attribute]; ok {
			links = append(links, link)
		}
	}
	return links
}

// elements are the elements that pages may have, with attributes besides the global ones.
var elements = map[string]string{
	"html": "", "head": "", "meta": "charset name content property", "title": "", "base": "target",
	"link": "rel href hreflang type title", "script": "type", "body": "", "header": "", "footer": "", "main": "", "nav": "", "search": "",
	"section": "", "article": "", "aside": "", "address": "", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "", "p": "",
	"div": "", "span": "data-text", "ul": "", "ol": "reversed start type", "li": "", "dl": "", "dt": "", "dd": "", "figure": "",
	"figcaption": "",
	"blockquote": "", "pre": "", "br": "", "hr": "", "wbr": "",
	"a": "href rel hreflang target", "img": "src alt width height loading decoding", "time": "datetime", "abbr": "title", "dfn": "title",
	"b": "", "bdi": "", "bdo": "", "cite": "", "code": "", "del": "datetime", "ins": "datetime", "em": "", "i": "", "kbd": "", "mark": "",
	"q": "", "ruby": "", "rp": "", "rt": "", "s": "", "samp": "", "small": "", "strong": "", "sub": "", "sup": "", "u": "", "var": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tfoot": "", "tr": "", "td": "colspan rowspan",
	"th": "abbr colspan rowspan scope", "details": "open", "summary": "",
	"form": "action method", "label": "for", "button": "name value type", "select": "name", "option": "value selected",
	"optgroup": "label",
	"fieldset": "", "legend": "",
	"input": "type name value checked required maxlength minlength min max autocomplete placeholder inputmode pattern size",
	"audio": "src controls preload", "video": "src controls preload width height",
	"iframe": "src title width height loading allowfullscreen sandbox",
}

// The content model: possible parents of elements; children of elements without text; elements
// without an end tag; and elements with phrasing content only.
const (
	voids   = "meta base link img input br hr wbr"
	phrases = "a abbr b bdi bdo br button cite code del dfn em i img input ins kbd label mark q rp rt ruby s samp select small span " +
		"strong sub sup time u var wbr audio video iframe"
	ofPhrases = "p pre h1 h2 h3 h4 h5 h6 summary dt caption title a span b bdi bdo cite code del dfn em i ins kbd label mark q rp rt ruby s " +
		"samp small strong sub sup time u var abbr button option"
)

var (
	childrenOf = map[string]string{
		"html":     "head body",
		"head":     "meta title base link script",
		"ul":       "li",
		"ol":       "li",
		"dl":       "dt dd div",
		"table":    "caption thead tbody tfoot tr",
		"thead":    "tr",
		"tbody":    "tr",
		"tfoot":    "tr",
		"tr":       "td th",
		"select":   "option optgroup",
		"optgroup": "option",
	}
	parentsOf = map[string]string{
		"li": "ul ol", "dt": "dl div", "dd": "dl div", "tr": "table thead tbody tfoot", "td": "tr", "th": "tr", "option": "select optgroup",
		"caption": "table", "thead": "table", "tbody": "table", "summary": "details", "figcaption": "figure", "meta": "head", "base": "head",
		"title": "head",
	}
	tag    = regexp.MustCompile(`^/?[a-z][a-z0-9]*`)
	entity = regexp.MustCompile(`^&(?:[a-zA-Z][a-zA-Z0-9]*|#[0-9]+|#[xX][0-9a-fA-F]+);$`)
)

// cutToken cuts the first tag, entity or text off. Of a tag it returns the name, behind a slash if
// it is the end of an element, and the attributes as names and values in turn. The token is ""
// where there is none.
func cutToken(s string) (token, name string, attributes []string, rest string) {
	switch end := strings.IndexAny(s[1:], "<>&") + 1; {
	case s[0] == '<':
		token, rest, _ = strings.Cut(s, ">")
		name = tag.FindString(token[1:])
		for s = token[min(1+len(name), len(token)):]; s != ""; {
			n := strings.IndexFunc(
				s[1:]+"=",
				func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != ':' },
			) + 1
			attribute := s[1:n]
			value := ""
			ok := s[0] == ' ' && n > 1 && name[0] != '/'
			if s = s[n:]; strings.HasPrefix(s, `="`) {
				value, s, ok = strings.Cut(s[2:], `"`)
			}
			if !ok || strings.Contains(value, "<") {
				return "", "", nil, ""
			}
			attributes = append(attributes, attribute, html.UnescapeString(value))
		}
		if name == "" || len(token)+len(rest) == len(s) {
			return "", "", nil, ""
		}
		return token, name, attributes, rest
	case s[0] == '&':
		if end = strings.IndexByte(s, ';') + 1; end == 0 || end > 40 ||
			!entity.MatchString(s[:end]) {
			return "", "", nil, ""
		}
		return s[:end], "", nil, s[end:]
	case s[0] == '>':
		return "", "", nil, ""
	case end == 0:
		return s, "", nil, ""
	default:
		return s[:end], "", nil, s[end:]
	}
}

// isControl reports whether a character changes the direction of text, or is a control. It uses no
// regular expression, since whole sites are read.
func isControl(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\f' && r != '\r'
	case r < 0x7f:
		return false
	}
	return r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r >= 0xfdd0 && r <= 0xfdef ||
		r == 0xfffe ||
		r == 0xffff
}

func isIn(list, word string) bool {
	for one := range strings.SplitSeq(list, " ") {
		if one == word {
			return true
		}
	}
	return false
}

// ReadPage reads a page of the site at an origin, by rules that are stricter than those of
// browsers: whatever these would mend or guess is wrong, and so is all that is not on a list.
func ReadPage(body, origin string) *Page {
	p := new(Page)
	wrong := func(format string, values ...any) { p.Wrong = append(p.Wrong, fmt.Sprintf(format, values...)) }
	rest, ok := strings.CutPrefix(body, "<!DOCTYPE html>\n")
	if !ok || !utf8.ValidString(body) {
		wrong("it does not begin with <!DOCTYPE html>, or is not UTF-8: %.60q", body)
		return p
	}
	var open []string
	count := map[string]int{}
	ids := map[string]bool{}
	level := 0
	var text strings.Builder
	for rest != "" {
		token, name, attributes, after := cutToken(rest)
		if token == "" {
			wrong("neither text nor a tag: %.60q", rest)
			return p
		}
		rest = after
		parent := "#document"
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		switch end, isEnd := strings.CutPrefix(name, "/"); {
		case isEnd:
			if end != parent {
				wrong("</%s> in %v", end, open)
				return p
			}
			open = open[:len(open)-1]
			text.WriteByte('\n')
		case name == "":
			if (childrenOf[parent] != "" || parent == "#document") &&
				strings.TrimSpace(token) != "" {
				wrong("text in %v: %.60q", open, token)
			}
			text.WriteString(html.UnescapeString(token))
		default:
			e := element{name, map[string]string{}}
			known, ok := elements[name]
			if !ok {
				wrong("<%s> is not on the list", name)
			}
			for i := 0; i < len(attributes); i += 2 {
				attribute := attributes[i]
				value := attributes[i+1]
				if _, twice := e.Attributes[attribute]; twice ||
					!isIn(known+" lang dir class id role hidden tabindex", attribute) &&
						!strings.HasPrefix(attribute, "aria-") {
					wrong("%s of <%s>", attribute, name)
				}
				if strings.ContainsFunc(value, isControl) {
					wrong("a control in %s of <%s>: %.100q", attribute, name, value)
				}
				e.Attributes[attribute] = value
			}
			switch {
			case parentsOf[name] != "" && !isIn(parentsOf[name], parent),
				childrenOf[parent] != "" && !isIn(childrenOf[parent], name),
				isIn(ofPhrases, parent) && !isIn(phrases, name) && name != "option",
				slices.Contains(open, "a") &&
					isIn("a button input select label audio video iframe", name):
				wrong("<%s> in %v", name, open)
			}
			p.Elements = append(p.Elements, e)
			p.check(e, origin, ids, wrong)
			count[name]++
			if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
				next := int(name[1] - '0')
				if next > level+1 {
					wrong("<%s> behind <h%d>", name, level)
				}
				level = next
			}
			switch {
			case name == "script":
				data, after, ok := strings.Cut(rest, "</script>")
				if e.Attributes["type"] != "application/ld+json" || !ok ||
					strings.Contains(data, "<") ||
					!json.Valid([]byte(data)) {
					wrong("a script that is no JSON-LD: %.200q", data)
				}
				rest = after
			case !isIn(voids, name):
				open = append(open, name)
			}
		}
	}
	for _, name := range []string{"html", "head", "title", "body", "main", "h1"} {
		if count[name] != 1 {
			wrong("there are %d <%s>", count[name], name)
		}
	}
	if len(open) > 0 {
		wrong("%v is open at the end", open)
	}
	p.Text = text.String()
	if at := strings.IndexFunc(p.Text, isControl); at >= 0 {
		wrong("a control: %.60q", p.Text[max(0, at-20):])
	}
	for _, e := range p.Elements { // references to ids, and required labels
		for _, name := range []string{"for", "aria-describedby", "aria-labelledby"} {
			if id, ok := e.Attributes[name]; ok && !ids[id] {
				wrong("%s names %q, which is nothing's id", name, id)
			}
		}
		if (isIn("select textarea", e.name) || e.name == "input" && !isIn("hidden submit", e.Attributes["type"])) &&
			e.Attributes["aria-label"] == "" &&
			!slices.ContainsFunc(p.Elements, func(l element) bool {
				return l.name == "label" && e.Attributes["id"] != "" && l.Attributes["for"] == e.Attributes["id"]
			}) {
			wrong("<%s name=%q> has no label", e.name, e.Attributes["name"])
		}
	}
	return p
}

// check checks the attributes of an element.
func (p *Page) check(e element, origin string, ids map[string]bool, wrong func(string, ...any)) {
	a := e.Attributes
	if id, ok := a["id"]; ok {
		if ids[id] || id == "" || strings.ContainsAny(id, " \t\n") {
			wrong("the id %q, twice or none", id)
		}
		ids[id] = true
	}
	if dir, ok := a["dir"]; ok && !isIn("ltr rtl auto", dir) ||
		e.name == "html" && (a["lang"] == "" || dir == "" || dir == "auto") {
		wrong("<%s lang=%q dir=%q>", e.name, a["lang"], dir)
	}
	if _, ok := a["alt"]; e.name == "img" && !ok {
		wrong("a picture without alt: %v", a)
	}
	if n, err := strconv.Atoi(a["tabindex"]); a["tabindex"] != "" && (err != nil || n > 0) {
		wrong("tabindex %q", a["tabindex"])
	}
	for _, name := range []string{"href", "src", "action"} {
		address, ok := a[name]
		if !ok {
			continue
		}
		u, err := url.Parse(address)
		own := err == nil &&
			(strings.HasPrefix(address, origin+"/") || strings.HasPrefix(address, "#") && len(address) > 1 ||
				address != "" && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(address, "//"))
		switch {
		case err != nil || strings.TrimSpace(address) != address || strings.ContainsAny(address, "\t\n\"<> \\"):
			wrong("%s of <%s> is no address: %.100q", name, e.name, address)
		case own:
		case name != "href" || e.name == "link" && !(a["rel"] == "alternate" && u.Scheme == "webcal"):
			wrong("%s of <%s> is loaded from elsewhere: %.100q", name, e.name, address)
		case !isIn("http https mailto tel webcal", u.Scheme):
			wrong("%s of <%s> has another scheme: %.100q", name, e.name, address)
		}
	}
}
