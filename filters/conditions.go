// Conditions that postings answer.

package filters

import (
	"almanac/store"
	"almanac/store/eventindex"
)

// A condition is met by the rows of any of its postings.
type condition struct {
	name     string
	postings []*store.Posting
	sketches []eventindex.Sketch // of the postings, in their order
	flag     bool                // it is a flag, of which the sketch says all
}

var flagNames = [...]string{store.Featured: "featured", store.Ticketed: "ticketed", store.Located: "geoloc", store.Protected: "password"}

// conditions returns what a listing asks for that the shelf has postings of, and
// the flags that must not be there.
func (f *Events) conditions(v *store.View, shelf *store.Shelf) (all []condition, excluded []store.Flag) {
	linked := func(name string, k store.Kind, ids []int64) {
		if ids == nil {
			return
		}
		c := condition{name: name}
		for _, id := range ids {
			if p := shelf.Linked(k, id); p != nil {
				c.postings = append(c.postings, p)
				c.sketches = append(c.sketches, store.SketchOfLink(k, id))
			}
		}
		all = append(all, c)
	}
	flagged := func(flag store.Flag, wanted *bool) {
		switch {
		case wanted == nil:
		case *wanted:
			all = append(all, condition{flagNames[flag], []*store.Posting{shelf.Flagged(flag)}, []eventindex.Sketch{store.SketchOfFlag(flag)}, true})
		default:
			excluded = append(excluded, flag)
		}
	}
	if shelf == v.Unlisted() && !f.Viewer.All { // first of all, see planner
		c := condition{name: "author"}
		if p := shelf.Authored(f.Viewer.Own); p != nil {
			c.postings, c.sketches = append(c.postings, p), append(c.sketches, store.SketchOfAuthor(f.Viewer.Own))
		}
		all = append(all, c)
	}
	linked("venue", store.Venues, f.Venues)
	linked("organizer", store.Organizers, f.Organizers)
	linked("tags", store.Tags, f.Tags)
	linked("categories", store.Categories, f.Categories)
	if f.Parent != 0 {
		linked("post_parent", store.Events, []int64{f.Parent})
	}
	if f.Near != nil {
		linked("near", store.Venues, f.Near.venues(v))
	}
	flagged(store.Featured, f.Featured)
	flagged(store.Ticketed, f.Ticketed)
	flagged(store.Located, f.Located)
	return all, excluded
}

// len returns how many rows meet the condition, whenever they are; those that
// meet it in several ways count as often.
func (c *condition) len() int {
	n := 0
	for _, p := range c.postings {
		n += p.Rows().Len()
	}
	return n
}

// count returns how many rows of the window meet the condition; those that meet
// it in several ways count as often.
func (c *condition) count(w window) int {
	n := 0
	for _, p := range c.postings {
		from, to := w.bounds(p.Rows())
		n += to - from
	}
	return n
}

// mayHold reports whether an event with a sketch may meet the condition.
func (c *condition) mayHold(sketch eventindex.Sketch) bool {
	for _, s := range c.sketches {
		if sketch.Holds(s) {
			return true
		}
	}
	return false
}

// has reports whether a row is in the posting, when the condition has no other.
func (c *condition) has(r eventindex.Row, t *eventindex.Timeline) bool {
	if set := c.postings[0].Set(t); set != nil {
		return set.Has(r)
	}
	return c.postings[0].Rows().Has(r, t.Compare)
}

// set returns a set that has those rows of the window that meet the condition,
// and says how many entries it took to make it.
func (c *condition) set(w window, t *eventindex.Timeline) (set *eventindex.Set, looked int) {
	if len(c.postings) == 1 {
		if set = c.postings[0].Set(t); set != nil {
			return set, 0
		}
	}
	set = t.NewSet()
	for _, p := range c.postings {
		from, to := w.bounds(p.Rows())
		for r := range p.Rows().Range(from, to) {
			set.Add(r)
		}
		looked += to - from
	}
	return set, looked
}
