// Listings of categories and tags (sections 4.5 and 4.6 of the
// specification).

package filters

import (
	"cmp"
	"slices"
	"strings"

	"almanac/markup"
	"almanac/store"
)

// Terms is what a listing of categories or tags asks for.
type Terms struct {
	Taxonomy  store.Kind // Categories or Tags
	Search    string     // folded text in the name or slug
	Include   []int64    // nil: not asked for
	Exclude   []int64
	HideEmpty bool
	Parent    int64 // 0: not asked for
	Event     int64 // carried by this event; switches HideEmpty off
	Slug      string

	OrderBy string // name (""), slug, id, count, term_group, description, parent, term_order, include
	Desc    bool
}

// Match reports whether a term is asked for.
func (f *Terms) Match(v *store.View, t *store.Term) bool {
	switch {
	case !within(t.ID, f.Include, f.Exclude):
		return false
	case f.Parent != 0 && f.Parent != t.Parent, f.Slug != "" && f.Slug != t.Slug:
		return false
	case f.Search != "" && !strings.Contains(markup.Fold(t.Name), f.Search) && !strings.Contains(markup.Fold(t.Slug), f.Search):
		return false
	case f.Event != 0:
		e := v.Event(f.Event)
		return e != nil && (slices.Contains(e.Categories, t.ID) || slices.Contains(e.Tags, t.ID))
	}
	return !f.HideEmpty || used(v, t)
}

// used reports whether published events carry the term or one below it.
func used(v *store.View, t *store.Term) bool {
	if v.Count(t.Taxonomy, t.ID) > 0 {
		return true
	}
	for _, id := range descendants(v, []int64{t.ID})[1:] {
		if v.Count(t.Taxonomy, id) > 0 {
			return true
		}
	}
	return false
}

// Find gives the terms from position offset on, at most limit of them, and how
// many there are in all.
func (f *Terms) Find(v *store.View, offset, limit int) ([]*store.Term, int) {
	var found []*store.Term
	for r := range v.Each(f.Taxonomy) {
		if t := r.(*store.Term); f.Match(v, t) {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, f.compare(v))
	return page(found, offset, limit), len(found)
}

// compare gives the order that is asked for; ties are broken by name and id.
func (f *Terms) compare(v *store.View) func(a, b *store.Term) int {
	by := func(a, b *store.Term) int { return compareNames(a.Name, b.Name) }
	switch strings.ToLower(f.OrderBy) {
	case "slug":
		by = func(a, b *store.Term) int { return cmp.Compare(a.Slug, b.Slug) }
	case "id", "term_id", "term_order":
		by = func(a, b *store.Term) int { return cmp.Compare(a.ID, b.ID) }
	case "count":
		by = func(a, b *store.Term) int { return cmp.Compare(v.Count(f.Taxonomy, a.ID), v.Count(f.Taxonomy, b.ID)) }
	case "term_group":
		by = func(a, b *store.Term) int { return 0 }
	case "description":
		by = func(a, b *store.Term) int { return compareNames(a.Description, b.Description) }
	case "parent":
		by = func(a, b *store.Term) int { return cmp.Compare(a.Parent, b.Parent) }
	case "include":
		by = func(a, b *store.Term) int {
			return cmp.Compare(slices.Index(f.Include, a.ID), slices.Index(f.Include, b.ID))
		}
	}
	sign := 1
	if f.Desc {
		sign = -1
	}
	return func(a, b *store.Term) int {
		return cmp.Or(sign*by(a, b), compareNames(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	}
}
