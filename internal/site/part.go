// Parts of pages that stand in many of them, and are made once.

package site

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"time"

	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/store"
)

// A part is a part of a page: it is found, or its model is made, in a state of the store,
// and its HTML is made when the lock has been released.
type part struct {
	pages.Part
	*respcache.Entry
	key     respcache.Key
	version respcache.Version // in which it is to be remembered
}

// partName names parts of the page, for everything that shows the same list on the same day.
func (p *page) partName(what string) string {
	return p.Language.Tag + " " + what + " " + p.Zone.Wall(p.Now).
		Format(time.DateOnly) +
		" " + string(
		p.link(p.archive()),
	)
}

// part returns the part of a page that shows some events. It is cached for the caller, by its
// name, numbers that differ where other events are meant, and the day. The events, and the linked
// records, are compared when something has been written. The model returns the events for search
// engines.
func (p *page) part(
	v *store.View,
	name string,
	numbers []int,
	day time.Time,
	events []*store.Event,
	model func(*pages.Maker, *pages.Part) []*store.Event,
) part {
	b := []byte(name)
	for _, n := range numbers {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	b = strconv.AppendInt(append(b, ' '), day.Unix(), 10)
	key := respcache.AnswerKey(p.Site.Number, "part", b, p.Caller)
	version := respcache.Version{State: v.State()}
	if e := p.Cache.Get(key); e != nil && p.IsPlain() && slices.Equal(e.Events, events) {
		if !e.Fresh(version) && e.Links.Current(v) {
			e.Validate(version)
		}
		if e.Fresh(version) {
			return part{Entry: e}
		}
	}
	made := part{key: key, version: version}
	noted := &render.Noted{From: v}
	m := p.maker(noted)
	var data []byte
	for _, e := range model(m, &made.Part) {
		before := len(data)
		if data = m.AppendLinkedItem(append(data, ','), e, m.Page(e)); len(data) == before+1 {
			data = data[:before] // nothing is told of it
		}
	}
	data = markup.DropUnshown(bytes.TrimPrefix(data, []byte(",")))
	made.Words = p.texts()
	made.Entry = &respcache.Entry{
		Links:  noted.Links.Clone(),
		Events: slices.Clone(events),
		Data:   string(data),
	}
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
		one := &parts[i]
		if one.HTML == "" {
			html, err := theme.Part(&one.Part)
			if err != nil {
				return nil, err
			}
			if one.HTML = string(html); p.IsPlain() {
				p.Cache.Put(one.key, one.Entry, one.version)
			}
		}
		data.join(one.Data)
		made[i] = template.HTML(one.HTML)
	}
	return made, nil
}

// A graph is the JSON-LD of a page for search engines: objects from package render, which the
// caller may see.
type graph []string

// add adds an object, without what pages do not show.
func (g *graph) add(object []byte) { g.join(string(markup.DropUnshown(object))) }

// join adds objects that were added to others.
func (g *graph) join(objects string) {
	switch {
	case objects == "":
	case *g == nil:
		*g = graph{`{"@context":"https://schema.org","@graph":[`, objects, "]}"}
	default:
		*g = append((*g)[:len(*g)-1], ",", objects, "]}")
	}
}
