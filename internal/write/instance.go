// The events of a series: their template, and their overrides.

package write

import (
	"slices"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/markup"
	"almanac/store"
)

// instanceOf returns the event that a series generates for a date, without an id and a slug.
func (ed Editor) instanceOf(s *store.Series, date store.Wall) (*store.Event, error) {
	zone, err := ed.Zones.Load(s.Event.Timezone)
	if err != nil {
		return nil, err
	}
	e := s.Event
	e.Slug = ""
	e.Start = date
	e.End = date + s.Event.End - s.Event.Start
	e.Origins = nil
	e.Former = nil // origins of the series, not of the event
	e.Parts = store.Parts{}
	e.Recurrence = &store.Recurrence{Series: s.ID, Start: date}
	settleTimes(&e, zone)
	return &e, nil
}

// Placed returns a copy of an event with another place in a series, or with none.
func Placed(e *store.Event, place *store.Recurrence) *store.Event {
	next := *e
	next.Recurrence = place
	return &next
}

// settleTimes moves start and end to existing local times in order, and to the limits of whole
// days.
func settleTimes(e *store.Event, zone *caltime.Zone) {
	if e.Start, e.End = localTime(zone, e.Start), localTime(zone, e.End); e.AllDay {
		e.Start, e.End = startOfDay(e.Start), store.WallOf(caltime.EndOfDay(e.End.Time()))
	}
	e.End = max(e.End, e.Start)
}

// dated returns the slug of an event of a series: the name of the series and the day.
func dated(name string, date store.Wall) string {
	day := date.Time().Format(time.DateOnly)
	if name == "" {
		return day
	}
	return markup.Join(name, day)
}

// nameSeries sets the slug of a published series, the prefix of its events' slugs, if it is empty.
func (ed Editor) nameSeries(s *store.Series) {
	if e := &s.Event; e.Slug == "" && !e.Status.Unpublished() {
		e.Slug = markup.SlugIn(ed.Language, e.Title)
	}
}

// setOwn updates the overrides of an event of a series after a change of this event. It adds an
// exception to the series if the event goes to the trash, and removes it if the event comes back.
// named says that the slug was chosen.
func (ed Editor) setOwn(tx *store.Tx, named bool, e, old *store.Event) error {
	was := old.Status == store.Trash
	is := e.Status == store.Trash
	if linksOf(e) > linksOf(old) {
		links := linksOf(e) - linksOf(old)
		all := tx.Instances(old.Recurrence.Series)
		for _, other := range all {
			links += linksOf(other)
		}
		if err := ed.admitLinks(e, len(all), links); err != nil {
			return err
		}
	}
	own := differing(e, old)
	place := *old.Recurrence
	place.Changed = union(place.Changed, slices.DeleteFunc(own, func(name string) bool {
		return name == "slug" && !named ||
			was != is && (name == "slug" || name == "status" || name == "date")
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

// except adds an exception to a series.
func (ed Editor) except(tx *store.Tx, series int64, date store.Wall) error {
	s := *tx.Series(series)
	s.EXDates = union(s.EXDates, []store.Wall{date})
	s.Event.Modified = ed.Now // calendars must read it again
	return tx.Put(&s)
}

// rejoin makes an event from the trash an instance of its series again; its differences are
// overrides. If the series ended, or no longer has the date, the event becomes a single event.
func (ed Editor) rejoin(tx *store.Tx, e *store.Event) error {
	place := e.Recurrence
	e.Recurrence = nil
	s := *tx.Series(place.Series)
	at, excepted := slices.BinarySearch(s.EXDates, place.Start)
	if !excepted || s.Event.Status == store.Trash || tx.Instance(s.ID, place.Start) != nil {
		return nil
	}
	s.EXDates = slices.Delete(slices.Clone(s.EXDates), at, at+1)
	s.Event.Modified = ed.Now
	x, err := ed.Expand(&s)
	if err != nil || !x.Has(place.Start) {
		return err
	}
	own, err := ed.ownOf(&s, e, place.Start)
	if err != nil {
		return err
	}
	e.Recurrence = &store.Recurrence{
		Series:  s.ID,
		Start:   place.Start,
		Changed: union(place.Changed, own),
	}
	return tx.Put(&s)
}

// ownOf returns the members in which an event differs from the series at a date.
func (ed Editor) ownOf(s *store.Series, e *store.Event, date store.Wall) ([]string, error) {
	like, err := ed.instanceOf(s, date)
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(
		differing(e, like),
		func(name string) bool { return name == "slug" || name == "date" },
	)
	if len(own) == 0 {
		return nil, nil
	}
	return own, nil
}

// Join makes an event, which the caller then stores, the instance of a series at a date, as a site
// shows it. A date that the rule lacks becomes an additional date. If changed, differences from
// the series become overrides.
func (ed Editor) Join(
	tx *store.Tx,
	series int64,
	e *store.Event,
	date store.Wall,
	changed bool,
) error {
	s := *tx.Series(series)
	has, err := ed.has(&s, date)
	if err != nil {
		return err
	}
	if !has {
		if at, listed := slices.BinarySearch(s.RDates, date); !listed {
			s.RDates = slices.Insert(slices.Clone(s.RDates), at, date)
		}
		s.EXDates = slices.DeleteFunc(
			slices.Clone(s.EXDates),
			func(w store.Wall) bool { return w == date },
		)
		if err := tx.Put(&s); err != nil {
			return err
		}
	}
	if other := tx.Instance(series, date); other != nil &&
		other.ID != e.ID { // it moves too, later in the import
		if err := tx.Put(Placed(other, nil)); err != nil {
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

// has reports whether a date is one of a series. A series without a rule, whose dates come one by
// one, is not expanded for each of them.
func (ed Editor) has(s *store.Series, date store.Wall) (bool, error) {
	if s.Rule == "" {
		_, listed := slices.BinarySearch(s.RDates, date)
		_, excepted := slices.BinarySearch(s.EXDates, date)
		return (listed || date == s.Event.Start) && !excepted, nil
	}
	x, err := ed.Expand(s)
	return err == nil && x.Has(date), err
}

// union returns the sorted union of two lists, and changes neither.
func union[T store.Wall | string](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// slugTitle returns the text for the slug of an event. It has the date in a series, whose events
// share a title.
func slugTitle(e *store.Event) string {
	if e.Recurrence == nil {
		return e.Title
	}
	return strings.TrimSpace(e.Title + " " + e.Recurrence.Start.Time().Format(time.DateOnly))
}
