// Checking a partition against one that was made of the records.

package store

import (
	"fmt"

	"almanac/store/eventindex"
)

// partition compares two partitions, whose rows may have other numbers.
func (c *checker) part(name string, got, want *partition) {
	found := len(c.found)
	if err := got.timeline.Check(); err != nil {
		c.report("%s events: %w", name, err)
	}
	c.rows(name+" events", got, want, got.timeline, want.timeline)
	if len(c.found) > found {
		return // nothing else can be compared
	}
	for i := range got.timeline.Len() {
		g, w := got.timeline.At(i), want.timeline.At(i)
		if is, should := got.timeline.Signature(g), want.timeline.Signature(w); is != should {
			c.report("%s event %d: its signature is %x, by the records %x", name, got.events.At(g).ID, is, should)
		}
		if e := got.events.At(g); got.timeline.Start(g) != int64(e.Start) || got.timeline.End(g) != int64(e.End) {
			c.report("%s event %d stands at the wrong time", name, e.ID)
		}
	}
	for k := range got.linked {
		for _, id := range keysOf(got.linked[k].Keys(), want.linked[k].Keys()) {
			what := fmt.Sprintf("%s events of %s %d", name, Kind(k), id)
			if p := got.linked[k].Get(id); p != nil && p.rows.Len() == 0 {
				c.report("%s: an empty list", what)
			}
			c.postings(what, got, want, got.linked[k].Get(id), want.linked[k].Get(id))
		}
	}
	for f := range flags {
		c.postings(fmt.Sprintf("%s events with flag %d", name, f), got, want, got.flags[f], want.flags[f])
	}
	if got.words != nil {
		err := got.words.Check(func(r uint32) ([]string, bool) {
			if int(r) >= got.events.Len() || got.events.At(r) == nil {
				return nil, false
			}
			return got.events.At(r).texts(), true
		}, got.events.Len())
		if err != nil {
			c.report("%s events: %w", name, err)
		}
	}
}

// postings compares two posting lists, and the bitmap of the first with its list.
func (c *checker) postings(what string, got, want *partition, g, w *postingList) {
	if g == nil || w == nil {
		if g != w {
			c.report("%s: indexed: %t, by the records: %t", what, g != nil, w != nil)
		}
		return
	}
	c.rows(what, got, want, &g.rows, &w.rows)
	if g.bits == 0 {
		return
	}
	rows := got.timeline.Bitmap(g.bits)
	if n := got.timeline.Select(0, got.timeline.Len(), []eventindex.Bitmap{rows}, nil).Len(); n != g.rows.Len() {
		c.report("%s: %d in the bitmap, %d in the list", what, n, g.rows.Len())
	}
	for r := range g.rows.All() {
		if !rows.Has(got.timeline.Place(r)) {
			c.report("%s: %d is not in the bitmap", what, got.events.At(r).ID)
		}
	}
}

// positioned is a timeline, or a list in its order.
type positioned interface {
	Len() int
	At(int) eventindex.Row
}

// rows compares what stands in two partitions by the records.
func (c *checker) rows(what string, got, want *partition, g, w positioned) {
	if g.Len() != w.Len() {
		c.report("%s: %d indexed, %d by the records", what, g.Len(), w.Len())
		return
	}
	for i := range w.Len() {
		if is, should := got.events.At(g.At(i)), want.events.At(w.At(i)); is != should {
			c.report("%s: position %d: %v indexed, %d by the records", what, i, idOf(is), should.ID)
			return
		}
	}
}

// idOf returns the id of an event, 0 for none.
func idOf(e *Event) int64 {
	if e == nil {
		return 0
	}
	return e.ID
}
