// The orders of listings, and their pages.

package filters

import (
	"cmp"

	"almanac/internal/text/markup"
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
		if !f.isOfDays() {
			return nil
		}
		by = func(a, b *store.Event) int {
			aDay, aStart := f.placeOf(a)
			bDay, bStart := f.placeOf(b)
			if aDay == bDay && isFirst(a) != isFirst(b) {
				return signOf(f.Desc) * signOf(isFirst(a))
			}
			return cmp.Or(cmp.Compare(aDay, bDay), cmp.Compare(aStart, bStart))
		}
	}
	sign := signOf(f.Desc)
	return func(a, b *store.Event) int {
		return sign * cmp.Or(by(a, b), a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	}
}

// isFirst reports whether an event stands first on its day. That of one with a password is not
// told by its place.
func isFirst(e *store.Event) bool { return e.Sticky && e.Password == "" }

// isOfDays reports whether the order is that of the days of a calendar, which is nearly that of
// starts.
func (f *Events) isOfDays() bool {
	byStart := f.OrderBy == "" || f.OrderBy == "start_date"
	return byStart && f.Calendar != nil && (f.Calendar.Elsewhere || f.Calendar.Sticky)
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
