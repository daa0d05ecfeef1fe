package markup_test

// Tests that HTML of pages is valid and safe whatever it is made of, with a checker that has lists
// of its own.

import (
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// pageTags are the tags that a page may have, with their attributes besides dir and lang.
var pageTags = map[string]string{
	"a": "href rel", "abbr": "title", "b": "", "bdi": "", "bdo": "", "cite": "", "code": "", "del": "datetime", "ins": "datetime",
	"dfn": "title",
	"em":  "", "i": "", "kbd": "", "mark": "", "q": "", "ruby": "", "rp": "", "rt": "", "s": "", "samp": "", "small": "", "span": "",
	"strong": "",
	"sub":    "", "sup": "", "u": "", "var": "", "time": "datetime", "br": "", "hr": "", "wbr": "",
	"img": "src alt width height loading decoding", "audio": "src controls preload", "video": "src controls preload width height",
	"iframe": "src title width height loading allowfullscreen sandbox",
	"p":      "", "pre": "", "h3": "", "h4": "", "h5": "", "h6": "", "div": "", "blockquote": "", "details": "open", "summary": "",
	"figure":     "",
	"figcaption": "", "ul": "", "ol": "reversed start type", "li": "", "dl": "", "dt": "", "dd": "", "table": "", "caption": "", "thead": "",
	"tbody": "", "tr": "", "td": "colspan rowspan", "th": "abbr colspan rowspan scope",
}

// pageParents are the elements that these must stand in; pageChildren what these have, and no
// text.
var (
	pageParents = map[string]string{
		"li":         "ul ol",
		"dt":         "dl",
		"dd":         "dl",
		"caption":    "table",
		"thead":      "table",
		"tbody":      "table",
		"tr":         "table thead tbody",
		"td":         "tr",
		"th":         "tr",
		"figcaption": "figure",
		"summary":    "details",
	}
	pageChildren = map[string]string{
		"ul":    "li",
		"ol":    "li",
		"dl":    "dt dd",
		"table": "caption thead tbody tr",
		"thead": "tr",
		"tbody": "tr",
		"tr":    "td th",
	}
	pageInline = "a abbr b bdi bdo cite code del ins dfn em i kbd mark q ruby rp rt s samp small span strong sub sup u var time"
	pageWords  = pageInline + " p pre h3 h4 h5 h6 summary dt th caption" // have no blocks in them
	pagePieces = regexp.MustCompile(`^(?:</([a-z0-9]+)>|<([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>|[^` +
		`<>"&]+|&quot;|&(?:[a-zA-Z][a-zA-Z0-9]*|#[0-9]+|#[xX][0-9a-fA-F]+);)`)
	pagePairs   = regexp.MustCompile(` ([a-z]+)="([^"]*)"`)
	pageAddress = regexp.MustCompile(
		`^(?i:https?://[^/?#@]|webcal://|mailto:|tel:|[^:]*$|[^:]*[/?#])`,
	)
	unwelcome = regexp.MustCompile(
		"[\x00-\x08\x0b\x0e-\x1f\x7f-\u009f\u202a-\u202e\u2066-\u2069]",
	)
)

func has(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// validPage reads what a page shows of a text, and returns what is wrong with it.
func validPage(s string, tags map[string]string) error {
	var open []string
	top := func() string {
		if len(open) == 0 {
			return "div"
		}
		return open[len(open)-1]
	}
	if utf8.ValidString(s) && unwelcome.MatchString(html.UnescapeString(s)) {
		return errors.New("a control")
	}
	for at := 0; at < len(s); {
		m := pagePieces.FindStringSubmatch(s[at:])
		if m == nil {
			return fmt.Errorf("byte %d: neither text nor a tag nor an entity", at)
		}
		at += len(m[0])
		end := m[1]
		start := m[2]
		attributes, known := tags[start]
		switch {
		case end != "":
			if end != top() || len(open) == 0 {
				return fmt.Errorf("</%s> in %v", end, open)
			}
			open = open[:len(open)-1]
			continue
		case start == "":
			if pageChildren[top()] != "" {
				return fmt.Errorf("text in %v", open)
			}
			continue
		case !known:
			return fmt.Errorf("<%s>", start)
		case pageParents[start] != "" && !has(pageParents[start], top()),
			pageChildren[top()] != "" && !has(pageChildren[top()], start):
			return fmt.Errorf("<%s> in %v", start, open)
		case has(pageWords, top()) && !has(pageInline+" br wbr img audio video iframe", start):
			return fmt.Errorf("<%s> in %v", start, open)
		case slices.Contains(open, "a") && has("a audio video iframe", start):
			return fmt.Errorf("<%s> in %v", start, open)
		case len(open) > 60:
			return errors.New("too deep")
		}
		seen := map[string]string{}
		for _, pair := range pagePairs.FindAllStringSubmatch(m[3], -1) {
			name := pair[1]
			value := html.UnescapeString(pair[2])
			_, twice := seen[name]
			if seen[name] = value; twice || !has(attributes+" dir lang", name) {
				return fmt.Errorf("%s of <%s>", name, start)
			}
			if name == "href" || name == "src" {
				if !pageAddress.MatchString(value) || strings.ContainsAny(value, " \\\"<>") {
					return fmt.Errorf("address %q", value)
				}
				outside := regexp.MustCompile(`^(?:\w+:)?//`).MatchString(value)
				if name == "src" && outside &&
					!regexp.MustCompile(`(?i)^(?:https?:)?//(choir.example|pictures.example|www.youtube.com)(?:[/?#]|$)`).
						MatchString(value) {
					return fmt.Errorf("%q is loaded", value)
				}
			}
		}
		if _, ok := seen["alt"]; start == "img" && !ok || start == "a" && seen["href"] == "" ||
			start == "bdo" && seen["dir"] == "" {
			return fmt.Errorf("%s without what it needs", m[0])
		}
		if !has("br hr wbr img", start) {
			open = append(open, start)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%v open at the end", open)
	}
	return nil
}

// checkPage fails if what a page or an excerpt shows of a text is not valid or not safe, or
// changes when it is shown again.
func checkPage(t *testing.T, s string) {
	t.Helper()
	lines := map[string]string{}
	for name := range pageTags {
		if name == "p" || name == "br" || name == "wbr" || has(pageInline, name) && name != "a" {
			lines[name] = pageTags[name]
		}
	}
	for _, way := range []struct {
		show func(string) string
		tags map[string]string
	}{{page, pageTags}, {excerpt, lines}} {
		got := way.show(s)
		if err := validPage(got, way.tags); err != nil {
			t.Errorf("%.300q becomes %.300q: %v", s, got, err)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%.300q becomes %.300q, not valid UTF-8", s, got)
		}
		if again := way.show(got); again != got && !unwelcome.MatchString(html.UnescapeString(s)) {
			t.Errorf("%.300q becomes %.300q and then %.300q", s, got, again)
		}
		checkSafe(
			t,
			func(s string) string { // frames are allowed by their host, which validPage looks at
				return strings.ReplaceAll(
					strings.ReplaceAll(way.show(s), "<iframe ", "<img "),
					"</iframe>",
					"",
				)
			},
			s,
		)
	}
}

// Tags in any order are shown in a valid order.
func TestPageOfPieces(t *testing.T) {
	pieces := []string{
		"a",
		"b",
		" ",
		"\n",
		"&nbsp;",
		"<br>",
		"<hr>",
		"<!-- c -->",
		`<img src="/a">`,
		`<img src="https://x.example/b">`,
		"<x>",
		"</x>",
		`<a href="/c">`,
		"</a>",
		`<iframe src="//www.youtube.com/d"></iframe>`,
		"<video><source src=e></video>",
		`<span lang=en>`,
		"<svg>",
		"</svg>",
	}
	for name := range pageTags {
		if !has("img iframe a audio video", name) {
			pieces = append(pieces, "<"+name+">", "</"+name+">")
		}
	}
	for _, name := range []string{"table", "tr", "td", "ul", "li", "p", "b", "h1", "h2", "div", "details", "summary"} {
		pieces = append(pieces, "<"+name+">", "<"+name+">", "</"+name+">")
	}
	slices.Sort(pieces)
	random := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(16) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if checkPage(t, b.String()); t.Failed() {
			return
		}
	}
}

func FuzzPage(f *testing.F) {
	for _, c := range slices.Concat(attacks, contents, dirty, dirtyTitles, texts, shortcodes) {
		f.Add(c.in)
	}
	f.Fuzz(checkPage)
}
