// Builders of records to seed.

package almanactest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"almanac/internal/text/caltime"
	"almanac/store"
)

// An EventSeed describes an event for Seed. Its methods return a changed copy, so that several
// events can share a beginning:
//
//	concert := almanactest.Event("Concert").At(almanactest.Venue("Town Hall")).Starting("@tomorrow 20:00")
//	srv.Seed(concert, concert.Starting("@tomorrow+1w 20:00").Categories("Encores"))
//
// A request could create every such event: its venue, organizer, categories and tags exist, its
// start is a time that Seed understands, and its end is not before. Seed has the defaults.
type EventSeed struct {
	title, starts, zone string
	lasts               time.Duration
	allDay              bool
	days                int // that an event of whole days lasts
	venue               *VenueSeed
	organizer           *OrganizerSeed
	categories, tags    []string
	changes             []func(*store.Event)
}

// A VenueSeed says what a venue is to be, and an OrganizerSeed an organizer. Where one of
// that name is there already, it is that.
type (
	VenueSeed struct {
		name    string
		changes []func(*store.Venue)
	}
	OrganizerSeed struct {
		name    string
		changes []func(*store.Organizer)
	}
)

// Event returns what an event of this title is.
func Event(title string) EventSeed { return EventSeed{title: title} }

// Venue returns what a venue of this name is.
func Venue(name string) VenueSeed { return VenueSeed{name: name} }

// Organizer returns what an organizer of this name is.
func Organizer(name string) OrganizerSeed { return OrganizerSeed{name: name} }

// Starting says when it starts, as seeds do: "@next-friday 20:00" by the clock of the server,
// or "2031-05-10 20:00".
func (e EventSeed) Starting(when string) EventSeed { e.starts = when; return e }

// Lasting sets the duration. The default is an hour.
func (e EventSeed) Lasting(d time.Duration) EventSeed {
	e.lasts = d
	e.allDay = false
	return e
}

// AllDay makes it last whole days, from the one on which it starts.
func (e EventSeed) AllDay(days int) EventSeed {
	e.allDay = true
	e.days = days
	return e
}

// Zone sets the zone of the start, as "Europe/Paris". The default is the site's.
func (e EventSeed) Zone(name string) EventSeed { e.zone = name; return e }

// At says where it is.
func (e EventSeed) At(v VenueSeed) EventSeed { e.venue = &v; return e }

// By says who organizes it.
func (e EventSeed) By(o OrganizerSeed) EventSeed { e.organizer = &o; return e }

// Categories adds it to categories of these names.
func (e EventSeed) Categories(names ...string) EventSeed {
	e.categories = slices.Concat(e.categories, names)
	return e
}

// Tags adds tags of these names.
func (e EventSeed) Tags(
	names ...string,
) EventSeed {
	e.tags = slices.Concat(e.tags, names)
	return e
}

// With changes what else an event has, such as its Status, after all that the other methods say.
func (e EventSeed) With(change func(*store.Event)) EventSeed {
	e.changes = slices.Concat(e.changes, []func(*store.Event){change})
	return e
}

// With changes what else a venue has, such as its City.
func (v VenueSeed) With(change func(*store.Venue)) VenueSeed {
	v.changes = slices.Concat(v.changes, []func(*store.Venue){change})
	return v
}

// With changes what else an organizer has, such as its Email.
func (o OrganizerSeed) With(change func(*store.Organizer)) OrganizerSeed {
	o.changes = slices.Concat(o.changes, []func(*store.Organizer){change})
	return o
}

// build stores the event with all that belongs to it.
func (e EventSeed) build(s *Server, tx *store.Tx) error {
	event := store.Event{Title: e.title, ShowMap: true, ShowMapLink: true}
	if err := e.setTimes(s, tx, &event); err != nil {
		return fmt.Errorf("Event(%q): %w", e.title, err)
	}
	if e.venue != nil {
		id, err := e.venue.build(s, tx)
		if err != nil {
			return err
		}
		event.Venues = []int64{id}
	}
	if e.organizer != nil {
		id, err := e.organizer.build(s, tx)
		if err != nil {
			return err
		}
		event.Organizers = []int64{id}
	}
	var err error
	if event.Categories, err = s.terms(tx, store.Categories, e.categories); err != nil {
		return err
	}
	if event.Tags, err = s.terms(tx, store.Tags, e.tags); err != nil {
		return err
	}
	for _, change := range e.changes {
		change(&event)
	}
	return s.seed(tx, &event)
}

// setTimes says when the event is.
func (e EventSeed) setTimes(s *Server, tx *store.Tx, event *store.Event) error {
	zone := s.zone
	when := cmp.Or(e.starts, "@tomorrow 12:00")
	if e.zone != "" {
		var err error
		if zone, err = caltime.LoadZone(e.zone); err != nil {
			return err
		}
	}
	m, err := caltime.Parse(when, tx.Now(), zone)
	start := m.Wall
	if caltime.IsRelative(when) {
		m, _, err = caltime.Relative{Now: tx.Now(), Zone: zone}.Parse(when)
		start = zone.Wall(m.Instant)
	}
	if err != nil {
		return err
	}
	lasts := cmp.Or(e.lasts, time.Hour)
	if lasts < 0 || e.allDay && e.days < 1 {
		return fmt.Errorf(
			"lasts %v, or %d whole days: it cannot be less than nothing, and of whole days there is one at least",
			e.lasts,
			e.days,
		)
	}
	end := zone.Wall(zone.Instant(start).Add(lasts))
	if e.allDay {
		start = caltime.StartOfDay(start)
		end = caltime.EndOfDay(start.AddDate(0, 0, e.days-1))
	}
	event.Timezone = zone.Name()
	event.AllDay = e.allDay
	event.Start = store.WallOf(start)
	event.End = store.WallOf(end)
	return nil
}

// build stores the venue, unless its name exists, and returns its id.
func (v VenueSeed) build(s *Server, tx *store.Tx) (int64, error) {
	if id := find(tx, store.Venues, func(there *store.Venue) bool { return there.Name == v.name }); id != 0 {
		return id, nil
	}
	venue := store.Venue{Name: v.name, ShowMap: true, ShowMapLink: true}
	for _, change := range v.changes {
		change(&venue)
	}
	err := s.seed(tx, &venue)
	return venue.ID, err
}

// build stores the organizer, unless its name exists, and returns its id.
func (o OrganizerSeed) build(s *Server, tx *store.Tx) (int64, error) {
	if id := find(tx, store.Organizers, func(there *store.Organizer) bool { return there.Name == o.name }); id != 0 {
		return id, nil
	}
	organizer := store.Organizer{Name: o.name}
	for _, change := range o.changes {
		change(&organizer)
	}
	err := s.seed(tx, &organizer)
	return organizer.ID, err
}

// terms returns the ids of terms by their names, and stores those that are not there.
func (s *Server) terms(
	tx *store.Tx,
	taxonomy store.Kind,
	names []string,
) (ids []int64, err error) {
	for _, name := range names {
		id := find(tx, taxonomy, func(there *store.Term) bool { return there.Name == name })
		if id == 0 {
			term := store.Term{Taxonomy: taxonomy, Name: name}
			if err := s.seed(tx, &term); err != nil {
				return nil, err
			}
			id = term.ID
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// find returns the lowest id of the records for which is returns true, or 0.
func find[R store.Record](tx *store.Tx, k store.Kind, is func(R) bool) (id int64) {
	for record := range tx.Each(k) {
		if r, ok := record.(R); ok && is(r) && (id == 0 || r.Key() < id) {
			id = r.Key()
		}
	}
	return id
}
