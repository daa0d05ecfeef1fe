// Listings of categories and tags (sections 4.5 and 4.6 of the
// specification).

package filters

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/text/markup"
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

	// Among bounds the number of terms that are looked at, roughly the oldest first; 0 is no bound.
	Among int
}

// wanted has the terms that an event carries, or the unused ones above those that are used; nil
// when it does not matter.
func (f *Terms) wanted(v *store.View) map[int64]bool {
	switch {
	case f.Event != 0:
		return f.carried(v)
	case f.HideEmpty:
		return aboveUsed(v, f.Taxonomy)
	}
	return nil
}

// match reports whether a term is asked for.
func (f *Terms) match(v *store.View, t *store.Term, wanted map[int64]bool) bool {
	switch {
	case !within(t.ID, f.Include, f.Exclude):
		return false
	case f.Parent != 0 && f.Parent != t.Parent, f.Slug != "" && f.Slug != t.Slug:
		return false
	case f.Search != "" && !strings.Contains(markup.Fold(t.Name), f.Search) && !strings.Contains(markup.Fold(t.Slug), f.Search):
		return false
	case f.Event != 0:
		return wanted[t.ID]
	}
	return !f.HideEmpty || wanted[t.ID] || v.Count(f.Taxonomy, t.ID) > 0
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

// aboveUsed returns the terms that no published event carries, above one that some do.
func aboveUsed(v *store.View, taxonomy store.Kind) map[int64]bool {
	above := map[int64]bool{}
	if taxonomy == store.Tags { // there is nothing above a tag
		return above
	}
	for id := range v.Used(taxonomy) {
		t := v.Term(taxonomy, id)
		for t = v.Term(taxonomy, t.Parent); t != nil && !above[t.ID] && v.Count(taxonomy, t.ID) == 0; {
			above[t.ID] = true
			t = v.Term(taxonomy, t.Parent)
		}
	}
	return above
}

// UsedTerms returns how many terms published events carry, with those above them.
func UsedTerms(v *store.View, taxonomy store.Kind) int {
	return len(aboveUsed(v, taxonomy)) + v.UsedLen(taxonomy)
}

// candidates returns all terms that may be asked for.
func (f *Terms) candidates(v *store.View, wanted map[int64]bool) (records []store.Record) {
	take := func(ids []int64) {
		for _, id := range ids {
			if t := v.Term(f.Taxonomy, id); t != nil {
				records = append(records, t)
			}
		}
	}
	switch {
	case f.Include != nil:
		take(slices.Compact(slices.Sorted(slices.Values(f.Include))))
	case f.Event != 0:
		take(slices.Collect(maps.Keys(wanted)))
	case f.Slug != "":
		if t, ok := v.BySlug(f.Taxonomy, f.Slug).(*store.Term); ok {
			records = []store.Record{t}
		}
	default:
		return v.Some(f.Taxonomy, cmp.Or(f.Among, math.MaxInt))
	}
	return records
}

// A counted is a term with the number of its events, if the order is that of these.
type counted struct {
	*store.Term
	events int
}

// Find returns the terms from position offset on, at most limit of them, and how
// many there are in all. It looks at them in steps, and puts them in order outside of a View: there
// may be very many.
func (f *Terms) Find(view Viewing, offset, limit int) ([]*store.Term, int, store.Plan) {
	var wanted map[int64]bool
	var events []int // of each term that is kept, if the order is that of these
	byCount := strings.EqualFold(f.OrderBy, "count")
	kept, candidates := InSteps(view, func(v *store.View) []store.Record {
		wanted = f.wanted(v)
		records := f.candidates(v, wanted)
		if byCount {
			events = make([]int, 0, len(records))
		}
		return records
	}, func(v *store.View, r store.Record) bool {
		is := f.match(v, r.(*store.Term), wanted)
		if is && byCount {
			events = append(events, v.Count(f.Taxonomy, r.Key()))
		}
		return is
	})
	plan := store.Plan{Index: "name", Candidates: candidates}
	total := len(kept)
	found := make([]counted, total)
	for i, r := range kept {
		found[i].Term = r.(*store.Term)
		if byCount {
			found[i].events = events[i]
		}
	}
	limit = min(limit, total)
	var terms []*store.Term
	for _, one := range page(Least(found, offset+limit, f.compare()), offset, limit) {
		terms = append(terms, one.Term)
	}
	return terms, total, plan
}

// compare returns the order that is asked for. Ties are broken by name and id,
// which Desc does not turn around.
func (f *Terms) compare() func(a, b counted) int {
	names := func(a, b counted) int { return markup.Compare(a.Name, b.Name) }
	by := names
	switch strings.ToLower(f.OrderBy) {
	case "slug":
		by = func(a, b counted) int { return cmp.Compare(a.Slug, b.Slug) }
	case "id", "term_id", "term_order":
		by = func(a, b counted) int { return cmp.Compare(a.ID, b.ID) }
	case "count":
		by = func(a, b counted) int { return cmp.Compare(a.events, b.events) }
	case "term_group": // there are none, so that all are equal
		by = func(a, b counted) int { return 0 }
	case "description":
		by = func(a, b counted) int { return markup.Compare(a.Description, b.Description) }
	case "parent":
		by = func(a, b counted) int { return cmp.Compare(a.Parent, b.Parent) }
	case "include":
		by = func(a, b counted) int {
			return cmp.Compare(slices.Index(f.Include, a.ID), slices.Index(f.Include, b.ID))
		}
	}
	sign := signOf(f.Desc)
	return func(a, b counted) int {
		return cmp.Or(sign*by(a, b), names(a, b), cmp.Compare(a.ID, b.ID))
	}
}
