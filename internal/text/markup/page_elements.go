package markup

// This file lists the elements and attributes that pages show.

import (
	"strconv"
	"strings"
)

// A content says what may stand directly in an element.
type content uint8

const (
	none  content = iota // nothing: there is no end tag, or the content is dropped
	words                // text, in an inline element
	texts                // text, in a block
	all                  // text and blocks
	parts                // elements of certain names
)

type pageElement struct {
	name       string // in the output; "h" for all headings
	content    content
	in         []string // possible parents; nil if its content type decides
	part       string   // of parts: the child that is implied around text
	need       string   // attribute without which the tags are left out; "*" for any
	attributes []string // besides dir and lang
}

var (
	pageBlock = &pageElement{name: "div", content: all}
	pageTitle = &pageElement{name: "h", content: texts}
	pageRows  = &pageElement{name: "tbody", content: parts, in: []string{"table"}, part: "tr"}

	inRow = []string{"tr", "tbody", "thead", "table"} // the row can be left out
)

// pageElements are the elements that pages show, by the names that are stored.
var pageElements = withPlainElements(map[string]*pageElement{
	"a": {name: "a", content: words, need: "href", attributes: []string{"href"}},
	"bdo": {
		name:    "bdo",
		content: words,
		need:    "dir",
	}, "span": {
		name:    "span",
		content: words,
		need:    "*",
	},
	"time": {name: "time", content: words, need: "datetime", attributes: dated},
	"abbr": {
		name:       "abbr",
		content:    words,
		attributes: titled,
	}, "acronym": {
		name:       "abbr",
		content:    words,
		attributes: titled,
	},
	"dfn": {name: "dfn", content: words, attributes: titled},
	"del": {
		name:       "del",
		content:    words,
		attributes: dated,
	}, "ins": {
		name:       "ins",
		content:    words,
		attributes: dated,
	},
	"strike": {name: "s", content: words}, "tt": {name: "code", content: words},

	"br": {
		name: "br",
	}, "hr": {
		name: "hr",
	}, "wbr": {
		name: "wbr",
	}, "audio": {
		name: "audio",
	}, "img": {
		name:       "img",
		attributes: sizes,
	},
	"video": {name: "video", attributes: sizes}, "iframe": {name: "iframe", attributes: sizes},

	"p": {
		name:    "p",
		content: texts,
	}, "legend": {
		name:    "p",
		content: texts,
	}, "pre": {
		name:    "pre",
		content: texts,
	},
	"h1": pageTitle, "h2": pageTitle, "h3": pageTitle, "h4": pageTitle, "h5": pageTitle, "h6": pageTitle,
	"blockquote": {name: "blockquote", content: all},
	"details": {
		name:       "details",
		content:    all,
		attributes: []string{"open"},
	}, "summary": {
		name:    "summary",
		content: texts,
	},
	"figure": {
		name:    "figure",
		content: all,
	}, "figcaption": {
		name:    "figcaption",
		content: all,
		in:      []string{"figure"},
	},

	"ul": {
		name:    "ul",
		content: parts,
		part:    "li",
	}, "li": {
		name:    "li",
		content: all,
		in:      []string{"ul", "ol"},
	},
	"ol": {
		name:       "ol",
		content:    parts,
		part:       "li",
		attributes: []string{"reversed", "start", "type"},
	},
	"dl": {name: "dl", content: parts, part: "dd"},
	"dt": {
		name:    "dt",
		content: texts,
		in:      []string{"dl"},
	}, "dd": {
		name:    "dd",
		content: all,
		in:      []string{"dl"},
	},

	"table": {
		name:    "table",
		content: parts,
		part:    "tr",
	}, "caption": {
		name:    "caption",
		content: texts,
		in:      []string{"table"},
	},
	"thead": {
		name:    "thead",
		content: parts,
		in:      []string{"table"},
		part:    "tr",
	}, "tbody": pageRows, "tfoot": pageRows,
	"tr": {name: "tr", content: parts, in: inRow[1:], part: "td"},
	"td": {name: "td", content: all, in: inRow, attributes: []string{"colspan", "rowspan"}},
	"th": {
		name:       "th",
		content:    texts,
		in:         inRow,
		attributes: []string{"abbr", "colspan", "rowspan", "scope"},
	},
})

var titled, dated, sizes = []string{"title"}, []string{"datetime"}, []string{"height", "width"}

// withPlainElements adds the elements without rules of their own.
func withPlainElements(m map[string]*pageElement) map[string]*pageElement {
	for name := range strings.FieldsSeq("b bdi cite code em i kbd mark q rp rt ruby s samp small strong sub sup u var") {
		m[name] = &pageElement{name: name, content: words}
	}
	// Sections of the text must not look like sections of the page.
	for name := range strings.FieldsSeq("address article aside center div fieldset footer form header hgroup main nav section") {
		m[name] = pageBlock
	}
	return m
}

// unshown names the elements that pages drop with their text.
var unshown = map[string]bool{
	"noembed":  true,
	"noframes": true,
	"script":   true,
	"select":   true,
	"style":    true,
	"svg":      true,
	"template": true,
	"textarea": true,
	"title":    true,
}

// isPageValue reports whether pages show the value of an attribute.
func isPageValue(name, v string) bool {
	switch name {
	case "dir":
		return v == "auto" || v == "ltr" || v == "rtl"
	case "lang":
		return len(v) > 1 && len(v) < 36 && isLetter(v[0]) && strings.IndexFunc(v, notLanguage) < 0
	case "datetime":
		return v != "" && strings.Trim(v, "0123456789-:.+ TZPDHMSWY") == ""
	case "colspan", "rowspan":
		return isNumber(v, 1, 1000) // browsers lay out each
	case "height", "width":
		return isNumber(v, 1, 10_000)
	case "start":
		return isNumber(v, -1_000_000, 1_000_000)
	case "open", "reversed":
		return v == "" || v == name
	case "scope":
		return v == "col" || v == "colgroup" || v == "row" || v == "rowgroup"
	case "type":
		return len(v) == 1 && strings.Contains("1AIai", v)
	}
	return true // a text
}

func isNumber(s string, least, most int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= least && n <= most && s[0] != '+'
}

func notLanguage(r rune) bool { return r != '-' && (r >= 0x80 || !isLetterOrDigit(byte(r))) }
