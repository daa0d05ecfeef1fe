package markup

// This file goes between HTML and plain text.

import (
	"html"
	"strings"
)

// StripTags takes all tags and comments out of s, scripts and style sheets with their content. Entities stay.
// The result can never be read as markup: a "<" that would begin a tag, as in "<b" without an end, goes too;
// one before a space or a digit stays.
func StripTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	b := make([]byte, 0, len(s))
	for z := newScanner(s); z.next(); {
		if z.kind == text {
			b = appendInert(b, z.raw)
		} else {
			z.skipHidden()
		}
	}
	return string(b)
}

// appendInert appends s without those "<" that would, where they come to stand, begin a tag or a comment.
func appendInert(b []byte, s string) []byte {
	for i := range len(s) {
		if opensMarkup(s[i]) {
			for len(b) > 0 && b[len(b)-1] == '<' {
				b = b[:len(b)-1]
			}
		}
		b = append(b, s[i])
	}
	return b
}

// skipHidden skips the content of an element that shows none.
func (z *scanner) skipHidden() {
	if z.kind == startTag && (z.name == "script" || z.name == "style") {
		z.skipContent()
	}
}

// CleanTermName makes the name of a category or tag out of what was sent: tags are taken out as by
// [StripTags], entities decoded, white space collapsed and trimmed. The result is plain text, to be shown by
// [EscapeName]; it is empty if nothing can be seen.
func CleanTermName(s string) string { return collapse(html.UnescapeString(StripTags(s))) }

// EscapeName writes the plain name of a category or tag as HTML. Quotes stay as they are, so the result is
// for text, not for attributes.
func EscapeName(s string) string {
	for i := range len(s) {
		if c := s[i]; c == '&' || c == '<' || c == '>' {
			return escapeName.Replace(s)
		}
	}
	return s
}

var escapeName = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// EscapeURL writes a URL as HTML, fit for an attribute too. What is an entity already stays one, so a URL
// that a client read and sent back does not change.
func EscapeURL(s string) string {
	if !strings.ContainsAny(s, "&'\"<>") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			if entityEnd(s, i) > i {
				b.WriteByte(c)
			} else {
				b.WriteString("&amp;")
			}
		case '\'':
			b.WriteString("&#039;")
		case '"':
			b.WriteString("&quot;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Unescape decodes the entities of s once.
func Unescape(s string) string { return html.UnescapeString(s) }

// Plain turns rendered HTML into one line of plain text: tags gone, entities decoded, white space collapsed.
// Blocks and breaks are divided by a space.
func Plain(s string) string {
	b := make([]byte, 0, len(s))
	for z := newScanner(s); z.next(); {
		switch r := roles[z.name]; {
		case z.kind == text:
			b = append(b, z.raw...)
		case r >= caption || z.name == "br":
			b = append(b, ' ')
		}
		z.skipHidden()
	}
	return collapse(html.UnescapeString(string(b)))
}

// collapse makes every stretch of white space one space, and none at the ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
