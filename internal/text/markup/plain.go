package markup

// This file goes between HTML and plain text.

import (
	"html"
	"strings"
)

// StripTags takes all tags and comments out of s, scripts and style sheets with their content.
// Entities stay. The result can never be read as markup: a "<" that would begin a tag, as in "<b"
// without an end, goes too; one before a space or a digit stays.
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

// appendInert appends s without those "<" that would, where they come to stand, begin a tag or a
// comment.
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

// CleanTermName makes the name of a category or tag of the text that was sent: tags are removed as
// by [StripTags], entities decoded, white space collapsed and trimmed. The result is plain text,
// to be shown by [EscapeName]; it is empty if nothing is visible.
func CleanTermName(s string) string {
	return collapse(html.UnescapeString(StripTags(s)))
}

// EscapeName writes the plain name of a category or tag as HTML. Quotes stay as they are, so the
// result is for text, not for attributes.
func EscapeName(s string) string { return escapeName.Replace(s) }

var escapeName = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// EscapeURL writes a URL as HTML, fit for an attribute too. Entities are kept, so a URL that a
// client read and sent back does not change.
func EscapeURL(s string) string { return escapeURL.Replace(withAmpersands(s, "&amp;")) }

var escapeURL = strings.NewReplacer("'", "&#039;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// Unescape decodes the entities of s once.
func Unescape(s string) string { return html.UnescapeString(s) }

// Visible returns the text that readers see of a title or a name, with its characters as they were
// typed.
func Visible(s string) string { return trim(Unescape(StripTags(s))) }

// EscapeTags writes the tags of rendered HTML as text. Entities are kept.
func EscapeTags(s string) string { return escapeTags.Replace(s) }

var escapeTags = strings.NewReplacer("<", "&lt;", ">", "&gt;")

// Plain turns rendered HTML into one line of plain text: tags gone, quotes and dashes those of a
// keyboard, entities decoded, white space collapsed. Blocks and breaks are divided by a space.
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
	return collapse(html.UnescapeString(typed.Replace(string(b))))
}

// typed replaces the entities of typeset text by the characters of a keyboard.
var typed = strings.NewReplacer(
	openSingle,
	"'",
	closeSingle,
	"'",
	prime,
	"'",
	openDouble,
	`"`,
	closeDouble,
	`"`,
	doublePrime,
	`"`,
	" "+enDash+" ",
	" - ",
	enDash,
	"--",
	" "+emDash+" ",
	" -- ",
	emDash,
	"---",
	ellipsis,
	"...",
	times,
	"x",
	tradeMark,
	"(tm)",
)

// withAmpersands writes each "&" that begins no entity as the one given.
func withAmpersands(s, entity string) string {
	n := strings.IndexByte(s, '&')
	if n < 0 {
		return s
	}
	var b strings.Builder
	for ; n >= 0; n = strings.IndexByte(s, '&') {
		end := entityEnd(s, n)
		if b.WriteString(s[:n]); end == n {
			b.WriteString(entity)
			end++
		} else {
			b.WriteString(s[n:end])
		}
		s = s[end:]
	}
	b.WriteString(s)
	return b.String()
}

// collapse makes every stretch of white space one space, and none at the ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cut returns a plain text of at most a number of letters: a longer one ends in "…".
func Cut(s string, most int) string {
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return s
}
