// Plain members on the wire: they show their fields as they are.

package render

import "almanac/store/record"

var (
	eventFlags     = record.PlainFields(record.EventFields, "show_map", "ticketed")
	eventMore      = record.PlainFields(record.EventFields, "ticketed", "virtual_url")
	venueTexts     = record.PlainFields(record.VenueFields, "address", "show_map")
	venueFlags     = record.PlainFields(record.VenueFields, "show_map", "")
	organizerTexts = record.PlainFields(record.OrganizerFields, "phone", "")
)

// writePlain writes plain members: flags are null if they are not told, and empty texts may be
// left out.
func writePlain[T any](w *writer, fields []record.Field[T], r *T, told, empty bool) {
	for i := range fields {
		f := &fields[i]
		switch value := f.At(r).(type) {
		case *bool:
			w.name(f.Name)
			w.flagIf(told, "", *value)
		case *string:
			if empty || *value != "" {
				w.name(f.Name)
				w.text(`"`, *value)
			}
		}
	}
}

// name writes the name of a member that goes on in an object.
func (w *writer) name(name string) { w.b = append(append(append(w.b, `,"`...), name...), `":`...) }
