// Listings of venues and organizers (sections 4.3 and 4.4 of the
// specification).

package filters

import (
	"cmp"
	"slices"
	"time"

	"almanac/markup"
	"almanac/store"
)

// Posts is what a listing of venues or organizers asks for.
type Posts struct {
	Kind     store.Kind // Venues or Organizers
	Viewer   Viewer
	Statuses []store.Status // none: any but the trash

	Search    Words
	Event     int64 // linked to this event; 0: not asked for
	HasEvents *bool // linked to an event that the viewer sees
	Upcoming  bool  // linked to an event that has not ended
	Include   []int64
	Exclude   []int64

	OrderBy string // date (""), modified, title, id, slug
	Desc    bool   // date alone is newest first without it

	// Ended reports whether an event is over; needed for Upcoming.
	Ended func(*store.Event) bool
}

// Match reports whether a venue or an organizer is asked for.
func (f *Posts) Match(v *store.View, r store.Record) bool {
	p, name, fields := describe(r)
	switch {
	case !f.Viewer.sees(p), !hasStatus(f.Statuses, p.Status), !within(p.ID, f.Include, f.Exclude):
		return false
	case f.Event != 0 && !slices.Contains(f.linksOf(v.Event(f.Event)), p.ID):
		return false
	case len(f.Search) > 0 && !f.Search.In(append(fields, name, p.Description, p.Excerpt)...):
		return false
	case f.HasEvents != nil && *f.HasEvents != f.linked(v, p.ID, func(*store.Event) bool { return true }):
		return false
	}
	return !f.Upcoming || f.linked(v, p.ID, func(e *store.Event) bool { return !f.Ended(e) })
}

// linksOf gives the venues or organizers of an event.
func (f *Posts) linksOf(e *store.Event) []int64 {
	switch {
	case e == nil:
		return nil
	case f.Kind == store.Venues:
		return e.Venues
	default:
		return e.Organizers
	}
}

// linked reports whether an event that the viewer sees, and that meets a
// condition, is linked to the record. The latest events come first: they are
// the likeliest not to have ended.
func (f *Posts) linked(v *store.View, id int64, meets func(*store.Event) bool) bool {
	list := v.Linked(f.Kind, id)
	for i := list.Len() - 1; i >= 0; i-- {
		if e := list.At(i); f.Viewer.sees(&e.Post) && e.Status != store.Trash && meets(e) {
			return true
		}
	}
	return false
}

// describe gives what is searched and sorted by.
func describe(r store.Record) (p *store.Post, name string, fields []string) {
	switch r := r.(type) {
	case *store.Venue:
		return &r.Post, r.Name, []string{r.Address, r.City, r.Province, r.State, r.StateProvince, r.Zip, r.Phone}
	case *store.Organizer:
		return &r.Post, r.Name, []string{r.Phone, r.Website, r.Email}
	}
	return &store.Post{}, "", nil
}

// Find gives the records from position offset on, at most limit of them, and
// how many there are in all.
func (f *Posts) Find(v *store.View, offset, limit int) ([]store.Record, int) {
	var found []store.Record
	for r := range v.Posts(f.Kind).All() {
		if f.Match(v, r) {
			found = append(found, r)
		}
	}
	if f.OrderBy != "" {
		slices.SortStableFunc(found, f.compare())
	}
	return page(found, offset, limit), len(found)
}

func (f *Posts) compare() func(a, b store.Record) int {
	by := func(a, b *store.Post, _, _ string) int { return a.Date.Compare(b.Date) }
	switch f.OrderBy {
	case "modified":
		by = func(a, b *store.Post, _, _ string) int { return a.Modified.Compare(b.Modified) }
	case "title":
		by = func(_, _ *store.Post, a, b string) int { return compareNames(a, b) }
	case "slug":
		by = func(a, b *store.Post, _, _ string) int { return cmp.Compare(a.Slug, b.Slug) }
	case "id":
		by = func(a, b *store.Post, _, _ string) int { return cmp.Compare(a.ID, b.ID) }
	}
	sign := 1
	if f.Desc {
		sign = -1
	}
	return func(a, b store.Record) int {
		p, nameA, _ := describe(a)
		q, nameB, _ := describe(b)
		return sign * cmp.Or(by(p, q, nameA, nameB), cmp.Compare(p.ID, q.ID))
	}
}

// compareNames orders names as people expect: whatever their case and accents.
func compareNames(a, b string) int { return markup.Compare(a, b) }

// EndedAt gives an Ended for a moment, from how the end of an event is told as
// an instant.
func EndedAt(now time.Time, end func(*store.Event) time.Time) func(*store.Event) bool {
	return func(e *store.Event) bool { return end(e).Before(now) }
}
