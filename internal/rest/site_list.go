// Pages of lists of events: coming and past events, a day, a venue, an organizer.

package rest

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"time"

	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// servePageList answers with a list, a day, or the page of a venue or an organizer.
func servePageList(r *request) (*respond.Response, error) {
	l := list{name: "events"}
	found, err := r.findEvents(&l)
	if err != nil || l.answer != nil {
		return l.answer, err
	}
	if l.page > 1 && len(found.Events) == 0 {
		return nil, errNoRoute
	}
	l.total = found.Total
	view, from := r.listView()
	events := found.Events
	if view == "list" { // without those that ended with the day before
		events = slices.DeleteFunc(slices.Clone(events), func(e *store.Event) bool {
			return e.End <= store.WallOf(from) && e.Start < store.WallOf(from)
		})
	}
	shown := new(pages.List)
	var what any = shown
	var f pages.Frame
	var data graph
	var days []part
	err = r.store.View(func(v *store.View) error {
		place := r.place(v, &data)
		name := r.partName(fmt.Sprint("day ", place != nil, storedSlug(r.page["tribe_venue"])))
		days = r.buffers.parts[:0]
		for day, events := range pages.Days(events, from) {
			days = append(days, r.part(v, name, []int{int(events[0].ID)}, day, events,
				func(m *pages.Maker, p *pages.Part) []*store.Event {
					p.Day, p.Below = m.Day(day, events), place != nil
					return events
				}))
		}
		r.buffers.parts = days
		shown.Heading = r.heading(v, view, from)
		if has(r.page, "event_ids") {
			shown.Heading, shown.Lift = r.texts().Count("site.events", l.total), r.lift("")
		}
		r.turnList(v, &shown.Outline, &l, len(found.Events), view, from)
		said := r.said(v)
		f = r.listFrame(v, shown.Heading, view)
		f.Hidden = f.Hidden || has(r.page, "event_ids")
		if place != nil {
			f.Views, f.Image = r.views(""), pictureOf(place.Image, place.Picture)
			f.Title, f.Search, f.Description = place.Name, nil, r.language.Locale().List(append(place.Address, shown.Heading)...)
			place.List, what = shown, place
		} else {
			r.narrow(v, &shown.Outline, said, l.total, map[string]string{"past": "past/"}[view])
			var titles []string
			for _, e := range events[:min(3, len(events))] {
				if title := pages.NameOf(e); title != "" {
					titles = append(titles, title)
				}
			}
			f.Description = description(shown.Heading, r.language.Locale().List(titles...))
		}
		if len(events) == 0 {
			r.empty(v, &shown.Outline, view, from.AddDate(0, 0, 1), len(said) > 0)
			f.Hidden = f.Hidden || view == "day" && !r.isNow(from, from.AddDate(0, 0, 1))
		}
		return nil
	})
	if err == nil {
		shown.Days, err = r.pageParts(days, &data)
	}
	if err != nil {
		return nil, err
	}
	f.Data = data
	return r.pageResponse(f, what, l)
}

// listView returns which view of a list is asked for, and the day that it begins with, the
// zero time for none.
func (r *request) listView() (view string, from time.Time) {
	from = r.zone.Wall(r.now).Truncate(24 * time.Hour)
	for _, name := range []string{"day", "tribe-bar-date"} {
		if day, ok := parseDay(r.page[name]); ok {
			from = day
		}
	}
	switch view = r.page["eventDisplay"]; {
	case has(r.page, "event_ids"):
		return "list", time.Time{} // whenever they are
	case has(r.page, "tribe_series"):
		return "all", time.Time{}
	case view == "past":
		return view, time.Time{}
	case view == "day" || view == "today":
		return "day", from
	}
	return "list", from
}

// turnList links to the parts of a list beside one: its pages, and of days those with events,
// so that programs that follow links come to an end. It has n events.
func (r *request) turnList(v *store.View, shown *pages.Outline, l *list, n int, view string, day time.Time) {
	path, before, after := "", "site.earlier", "site.later"
	switch view {
	case "past":
		path, before, after = "past/", after, before
	case "day":
		path = day.Format(time.DateOnly) + "/"
		shown.Earlier = r.dayLink(r.filter.Before(v, store.WallOf(day)))
		shown.Later = r.dayLink(r.filter.From(v, store.WallOf(day.AddDate(0, 0, 1))))
	}
	link := func(key, path string, page int) *pages.Link {
		return &pages.Link{Text: r.texts().Text(key), Href: r.viewLink(r.subject(), path, page)}
	}
	switch {
	case l.page > 1:
		shown.Earlier = link(before, path, l.page-1)
	case view == "past":
		shown.Earlier = link("site.upcoming", "", 1)
	case view == "list":
		shown.Earlier = link("site.past", "past/", 1)
	}
	if l.offset()+n < l.total {
		shown.Later = link(after, path, l.page+1)
	}
}

// dayLink returns a link to the day of an event, or nil.
func (r *request) dayLink(e *store.Event) *pages.Link {
	m := r.maker(nil)
	if e == nil || !pages.HasDayPage(e.Start.Time()) {
		return nil
	}
	return &pages.Link{Text: m.Locale.Full(e.Start.Time()), Href: template.URL(m.DayPage(e.Start.Time()))}
}

// narrow says what a part of a calendar is narrowed by, if it is, and how to lift that; view
// is the path of the part.
func (r *request) narrow(v *store.View, shown *pages.Outline, said []pages.Said, total int, view string) {
	shown.Path = r.above(v)
	if len(said) > 0 {
		said = slices.DeleteFunc(said, func(s pages.Said) bool { return s.Label == "" && s.Text == shown.Heading })
		shown.Said, shown.Count, shown.Lift = said, r.texts().Count("site.events", total), r.lift(view)
	}
}

// above returns links to the categories above the shown category.
func (r *request) above(v *store.View) (links []pages.Link) {
	term, _ := v.BySlug(store.Categories, storedSlug(r.page["tribe_events_cat"])).(*store.Term)
	for term != nil && term.Parent != 0 && len(links) < 10 {
		if term = v.Term(store.Categories, term.Parent); term != nil {
			address := r.pageAt(render.CategoryPath(v, term))
			links = append([]pages.Link{{Text: term.Name, Href: template.URL(address)}}, links...)
		}
	}
	return links
}

// empty says that a part of a calendar has no events, and what to do: to look at the next, or
// at those that were, or to ask for less.
func (r *request) empty(v *store.View, shown *pages.Outline, view string, after time.Time, narrowed bool) {
	w := r.texts()
	switch {
	case narrowed:
		shown.Empty = w.Text("site.empty-search")
	case view == "list" || view == "past":
		shown.Empty = w.Text("site.empty")
	default:
		shown.Empty = w.Text("site.empty-dates")
	}
	if view != "list" && view != "past" {
		if next := r.dayLink(r.filter.From(v, store.WallOf(after))); next != nil {
			next.Text = w.Text("site.next-event", "{date}", next.Text)
			shown.Offers = append(shown.Offers, *next)
		}
	}
	if view != "past" && len(shown.Offers) == 0 {
		shown.Offers = append(shown.Offers, pages.Link{Text: w.Text("site.past"), Href: r.viewLink(r.subject(), "past/", 1)})
	}
	if view != "list" || narrowed {
		shown.Lift = nil
		shown.Offers = append(shown.Offers, *r.lift(""))
	}
	if view == "list" || view == "past" {
		shown.Earlier, shown.Later = nil, nil // these months are already offered
	}
}

// heading returns what a list is of.
func (r *request) heading(v *store.View, view string, day time.Time) string {
	w := r.texts()
	name := ""
	for _, of := range pageSubjects[:2] {
		if slug := r.page[of.name]; slug != "" {
			name = pages.NameOf(v.BySlug(of.kind, storedSlug(slug)))
		}
	}
	switch {
	case view == "day":
		return pages.Whole(r.maker(nil).Locale.Full(day))
	case r.page["tribe-bar-search"] != "":
		return w.Text("site.found", "{text}", r.page["tribe-bar-search"])
	case name != "":
		return name
	case view == "past":
		return w.Text("site.past")
	case view == "all":
		return cmp.Or(pages.NameOf(&v.Series(r.filter.Series[0]).Event), w.Text("site.list"))
	case r.isFeatured():
		return w.Text("site.featured")
	}
	return w.Text("site.upcoming")
}

// place returns the venue or the organizer that a page is of, or nil.
func (r *request) place(v *store.View, data *graph) *pages.Place {
	if r.page["tribe_venue"] == "" && r.page["tribe_organizer"] == "" {
		return nil
	}
	m := r.maker(v)
	var p pages.Place
	switch record := v.BySlug(store.Venues, storedSlug(r.page["tribe_venue"])).(type) {
	case *store.Venue:
		if !r.mayRead(&record.Post) {
			return nil // it has changed since its address was read
		}
		p = m.Venue(record)
		p.Image, p.Picture = m.Pictured(record.Image)
		data.add(m.AppendLinkedVenue(nil, record, p.Href))
		return &p
	}
	switch record := v.BySlug(store.Organizers, storedSlug(r.page["tribe_organizer"])).(type) {
	case *store.Organizer:
		if !r.mayRead(&record.Post) {
			return nil
		}
		p = m.Organizer(record)
		p.Image, p.Picture = m.Pictured(record.Image)
		data.add(m.AppendLinkedOrganizer(nil, record, p.Href))
		return &p
	}
	return nil
}

// description returns what search engines say about a page, in few words.
func description(parts ...string) string {
	about := ""
	for _, part := range parts {
		if part != "" && about != "" {
			about += " · "
		}
		about += part
	}
	if letters := []rune(about); len(letters) > 200 {
		about = string(letters[:199]) + "…"
	}
	return about
}

// A graph is the JSON-LD of a page for search engines: objects from package render, which the caller may see.
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
