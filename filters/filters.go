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
	"time"

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

// Written are the conditions by which clients of the original choose events and uploads. Nil
// Include and Authors, and zero times, do not restrict.
type Written struct {
	Include, Exclude []int64 // ids of records
	Authors          []int64 // ids of accounts
	After, Before    time.Time
}

// Has reports whether a record with a date is asked for. Clients go on after the last date that
// they read, which has whole seconds.
func (w *Written) Has(id, author int64, date time.Time) bool {
	date = date.Truncate(time.Second)
	return w == nil || within(id, w.Include, w.Exclude) && within(author, w.Authors, nil) &&
		(w.After.IsZero() || date.After(w.After)) &&
		(w.Before.IsZero() || date.Before(w.Before))
}

// Moments returns the times of the conditions, which may change with the clock.
func (w *Written) Moments() []int64 {
	if w == nil {
		return nil
	}
	return []int64{w.After.UnixNano(), w.Before.UnixNano()}
}

// within reports whether an id is neither excluded nor outside a list of ids;
// nil lists do not restrict.
func within(id int64, include, exclude []int64) bool {
	return (include == nil || slices.Contains(include, id)) && !slices.Contains(exclude, id)
}
