// The planner of event listings: the cheapest way to the rows that match.

package filters

import (
	"math"
	"slices"

	"almanac/order"
	"almanac/store"
)

// A Plan says how something was found.
type Plan struct {
	Index      string // what was gone through
	Candidates int    // how many records, or entries of an index, were looked at
}

// walkMost is how many candidates are looked at one by one, most of them by their
// sketches alone, rather than joining sets of all there are. It is more for those
// of a single posting that would have to be made a set first. A search reads
// texts, so that it is worth asking the words earlier.
const (
	walkMost       = 2 << 10
	walkMostListed = 32 << 10
	walkMostSearch = 64
)

// A part is what was found on one shelf.
type part struct {
	shelf *store.Shelf
	rows  order.Sequence
	read  bool // the texts are still to be read
}

// A planner finds the rows of one shelf.
type planner struct {
	*Events
	v     *store.View
	shelf *store.Shelf
	time  *order.Timeline
	window
	conditions []condition  // of a viewer who sees only some of the shelf, the first says which
	own        bool         // that is so
	excluded   []store.Flag // flags that must not be there
	residual   bool         // there is more to match than window, conditions and excluded
	plan       *Plan
}

// parts finds the rows on every shelf that may hold some.
func (f *Events) parts(v *store.View, plan *Plan) []part {
	var shelves []*store.Shelf
	if hasStatus(f.Statuses, store.Publish) {
		shelves = append(shelves, v.Listed())
	}
	if !f.Viewer.onlyPublished(f.Statuses) {
		shelves = append(shelves, v.Unlisted())
	}
	var found []part
	for _, shelf := range shelves {
		if shelf.Len() == 0 {
			continue
		}
		p := planner{Events: f, v: v, shelf: shelf, time: shelf.Timeline(), plan: plan}
		p.window = windowOf(f, p.time)
		p.conditions, p.excluded = f.conditions(v, shelf)
		p.own = shelf == v.Unlisted() && !f.Viewer.All
		p.residual = shelf == v.Unlisted() || !f.ModifiedAfter.IsZero() || !f.ModifiedBefore.IsZero()
		if one := p.find(); one.rows.Len() > 0 {
			found = append(found, one)
		}
	}
	return found
}

// find picks a way. What somebody may not see has no part in that: the plan, and
// how long it takes, would tell how much there is of it.
func (p *planner) find() part {
	if p.own {
		return p.part(p.walk(0), false)
	}
	narrowest, fewest := p.narrowest()
	exact := !p.residual && len(p.excluded) == 0 && p.Search.Empty()
	switch {
	case exact && len(p.conditions) == 0:
		p.say("start", 0)
		return p.part(p.span(), false)
	case exact && len(p.conditions) == 1 && len(p.conditions[0].postings) == 1 && fewest > walkLeast:
		c := &p.conditions[0]
		p.say(c.name, 0)
		return p.part(p.spanOf(c), false)
	case fewest <= p.walkMost(narrowest) && !p.testOnlySets:
		return p.part(p.walk(narrowest), false)
	}
	return p.sets()
}

// narrowest gives the condition that the fewest rows of the window meet, and how
// many those are: -1 for the window itself. The one that is met by the fewest rows
// of all stands for it, since counting takes some dozen looks into memory.
func (p *planner) narrowest() (narrowest, fewest int) {
	narrowest, fewest = -1, p.to-p.from
	least := math.MaxInt
	for i := range p.conditions {
		if n := p.conditions[i].len(); n < least {
			narrowest, least = i, n
		}
	}
	if narrowest >= 0 && least > 0 {
		least = p.conditions[narrowest].count(p.window)
	}
	if least >= fewest {
		return -1, fewest
	}
	return narrowest, least
}

// walkLeast is how many rows of a single posting are looked at rather than
// counted.
const walkLeast = 1 << 10

// walkMost gives how many candidates of a condition are looked at, -1 for those
// of the window.
func (p *planner) walkMost(narrowest int) int {
	switch {
	case !p.Search.Empty():
		return walkMostSearch
	case narrowest >= 0 && len(p.conditions[narrowest].postings) == 1 && p.conditions[narrowest].postings[0].Set(p.time) == nil:
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

// part puts the rows that began before the window's own before those that were
// found in it.
func (p *planner) part(rows order.Sequence, read bool) part {
	early := p.early(p.all())
	if len(early) > 0 {
		early = slices.DeleteFunc(early, func(r order.Row) bool {
			return p.time.End(r) > p.endMax || !p.matches(r, !read)
		})
		p.say("running", len(early))
		rows = order.Chain{order.Rows(early), rows}
	}
	return part{p.shelf, rows, read}
}

// matches reports whether a row meets everything, by its sketch first.
func (p *planner) matches(r order.Row, read bool) bool {
	sketch := p.time.Sketch(r)
	for i := range p.conditions {
		if !p.conditions[i].mayHold(sketch) {
			return false
		}
	}
	for _, flag := range p.excluded {
		if sketch.Holds(store.SketchOfFlag(flag)) {
			return false
		}
	}
	e := p.shelf.Event(r)
	return p.meets(p.v, e) && (!read || p.reads(e))
}

// all gives the sketch that those of all that is found hold.
func (p *planner) all() (all order.Sketch) {
	for i := range p.conditions {
		if c := &p.conditions[i]; len(c.postings) == 1 {
			all |= c.sketches[0]
		}
	}
	return all
}

// span gives the window of the timeline.
func (p *planner) span() order.Sequence {
	return &order.Span{
		Timeline: p.time, From: p.from, To: p.to, Left: p.countLate(), LeftOut: p.isLate,
		EachLeft: func(until int64, f func(order.Row, int64)) { p.eachLate(until, 0, f) },
	}
}

// spanOf gives the window of the list of a condition.
func (p *planner) spanOf(c *condition) order.Sequence {
	s := &order.Span{Timeline: p.time, List: c.postings[0].Rows(), LeftOut: p.isLate}
	s.From, s.To = p.bounds(s.List)
	s.EachLeft = func(until int64, f func(order.Row, int64)) {
		p.eachLate(until, c.sketches[0], func(r order.Row, start int64) {
			if c.has(r, p.time) {
				f(r, start)
			}
		})
	}
	s.EachLeft(p.last, func(order.Row, int64) { s.Left++ })
	return s
}

// walk looks at the rows of one condition, or of the window when there is none:
// at their sketches first, then, of what is left, at the sets of the other
// conditions, and at the events only if these do not say all.
func (p *planner) walk(narrowest int) order.Sequence {
	var all, none order.Sketch
	var sets []*order.Set
	exact := !p.residual && p.Search.Empty()
	for i := range p.conditions {
		if i == narrowest {
			continue
		}
		c := &p.conditions[i]
		if len(c.postings) != 1 {
			exact = false
			continue
		}
		all |= c.sketches[0]
		if set := c.postings[0].Set(p.time); set != nil {
			sets = append(sets, set)
		} else {
			exact = exact && c.flag
		}
	}
	for _, flag := range p.excluded {
		none |= store.SketchOfFlag(flag)
	}
	var rows order.Rows
	if narrowest < 0 {
		for i := p.from; i < p.to; i++ {
			rows = append(rows, p.time.At(i))
		}
		rows = p.time.AppendHolding(rows[:0], rows, all, none)
		p.say("start", p.to-p.from)
	} else {
		c := &p.conditions[narrowest]
		looked := 0
		for _, posting := range c.postings {
			from, to := p.bounds(posting.Rows())
			looked += to - from
			for block := range posting.Rows().Blocks(from, to) {
				rows = p.time.AppendHolding(rows, block, all, none)
			}
		}
		p.say(c.name, looked)
		if len(c.postings) > 1 {
			slices.SortFunc(rows, p.time.Compare)
			rows = slices.Compact(rows)
		}
	}
	return slices.DeleteFunc(rows, func(r order.Row) bool {
		for _, set := range sets {
			if !set.Has(r) {
				return true
			}
		}
		return p.isLate(r) || !exact && !p.matches(r, true)
	})
}

// sets joins the bits of everything that is asked for.
func (p *planner) sets() part {
	var with, without []*order.Set
	looked := 0
	for i := range p.conditions {
		set, n := p.conditions[i].set(p.window, p.time)
		with, looked = append(with, set), looked+n
		p.say(p.conditions[i].name, 0)
	}
	for _, flag := range p.excluded {
		c := condition{postings: []*store.Posting{p.shelf.Flagged(flag)}}
		set, n := c.set(p.window, p.time)
		without, looked = append(without, set), looked+n
		p.say("not "+flagNames[flag], 0)
	}
	read := false
	if !p.Search.Empty() {
		index := p.shelf.Words()
		if p.testOnlyNoWords {
			index = nil
		}
		var set *order.Set
		if set, read = p.Search.rows(p.shelf, index); set != nil {
			with = append(with, set)
			p.say("words", 0)
		}
	}
	found := p.time.Select(p.from, p.to, with, without)
	found.Without(p.late(p.all()))
	if !p.Search.Empty() && !read {
		found.Without(p.unreadable())
	}
	p.plan.Candidates += looked + found.Len()
	if p.residual {
		found.Filter(func(r order.Row) bool { return p.meets(p.v, p.shelf.Event(r)) })
	}
	return p.part(found, read)
}

// unreadable gives the rows whose texts must not be searched.
func (p *planner) unreadable() []order.Row {
	list := p.shelf.Flagged(store.Protected).Rows()
	var rows []order.Row
	for r := range list.Range(p.bounds(list)) {
		if e := p.shelf.Event(r); p.closed(e) && !p.reads(e) {
			rows = append(rows, r)
		}
	}
	return rows
}
