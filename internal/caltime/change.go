// When clocks are put forward or back.

package caltime

import "time"

// changeReach is how far a change is looked for, in days: further back than the
// first zone of all, and a look of some milliseconds for a zone without any.
const changeReach = 200 * 366

// nextChange returns the first moment after t from which on clocks in the zone
// show another offset, and how many seconds they are put forward by, which is
// less than 0 when they are put back. It finds nothing beyond changeReach.
func (z *Zone) nextChange(t time.Time) (at time.Time, by int, ok bool) {
	const day = 24 * 60 * 60
	from := t.Unix()
	for range changeReach {
		if z.at(from).offset == z.at(from+day).offset {
			from += day
			continue
		}
		// Two changes within a day are none that any zone has had. Between old,
		// which still has the old offset, and changed lies the one.
		old, changed := from, from+day
		for changed-old > 1 {
			middle := old + (changed-old)/2
			if z.at(middle).offset == z.at(from).offset {
				old = middle
			} else {
				changed = middle
			}
		}
		return time.Unix(changed, 0).UTC(), int(z.at(changed).offset - z.at(old).offset), true
	}
	return time.Time{}, 0, false
}

// lastChange returns the last moment not after t from which on clocks in the
// zone show another offset, as nextChange does.
func (z *Zone) lastChange(t time.Time) (at time.Time, by int, ok bool) {
	const day = 24 * 60 * 60
	until := t.Unix()
	for range changeReach {
		if z.at(until-day).offset != z.at(until).offset {
			return z.nextChange(time.Unix(until-day, 0))
		}
		until -= day
	}
	return time.Time{}, 0, false
}

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
		now.At, now.Before = begin.UTC(), before.After
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
			next.At, next.Before = t.UTC(), now.After
			all, now = append(all, next), next
		}
	}
}

func shownAt(t time.Time) Change {
	abbr, offset := t.Zone()
	return Change{After: offset, Abbr: abbr, Summer: t.IsDST()}
}

// shows returns what clocks show from the change on, and nothing else.
func (c Change) shows() Change { return Change{After: c.After, Abbr: c.Abbr, Summer: c.Summer} }
