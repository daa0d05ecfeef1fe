package pages

import (
	"bytes"
	"html/template"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// odd has every byte that stands for something in HTML, and signs beyond ASCII.
const odd = "\x00 <b>\"Tom\" & 'Ann'</b> + ½ – 日本 &amp;"

// Lines are what templates would make of them.
func TestLinesAsTemplates(t *testing.T) {
	t.Parallel()
	line := template.Must(template.New("").Parse(
		`{{if and .Lane .Middle}}{{with .State}}<span class="state">{{.}}</span> {{end}}` +
			`<bdi>{{.Title}}</bdi>{{else}}` +
			`{{with .When}}<span class="when">{{.}}</span> {{end}}` +
			`{{with .State}}<span class="state">{{.}}</span> {{end}}` +
			`<a href="{{.Href}}"{{if .Struck}} class="struck"{{end}}` +
			`{{if .Lane}} tabindex="-1"{{end}}><bdi>{{.Title}}</bdi></a>` +
			`{{with .Note}} <span class="note">{{.}}</span>{{end}}{{end}}`,
	))
	options := template.Must(template.New("").Parse(
		`{{range .Options}}<option value="{{.Value}}"{{if .Chosen}} selected{{end}}>` +
			"{{.Text}}</option>\n{{end}}",
	))
	executed := func(of *template.Template, what any) template.HTML {
		t.Helper()
		var b bytes.Buffer
		if err := of.Execute(&b, what); err != nil {
			t.Fatal(err)
		}
		return template.HTML(b.String())
	}
	const address = "https://example.org/event/caf%c3%a9-1/?a=1&b=2"
	for _, e := range []Entry{
		{Title: odd, Href: address},
		{Title: odd, Href: address, When: odd, State: odd, Note: odd, Struck: true},
		{Title: odd, Href: address, When: "20:00", Lane: true},
		{Title: odd, Href: address, When: "20:00", Note: odd, Middle: true},
		{Title: odd, Href: address, State: odd, Note: odd, Lane: true, Middle: true},
	} {
		if diff := cmp.Diff(executed(line, e), e.Line()); diff != "" {
			t.Errorf("%+v (-template +line):\n%s", e, diff)
		}
	}
	c := Choice{Options: []Option{{Value: odd, Text: odd}, {Value: "2", Text: "B", Chosen: true}}}
	if diff := cmp.Diff(executed(options, c), c.Lines()); diff != "" {
		t.Errorf("options (-template +lines):\n%s", diff)
	}
}
