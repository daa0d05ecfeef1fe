// Sequences: whatever was found, read by position.

package eventindex

import "sort"

// A Sequence is rows in the order of a timeline, read by position.
type Sequence interface {
	// Len returns the number of rows.
	Len() int

	// Append appends the rows from position from, 0 or more, up to and without
	// position to, or to the end.
	Append(rows []Row, from, to int) []Row
}

// Rows is a sequence that is written out.
type Rows []Row

// Len returns the number of rows.
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
	Except   *List[Row] // rows of the timeline that are not there; positions count the others
	From, To int        // positions, From not above To

	// Rows of this part that are left out: how many they are, which, and a function
	// that calls f with those of them that start no later than until, in no order.
	Left     int
	LeftOut  func(Row) bool
	EachLeft func(until int64, f func(r Row, start int64))
}

// Len returns the number of rows.
func (s *Span) Len() int { return s.To - s.From - s.Left }

// Before returns the row that stands before the part, if there is one.
func (s *Span) Before() (r Row, ok bool) {
	if s.From == 0 {
		return 0, false
	}
	return s.at(s.From - 1), true
}

// After returns the row that stands behind the part, if there is one.
func (s *Span) After() (r Row, ok bool) {
	all := s.Timeline.Len() - s.Except.Len()
	if s.List != nil {
		all = s.List.Len()
	}
	if s.To == all {
		return 0, false
	}
	return s.at(s.To), true
}

// Append appends a part.
func (s *Span) Append(rows []Row, from, to int) []Row {
	if to = min(to, s.Len()); from >= to {
		return rows
	}
	i := s.From + from
	if s.Left > 0 {
		i = s.place(i)
	}
	switch {
	case s.Left == 0 && s.List == nil && s.Except == nil:
		return s.Timeline.Append(rows, i, i+to-from)
	case s.Left == 0 && s.List != nil:
		for block := range s.List.Blocks(i, i+to-from) {
			rows = append(rows, block...)
		}
		return rows
	}
	for ; from < to; i++ {
		if r := s.at(i); s.Left == 0 || !s.LeftOut(r) {
			rows = append(rows, r)
			from++
		}
	}
	return rows
}

// place returns a position from which on the row is found that would stand at i
// if nothing were left out. Each row that is left out before moves it further,
// which may bring in more.
func (s *Span) place(i int) int {
	type leaver struct {
		start int64
		row   Row
	}
	var leavers []leaver
	s.EachLeft(s.Timeline.Start(s.at(min(i+s.Left, s.To-1))), func(r Row, start int64) { leavers = append(leavers, leaver{start, r}) })
	for left := 0; ; {
		row := s.at(i + left)
		start, before := s.Timeline.Start(row), 0
		for _, l := range leavers {
			if l.start < start || l.start == start && s.Timeline.Compare(l.row, row) < 0 {
				before++
			}
		}
		if before == left {
			return i + left
		}
		left = before
	}
}

func (s *Span) at(i int) Row {
	if s.List != nil {
		return s.List.At(i)
	}
	if s.Except == nil {
		return s.Timeline.At(i)
	}
	// As many of those that are not there come before, until one has more than i others before it.
	return s.Timeline.At(i + sort.Search(s.Except.Len(), func(j int) bool { return s.Timeline.Position(s.Except.At(j))-j > i }))
}

// Chain is sequences one behind the other: all of each come before all of the
// next.
type Chain []Sequence

// Len returns the number of rows.
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

// A Union is two sequences in one order that have no row in common, as one.
type Union struct {
	A, B    Sequence
	Compare func(a, b Row) int
}

// Len returns the number of rows.
func (u *Union) Len() int { return u.A.Len() + u.B.Len() }

// Append appends a part.
func (u *Union) Append(rows []Row, from, to int) []Row {
	if to = min(to, u.Len()); from >= to {
		return rows
	}
	at := Split(u.A.Len(), u.B.Len(), from, func(i, j int) bool {
		return u.Compare(u.A.Append(nil, i, i+1)[0], u.B.Append(nil, j, j+1)[0]) < 0
	})
	a, b := u.A.Append(nil, at, at+to-from), u.B.Append(nil, from-at, to-at)
	return append(rows, Merge(a, b, u.Compare)[:to-from]...)
}

// Split returns how many of the first n items of two runs in one order, of a and b
// items, are of the first run. Less reports whether item i of the first comes before
// item j of the second.
func Split(a, b, n int, less func(i, j int) bool) int {
	low, high := max(0, n-b), min(n, a)
	for low < high {
		middle := (low + high) / 2
		// Are more than middle of them of the first? Then its next comes before the last
		// that the second would have among them.
		if less(middle, n-middle-1) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Merge makes one of two runs in order.
func Merge[T any](a, b []T, compare func(a, b T) int) []T {
	merged := make([]T, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) < 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}
