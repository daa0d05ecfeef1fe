// Pages of lists of events: what comes, what was, a day, and what is at a venue or by an
// organizer.

package rest

import (
	"html/template"
	"strconv"
	"time"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/pages"
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
	shown := &pages.List{Empty: r.texts().Text("site.empty")}
	r.turnList(shown, &l, len(found.Events), view)
	var what any = shown
	var f pages.Frame
	var days []part
	err = r.store.View(func(v *store.View) error {
		place := r.place(v)
		for day, events := range pages.Days(found.Events, from) {
			days = append(days, r.part(v, "day "+strconv.FormatBool(place != nil), day, events, func(m *pages.Maker, p *pages.Part) {
				p.Day, p.Below = m.Day(day, events), place != nil
			}))
		}
		shown.Heading = r.heading(v, view, from)
		if view == "day" {
			r.turnDay(v, shown, from)
		}
		f = r.listFrame(v, shown.Heading, view)
		if place != nil {
			f.Title, f.Search = place.Name, nil
			place.List, what = shown, place
		} else if f.Hidden || r.subject() != "/events/" {
			shown.Said = r.texts().Count("site.events", l.total)
			shown.Lift = &pages.Link{Text: r.texts().Text("site.show-all"), Href: template.URL(r.site.Origin + r.base.Prefix + "/events/")}
		}
		return nil
	})
	if err == nil {
		var made []template.HTML
		made, err = r.pageParts(days)
		shown.Days = joined(made)
	}
	if err != nil {
		return nil, err
	}
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
	switch view = r.page["eventDisplay"]; view {
	case "past":
		return view, time.Time{}
	case "day", "today":
		return "day", from
	}
	return "list", from
}

// turnList links to the pages of a list beside one, which has n events.
func (r *request) turnList(shown *pages.List, l *list, n int, view string) {
	link := func(key string, address template.URL) *pages.Link {
		return &pages.Link{Text: r.texts().Text(key), Href: address}
	}
	if view == "day" {
		return // see turnDay
	}
	before, after := "site.earlier", "site.later"
	if view == "past" {
		before, after = after, before
	}
	switch {
	case l.page > 1:
		shown.Earlier = link(before, r.pageLink(l.page-1))
	case view == "list" && r.subject() == "/events/":
		shown.Earlier = link("site.past", template.URL(r.site.Origin+r.base.Prefix+"/events/past/"))
	}
	if l.offset()+n < l.total {
		shown.Later = link(after, r.pageLink(l.page+1))
	}
}

// turnDay links to the days with events before and behind one: programs that follow links
// come to an end.
func (r *request) turnDay(v *store.View, shown *pages.List, day time.Time) {
	m := r.maker(v)
	link := func(e *store.Event) *pages.Link {
		if e == nil || m.DayPage(e.Start.Time()) == "" {
			return nil
		}
		return &pages.Link{Text: m.Locale.Full(e.Start.Time()), Href: template.URL(m.DayPage(e.Start.Time()))}
	}
	f := filters.AllEvents()
	f.Viewer, f.Statuses = access.ViewerOf(r.caller), []store.Status{store.Publish}
	shown.Earlier, shown.Later = link(eventBefore(v, f, day)), link(eventFrom(v, f, day.AddDate(0, 0, 1)))
}

// heading returns what a list is of.
func (r *request) heading(v *store.View, view string, day time.Time) string {
	w := r.texts()
	for _, of := range pageSubjects {
		if slug := r.page[of.name]; slug != "" {
			if term, ok := v.BySlug(of.kind, storedSlug(slug)).(*store.Term); ok {
				return term.Name
			}
		}
	}
	switch {
	case r.page["tribe-bar-search"] != "":
		return w.Text("site.found", "{text}", r.page["tribe-bar-search"])
	case view == "past":
		return w.Text("site.past")
	case view == "day":
		return r.maker(nil).Locale.Full(day)
	case r.page["featured"] != "":
		return w.Text("site.featured")
	}
	return w.Text("site.upcoming")
}

// place returns the venue or the organizer that a page is of, or nil.
func (r *request) place(v *store.View) *pages.Place {
	m := r.maker(v)
	var p pages.Place
	switch record := v.BySlug(store.Venues, storedSlug(r.page["tribe_venue"])).(type) {
	case *store.Venue:
		p = m.Venue(record)
		return &p
	}
	switch record := v.BySlug(store.Organizers, storedSlug(r.page["tribe_organizer"])).(type) {
	case *store.Organizer:
		p = m.Organizer(record)
		return &p
	}
	return nil
}
