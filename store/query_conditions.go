// Conditions that posting lists answer.

package store

import "almanac/store/eventindex"

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

// has reports whether a row is in the posting list, when the condition has no other.
func (c *condition) has(r eventindex.Row, t *eventindex.Timeline) bool {
	if bits := c.lists[0].bits; bits != 0 {
		return t.Bitmap(bits).Has(t.Place(r))
	}
	return c.lists[0].rows.Has(r, t.Compare)
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
