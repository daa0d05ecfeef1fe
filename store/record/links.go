// Links of events to other records, and names, slugs and titles of records.

package record

import (
	"cmp"
	"slices"
)

// EventOf returns an event, or the template of a series; else nil.
func EventOf(r Record) *Event {
	switch r := r.(type) {
	case *Event:
		return r
	case *Series:
		return &r.Event
	}
	return nil
}

// LinksOf calls f, once each, for every record that an event is listed under.
func LinksOf(e *Event, f func(Kind, int64)) {
	each := func(k Kind, ids []int64) {
		for i, id := range ids {
			if !slices.Contains(ids[:i], id) {
				f(k, id)
			}
		}
	}
	each(Categories, e.Categories)
	each(Tags, e.Tags)
	each(Venues, e.Venues)
	each(Organizers, e.Organizers)
	if e.Parent != 0 {
		f(Events, e.Parent)
	}
	if e.Recurrence != nil {
		f(AllSeries, e.Recurrence.Series)
	}
}

// Unlink removes the links to records that are missing.
func Unlink(e *Event, lacks func(Kind, int64) bool) {
	for i, ids := range []*[]int64{&e.Categories, &e.Tags, &e.Venues, &e.Organizers} {
		k := [...]Kind{Categories, Tags, Venues, Organizers}[i]
		*ids = slices.DeleteFunc(*ids, func(id int64) bool { return lacks(k, id) })
	}
	if lacks(Events, e.Parent) {
		e.Parent = 0
	}
	if e.Recurrence != nil && lacks(AllSeries, e.Recurrence.Series) {
		e.Recurrence = nil
	}
}

// SlugOf returns the slug that a record is found by, or "".
func SlugOf(r Record) string {
	switch r := r.(type) {
	case *Term:
		return r.Slug
	case *Series:
		return "" // its slug is the template of its events
	}
	if p := PostOf(r); p != nil {
		return p.Slug
	}
	return ""
}

// NameOf returns the name of a record that can be looked for by it.
func NameOf(r Record) (string, bool) {
	switch r := r.(type) {
	case *Venue:
		return r.Name, true
	case *Organizer:
		return r.Name, true
	case *Term:
		return r.Name, true
	}
	return "", false
}

// TitleOf returns what people call a record.
func TitleOf(r Record) string {
	switch r := r.(type) {
	case *Event:
		return r.Title
	case *Image:
		return cmp.Or(r.Title, r.URL)
	case *Series:
		return r.Event.Title
	case *Account:
		return r.Login
	}
	name, _ := NameOf(r)
	return name
}

// FormerField returns where the earlier slugs of a record are, nil for what has none.
func FormerField(r Record) *[]string {
	switch r := r.(type) {
	case *Event, *Venue, *Organizer, *Series:
		return &PostOf(r).Former
	case *Term:
		return &r.Former
	}
	return nil
}

// FormerOf returns the earlier slugs of a record.
func FormerOf(r Record) []string {
	if field := FormerField(r); field != nil {
		return *field
	}
	return nil
}
