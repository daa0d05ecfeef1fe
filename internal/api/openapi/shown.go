// Members of records in answers, which clients may send back.

package openapi

import (
	"strings"
	"sync"
)

// members has the members of the records of each group, by its name.
var members = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for name, properties := range map[string][]property{
		"events":     eventProperties(),
		"series":     seriesProperties(),
		"venues":     venueProperties(),
		"organizers": organizerProperties(),
		"categories": termProperties(),
		"tags":       termProperties(),
	} {
		all[name] = map[string]bool{}
		for _, p := range properties {
			all[name][strings.TrimSuffix(p.name, "?")] = true
		}
	}
	return all
})

// Ignored returns the names that have no effect among the unknown names in a write by an
// operation, in order. It leaves out the names that clients send everywhere (a leading underscore,
// rest_route, context, and the force of a delete) and the members that records show, since a
// record may be sent back as it was read. Exceptions are slug and excerpt when a record is made
// that takes none: a client sends them on purpose.
func Ignored(operation string, unknown []string) (names []string) {
	records, verb, _ := strings.Cut(operation, ".")
	for _, name := range unknown {
		of, inside, nested := strings.Cut(name, ".")
		if !nested || of != "venue" && of != "organizer" {
			of = records
			inside = name
		} else {
			of += "s"
		}
		switch {
		case strings.HasPrefix(inside, "_"),
			inside == "rest_route",
			inside == "context",
			inside == "force":
		case members()[of][inside] && !((verb == "create" || of != records) && (inside == "slug" || inside == "excerpt")):
		default:
			names = append(names, name)
		}
	}
	return names
}
