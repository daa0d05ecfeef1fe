// Series from files, which have their rule and all their dates.

package write

import (
	"cmp"
	"slices"

	"almanac/internal/rrule"
	"almanac/store"
)

// PutSeries stores a series of a file with its events: a new one if its id is 0, else the
// replacement of the stored one. Changes of the series apply to its events, except to their
// overrides. Events whose date stays keep their ids; all keep them if the series moved. The events
// in there become instances at the dates in their Recurrence. The times of change are those of the
// series, not the present.
func (ed Editor) PutSeries(tx *store.Tx, s *store.Series, there []*store.Event) (*Report, error) {
	r := &revision{Editor: ed, tx: tx, members: map[string]bool{}}
	if s.ID != 0 {
		old := tx.Series(s.ID)
		r = ed.revise(tx, old)
		for _, name := range differing(&s.Event, &old.Event) {
			r.members[name] = true
		}
		if err := r.follow(old, s); err != nil {
			return nil, err
		}
	}
	r.series = s
	r.filed = true
	for _, e := range there {
		own, err := ed.ownOf(s, e, e.Recurrence.Start)
		if err != nil {
			return nil, err
		}
		r.events = slices.DeleteFunc(
			r.events,
			func(other *store.Event) bool { return other.ID == e.ID },
		)
		r.events = append(r.events, Placed(e, &store.Recurrence{
			Start:   e.Recurrence.Start,
			Changed: own,
		}))
	}
	slices.SortStableFunc(
		r.events,
		func(a, b *store.Event) int { return cmp.Compare(a.Recurrence.Start, b.Recurrence.Start) },
	)
	err := r.settle()
	return &r.report, err
}

// follow moves the events with their series, if that keeps more of them.
func (r *revision) follow(old, s *store.Series) error {
	if old.Event.Start == s.Event.Start && old.Event.AllDay == s.Event.AllDay {
		return nil
	}
	was, err := r.Expand(old)
	if err != nil {
		return err
	}
	is, err := r.Expand(s)
	if err != nil {
		return err
	}
	next := *s
	dates, err := r.plan(&next, 0)
	if err != nil {
		return err
	}
	move := func(w store.Wall) store.Wall {
		return is.date(rrule.DateTime{
			Seconds: int64(was.reading(w) + s.Event.Start - old.Event.Start),
			Form:    rrule.Local,
		})
	}
	stay := 0
	shifted := 0
	for _, e := range r.events {
		if _, is := slices.BinarySearch(dates, e.Recurrence.Start); is {
			stay++
		}
		if _, is := slices.BinarySearch(dates, move(e.Recurrence.Start)); is {
			shifted++
		}
	}
	if shifted > stay {
		r.move = move
	}
	return nil
}

// Single makes a single event of a series: the instance at a date, or else the first. It returns
// nil if the series has no event. All other events go to the trash, and the series ends.
func (ed Editor) Single(tx *store.Tx, s *store.Series, date store.Wall) (*store.Event, error) {
	r := ed.revise(tx, s)
	ended := *s
	end(&ended)
	ended.Event.Origins = nil
	if err := tx.Put(&ended); err != nil || len(r.events) == 0 {
		return nil, err
	}
	i := max(
		0,
		slices.IndexFunc(
			r.events,
			func(e *store.Event) bool { return e.Recurrence.Start == date },
		),
	)
	next := Placed(r.events[i], nil)
	if err := tx.Put(next); err != nil {
		return nil, err
	}
	return next, r.remove(slices.Delete(r.events, i, i+1))
}

// Gather derives a series without a rule from its events: its dates are theirs, and each event
// overrides the members in which it differs from the series. like, if not nil, becomes the new
// template, unless the series is published and newer.
func (ed Editor) Gather(tx *store.Tx, series int64, like *store.Event) error {
	old := tx.Series(series)
	events := tx.Instances(series)
	if old == nil || old.Rule != "" || len(events) == 0 {
		return nil
	}
	s := *old
	t := &s.Event
	if like != nil && (like.Modified.After(t.Modified) || t.Status != store.Publish) {
		copyMembers(
			t,
			like,
			func(name string) bool { return name != "slug" && !slices.Contains(timeMembers, name) },
		)
		if t.Modified = like.Modified; t.AllDay == like.AllDay {
			t.End = t.Start + like.End - like.Start
		}
	}
	s.RDates = nil
	for _, e := range events {
		s.RDates = append(s.RDates, e.Recurrence.Start)
	}
	s.RDates = inOrder(s.RDates)
	startAt(&s, s.RDates[0])
	if len(differing(t, &old.Event)) > 0 || !t.Modified.Equal(old.Event.Modified) ||
		!slices.Equal(s.RDates, old.RDates) {
		if err := tx.Put(&s); err != nil {
			return err
		}
	}
	for _, e := range events {
		own, err := ed.ownOf(&s, e, e.Recurrence.Start)
		if err != nil {
			return err
		}
		if e.Status != store.Trash && !slices.Equal(own, e.Recurrence.Changed) {
			place := &store.Recurrence{Series: series, Start: e.Recurrence.Start, Changed: own}
			if err := tx.Put(Placed(e, place)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Include removes an exception of a series.
func (ed Editor) Include(tx *store.Tx, series int64, date store.Wall) error {
	s := *tx.Series(series)
	at, excepted := slices.BinarySearch(s.EXDates, date)
	if !excepted {
		return nil
	}
	s.EXDates = slices.Delete(slices.Clone(s.EXDates), at, at+1)
	return tx.Put(&s)
}

// Dates returns the first dates of a series, at most mostAtOnce.
func (x *Expansion) Dates() (dates []store.Wall, err error) {
	if err := x.Check(); err != nil {
		return nil, refused("%v.", err)
	}
	for t := range x.All() {
		if len(dates) == mostAtOnce {
			break
		}
		dates = append(dates, store.WallOf(t))
	}
	return dates, nil
}

// DateIn returns the date of a series for a RECURRENCE-ID; for a day, the first of the day.
func (x *Expansion) DateIn(d rrule.DateTime) store.Wall {
	if d.Form == rrule.Date && !x.allDay {
		day := store.Wall(d.Seconds).Time()
		for t := range x.Between(x.Local.Instant(day), x.Local.Instant(day.AddDate(0, 0, 1))) {
			return store.WallOf(t)
		}
	}
	return x.date(d)
}
