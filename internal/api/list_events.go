// The list of events: from parameters to a filter (section 4.2 of the
// specification).

package api

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/caltime"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// listEvents answers GET /events.
func listEvents(r *Call) (*respond.Response, error) {
	l := List{Name: "events"}
	found, err := r.FindEvents(&l)
	for err == nil && l.Answer == nil && len(r.unlocker.pending) > 0 { // password hashes that a search met
		if err = r.try(r.unlocker.pending); err == nil {
			found, err = r.FindEvents(&l)
		}
	}
	if err == nil && l.Answer == nil {
		err = r.open(found.Events)
	}
	if err != nil || l.Answer != nil {
		return l.Answer, err
	}
	if l.Page > 1 && len(found.Events) == 0 {
		return nil, errEventsPage
	}
	l.Total, l.plan = found.Total, found.Plan
	return r.answerList(&l)
}

// findEvents finds the events of a list.
func (r *Call) FindEvents(l *List) (found *filters.Found, err error) {
	err = r.InView(func(v *store.View, values params.Values) error {
		f, query, err := r.EventFilter(v, values)
		if err != nil {
			return err
		}
		f.Day, l.Filter = l.Day, f
		l.Paging = r.paging(values)
		if l.query = query; len(query) > 0 {
			query[0].value = itoa(l.PerPage)
		}
		l.Tag = r.EventsTag(v, f)
		if r.Revalidate(l, v) {
			return nil
		}
		r.explained(l, func() { found = f.Find(v, l.Offset(), l.PerPage) })
		if found.Finished() {
			l.items = r.eventItems(v, found.Events)
		}
		return nil
	})
	if err == nil && l.Answer == nil && !found.Finished() {
		err = r.finish(l, found)
	}
	return found, err
}

// eventsTag names the state of a list of events.
func (r *Call) EventsTag(v *store.View, f *filters.Events) string {
	moments := []int64{int64(f.Start.Min), int64(f.Start.Max), int64(f.End.Min), int64(f.End.Max),
		f.ModifiedAfter.UnixNano(), f.ModifiedBefore.UnixNano()}
	if r.Op.is(page) { // a page says which day is today
		moments = append(moments, int64(store.WallOf(caltime.StartOfDay(r.Zone.Wall(r.Now)))))
	}
	return r.StateTag(v, moments...)
}

// finish finds the rest of a list that takes long, while nobody waits, and for as
// long as the client does. Few searches read texts at the same time. The records
// are shown as they are after that, so that the tag of the state before does not
// count.
func (r *Call) finish(l *List, found *filters.Found) error {
	ctx := r.HTTP.Context()
	var failed, busy error
	rest := func() {
		r.explained(l, func() { failed = found.Finish(ctx, most(r.bounds.Search)) })
	}
	if found.Reads() {
		busy = r.searches.Do(ctx, r.rateKey(), rest)
	} else {
		rest()
	}
	if err := cmp.Or(busy, failed); err != nil {
		return err
	}
	l.Tag = ""
	return r.Store.View(func(v *store.View) error {
		l.items = r.eventItems(v, found.Events)
		return nil
	})
}

// readable returns those of some ids that are of records that the caller may
// read; without any left nothing is found. It keeps nil.
func (r *Call) readable(v *store.View, k store.Kind, ids []int64) []int64 {
	if ids == nil {
		return nil
	}
	kept := []int64{}
	for _, id := range ids {
		if p := store.PostOf(v.Get(k, id)); p != nil && r.MayRead(p) {
			kept = append(kept, id)
		}
	}
	return kept
}

// eventItems prepares events for a list, if it shows their JSON and is no document, which takes few at a time.
func (r *Call) eventItems(v *store.View, events []*store.Event) []item {
	if r.Op.is(page) || r.Op.IsWhole() {
		return nil
	}
	items := r.buffers.items[:0]
	for _, e := range events {
		items = append(items, r.item(v, e, false))
	}
	r.buffers.items = items
	return items
}

// eventFilter makes the filter that the parameters ask for, and, but for pages, the query that
// asks for it again, which begins with an empty per_page.
func (r *Call) EventFilter(v *store.View, values params.Values) (*filters.Events, []pair, error) {
	f := &r.buffers.filter
	*f = *filters.AllEvents()
	f.Viewer = access.ViewerOf(r.Caller)
	statuses, status := r.statuses(values)
	f.Statuses = statuses
	if !r.Caller.IsStranger() && values.Text("password") != "" {
		f.Opens = r.unlocked // strangers never find what is protected
	}
	w := r.window(values)
	f.Start, f.End = w.start, w.end
	f.Search = filters.ParseSearch(values.Text("search"))
	f.Categories, f.Tags = values.IDs("categories"), values.IDs("tags")
	f.Venues = r.readable(v, store.Venues, values.IDs("venue"))
	f.Organizers = r.readable(v, store.Organizers, values.IDs("organizer"))
	f.Include = values.IDs("include")
	f.Parent = values.Int("post_parent")
	if f.Series = values.IDs("series"); slices.Contains(f.Series, 0) {
		f.Series, f.Recurring = nil, new(bool)
	}
	f.FirstOfSeries = values.Bool("first_of_series")
	if f.FirstOfSeries || f.Recurring != nil {
		f.HiddenSeries = v.HiddenSeries(r.MayRead)
	}
	f.Slug = StoredSlug(values.Text("slug"))
	f.Featured, f.Ticketed, f.Located = truth(values, "featured"), truth(values, "ticketed"), truth(values, "geoloc")
	var err error
	if f.Near, err = near(values); err != nil {
		return nil, nil, err
	}
	if f.ModifiedAfter, err = r.instant(values, "modified_after"); err != nil {
		return nil, nil, err
	}
	if f.ModifiedBefore, err = r.instant(values, "modified_before"); err != nil {
		return nil, nil, err
	}
	f.Desc = strings.EqualFold(values.Text("order"), "desc")
	f.OrderBy = strings.ToLower(values.Text("orderby"))
	switch {
	case f.OrderBy != "":
	case r.Op.format != nil && !r.Op.format.Whole:
		f.OrderBy, f.Desc = "date", !values.Has("order") || f.Desc // new records come first
	case f.Include != nil:
		f.OrderBy = "date"
	}

	if r.Op.is(page) {
		return f, nil, nil
	}
	made := append(r.buffers.made[:0], pair{"status", status})
	made = append(append(append(made, w.pairs...), r.echoPoint(f)...), pair{"per_page", ""}) // the caller fills it in
	r.buffers.made = made
	query := r.echo(values, made)
	if r.editing() {
		query = append(query, pair{"context", "edit"})
	}
	return f, query, nil
}

// truth returns a truth value that may not have been sent.
func truth(values params.Values, name string) *bool {
	if !values.Has(name) {
		return nil
	}
	b := values.Bool(name)
	return &b
}

// echoPoint repeats the point that was asked for. Clients know links that name it
// with every geoloc=1, empty when there is none.
func (r *Call) echoPoint(f *filters.Events) (made []pair) {
	for _, name := range []string{"geoloc_lat", "geoloc_lng"} {
		text, ok := r.In.Echo(name)
		if ok || f.Located != nil && *f.Located {
			made = append(made, pair{name, text})
		}
	}
	return made
}

// near returns the surroundings that are asked for, or nil.
func near(values params.Values) (*filters.Near, error) {
	lat, lng, ok, err := values.Point("geoloc_lat", "geoloc_lng")
	if !ok {
		return nil, err
	}
	radius := values.Float("geoloc_radius")
	if radius < 0 || radius > halfway {
		return nil, Invalid("geoloc_radius", "geoloc_radius must be a number of kilometres from 0 to 20040, half the way around the globe.")
	}
	return &filters.Near{Geo: store.Geo{Lat: lat, Lng: lng}, Kilometres: radius}, nil
}

// halfway is half the way around the globe in kilometres.
const halfway = 20_040

// instant reads a date as a moment: in the site's zone, unless it says where.
func (r *Call) instant(values params.Values, name string) (time.Time, error) {
	if !values.Has(name) {
		return time.Time{}, nil
	}
	return values.Date(name, r.Zone).Instant, nil
}
