// Listings of categories and tags (sections 4.5 and 4.6 of the
// specification).

package filters

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/markup"
	"almanac/store"
)

// Terms is a filter of categories or tags.
type Terms struct {
	Taxonomy  store.Kind // Categories or Tags
	Search    string     // folded text in the name or slug
	Include   []int64    // nil: not asked for
	Exclude   []int64
	HideEmpty bool
	Parent    int64 // 0: not asked for
	Event     int64 // carried by this event; switches HideEmpty off
	Slug      string

	// Opens reports whether the caller sees inside a protected event; needed for
	// Event. It must not take long.
	Opens func(*store.Event) bool

	// OrderBy is slug, id, term_order, count, term_group, description, parent or include, in any
	// case; else name.
	OrderBy string
	Desc    bool
}

// Match reports whether a term is asked for.
func (f *Terms) Match(v *store.View, t *store.Term) bool { return f.match(t, f.wanted(v)) }

// match is Match with the terms that are wanted.
func (f *Terms) match(t *store.Term, wanted map[int64]bool) bool {
	switch {
	case !within(t.ID, f.Include, f.Exclude):
		return false
	case f.Parent != 0 && f.Parent != t.Parent, f.Slug != "" && f.Slug != t.Slug:
		return false
	case f.Search != "" && !strings.Contains(markup.Fold(t.Name), f.Search) && !strings.Contains(markup.Fold(t.Slug), f.Search):
		return false
	}
	return wanted == nil || wanted[t.ID]
}

// wanted returns the terms that an event carries, or those that are used; nil
// when it does not matter.
func (f *Terms) wanted(v *store.View) map[int64]bool {
	switch {
	case f.Event != 0:
		return f.carried(v)
	case f.HideEmpty:
		return f.used(v)
	}
	return nil
}

// carried returns the terms of the event, if the caller sees inside.
func (f *Terms) carried(v *store.View) map[int64]bool {
	carried := map[int64]bool{}
	if e := v.Event(f.Event); e != nil && (e.Password == "" || f.Opens(e)) {
		for _, id := range slices.Concat(e.Categories, e.Tags) {
			carried[id] = true
		}
	}
	return carried
}

// used returns the terms that published events carry, and all terms above them.
func (f *Terms) used(v *store.View) map[int64]bool {
	used := map[int64]bool{}
	for r := range v.Each(f.Taxonomy) {
		t := r.(*store.Term)
		if v.Count(f.Taxonomy, t.ID) == 0 {
			continue
		}
		for ; t != nil && !used[t.ID]; t = v.Term(f.Taxonomy, t.Parent) {
			used[t.ID] = true
		}
	}
	return used
}

// Find returns the terms from position offset on, at most limit of them, and how
// many there are in all.
func (f *Terms) Find(v *store.View, offset, limit int) ([]*store.Term, int, store.Plan) {
	var found []*store.Term
	wanted := f.wanted(v)
	for r := range v.Each(f.Taxonomy) {
		if t := r.(*store.Term); f.match(t, wanted) {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, f.compare(v))
	plan := store.Plan{Index: "name", Candidates: v.Len(f.Taxonomy)}
	return page(found, offset, limit), len(found), plan
}

// compare returns the order that is asked for. Ties are broken by name and id,
// which Desc does not turn around.
func (f *Terms) compare(v *store.View) func(a, b *store.Term) int {
	names := func(a, b *store.Term) int { return markup.Compare(a.Name, b.Name) }
	by := names
	switch strings.ToLower(f.OrderBy) {
	case "slug":
		by = func(a, b *store.Term) int { return cmp.Compare(a.Slug, b.Slug) }
	case "id", "term_id", "term_order":
		by = func(a, b *store.Term) int { return cmp.Compare(a.ID, b.ID) }
	case "count":
		by = func(a, b *store.Term) int { return cmp.Compare(v.Count(f.Taxonomy, a.ID), v.Count(f.Taxonomy, b.ID)) }
	case "term_group": // there are none, so that all are equal
		by = func(a, b *store.Term) int { return 0 }
	case "description":
		by = func(a, b *store.Term) int { return markup.Compare(a.Description, b.Description) }
	case "parent":
		by = func(a, b *store.Term) int { return cmp.Compare(a.Parent, b.Parent) }
	case "include":
		by = func(a, b *store.Term) int {
			return cmp.Compare(slices.Index(f.Include, a.ID), slices.Index(f.Include, b.ID))
		}
	}
	sign := signOf(f.Desc)
	return func(a, b *store.Term) int {
		return cmp.Or(sign*by(a, b), names(a, b), cmp.Compare(a.ID, b.ID))
	}
}
