// Package markup turns texts as they were sent into texts as they are shown: it sets titles and
// descriptions in HTML, cleans HTML of people who may not post it raw, makes slugs, and folds text
// for searching and sorting.
//
// Everything here is a pure function of its arguments, safe for concurrent use, and takes time in
// proportion to the length of its input whatever the input holds. Valid UTF-8 in is valid UTF-8
// out. Nothing panics and nothing fails: HTML that makes no sense is text.
//
// Titles and descriptions are stored as sent, and rendered by [Title], [Content] and [Excerpt].
// Texts of untrusted accounts are cleaned by [Sanitize] or [SanitizeTitle] before they are stored.
// Names of terms are stored as plain text, made by [CleanTermName], and shown by [EscapeName].
// Pages filter all this HTML with [AppendPage] and [AppendPageExcerpt], and understand plain text
// in descriptions by [PageContent].
package markup

// This file holds the three texts of an event, a venue or an organizer.

import "strings"

// Title renders the title of an event, or the name of a venue or an organizer, as HTML: outer
// space is trimmed, quotes, dashes and bare ampersands become numeric entities. Tags and entities
// that are already there stay untouched.
func Title(s string) string {
	s = trim(s)
	if ordinary(s) == len(s) {
		return s
	}
	return typeset(s)
}

// trim takes the white space off the ends of a text. Hard spaces are none: they were put there.
func trim(s string) string { return strings.Trim(s, spaces) }

const spaces = " \n\t\r\f"

// Content renders a description as HTML: typography as in [Title], then paragraphs out of blank
// lines and breaks out of line ends. HTML that Content made comes out unchanged.
//
// A text that holds block comments ("<!-- wp:paragraph -->") has its paragraphs already; only the
// comments are taken out. Some shortcodes run, see withShortcodes; others are ordinary text.
func Content(s string) string { return string(AppendContent(nil, s)) }

// AppendContent appends what [Content] returns.
func AppendContent(b []byte, s string) []byte { return appendContent(b, withShortcodes(s)) }

// appendContent appends a description in which shortcodes have run.
func appendContent(b []byte, s string) []byte {
	if !isUntagged(s) && strings.Contains(s, blockOpen) {
		return append(b, trim(typeset(withoutBlocks(s)))...)
	}
	return AppendExcerpt(b, s)
}

// Excerpt renders an excerpt as HTML: as [Content], but block comments and shortcodes have no
// meaning in it.
func Excerpt(s string) string { return string(AppendExcerpt(nil, s)) }

// AppendExcerpt appends what [Excerpt] returns.
func AppendExcerpt(b []byte, s string) []byte {
	if isUntagged(s) {
		return appendUntagged(b, s)
	}
	return append(b, paragraphs(typeset(s))...)
}

const (
	blockOpen  = "<!-- wp:"
	blockClose = "<!-- /wp:"
)

// blockClasses are the classes that the elements of blocks get when they are shown, by the names
// of both. Other blocks carry theirs in the text.
var blockClasses = map[string]map[string]string{
	"paragraph": {"p": "wp-block-paragraph"},
	"list":      {"ul": "wp-block-list", "ol": "wp-block-list"},
	"heading":   headings("wp-block-heading"),
	"quote":     {"blockquote": "is-layout-flow wp-block-quote-is-layout-flow"},
}

func headings(class string) map[string]string {
	return map[string]string{
		"h1": class,
		"h2": class,
		"h3": class,
		"h4": class,
		"h5": class,
		"h6": class,
	}
}

// withoutBlocks drops block comments, and marks the first element of a block with its classes.
func withoutBlocks(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var classes map[string]string
	for z := newScanner(s); z.next(); {
		switch {
		case z.kind == comment && strings.HasPrefix(z.raw, blockOpen):
			name := z.raw[len(blockOpen):]
			classes = blockClasses[name[:nameEnd(name, 0)]]
		case z.kind == comment && strings.HasPrefix(z.raw, blockClose):
			classes = nil
		case z.kind == startTag && classes[z.name] != "":
			b.WriteString(withClasses(z.raw, classes[z.name]))
			classes = nil
		default:
			b.WriteString(z.raw)
		}
	}
	return b.String()
}

// withClasses adds classes to a start tag, behind those it has, unless it has the first of them.
func withClasses(tag, classes string) string {
	first, _, _ := strings.Cut(classes, " ")
	for a := range attributes(tag) {
		if a.name != "class" {
			continue
		}
		for class := range strings.FieldsSeq(a.value) {
			if class == first {
				return tag
			}
		}
		if a.value == "" {
			break
		}
		return tag[:a.end] + " " + classes + tag[a.end:]
	}
	n := nameEnd(tag, 1)
	return tag[:n] + ` class="` + classes + `"` + tag[n:]
}
