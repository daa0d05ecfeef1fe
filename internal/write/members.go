// The members of events in the API, and their fields.

package write

import (
	"slices"

	"almanac/internal/params"
	"almanac/store"
)

type field struct {
	same func(a, b *store.Event) bool
	copy func(to, from *store.Event)
}

func one[T comparable](of func(*store.Event) *T) field {
	return field{
		func(a, b *store.Event) bool { return *of(a) == *of(b) },
		func(to, from *store.Event) { *of(to) = *of(from) },
	}
}

// list is a field that is a slice. Copies share it, because slices of records are replaced and never changed.
func list[T comparable](of func(*store.Event) *[]T) field {
	return field{
		func(a, b *store.Event) bool { return slices.Equal(*of(a), *of(b)) },
		func(to, from *store.Event) { *of(to) = *of(from) },
	}
}

// A member is a name in the API and its fields.
type member struct {
	name   string
	fields []field
}

// members has all members of an event that a client may change. Their names list the overrides of an event of a
// series.
var members = []member{
	{"all_day", []field{one(func(e *store.Event) *bool { return &e.AllDay })}},
	{"author", []field{one(func(e *store.Event) *int64 { return &e.Author })}},
	{"categories", []field{list(func(e *store.Event) *[]int64 { return &e.Categories })}},
	{"cost", []field{
		list(func(e *store.Event) *[]string { return &e.Entries }),
		one(func(e *store.Event) *string { return &e.Symbol }),
		one(func(e *store.Event) *string { return &e.Code }),
		one(func(e *store.Event) *string { return &e.Position }),
	}},
	{"date", []field{
		{func(a, b *store.Event) bool { return a.Date.Equal(b.Date) }, func(to, from *store.Event) { to.Date = from.Date }},
		one(func(e *store.Event) *bool { return &e.Undated }),
		one(func(e *store.Event) *bool { return &e.LocalDate }),
	}},
	{"description", []field{one(func(e *store.Event) *string { return &e.Description })}},
	{"end_date", []field{one(func(e *store.Event) *store.Wall { return &e.End })}},
	{"excerpt", []field{one(func(e *store.Event) *string { return &e.Excerpt })}},
	{"featured", []field{one(func(e *store.Event) *bool { return &e.Featured })}},
	{"hide_from_listings", []field{one(func(e *store.Event) *bool { return &e.HideFromListings })}},
	{"image", []field{one(func(e *store.Event) *int64 { return &e.Image })}},
	{"organizer", []field{list(func(e *store.Event) *[]int64 { return &e.Organizers })}},
	{"password", []field{one(func(e *store.Event) *string { return &e.Password })}},
	{"post_parent", []field{one(func(e *store.Event) *int64 { return &e.Parent })}},
	{"show_map", []field{one(func(e *store.Event) *bool { return &e.ShowMap })}},
	{"show_map_link", []field{one(func(e *store.Event) *bool { return &e.ShowMapLink })}},
	{"slug", []field{one(func(e *store.Event) *string { return &e.Slug })}},
	{"start_date", []field{one(func(e *store.Event) *store.Wall { return &e.Start })}},
	{"status", []field{
		one(func(e *store.Event) *store.Status { return &e.Status }),
		one(func(e *store.Event) *bool { return &e.WasDraft }),
	}},
	{"sticky", []field{one(func(e *store.Event) *bool { return &e.Sticky })}},
	{"tags", []field{list(func(e *store.Event) *[]int64 { return &e.Tags })}},
	{"ticketed", []field{one(func(e *store.Event) *bool { return &e.Ticketed })}},
	{"timezone", []field{one(func(e *store.Event) *string { return &e.Timezone })}},
	{"title", []field{one(func(e *store.Event) *string { return &e.Title })}},
	{"venue", []field{list(func(e *store.Event) *[]int64 { return &e.Venues })}},
	{"website", []field{
		one(func(e *store.Event) *string { return &e.Website }),
		one(func(e *store.Event) *bool { return &e.NoWebsite }),
	}},
}

// differing returns the sorted names of the members in which two events differ.
func differing(a, b *store.Event) (names []string) {
	for _, m := range members {
		if slices.ContainsFunc(m.fields, func(f field) bool { return !f.same(a, b) }) {
			names = append(names, m.name)
		}
	}
	return names
}

// copyMembers copies the wanted members of an event.
func copyMembers(to, from *store.Event, want func(name string) bool) {
	for _, m := range members {
		if want(m.name) {
			for _, f := range m.fields {
				f.copy(to, from)
			}
		}
	}
}

// wasSent reports whether a request sets a member.
func wasSent(values params.Values, name string) bool {
	switch name {
	case "date":
		return values.Has("date") || values.Has("date_utc")
	case "password":
		return values.Has(name) || values.Null(name)
	}
	return values.Has(name)
}
