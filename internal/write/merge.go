// Merging: one venue, organizer, category or tag takes the place of another.

package write

import (
	"errors"
	"slices"

	"almanac/store"
	"almanac/store/record"
)

// ErrMore is the error of a change that is too much for one transaction, for which all others
// wait, and that a part was made of. The caller commits that part, and makes the change again,
// until the error is another one or nil.
var ErrMore = errors.New("the change goes on in another transaction")

// partMost bounds the work of such a part. A record is 1, and so are ten links of it, and a KiB of
// its texts.
const partMost = 500

// A part is the work of a transaction so far.
type part int

// put stores the new state of a record if the part has room for it, else it returns ErrMore.
func (p *part) put(tx *store.Tx, r store.Record) error {
	if *p >= partMost {
		return ErrMore
	}
	*p++
	if post := store.PostOf(r); post != nil {
		*p += part(len(post.Description)+len(post.Excerpt)) >> 10
	}
	if e := record.EventOf(r); e != nil {
		*p += part(linksOf(e)) / 10
	}
	return tx.Put(r)
}

// Merge replaces the links to one record by links to another record of its kind: in events of
// every status, in templates of series, and in the children of a category. The first record then
// goes to the trash, a term is removed. Its slugs become former slugs of the other record, if
// everybody could find it. Merge returns the new state of the other record, and the number of
// events. The error may be ErrMore, with the number of events of the part.
func (ed Editor) Merge(
	tx *store.Tx,
	from, into store.Record,
) (kept store.Record, events int, err error) {
	k := from.Kind()
	old := from.Key()
	id := into.Key()
	if err := tx.Hold(ed.Hold, from, into); err != nil {
		return nil, 0, err
	}
	term, isTerm := from.(*store.Term)
	if isTerm { // first, since there may be no room, and nothing may be stored then
		if err := moveChildren(tx, term, id); err != nil {
			return nil, 0, tooDeep(err, "into")
		}
	}
	if events, err = relinkAll(tx, k, old, id); err != nil {
		return nil, events, err
	}
	if isTerm {
		next := *into.(*store.Term)
		next.Former = inherited(next.Former, term.Slug, term.Former)
		if err := tx.Put(&next); err != nil {
			return nil, 0, err
		}
		return &next, events, tx.Remove(k, old)
	}
	trashed, gone := CopyOf(from)
	kept, p := CopyOf(into)
	if gone.Status == store.Publish {
		p.Former = inherited(p.Former, gone.Slug, gone.Former)
	}
	p.Modified = ed.Now
	if err := tx.Put(kept); err != nil {
		return nil, 0, err
	}
	ed.trash(tx, gone, k)
	return kept, events, tx.Put(trashed)
}

// inherited returns the former slugs of a record after a merge: first the slugs of the merged
// record, because the store keeps only some.
func inherited(own []string, slug string, former []string) []string {
	return slices.Concat([]string{slug}, former, own)
}

// relinkAll replaces a record by another, or by none if that is 0, in the templates of series and
// in events. It returns the number of events. The error may be ErrMore.
func relinkAll(tx *store.Tx, k store.Kind, from, into int64) (events int, err error) {
	var p part
	for _, s := range tx.SeriesOf(k, from) {
		next := *s
		relink(&next.Event, k, from, into)
		if err := p.put(tx, &next); err != nil {
			return 0, err
		}
	}
	for _, e := range tx.SomeOf(k, from, partMost+1) {
		next := *e
		relink(&next, k, from, into)
		if err := p.put(tx, &next); err != nil {
			return events, err
		}
		events++
	}
	return events, nil
}

// relink is relinkAll for one event.
func relink(e *store.Event, k store.Kind, from, into int64) {
	ids := linksIn(e, k)
	*ids = slices.Clone(*ids)
	if at := slices.Index(*ids, from); at >= 0 && into != 0 && !slices.Contains(*ids, into) {
		(*ids)[at] = into
		return
	}
	*ids = slices.DeleteFunc(*ids, func(id int64) bool { return id == from })
}

// moveChildren moves the terms directly below a term to another parent, 0 for none.
func moveChildren(tx *store.Tx, t *store.Term, parent int64) error {
	for _, r := range tx.Children(t.Taxonomy, t.ID) {
		child := *r.(*store.Term)
		child.Parent = parent
		if err := tx.Put(&child); err != nil {
			return err
		}
	}
	return nil
}
