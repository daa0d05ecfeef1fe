// The part of a timeline that a range of starts and one of ends leave.

package store

import (
	"math"

	"almanac/store/eventindex"
)

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
		w.time.EachRunning(w.endMax, w.first, min(until, w.last), holds, f)
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
// have signatures that hold a signature, in order.
func (w *window) early(holds eventindex.Signature) []eventindex.Row {
	if w.endMin <= w.startMin {
		return nil
	}
	return w.time.Running(w.endMin-1, w.startMin, min(w.last, w.first-1), holds)
}
