// Plain members on the wire: they show their fields as they are.

package render

import "almanac/store"

// A plainMember is such a member of a record.
type plainMember[T any] struct {
	flag, text string // start of the member, by the type of the field
	at         func(*T) any
}

func plainMembers[T any](fields []store.Field[T], from, to string) (members []plainMember[T]) {
	for _, f := range store.PlainFields(fields, from, to) {
		name := `,"` + f.Member() + `":`
		members = append(members, plainMember[T]{name, name + `"`, f.At})
	}
	return members
}

var (
	eventFlags     = plainMembers(store.EventFields, "show_map", "ticketed")
	eventMore      = plainMembers(store.EventFields, "ticketed", "")
	venueTexts     = plainMembers(store.VenueFields, "address", "show_map")
	venueFlags     = plainMembers(store.VenueFields, "show_map", "")
	organizerTexts = plainMembers(store.OrganizerFields, "phone", "")
)

// writePlain writes plain members: flags are null if they are not told, and empty texts may be left out.
func writePlain[T any](w *writer, members []plainMember[T], r *T, told, empty bool) {
	for _, m := range members {
		switch value := m.at(r).(type) {
		case *bool:
			w.flagIf(told, m.flag, *value)
		case *string:
			if empty || *value != "" {
				w.text(m.text, *value)
			}
		}
	}
}
