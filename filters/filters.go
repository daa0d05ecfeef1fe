// Package filters holds the filters of listings, as plain structs, and asks the store for their
// records.
//
// Each filter has a Find that returns one page with the total, and those of events and posts have a
// Match that could answer alone. The Find of events hands the store a query, in terms of records:
// the store decides how it is answered, from indexes. Rights come as an access.Viewer from the
// maker of a filter, and nothing here decides them again.
//
// filters.go has the common parts; events.go, posts.go and terms.go have one filter each; found.go
// and order.go have the pages of events; search.go has the searches in texts, names.go those in
// names, near.go the surroundings of a point. steps.go has the steps in which long lists are found.
package filters

import (
	"slices"

	"almanac/internal/people/access"
	"almanac/store"
)

// onlyPublished reports whether nothing but published records can be listed to a
// viewer.
func onlyPublished(v access.Viewer, statuses []store.Status) bool {
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

// within reports whether an id is neither excluded nor outside a list of ids;
// nil lists do not restrict.
func within(id int64, include, exclude []int64) bool {
	return (include == nil || slices.Contains(include, id)) && !slices.Contains(exclude, id)
}
