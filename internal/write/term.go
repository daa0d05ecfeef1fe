// Categories and tags.

package write

import (
	"errors"
	"math"

	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// maxTermName limits the characters of the name of a term.
const maxTermName = 200

// Term applies the parameters to t, which is a new term if old is nil and otherwise a copy of old,
// and stores it.
func (ed Editor) Term(tx *store.Tx, values params.Values, t, old *store.Term) error {
	if values.Has("name") {
		t.Name = markup.CleanTermName(values.Text("name"))
		switch {
		case t.Name == "":
			return invalid("name", "name must hold more than spaces and tags.")
		case len([]rune(t.Name)) > maxTermName:
			return invalid("name", "name must not be longer than 200 characters.")
		}
	}
	if values.Has("description") {
		// Clients rely on this: an empty description keeps the stored one. A term without a
		// description accepts it, because a client may return the term unchanged.
		if values.Text("description") == "" && t.Description != "" {
			return invalid("description", "description must be a text that is not empty.")
		}
		t.Description = markup.TermDescription(values.Text("description"))
	}
	if t.Taxonomy == store.Categories && values.Has("parent") {
		t.Parent = values.Int("parent")
		if old != nil && tx.IsBelow(store.Categories, t.Parent, t.ID) {
			return invalid("parent", "parent must not be the category itself or one below it.")
		}
	}
	if err := ed.applySlug(tx, values, t, old); err != nil {
		return err
	}
	return tooDeep(tx.Put(t), "parent")
}

// tooDeep returns the error of a parameter that moves categories to where there is no room for
// them. Other errors stay.
func tooDeep(err error, name string) error {
	if errors.Is(err, store.ErrLevels) {
		return invalid(name, name+" must lead to a place with room: "+store.ErrLevels.Error()+".")
	}
	return err
}

// applySlug sets the slug of a term. A new term must not have the name of another term with the
// same parent, unless it has a new slug. An update may not take the slug of another term; one that
// moves the term gets a slug like it.
func (ed Editor) applySlug(tx *store.Tx, values params.Values, t, old *store.Term) error {
	sent := values.Has("slug")
	if old != nil && !sent {
		return nil
	}
	var slug string
	if !sent {
		slug = ed.NameSlug(tx, t.Taxonomy, t.Name, 0)
	} else if slug = markup.SlugIn(ed.Language, values.Text("slug")); slug == "" {
		return invalid("slug", "slug must hold a letter or a digit.")
	}
	holder, taken := tx.BySlug(t.Taxonomy, slug).(*store.Term)
	taken = taken && holder.ID != t.ID
	if old != nil && taken && t.Parent == old.Parent {
		return ErrTermSlug
	}
	for r := range tx.ByName(t.Taxonomy, t.Name) {
		other := r.(*store.Term)
		if old == nil && other.Parent == t.Parent &&
			(!sent || taken && holder.Parent == t.Parent) {
			return &TermExists{other.ID}
		}
	}
	if up := tx.Term(t.Taxonomy, t.Parent); up != nil && taken && (!sent || old != nil) {
		slug += "-" + up.Slug
	}
	t.Slug = FreeSlug(tx, t.Taxonomy, slug, t.ID)
	return nil
}

// RemoveTerm removes a term from the store, from all events and from the templates of series. The
// children of a category move up to its parent. The error is an *InUse if events or series have it
// that the caller may not edit, and it may be store.ErrHeld and ErrMore.
func (ed Editor) RemoveTerm(tx *store.Tx, t *store.Term) error {
	k := t.Taxonomy
	if err := tx.Hold(ed.Hold, t); err != nil {
		return err
	}
	if !ed.Caller.May(account.EditOthers) { // who may change them all
		var users []store.Record
		for _, e := range tx.SomeOf(k, t.ID, math.MaxInt) {
			users = append(users, e)
		}
		for _, s := range tx.SeriesOf(k, t.ID) {
			users = append(users, s)
		}
		if err := ed.checkUse(false, users); err != nil {
			return err
		}
	}
	if _, err := relinkAll(tx, k, t.ID, 0); err != nil {
		return err
	}
	if err := moveChildren(tx, t, t.Parent); err != nil {
		return err
	}
	return tx.Remove(k, t.ID)
}
