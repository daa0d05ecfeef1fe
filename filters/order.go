// The orders of listings, and their pages.

package filters

import (
	"cmp"

	"almanac/internal/markup"
	"almanac/store"
)

// compare returns the order that is asked for, or nil for that of starts. It
// breaks ties as store.ByStart does: by publication and id, so that pages never
// overlap.
func (f *Events) compare() func(a, b *store.Event) int {
	var by func(a, b *store.Event) int
	switch f.OrderBy {
	case "end_date":
		by = func(a, b *store.Event) int { return cmp.Compare(a.End, b.End) }
	case "date":
		by = func(a, b *store.Event) int { return a.Date.Compare(b.Date) }
	case "modified":
		by = func(a, b *store.Event) int { return a.Modified.Compare(b.Modified) }
	case "title":
		by = func(a, b *store.Event) int { return markup.Compare(a.Title, b.Title) }
	case "id":
		by = func(a, b *store.Event) int { return cmp.Compare(a.ID, b.ID) }
	default:
		return nil
	}
	sign := signOf(f.Desc)
	return func(a, b *store.Event) int {
		return sign * cmp.Or(by(a, b), a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	}
}

// signOf returns what turns an order around.
func signOf(desc bool) int {
	if desc {
		return -1
	}
	return 1
}

// page cuts one page out of the results.
func page[T any](found []T, offset, limit int) []T {
	if offset >= len(found) {
		return nil
	}
	return found[offset:min(offset+limit, len(found))]
}
