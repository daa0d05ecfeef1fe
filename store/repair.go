// Repairing records that lead to lost ones.

package store

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// repaired returns the records without links to missing ones, and without slugs, origins and
// instances that another record has: a change that made room may be lost. The record that was
// written last keeps them.
func (s *remainder) repaired(seq uint64) (lists [kinds][]Record) {
	reader := &Reader{base: newIndex()}
	for _, k := range snapshotOrder {
		for _, r := range slices.SortedFunc(maps.Values(s.records[k]), func(a, b Record) int {
			return cmp.Or(-cmp.Compare(a.revision(), b.revision()), cmp.Compare(a.Key(), b.Key()))
		}) {
			lost, err := s.repair(reader, r)
			if err != nil {
				s.miss("%s %d: left out: %v", k, r.Key(), err)
				delete(s.records[k], r.Key())
				continue
			}
			if lost != nil {
				s.miss("%s %d: without %s", k, r.Key(), strings.Join(lost, ", "))
				r.setKey(r.Key(), seq)
			}
			reader.base.put(r)
			lists[k] = append(lists[k], r)
		}
	}
	return lists
}

// repair makes a record keep the rules of Put beside those that a reader has, and returns
// what it gave up. Terms and events may lead to others of their kind, which come later.
func (s *remainder) repair(reader *Reader, r Record) (lost []string, err error) {
	if err := checkForm(r); err != nil {
		return nil, err
	}
	lacks := func(k Kind, id int64) bool {
		_, found := s.records[k][id]
		if !found && id != 0 {
			lost = append(lost, fmt.Sprintf("%s %d", k, id))
		}
		return !found
	}
	p, e := postOf(r), new(Event)
	if p != nil && lacks(Images, p.Image) {
		p.Image = 0
	}
	switch r := r.(type) {
	case *Event:
		e = r
	case *Series:
		e = &r.Event
	case *Term:
		if lacks(r.Taxonomy, r.Parent) {
			r.Parent = 0
		}
		if reader.base.put(r); reader.IsBelow(r.Taxonomy, r.Parent, r.ID) {
			lost, r.Parent = append(lost, "its place below itself"), 0
		}
		reader.base.remove(r.Taxonomy, r.ID)
	}
	e.unlink(lacks)
	for err := reader.checkUnique(r); err != nil; err = reader.checkUnique(r) {
		switch taken := errors.Is(err, ErrSlugTaken); {
		case taken && p != nil:
			p.Slug = fmt.Sprintf("%s-%d", p.Slug, r.Key())
		case taken:
			r.(*Term).Slug = fmt.Sprintf("%s-%d", SlugOf(r), r.Key())
		case p != nil && len(p.Origins) > 0:
			p.Origins = nil
		case e.Recurrence != nil:
			e.Recurrence = nil
		default:
			return nil, err
		}
		lost = append(lost, fmt.Sprintf("a part that another has (%v)", err))
	}
	return lost, nil
}

// unlink removes the links to records that are missing.
func (e *Event) unlink(lacks func(Kind, int64) bool) {
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
