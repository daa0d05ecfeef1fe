// Which event is on which shelf, and what moves them.

package store

import (
	"slices"

	"almanac/store/eventindex"
)

// shelve makes the shelves of an index that was filled without.
func (x *index) shelve() {
	var events []Record
	for _, e := range x.records[Events].All() {
		events = append(events, e)
	}
	x.shelveAll(events)
}

// shelveAll makes the shelves from all events, when everything can be put there
// in order.
func (x *index) shelveAll(events []Record) {
	x.shelves = &[shelves]*Shelf{listed: newShelf(x.by), unlisted: newShelf(x.by), hidden: newShelf(x.by)}
	var by [shelves][]*Event
	for _, r := range events {
		e := r.(*Event)
		by[shelfOf(e)] = append(by[shelfOf(e)], e)
	}
	for i, shelf := range x.shelves {
		shelf.fill(x, by[i])
	}
}

// shelfOf returns the number of the shelf that an event is on.
func shelfOf(e *Event) int {
	switch {
	case e.HideFromListings:
		return hidden
	case e.Status == Publish:
		return listed
	default:
		return unlisted
	}
}

// carrier returns an event with what other records say about it.
func (x *index) carrier(e *Event) carrier {
	c := carrier{Event: e, located: x.located(e)}
	for _, id := range e.Categories {
		// Each category that is there already has those above it with it.
		for id != 0 && !slices.Contains(c.above, id) {
			c.above = append(c.above, id)
			term, ok := x.records[Categories].Get(id).(*Term)
			if !ok {
				break
			}
			id = term.Parent
		}
	}
	return c
}

// located reports whether lists know where one of the venues of an event is.
func (x *index) located(e *Event) bool {
	return slices.ContainsFunc(e.Venues, func(id int64) bool {
		venue, ok := x.records[Venues].Get(id).(*Venue)
		return ok && venue.located()
	})
}

// located reports whether lists know where the venue is: what is not published
// is nowhere, or asking for places would find out.
func (v *Venue) located() bool { return v.Geo != nil && v.Status == Publish }

// unsettle prepares the shelves for a record that is about to change, and returns
// what is to be done afterwards. Events are found in postings by what they were
// entered with, so that they have to be taken out before a venue or a category
// changes that said so.
func (x *index) unsettle(old, next Record) (settle func()) {
	switch next := next.(type) {
	case *Venue:
		if was, ok := old.(*Venue); ok && was.located() != next.located() {
			return x.recover(Venues, next.ID)
		}
	case *Term:
		if was, ok := old.(*Term); ok && was.Parent != next.Parent {
			return x.recover(next.Taxonomy, next.ID)
		}
	}
	return func() {}
}

// reshelve moves an event from what it was to what it is; nil is none.
func (x *index) reshelve(old, next *Event) {
	switch {
	case old == nil:
		x.shelves[shelfOf(next)].add(x.carrier(next))
	case next == nil:
		x.shelves[shelfOf(old)].remove(x.carrier(old))
	case shelfOf(old) == shelfOf(next):
		x.shelves[shelfOf(old)].replace(x.carrier(old), x.carrier(next))
	default:
		x.shelves[shelfOf(old)].remove(x.carrier(old))
		x.shelves[shelfOf(next)].add(x.carrier(next))
	}
}

// recover takes the events of a venue, or of a category and those below it, out
// of all postings, and enters them again afterwards.
func (x *index) recover(k Kind, id int64) (after func()) {
	var rows [shelves][]eventindex.Row
	for i, shelf := range x.shelves {
		rows[i] = slices.Collect(shelf.Linked(k, id).Rows().All())
		for _, r := range rows[i] {
			shelf.uncover(r, x.carrier(shelf.events.At(r)))
		}
	}
	return func() {
		for i, shelf := range x.shelves {
			for _, r := range rows[i] {
				c := x.carrier(shelf.events.At(r))
				shelf.timeline.SetSketch(r, c.sketch())
				shelf.cover(r, c)
			}
		}
	}
}
