// Parts that stand hundreds of times in a page. Go code writes them: templates take ten times as
// long.

package pages

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

// escaper writes text as html/template does, in elements and in quotation marks.
var escaper = strings.NewReplacer(
	"\x00", "\uFFFD",
	`"`, "&#34;",
	"&", "&amp;",
	"'", "&#39;",
	"+", "&#43;",
	"<", "&lt;",
	">", "&gt;",
)

// Lines returns the events of a day in a month, and links to more.
func (c *Cell) Lines() template.HTML {
	var lines strings.Builder
	lines.Grow(256 * (len(c.Entries) + len(c.Rest)))
	for i := range c.Entries {
		e := &c.Entries[i]
		switch {
		case e.Lane && e.Href == "":
			lines.WriteString(`<li class="lane" aria-hidden="true">`)
		case e.Lane:
			lines.WriteString(`<li class="lane goes`)
			writeIf(&lines, e.Middle, " middle")
			lines.WriteString(`"><p class="hidden">`)
			e.write(&lines)
			lines.WriteString("</p>")
		default:
			lines.WriteString("<li")
			e.writeClass(&lines)
			lines.WriteString(">")
			e.write(&lines)
		}
		lines.WriteString("</li>\n")
	}
	if c.More != nil {
		lines.WriteString(`<li><a class="more" href="`)
		escaper.WriteString(&lines, string(c.More.Href))
		lines.WriteString(`">`)
		escaper.WriteString(&lines, c.More.Text)
		lines.WriteString("</a></li>\n")
	}
	for i := range c.Rest {
		lines.WriteString(`<li class="rest`)
		writeIf(&lines, c.Rest[i].Featured, " featured")
		lines.WriteString(`">`)
		c.Rest[i].write(&lines)
		lines.WriteString("</li>\n")
	}
	writeSpan(&lines, `<li class="rest">`, c.Beyond, "</li>\n")
	return template.HTML(lines.String())
}

// writeClass writes the classes of an event that is more than a line: featured, a bar, or all day.
func (e *Entry) writeClass(lines *strings.Builder) {
	if !e.Featured && e.Bar == 0 && !e.AllDay {
		return
	}
	lines.WriteString(` class="`)
	writeIf(lines, e.Featured, "featured ")
	if e.Bar > 0 {
		lines.WriteString("lane bar d" + strconv.Itoa(e.Bar))
		writeIf(lines, e.Goes, " goes")
		writeIf(lines, e.Stays, " stays")
		writeIf(lines, e.Middle, " middle")
	}
	writeIf(lines, e.AllDay, " whole")
	lines.WriteString(`"`)
}

// write writes the time, the state, the title with a link, and the note of an event. Keys lead to a
// bar once, and its middle has no link.
func (e *Entry) write(lines *strings.Builder) {
	isMiddle := e.Lane && e.Middle
	if !isMiddle {
		writeSpan(lines, `<span class="when">`, e.When, "</span> ")
	}
	writeSpan(lines, `<span class="state">`, e.State, "</span> ")
	if isMiddle {
		writeSpan(lines, "<bdi>", e.Title, "</bdi>")
		return
	}
	lines.WriteString(`<a href="`)
	escaper.WriteString(lines, e.Href)
	lines.WriteString(`"`)
	writeIf(lines, e.Struck, ` class="struck"`)
	writeIf(lines, e.Lane, ` tabindex="-1"`)
	lines.WriteString("><bdi>")
	escaper.WriteString(lines, e.Title)
	lines.WriteString("</bdi></a>")
	writeSpan(lines, ` <span class="note">`, e.Note, "</span>")
}

// writeSpan writes a text between tags, and nothing for none.
func writeSpan(lines *strings.Builder, before, text, behind string) {
	if text == "" {
		return
	}
	lines.WriteString(before)
	escaper.WriteString(lines, text)
	lines.WriteString(behind)
}

// writeIf writes a part of a tag if a condition holds.
func writeIf(lines *strings.Builder, holds bool, part string) {
	if holds {
		lines.WriteString(part)
	}
}

// Lines returns the options of a choice.
func (c Choice) Lines() template.HTML {
	var lines strings.Builder
	for _, o := range c.Options {
		lines.WriteString(`<option value="`)
		escaper.WriteString(&lines, o.Value)
		lines.WriteString(`"`)
		writeIf(&lines, o.Chosen, " selected")
		lines.WriteString(">")
		escaper.WriteString(&lines, o.Text)
		lines.WriteString("</option>\n")
	}
	return template.HTML(lines.String())
}

// Translations are links to a page in other languages. A page has 60 of them, which templates
// write in half of the time of the whole.
type Translations []Link

// Tags returns the links for search engines.
func (t Translations) Tags() template.HTML {
	var tags strings.Builder
	for i := range t {
		tags.WriteString(`<link rel="alternate" `)
		t[i].writeVersion(&tags)
		tags.WriteString(">\n")
	}
	return template.HTML(tags.String())
}

// Lines returns the links for people.
func (t Translations) Lines() template.HTML {
	var lines strings.Builder
	for i := range t {
		l := &t[i]
		lines.WriteString(`<li><a lang="`)
		escaper.WriteString(&lines, l.Lang)
		lines.WriteString(`" dir="`)
		escaper.WriteString(&lines, l.Dir)
		lines.WriteString(`" `)
		l.writeVersion(&lines)
		writeIf(&lines, l.Here, ` aria-current="true"`)
		lines.WriteString(">")
		escaper.WriteString(&lines, l.Text)
		lines.WriteString("</a></li>\n")
	}
	return template.HTML(lines.String())
}

// writeVersion writes the attributes that name a version of the page.
func (l *Link) writeVersion(to *strings.Builder) {
	to.WriteString(`hreflang="`)
	escaper.WriteString(to, l.Lang)
	to.WriteString(`" href="`)
	escaper.WriteString(to, string(l.Href))
	to.WriteString(`"`)
}

// normal returns the path of an address with each byte encoded that html/template encodes. A % is
// that of an encoded byte.
func normal(path template.URL) template.URL {
	isOdd := func(r rune) bool {
		return r > '~' || !strings.ContainsRune("-._~!#$&*+,/:;=?@[]%", r) &&
			(r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}
	if !strings.ContainsFunc(string(path), isOdd) {
		return path
	}
	var b strings.Builder
	for _, c := range []byte(path) {
		if isOdd(rune(c)) {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return template.URL(b.String())
}
