// Series from files, which have their rule and all their dates.

package write

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"almanac/internal/text/rrule"
	"almanac/internal/wire/params"
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

// IsEmpty reports whether a series from a file has no date. A rule that ended before the start is
// taken out of the series, and the start with it.
func (ed Editor) IsEmpty(s *store.Series) (bool, error) {
	x, err := ed.Expand(s)
	if err != nil {
		return false, err
	}
	if r := x.Rule; r != nil && r.Until.Form != 0 &&
		r.Until.In(x.location()).Before(x.Start.In(x.location())) {
		s.Rule = ""
		s.EXDates = union(s.EXDates, []store.Wall{s.Event.Start})
		if x, err = ed.Expand(s); err != nil {
			return false, err
		}
	}
	if x.Check() != nil {
		return false, nil
	}
	for range x.All() {
		return false, nil
	}
	return true, nil
}

// BeginLate lets a series that began long ago, and had more than mostAhead dates since, begin on
// the present day. A series that is stored keeps its start, which is was, or 0.
func (ed Editor) BeginLate(s *store.Series, was store.Wall) error {
	x, err := ed.Expand(s)
	if err != nil || x.Rule == nil || x.Rule.Count > 0 || x.Check() != nil || s.Event.Start == was {
		return err
	}
	most := mostAhead
	if x.Rule.Until.Form != 0 {
		most = mostAtOnce
	}
	if x.Count(time.Time{}, ed.Now, most+1) <= most {
		return nil
	}
	start := s.Event.Start
	if was > start && x.Has(was) && x.reading(was) == was {
		start = was
	} else {
		today := startOfDay(store.WallOf(x.Local.Wall(ed.Now)))
		for t := range x.From(x.Moment(today)) {
			if w := store.WallOf(t); x.reading(w) == w {
				start = w
				break
			}
		}
	}
	before := func(w store.Wall) bool { return w < start }
	s.RDates = slices.DeleteFunc(s.RDates, before)
	s.EXDates = slices.DeleteFunc(s.EXDates, before)
	startAt(s, start)
	return nil
}

// KeepDates keeps the dates that stand beside the rule in old, if the rule of s gives them too, as
// files leave them out then.
func (ed Editor) KeepDates(s, old *store.Series) error {
	x, err := ed.Expand(s)
	if err != nil || x.Check() != nil {
		return err
	}
	x.ExDates = nil
	for _, date := range old.RDates {
		if x.Has(date) {
			s.RDates = union(s.RDates, []store.Wall{date})
		}
	}
	return nil
}

// Reach generates the events of a series up to a date behind its horizon, where a file changed one,
// and returns their ids. It generates none if there would be too many.
func (ed Editor) Reach(tx *store.Tx, series int64, date store.Wall) ([]int64, error) {
	s := *tx.Series(series)
	if s.Horizon == 0 || date < s.Horizon {
		return nil, nil
	}
	report, err := ed.PutSeries(tx, &s, nil)
	var tooMany *params.Invalid
	if errors.As(err, &tooMany) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return report.Made, nil
}

// EndSeries moves all events of a series to the trash, because its file has no date of it any more,
// and forgets where it is from. It returns the ids of the events.
func (ed Editor) EndSeries(tx *store.Tx, s *store.Series, at time.Time) ([]int64, error) {
	r := ed.revise(tx, s)
	ended := *s
	end(&ended)
	ended.Event.Origins = nil
	ended.Event.Modified = at
	if err := tx.Put(&ended); err != nil {
		return nil, err
	}
	r.filed = true
	r.series = &ended
	err := r.remove(r.events)
	return r.report.Removed, err
}

// EndExactly ends each event of a series after a duration of which some seconds are time that
// passes (RFC 5545, section 3.3.6), where clocks are put forward or back meanwhile. old is the
// series before, or nil. Events that move with the horizon end by the clock.
func (ed Editor) EndExactly(tx *store.Tx, s, old *store.Series, seconds int64) error {
	zone, err := ed.Zones.Load(s.Event.Timezone)
	if err != nil || s.Event.AllDay {
		return err
	}
	exactly := func(s *store.Series, date store.Wall) store.Wall {
		days := s.Event.End - s.Event.Start - store.Wall(seconds)
		at := zone.Instant((date + days).Time()).Add(time.Duration(seconds) * time.Second)
		return store.WallOf(zone.Wall(at))
	}
	for _, e := range tx.Instances(s.ID) {
		place := *e.Recurrence
		isOwn := slices.Contains(place.Changed, "end_date") &&
			(old == nil || e.End != exactly(old, place.Start))
		if isOwn || slices.Contains(place.Changed, "start_date") || e.Status == store.Trash {
			continue
		}
		next := *e
		next.End = exactly(s, place.Start)
		if place.Changed, err = ed.ownOf(s, &next, place.Start); err != nil {
			return err
		}
		if next.End == e.End && slices.Equal(place.Changed, e.Recurrence.Changed) {
			continue
		}
		if err := tx.Put(Placed(&next, &place)); err != nil {
			return err
		}
	}
	return nil
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
