// Creating, changing and deleting events, single or recurring.

package write

import (
	"slices"

	"almanac/internal/people/access"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A Scope selects the events of a series that a change affects. It has no effect on a single
// event.
type Scope string

const (
	This      Scope = "this"      // the event alone
	Following Scope = "following" // the event and those with a later date
	All       Scope = "all"       // all events of the series that are not in the trash
)

// A Report has the ids of the events of a series that a write made, kept and moved to the trash,
// in the order of dates.
type Report struct{ Made, Kept, Removed []int64 }

// CreateEvent creates an event from the parameters. If rec is not nil, it creates a series with
// its events up to the horizon, and returns the event at the start in the request. The report is
// nil without a series.
func (ed Editor) CreateEvent(
	tx *store.Tx,
	values params.Values,
	rec *params.Recurrence,
) (*store.Event, *Report, error) {
	e := &store.Event{Post: store.Post{Author: ed.Caller.ID}}
	if rec == nil || rec.Null {
		return e, nil, ed.Event(tx, Draft{Values: values}, e, nil)
	}
	if err := ed.apply(tx, Draft{Values: values}, e, nil); err != nil {
		return nil, nil, err
	}
	e.Slug = markup.SlugIn(ed.Language, values.Text("slug"))
	return ed.begin(tx, e, rec, nil)
}

// begin creates a series from its first event. If that event is stored already, events contains
// it.
func (ed Editor) begin(
	tx *store.Tx,
	e *store.Event,
	rec *params.Recurrence,
	events []*store.Event,
) (*store.Event, *Report, error) {
	if e.Status == store.Trash {
		return nil, nil, refused(
			"an event in the trash does not come again; right would be another status.",
		)
	}
	s := &store.Series{Event: *e}
	s.Event.Meta = store.Meta{}
	s.Event.Origins = nil
	s.Event.Former = nil
	s.Event.Recurrence = nil
	s.Event.Proposal = store.Proposal{}
	if err := ed.Describe(s, rec); err != nil {
		return nil, nil, err
	}
	if slices.Contains(s.EXDates, e.Start) {
		return nil, nil, refused(
			"exdates must not hold the start, %s; right would be the start_date of the first event.",
			e.Start,
		)
	}
	r := &revision{Editor: ed, tx: tx, series: s, events: events}
	err := r.settle()
	return tx.Instance(s.ID, e.Start), &r.report, err
}

// Repeat makes a stored single event the first of a new series, and returns its new state.
func (ed Editor) Repeat(
	tx *store.Tx,
	e *store.Event,
	rec *params.Recurrence,
) (*store.Event, *Report, error) {
	return ed.begin(tx, e, rec, []*store.Event{Placed(e, &store.Recurrence{Start: e.Start})})
}

// UpdateEvent applies the parameters to an event, and to other events of its series in the scope;
// rec is nil if the request has none. It returns the new state of the event, which is the trash if
// a new rule lacks its date. The report is nil if only this event changed.
func (ed Editor) UpdateEvent(
	tx *store.Tx,
	values params.Values,
	rec *params.Recurrence,
	scope Scope,
	old *store.Event,
) (
	*store.Event, *Report, error) {
	next := *old
	if old.Recurrence == nil {
		if err := ed.Event(tx, Draft{Values: values}, &next, old); err != nil || rec == nil || rec.Null {
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
			return nil, nil, refused(
				"an event in the trash has no say about its series; right would be one of its other events.",
			)
		case scope == This:
			return nil, nil, refused(
				"it is that of all events of the series; send it with scope=all, " +
					"or with scope=following for this event and those after it.",
			)
		}
	}
	r.leaving = rec != nil && rec.Null
	if scope == This {
		if err := ed.Event(tx, Draft{Values: values}, &next, old); err != nil || !r.leaving {
			return &next, nil, err
		}
		single := Placed(&next, nil)
		if next.Recurrence != nil && next.Status != store.Trash {
			if err := ed.except(tx, r.series.ID, old.Recurrence.Start); err != nil {
				return nil, nil, err
			}
		}
		return single, nil, tx.Put(single)
	}
	if err := r.open(scope, old); err != nil {
		return nil, nil, err
	}
	err := r.change(values, rec, old)
	return tx.Event(old.ID), &r.report, err
}

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

// DeleteEvent moves an event to the trash, and other events of its series in the scope. The event
// is not there yet. The report is nil if only this event moved.
func (ed Editor) DeleteEvent(
	tx *store.Tx,
	scope Scope,
	old *store.Event,
) (*store.Event, *Report, error) {
	if old.Recurrence == nil || scope == This {
		next := *old
		ed.trash(tx, &next.Post, store.Events)
		ed.propose(&next)
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
	if err := r.afford(leastBytes * len(r.events)); err != nil {
		return nil, nil, err
	}
	if r.series.ID != 0 { // scope All
		end(r.series)
		if err := tx.Put(r.series); err != nil {
			return nil, nil, err
		}
	}
	err := r.remove(r.events)
	return tx.Event(old.ID), &r.report, err
}

// says reports whether a series already has the recurrence of a request, which may be a record
// sent back unchanged.
func (ed Editor) says(s *store.Series, rec *params.Recurrence) (bool, error) {
	next := *s
	err := ed.Describe(&next, rec)
	return next.Rule == s.Rule && slices.Equal(next.RDates, s.RDates) &&
		slices.Equal(next.EXDates, s.EXDates), err
}
