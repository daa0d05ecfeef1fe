// What is in the models of pages, for shells.

package pages

import (
	"html/template"
	"slices"
	"strconv"
	"sync"
)

// A visitor goes through a model, which it may hold. It notes its shape and its texts, and puts marks in their
// place where it is to: then what it goes through is copied first.
type visitor struct {
	shown shown
	shape []byte
	texts []text
	marks bool
}

// visitors are used again: there are hundreds of texts in a page.
var visitors = sync.Pool{New: func() any { return new(visitor) }}

func (v *visitor) release() {
	v.shown = shown{}
	clear(v.texts)
	v.shape, v.texts = v.shape[:0], v.texts[:0]
	visitors.Put(v)
}

// show visits all that templates are given. The words are told by the language.
func (v *visitor) show(s *shown) {
	v.shape = append(v.shape, s.Lang...)
	f := &s.Frame
	v.strings(&f.Lang, &f.Dir, &f.Title, &f.Site, &f.About, &f.Home, &f.Description, &f.Canonical, &f.Image, &f.Type,
		&f.Origin, &f.API, &f.Record, &f.Short)
	v.flags(f.Hidden, f.Bare)
	each(v, &f.Data, func(piece *string) { v.made(piece) })
	each(v, &f.Styles, func(s *string) { v.strings(s) })
	one(v, &f.Logo, v.image)
	for _, page := range []*Versions{&f.Alternates, &f.Languages} {
		if v.fixed(page.Known); page.Known == "" {
			each(v, &page.Links, v.link)
		}
		visit(v, &page.Origin)
		visit(v, &page.Path)
	}
	for _, links := range []*[]Link{&f.Feeds, &f.Views} {
		each(v, links, func(l *Link) {
			v.fixed(l.Text, l.Lang, l.Dir, l.Rel, l.Type)
			visit(v, &l.Href)
			v.flags(l.Here)
		})
	}
	one(v, &f.Search, v.search)
	one(v, &s.List, v.list)
	one(v, &s.Month, v.month)
	one(v, &s.Event, v.event)
	one(v, &s.Place, v.place)
}

func (v *visitor) link(l *Link) {
	v.strings(&l.Text, &l.Lang, &l.Dir, &l.Rel, &l.Type)
	visit(v, &l.Href)
	v.flags(l.Here)
}

func (v *visitor) search(s *Search) {
	v.strings(&s.Action, &s.Text, &s.Date)
	v.flags(s.Featured)
	each(v, &s.Hidden, func(f *Field) { v.strings(&f.Name, &f.Value) })
	each(v, &s.Choices, func(c *Choice) {
		v.strings(&c.Name, &c.Label)
		if v.fixed(c.Known); c.Known != "" {
			return
		}
		each(v, &c.Options, func(o *Option) {
			v.strings(&o.Value, &o.Text)
			v.flags(o.Chosen)
		})
	})
}

func (v *visitor) list(l *List) {
	v.outline(&l.Outline)
	each(v, &l.Days, func(day *template.HTML) { v.made((*string)(day)) })
}

func (v *visitor) outline(o *Outline) {
	v.strings(&o.Heading, &o.Count, &o.Empty)
	each(v, &o.Path, v.link)
	each(v, &o.Said, func(s *Said) { v.strings(&s.Label, &s.Text) })
	each(v, &o.Offers, v.link)
	one(v, &o.Lift, v.link)
	one(v, &o.Earlier, v.link)
	one(v, &o.Later, v.link)
}

func (v *visitor) month(m *Month) {
	v.outline(&m.Outline)
	each(v, &m.Weekdays, func(d *Weekday) { v.strings(&d.Short, &d.Full) })
	each(v, &m.Weeks, func(week *template.HTML) { v.made((*string)(week)) })
}

func (v *visitor) entry(e *Entry) {
	v.strings(&e.Title, &e.Href, &e.When, &e.Start.Text, &e.Start.ISO, &e.Zone, &e.Note, &e.Where, &e.Cost)
	visit(v, &e.Summary)
	one(v, &e.Image, v.image)
	v.flags(e.AllDay, e.Long, e.Goes, e.Featured, e.Locked)
}

func (v *visitor) image(i *Image) {
	v.strings(&i.Source, &i.Alt)
	v.shape = strconv.AppendInt(append(strconv.AppendInt(v.shape, int64(i.Width), 10), ' '), int64(i.Height), 10)
}

func (v *visitor) event(e *Event) {
	v.entry(&e.Entry)
	v.strings(&e.Over, &e.Date, &e.End.Text, &e.End.ISO, &e.Here, &e.Series)
	visit(v, &e.Description)
	one(v, &e.Again, v.link)
	for _, links := range []*[]Link{&e.Categories, &e.Tags, &e.Add} {
		each(v, links, v.link)
	}
	one(v, &e.Website, v.link)
	one(v, &e.Picture, v.link)
	for _, places := range []*[]Place{&e.Venues, &e.Organizers} {
		each(v, places, v.place)
	}
	each(v, &e.Next, v.entry)
	each(v, &e.Related, v.entry)
	one(v, &e.Form, func(u *Unlock) {
		v.strings(&u.Action)
		v.flags(u.Wrong)
	})
}

func (v *visitor) place(p *Place) {
	v.strings(&p.Name, &p.Href, &p.Phone, &p.Email, &p.Map)
	visit(v, &p.Description)
	each(v, &p.Address, func(line *string) { v.strings(line) })
	one(v, &p.Website, v.link)
	one(v, &p.Image, v.image)
	one(v, &p.Picture, v.link)
	one(v, &p.List, v.list)
}

func (v *visitor) strings(all ...*string) {
	for _, s := range all {
		visit(v, s)
	}
}

// fixed notes texts that are the same on all pages of a shape, and so stand in its shell.
func (v *visitor) fixed(all ...string) {
	for _, s := range all {
		v.shape = append(append(v.shape, s...), 0)
	}
}

func (v *visitor) flags(all ...bool) {
	for _, flag := range all {
		c := byte('-')
		if flag {
			c = '+'
		}
		v.shape = append(v.shape, c)
	}
}

// visit visits a text.
func visit[T ~string](v *visitor, s *T) {
	if *s == "" {
		v.shape = append(v.shape, '.')
		return
	}
	v.shape = append(v.shape, '"')
	_, address := any(s).(*template.URL)
	v.texts = append(v.texts, text{string: string(*s), address: address})
	if v.marks {
		*s = T(markStart + strconv.Itoa(len(v.texts)-1) + markEnd)
	}
}

// made visits a text without what DropUnshown takes out.
func (v *visitor) made(s *string) {
	if visit(v, s); *s != "" {
		v.texts[len(v.texts)-1].made = true
	}
}

// each visits what there is several of.
func each[T any](v *visitor, all *[]T, f func(*T)) {
	if v.marks {
		*all = slices.Clone(*all)
	}
	v.shape = strconv.AppendInt(append(v.shape, ' '), int64(len(*all)), 10)
	for i := range *all {
		f(&(*all)[i])
	}
}

// one visits what there may be one of.
func one[T any](v *visitor, p **T, f func(*T)) {
	if v.flags(*p == nil); *p == nil {
		return
	}
	if v.marks {
		*p = new(**p)
	}
	f(*p)
}
