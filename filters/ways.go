// The ways to the rows that match: counting, walking, and joining sets.

package filters

import (
	"slices"

	"almanac/store"
	"almanac/store/eventindex"
)

// all returns the sketch that those of all that is found hold.
func (p *planner) all() (all eventindex.Sketch) {
	for i := range p.conditions {
		if c := &p.conditions[i]; len(c.postings) == 1 {
			all |= c.sketches[0]
		}
	}
	return all
}

// span returns the window of the timeline.
func (p *planner) span() eventindex.Sequence {
	return &eventindex.Span{
		Timeline: p.time, From: p.from, To: p.to, Left: p.countLate(), LeftOut: p.isLate,
		EachLeft: func(until int64, f func(eventindex.Row, int64)) { p.eachLate(until, 0, f) },
	}
}

// spanOf returns the window of the list of a condition.
func (p *planner) spanOf(c *condition) eventindex.Sequence {
	s := &eventindex.Span{Timeline: p.time, List: c.postings[0].Rows(), LeftOut: p.isLate}
	s.From, s.To = p.bounds(s.List)
	s.EachLeft = func(until int64, f func(eventindex.Row, int64)) {
		p.eachLate(until, c.sketches[0], func(r eventindex.Row, start int64) {
			if c.has(r, p.time) {
				f(r, start)
			}
		})
	}
	s.EachLeft(p.last, func(eventindex.Row, int64) { s.Left++ })
	return s
}

// walk looks at the rows of one condition, or of the window when there is none:
// at their sketches first, then, of what is left, at the sets of the other
// conditions, and at the events only if these do not say all.
func (p *planner) walk(narrowest int) eventindex.Sequence {
	var all, none eventindex.Sketch
	var sets []*eventindex.Set
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
	var rows eventindex.Rows
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
	return slices.DeleteFunc(rows, func(r eventindex.Row) bool {
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
	var with, without []*eventindex.Set
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
		var set *eventindex.Set
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
		found.Filter(func(r eventindex.Row) bool { return p.meets(p.v, p.shelf.Event(r)) })
	}
	return p.part(found, read)
}

// unreadable returns the rows whose texts must not be searched.
func (p *planner) unreadable() []eventindex.Row {
	list := p.shelf.Flagged(store.Protected).Rows()
	every := p.Opens == nil && p.Viewer == Viewer{}
	var rows []eventindex.Row
	for r := range list.Range(p.bounds(list)) {
		if every {
			rows = append(rows, r)
		} else if e := p.shelf.Event(r); p.closed(e) && !p.reads(e) {
			rows = append(rows, r)
		}
	}
	return rows
}
