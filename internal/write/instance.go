// The events of a series: what each is made of, and what it has of its own.

package write

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/markup"
	"almanac/internal/params"
	"almanac/store"
)

// instanceOf returns what a series makes of a date: an event without an id and a slug.
func (ed Editor) instanceOf(s *store.Series, date store.Wall) (*store.Event, error) {
	zone, err := ed.Zones.Load(s.Event.Timezone)
	if err != nil {
		return nil, err
	}
	e := s.Event
	e.Slug, e.Start, e.End = "", date, date+s.Event.End-s.Event.Start
	e.Origins, e.Former = nil, nil // what the series is known by elsewhere
	e.Recurrence = &store.Recurrence{Series: s.ID, Start: date}
	settleTimes(&e, zone)
	return &e, nil
}

// settleTimes makes of start and end what a clock shows, in order, and of days whole days.
func settleTimes(e *store.Event, zone *caltime.Zone) {
	if e.Start, e.End = wall(zone, e.Start), wall(zone, e.End); e.AllDay {
		e.Start, e.End = startOfDay(e.Start), store.WallOf(caltime.EndOfDay(e.End.Time()))
	}
	e.End = max(e.End, e.Start)
}

// dated returns the slug of an event of a series: the name of the series with the day.
func dated(name string, date store.Wall) string {
	day := date.Time().Format(time.DateOnly)
	if name == "" {
		return day
	}
	return markup.Join(name, day)
}

// nameSeries gives a series a name for the slugs of its events, if these have slugs.
func nameSeries(s *store.Series) {
	if e := &s.Event; e.Slug == "" && !e.Status.Unpublished() {
		e.Slug = markup.Slug(e.Title)
	}
}

// setOwn notes what a change of one event makes of its place in its series: the members
// that are now its own, and whether its date is an exception, as that of an event in the
// trash is.
func (ed Editor) setOwn(tx *store.Tx, values params.Values, e, old *store.Event) error {
	was, is := old.Status == store.Trash, e.Status == store.Trash
	own := differing(e, old)
	place := *old.Recurrence
	place.Changed = union(place.Changed, slices.DeleteFunc(own, func(name string) bool {
		return name == "slug" && !values.Has(name) || was != is && (name == "slug" || name == "status" || name == "date")
	}))
	e.Recurrence = &place
	switch {
	case is && !was:
		return ed.except(tx, place.Series, place.Start)
	case was && !is:
		return ed.rejoin(tx, e)
	}
	return nil
}

// except makes a date of a series an exception.
func (ed Editor) except(tx *store.Tx, series int64, date store.Wall) error {
	s := *tx.Series(series)
	s.EXDates = union(s.EXDates, []store.Wall{date})
	s.Event.Modified = ed.Now // calendars read it anew
	return tx.Put(&s)
}

// rejoin lets an event that comes back from the trash be of its series again, with what
// differs as its own. If its series has ended, or its date is none any more, it becomes
// an event of no series.
func (ed Editor) rejoin(tx *store.Tx, e *store.Event) error {
	place := e.Recurrence
	e.Recurrence = nil
	s := *tx.Series(place.Series)
	at, excepted := slices.BinarySearch(s.EXDates, place.Start)
	if !excepted || s.Event.Status == store.Trash || tx.Instance(s.ID, place.Start) != nil {
		return nil
	}
	s.EXDates, s.Event.Modified = slices.Delete(slices.Clone(s.EXDates), at, at+1), ed.Now
	x, err := ed.expansionOf(&s)
	if err != nil || !x.has(place.Start) {
		return err
	}
	own, err := ed.ownOf(&s, e, place.Start)
	if err != nil {
		return err
	}
	e.Recurrence = &store.Recurrence{Series: s.ID, Start: place.Start, Changed: union(place.Changed, own)}
	return tx.Put(&s)
}

// ownOf returns the members of an event in which it is not what its series makes of a date.
func (ed Editor) ownOf(s *store.Series, e *store.Event, date store.Wall) ([]string, error) {
	like, err := ed.instanceOf(s, date)
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(differing(e, like), func(name string) bool { return name == "slug" || name == "date" })
	if len(own) == 0 {
		return nil, nil
	}
	return own, nil
}

// Join makes an event, which is about to be stored, that of a date of a series, as a site
// shows it: a date that the rule does not give becomes one of those beside it. Of an event
// that was changed on its own, what differs is its own.
func (ed Editor) Join(tx *store.Tx, series int64, e *store.Event, date store.Wall, changed bool) error {
	s := *tx.Series(series)
	x, err := ed.expansionOf(&s)
	if err != nil {
		return err
	}
	if !x.has(date) {
		s.RDates = union(s.RDates, []store.Wall{date})
		s.EXDates = slices.DeleteFunc(slices.Clone(s.EXDates), func(w store.Wall) bool { return w == date })
		if err := tx.Put(&s); err != nil {
			return err
		}
	}
	if other := tx.Instance(series, date); other != nil && other.ID != e.ID { // it has moved too, and comes later
		next := *other
		next.Recurrence = nil
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	place := store.Recurrence{Series: series, Start: date}
	if changed {
		if place.Changed, err = ed.ownOf(&s, e, date); err != nil {
			return err
		}
		if was := e.Recurrence; was != nil && was.Series == series {
			place.Changed = union(place.Changed, was.Changed)
		}
	}
	e.Recurrence = &place
	return nil
}

// union returns what is in either list, in order; the lists are not changed.
func union[T store.Wall | string](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// slugTitle returns what the slug of an event is made of: those of a series have the same
// title.
func slugTitle(e *store.Event) string {
	if e.Recurrence == nil {
		return e.Title
	}
	return strings.TrimSpace(e.Title + " " + e.Recurrence.Start.Time().Format(time.DateOnly))
}
