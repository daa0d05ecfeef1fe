// Parts of pages that stand in many of them, and are made once.

package rest

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
func (r *request) partName(what string) string {
	return r.language.Tag + " " + what + " " + r.zone.Wall(r.now).Format(time.DateOnly) + " " + string(r.viewLink(r.archive(), "", 1))
}

// part returns the part of a page that shows some events. It is cached for the caller, by its name, numbers
// that differ where other events are meant, and the day. The events, and the linked records, are compared when
// something has been written. The model returns the events for search engines.
func (r *request) part(v *store.View, name string, numbers []int, day time.Time, events []*store.Event,
	model func(*pages.Maker, *pages.Part) []*store.Event) part {
	b := append(r.buffers.key[:0], name...)
	for _, n := range numbers {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	b = strconv.AppendInt(append(b, ' '), day.Unix(), 10)
	r.buffers.key = b
	key, version := respcache.AnswerKey(r.site.Number, "part", b, r.caller), respcache.Version{State: v.State()}
	if e := r.cache.Get(key); e != nil && r.plain() && slices.Equal(e.Events, events) {
		if !e.Fresh(version) && e.Links.Current(v) {
			e.Validate(version)
		}
		if e.Fresh(version) {
			return part{Entry: e}
		}
	}
	p := part{key: key, version: version}
	noted := &render.Noted{From: v}
	m := r.maker(noted)
	var data []byte
	for _, e := range model(m, &p.Part) {
		before := len(data)
		if data = m.AppendLinkedItem(append(data, ','), e, m.Page(e)); len(data) == before+1 {
			data = data[:before] // nothing is told of it
		}
	}
	data = markup.DropUnshown(bytes.TrimPrefix(data, []byte(",")))
	p.Words = r.texts()
	p.Entry = &respcache.Entry{Links: noted.Links.Clone(), Events: slices.Clone(events), Data: string(data)}
	return p
}

// pageParts returns the HTML of parts, in their order, and adds their data for search engines.
func (r *request) pageParts(parts []part, data *graph) ([]template.HTML, error) {
	theme, err := r.theme()
	if err != nil {
		return nil, err
	}
	made := make([]template.HTML, len(parts))
	for i := range parts {
		p := &parts[i]
		if p.HTML == "" {
			html, err := theme.Part(&p.Part)
			if err != nil {
				return nil, err
			}
			if p.HTML = string(html); r.plain() {
				r.cache.Put(p.key, p.Entry, p.version)
			}
		}
		data.join(p.Data)
		made[i] = template.HTML(p.HTML)
	}
	return made, nil
}
