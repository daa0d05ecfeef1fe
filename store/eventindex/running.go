// Rows by how long they last: which of them run at a moment.

package eventindex

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// An interval is a row with its times and its signature: all that is asked of the rows
// that run at a moment, of which there may be thousands in as many places of
// memory.
type interval struct {
	start     int64
	signature Signature
	row       Row
	length    uint32 // 0 where it does not fit, see fits
}

// lengthClass returns the number of the list of lengths for rows that last so long.
func lengthClass(length int64) int { return bits.Len64(uint64(length)) }

// fits is the last class whose lengths stand beside the rows: more are 136 years.
// longest is the one from which on lengths are not used to find the first that
// may run: so many seconds are more than the years 0 to 9999 have, and
// subtracting them could overflow.
const (
	fits    = 32
	longest = 40
)

// interval returns a row as the list of its length has it, and the number of that.
func (t *Timeline) interval(r Row) (s interval, n int) {
	s = interval{start: t.starts.At(r), signature: t.signatures.At(r), row: r}
	length := t.ends.At(r) - s.start
	if n = lengthClass(length); n <= fits {
		s.length = uint32(length)
	}
	return s, n
}

func (t *Timeline) compareIntervals(a, b interval) int {
	if c := cmp.Compare(a.start, b.start); c != 0 || a.row == b.row {
		return c
	}
	return t.tie(a.row, b.row)
}

// addLength and removeLength change the lists of lengths. There are as many of
// these as the longest row needs.
func (t *Timeline) addLength(r Row) {
	s, n := t.interval(r)
	for len(t.lengths) <= n {
		t.lengths = append(t.lengths, List[interval]{})
	}
	t.lengths[n].Insert(t.by, s, t.compareIntervals)
}

func (t *Timeline) removeLength(r Row) {
	s, n := t.interval(r)
	t.lengths[n].Remove(t.by, s, t.compareIntervals)
}

// EachRunning calls f, in no order, with the rows that start between first and
// last, both included, that have started by a moment and end after it, and whose
// signatures hold a signature. f may lower last. It looks at about as many rows as
// run at that moment, whatever the longest of all may be: a row that lasts less than
// 2^n started less than 2^n before. Those that started long before come soon.
func (t *Timeline) EachRunning(at, first int64, last *int64, holds Signature, f func(r Row, start int64)) {
	*last = min(*last, at)
	for n := len(t.lengths) - 1; n >= 0; n-- {
		since := first
		if n < longest {
			since = max(first, at-(1<<n)+1)
		}
		l := &t.lengths[n]
		if l.Len() == 0 || since > *last {
			continue
		}
		for b := sort.Search(len(l.runs), func(i int) bool { return l.runs[i].last().start >= since }); b < len(l.runs); b++ {
			intervals := l.runs[b].items
			if intervals[0].start < since {
				intervals = intervals[sort.Search(len(intervals), func(i int) bool { return intervals[i].start >= since }):]
			}
			for i := range intervals {
				s := &intervals[i]
				if s.start > *last {
					break
				}
				if s.signature.Holds(holds) && (n <= fits && s.start+int64(s.length) > at || n > fits && t.ends.At(s.row) > at) {
					f(s.row, s.start)
				}
			}
			if l.runs[b].last().start > *last {
				break
			}
		}
	}
}

// CountRunning returns the number of the rows of EachRunning.
func (t *Timeline) CountRunning(at, first, last int64) int {
	n := 0
	t.EachRunning(at, first, &last, 0, func(Row, int64) { n++ })
	return n
}

// Running returns the rows of EachRunning, in no order.
func (t *Timeline) Running(at, first, last int64, holds Signature) []Row {
	var found []Row
	t.EachRunning(at, first, &last, holds, func(r Row, _ int64) { found = append(found, r) })
	return found
}

// Runners is the rows that start before a moment and end then or later, or beyond it, as a Sequence.
// They are counted without a look at them, and found when they are asked for.
type Runners struct {
	Timeline *Timeline
	At       int64
	Beyond   bool
}

// Len returns the number of rows. No row ends before it starts.
func (s Runners) Len() int {
	n := s.Timeline.Before(s.At) - s.Timeline.Ended(s.At+s.beyond())
	if s.Beyond { // those that end when they start, at the moment, have not started before
		n += s.Timeline.instants(s.At)
	}
	return n
}

// instants returns how many rows start at a moment and end then.
func (t *Timeline) instants(at int64) int {
	if len(t.lengths) == 0 {
		return 0
	}
	all := &t.lengths[0]
	return all.Find(func(i interval) bool { return i.start > at }) - all.Find(func(i interval) bool { return i.start >= at })
}

func (s Runners) beyond() int64 {
	if s.Beyond {
		return 1
	}
	return 0
}

// Append appends a part.
func (s Runners) Append(rows []Row, from, to int) []Row {
	if to = min(to, s.Len()); from >= to {
		return rows
	}
	n := len(rows)
	rows = s.appendFirst(rows, to, math.MinInt64, func(Row) bool { return true })
	return slices.Delete(rows, n, n+from)
}

// appendFirst appends the first n rows, or all there are, of those that start at some time or
// later and that are wanted.
func (s Runners) appendFirst(rows []Row, n int, since int64, wanted func(Row) bool) []Row {
	type runner struct {
		start int64
		row   Row
	}
	compare := func(a, b runner) int {
		if c := cmp.Compare(a.start, b.start); c != 0 || a.row == b.row {
			return c
		}
		return s.Timeline.tie(a.row, b.row)
	}
	var few [8]runner
	first, last := few[:0], s.At-1 // in order
	s.Timeline.EachRunning(s.At-1+s.beyond(), since, &last, 0, func(r Row, start int64) {
		next := runner{start, r}
		switch {
		case !wanted(r):
			return
		case n > firstRunners:
			first = append(first, next)
			return
		case len(first) == n && compare(next, first[n-1]) > 0:
			return
		case len(first) == n:
			first = first[:n-1]
		}
		at, _ := slices.BinarySearchFunc(first, next, compare)
		if first = slices.Insert(first, at, next); len(first) == n {
			last = first[n-1].start
		}
	})
	if n > firstRunners {
		slices.SortFunc(first, compare)
	}
	for _, next := range first[:min(n, len(first))] {
		rows = append(rows, next.row)
	}
	return rows
}

// firstRunners is how many of the first rows are found without putting all in order.
const firstRunners = 64

// Stretches calls yield with the rows that touch each of n stretches of time, one behind the
// other: the first ones, at most so many, during the call alone, and how many touch it.
// A row that ends with a stretch does not touch the next, unless it starts then.
func (t *Timeline) Stretches(first, length int64, n, most int, yield func(i int, rows []Row, total int)) {
	rows, before := make([]Row, 0, most), t.Before(first)
	var bounds [8]boundary
	for i := range n {
		runners := Runners{t, first + int64(i)*length, true}
		if i%len(bounds) == 0 {
			t.bound(runners.At, length, bounds[:])
		}
		full, since := len(rows) == most && most > 0, int64(math.MinInt64)
		var last Row
		if full {
			last = rows[most-1]
			since = t.starts.At(last)
		}
		rows = slices.DeleteFunc(rows, func(r Row) bool { return t.ends.At(r) <= runners.At })
		if len(rows) < most && (full || i == 0) {
			// What was not among the rows comes after the last of them, if it touched the stretch before.
			rows = runners.appendFirst(rows, most-len(rows), since, func(r Row) bool { return !full || t.Compare(r, last) > 0 })
		}
		b := &bounds[i%len(bounds)]
		to := b.started + b.ofBlock
		if len(rows) < most {
			rows = t.Append(rows, before, min(to, before+most-len(rows)))
		}
		yield(i, rows, to-b.ended-b.ofRun+t.instants(runners.At))
		before = to
	}
}

// A boundary is how many rows start before a stretch of time is over, and how many have ended when
// it begins: those before a block, or a run of the order of ends, and those of it.
type boundary struct {
	started, ofBlock int
	starts           []int64 // of the block
	ended, ofRun     int
	ends             []int64 // of the run
}

// bound finds the boundaries of stretches of time, one behind the other. Each step of a search waits for
// a place of memory: all searches take it together.
func (t *Timeline) bound(first, length int64, all []boundary) {
	b := sort.Search(len(t.latest), func(i int) bool { return t.latest[i] >= first+length })
	runs := t.byEnd.runs
	r := sort.Search(len(runs), func(i int) bool { return runs[i].last() > first })
	for i := range all {
		at := first + int64(i)*length
		for b < len(t.latest) && t.latest[b] < at+length {
			b++
		}
		for r < len(runs) && runs[r].last() <= at {
			r++
		}
		all[i] = boundary{started: t.count, ended: t.count}
		if b < len(t.latest) {
			all[i].started, all[i].starts = t.before[b], t.blocks[t.inOrder[b]].starts
		}
		if r < len(runs) {
			all[i].ended, all[i].ends = t.byEnd.starts[r], runs[r].items
		}
	}
	for step := max(slots, blockSize) / 2; step > 0; step /= 2 { // the last of a block or a run is counted by none
		for i := range all {
			s, at := &all[i], first+int64(i)*length
			if n := s.ofBlock + step; n <= len(s.starts) && s.starts[n-1] < at+length {
				s.ofBlock = n
			}
			if n := s.ofRun + step; n <= len(s.ends) && s.ends[n-1] <= at {
				s.ofRun = n
			}
		}
	}
}
