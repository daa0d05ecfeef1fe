// Seeds: files that fill an empty store, written by hand or saved.

package tec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/store"
)

// Plant fills an empty store with the records of a file, all of them or none,
// in one transaction. A record of a seed may be minimal: an event is a title,
// start_date and end_date, a venue, an organizer or a term its name; the rest
// is as if it had been created by a request. Dates may be written in every way
// that requests take, costs and images as in requests.
//
// An id that a record gives becomes its id. Events name their venues,
// organizers and terms by these ids, in any order, or hold them as objects,
// which are made once for each id or name; terms may also be named.
//
// The error for records that cannot be taken names the first few. A store that
// holds anything is refused.
func Plant(s *store.Store, r io.Reader, name string, o Options) (Report, error) {
	var items []Item
	err := Read(r, name, func(item Item) error {
		items = append(items, item)
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	// What others lead to comes first.
	rank := func(item Item) int {
		return slices.Index([]string{"categories", "tags", "venues", "organizers", "events"}, item.Kind)
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(rank(a), rank(b)) })

	var report Report
	err = s.Update(o.Account, func(tx *store.Tx) error {
		for _, k := range storeKinds {
			for range tx.Each(k) {
				return errors.New("the store is not empty, and a seed is for an empty one; use almanac import to add records")
			}
		}
		im := newImporter(tx, o, State{})
		im.seed = true
		im.nextPost, im.nextTerm = firstFree(items)
		for _, item := range items {
			im.take(item)
		}
		report = im.report
		return im.verdict()
	})
	if err != nil {
		return Report{}, err
	}
	return report, nil
}

// maxVerdict is how many refusals the error for a seed names.
const maxVerdict = 5

// verdict says why a seed cannot be planted, if it cannot.
func (im *importer) verdict() error {
	var wrong []error
	for _, refusal := range im.report.Refusals {
		wrong = append(wrong, errors.New(refusal.String()))
	}
	for _, key := range slices.Sorted(maps.Keys(im.state.Occasions)) {
		wrong = append(wrong, fmt.Errorf("post_parent: there is no event %s in the seed", key))
	}
	for _, key := range slices.Sorted(maps.Keys(im.state.Children)) {
		wrong = append(wrong, fmt.Errorf("parent: there is no category %s in the seed", strings.TrimPrefix(key, "/")))
	}
	if more := len(wrong) - maxVerdict; more > 0 {
		wrong = append(wrong[:maxVerdict], fmt.Errorf("and %d more", more))
	}
	return errors.Join(wrong...)
}

// firstFree gives the first ids behind those that records of a seed have, of
// posts and of terms. Unreadable ones are refused later.
func firstFree(items []Item) (post, term int64) {
	post, term = 1, 1
	see := func(r *record, next *int64) { *next = max(*next, r.integer("id")+1) }
	for _, item := range items {
		r, err := parse(item.Record)
		if err != nil {
			continue
		}
		next := &post
		if item.Kind == "categories" || item.Kind == "tags" {
			next = &term
		}
		see(r, next)
		see(r.object("image"), &post)
		if item.Kind != "events" {
			continue
		}
		for member, next := range map[string]*int64{"venue": &post, "organizer": &post, "categories": &term, "tags": &term} {
			for _, raw := range r.list(member) {
				if inner, err := parse(raw); err == nil {
					see(inner, next)
					see(inner.object("image"), &post)
				}
			}
		}
	}
	return post, term
}

// identify gives a new record of a seed the id that it names, or a free one.
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

// findPlanted gives the venue or organizer that an event of a seed means with an
// object: that with its id, or its name.
func (im *importer) findPlanted(k store.Kind, r *record) store.Record {
	if id := r.integer("id"); id != 0 {
		return im.tx.Get(k, id)
	}
	for _, found := range im.tx.ByName(k, plain(r.text(member(k)))) {
		return found
	}
	return nil
}

// member gives what the name of a venue or organizer is called.
func member(k store.Kind) string {
	if k == store.Venues {
		return "venue"
	}
	return "organizer"
}

// plantedIDs gives what children in a seed call a parent without a global id.
func (im *importer) plantedIDs(r *record) []string {
	if id := r.integer("id"); im.seed && id != 0 && !r.has("global_id") {
		return []string{strconv.FormatInt(id, 10)}
	}
	return nil
}
