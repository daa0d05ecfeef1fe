// Restoring: a record becomes again what it was at a revision.

package write

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/store"
)

// Restore makes a stored record again as it was at a revision, by the rules of an update that
// sends all members. The author, the password, the proposal and the place in a series stay as they
// are. It refuses the revision of a record in the trash, and links to records that are gone since
// then.
func (ed Editor) Restore(tx *store.Tx, old, was store.Record) (store.Record, error) {
	if t, ok := was.(*store.Term); ok {
		return restoreTerm(tx, old.(*store.Term), t)
	}
	next, p := CopyOf(was)
	before := store.PostOf(old)
	if p.Status == store.Trash {
		return nil, invalid(
			"number",
			"number must be a revision in which the record was not in the trash; right would be one before that, or "+
				"a DELETE of the record.",
		)
	}
	if err := ed.checkLinks(tx, old, was); err != nil {
		return nil, err
	}
	ed.restorePost(p, before)
	e, isEvent := next.(*store.Event)
	if !isEvent {
		name, _ := nameIn(next)
		if is, _ := nameIn(old); *name != *is {
			*name = ed.title(*name)
		}
		ed.writeSlug(tx, next.Kind(), p, before, "", *name)
		return next, tx.Put(next)
	}
	is := old.(*store.Event)
	if e.Title != is.Title {
		e.Title = ed.title(e.Title)
	}
	e.Password = is.Password
	e.Recurrence = is.Recurrence
	e.Proposal = is.Proposal
	ed.writeSlug(tx, store.Events, p, before, "", slugTitle(e))
	if e.Status == store.Publish {
		for _, k := range []store.Kind{store.Venues, store.Organizers} {
			for _, id := range *linksIn(e, k) {
				if err := ed.publishLinked(tx, k, id); err != nil {
					return nil, err
				}
			}
		}
	}
	if is.Recurrence != nil {
		if err := ed.setOwn(tx, e.Slug != is.Slug, e, is); err != nil {
			return nil, err
		}
	}
	return e, tx.Put(e)
}

// restorePost sets the common members of a restored record that keep their present value, or that
// need a right of the caller.
func (ed Editor) restorePost(p, old *store.Post) {
	p.Author = old.Author
	p.Former = old.Former
	p.Origins = old.Origins
	p.Modified = ed.Now
	for _, text := range []struct{ is, was *string }{{&p.Description, &old.Description}, {&p.Excerpt, &old.Excerpt}} {
		if *text.is != *text.was {
			*text.is = ed.html(*text.is)
		}
	}
	if p.Status != old.Status && !p.Status.Unpublished() && !ed.Caller.May(account.Publish) {
		p.Status = store.Pending
	}
	keepDraft(p, old)
	if !p.Status.Unpublished() {
		ed.settleDate(p)
	}
	ed.schedule(p, old.Status != store.Publish)
}

// restoreTerm is Restore for a category or a tag.
func restoreTerm(tx *store.Tx, old, was *store.Term) (store.Record, error) {
	next := *was
	next.Former = old.Former
	switch holder, taken := tx.BySlug(next.Taxonomy, next.Slug).(*store.Term); {
	case next.Parent != 0 && tx.Term(next.Taxonomy, next.Parent) == nil:
		return nil, linksGone([]string{fmt.Sprintf("the category %d", next.Parent)})
	case tx.IsBelow(next.Taxonomy, next.Parent, next.ID):
		return nil, invalid(
			"number",
			fmt.Sprintf(
				"number must be a revision whose parent is not below the category: %d is by now.",
				next.Parent,
			),
		)
	case taken && holder.ID != next.ID:
		return nil, ErrTermSlug
	}
	return &next, tooDeep(tx.Put(&next), "number")
}

// checkLinks refuses links of a revision to records that are gone, in the trash or hidden from the
// caller. Links that the record has now are fine.
func (ed Editor) checkLinks(tx *store.Tx, old, was store.Record) error {
	var gone []string
	check := func(k store.Kind, name string, id int64, now ...int64) {
		r := tx.Get(k, id)
		p := store.PostOf(r)
		ok := r != nil && (p == nil || p.Status != store.Trash) && access.MayName(ed.Caller, r)
		if k == store.Images {
			ok = access.MaySeeImage(ed.Caller, &tx.Reader, id)
		}
		if id != 0 && !ok && !slices.Contains(now, id) {
			gone = append(gone, fmt.Sprintf("the %s %d", name, id))
		}
	}
	check(store.Images, "image", store.PostOf(was).Image, store.PostOf(old).Image)
	if e, ok := was.(*store.Event); ok {
		is := old.(*store.Event)
		check(store.Events, "event", e.Parent, is.Parent)
		for _, k := range []struct {
			kind store.Kind
			name string
		}{{store.Categories, "category"}, {store.Tags, "tag"}, {store.Venues, "venue"}, {store.Organizers, "organizer"}} {
			for _, id := range *linksIn(e, k.kind) {
				check(k.kind, k.name, id, *linksIn(is, k.kind)...)
			}
		}
	}
	if len(gone) > 0 {
		return linksGone(gone)
	}
	return nil
}

// linksGone returns the error of a revision with links that lead nowhere.
func linksGone(names []string) error {
	return invalid(
		"number",
		"number must be a revision whose links lead to records that are there, and "+strings.Join(
			names,
			", ",
		)+
			" cannot be linked to any more; send the other members in an update.",
	)
}
