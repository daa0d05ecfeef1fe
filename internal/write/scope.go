// What is done to events, whether they come again or not: made, changed, deleted.

package write

import (
	"slices"

	"almanac/internal/access"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// A Scope says which events of a series a change is about. It says nothing about an
// event of no series.
type Scope string

// The scopes.
const (
	This      Scope = "this"      // the event alone
	Following Scope = "following" // it and those with a later date
	All       Scope = "all"       // all of the series that are not in the trash
)

// A Report says what a write did to a series: which events were made, which are still
// there and which went to the trash, by their ids in the order of their dates.
type Report struct{ Made, Kept, Removed []int64 }

// CreateEvent makes the event that the parameters describe; with rec, which is nil if the
// request has none, it makes a series with its events up to its horizon. It returns the
// event that starts when the request says. The report is nil if there is no series.
func (ed Editor) CreateEvent(tx *store.Tx, values params.Values, rec *params.Recurrence) (*store.Event, *Report, error) {
	e := &store.Event{Post: store.Post{Author: ed.Caller.ID}}
	if rec == nil || rec.Null {
		return e, nil, ed.Event(tx, values, e, nil)
	}
	if err := ed.apply(tx, values, e, nil); err != nil {
		return nil, nil, err
	}
	if values.Has("slug") {
		e.Slug = markup.Slug(values.Text("slug"))
	}
	return ed.begin(tx, e, rec, nil)
}

// begin makes a series of what is to be its first event, which is among events if there is
// such an event already.
func (ed Editor) begin(tx *store.Tx, e *store.Event, rec *params.Recurrence, events []*store.Event) (*store.Event, *Report, error) {
	if e.Status == store.Trash {
		return nil, nil, refused("an event in the trash does not come again; right would be another status.")
	}
	s := &store.Series{Event: *e}
	s.Event.Meta, s.Event.Origins, s.Event.Former, s.Event.Recurrence = store.Meta{}, nil, nil, nil
	nameSeries(s)
	if err := ed.describe(s, rec); err != nil {
		return nil, nil, err
	}
	if slices.Contains(s.EXDates, e.Start) {
		return nil, nil, refused("exdates must not hold the start, %s; right would be the start_date of the first event.", e.Start)
	}
	r := &revision{Editor: ed, tx: tx, series: s, events: events}
	err := r.settle()
	return tx.Instance(s.ID, e.Start), &r.report, err
}

// Repeat makes a series of an event that is stored and of no series, which becomes its
// first event. It returns the event as it is then.
func (ed Editor) Repeat(tx *store.Tx, e *store.Event, rec *params.Recurrence) (*store.Event, *Report, error) {
	first := *e
	first.Recurrence = &store.Recurrence{Start: e.Start}
	return ed.begin(tx, e, rec, []*store.Event{&first})
}

// UpdateEvent applies the parameters to an event, and with another scope than This to
// others of its series; rec is nil if the request has none. It returns the event as it is
// then: in the trash, if a new rule does not have its date. The report is nil if the event
// alone changed.
func (ed Editor) UpdateEvent(tx *store.Tx, values params.Values, rec *params.Recurrence, scope Scope, old *store.Event) (
	*store.Event, *Report, error) {
	next := *old
	if old.Recurrence == nil {
		if err := ed.Event(tx, values, &next, old); err != nil || rec == nil || rec.Null {
			return &next, nil, err
		}
		return ed.Repeat(tx, &next, rec)
	}
	r := ed.revise(tx, tx.Series(old.Recurrence.Series))
	if rec != nil && !rec.Null {
		same, err := ed.says(r.series, rec)
		switch {
		case err != nil:
			return nil, nil, err
		case same:
			rec = nil
		case old.Status == store.Trash:
			return nil, nil, refused("an event in the trash has no say about its series; right would be one of its other events.")
		case scope == This:
			return nil, nil, refused("it is that of all events of the series; send it with scope=all, " +
				"or with scope=following for this event and those after it.")
		}
	}
	r.leaving = rec != nil && rec.Null
	if scope == This {
		if err := ed.Event(tx, values, &next, old); err != nil || !r.leaving {
			return &next, nil, err
		}
		single := next
		single.Recurrence = nil
		if next.Recurrence != nil && next.Status != store.Trash {
			if err := ed.except(tx, r.series.ID, old.Recurrence.Start); err != nil {
				return nil, nil, err
			}
		}
		return &single, nil, tx.Put(&single)
	}
	if err := r.open(scope, old); err != nil {
		return nil, nil, err
	}
	err := r.change(values, rec, old)
	return tx.Event(old.ID), &r.report, err
}

// open prepares a change of more than one event.
func (r *revision) open(scope Scope, e *store.Event) error {
	switch {
	case e.Status == store.Trash:
		return invalid("scope", "scope must be this for an event in the trash.")
	case !access.MayEdit(r.Caller, &r.series.Event.Post):
		return ErrForbidden
	case scope == Following:
		return r.splitAt(e.Recurrence.Start)
	}
	return nil
}

// DeleteEvent puts an event that is not in the trash there, and with another scope than
// This others of its series too. The report is nil if it was that event alone.
func (ed Editor) DeleteEvent(tx *store.Tx, scope Scope, old *store.Event) (*store.Event, *Report, error) {
	if old.Recurrence == nil || scope == This {
		next := *old
		ed.Trash(tx, &next.Post, store.Events)
		if old.Recurrence != nil {
			if err := ed.except(tx, old.Recurrence.Series, old.Recurrence.Start); err != nil {
				return nil, nil, err
			}
		}
		return &next, nil, tx.Put(&next)
	}
	r := ed.revise(tx, tx.Series(old.Recurrence.Series))
	if err := r.open(scope, old); err != nil {
		return nil, nil, err
	}
	if r.series.ID != 0 { // all of them
		end(r.series)
		if err := tx.Put(r.series); err != nil {
			return nil, nil, err
		}
	}
	err := r.remove(r.events)
	return tx.Event(old.ID), &r.report, err
}

// says reports whether a series is what a request says already: records are sent back as
// they were read.
func (ed Editor) says(s *store.Series, rec *params.Recurrence) (bool, error) {
	next := *s
	err := ed.describe(&next, rec)
	return next.Rule == s.Rule && slices.Equal(next.RDates, s.RDates) && slices.Equal(next.EXDates, s.EXDates), err
}
