// Merging: one venue, organizer, category or tag takes the place of another.

package write

import (
	"slices"

	"almanac/store"
)

// Merge replaces the links to one record by links to another record of its kind: in events of every status, in templates of
// series, and in the children of a category. The first record then goes to the trash, a term is removed. Its slugs become former
// slugs of the other record, if everybody could find it. Merge returns the new state of the other record, and the number of events.
func (ed Editor) Merge(tx *store.Tx, from, into store.Record) (kept store.Record, events int, err error) {
	k, old, id := from.Kind(), from.Key(), into.Key()
	for _, s := range tx.SeriesOf(k, old) {
		next := *s
		relink(&next.Event, k, old, id)
		if err := tx.Put(&next); err != nil {
			return nil, 0, err
		}
	}
	linked := tx.EventsOf(k, old)
	for _, e := range linked {
		next := *e
		relink(&next, k, old, id)
		if err := tx.Put(&next); err != nil {
			return nil, 0, err
		}
	}
	if gone, ok := from.(*store.Term); ok {
		next := *into.(*store.Term)
		next.Former = inherited(next.Former, gone.Slug, gone.Former)
		if err := moveChildren(tx, gone, next.ID); err != nil {
			return nil, 0, err
		}
		if err := tx.Put(&next); err != nil {
			return nil, 0, err
		}
		return &next, len(linked), tx.Remove(k, old)
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
	return kept, len(linked), tx.Put(trashed)
}

// inherited returns the former slugs of a record after a merge: first the slugs of the merged record, because the store keeps
// only some.
func inherited(own []string, slug string, former []string) []string {
	return slices.Concat([]string{slug}, former, own)
}

// relink replaces a record by another in the links of an event.
func relink(e *store.Event, k store.Kind, from, into int64) {
	ids := linksIn(e, k)
	*ids = slices.Clone(*ids)
	at := slices.Index(*ids, from)
	if slices.Contains(*ids, into) || at < 0 {
		unlink(e, k, from)
		return
	}
	(*ids)[at] = into
}

// moveChildren moves the terms directly below a term to another parent, 0 for none.
func moveChildren(tx *store.Tx, t *store.Term, parent int64) error {
	var children []*store.Term
	for r := range tx.Each(t.Taxonomy) {
		if child := r.(*store.Term); child.Parent == t.ID {
			children = append(children, child)
		}
	}
	for _, child := range children {
		next := *child
		next.Parent = parent
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	return nil
}
