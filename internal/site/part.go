// Parts of pages: the days of a list, the weeks of a month, what is on now.

package site

import (
	"bytes"
	"html/template"

	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// A part is a part of a page: its model is made in a state of the store, and its HTML when the
// lock has been released.
type part struct {
	pages.Part
	data string // of its events, for search engines
}

// newPart returns a part of the page. The model returns the events for search engines.
func (p *page) newPart(
	v *store.View,
	model func(*pages.Maker, *pages.Part) []*store.Event,
) part {
	var made part
	m := p.maker(v)
	var data []byte
	for _, e := range model(m, &made.Part) {
		before := len(data)
		data = m.AppendLinkedItem(append(data, ','), e, m.Page(e))
		if len(data) == before+1 {
			data = data[:before] // nothing is told of it
		}
	}
	made.data = string(markup.DropUnshown(bytes.TrimPrefix(data, []byte(","))))
	made.Words = p.texts()
	return made
}

// pageParts returns the HTML of parts, in their order, and adds their data for search engines.
func (p *page) pageParts(parts []part, data *graph) ([]template.HTML, error) {
	theme, err := p.Pages.Theme()
	if err != nil {
		return nil, err
	}
	made := make([]template.HTML, len(parts))
	for i := range parts {
		made[i], err = theme.Part(&parts[i].Part)
		if err != nil {
			return nil, err
		}
		data.join(parts[i].data)
	}
	return made, nil
}

// A graph is the JSON-LD of a page for search engines: an array of objects from package render,
// which the caller may see, also where there is one.
type graph []string

// add adds an object, without what pages do not show.
func (g *graph) add(object []byte) {
	g.join(string(markup.DropUnshown(object)))
}

// join adds objects that were added to others.
func (g *graph) join(objects string) {
	switch {
	case objects == "":
	case *g == nil:
		*g = graph{"[", objects, "]"}
	default:
		*g = append((*g)[:len(*g)-1], ",", objects, "]")
	}
}
