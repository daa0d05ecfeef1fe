// Seeds: records that fill an empty store, written by hand, exported or saved.
// Package seed reads them; here they become records.

package importer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"almanac/store"
)

// A Seed is records that fill an empty store.
type Seed struct {
	Items []Item

	// The first ids behind those that records, also those inside others, say: the
	// two sequences go on from there.
	NextPost, NextTerm int64

	Dry bool // nothing is stored: it is known that some record cannot be taken
}

// Plant fills an empty store with the records of a seed, all of them or none, in
// one transaction. The refusals of the report say which cannot be taken, and
// then the error is ErrRefused. A store that holds anything is refused.
//
// A record of a seed may be minimal: an event is a title, start_date and
// end_date, a venue, an organizer or a term its name; the rest is as if it had
// been created by a request. Dates of events may be written in every way that
// requests take, costs and images as in requests. Images may be items of their
// own, of the kind "images".
//
// An id that a record gives becomes its id. Events name their venues,
// organizers and terms by these ids, in any order, or hold them as objects,
// which are made once for each id or name; terms may also be named. A parent that
// is not there is left out.
func (d Seed) Plant(s *store.Store, o Options) (Report, error) {
	// What others lead to comes first.
	rank := func(item Item) int {
		k, _ := KindOf(item.Kind)
		return slices.Index(Kinds, k)
	}
	items := slices.SortedStableFunc(slices.Values(d.Items), func(a, b Item) int { return cmp.Compare(rank(a), rank(b)) })

	var report Report
	err := s.Update(o.Account, func(tx *store.Tx) error {
		for _, k := range Kinds {
			for range tx.Each(k) {
				return errors.New("the store is not empty, and a seed is for an empty one; reset() returns a world of a test to its seed, " +
					"and almanac import adds records")
			}
		}
		im := newImporter(tx, o, State{})
		im.seed, im.nextPost, im.nextTerm = true, d.NextPost, d.NextTerm
		for _, item := range items {
			im.take(item)
		}
		for _, f := range im.later {
			f()
		}
		report = im.report
		if d.Dry || len(report.Refusals) > 0 {
			return ErrRefused
		}
		return nil
	})
	if err != nil {
		return Report{Refusals: report.Refusals}, err
	}
	return report, nil
}

// afterwards lets what is about a record be done when all records are there.
func (im *importer) afterwards(r *record, f func() error) {
	item, exact := im.item, im.exact
	im.later = append(im.later, func() {
		im.item, im.exact, im.undo = item, exact, nil
		if err := im.try(f); err != nil {
			im.refuse(item.Kind, r, err)
		}
	})
}

// name returns a title or a name as it is stored: what people see of one that a
// site has shown, and of one that was written for a seed what was written.
func (im *importer) name(r *record, name string) string {
	if im.seed && (im.exact || !r.has("global_id")) {
		return r.text(name)
	}
	return plain(r.text(name))
}

// identify returns a new record of a seed the id that it names, or a free one.
func (im *importer) identify(r *record, k store.Kind, id *int64) error {
	if *id = r.integer("id"); *id != 0 {
		if im.tx.Get(k, *id) != nil {
			return fmt.Errorf("has the id %d, which another of the %s has", *id, k)
		}
		return nil
	}
	next := &im.nextPost
	if k == store.Categories || k == store.Tags {
		next = &im.nextTerm
	}
	*id = *next
	*next++
	return nil
}

// findPlanted returns the venue or organizer that an event of a seed means with
// an object: that with its id, or its name.
func (im *importer) findPlanted(k store.Kind, r *record) store.Record {
	if id := r.integer("id"); id != 0 {
		return im.tx.Get(k, id)
	}
	for _, found := range im.tx.ByName(k, im.name(r, Table[k][1].Name)) {
		return found
	}
	return nil
}

// plantedIDs returns what children in a seed call a parent without a global id.
func (im *importer) plantedIDs(r *record) []string {
	if id := r.integer("id"); im.seed && id != 0 && !r.has("global_id") {
		return []string{strconv.FormatInt(id, 10)}
	}
	return nil
}
