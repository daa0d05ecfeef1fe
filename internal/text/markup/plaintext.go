package markup

// This file understands what people write in plain text: addresses and lists.

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// PageContent renders a description as [Content] does, but in the way of pages: an address of the
// web in its text is a link, and lines that begin with "- " are a list, unless the text has blocks
// of HTML.
func PageContent(s string) string {
	return string(appendContent(nil, withLinks(withLists(withShortcodes(s)))))
}

// TypedContent renders a description as [PageContent] does, but with quotes and dashes as they were
// typed, for files that are read back.
func TypedContent(s string) string {
	s = withLinks(withLists(withShortcodes(s)))
	if strings.Contains(s, blockOpen) {
		return trim(withoutBlocks(s))
	}
	return paragraphs(s)
}

// TypedExcerpt renders an excerpt as [Excerpt] does, with quotes and dashes as they were typed.
func TypedExcerpt(s string) string { return paragraphs(s) }

// PageText returns a description as a text in one line, with a sign before each item of a list.
func PageText(s string) string {
	if strings.Contains(s, "- ") && isPlain(s) {
		s = itemSign.ReplaceAllString(lineEnds.Replace(s), "• ")
	}
	return Plain(Content(s))
}

var itemSign = regexp.MustCompile(`(?m)^- `)

// withLists puts the items of a plain text into lists. Blank lines may be between items.
func withLists(s string) string {
	const sign = "- "
	if !strings.Contains(s, sign) || !isPlain(s) {
		return s
	}
	var b strings.Builder
	isOpen := false
	end := func() {
		if isOpen {
			b.WriteString("</ul>\n")
		}
		isOpen = false
	}
	for line := range strings.Lines(lineEnds.Replace(s)) {
		item, isItem := strings.CutPrefix(line, sign)
		switch {
		case isItem && !isOpen:
			b.WriteString("<ul>\n")
			isOpen = true
		case !isItem && trim(line) != "":
			end()
		}
		if isItem {
			line = "<li>" + trim(item) + "</li>\n"
		}
		b.WriteString(line)
	}
	end()
	return b.String()
}

// isPlain reports whether a text has lines as they were written: nothing but tags within lines.
func isPlain(s string) bool {
	for z := newScanner(s); z.next(); {
		if z.kind == comment ||
			z.kind != text && (roles[z.name] != inline || strings.Contains(z.raw, "\n")) {
			return false
		}
	}
	return true
}

// withLinks makes links of the addresses in a text, but for those in links, code and what is not
// shown.
func withLinks(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	var b strings.Builder
	within := 0
	for z := newScanner(s); z.next(); {
		isApart := z.name == "a" || z.name == "code"
		switch {
		case z.kind == text && within == 0:
			writeLinks(&b, z.raw)
			continue
		case z.kind == startTag && isApart:
			within++
		case z.kind == endTag && isApart:
			within = max(0, within-1)
		case z.kind == startTag && (roles[z.name] == opaque || roles[z.name] == listing):
			z.skipContent()
		}
		b.WriteString(z.raw)
	}
	return b.String()
}

// writeLinks writes a text between tags with its addresses as links.
func writeLinks(b *strings.Builder, s string) {
	for {
		at := strings.Index(s, "http")
		if at < 0 {
			break
		}
		address := addressAt(s[at:])
		if address == "" || at > 0 && isLetterOrDigit(s[at-1]) {
			b.WriteString(s[:at+len("http")])
			s = s[at+len("http"):]
			continue
		}
		b.WriteString(s[:at] + `<a href="` + address + `">` + asTyped.Replace(address) + "</a>")
		s = s[at+len(address):]
	}
	b.WriteString(s)
}

// addressAt returns the address that a text begins with, or "". The end of a sentence is no part
// of it, nor is a bracket that was opened before.
func addressAt(s string) string {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return ""
	}
	if end := strings.IndexFunc(s, endsAddress); end >= 0 {
		s = s[:end]
	}
	for _, entity := range []string{"&nbsp;", "&quot;", "&lt;", "&gt;", "&#"} {
		s, _, _ = strings.Cut(s, entity)
	}
	for {
		last := s[len(s)-1]
		isBracket := last == ')' && strings.Count(s, "(") < strings.Count(s, ")")
		if !isBracket && !strings.ContainsRune(".,;:!?'*_", rune(last)) ||
			strings.HasSuffix(s, "&amp;") {
			break
		}
		s = s[:len(s)-1]
	}
	if u, err := url.Parse(html.UnescapeString(s)); err != nil || u.Hostname() == "" {
		return ""
	}
	return s
}

// endsAddress reports whether a character is in no address that people type: space, quotes,
// brackets of other kinds, and the scripts that set no spaces around an address.
func endsAddress(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r >= 0x2e80 ||
		strings.ContainsRune("<>\"“”„«»‘’…`[]{}|\\^", r)
}

// asTyped keeps typography out of an address.
var asTyped = strings.NewReplacer(
	"--",
	"&#45;&#45;",
	"...",
	"&#46;&#46;&#46;",
	"'",
	"&#39;",
	"0x",
	"0&#120;",
	"1x",
	"1&#120;",
	"2x",
	"2&#120;",
	"3x",
	"3&#120;",
	"4x",
	"4&#120;",
	"5x",
	"5&#120;",
	"6x",
	"6&#120;",
	"7x",
	"7&#120;",
	"8x",
	"8&#120;",
	"9x",
	"9&#120;",
)
