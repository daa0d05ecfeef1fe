// Of each series only the first event, and events of no series.

package store

import (
	"cmp"
	"slices"

	"almanac/store/eventindex"
)

// perSeries is how many candidates are looked at for each series of a partition,
// rather than looking for the first event of each.
const perSeries = 16

// findFirsts is Find for a query that asks for the first events of series. What it
// costs grows with the series and not with their events.
func (v *View) findFirsts(q *Query) Found {
	rest := *q
	rest.FirstOfSeries = false
	if slices.Contains(q.Without, Recurring) { // each is the first one
		return v.Find(&rest)
	}
	if q.Text != nil { // not all that is found may match
		found := v.Find(&rest)
		found.Repeats = true
		return found
	}
	series, found := *q, Found{}
	if !slices.Contains(q.With, Recurring) {
		rest.Without = append(slices.Clip(q.Without), Recurring)
		found = v.Find(&rest)
		series.With = append(slices.Clip(q.With), Recurring)
	}
	var firsts [partitions][]eventindex.Row
	for i, asked := range [...]bool{listed: q.Published, unlisted: q.Unpublished} {
		part, own := v.base.partitions[i], i == unlisted && q.Author != 0 // what others have must not show in the plan
		if asked && (part.flags[Recurring].rows.Len() > 0 || own && part.timeline.Len() > 0) {
			p := newPlanner(&series, part, i == unlisted, found.Plan)
			firsts[i] = p.firsts()
			found.Plan = p.plan
		}
	}
	dropRepeats(v.base.partitions, &firsts)
	for i, rows := range firsts {
		if len(rows) > 0 {
			found.add(v.base.partitions[i], eventindex.Rows(rows))
		}
	}
	return found
}

// findUnseen is Find for a query that asks for events of no series, of whoever may
// not read some series: the events of these are added. How they are found is not
// told, nor that there are any.
func (v *View) findUnseen(q *Query) Found {
	rest, unseen := *q, *q
	rest.HiddenSeries, unseen.HiddenSeries = nil, nil
	found := v.Find(&rest)
	unseen.Without = slices.DeleteFunc(slices.Clone(q.Without), func(f Flag) bool { return f == Recurring })
	unseen.Links = append(slices.Clip(q.Links), Links{Name: "series", Kind: AllSeries, IDs: q.HiddenSeries})
	unseen.Match = func(e *Event) bool { return q.unseen(e.Recurrence) && q.Match(e) }
	more := v.Find(&unseen)
	for _, a := range more.answers[:more.parts] {
		found.add(a.part, a.rows)
	}
	for i, asked := range [...]bool{listed: q.Published, unlisted: q.Unpublished} {
		if asked { // those that run are candidates as if they were of no series
			p := newPlanner(&unseen, v.base.partitions[i], i == unlisted, Plan{})
			found.Plan.Candidates += len(p.matching(p.running(), !found.Unread))
		}
	}
	found.Unread = found.Unread || more.Unread
	return found
}

// running returns the rows that began before the window's own and may be found, in no order.
func (p *planner) running() []eventindex.Row {
	early := p.early(p.all())
	if len(p.HiddenSeries) > 0 && slices.Contains(p.With, Recurring) {
		early = slices.DeleteFunc(early, p.isUnseen)
	}
	return early
}

// isUnseen reports whether a row is of an event of a series that is hidden.
func (p *planner) isUnseen(r eventindex.Row) bool {
	return p.unseen(p.part.events.At(r).Recurrence)
}

// unseen reports whether an event is of a series that is hidden.
func (q *Query) unseen(r *Recurrence) bool {
	if r == nil {
		return false
	}
	_, is := slices.BinarySearch(q.HiddenSeries, r.Series)
	return is
}

// unseenLists returns the posting lists of series that are hidden.
func (q *Query) unseenLists(part *partition) (all []*postingList) {
	for _, id := range q.HiddenSeries {
		if list := part.linked[AllSeries].Get(id); list != nil {
			all = append(all, list)
		}
	}
	return all
}

// add adds rows of a partition to what was found in it.
func (f *Found) add(part *partition, rows eventindex.Sequence) {
	f.Total += rows.Len()
	for i := range f.parts {
		if f.answers[i].part == part {
			a := &f.answers[i]
			a.rows, a.open = &eventindex.Union{A: a.rows, B: rows, Compare: part.timeline.Compare}, false
			return
		}
	}
	f.answers[f.parts] = answer{part: part, rows: rows}
	f.parts++
}

// firsts returns the first row of each series that matches, in order.
func (p *planner) firsts() []eventindex.Row {
	all := &p.part.linked[AllSeries]
	series := all.Len() - len(p.unseenLists(p.part))
	narrowest, fewest := p.narrowest()
	if p.own { // what others have must not show in how long it takes
		narrowest, fewest = 0, 0
	}
	if narrowest >= 0 && fewest <= perSeries*series {
		rows := p.answer(p.walk(narrowest), false).rows
		return p.part.firsts(slices.DeleteFunc(rows.Append(nil, 0, rows.Len()), p.isUnseen))
	}
	p.say("series", series)
	running := slices.DeleteFunc(p.running(), func(r eventindex.Row) bool { return p.isLate(r) || !p.matches(r, false) })
	found := running
	for id, list := range all.All() {
		if _, unseen := slices.BinarySearch(p.HiddenSeries, id); unseen {
			continue
		}
		rows := &list.rows
		from := rows.Find(func(r eventindex.Row) bool { return p.time.Start(r) >= p.first })
		for r := range rows.Range(from, rows.Len()) {
			if p.time.Start(r) > p.last {
				break
			}
			if !p.isLate(r) && p.matches(r, false) {
				found = append(found, r)
				break
			}
		}
	}
	type seat struct {
		start int64
		row   eventindex.Row
	}
	seats := make([]seat, len(found))
	for i, r := range found {
		seats[i] = seat{p.time.Start(r), r}
	}
	slices.SortFunc(seats, func(a, b seat) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return p.time.Compare(a.row, b.row)
	})
	for i, seat := range seats {
		found[i] = seat.row
	}
	if len(running) == 0 {
		return found
	}
	return p.part.firsts(found)
}

// firsts leaves of rows of events of series, in order, the first of each series.
func (s *partition) firsts(rows []eventindex.Row) []eventindex.Row {
	seen := map[int64]bool{}
	return slices.DeleteFunc(rows, func(r eventindex.Row) bool {
		series := s.events.At(r).Recurrence.Series
		repeats := seen[series]
		seen[series] = true
		return repeats
	})
}

// dropRepeats leaves the first of each series of the first ones in two partitions.
func dropRepeats(parts *[partitions]*partition, firsts *[partitions][]eventindex.Row) {
	if len(firsts[listed]) == 0 || len(firsts[unlisted]) == 0 {
		return
	}
	published := map[int64]*Event{}
	for _, r := range firsts[listed] {
		e := parts[listed].events.At(r)
		published[e.Recurrence.Series] = e
	}
	later := map[int64]bool{}
	firsts[unlisted] = slices.DeleteFunc(firsts[unlisted], func(r eventindex.Row) bool {
		e := parts[unlisted].events.At(r)
		other := published[e.Recurrence.Series]
		if other != nil && ByStart(e, other) < 0 {
			later[other.ID] = true
		}
		return other != nil && !later[other.ID]
	})
	firsts[listed] = slices.DeleteFunc(firsts[listed], func(r eventindex.Row) bool { return later[parts[listed].events.At(r).ID] })
}
