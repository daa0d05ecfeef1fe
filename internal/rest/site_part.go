// Parts of pages that stand in many of them, and are made once.

package rest

import (
	"bytes"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/pages"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/store"
)

// A part is a part of a page: it is found, or its model is made, in a state of the store,
// and its HTML is made when the lock has been released.
type part struct {
	pages.Part
	html    template.HTML // once it is made
	data    string        // what search engines are told of its events
	key     respcache.Key
	entry   *respcache.Entry // to be remembered
	version respcache.Version
}

// part returns the part of a page that shows some events. It is remembered for who asks, by
// what it is, the day that is today, and the events: those and what it shows of others are
// compared when something has been written. The model returns the events of which search
// engines are told.
func (r *request) part(v *store.View, what string, day time.Time, events []*store.Event,
	model func(*pages.Maker, *pages.Part) []*store.Event) part {
	b := append(make([]byte, 0, 128), r.language.Tag...)
	b = append(append(b, ' '), what...)
	for _, t := range []time.Time{day, r.zone.Wall(r.now)} {
		b = t.AppendFormat(append(b, ' '), time.DateOnly)
	}
	for _, e := range events {
		b = strconv.AppendInt(append(b, ' '), e.ID, 36)
	}
	p := part{key: respcache.AnswerKey(r.site.Number, "part", string(b), r.caller), version: respcache.Version{State: v.State()}}
	if e := r.cache.Get(p.key); e != nil && r.plain() && slices.Equal(e.Events, events) {
		if e.Fresh(p.version) {
			p.read(e.Text)
		} else if e.Links.Current(v) {
			e.Validate(p.version)
			p.read(e.Text)
		}
	}
	if p.html == "" {
		noted := &render.Noted{From: v}
		m := r.maker(noted)
		var data graph
		for _, e := range model(m, &p.Part) {
			data.add(m.AppendLinkedItem(nil, e, m.Page(e)))
		}
		p.Words, p.data = r.texts(), strings.Join(data.objects, ",")
		p.entry = &respcache.Entry{Links: noted.Links.Clone(), Events: slices.Clone(events)}
	}
	return p
}

// read takes what is remembered of a part: its HTML, and behind a NUL its data.
func (p *part) read(text []byte) {
	end := bytes.LastIndexByte(text, 0)
	p.html, p.data = template.HTML(text[:end]), string(text[end+1:])
}

// pageParts returns the HTML of parts, in their order, and adds to what search engines are told.
func (r *request) pageParts(parts []part, data *graph) ([]template.HTML, error) {
	made := make([]template.HTML, len(parts))
	for i := range parts {
		p := &parts[i]
		data.add([]byte(p.data))
		if p.entry == nil {
			made[i] = p.html
			continue
		}
		html, err := r.theme.Part(&p.Part)
		if err != nil {
			return nil, err
		}
		if p.entry.Piece = (&respond.Piece{Text: append([]byte(html+"\x00"), p.data...)}); r.plain() {
			r.cache.Put(p.key, p.entry, p.version)
		}
		made[i] = html
	}
	return made, nil
}

// joined returns several parts one behind the other.
func joined(parts []template.HTML) template.HTML {
	b := make([]byte, 0, 1<<14)
	for _, html := range parts {
		b = append(b, html...)
	}
	return template.HTML(b)
}
