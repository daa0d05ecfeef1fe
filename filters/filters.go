// Package filters holds what a listing asks for, as plain structs, and finds
// it in the store.
//
// Each filter has a Match that could answer alone, and a Find that picks the
// narrowest index, takes its candidates through Match and returns one page with
// the total. Rights come as a Viewer: whoever builds a filter says whose
// records may be seen, and nothing here decides that again.
package filters

import (
	"math"
	"slices"

	"almanac/store"
)

// A Viewer says which unpublished records a caller sees in lists. The zero
// Viewer sees none.
type Viewer struct {
	All bool  // those of everybody
	Own int64 // those of this account; 0 for nobody's
}

// sees reports whether the viewer may have a record in a list.
func (v Viewer) sees(p *store.Post) bool { return p.Status == store.Publish || v.edits(p) }

// edits reports whether a record is one of those that the viewer sees whatever
// their status.
func (v Viewer) edits(p *store.Post) bool { return v.All || v.Own != 0 && v.Own == p.Author }

// onlyPublished reports whether nothing but published records can be listed.
func (v Viewer) onlyPublished(statuses []store.Status) bool {
	return !v.All && v.Own == 0 || len(statuses) == 1 && statuses[0] == store.Publish
}

// hasStatus reports whether a status was asked for. Without statuses it is any
// but the trash.
func hasStatus(statuses []store.Status, s store.Status) bool {
	if len(statuses) == 0 {
		return s != store.Trash
	}
	return slices.Contains(statuses, s)
}

// A Range is wall clocks from Min to Max, both included.
type Range struct{ Min, Max store.Wall }

// Always returns the range that holds every wall clock.
func Always() Range { return Range{math.MinInt64, math.MaxInt64} }

// Has reports whether a wall clock is in the range.
func (r Range) Has(w store.Wall) bool { return r.Min <= w && w <= r.Max }

// within reports whether an id is neither excluded nor outside a list of ids;
// nil lists do not restrict.
func within(id int64, include, exclude []int64) bool {
	return (include == nil || slices.Contains(include, id)) && !slices.Contains(exclude, id)
}
