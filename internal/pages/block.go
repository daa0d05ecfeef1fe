// Blocks of HTML that stand in many pages, and are made once.

package pages

import (
	"bytes"
	"html/template"
	"strings"

	"almanac/internal/markup"
)

// blocksBytes is the budget of the blocks of a theme.
const blocksBytes = 16 << 20

// Places in the block of a page's languages, which no address of a language has.
const (
	originPlace = "~origin~"
	pathPlace   = "~path~"
)

// address shows an address as templates do in an attribute.
var address = template.Must(template.New("").Parse(`<a href="{{.}}">`))

// block returns what a template makes of a model. It is made once for each hash by which the model is known; "" is
// no hash.
func (t *Theme) block(name, known string, model func() any) (template.HTML, error) {
	html, ok := t.blocks.Lookup(name + known)
	if ok && known != "" {
		return html, nil
	}
	var b bytes.Buffer
	if err := t.templates.ExecuteTemplate(&b, name, model()); err != nil {
		return "", err
	}
	html = template.HTML(markup.DropUnshown(b.Bytes()))
	if known != "" {
		t.blocks.Put(name+known, html, int64(len(html)))
	}
	return html, nil
}

// versions returns what a template makes of the links of v.
func (t *Theme) versions(name string, v Versions) (template.HTML, error) {
	block, err := t.block(name, v.Known, func() any { return Versions{Links: v.Links, Origin: originPlace, Path: pathPlace}.all() })
	if err != nil || block == "" {
		return block, err
	}
	return template.HTML(strings.NewReplacer(originPlace, shownAddress(v.Origin), pathPlace, shownAddress(v.Path)).Replace(string(block))), nil
}

// shownAddress returns an address as it stands in an attribute.
func shownAddress(a template.URL) string {
	var b strings.Builder
	_ = address.Execute(&b, a) // a strings.Builder does not fail
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `<a href="`), `">`)
}
