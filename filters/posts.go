// Listings of venues and organizers (sections 4.3 and 4.4 of the
// specification).

package filters

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/people/access"
	"almanac/internal/text/markup"
	"almanac/store"
)

// Posts is a filter of venues or organizers.
type Posts struct {
	Kind     store.Kind // Venues or Organizers
	Viewer   access.Viewer
	Statuses []store.Status // none: any but the trash

	Search Words
	// No event shows what is in the trash, although it stays linked.
	Event     int64 // linked to this event, if the viewer sees it; 0: no condition
	HasEvents *bool // linked to an event that the viewer sees, or to none
	Upcoming  bool  // linked to an event that has not ended
	Include   []int64
	Exclude   []int64

	OrderBy string // date, modified, title, id or slug; "": newest first
	Desc    bool   // reverses OrderBy
	Among   int    // how many published records are looked at, the newest; 0 is all

	// Ended reports whether an event is over; needed for Upcoming.
	Ended func(*store.Event) bool
	// Opens reports whether the viewer sees inside a protected event; needed for
	// Event. It must not take long.
	Opens func(*store.Event) bool
}

// Match reports whether a venue or an organizer is asked for.
func (f *Posts) Match(v *store.View, r store.Record) bool {
	p := store.PostOf(r)
	switch {
	case !f.Viewer.Sees(p), !hasStatus(f.Statuses, p.Status), !within(p.ID, f.Include, f.Exclude):
		return false
	case f.Event != 0 && (p.Status == store.Trash || !slices.Contains(f.linksOf(v.Event(f.Event)), p.ID)):
		return false
	case f.Search != nil && !f.Search.In(append(textsOf(r), p.Description, p.Excerpt)...):
		return false
	case f.HasEvents != nil && *f.HasEvents != f.hasEvents(v, p):
		return false
	}
	return !f.Upcoming || f.linked(v, p, func(e *store.Event) bool { return !f.Ended(e) })
}

// linksOf returns the venues or organizers of an event that the viewer sees,
// inside too.
func (f *Posts) linksOf(e *store.Event) []int64 {
	switch {
	case e == nil || !f.Viewer.Sees(&e.Post) || e.Password != "" && !f.Opens(e):
		return nil
	case f.Kind == store.Venues:
		return e.Venues
	default:
		return e.Organizers
	}
}

// hasEvents reports whether an event that the viewer sees is linked to the record.
func (f *Posts) hasEvents(v *store.View, p *store.Post) bool {
	return p.Status != store.Trash && v.Count(f.Kind, p.ID) > 0 ||
		f.linked(v, p, func(*store.Event) bool { return true })
}

// linked reports whether an event that the viewer sees, and that meets a
// condition, is linked to the record. The latest events come first: they are
// the likeliest not to have ended.
func (f *Posts) linked(v *store.View, p *store.Post, meets func(*store.Event) bool) bool {
	if p.Status == store.Trash {
		return false
	}
	for e := range v.Linked(f.Kind, p.ID) {
		if f.Viewer.Sees(&e.Post) && e.Status != store.Trash && meets(e) {
			return true
		}
	}
	return false
}

// textsOf returns what a venue or an organizer is searched by, beside what all posts have.
func textsOf(r store.Record) []string {
	switch r := r.(type) {
	case *store.Venue:
		return []string{
			r.Name,
			r.Address,
			r.City,
			r.Province,
			r.State,
			r.StateProvince,
			r.Zip,
			r.Phone,
		}
	case *store.Organizer:
		return []string{r.Name, r.Phone, r.Website, r.Email}
	}
	return nil
}

// nameOf returns what a venue or an organizer is sorted by.
func nameOf(r store.Record) string {
	switch r := r.(type) {
	case *store.Venue:
		return r.Name
	case *store.Organizer:
		return r.Name
	}
	return ""
}

// Find returns the records from position offset on, at most limit of them, and
// how many there are in all. It looks at them in steps, and puts them in order outside of a View:
// there may be very many.
func (f *Posts) Find(view Viewing, offset, limit int) ([]store.Record, int, store.Plan) {
	var found []store.Record
	plan := store.Plan{Index: "date"}
	if f.everything() {
		total := 0
		_ = view(func(v *store.View) error { // it returns no error
			published := v.Posts(f.Kind, true)
			total = len(published)
			found = slices.Clone(page(published, offset, limit))
			return nil
		})
		return found, total, plan
	}
	found, plan.Candidates = InSteps(view, func(v *store.View) []store.Record {
		return f.candidates(v, &plan)
	}, f.Match)
	total := len(found)
	limit = min(limit, total)
	order := f.newest
	if f.OrderBy != "" {
		order = f.compare()
	}
	return page(Least(found, offset+limit, order), offset, limit), total, plan
}

// candidates returns all records that may be asked for.
func (f *Posts) candidates(v *store.View, plan *store.Plan) (records []store.Record) {
	named := func(ids []int64) []store.Record {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
			// Records hidden from the viewer count as missing.
			if r := v.Get(f.Kind, id); r != nil && f.Viewer.Sees(store.PostOf(r)) {
				records = append(records, r)
			}
		}
		return records
	}
	switch {
	case f.Include != nil:
		plan.Index = "include"
		return named(f.Include)
	case f.Event != 0:
		plan.Index = "event"
		return named(f.linksOf(v.Event(f.Event)))
	}
	published := v.Posts(f.Kind, true)
	records = slices.Clone(published[:min(len(published), cmp.Or(f.Among, math.MaxInt))])
	switch {
	case onlyPublished(f.Viewer, f.Statuses):
	case f.Viewer.All:
		records = append(records, v.Posts(f.Kind, false)...)
	default:
		records = append(records, v.Own(f.Kind, f.Viewer.Own)...)
	}
	return records
}

// everything reports whether all that is published is asked for, newest first.
func (f *Posts) everything() bool {
	return onlyPublished(f.Viewer, f.Statuses) && hasStatus(f.Statuses, store.Publish) && f.OrderBy == "" &&
		f.Search == nil && f.Event == 0 && f.HasEvents == nil && !f.Upcoming && f.Include == nil &&
		f.Exclude == nil
}

// newest is the order of lists: that of the store's.
func (f *Posts) newest(a, b store.Record) int {
	return cmp.Or(
		store.PostOf(b).Date.Compare(store.PostOf(a).Date),
		cmp.Compare(b.Key(), a.Key()),
	)
}

// compare returns the order that OrderBy names; ties are broken by id.
func (f *Posts) compare() func(a, b store.Record) int {
	by := func(a, b store.Record) int { return store.PostOf(a).Date.Compare(store.PostOf(b).Date) }
	switch f.OrderBy {
	case "modified":
		by = func(a, b store.Record) int { return store.PostOf(a).Modified.Compare(store.PostOf(b).Modified) }
	case "title":
		by = func(a, b store.Record) int { return markup.Compare(nameOf(a), nameOf(b)) }
	case "slug":
		by = func(a, b store.Record) int { return cmp.Compare(store.PostOf(a).Slug, store.PostOf(b).Slug) }
	case "id":
		by = func(a, b store.Record) int { return 0 }
	}
	sign := signOf(f.Desc)
	return func(a, b store.Record) int { return sign * cmp.Or(by(a, b), cmp.Compare(a.Key(), b.Key())) }
}
