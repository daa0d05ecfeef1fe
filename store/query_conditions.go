// What a query asks of the indexes: conditions that posting lists answer, and the part
// of a timeline that a range of starts and one of ends leave.

package store

import (
	"math"

	"almanac/store/eventindex"
)

// A condition is met by the rows of any of its posting lists.
type condition struct {
	name       string
	lists      []*postingList
	signatures []eventindex.Signature // of the lists, in their order
	flag       bool                   // it is a flag, of which the signature says all
	unseen     []*postingList         // of rows of the lists that must not be counted
}

var flagNames = [flags]string{Featured: "featured", Ticketed: "ticketed", Located: "geoloc", Protected: "password", Recurring: "recurring"}

// conditions returns what a query asks for that a partition has posting lists of.
func (q *Query) conditions(part *partition, own bool) (all []condition) {
	linked := func(name string, k Kind, ids ...int64) {
		c := condition{name: name}
		for _, id := range ids {
			if list := part.linked[k].Get(id); list != nil {
				c.lists = append(c.lists, list)
				c.signatures = append(c.signatures, signatureOfLink(k, id))
			}
		}
		all = append(all, c)
	}
	if own { // first of all, see planner
		linked("author", authors, q.Author)
	}
	for _, l := range q.Links {
		linked(l.Name, l.Kind, l.IDs...)
	}
	for _, flag := range q.With {
		c := flagged(part, flag)
		if flag == Recurring {
			c.unseen = q.unseenLists(part)
		}
		all = append(all, c)
	}
	return all
}

// flagged returns the condition that an event has a flag.
func flagged(part *partition, flag Flag) condition {
	return condition{name: flagNames[flag], lists: []*postingList{part.flags[flag]},
		signatures: []eventindex.Signature{signatureOfFlag(flag)}, flag: true}
}

// len returns how many rows meet the condition, whenever they are; those that
// meet it in several ways count as often.
func (c *condition) len() int {
	n := 0
	for _, list := range c.lists {
		n += list.rows.Len()
	}
	for _, list := range c.unseen {
		n -= list.rows.Len()
	}
	return n
}

// count returns how many rows of the window meet the condition; those that meet
// it in several ways count as often.
func (c *condition) count(w *window) int {
	n := 0
	for _, list := range c.lists {
		from, to := w.bounds(&list.rows)
		n += to - from
	}
	for _, list := range c.unseen {
		from, to := w.bounds(&list.rows)
		n -= to - from
	}
	return n
}

// mayHold reports whether an event with a signature may meet the condition.
func (c *condition) mayHold(signature eventindex.Signature) bool {
	for _, s := range c.signatures {
		if signature.Holds(s) {
			return true
		}
	}
	return false
}

// has reports whether a row with a signature that may hold the condition is in one of its posting
// lists.
func (c *condition) has(r eventindex.Row, t *eventindex.Timeline) bool {
	for _, list := range c.lists {
		if c.flag || list.bits != 0 && t.Bitmap(list.bits).Has(t.Place(r)) || list.bits == 0 && list.rows.Has(r, t.Compare) {
			return true
		}
	}
	return false
}

// bitmap returns those rows of the window that meet the condition, and possibly
// others that do outside it, and how many entries it took to make it.
func (c *condition) bitmap(w *window) (rows eventindex.Bitmap, looked int) {
	if len(c.lists) == 1 && c.lists[0].bits != 0 {
		return w.time.Bitmap(c.lists[0].bits), 0
	}
	rows = w.time.NewBitmap()
	for _, list := range c.lists {
		from, to := w.bounds(&list.rows)
		for r := range list.rows.Range(from, to) {
			rows.Set(w.time.Place(r))
		}
		looked += to - from
	}
	return rows, looked
}

// A window is the rows that the ranges of starts and ends of a query leave of one
// timeline. No event ends before it starts: those that start from first to last
// end late enough, and of them only those that run at endMax end too late;
// beside them there are some that start before first and run at its beginning.
type window struct {
	time           *eventindex.Timeline
	startMin       int64
	first, last    int64 // starts, both included
	endMin, endMax int64
	from, to       int // positions of these starts
}

func windowOf(q *Query, t *eventindex.Timeline) window {
	w := window{
		time: t, startMin: int64(q.Start.Min), endMin: int64(q.End.Min), endMax: int64(q.End.Max),
		first: int64(max(q.Start.Min, q.End.Min)), last: int64(min(q.Start.Max, q.End.Max)),
	}
	if q.Beyond {
		w.endMin++
	}
	w.from = t.Before(w.first)
	w.to = t.Len()
	if w.last < math.MaxInt64 {
		w.to = t.Before(w.last + 1)
	}
	w.to = max(w.from, w.to)
	return w
}

// bounds returns the positions of the window in a list by time.
func (w *window) bounds(list *eventindex.List[eventindex.Row]) (from, to int) {
	from = list.Find(func(r eventindex.Row) bool { return w.time.Start(r) >= w.first })
	to = list.Find(func(r eventindex.Row) bool { return w.time.Start(r) > w.last })
	return from, max(from, to)
}

// isLate reports whether a row ends too late.
func (w *window) isLate(r eventindex.Row) bool {
	return w.endMax < math.MaxInt64 && w.time.End(r) > w.endMax
}

// eachLate calls f, in no order, with the rows of the window that end too late,
// start no later than until, and have signatures that hold a signature.
func (w *window) eachLate(until int64, holds eventindex.Signature, f func(r eventindex.Row, start int64)) {
	if w.endMax < math.MaxInt64 && w.from < w.to {
		until = min(until, w.last)
		w.time.EachRunning(w.endMax, w.first, &until, holds, f)
	}
}

// late returns the rows of the window that end too late and have signatures that
// hold a signature.
func (w *window) late(holds eventindex.Signature) (rows []eventindex.Row) {
	w.eachLate(w.last, holds, func(r eventindex.Row, _ int64) { rows = append(rows, r) })
	return rows
}

// countLate returns the number of those that end too late. When the window is
// bounded by ends alone, that is how many have started by then less how many
// have ended, but for those that run all through it: only events as long as the
// window have to be looked at.
func (w *window) countLate() int {
	switch {
	case w.endMax == math.MaxInt64 || w.from == w.to:
		return 0
	case w.last != w.endMax:
		return w.time.CountRunning(w.endMax, w.first, w.last)
	}
	through := 0
	if w.first > math.MinInt64 {
		through = w.time.CountRunning(w.endMax, math.MinInt64, w.first-1)
	}
	return w.to - w.time.Ended(w.endMax+1) - through
}

// early returns the rows that start before the window's own and run into it, and
// have signatures that hold a signature, in no order.
func (w *window) early(holds eventindex.Signature) []eventindex.Row {
	if w.endMin <= w.startMin {
		return nil
	}
	return w.time.Running(w.endMin-1, w.startMin, min(w.last, w.first-1), holds)
}
