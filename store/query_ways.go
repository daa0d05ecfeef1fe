// The ways to the rows that match: counting, walking, and joining bitmaps.

package store

import (
	"slices"

	"almanac/store/eventindex"
)

// all returns the signature that those of all that is found hold.
func (p *planner) all() (all eventindex.Signature) {
	for i := range p.conditions {
		if c := &p.conditions[i]; len(c.lists) == 1 {
			all |= c.signatures[0]
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

// spanWithout returns the window of the timeline without the rows that have a flag.
func (p *planner) spanWithout(flag Flag) eventindex.Sequence {
	s := &eventindex.Span{Timeline: p.time, Except: &p.part.flags[flag].rows, LeftOut: p.isLate}
	from, to := p.bounds(s.Except)
	s.From, s.To = p.from-from, p.to-to
	s.EachLeft = func(until int64, f func(eventindex.Row, int64)) {
		p.eachLate(until, 0, func(r eventindex.Row, start int64) {
			if !p.time.Signature(r).Holds(signatureOfFlag(flag)) {
				f(r, start)
			}
		})
	}
	s.EachLeft(p.last, func(eventindex.Row, int64) { s.Left++ })
	return s
}

// spanOf returns the window of the list of a condition.
func (p *planner) spanOf(c *condition) eventindex.Sequence {
	s := &eventindex.Span{Timeline: p.time, List: &c.lists[0].rows, LeftOut: p.isLate}
	s.From, s.To = p.bounds(s.List)
	s.EachLeft = func(until int64, f func(eventindex.Row, int64)) {
		p.eachLate(until, c.signatures[0], func(r eventindex.Row, start int64) {
			if c.has(r, p.time) {
				f(r, start)
			}
		})
	}
	s.EachLeft(p.last, func(eventindex.Row, int64) { s.Left++ })
	return s
}

// walk looks at the rows of one condition, or of the window when there is none:
// at their signatures first, then, of what is left, at the bitmaps of the other
// conditions, and at the events only if these do not say all.
func (p *planner) walk(narrowest int) eventindex.Sequence {
	var all, none eventindex.Signature
	var bitmaps []eventindex.Bitmap
	exact := !p.residual && p.Text == nil
	for i := range p.conditions {
		if i == narrowest {
			continue
		}
		c := &p.conditions[i]
		if len(c.lists) != 1 {
			exact = false
			continue
		}
		all |= c.signatures[0]
		if bits := c.lists[0].bits; bits != 0 {
			bitmaps = append(bitmaps, p.time.Bitmap(bits))
		} else {
			exact = exact && c.flag
		}
	}
	for _, flag := range p.Without {
		none |= signatureOfFlag(flag)
	}
	var rows eventindex.Rows
	if narrowest < 0 {
		rows = p.time.Append(rows, p.from, p.to)
		rows = p.time.AppendHolding(rows[:0], rows, all, none)
		p.say("start", p.to-p.from)
	} else {
		c := &p.conditions[narrowest]
		for _, list := range c.lists {
			from, to := p.bounds(&list.rows)
			for block := range list.rows.Blocks(from, to) {
				rows = p.time.AppendHolding(rows, block, all, none)
			}
		}
		p.say(c.name, c.count(&p.window))
		if len(c.lists) > 1 {
			slices.SortFunc(rows, p.time.Compare)
			rows = slices.Compact(rows)
		}
	}
	return slices.DeleteFunc(rows, func(r eventindex.Row) bool {
		for _, b := range bitmaps {
			if !b.Has(p.time.Place(r)) {
				return true
			}
		}
		return p.isLate(r) || !exact && !p.matches(r, true)
	})
}

// join joins the bitmaps of everything that is asked for.
func (p *planner) join() answer {
	var with, without []eventindex.Bitmap
	looked := 0
	for i := range p.conditions {
		rows, n := p.conditions[i].bitmap(&p.window)
		with, looked = append(with, rows), looked+n
		p.say(p.conditions[i].name, 0)
	}
	for _, flag := range p.Without {
		c := flagged(p.part, flag)
		rows, n := c.bitmap(&p.window)
		without, looked = append(without, rows), looked+n
		p.say("not "+c.name, 0)
	}
	unread := false
	if p.Text != nil {
		var rows eventindex.Bitmap
		if rows, unread = p.holding(); rows != nil {
			with = append(with, rows)
			p.say("words", 0)
		}
	}
	found := p.time.Select(p.from, p.to, with, without)
	found.Without(p.late(p.all()))
	if p.Text != nil && !unread {
		found.Without(p.closed())
	}
	p.plan.Candidates += looked + found.Len()
	if p.residual {
		found.Filter(func(r eventindex.Row) bool { return p.Match(p.part.events.At(r)) })
	}
	return p.answer(found, unread)
}

// closed returns the rows whose texts must not be searched, or do not match.
func (p *planner) closed() []eventindex.Row {
	list := &p.part.flags[Protected].rows
	var rows []eventindex.Row
	for r := range list.Range(p.bounds(list)) {
		if p.Text.Closed == nil {
			rows = append(rows, r)
		} else if e := p.part.events.At(r); p.Text.Closed(e) && !p.Text.Match(e) {
			rows = append(rows, r)
		}
	}
	return rows
}
