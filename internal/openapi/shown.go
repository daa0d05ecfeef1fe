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
		"events": eventProperties(), "series": seriesProperties(), "venues": venueProperties(), "organizers": organizerProperties(),
		"categories": termProperties(), "tags": termProperties(),
	} {
		all[name] = map[string]bool{}
		for _, p := range properties {
			all[name][strings.TrimSuffix(p.name, "?")] = true
		}
	}
	return all
})

// Shows reports whether the records of a group, such as "events", are shown with a
// member, all of them or some.
func Shows(group, name string) bool { return members()[group][name] }
