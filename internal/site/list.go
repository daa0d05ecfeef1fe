// Pages of lists of events: coming and past events, a day, a venue, an organizer.

package site

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/render"
	"almanac/store"
)

// servePageList answers with a list, a day, or the page of a venue or an organizer.
func servePageList(p *page) (*respond.Response, error) {
	l := api.List{Call: p.Call, Name: "events"}
	view, from := p.listView()
	if !from.IsZero() {
		l.Day = new(store.WallOf(from))
	}
	l.Gone = view == "past"
	l.IsNow = (l.Gone || view == "list") && p.Day == "" && p.From == "" && p.IDs == nil
	if l.IsNow && !l.Gone {
		l.Upcoming = l.Day
	}
	return l.Events(func(events []*store.Event) (*respond.Response, error) {
		p.filter = l.Filter
		if l.Page > 1 && len(events) == 0 {
			return nil, api.ErrNoRoute
		}
		return p.showList(&l, events, view, from)
	})
}

// listView returns which view of a list is asked for, and the day that it begins with, the
// zero time for none.
func (p *page) listView() (view string, from time.Time) {
	from = p.wall().Truncate(24 * time.Hour)
	for _, text := range []string{p.Day, p.From} {
		if day, ok := parseDay(text); ok {
			from = day
		}
	}
	switch view = p.display(); {
	case p.IDs != nil:
		return "list", time.Time{} // whenever they are
	case p.Series != "":
		return "all", time.Time{}
	case view == "past":
		return view, from
	case view == "day" || view == "today":
		return "day", from
	case dayWords[view] != "":
		from, _ = p.dayRange(view)
		return view, from
	}
	return "list", from
}

// dayRange returns the first of the days that a view names, and the day after the last.
func (p *page) dayRange(view string) (first, after time.Time) {
	return p.Language.Locale().Week().Range(dayWords[view], caltime.StartOfDay(p.wall()))
}

// showList makes the page of a list of events.
func (p *page) showList(
	l *api.List,
	found []*store.Event,
	view string,
	from time.Time,
) (*respond.Response, error) {
	events := slices.Clone(found)
	list := new(pages.List)
	var what any = list
	var f pages.Frame
	var data graph
	var now, days []part
	err := p.Store.View(func(v *store.View) error {
		place := p.place(v, &data)
		below := place != nil || p.isFront()
		now = nil
		var ongoing []*store.Event
		if l.Page == 1 && len(l.Ongoing) > 0 {
			ongoing = l.Ongoing
			now = []part{p.onNow(v, ongoing, below)}
			m := p.maker(v)
			for _, e := range slices.Backward(ongoing) {
				if start, _, _ := m.Times(e); start == *l.Upcoming {
					events = slices.Insert(events, 0, e) // it begins today
				}
			}
		}
		var first, last time.Time
		days, first, last = p.days(v, l, events, ongoing, view, from, below)
		list.Heading = p.heading(v, view, from)
		if p.IDs != nil {
			list.Heading = p.texts().Count("site.events", l.Total)
			list.Lift = p.lift(address{})
		}
		p.turnList(v, &list.Outline, l, len(found)+len(l.Ongoing), view, from)
		criteria := p.criteria(v)
		f = p.listFrame(v, list.Heading, view)
		if dayWords[view] != "" && p.archive() != (address{}) {
			f.Title = p.heading(v, "list", from) + " · " + f.Title
		}
		f.Hidden = f.Hidden || p.IDs != nil
		if l.Page > 1 {
			f.Title += " · " + p.Language.Locale().MediumInterval(first, last, true)
		}
		if place != nil {
			f.Views = p.views("")
			share(&f, place.Image, place.Picture)
			f.Title = place.Name
			f.Search = nil
			f.Description = p.Language.Locale().List(append(place.Address, list.Heading)...)
			place.List, what = list, place
		} else {
			to := address{}
			if view == "past" || dayWords[view] != "" {
				to.View = view
			}
			p.narrow(v, &list.Outline, criteria, l.Total, to)
			var titles []string
			for _, e := range slices.Concat(ongoing, events)[:min(3, len(ongoing)+len(events))] {
				if title := pages.NameOf(e); title != "" {
					titles = append(titles, title)
				}
			}
			f.Description = description(list.Heading, p.Language.Locale().List(titles...))
		}
		if len(events)+len(ongoing) == 0 {
			after := from.AddDate(0, 0, 1)
			if dayWords[view] != "" {
				_, after = p.dayRange(view)
			}
			p.empty(v, &list.Outline, view, after, len(criteria) > 0)
		}
		f.Hidden = f.Hidden || view == "day" && !p.isListed(v, events, from, from.AddDate(0, 0, 1))
		return nil
	})
	if err == nil {
		list.Now, err = p.pageParts(now, &data)
	}
	if err == nil {
		list.Days, err = p.pageParts(days, &data)
	}
	if err != nil {
		return nil, err
	}
	f.Data = data
	return p.pageResponse(f, what, l.Tag)
}

// place returns the venue or the organizer that a page is of, or nil.
func (p *page) place(v *store.View, data *graph) *pages.Place {
	if p.Venue == "" && p.Organizer == "" {
		return nil
	}
	var place pages.Place
	m := p.maker(v)
	record := v.BySlug(store.Venues, api.StoredSlug(p.Venue))
	if record == nil {
		record = v.BySlug(store.Organizers, api.StoredSlug(p.Organizer))
	}
	if record == nil || !p.MayRead(store.PostOf(record)) {
		return nil // it has changed since its address was read
	}
	switch record := record.(type) {
	case *store.Venue:
		place = m.Venue(record)
		data.add(m.AppendLinkedVenue(nil, record, place.Href))
	case *store.Organizer:
		place = m.Organizer(record)
		data.add(m.AppendLinkedOrganizer(nil, record, place.Href))
	}
	place.Image, place.Picture = m.Pictured(store.PostOf(record).Image)
	return &place
}

// heading returns what a list is of.
func (p *page) heading(v *store.View, view string, day time.Time) string {
	w := p.texts()
	name := ""
	for _, of := range pageSubjects[:2] {
		if slug := *of.slug(&p.address); slug != "" {
			name = pages.NameOf(v.BySlug(of.kind, api.StoredSlug(slug)))
		}
	}
	switch {
	case dayWords[view] != "":
		first, after := p.dayRange(view)
		dates := p.Language.Locale().LongInterval(first, after.AddDate(0, 0, -1))
		return w.Text("site.dates", "{when}", w.Text("site."+view), "{dates}", pages.Whole(dates))
	case view == "day":
		return pages.Whole(p.maker(nil).Locale.Full(day))
	case p.Search != "":
		return w.Text("site.found", "{text}", p.Search)
	case name != "":
		return name
	case view == "past":
		return w.Text("site.past")
	case view == "all":
		return cmp.Or(pages.NameOf(&v.Series(p.filter.Series[0]).Event), w.Text("site.list"))
	case p.isFeatured():
		return w.Text("site.featured")
	case p.Free:
		return w.Text("site.free")
	}
	return w.Text("site.upcoming")
}

// turnList links to the parts of a list beside one: its pages, and of days those with events,
// so that programs that follow links come to an end. It has n events.
func (p *page) turnList(
	v *store.View,
	outline *pages.Outline,
	l *api.List,
	n int,
	view string,
	day time.Time,
) {
	to := p.subject()
	before := "site.earlier"
	after := "site.later"
	switch {
	case dayWords[view] != "":
		to.View = view
	case view == "past":
		to.View, before, after = view, after, before
	case view == "day":
		to = to.at(view, day)
		outline.Earlier = p.dayLink(p.filter.Before(v, store.WallOf(day)))
		outline.Later = p.dayLink(p.filter.From(v, store.WallOf(day.AddDate(0, 0, 1))))
	}
	link := func(key string, to address, page int) *pages.Link {
		to.Page = numberOf(strconv.Itoa(page))
		return &pages.Link{Text: p.text(key), Href: p.link(to)}
	}
	switch {
	case l.Page > 1:
		outline.Earlier = link(before, to, l.Page-1)
	case view == "past":
		outline.Earlier = link("site.upcoming", p.subject(), 1)
	case view == "list":
		outline.Earlier = link("site.past", p.past(), 1)
	}
	if l.Offset()+n < l.Total {
		outline.Later = link(after, to, l.Page+1)
	}
}

// dayLink returns a link to the day of an event, or nil.
func (p *page) dayLink(e *store.Event) *pages.Link {
	if e == nil {
		return nil
	}
	m := p.maker(nil)
	start, _, _ := m.Times(e)
	day := start.Time()
	if !pages.HasDayPage(day) {
		return nil
	}
	return &pages.Link{Text: m.Locale.Full(day), Href: template.URL(m.DayPage(day))}
}

// past returns the address of the past events of the same list.
func (p *page) past() address {
	to := p.subject()
	to.View = "past"
	return to
}

// narrow names the filters of a part of a calendar, if it has any, and links to the same view
// without them.
func (p *page) narrow(
	v *store.View,
	outline *pages.Outline,
	criteria []pages.Said,
	total int,
	view address,
) {
	outline.Path = p.above(v)
	if len(criteria) > 0 {
		criteria = slices.DeleteFunc(
			criteria,
			func(s pages.Said) bool {
				return s.Label == "" && s.Text == outline.Heading
			},
		)
		outline.Said = criteria
		outline.Count = p.texts().Count("site.events", total)
		outline.Lift = p.lift(view)
	}
}

// above returns links to the categories above the shown category.
func (p *page) above(v *store.View) (links []pages.Link) {
	term, ok := v.BySlug(store.Categories, api.StoredSlug(p.Category)).(*store.Term)
	if !ok {
		return nil
	}
	for up := range store.Above(term, v.Get) {
		address := p.PageAt(render.CategoryPath(v, up))
		links = append([]pages.Link{{Text: up.Name, Href: template.URL(address)}}, links...)
	}
	return links
}

// description returns what search engines say about a page, in few words.
func description(parts ...string) string {
	return markup.Cut(strings.Join(
		slices.DeleteFunc(parts, func(part string) bool {
			return part == ""
		}),
		" · ",
	), 200)
}

// empty says that a part of a calendar has no events, and what to do: to look at the next, or
// at those that were, or to ask for less.
func (p *page) empty(
	v *store.View,
	outline *pages.Outline,
	view string,
	after time.Time,
	narrowed bool,
) {
	w := p.texts()
	switch {
	case narrowed:
		outline.Empty = w.Text("site.empty-search")
	case view == "list" && !p.hasEvents(v):
		outline.Empty = w.Text("site.first-event")
		outline.Offers = []pages.Link{{
			Text: w.Text("site.documentation"),
			Href: template.URL(p.PageAt("/docs")),
		}}
		if p.Sessions != nil {
			first := template.URL(p.Site.Origin + api.DeskPath + "events/new")
			outline.Offers = append(outline.Offers, pages.Link{Text: w.Text("desk.add"), Href: first})
		}
		return
	case view == "list" || view == "past":
		outline.Empty = w.Text("site.empty")
	default:
		outline.Empty = w.Text("site.empty-dates")
	}
	if view != "list" && view != "past" {
		if next := p.dayLink(p.filter.From(v, store.WallOf(after))); next != nil {
			next.Text = w.Text("site.next-event", "{date}", next.Text)
			outline.Offers = append(outline.Offers, *next)
		}
	}
	if view != "past" && len(outline.Offers) == 0 {
		outline.Offers = append(outline.Offers, pages.Link{
			Text: w.Text("site.past"),
			Href: p.link(p.past()),
		})
	}
	if view != "list" || narrowed {
		outline.Lift = nil
		outline.Offers = append(outline.Offers, *p.lift(address{}))
	}
	if view == "list" || view == "past" {
		outline.Earlier = nil
		outline.Later = nil // these months are already offered
	}
}

// hasEvents reports whether everybody sees an event, whenever it is.
func (p *page) hasEvents(v *store.View) bool {
	f := filters.AllEvents()
	f.Statuses = []store.Status{store.Publish}
	return f.Find(v, 0, 1).Total > 0
}
