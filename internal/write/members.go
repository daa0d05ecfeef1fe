// The members of events in the API, and their fields.

package write

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"almanac/internal/wire/params"
	"almanac/store"
	"almanac/store/record"
)

// members has the fields of an event that a client may change, in the order of their members in
// the API. The names of these list the overrides of an event of a series.
var members = func() []record.Field[store.Event] {
	all := slices.Clone(record.EventFields)
	for _, f := range record.PostFields {
		all = append(all, record.Field[store.Event]{
			Name: f.Name,
			API:  f.API,
			At:   func(e *store.Event) any { return f.At(&e.Post) },
		})
	}
	all = slices.DeleteFunc(all, func(f record.Field[store.Event]) bool { return f.API == "-" })
	slices.SortStableFunc(
		all,
		func(a, b record.Field[store.Event]) int { return cmp.Compare(a.Member(), b.Member()) },
	)
	return all
}()

// differing returns the sorted names of the members in which two events differ.
func differing(a, b *store.Event) (names []string) {
	for _, f := range members {
		if !f.Same(a, b) {
			names = append(names, f.Member())
		}
	}
	return slices.Compact(names)
}

// copyMembers copies the wanted members of an event.
func copyMembers(to, from *store.Event, want func(name string) bool) {
	for _, f := range members {
		if want(f.Member()) {
			f.Copy(to, from)
		}
	}
}

// setPlain sets the plain fields whose members were sent.
func setPlain[T any](d Draft, fields []record.Field[T], r *T) {
	for _, f := range fields {
		name := f.Member()
		if f.Use&record.Plain == 0 || !d.Has(name) {
			continue
		}
		switch field := f.At(r).(type) {
		case *bool:
			*field = d.Bool(name)
		case *string:
			if *field = d.Text(name); d.File != nil { // as the file has it
				continue
			}
			if *field = detail(*field); *field == "0" && (name == "website" || name == "stateprovince") {
				*field = "" // The Events Calendar stores none for 0
			}
		}
	}
}

// Same reports whether a stored record and its next version are equal on disk.
func Same(a, b store.Record) bool {
	wrong := record.WriteMore(b)
	x, first := json.Marshal(a)
	y, second := json.Marshal(b)
	return cmp.Or(wrong, first, second) == nil && bytes.Equal(x, y)
}

// wasSent reports whether a request sets a member.
func wasSent(values params.Values, name string) bool {
	switch name {
	case "date":
		return values.Has("date") || values.Has("date_utc")
	case "event_status_reason": // a new state empties it
		return values.Has(name) || values.Has("event_status")
	case "custom_fields": // imports alone set them
		return false
	case "password":
		return values.Has(name) || values.Null(name)
	}
	return values.Has(name)
}
