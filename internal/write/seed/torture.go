// The large values that often break calendars.

package seed

import (
	"fmt"
	"maps"
	"strings"

	"almanac/store"
)

const (
	organizers = 50               // of one event
	depth      = store.LevelsMost // of the tree of categories
	tags       = 60               // of one event
	longText   = 200_000          // bytes, the limit of requests
)

// large returns the records that are too large for a file.
func large() any {
	var categories, tagList, organizerList, events []map[string]any
	event := func(title string, more map[string]any) {
		e := map[string]any{
			"title":      title,
			"start_date": "@next-thursday 10:00",
			"end_date":   "@start+1h",
		}
		maps.Copy(e, more)
		events = append(events, e)
	}
	names := func(format string, n int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf(format, i+1))
		}
		return all
	}

	for i := range depth {
		c := map[string]any{
			nameMember: fmt.Sprint("level-", i+1),
			"name":     fmt.Sprint("Level ", i+1),
		}
		if i > 0 {
			c["parent"] = fmt.Sprint("$level-", i)
		}
		categories = append(categories, c)
	}
	for i, name := range names("organizer-%d", organizers) {
		organizerList = append(organizerList, map[string]any{
			nameMember:  name,
			"organizer": fmt.Sprint("Organizer ", i+1),
			"email":     name + "@example.org",
		})
	}
	for i, name := range names("tag-%d", tags) {
		tagList = append(tagList, map[string]any{
			nameMember: name,
			"name":     fmt.Sprint("Tag ", i+1),
		})
	}

	event("Fifty organizers", map[string]any{"organizer": names("$organizer-%d", organizers)})
	event("At the end of the tree", map[string]any{
		"categories": []string{fmt.Sprint("$level-", depth)},
	})
	event("At both ends of the tree", map[string]any{
		"categories": []string{fmt.Sprint("$level-", depth), "$level-1"},
	})
	event("Sixty tags", map[string]any{"tags": names("$tag-%d", tags)})
	event("A very long text", map[string]any{
		"description": strings.Repeat("All work and no play makes a dull calendar. ", longText/44),
	})
	event("A very long word", map[string]any{
		"description": strings.Repeat("Donaudampfschifffahrt", longText/21),
	})
	event("A text of very many lines", map[string]any{
		"description": strings.Repeat("a\n\n", longText/3),
		"excerpt":     strings.Repeat("x ", 1000),
	})
	event("Very deep markup", map[string]any{
		"description": strings.Repeat("<div>", 5000) + "deep" + strings.Repeat("</div>", 5000),
	})
	event(strings.Repeat("A title that goes on and on, ", 40)+"and ends", nil)
	event(strings.Repeat("日本語の長い題名", 40), nil)
	event(strings.Repeat("日本語の長い題名", 40), nil) // its slug is truncated at another place
	for range 30 {
		event("Many of the same", map[string]any{"date": "@yesterday"})
	}
	return map[string]any{
		"categories": categories,
		"tags":       tagList,
		"organizers": organizerList,
		"events":     events,
	}
}
