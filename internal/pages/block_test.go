package pages

import (
	"html/template"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// nasty are texts that html/template shows as something else, and ends of addresses.
var nasty = []string{
	"&",
	"<b>",
	"\"",
	"'",
	"+",
	"\x00",
	"a b",
	"=`",
	"é漢\u202e",
	"%41",
	"%4",
	"%",
	"javascript:alert(1)",
	"http://x/?a=b&c=(d)",
	"~path~",
	"~origin~",
	"\xff",
	"{{.}}",
	"</script>",
	"#",
	"a|b\\c",
	"/50%",
}

// loops returns our templates with loops through languages and options in the place of blocks.
func loops(t *testing.T) fstest.MapFS {
	read := func(name string) string {
		text, err := ours.ReadFile("theme/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	replace := func(text, old, new string) string {
		if strings.Count(text, old) != 1 {
			t.Fatalf("%q is not there once", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	frame := replace(
		read("frame.html"),
		"{{$.AlternateLinks}}",
		"{{with $.Alternates}}"+read("alternates.html")+"{{end}}",
	)
	frame = replace(frame, "{{with .LanguageLinks}}", "{{with .Languages}}")
	frame = replace(frame, "{{with $.OtherLinks}}", "{{with $.Others}}")
	frame = strings.ReplaceAll(frame, "{{.}}</ul>", read("languages.html")+"</ul>")
	choice := replace(read("choice.html"), "{{.All}}", `{{$.T "site.all"}}`)
	search := replace(
		read("search.html"),
		"{{.ChoiceFields}}",
		"{{range .Search.Choices}}"+choice+"{{end}}",
	)
	return fstest.MapFS{"frame.html": {Data: []byte(frame)}, "search.html": {Data: []byte(search)}}
}

// A page with cached blocks, made for other addresses, equals a page of templates that loop through its links and
// options; blocks with another hash are made anew.
func TestBlocks(t *testing.T) {
	theme, err := NewTheme(nil)
	if err != nil {
		t.Fatal(err)
	}
	looping, err := NewTheme(loops(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range nasty {
		for _, known := range []string{"", "1", "2", "1"} {
			for _, origin := range []template.URL{"https://example.com", "", "https://example.org:8080"} {
				f := frame("Search" + known)
				for i := range f.Languages.Links {
					f.Languages.Links[i].Text += known
				}
				f.Languages.Origin = origin
				f.Languages.Path = template.URL("/events/" + text)
				if f.Alternates = f.Languages; known != "" {
					f.Languages.Known = known
					f.Alternates.Known = "other " + known
					f.Search.Choices[0].Known = "0"
					f.Search.Choices[1].Known = known + text
				}
				f.Others = f.Languages
				f.Site = text
				f.Views[0].Href = f.Alternates.Path
				f.Feeds[0].Href = f.Alternates.Path
				f.Feeds[1].Text = text
				month := &Month{Weekdays: []Weekday{{Short: "S", Full: "Sunday"}}}
				f.Search.Choices[1].Label += string(origin)
				f.Search.Choices[1].Options[0] = Option{
					Value:  text,
					Text:   text + known,
					Chosen: known == "2",
				}
				want, err := looping.Page([]byte("before"), f, month)
				if err != nil {
					t.Fatal(err)
				}
				got, err := theme.Page([]byte("before"), f, month)
				if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
					t.Errorf("%q, %s: %v (-loops, +blocks):\n%s", text, known, err, diff)
				}
			}
		}
	}
}
