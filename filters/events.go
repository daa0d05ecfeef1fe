// Listings of events (section 4.2 of the specification).

package filters

import (
	"cmp"
	"math"
	"slices"
	"time"

	"almanac/store"
)

// Events is what a listing of events asks for. Conditions are joined by and;
// the ids of one list by or. AllEvents gives one without conditions.
type Events struct {
	Viewer   Viewer
	Statuses []store.Status // none: any but the trash
	Password string         // opens protected events to a search

	Start, End Range // of the event's own wall clock

	Search     Search
	Categories []int64 // each stands for its descendants too; nil: not asked for
	Tags       []int64
	Venues     []int64
	Organizers []int64
	Include    []int64
	Parent     int64
	Slug       string
	Featured   *bool
	Ticketed   *bool
	Located    *bool // whether the venue has coordinates
	Near       *Near

	ModifiedAfter, ModifiedBefore time.Time // exclusive; zero: not asked for

	OrderBy string // start_date (""), end_date, date, modified, title, id
	Desc    bool
}

// Near is the surroundings of a point.
type Near struct {
	store.Geo
	Kilometres float64
}

// AllEvents gives a filter without conditions.
func AllEvents() *Events { return &Events{Start: Always(), End: Always()} }

// Match reports whether an event is asked for.
func (f *Events) Match(v *store.View, e *store.Event) bool {
	switch {
	case e.HideFromListings, !f.Viewer.sees(&e.Post), !hasStatus(f.Statuses, e.Status):
		return false
	case !f.Start.Has(e.Start), !f.End.Has(e.End):
		return false
	case f.Venues != nil && !overlap(f.Venues, e.Venues), f.Organizers != nil && !overlap(f.Organizers, e.Organizers):
		return false
	case f.Tags != nil && !overlap(f.Tags, e.Tags), f.Categories != nil && !f.inCategory(v, e):
		return false
	case f.Include != nil && !slices.Contains(f.Include, e.ID):
		return false
	case f.Parent != 0 && f.Parent != e.Parent, f.Slug != "" && f.Slug != e.Slug:
		return false
	case f.Featured != nil && *f.Featured != e.Featured, f.Ticketed != nil && *f.Ticketed != e.Ticketed:
		return false
	case !f.ModifiedAfter.IsZero() && !e.Modified.After(f.ModifiedAfter):
		return false
	case !f.ModifiedBefore.IsZero() && !e.Modified.Before(f.ModifiedBefore):
		return false
	case f.Located != nil && *f.Located != located(v, e), f.Near != nil && !f.near(v, e):
		return false
	}
	if f.Search.Empty() {
		return true
	}
	if e.Password != "" && e.Password != f.Password && !f.Viewer.All && (f.Viewer.Own == 0 || f.Viewer.Own != e.Author) {
		return false
	}
	return f.Search.In(e.Title, e.Excerpt, e.Description)
}

func overlap(wanted, has []int64) bool {
	for _, id := range has {
		if slices.Contains(wanted, id) {
			return true
		}
	}
	return false
}

// inCategory reports whether an event is in one of the categories or below.
func (f *Events) inCategory(v *store.View, e *store.Event) bool {
	for _, id := range e.Categories {
		for steps := 0; id != 0 && steps < maxDepth; steps++ {
			if slices.Contains(f.Categories, id) {
				return true
			}
			term := v.Term(store.Categories, id)
			if term == nil {
				break
			}
			id = term.Parent
		}
	}
	return false
}

// maxDepth bounds the walk up a tree of categories.
const maxDepth = 1000

// located reports whether a venue of the event has coordinates.
func located(v *store.View, e *store.Event) bool {
	for _, id := range e.Venues {
		if venue := v.Venue(id); venue != nil && venue.Geo != nil {
			return true
		}
	}
	return false
}

func (f *Events) near(v *store.View, e *store.Event) bool {
	for _, id := range e.Venues {
		if venue := v.Venue(id); venue != nil && venue.Geo != nil && distance(f.Near.Geo, *venue.Geo) <= f.Near.Kilometres {
			return true
		}
	}
	return false
}

// distance gives the kilometres between two points, on a sphere of the earth's
// mean radius.
func distance(a, b store.Geo) float64 {
	const radius, degree = 6371.0088, math.Pi / 180
	lat := math.Sin((b.Lat - a.Lat) * degree / 2)
	lng := math.Sin((b.Lng - a.Lng) * degree / 2)
	h := lat*lat + math.Cos(a.Lat*degree)*math.Cos(b.Lat*degree)*lng*lng
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}

// Find gives the events from position offset on, at most limit of them, and
// how many there are in all.
func (f *Events) Find(v *store.View, offset, limit int) ([]*store.Event, int) {
	var found []*store.Event
	f.candidates(v, func(e *store.Event) {
		if f.Match(v, e) {
			found = append(found, e)
		}
	})
	slices.SortFunc(found, f.compare())
	found = slices.Compact(found)
	return page(found, offset, limit), len(found)
}

// candidates calls f with the events of the narrowest index. An event may come
// twice.
func (f *Events) candidates(v *store.View, yield func(*store.Event)) {
	if f.Include != nil {
		for _, id := range f.Include {
			if e := v.Event(id); e != nil {
				yield(e)
			}
		}
		return
	}
	if f.Slug != "" {
		if e, ok := v.BySlug(store.Events, f.Slug).(*store.Event); ok {
			yield(e)
		}
		return
	}
	lists := []*store.List[*store.Event]{v.Listed()}
	if !f.Viewer.onlyPublished(f.Statuses) {
		lists = append(lists, v.Unlisted())
	}
	best := f.count(lists)
	try := func(k store.Kind, ids []int64) {
		if ids == nil {
			return
		}
		var linked []*store.List[*store.Event]
		for _, id := range ids {
			linked = append(linked, v.Linked(k, id))
		}
		if n := f.count(linked); n < best {
			lists, best = linked, n
		}
	}
	try(store.Venues, f.Venues)
	try(store.Organizers, f.Organizers)
	try(store.Tags, f.Tags)
	try(store.Categories, descendants(v, f.Categories))
	if f.Parent != 0 {
		try(store.Events, []int64{f.Parent})
	}
	for _, list := range lists {
		from, to := f.bounds(list)
		for e := range list.Range(from, to) {
			yield(e)
		}
	}
}

// count gives the number of events in the lists whose start is in range.
func (f *Events) count(lists []*store.List[*store.Event]) int {
	n := 0
	for _, list := range lists {
		from, to := f.bounds(list)
		n += to - from
	}
	return n
}

// bounds gives the positions in a list between which the start is in range. No
// event ends before it starts, so the end bounds the start too.
func (f *Events) bounds(list *store.List[*store.Event]) (from, to int) {
	last := min(f.Start.Max, f.End.Max)
	from = list.Find(func(e *store.Event) bool { return e.Start >= f.Start.Min })
	to = list.Find(func(e *store.Event) bool { return e.Start > last })
	return from, max(from, to)
}

// descendants gives the categories with all below them.
func descendants(v *store.View, ids []int64) []int64 {
	if ids == nil {
		return nil
	}
	all := slices.Clone(ids)
	for i := 0; i < len(all); i++ {
		for r := range v.Each(store.Categories) {
			if t := r.(*store.Term); t.Parent == all[i] && !slices.Contains(all, t.ID) {
				all = append(all, t.ID)
			}
		}
	}
	return all
}

// compare gives the order that is asked for. Ties are broken by publication
// and id, so that pages never overlap.
func (f *Events) compare() func(a, b *store.Event) int {
	by := func(a, b *store.Event) int { return cmp.Compare(a.Start, b.Start) }
	switch f.OrderBy {
	case "end_date":
		by = func(a, b *store.Event) int { return cmp.Compare(a.End, b.End) }
	case "date":
		by = func(a, b *store.Event) int { return a.Date.Compare(b.Date) }
	case "modified":
		by = func(a, b *store.Event) int { return a.Modified.Compare(b.Modified) }
	case "title":
		by = func(a, b *store.Event) int { return compareNames(a.Title, b.Title) }
	case "id":
		by = func(a, b *store.Event) int { return cmp.Compare(a.ID, b.ID) }
	}
	sign := 1
	if f.Desc {
		sign = -1
	}
	return func(a, b *store.Event) int {
		return sign * cmp.Or(by(a, b), a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	}
}
