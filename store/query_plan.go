// The planner of queries: the cheapest way to the events that match.

package store

import (
	"math"
	"slices"

	"almanac/store/eventindex"
)

// walkMost is how many candidates are looked at one by one, most of them by their
// signatures alone; from there on bitmaps are joined, which takes as long for few
// as for many. Candidates of a single posting list without a bitmap, which would
// have to be made first, may be more. A search reads texts, so that it is worth
// asking the words earlier.
const (
	walkMost       = 2 << 10
	walkMostListed = 32 << 10
	walkMostSearch = 64
)

// A planner finds the rows of one partition.
type planner struct {
	*Query
	part *partition
	window
	conditions []condition // of whoever sees only some of the partition, the first says which
	own        bool        // that is so
	residual   bool        // there is more to match than window, conditions and Without
	plan       Plan
}

// newPlanner returns the planner of a partition, which adds to a plan.
func newPlanner(q *Query, part *partition, unpublished bool, plan Plan) *planner {
	own := unpublished && q.Author != 0
	return &planner{
		Query: q, part: part, window: windowOf(q, part.timeline), conditions: q.conditions(part, own),
		own: own, residual: unpublished || q.Residual, plan: plan,
	}
}

// find picks a way. What somebody may not see has no part in that: the plan, and
// how long it takes, would tell how much there is of it.
func (p *planner) find() answer {
	if p.own {
		return p.answer(p.walk(0), false)
	}
	narrowest, fewest := p.narrowest()
	exactly := !p.residual && p.Text == nil
	exact := exactly && len(p.Without) == 0
	switch {
	case exact && len(p.conditions) == 0:
		p.say("start", 0)
		return p.answer(p.span(), false)
	case exact && len(p.conditions) == 1 && len(p.conditions[0].lists) == 1 && (fewest > walkLeast || p.endMax == math.MaxInt64):
		c := &p.conditions[0]
		p.say(c.name, 0)
		return p.answer(p.spanOf(c), false)
	case exactly && len(p.conditions) == 0 && len(p.Without) == 1 && fewest > walkLeast && !p.Hints.Join:
		p.say("not "+flagNames[p.Without[0]], 0)
		return p.answer(p.spanWithout(p.Without[0]), false)
	case fewest <= p.walkMost(narrowest) && !p.Hints.Join:
		return p.answer(p.walk(narrowest), false)
	}
	return p.join()
}

// narrowest returns the condition that the fewest rows of the window meet, and
// how many those are: -1 for the window itself. The one that is met by the fewest
// rows of all stands for it, since counting takes some dozen looks into memory.
func (p *planner) narrowest() (narrowest, fewest int) {
	narrowest, fewest = -1, p.to-p.from
	least := math.MaxInt
	for i := range p.conditions {
		if n := p.conditions[i].len(); n < least {
			narrowest, least = i, n
		}
	}
	if narrowest >= 0 && least > 0 {
		least = p.conditions[narrowest].count(&p.window)
	}
	if least >= fewest {
		return -1, fewest
	}
	return narrowest, least
}

// walkLeast is how many rows of a single posting list are looked at rather than
// counted.
const walkLeast = 1 << 10

// walkMost returns how many candidates of a condition are looked at, -1 for those
// of the window.
func (p *planner) walkMost(narrowest int) int {
	switch {
	case p.Text != nil:
		return walkMostSearch
	case narrowest >= 0 && len(p.conditions[narrowest].lists) == 1 && p.conditions[narrowest].lists[0].bits == 0:
		return walkMostListed
	}
	return walkMost
}

// say notes what was done.
func (p *planner) say(index string, candidates int) {
	if p.plan.Index != "" {
		p.plan.Index += "+"
	}
	p.plan.Index += index
	p.plan.Candidates += candidates
}

// answer puts the rows that began before the window's own before those that were
// found in it.
func (p *planner) answer(rows eventindex.Sequence, unread bool) answer {
	if p.isOpen() { // whatever runs is found
		early := eventindex.Runners{Timeline: p.time, At: p.first, Beyond: p.Beyond}
		if n := early.Len(); n > 0 {
			p.say("running", n)
			rows = eventindex.Chain{early, rows}
		}
		return answer{p.part, rows, unread, true}
	}
	early := p.running()
	if len(early) > 0 {
		early = p.matching(early, !unread)
		p.say("running", len(early))
		rows = eventindex.Chain{eventindex.Rows(early), rows}
	}
	return answer{p.part, rows, unread, false}
}

// isOpen reports whether nothing is asked for but a moment at which events have not ended, and
// one by which they have started.
func (p *planner) isOpen() bool {
	return p.startMin == math.MinInt64 && p.endMin > math.MinInt64 && p.endMax == math.MaxInt64 && !p.residual && p.Text == nil &&
		len(p.conditions) == 0 && len(p.Without) == 0 && p.last >= p.endMin
}

// matching leaves, of rows that began before the window's own, those that are found, and puts them
// in order. No event is read for that, if the posting lists tell.
func (p *planner) matching(early []eventindex.Row, text bool) []eventindex.Row {
	listed := !p.residual && (!text || p.Text == nil)
	early = slices.DeleteFunc(early, func(r eventindex.Row) bool {
		return p.isLate(r) || !p.mayMatch(r) || listed && !p.isListed(r) || !listed && !p.isMatch(r, text)
	})
	slices.SortFunc(early, p.time.Compare)
	return early
}

// matches reports whether a row meets everything, or everything but the text, by
// its signature first.
func (p *planner) matches(r eventindex.Row, text bool) bool {
	return p.mayMatch(r) && p.isMatch(r, text)
}

// mayMatch is what its signature says of that.
func (p *planner) mayMatch(r eventindex.Row) bool {
	signature := p.time.Signature(r)
	for i := range p.conditions {
		if !p.conditions[i].mayHold(signature) {
			return false
		}
	}
	for _, flag := range p.Without {
		if signature.Holds(signatureOfFlag(flag)) {
			return false
		}
	}
	return true
}

// isListed is what the posting lists say.
func (p *planner) isListed(r eventindex.Row) bool {
	for i := range p.conditions {
		if !p.conditions[i].has(r, p.time) {
			return false
		}
	}
	return true
}

// isMatch is what the event itself says.
func (p *planner) isMatch(r eventindex.Row, text bool) bool {
	e := p.part.events.At(r)
	return p.Match(e) && (!text || p.Text == nil || p.Text.Match(e))
}
