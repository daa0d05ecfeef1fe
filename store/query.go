// Queries: what a list of events asks for, and what is found.

package store

import (
	"math"
	"slices"

	"almanac/store/eventindex"
)

// A Query asks for events. All its conditions have to be met. Hidden events are
// never found.
//
// Match is the rule, and the other conditions are what the indexes narrow the
// search by: each of them must be true of every event for which Match is true.
type Query struct {
	Published   bool  // published events
	Unpublished bool  // events of every other status
	Author      int64 // of the unpublished events, only those of this account; 0 is those of everybody

	Start, End Range // of the event's own wall clock; the zero Range is a second of 1970
	Beyond     bool  // events that start before End.Min have to end after it
	Links      []Links
	With       []Flag // flags that the event must have
	Without    []Flag // flags that the event must not have
	Text       *Text  // nil: the texts do not matter

	FirstOfSeries bool // of each series only the first event that meets the conditions

	// HiddenSeries are the ids of series, in order, whose events count as events of no
	// series: for FirstOfSeries, and for Recurring in Without.
	HiddenSeries []int64

	// Match reports whether an event meets all conditions but Text. Residual says that
	// it asks for more than the other conditions say of published events; of
	// unpublished ones it may in any case.
	Match    func(*Event) bool
	Residual bool

	Hints Hints
}

// A Range is wall clocks from Min to Max, both included.
type Range struct{ Min, Max Wall }

// Always returns the range that holds every wall clock.
func Always() Range { return Range{math.MinInt64, math.MaxInt64} }

// Has reports whether a wall clock is in the range.
func (r Range) Has(w Wall) bool { return r.Min <= w && w <= r.Max }

// Links is the condition that an event is linked to one of some records: venues,
// organizers, tags, categories, series or (kind Events) a parent event. An event of a
// category is linked to all categories above that, too.
type Links struct {
	Name string // what the Plan calls the condition
	Kind Kind
	IDs  []int64
}

// A Text is the condition that title, excerpt and description of an event together
// hold some texts, and none of some others.
type Text struct {
	Words    []string // folded texts, as markup.Fold makes them, that must be there
	Excluded []string // folded texts that must not be there

	// Match reports whether the texts of an event meet the condition.
	Match func(*Event) bool

	// Closed reports whether a protected event is closed to whoever asks: that its
	// texts hold the words is not enough then, and Match decides. Nil says that all
	// protected events are closed, and that Match is false of them.
	Closed func(*Event) bool
}

// Hints change how events are found, and never which: for tests and measurements.
type Hints struct {
	Join    bool // bitmaps are joined, even where looking at each candidate would be quicker
	NoWords bool // texts are read, as if their words were not indexed yet
}

// A Plan says how something was found.
type Plan struct {
	Index      string // what was gone through
	Candidates int    // how many records, or entries of an index, were looked at
}

// Found is the events that a Query finds, by start, then publication, then id. It
// is valid as long as the View that it is of.
type Found struct {
	Total int
	Plan  Plan

	// Unread says that Match of the query's Text has still to be asked about each
	// event, for which Total counts too: the words alone do not tell. NoWords says that
	// the reason may be that they are not indexed yet.
	Unread, NoWords bool

	// Repeats says that of series all events are here, and that Total counts them all,
	// though the query asks for the first ones: who has read the texts leaves them.
	Repeats bool

	answers [2]answer // of the partitions that hold some, one behind the other
	parts   int       // how many these are
}

// Find finds the events that a query asks for. It reads indexes, and of the events
// only what these cannot tell.
func (v *View) Find(q *Query) Found {
	if q.FirstOfSeries {
		return v.findFirsts(q)
	}
	if len(q.HiddenSeries) > 0 && slices.Contains(q.Without, Recurring) {
		return v.findUnseen(q)
	}
	found := Found{NoWords: v.base.partitions[listed].words == nil || q.Hints.NoWords}
	for i, asked := range [...]bool{listed: q.Published, unlisted: q.Unpublished} {
		part := v.base.partitions[i]
		if !asked || part.timeline.Len() == 0 {
			continue
		}
		p := newPlanner(q, part, i == unlisted, found.Plan)
		a := p.find()
		found.Plan = p.plan
		if n := a.rows.Len(); n > 0 {
			found.Total += n
			found.Unread = found.Unread || a.unread
			found.answers[found.parts] = a
			found.parts++
		}
	}
	return found
}

// Events returns the events from position from up to and without position to,
// which is Total at most. What it costs does not depend on the position.
func (f *Found) Events(from, to int) []*Event {
	switch f.parts {
	case 0:
		return nil
	case 1:
		return f.answers[0].events(from, to)
	}
	a, b := f.answers[0], f.answers[1]
	before := eventindex.Split(a.rows.Len(), b.rows.Len(), from, func(i, j int) bool {
		return ByStart(a.events(i, i+1)[0], b.events(j, j+1)[0]) < 0
	})
	return eventindex.Merge(a.events(before, before+to-from), b.events(from-before, to-before), ByStart)[:to-from]
}

// An answer is what was found in one partition.
type answer struct {
	part   *partition
	rows   eventindex.Sequence
	unread bool // the texts are still to be read
	open   bool // it is all of the partition that runs in a time, see isOpen
}

// events returns the events from position from up to and without to, or to the
// end.
func (a answer) events(from, to int) []*Event {
	rows := a.rows.Append(make([]eventindex.Row, 0, max(0, min(to, a.rows.Len())-from)), from, to)
	events := make([]*Event, len(rows))
	for i, r := range rows {
		events[i] = a.part.events.At(r)
	}
	return events
}
