// Overrides: single dates of series that a calendar changes or cancels.

package intake

import (
	"slices"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/internal/write"
	"almanac/store"
)

// overrides returns the overrides that were imported before their series. cancelled has, by date,
// the cancelled ones and the events that were deleted here after the file was changed.
func (im *importer) overrides(r *record, s *store.Series, uid string) (
	cancelled map[store.Wall]*store.Event, there []*store.Event, err error,
) {
	x, err := im.editor().Expand(s)
	if err != nil {
		return nil, nil, err
	}
	dates, err := x.Dates()
	if err != nil {
		return nil, nil, err
	}
	cancelled = map[store.Wall]*store.Event{}
	for _, date := range dates {
		e := im.byOverride(uid, date, x.Local)
		switch {
		case e == nil:
		case e.Status == store.Trash:
			cancelled[date] = e
		case e.Recurrence == nil:
			there = append(there, write.Placed(e, &store.Recurrence{Start: date}))
		}
	}
	if s.ID == 0 {
		return cancelled, there, nil
	}
	for _, e := range im.tx.Instances(s.ID) {
		if _, is := slices.BinarySearch(dates, e.Recurrence.Start); is &&
			e.Status == store.Trash &&
			!im.after(r, e.Modified) {
			cancelled[e.Recurrence.Start] = e
		}
	}
	return cancelled, there, nil
}

// byOverride returns the override of a date of a series, or nil.
func (im *importer) byOverride(uid string, date store.Wall, zone *caltime.Zone) *store.Event {
	for _, d := range []rrule.DateTime{rrule.At(zone.Instant(date.Time()), rrule.UTC), rrule.At(date.Time(), rrule.Date)} {
		if e, ok := im.tx.ByOrigin(store.Events, overrideKey(uid, d.String())).(*store.Event); ok {
			return e
		}
	}
	return nil
}

// override stores an event for one date of a series; a bare record only cancels it. While the
// series is unknown, or lacks the date, it is a single event.
func (im *importer) override(
	r *record,
	part CalendarPart,
	uid string,
	s *store.Series,
	bare bool,
) (int64, error) {
	id, err := im.instanceID(part, s)
	if err != nil {
		return 0, err
	}
	if s != nil && s.Event.Status == store.Trash {
		return im.leave(s), nil
	}
	key := overrideKey(uid, id.String())
	found, _ := im.tx.ByOrigin(store.Events, key).(*store.Event)
	var date store.Wall
	is := false
	if s != nil {
		x, err := im.editor().Expand(s)
		if err != nil {
			return 0, err
		}
		if date = x.DateIn(id); found != nil && found.Status == store.Trash {
			x.ExDates = nil // the trash made it an exception
		}
		is = x.Has(date)
	}
	isOwn := found != nil
	if found == nil && is {
		found = im.tx.Instance(s.ID, date)
		isOwn = found != nil && (len(found.Recurrence.Changed) > 0 || im.item.Base != nil)
	}
	switch {
	case isOwn && im.newer(&found.Post, r), isGone(r, found):
		return im.leaveAlone(found)
	case found == nil && !is && s != nil && r.text("event_status") == store.Canceled:
		return im.leave(s), nil
	case found == nil && bare:
		return 0, errUnknownCanceled
	}
	e := r.base(found)
	r.knownBy(key)
	if err := im.fill(r, e, found); err != nil {
		return 0, err
	}
	if s == nil {
		e.Recurrence = nil // its series may have ended
	}
	if is {
		ed := im.editor()
		if err := ed.Include(im.tx, s.ID, date); err != nil {
			return 0, err
		}
		if err := ed.Join(im.tx, s.ID, e, date, true); err != nil {
			return 0, err
		}
	}
	if found != nil {
		next := *e
		if next.Origins = found.Origins; part.Stamped {
			next.Modified = found.Modified
		}
		if write.Same(found, &next) { // as the series made it
			return im.leaveAlone(found)
		}
	}
	own, err := im.commitEvent(r, part, e, found)
	if err != nil || !is {
		return own, err
	}
	made, err := im.editor().Reach(im.tx, s.ID, date)
	im.noteAll(made, write.Created)
	return own, err
}

// instanceID returns the RECURRENCE-ID, a day or an instant. In a series of whole days, it is the
// day as it is written.
func (im *importer) instanceID(part CalendarPart, s *store.Series) (rrule.DateTime, error) {
	id, err := rrule.ParseDateTime(part.ID)
	if err == nil && s != nil && s.Event.AllDay {
		return rrule.At(store.Wall(id.Seconds).Time(), rrule.Date), nil
	}
	if err != nil || id.Form != rrule.Local {
		return id, err
	}
	zone := im.Site
	if part.Zone != "" {
		if zone, err = im.Zones.Load(part.Zone); err != nil {
			return id, err
		}
	}
	return rrule.At(zone.Instant(store.Wall(id.Seconds).Time()), rrule.UTC), nil
}
