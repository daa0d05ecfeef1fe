// Which event is in which partition, and what moves them.

package store

import (
	"slices"

	"almanac/store/eventindex"
)

// makePartitions makes the partitions of an index that was filled without.
func (x *index) makePartitions() {
	var events []Record
	for _, e := range x.records[Events].All() {
		events = append(events, e)
	}
	x.fillPartitions(events)
}

// fillPartitions makes the partitions from all events, when everything can be put there
// in order.
func (x *index) fillPartitions(events []Record) {
	x.partitions = &[partitions]*partition{listed: newPartition(x.by), unlisted: newPartition(x.by), hidden: newPartition(x.by)}
	var by [partitions][]*Event
	for _, r := range events {
		e := r.(*Event)
		by[partitionOf(e)] = append(by[partitionOf(e)], e)
	}
	for i, part := range x.partitions {
		part.fill(x, by[i])
	}
}

// partitionOf returns the number of the partition that an event is in.
func partitionOf(e *Event) int {
	switch {
	case e.HideFromListings:
		return hidden
	case e.Status == Publish:
		return listed
	default:
		return unlisted
	}
}

// indexed returns an event with what other records say about it.
func (x *index) indexed(e *Event) indexedEvent {
	c := indexedEvent{Event: e, located: x.located(e)}
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

// beforeChange prepares the partitions for a record that is about to change, and returns
// what is to be done afterwards. Events are found in posting lists by what they were
// entered with, so that they have to be taken out before a venue or a category
// changes that said so.
func (x *index) beforeChange(old, next Record) (afterChange func()) {
	switch next := next.(type) {
	case *Venue:
		if was, ok := old.(*Venue); ok && was.located() != next.located() {
			return x.reindex(Venues, next.ID)
		}
	case *Term:
		if was, ok := old.(*Term); ok && was.Parent != next.Parent {
			return x.reindex(next.Taxonomy, next.ID)
		}
	}
	return func() {}
}

// moveEvent moves an event from what it was to what it is; nil is none.
func (x *index) moveEvent(old, next *Event) {
	switch {
	case old == nil:
		x.partitions[partitionOf(next)].add(x.indexed(next))
	case next == nil:
		x.partitions[partitionOf(old)].remove(x.indexed(old))
	case partitionOf(old) == partitionOf(next):
		x.partitions[partitionOf(old)].replace(x.indexed(old), x.indexed(next))
	default:
		x.partitions[partitionOf(old)].remove(x.indexed(old))
		x.partitions[partitionOf(next)].add(x.indexed(next))
	}
}

// reindex takes the events of a venue, or of a category and those below it, out
// of all posting lists, and enters them again afterwards.
func (x *index) reindex(k Kind, id int64) (after func()) {
	var rows [partitions][]eventindex.Row
	for i, part := range x.partitions {
		rows[i] = slices.Collect(part.linkedTo(k, id).All())
		for _, r := range rows[i] {
			part.removePostings(r, x.indexed(part.events.At(r)))
		}
	}
	return func() {
		for i, part := range x.partitions {
			for _, r := range rows[i] {
				c := x.indexed(part.events.At(r))
				part.timeline.SetSignature(r, c.signature())
				part.addPostings(r, c)
			}
		}
	}
}
