// Blocks of HTML that stand in many pages, and are made once.

package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"almanac/internal/markup"
)

// blocksBytes is the budget of the blocks of a theme.
const blocksBytes = 16 << 20

// A blockKey is a template, and a hash by which its model is known.
type blockKey struct{ name, known string }

// pathPlace is a place in the block of a page's languages, which no address of a language has.
const pathPlace = "~path~"

// address shows an address as templates do in an attribute.
var address = template.Must(template.New("").Parse(`<a href="{{.}}">`))

// block returns what a template makes of a model. It is made once for each hash by which the model
// is known; "" is no hash.
func (t *Theme) block(name, known string, model func() any) (template.HTML, error) {
	html, ok := t.blocks.Lookup(blockKey{name, known})
	if ok && known != "" {
		return html, nil
	}
	var b bytes.Buffer
	if err := t.templates.ExecuteTemplate(&b, name, model()); err != nil {
		return "", err
	}
	html = template.HTML(markup.DropUnshown(b.Bytes()))
	if known != "" {
		t.blocks.Put(blockKey{name, known}, html, int64(len(known)+len(html)))
	}
	return html, nil
}

// Block returns what a template makes that shows nothing of the page but its language and what
// known has.
func (s *shown) Block(name string) (template.HTML, error) {
	return s.theme.block(name, s.known, func() any { return s })
}

// known returns what is above a page, and its feeds; "" where it is not known, or comes once.
// Templates of a site may show all of a page.
func (t *Theme) known(f *Frame) string {
	form := cmp.Or(f.Search, &Search{})
	if t.Name != "" || form.Text != "" || form.Date != "" {
		return ""
	}
	known := append(
		make([]string, 0, 128),
		f.Lang,
		f.Site,
		f.About,
		f.Home,
		fmt.Sprintf(
			"%+v %t %t %q %q %t %t",
			f.Logo,
			f.Front,
			f.Search != nil,
			form.Action,
			form.Hidden,
			form.Featured,
			form.Once,
		),
	)
	for _, links := range [...][]Link{f.Views, f.Soon, f.Feeds} {
		for _, l := range links {
			known = append(known, l.Text, string(l.Href), l.Type, strconv.FormatBool(l.Here))
		}
	}
	for _, c := range form.Choices {
		if c.Known == "" {
			return ""
		}
		known = append(known, c.Known, c.Label)
	}
	return strings.Join(known, "\x00")
}

// versions returns what a template makes of the links of v.
func (t *Theme) versions(name string, v Versions) (template.HTML, error) {
	known := v.Known
	path := v.Path
	if v.Path = pathPlace; known != "" {
		known += string(v.Origin)
	}
	block, err := t.block(name, known, func() any { return v.all() })
	return template.HTML(strings.ReplaceAll(string(block), pathPlace, shownAddress(path))), err
}

// shownAddress returns an address as it stands in an attribute.
func shownAddress(a template.URL) string {
	var b strings.Builder
	_ = address.Execute(&b, a) // a strings.Builder does not fail
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `<a href="`), `">`)
}
