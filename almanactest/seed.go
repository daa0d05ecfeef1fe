// Records that are there before the first request.

package almanactest

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"almanac/internal/text/markup"
	"almanac/store"
)

// Seed stores records, all or none; an error ends the test. A record is a store.Event, Venue,
// Organizer, Term or Image, a pointer to one, which gets the id and the defaults, or a result of
// Event, Venue and Organizer. They are stored in order, so a venue comes before its events.
//
// Empty fields get defaults. Events, venues and organizers: published, now, by the administrator,
// with a slug made of the title. Events: in the site's zone, at noon of the clock's next day and
// an hour long. Terms: categories, with a slug made of the name. All other fields stay, flags too.
//
// Reset returns to the new state of the server, and each World begins with it. Seed without
// records does that for a state that was stored in another way.
func (s *Server) Seed(records ...any) {
	s.tb.Helper()
	err := s.Store.Update(1, func(tx *store.Tx) error {
		for i, record := range records {
			if err := s.seed(tx, record); err != nil {
				return fmt.Errorf("record %d: %w", i, err)
			}
		}
		return nil
	})
	if err == nil {
		err = s.keepSeeded()
	}
	if err != nil {
		s.tb.Fatalf("almanactest: seed: %v", err)
	}
}

// seed stores a copy, because what the store holds must not change any more
// and what the caller holds may.
func (s *Server) seed(tx *store.Tx, record any) error {
	switch r := record.(type) {
	case store.Event:
		return s.seed(tx, &r)
	case store.Venue:
		return s.seed(tx, &r)
	case store.Organizer:
		return s.seed(tx, &r)
	case store.Term:
		return s.seed(tx, &r)
	case store.Image:
		return s.seed(tx, &r)

	case *store.Event:
		s.fillEvent(tx, r)
		return put(tx, r)
	case *store.Venue:
		fillPost(tx, store.Venues, &r.Post, r.Name)
		return put(tx, r)
	case *store.Organizer:
		fillPost(tx, store.Organizers, &r.Post, r.Name)
		return put(tx, r)
	case *store.Term:
		if r.Taxonomy != store.Tags {
			r.Taxonomy = store.Categories
		}
		r.Slug = cmp.Or(r.Slug, freeSlug(tx, r.Taxonomy, r.Name))
		return put(tx, r)
	case *store.Image:
		return put(tx, r)

	case EventSeed:
		return r.build(s, tx)
	case VenueSeed:
		_, err := r.build(s, tx)
		return err
	case OrganizerSeed:
		_, err := r.build(s, tx)
		return err
	}
	return fmt.Errorf(
		"cannot store a %T; give a store.Event, Venue, Organizer, Term or Image, a pointer to one, or what Event, Venue "+
			"and Organizer return",
		record,
	)
}

// put stores a copy of a record and tells the caller's what it became.
func put[T any, P interface {
	*T
	store.Record
}](tx *store.Tx, r P) error {
	stored := *r
	err := tx.Put(P(&stored))
	*r = stored
	return err
}

// fillEvent fills in what is empty in an event.
func (s *Server) fillEvent(tx *store.Tx, e *store.Event) {
	fillPost(tx, store.Events, &e.Post, e.Title)
	e.Timezone = cmp.Or(e.Timezone, s.zone.Name())
	if e.Start == 0 {
		year, month, day := s.zone.Wall(tx.Now()).Date()
		e.Start = store.WallOf(time.Date(year, month, day+1, 12, 0, 0, 0, time.UTC))
	}
	if e.End == 0 {
		e.End = e.Start + store.Wall(time.Hour/time.Second)
	}
}

// fillPost fills in what is empty in what events, venues and organizers have
// in common.
func fillPost(tx *store.Tx, k store.Kind, p *store.Post, title string) {
	p.Status = cmp.Or(p.Status, store.Publish)
	p.Author = cmp.Or(p.Author, 1)
	if p.Date.IsZero() {
		p.Date = tx.Now().Truncate(time.Second)
	}
	if p.Modified.IsZero() {
		p.Modified = p.Date
	}
	p.Slug = cmp.Or(p.Slug, freeSlug(tx, k, title))
}

// freeSlug makes a slug that no other record of the kind has.
func freeSlug(tx *store.Tx, k store.Kind, title string) string {
	wanted := cmp.Or(markup.Slug(title), strconv.FormatInt(tx.NextID(k), 10))
	return markup.FreeSlug(wanted, func(slug string) bool { return tx.BySlug(k, slug) != nil })
}
