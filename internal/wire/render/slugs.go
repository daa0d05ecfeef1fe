// The words that addresses of pages of events begin with.

package render

import (
	"cmp"
	"strings"
)

// Slugs are the first segments of the addresses of an event and of lists of events, for sites
// that named them otherwise than we. Everything but Page and Meant knows ours alone.
type Slugs struct{ Event, Events string } // "" is ours

// Views are the views of lists, which addresses of pages name.
var Views = []string{
	"list",
	"month",
	"week",
	"day",
	"today",
	"past",
	"tomorrow",
	"this-weekend",
	"this-week",
}

// a word is a first segment, as we write it and as the site does.
type word struct{ ours, sites string }

func (s Slugs) words() [2]word {
	return [...]word{
		{"/event", "/" + cmp.Or(s.Event, "event")},
		{"/events", "/" + cmp.Or(s.Events, "events")},
	}
}

// Page returns the path of a page, below a base address, as the site writes it.
func (s Slugs) Page(path string) string {
	if s == (Slugs{}) {
		return path
	}
	for _, w := range s.words() {
		if below, ok := cutSegment(path, w.ours); ok {
			return w.sites + below
		}
	}
	return path
}

// Meant returns the path of a page, as the site writes it, as we do. It reports whether the
// site writes it so: where ours is another, it is not the site's.
func (s Slugs) Meant(path string) (ours string, ok bool) {
	for _, w := range s.words() {
		if below, ok := cutSegment(path, w.sites); ok {
			return w.ours + below, true
		}
	}
	return path, s.Page(path) == path
}

// cutSegment returns what is behind the first segment of a path, and whether it is that.
func cutSegment(path, first string) (below string, ok bool) {
	below, ok = strings.CutPrefix(path, first)
	return below, ok && (below == "" || below[0] == '/')
}
