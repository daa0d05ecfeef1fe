// Long lists of events, in parts.

package filters

import (
	"slices"

	"almanac/store"
)

// A Scan goes through the events that a filter finds, in the order of their starts, a part at a
// time. The parts may be from different states of the store: an event that was there all the time
// is in one of them.
type Scan struct {
	Filter Events

	state *store.State // of the last part
	last  *store.Event // nil at the beginning
	equal int          // the number of events before with the start of the last
}

// Next returns the next n events at most, none at the end.
func (s *Scan) Next(v *store.View, n int) (part []*store.Event) {
	f := s.Filter
	defer func() { s.Filter.byName, s.Filter.asked = f.byName, f.asked }()
	offset := 0
	limit := n
	if s.last != nil {
		f.Start.Min = s.last.Start
		if offset = s.equal; s.state != v.State() { // others may have come between those, or gone
			offset = 0
			limit = s.equal + n
		}
	}
	for more := true; more && len(part) == 0; offset += limit { // many may have come before the last that begin when it does
		part = f.Find(v, offset, limit).Events
		more = len(part) == limit
		if last := s.last; last != nil {
			part = slices.DeleteFunc(
				part,
				func(e *store.Event) bool { return store.ByStart(e, last) <= 0 },
			)
		}
	}
	if len(part) > 0 {
		s.state = v.State()
	}
	for _, e := range part {
		if s.last != nil && e.Start != s.last.Start {
			s.equal = 0
		}
		s.last = e
		s.equal++
	}
	return part
}
