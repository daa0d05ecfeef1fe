// The operations on categories and tags (sections 4.5 and 4.6 of the
// specification): one implementation, two taxonomies.

package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"almanac/account"
	"almanac/filters"
	"almanac/markup"
	"almanac/params"
	"almanac/store"
)

// Categories is the operations on event categories.
var Categories = termResource(store.Categories, params.CategoryList, params.CategoryCreate, params.CategoryRead, params.CategoryUpdate)

// Tags is the operations on event tags.
var Tags = termResource(store.Tags, params.TagList, params.TagCreate, params.TagRead, params.TagUpdate)

// manageRight is the right to change the terms of a taxonomy.
func manageRight(k store.Kind) account.Right {
	if k == store.Categories {
		return account.ManageCategories
	}
	return account.ManageTags
}

// A taxonomy is Categories or Tags.
type taxonomy store.Kind

func (k taxonomy) kind() store.Kind { return store.Kind(k) }

func termResource(kind store.Kind, list, create, read, update params.Table) Resource {
	k, name := taxonomy(kind), kind.String()
	manage := func(r *request, _ *store.Reader) bool { return r.caller.May(manageRight(kind)) }
	return Resource{
		List:   &Op{Name: name + ".list", Params: list, serve: k.list},
		Create: &Op{Name: name + ".create", Params: create, permit: manage, serve: k.create},
		Read:   &Op{Name: name + ".read", Params: read, serve: k.read},
		Update: &Op{Name: name + ".update", Params: update, permit: manage, serve: k.update},
		Delete: &Op{Name: name + ".delete", Params: read, permit: manage, serve: k.delete},
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// list answers GET /categories and GET /tags.
func (k taxonomy) list(r *request) (*response, error) {
	var answer *response
	err := r.view(func(v *store.View, values params.Values) error {
		f := filters.Terms{
			Taxonomy: k.kind(), Search: markup.Fold(values.Text("search")), HideEmpty: values.Bool("hide_empty"),
			Event: values.Int("event"), Slug: storedSlug(values.Text("slug")),
			OrderBy: values.Text("orderby"),
			Desc:    values.Has("order") && !strings.EqualFold(values.Text("order"), "asc"),
			Include: values.IDs("include"), Exclude: values.IDs("exclude"),
		}
		if f.Event == 0 {
			f.Event = values.Int("post")
		}
		if k.kind() == store.Categories {
			f.Parent = values.Int("parent")
		}
		l := list{name: k.kind().String(), paging: r.paging(values), bare: true}
		found, total := f.Find(v, l.offset(), l.perPage)
		l.total = total
		show := renderer{request: r, v: &v.Reader}
		for _, t := range found {
			l.items = append(l.items, show.term(t, false))
		}
		if values.Has("per_page") {
			l.query = append(l.query, pair{"per_page", itoa(l.perPage)})
		}
		l.query = r.echo(l.query, "search", "exclude", "include", "order", "orderby", "hide_empty", "parent", "post", "event", "slug")
		answer = r.answerList(l)
		return nil
	})
	return answer, err
}

// read answers GET of one term.
func (k taxonomy) read(r *request) (*response, error) {
	var out *termJSON
	err := r.view(func(v *store.View, _ params.Values) error {
		out = renderer{request: r, v: &v.Reader}.term(v.Term(k.kind(), r.id()), true)
		return nil
	})
	return &response{status: http.StatusOK, body: out}, err
}

// create answers POST of a term.
func (k taxonomy) create(r *request) (*response, error) {
	answer, err := k.write(r, http.StatusCreated, func(tx *store.Tx, values params.Values) (*store.Term, error) {
		t := &store.Term{Taxonomy: k.kind()}
		return t, k.apply(r, tx, values, t, nil)
	})
	if err == nil {
		answer.location = answer.body.(*termJSON).URLs.Self
	}
	return answer, err
}

// update answers POST, PUT and PATCH of one term: it changes what is sent.
func (k taxonomy) update(r *request) (*response, error) {
	return k.write(r, http.StatusOK, func(tx *store.Tx, values params.Values) (*store.Term, error) {
		old := tx.Term(k.kind(), r.id())
		if err := r.precondition(tx, old); err != nil {
			return nil, err
		}
		next := *old
		return &next, k.apply(r, tx, values, &next, old)
	})
}

// write runs a write and answers with the term as it is then.
func (k taxonomy) write(r *request, status int, f func(*store.Tx, params.Values) (*store.Term, error)) (*response, error) {
	var made *store.Term
	err := r.update(func(tx *store.Tx, values params.Values) (err error) {
		made, err = f(tx, values)
		return err
	})
	if err != nil {
		return nil, err
	}
	var out *termJSON
	err = r.store.View(func(v *store.View) error {
		out = renderer{request: r, v: &v.Reader}.term(made, true)
		return nil
	})
	return &response{status: status, body: out}, err
}

// maxTermName is the longest name of a term, in characters.
const maxTermName = 200

// apply applies the parameters to a term that is being made (old is nil) or
// changed, and puts it.
func (k taxonomy) apply(r *request, tx *store.Tx, values params.Values, t, old *store.Term) error {
	if k.kind() == store.Tags && r.in.Sent("parent") {
		return errNotTags
	}
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
		t.Description = markup.TermDescription(values.Text("description"))
	}
	if k.kind() == store.Categories && values.Has("parent") {
		t.Parent = values.Int("parent")
		if old != nil && below(tx, t.Parent, t.ID) {
			return errTermCycle
		}
	}
	if err := k.applySlug(tx, values, t, old); err != nil {
		return err
	}
	return tx.Put(t)
}

// applySlug gives a term its slug. A new term needs a name that no other with
// the same parent has, unless it is a tag with a slug of its own; an update may
// not take the slug of another.
func (k taxonomy) applySlug(tx *store.Tx, values params.Values, t, old *store.Term) error {
	sent := values.Has("slug")
	if old != nil && !sent {
		return nil
	}
	slug := markup.Slug(t.Name) // a clean name: what a script says is no part of it
	if sent {
		slug = markup.Slug(values.Text("slug"))
	}
	if slug == "" && sent {
		return errNoTermSlug
	}
	if slug == "" {
		slug = itoa(int(tx.NextID(k.kind())))
	}
	if old != nil {
		if other := tx.BySlug(k.kind(), slug); other != nil && other.Key() != t.ID {
			return errTermSlug
		}
		t.Slug = slug
		return nil
	}
	for _, r := range tx.ByName(k.kind(), t.Name) {
		other := r.(*store.Term)
		if other.Parent == t.Parent && !sent {
			return termExists(other.ID)
		}
	}
	if up := tx.Term(k.kind(), t.Parent); up != nil && tx.BySlug(k.kind(), slug) != nil && !sent {
		slug += "-" + up.Slug
	}
	t.Slug = freeSlug(tx, k.kind(), slug, t.ID)
	return nil
}

// below reports whether a category is another or lies below it.
func below(tx *store.Tx, id, top int64) bool {
	for steps := 0; id != 0 && steps < maxTermDepth; steps++ {
		if id == top {
			return true
		}
		t := tx.Term(store.Categories, id)
		if t == nil {
			return false
		}
		id = t.Parent
	}
	return false
}

// delete answers DELETE of one term: it is gone for good, events lose it, and
// what was below it moves up.
func (k taxonomy) delete(r *request) (*response, error) {
	var out *termJSON
	err := r.update(func(tx *store.Tx, _ params.Values) error {
		t := tx.Term(k.kind(), r.id())
		if err := r.precondition(tx, t); err != nil {
			return err
		}
		out = renderer{request: r, v: &tx.Reader}.term(t, false)
		return removeTerm(tx, t)
	})
	return &response{status: http.StatusOK, body: out}, err
}

// removeTerm takes a term out of events and of the tree, and removes it.
func removeTerm(tx *store.Tx, t *store.Term) error {
	k := t.Taxonomy
	for _, e := range tx.EventsOf(k, t.ID) {
		next := *e
		ids := &next.Categories
		if k == store.Tags {
			ids = &next.Tags
		}
		*ids = slices.DeleteFunc(slices.Clone(*ids), func(id int64) bool { return id == t.ID })
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	var children []*store.Term
	for r := range tx.Each(k) {
		if child := r.(*store.Term); child.Parent == t.ID {
			children = append(children, child)
		}
	}
	for _, child := range children {
		next := *child
		next.Parent = t.Parent
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	return tx.Remove(k, t.ID)
}
