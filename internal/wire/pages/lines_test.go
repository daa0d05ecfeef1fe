package pages

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// odd has every byte that stands for something in HTML, and signs beyond ASCII.
const odd = "\x00 <b>\"Tom\" & 'Ann'</b> + ½ – 日本 &amp;"

// Lines are what templates would make of them.
func TestLinesAsTemplates(t *testing.T) {
	t.Parallel()
	cell := template.Must(template.New("").Parse(
		`{{define "line"}}{{with .When}}<span class="when">{{.}}</span> {{end}}` +
			`{{with .State}}<span class="state">{{.}}</span> {{end}}` +
			`<a href="{{.Href}}"{{if .Struck}} class="struck"{{end}}` +
			`{{if .Lane}} tabindex="-1"{{end}}><bdi>{{.Title}}</bdi></a>` +
			`{{with .Note}} <span class="note">{{.}}</span>{{end}}{{end}}` +

			`{{range .Entries}}{{if not .Href}}<li class="lane" aria-hidden="true">{{else if .Lane}}` +
			`<li class="lane goes{{if .Middle}} middle{{end}}"><p class="hidden">{{if .Middle}}` +
			`{{with .State}}<span class="state">{{.}}</span> {{end}}<bdi>{{.Title}}</bdi>` +
			`{{else}}{{template "line" .}}{{end}}</p>{{else}}` +
			`<li{{if or .Featured .Bar .AllDay}} class="{{if .Featured}}featured {{end}}` +
			`{{if .Bar}}lane bar d{{.Bar}}{{if .Goes}} goes{{end}}{{if .Stays}} stays{{end}}` +
			`{{if .Middle}} middle{{end}}{{end}}{{if .AllDay}} whole{{end}}"{{end}}>` +
			`{{template "line" .}}{{end}}` + "</li>\n{{end}}" +
			`{{with .More}}<li><a class="more" href="{{.Href}}">{{.Text}}</a>` + "</li>\n{{end}}" +
			`{{range .Rest}}<li class="rest{{if .Featured}} featured{{end}}">{{template "line" .}}` +
			"</li>\n{{end}}" + `{{with .Beyond}}<li class="rest">{{.}}` + "</li>\n{{end}}",
	))
	options := template.Must(template.New("").Parse(
		`{{range .Options}}<option value="{{.Value}}"{{if .Chosen}} selected{{end}}>` +
			"{{.Text}}</option>\n{{end}}",
	))
	translations := template.Must(template.New("").Parse(
		`{{define "tags"}}{{range .}}<link rel="alternate" hreflang="{{.Lang}}" href="{{.Href}}">` +
			"\n{{end}}{{end}}" +
			`{{range .}}<li><a lang="{{.Lang}}" dir="{{.Dir}}" hreflang="{{.Lang}}" href="{{.Href}}"` +
			`{{if .Here}} aria-current="true"{{end}}>{{.Text}}</a></li>` + "\n{{end}}",
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
	for _, c := range []Cell{
		{},
		{
			Entries: []Entry{
				{Lane: true},
				{Title: odd, Href: address},
				{Title: odd, Href: address, When: odd, State: odd, Note: odd, Struck: true},
				{Title: odd, Href: address, When: "20:00", State: odd, Note: odd, Lane: true},
				{Title: odd, Href: address, When: odd, State: odd, Lane: true, Middle: true},
				{Title: odd, Href: address, Bar: 7, Goes: true, Stays: true, Middle: true},
				{Title: odd, Href: address, Bar: 1, AllDay: true, Featured: true},
				{Title: odd, Href: address, Goes: true, Stays: true, Middle: true},
				{Title: odd, Href: address, Featured: true},
				{Title: odd, Href: address, AllDay: true},
			},
			More: &Link{Text: odd, Href: address},
			Rest: []Entry{
				{Title: odd, Href: address, When: odd, Featured: true},
				{Title: odd, Href: address, State: odd, Struck: true, Note: odd},
			},
			Beyond: odd,
		},
	} {
		if diff := cmp.Diff(executed(cell, &c), c.Lines()); diff != "" {
			t.Errorf("cell (-template +lines):\n%s", diff)
		}
	}
	c := Choice{Options: []Option{{Value: odd, Text: odd}, {Value: "2", Text: "B", Chosen: true}}}
	if diff := cmp.Diff(executed(options, c), c.Lines()); diff != "" {
		t.Errorf("options (-template +lines):\n%s", diff)
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	signs := strings.ReplaceAll(string(every), "%", "%25")
	for _, path := range []string{"/events/?a=1&b=2", "/event/caf%c3%a9/", signs} {
		links := []Link{
			{Text: odd, Href: "/de", Lang: "de", Dir: "ltr"},
			{Text: odd, Href: "/ar", Lang: odd, Dir: odd, Here: true},
		}
		all := Versions{Links: links, Origin: "http://[::1]:8080", Path: template.URL(path)}.all()
		for i := range links {
			links[i].Href = "http://[::1]:8080" + links[i].Href + template.URL(path)
		}
		if diff := cmp.Diff(executed(translations, links), all.Lines()); diff != "" {
			t.Errorf("translations (-template +lines):\n%s", diff)
		}
		if diff := cmp.Diff(executed(translations.Lookup("tags"), links), all.Tags()); diff != "" {
			t.Errorf("tags (-template +lines):\n%s", diff)
		}
	}
}
