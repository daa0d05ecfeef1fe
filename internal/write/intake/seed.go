// Planting of seeds, which package seed reads: records that fill an empty store.

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"almanac/store"
)

type Seed struct {
	Items []Item
	Next  [2]int64 // first ids that no record has, also no embedded one; by Sequence
	Dry   bool     // only checks the records and stores nothing
}

// Sequence returns the index of the sequence of ids of a kind.
func Sequence(k store.Kind) int {
	if k == store.Categories || k == store.Tags {
		return 1
	}
	return 0
}

// Plant fills an empty store with the records of a seed, all or none, in one transaction. If a
// record cannot be taken, the error is ErrRefused and the report has the refusals. A store that is
// not empty is refused, unless the options say that the records are more.
//
// A record may be minimal: an event is a title, start_date and end_date; a venue, an organizer or
// a term is its name. Defaults are those of requests. Dates of events, costs and images have all
// forms of requests. Images may also be items of the kind "images".
//
// The id in a record becomes its id. Events reference venues, organizers and terms by these ids,
// in any order, or embed them as objects, which are created once for each id or name; terms may
// also be referenced by name. A missing parent is left out.
func (d Seed) Plant(s *store.Store, o Options) (Report, error) {
	// Referenced kinds come first.
	rank := func(item Item) int {
		k, _ := KindOf(item.Kind)
		return slices.Index(Kinds, k)
	}
	items := slices.SortedStableFunc(
		slices.Values(d.Items),
		func(a, b Item) int { return cmp.Compare(rank(a), rank(b)) },
	)

	var report Report
	err := s.Update(o.Account, func(tx *store.Tx) error {
		for _, k := range Kinds {
			for range tx.Each(k) {
				if o.More {
					break
				}
				return errors.New(
					"the store is not empty, and a seed is for an empty one; almanac-move import adds records",
				)
			}
		}
		im := newImporter(tx, o, State{})
		im.seed = true
		im.next = d.Next
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

// afterwards runs f after all records of a seed.
func (im *importer) afterwards(r *record, f func() error) {
	item := im.item
	exact := im.exact
	im.later = append(im.later, func() {
		im.item = item
		im.exact = exact
		if err := im.tx.Try(f); err != nil {
			im.refuse(item.Kind, r, err)
		}
	})
}

// name returns the stored form of a title or name: decoded if it comes from a site, unchanged if
// it was written for a seed.
func (rd *reader) name(r *record, name string) string {
	if rd.exact || rd.seed && !r.has("global_id") {
		return r.text(name)
	}
	return plain(r.text(name))
}

// isNative reports whether the record may have the members that only seeds and exports have.
func (rd *reader) isNative() bool { return rd.seed || rd.exact }

// local returns the record that has an id in the seed or export, or nil.
func (im *importer) local(k store.Kind, id int64) store.Record {
	if !im.seed {
		id = im.state.Exported[im.exportKey(k, id)]
	}
	return im.tx.Get(k, id)
}

// exportKey returns the key of a record of an export in the State.
func (rd *reader) exportKey(k store.Kind, id int64) string {
	return fmt.Sprintf("%s/%s/%d", rd.item.File, k, id)
}

// identify sets the id of a new record of a seed: the id in r, or the next of the sequence.
func (im *importer) identify(r *record, k store.Kind, id *int64) error {
	if *id = r.integer("id"); *id != 0 {
		if im.tx.Get(k, *id) != nil {
			return fmt.Errorf("has the id %d, which another of the %s has", *id, k)
		}
		return nil
	}
	next := &im.next[Sequence(k)]
	*id = *next
	*next++
	return nil
}

// findPlanted returns the venue or organizer with the id or name of an object inside an event of a
// seed.
func (im *importer) findPlanted(k store.Kind, r *record) store.Record {
	if id := r.integer("id"); id != 0 {
		return im.tx.Get(k, id)
	}
	for found := range im.tx.ByName(k, im.name(r, Table[k][1].Name)) {
		return found
	}
	return nil
}

// parentKey returns the key under which children of an event at the source of r wait.
func (rd *reader) parentKey(r *record, id int64) string {
	if rd.exact && !rd.seed {
		return rd.exportKey(store.Events, id)
	}
	return r.globalID(id)
}
