// Repairing records of which others are lost.

package store

import (
	"fmt"
	"slices"
	"strings"
)

// repair makes a record keep the rules of Put beside those that a reader has, and gives it a
// revision if it had to change. Terms and events may lead to others of their kind, which come
// later.
func (s *salvager) repair(reader *Reader, r Record, seq uint64) error {
	if err := checkForm(r); err != nil {
		return err
	}
	var lost []string
	lacks := func(k Kind, id int64) bool {
		_, found := s.records[k][id]
		if !found {
			lost = append(lost, fmt.Sprintf("%s %d", k, id))
		}
		return !found
	}
	if p := postOf(r); p != nil && p.Image != 0 && lacks(Images, p.Image) {
		p.Image = 0
	}
	switch r := r.(type) {
	case *Event:
		r.unlink(lacks)
	case *Series:
		r.Event.unlink(lacks)
	case *Term:
		if r.Parent != 0 && lacks(r.Taxonomy, r.Parent) {
			r.Parent = 0
		}
		if s.isCircle(r) {
			lost, r.Parent = append(lost, "its place below itself"), 0
		}
	}
	err := reader.checkUnique(r)
	for ; err != nil; err = reader.checkUnique(r) {
		what := s.separate(reader, r)
		if what == "" {
			return err
		}
		lost = append(lost, what)
	}
	if lost != nil {
		s.miss("%s %d: without %s", r.Kind(), r.Key(), strings.Join(lost, ", "))
		r.setKey(r.Key(), seq)
	}
	return nil
}

// unlink removes the links to records that are missing.
func (e *Event) unlink(lacks func(Kind, int64) bool) {
	for _, of := range []struct {
		kind Kind
		ids  *[]int64
	}{{Categories, &e.Categories}, {Tags, &e.Tags}, {Venues, &e.Venues}, {Organizers, &e.Organizers}} {
		*of.ids = slices.DeleteFunc(*of.ids, func(id int64) bool { return lacks(of.kind, id) })
	}
	if e.Parent != 0 && lacks(Events, e.Parent) {
		e.Parent = 0
	}
	if e.Recurrence != nil && lacks(AllSeries, e.Recurrence.Series) {
		e.Recurrence = nil
	}
}

// isCircle reports whether a term lies below itself.
func (s *salvager) isCircle(t *Term) bool {
	seen := map[int64]bool{t.ID: true}
	for id := t.Parent; id != 0; {
		if seen[id] {
			return id == t.ID
		}
		seen[id] = true
		above, found := s.records[t.Taxonomy][id].(*Term)
		if !found {
			return false
		}
		id = above.Parent
	}
	return false
}

// separate takes from a record one thing that another has and only one can have. It returns
// what that was, "" if it can do without none.
func (s *salvager) separate(reader *Reader, r Record) string {
	k := r.Kind()
	if other := reader.BySlug(k, SlugOf(r)); SlugOf(r) != "" && other != nil && other.Key() != r.Key() {
		slug := SlugOf(r)
		rename(r, fmt.Sprintf("%s-%d", slug, r.Key()))
		return fmt.Sprintf("the slug %q, which %d has", slug, other.Key())
	}
	if p := postOf(r); p != nil {
		for i, global := range p.Origins {
			if other := reader.ByOrigin(k, global); other != nil && other.Key() != r.Key() {
				p.Origins = slices.Delete(p.Origins, i, i+1)
				return fmt.Sprintf("the origin %q, which %d has", global, other.Key())
			}
		}
	}
	if e, ok := r.(*Event); ok && e.Recurrence != nil {
		e.Recurrence = nil
		return "its place in a series, which another has"
	}
	return ""
}

// rename changes a slug.
func rename(r Record, slug string) {
	if t, ok := r.(*Term); ok {
		t.Slug = slug
	} else if p := postOf(r); p != nil {
		p.Slug = slug
	}
}
