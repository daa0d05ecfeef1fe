// Lines of which pages have hundreds, written without templates, which take ten times as long for
// them.

package pages

import (
	"html/template"
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

// Line returns an event as it stands in a month: its time, its state, its title with a link, and
// its note. Keys lead to a bar once, and the middle of a bar has no link.
func (e *Entry) Line() template.HTML {
	var line strings.Builder
	line.Grow(256)
	span := func(before, class, text, behind string) {
		if text == "" {
			return
		}
		line.WriteString(before + `<span class="` + class + `">`)
		escaper.WriteString(&line, text)
		line.WriteString("</span>" + behind)
	}
	if e.Lane && e.Middle {
		span("", "state", e.State, " ")
		line.WriteString("<bdi>")
		escaper.WriteString(&line, e.Title)
		line.WriteString("</bdi>")
		return template.HTML(line.String())
	}
	span("", "when", e.When, " ")
	span("", "state", e.State, " ")
	line.WriteString(`<a href="`)
	escaper.WriteString(&line, e.Href)
	line.WriteString(`"`)
	if e.Struck {
		line.WriteString(` class="struck"`)
	}
	if e.Lane {
		line.WriteString(` tabindex="-1"`)
	}
	line.WriteString("><bdi>")
	escaper.WriteString(&line, e.Title)
	line.WriteString("</bdi></a>")
	span(" ", "note", e.Note, "")
	return template.HTML(line.String())
}

// Lines returns the options of a choice.
func (c Choice) Lines() template.HTML {
	var lines strings.Builder
	for _, o := range c.Options {
		lines.WriteString(`<option value="`)
		escaper.WriteString(&lines, o.Value)
		lines.WriteString(`"`)
		if o.Chosen {
			lines.WriteString(" selected")
		}
		lines.WriteString(">")
		escaper.WriteString(&lines, o.Text)
		lines.WriteString("</option>\n")
	}
	return template.HTML(lines.String())
}
