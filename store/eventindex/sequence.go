// Sequences: whatever was found, read by position.

package eventindex

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
	From, To int        // positions, From not above To

	// Rows of this part that are left out: how many they are, which, and a function
	// that calls f with those of them that start no later than until, in no order.
	Left     int
	LeftOut  func(Row) bool
	EachLeft func(until int64, f func(r Row, start int64))
}

// Len returns the number of rows.
func (s *Span) Len() int { return s.To - s.From - s.Left }

// Append appends a part.
func (s *Span) Append(rows []Row, from, to int) []Row {
	if to = min(to, s.Len()); from >= to {
		return rows
	}
	i := s.From + from
	if s.Left > 0 {
		i = s.place(i)
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
	return s.Timeline.At(i)
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
