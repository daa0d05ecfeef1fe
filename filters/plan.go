// The planner of event listings: the cheapest way to the rows that match.

package filters

import (
	"math"
	"slices"

	"almanac/store"
	"almanac/store/eventindex"
)

// A Plan says how something was found.
type Plan struct {
	Index      string // what was gone through
	Candidates int    // how many records, or entries of an index, were looked at
}

// walkMost is how many candidates are looked at one by one, most of them by their
// sketches alone; from there on sets are joined, which takes as long for few as for
// many. Candidates of a single posting without a set, which would have to be made
// first, may be more. A search reads texts, so that it is worth asking the words
// earlier.
const (
	walkMost       = 2 << 10
	walkMostListed = 32 << 10
	walkMostSearch = 64
)

// A part is what was found on one shelf.
type part struct {
	shelf *store.Shelf
	rows  eventindex.Sequence
	read  bool // the texts are still to be read
}

// A planner finds the rows of one shelf.
type planner struct {
	*Events
	v     *store.View
	shelf *store.Shelf
	time  *eventindex.Timeline
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

// walkMost returns how many candidates of a condition are looked at, -1 for those
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
func (p *planner) part(rows eventindex.Sequence, read bool) part {
	early := p.early(p.all())
	if len(early) > 0 {
		early = slices.DeleteFunc(early, func(r eventindex.Row) bool {
			return p.time.End(r) > p.endMax || !p.matches(r, !read)
		})
		p.say("running", len(early))
		rows = eventindex.Chain{eventindex.Rows(early), rows}
	}
	return part{p.shelf, rows, read}
}

// matches reports whether a row meets everything, by its sketch first.
func (p *planner) matches(r eventindex.Row, read bool) bool {
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
