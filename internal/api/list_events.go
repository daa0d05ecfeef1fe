// The list of events: from parameters to a filter (section 4.2 of the
// specification).

package api

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// listEvents answers GET /events.
func listEvents(r *Call) (*respond.Response, error) {
	l := List{Call: r, Name: "events"}
	return l.Events(func(events []*store.Event) (*respond.Response, error) {
		if err := r.tryClosed(events); err != nil {
			return nil, err
		}
		if l.Page > 1 && len(events) == 0 {
			return nil, NoPage("event")
		}
		return l.Response()
	})
}

// Events is Do for a list of events.
func (l *List) Events(
	make func([]*store.Event) (*respond.Response, error),
) (answer *respond.Response, err error) {
	var found *filters.Found
	find := func(v *store.View, _ params.Values) error {
		l.measureFind(func() {
			if l.Upcoming != nil {
				found, l.Ongoing = l.Filter.FindUpcoming(v, *l.Upcoming, l.Offset(), l.perPage+1)
				return
			}
			found = l.Filter.Find(v, l.Offset(), l.perPage)
		})
		if found.Finished() {
			l.items = l.eventItems(v, found.Events)
		}
		return nil
	}
	err = l.untilTried(func() (err error) { // a long search may meet more passwords
		answer, err = l.Do(l.LookEvents, find, func() (*respond.Response, error) {
			if found.Finished() {
				return nil, nil
			}
			return nil, l.finish(found)
		})
		return err
	})
	if err != nil || answer != nil {
		return answer, err
	}
	l.Total = found.Total
	l.plan = found.Plan
	if l.Upcoming != nil && len(found.Events) > l.perPage {
		l.Next = found.Events[l.perPage]
		found.Events = found.Events[:l.perPage]
	}
	return make(found.Events)
}

// LookEvents reads the filter of a list of events, and names their state.
func (l *List) LookEvents(v *store.View, values params.Values) (err error) {
	l.notePrefix(values)
	if err := l.filterBy(v, values); err != nil {
		return err
	}
	if !l.Op.IsWhole() {
		l.Paging = l.paging(values)
		if len(l.query) > 0 {
			l.query[0].value = itoa(l.perPage)
		}
	}
	moments := l.moments(v, values)
	l.Tag = l.StateTag(v, moments...)
	// The answer is true until then if the same parameters ask for the same just before.
	for _, until := range []time.Time{l.dayEnd(), l.minuteEnd()} {
		call := *l.Call
		call.Now = until.Add(-time.Nanosecond)
		then := *l
		then.Call = &call
		later, err := call.values(&v.Reader)
		if err == nil && then.filterBy(v, later) == nil &&
			slices.Equal(then.moments(v, later), moments) {
			l.TrueUntil(until)
			break
		}
	}
	return nil
}

// filterBy makes the filter that the parameters ask for at the time of the request.
func (l *List) filterBy(v *store.View, values params.Values) (err error) {
	makeFilter := l.eventFilter
	if l.makeFilter != nil {
		makeFilter = l.makeFilter
	}
	l.Filter, l.query, err = makeFilter(v, values)
	if err == nil {
		l.Filter.Day = cmp.Or(l.Day, l.Filter.Day)
		l.Filter.Gone = l.Gone
	}
	return err
}

// moments returns all that the list depends on and that changes with the time: none of it comes
// back when it has changed.
func (l *List) moments(v *store.View, values params.Values) []int64 {
	f := l.Filter
	moments := []int64{int64(f.Start.Min), int64(f.Start.Max), int64(f.End.Min), int64(f.End.Max),
		f.ModifiedAfter.UnixNano(), f.ModifiedBefore.UnixNano()}
	moments = append(moments, f.Written.Moments()...)
	if l.Op.is(page) { // a page says which day is today
		f.Calendar = l.Calendar(v)
		now := store.WallOf(l.Zone.Wall(l.Now))
		midnight := store.WallOf(caltime.StartOfDay(now.Time()))
		moments = append(moments, int64(midnight))
		if l.IsNow && now-midnight <= l.dayEnds { // and nights go on
			show := l.Renderer(v)
			f.Runs = func(e *store.Event) bool {
				return !show.Ended(e, l.Now)
			}
			moments = append(moments, l.Now.Unix()/60)
		}
	}
	if f.Slug != StoredSlug(values.Text("slug")) { // the next date of a series
		moments = append(moments, v.BySlug(store.Events, f.Slug).Key())
	}
	return moments
}

// finish finds the rest of a list that takes long, outside of a View, so that no writer waits for
// it, and ends when the client leaves. Few searches read texts at the same time, and those of
// one request together read no more than one may: a page of the desk has many. The records
// are shown as they are after that, so that the tag of the state before does not
// count.
func (l *List) finish(found *filters.Found) error {
	ctx := l.HTTP.Context()
	most := admission.Most(l.bounds.Search)
	bytes := found.ToRead()
	if bytes <= most && bytes > most-l.searched {
		return errBusy
	}
	l.searched += min(bytes, most)
	var failed, busy error
	rest := func() {
		l.measureFind(func() {
			failed = found.Finish(ctx, most)
		})
	}
	if found.Reads() {
		busy = l.bounds.Searches.Do(ctx, l.Key(), rest)
	} else {
		rest()
	}
	if err := cmp.Or(busy, failed); err != nil {
		return err
	}
	l.Tag = ""
	return l.Store.View(func(v *store.View) error {
		l.items = l.eventItems(v, found.Events)
		return nil
	})
}

// readable returns those of some ids that are of records that the caller may
// read, outside of the trash; without any left nothing is found. It keeps nil.
func (l *List) readable(v *store.View, k store.Kind, ids []int64) []int64 {
	if ids == nil {
		return nil
	}
	kept := []int64{}
	for _, id := range ids {
		if p := store.PostOf(v.Get(k, id)); p != nil && p.Status != store.Trash && l.MayRead(p) {
			kept = append(kept, id)
		}
	}
	return kept
}

// eventItems prepares events for a list, if it shows their JSON and is no document, which takes
// few at a time.
func (l *List) eventItems(v *store.View, events []*store.Event) []item {
	if l.Op.is(page) || l.Op.IsWhole() {
		return nil
	}
	items := make([]item, 0, len(events))
	for _, e := range events {
		items = append(items, l.item(v, e))
	}
	return items
}

// eventFilter makes the filter that the parameters ask for, and, but for pages, the query that
// asks for it again, which begins with an empty per_page.
func (l *List) eventFilter(v *store.View, values params.Values) (*filters.Events, []pair, error) {
	f, status := l.newFilter(values)
	w, err := l.window(values)
	if err != nil {
		return nil, nil, err
	}
	f.Start = w.start
	f.End = w.end
	f.Day = w.day
	f.Names = values.Bool("search_names")
	f.Categories = values.IDs("categories")
	f.Tags = values.IDs("tags")
	f.Venues = l.readable(v, store.Venues, values.IDs("venue"))
	f.Organizers = l.readable(v, store.Organizers, values.IDs("organizer"))
	f.Include = values.IDs("include")
	f.Parent = values.Int("post_parent")
	f.Series = values.IDs("series")
	if slices.Contains(f.Series, 0) {
		f.Series = nil
		f.Recurring = new(bool)
	}
	if f.Series != nil {
		f.Series = l.PartsOf(&v.Reader, f.Series)
	}
	f.FirstOfSeries = values.Bool("first_of_series")
	if f.FirstOfSeries || f.Recurring != nil {
		f.HiddenSeries = v.HiddenSeries(l.MayRead)
	}
	for _, state := range values.Statuses("event_status") {
		f.States = append(f.States, write.StateOf(state))
	}
	f.Slug = StoredSlug(values.Text("slug"))
	if f.Slug != "" {
		named, _ := v.BySlug(store.Events, f.Slug).(*store.Event)
		if named == nil || !l.MayRead(&named.Post) {
			named = cmp.Or(l.dateNamed(v, f.Slug), named)
		}
		if named != nil && named.Slug != "" {
			f.Slug = named.Slug
		}
	}
	f.Featured = truth(values, "featured")
	f.Ticketed = truth(values, "ticketed")
	f.Located = truth(values, "geoloc")
	f.Free = truth(values, "free")
	f.Near, err = near(values)
	if err != nil {
		return nil, nil, err
	}
	f.ModifiedAfter = l.instant(values, "modified_after")
	f.ModifiedBefore = l.instant(values, "modified_before")
	f.Desc = strings.EqualFold(values.Text("order"), "desc")
	f.OrderBy = strings.ToLower(values.Text("orderby"))
	switch {
	case f.OrderBy != "":
	case l.Op.format != nil && !l.Op.format.Whole:
		f.OrderBy = "date"
		f.Desc = !values.Has("order") || f.Desc // new records come first
	case f.Include != nil:
		f.OrderBy = "date"
	}

	if l.Op.is(page) {
		return f, nil, nil
	}
	made := append([]pair{{"status", status}}, w.pairs...)
	made = append(append(made, l.echoPoint(f)...), pair{"per_page", ""}) // the caller fills it in
	query := l.echo(values, made)
	if l.editing() {
		query = append(query, pair{"context", "edit"})
	}
	return f, query, nil
}

// newFilter makes a filter of the parameters that lists of events and of posts share, and returns
// the statuses as a link has them.
func (l *List) newFilter(values params.Values) (f *filters.Events, status string) {
	f = filters.AllEvents()
	f.Viewer = access.ViewerOf(l.Caller)
	f.Statuses, status = l.statuses(values)
	if !l.Caller.IsStranger() && (values.Text("password") != "" || f.Viewer.All && l.editing()) {
		f.Opens = l.unlocked // strangers never find what is protected
	}
	f.Search = filters.ParseSearch(values.Text("search"))
	return f, status
}

// truth returns the truth value of a parameter; nil if it was not sent.
func truth(values params.Values, name string) *bool {
	if !values.Has(name) {
		return nil
	}
	return new(values.Bool(name))
}

// echoPoint repeats the point that was asked for. Clients know links that name it
// with every geoloc=1, empty when there is none.
func (l *List) echoPoint(f *filters.Events) (made []pair) {
	for _, name := range []string{"geoloc_lat", "geoloc_lng"} {
		text, ok := l.In.Echo(name)
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
	if radius < 0 || radius > 20_040 {
		return nil, Invalid(
			"geoloc_radius",
			"geoloc_radius must be a number of kilometres from 0 to 20040, half the way around the globe.",
		)
	}
	return &filters.Near{Geo: store.Geo{Lat: lat, Lng: lng}, Kilometres: radius}, nil
}

// instant reads a date as a moment: in the site's zone, unless it says where.
func (r *Call) instant(values params.Values, name string) (at time.Time) {
	if values.Has(name) {
		at = values.Date(name, r.Zone).Instant
	}
	return at
}
