// Splitting a series at one of its dates.

package write

import (
	"slices"
	"time"

	"almanac/internal/text/rrule"
	"almanac/store"
)

// split divides a series at one of its dates, which is not the first: before has the earlier
// dates, and after is a new series. The additional dates and a COUNT are divided too.
func (ed Editor) split(s *store.Series, at store.Wall) (before, after *store.Series, err error) {
	x, err := ed.Expand(s)
	if err != nil {
		return nil, nil, err
	}
	b := *s
	a := *s
	a.Meta = store.Meta{}
	a.Horizon = 0
	b.Horizon = 0
	b.Event.Modified = ed.Now
	b.RDates, a.RDates = cut(s.RDates, at)
	b.EXDates, a.EXDates = cut(s.EXDates, at)
	if s.Event.Start >= x.reading(at) { // before has additional dates only
		b.Rule = ""
		startAt(&b, b.RDates[0])
		return &b, &a, nil
	}
	if x.Rule == nil {
		startAt(&a, at)
		return &b, &a, nil
	}
	ruled := rrule.Set{Start: x.Start, Zone: x.Zone, Rule: x.Rule}
	form := rrule.UTC
	if x.allDay {
		form = rrule.Date
	}
	var until rrule.DateTime // last date of the rule before at, which the words of the rule tell
	for t := range ruled.Between(x.Moment(s.Event.Start), x.Moment(at)) {
		until = rrule.At(t, form)
	}
	for next := range ruled.From(x.Moment(at)) {
		first := *x.Rule
		last := *x.Rule
		startAt(&a, x.reading(store.WallOf(next)))
		switch {
		case x.Rule.Count > 0: // COUNT includes a skipped local time, which may be no separate date
			ruled.Zone = nil
			first.Count = ruled.Count(time.Time{}, a.Event.Start.Time(), x.Rule.Count)
			last.Count -= first.Count
		default:
			first.Until = until
		}
		b.Rule = first.String()
		a.Rule = last.String()
		return &b, &a, nil
	}
	a.Rule = ""
	startAt(&a, at)
	return &b, &a, nil
}

// startAt sets the first date of a series, and removes it from the additional dates.
func startAt(s *store.Series, at store.Wall) {
	s.Event.Start, s.Event.End = at, at+s.Event.End-s.Event.Start
	if i, is := slices.BinarySearch(s.RDates, at); is {
		s.RDates = slices.Delete(slices.Clone(s.RDates), i, i+1)
	}
}

// cut divides dates at a date, which belongs to the second part.
func cut(dates []store.Wall, at store.Wall) (before, from []store.Wall) {
	i, _ := slices.BinarySearch(dates, at)
	return dates[:i:i], dates[i:]
}

// splitAt turns the change of a series into a change of a new series that begins at a date, and
// stores the rest of the old one. At the first event it does nothing.
func (r *revision) splitAt(at store.Wall) error {
	if r.events[0].Recurrence.Start >= at {
		return nil
	}
	before, after, err := r.split(r.series, at)
	if err != nil {
		return err
	}
	earlier := func(e *store.Event) bool { return e.Recurrence.Start < at }
	r.series = after
	r.before = before
	r.events = slices.DeleteFunc(r.events, earlier)
	r.gone = slices.DeleteFunc(r.gone, earlier)
	return r.tx.Put(before)
}

// putPart stores a series that is split from another one, and tells the parts beside it.
func (r *revision) putPart() error {
	later := r.series.Event.Parts.Later
	r.series.Event.Parts.Earlier = r.before.ID
	if err := r.tx.Put(r.series); err != nil {
		return err
	}
	if r.tx.Series(later) != nil {
		if err := r.Follow(r.tx, r.series.ID, later); err != nil {
			return err
		}
	}
	return r.Follow(r.tx, r.before.ID, r.series.ID)
}
