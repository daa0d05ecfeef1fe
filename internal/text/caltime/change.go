// When clocks are put forward or back.

package caltime

import "time"

// A Change is a moment from which on clocks in a zone show something else.
type Change struct {
	At            time.Time // in UTC; zero for what clocks have always shown
	Before, After int       // seconds east of UTC
	Abbr          string    // from then on
	Summer        bool      // clocks show summer time from then on
}

// Changes returns the change that made what clocks in the zone show at a moment, and those
// after that up to another moment, in order.
func (z *Zone) Changes(from, to time.Time) []Change {
	t := from.In(z.Location())
	now := shownAt(t)
	for {
		begin, _ := t.ZoneBounds()
		if begin.IsZero() {
			now.Before = now.After
			break
		}
		t = begin.Add(-time.Second)
		before := shownAt(t)
		now.At = begin.UTC()
		now.Before = before.After
		if before.shows() != now.shows() {
			break
		}
		now.At = time.Time{}
	}
	all := []Change{now}
	for t = from.In(z.Location()); ; {
		end, ok := boundAfter(t)
		if !ok || end > to.Unix() {
			return all
		}
		t = time.Unix(end, 0).In(z.Location())
		if next := shownAt(t); next.shows() != now.shows() {
			next.At = t.UTC()
			next.Before = now.After
			all = append(all, next)
			now = next
		}
	}
}

func shownAt(t time.Time) Change {
	abbr, offset := t.Zone()
	return Change{After: offset, Abbr: abbr, Summer: t.IsDST()}
}

// shows returns what clocks show from the change on, and nothing else.
func (c Change) shows() Change { return Change{After: c.After, Abbr: c.Abbr, Summer: c.Summer} }
