// Sequences: whatever was found, read by position.

package order

import "sort"

// A Sequence is rows in the order of a timeline, read by position.
type Sequence interface {
	// Len gives the number of rows.
	Len() int

	// Append appends the rows from position from, 0 or more, up to and without
	// position to, or to the end.
	Append(rows []Row, from, to int) []Row
}

// Rows is a sequence that is written out.
type Rows []Row

// Len gives the number of rows.
func (s Rows) Len() int { return len(s) }

// Append appends a part.
func (s Rows) Append(rows []Row, from, to int) []Row {
	if to = min(to, len(s)); from >= to {
		return rows
	}
	return append(rows, s[from:to]...)
}

// A Span is the part of a timeline, or of a list in its order, between two
// positions, without some rows.
type Span struct {
	Timeline *Timeline
	List     *List[Row] // nil for the timeline itself
	From, To int        // positions, From not above To
	Left     int        // how many rows of this part are left out

	// LeftOut gives those that start no later than until, in order. It is asked
	// only for what a page needs.
	LeftOut func(until int64) []Row
}

// Len gives the number of rows.
func (s *Span) Len() int { return s.To - s.From - s.Left }

// Append appends a part. Where it begins is known at once, but for rows that are
// left out before.
func (s *Span) Append(rows []Row, from, to int) []Row {
	if to = min(to, s.Len()); from >= to {
		return rows
	}
	leftOut := s.leftOut(to)
	// With k rows left out before it, the row that is wanted stands at From +
	// from + k; k is the first for which the next that is left out stands behind.
	k := 0
	if len(leftOut) > 0 && s.Timeline.Compare(leftOut[0], s.at(s.From+from)) <= 0 {
		k = sort.Search(len(leftOut), func(k int) bool { return s.position(leftOut[k])-k > s.From+from })
	}
	leftOut = leftOut[k:]
	for i := s.From + from + k; from < to; i++ {
		r := s.at(i)
		if len(leftOut) > 0 && leftOut[0] == r {
			leftOut = leftOut[1:]
			continue
		}
		rows = append(rows, r)
		from++
	}
	return rows
}

// leftOut gives the rows that are left out up to the row at position to. Each of
// them moves that row further, which may bring in more.
func (s *Span) leftOut(to int) []Row {
	if s.Left == 0 {
		return nil
	}
	var found []Row
	for {
		last := min(s.From+to-1+len(found), s.To-1)
		more := s.LeftOut(s.Timeline.starts[s.at(last)])
		if len(more) == len(found) {
			return found
		}
		found = more
	}
}

func (s *Span) at(i int) Row {
	if s.List != nil {
		return s.List.At(i)
	}
	return s.Timeline.At(i)
}

func (s *Span) position(r Row) int {
	if s.List != nil {
		return s.List.Find(func(other Row) bool { return s.Timeline.Compare(other, r) >= 0 })
	}
	return s.Timeline.Position(r)
}

// Chain is sequences one behind the other: all of each come before all of the
// next.
type Chain []Sequence

// Len gives the number of rows.
func (c Chain) Len() int {
	n := 0
	for _, s := range c {
		n += s.Len()
	}
	return n
}

// Append appends a part.
func (c Chain) Append(rows []Row, from, to int) []Row {
	for _, s := range c {
		if from < to {
			rows = s.Append(rows, max(0, from), to)
		}
		from, to = from-s.Len(), to-s.Len()
	}
	return rows
}
