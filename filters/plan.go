// The planner of event listings: the narrowest index first.

package filters

import (
	"slices"

	"almanac/store"
)

// Find gives the events from position offset on, at most limit of them, and
// how many there are in all.
func (f *Events) Find(v *store.View, offset, limit int) ([]*store.Event, int) {
	found := f.byStart(v)
	if by := f.compare(); by != nil {
		slices.SortFunc(found, by)
	} else if f.Desc {
		slices.Reverse(found)
	}
	return page(found, offset, limit), len(found)
}

// byStart gives the events that match, each once, by start.
func (f *Events) byStart(v *store.View) []*store.Event {
	switch {
	case f.Include != nil:
		var found []*store.Event
		for _, id := range f.Include {
			if e := v.Event(id); e != nil && f.Match(v, e) {
				found = append(found, e)
			}
		}
		slices.SortFunc(found, byStart)
		return slices.Compact(found)
	case f.Slug != "":
		if e, ok := v.BySlug(store.Events, f.Slug).(*store.Event); ok && f.Match(v, e) {
			return []*store.Event{e}
		}
		return nil
	}
	var runs [][]*store.Event
	for _, list := range f.lists(v) {
		from, to := f.bounds(list)
		run := make([]*store.Event, 0, to-from)
		for e := range list.Range(from, to) {
			if f.Match(v, e) {
				run = append(run, e)
			}
		}
		runs = append(runs, run)
	}
	return merge(runs)
}

// merge makes one of sorted runs, where one event may be in several. It merges
// neighbours until one is left, so that each event moves a few times only.
func merge(runs [][]*store.Event) []*store.Event {
	for len(runs) > 1 {
		var next [][]*store.Event
		for pair := range slices.Chunk(runs, 2) {
			if len(pair) == 2 {
				pair[0] = mergeTwo(pair[0], pair[1])
			}
			next = append(next, pair[0])
		}
		runs = next
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

func mergeTwo(a, b []*store.Event) []*store.Event {
	merged := make([]*store.Event, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := byStart(a[0], b[0]); {
		case c < 0:
			merged, a = append(merged, a[0]), a[1:]
		case c > 0:
			merged, b = append(merged, b[0]), b[1:]
		default:
			a = a[1:] // the same event
		}
	}
	return append(append(merged, a...), b...)
}

// lists gives the lists that hold the fewest candidates: all events of the
// statuses asked for, or those of the ids of one of the conditions.
func (f *Events) lists(v *store.View) []*store.List[*store.Event] {
	var best []*store.List[*store.Event]
	if hasStatus(f.Statuses, store.Publish) {
		best = append(best, v.Listed())
	}
	if !f.Viewer.onlyPublished(f.Statuses) {
		best = append(best, v.Unlisted())
	}
	fewest := f.count(best)
	try := func(k store.Kind, ids []int64) {
		lists := make([]*store.List[*store.Event], len(ids))
		for i, id := range ids {
			lists[i] = v.Linked(k, id)
		}
		if n := f.count(lists); ids != nil && n < fewest {
			best, fewest = lists, n
		}
	}
	try(store.Venues, f.Venues)
	try(store.Organizers, f.Organizers)
	try(store.Tags, f.Tags)
	try(store.Categories, descendants(v, f.Categories))
	if f.Parent != 0 {
		try(store.Events, []int64{f.Parent})
	}
	return best
}

// count gives the number of events in the lists whose start is in range.
func (f *Events) count(lists []*store.List[*store.Event]) int {
	n := 0
	for _, list := range lists {
		from, to := f.bounds(list)
		n += to - from
	}
	return n
}

// bounds gives the positions in a list between which the start is in range. No
// event ends before it starts, so the end bounds the start too.
func (f *Events) bounds(list *store.List[*store.Event]) (from, to int) {
	last := min(f.Start.Max, f.End.Max)
	from = list.Find(func(e *store.Event) bool { return e.Start >= f.Start.Min })
	to = list.Find(func(e *store.Event) bool { return e.Start > last })
	return from, max(from, to)
}

// descendants gives categories with all below them, each once.
func descendants(v *store.View, ids []int64) []int64 {
	if ids == nil {
		return nil
	}
	below := map[int64][]int64{}
	for r := range v.Each(store.Categories) {
		if t := r.(*store.Term); t.Parent != 0 {
			below[t.Parent] = append(below[t.Parent], t.ID)
		}
	}
	all := []int64{}
	seen := map[int64]bool{}
	for next := ids; len(next) > 0; {
		var deeper []int64
		for _, id := range next {
			if !seen[id] {
				seen[id] = true
				all = append(all, id)
				deeper = append(deeper, below[id]...)
			}
		}
		next = deeper
	}
	return all
}
