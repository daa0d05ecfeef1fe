// The operations on categories and tags (sections 4.5 and 4.6 of the
// specification): one implementation, two taxonomies.

package api

import (
	"net/http"
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/store"
)

// Categories is the operations on event categories.
var Categories = termResource(
	store.Categories,
	params.CategoryList,
	params.CategoryCreate,
	params.CategoryRead,
	params.CategoryUpdate,
)

// Tags is the operations on event tags.
var Tags = termResource(
	store.Tags,
	params.TagList,
	params.TagCreate,
	params.TagRead,
	params.TagUpdate,
)

// A taxonomy is Categories or Tags.
type taxonomy struct{ kind store.Kind }

func termResource(kind store.Kind, list, create, read, update params.Table) Resource {
	k := taxonomy{kind}
	name := kind.String()
	manage := needs(manageRight(kind))
	return Resource{
		List: listOp(name+".list", list, k.list),
		Create: NewChange(
			Op{Name: name + ".create", Params: create, permit: manage, Change: k.write},
			Stored,
		),
		Read: &Op{Name: name + ".read", Params: read, Serve: k.read},
		Update: NewChange(
			Op{Name: name + ".update", Params: update, permit: manage, Change: k.write},
			Stored,
		),
		Delete: NewChange(
			Op{Name: name + ".delete", Params: read, permit: manage, Change: k.delete},
			showRemoved,
		),
	}
}

// manageRight is the right to change the terms of a taxonomy.
func manageRight(k store.Kind) account.Right {
	if k == store.Categories {
		return account.ManageCategories
	}
	return account.ManageTags
}

// list answers GET /categories and GET /tags.
//
// The terms of one event are open to callers who see inside it: an event that the caller may not
// read is refused like an unknown one, and an event without its password has no terms. The
// original shows the terms of every event to everybody.
func (k taxonomy) list(r *Call) (*respond.Response, error) {
	l := List{Call: r, Name: k.kind.String(), bare: true}
	f := filters.Terms{}
	look := func(v *store.View, values params.Values) error {
		f = filters.Terms{
			Taxonomy:  k.kind,
			Search:    markup.Fold(values.Text("search")),
			HideEmpty: values.Bool("hide_empty"),
			Event:     values.Int("event"),
			OrderBy:   values.Text("orderby"),
			Desc:      values.Has("order") && !strings.EqualFold(values.Text("order"), "asc"),
			Include:   values.IDs("include"),
			Exclude:   values.IDs("exclude"),
			Opens:     r.unlocked,
		}
		if f.Event == 0 {
			f.Event = values.Int("post")
		}
		f.Slug = StoredSlug(values.Text("slug"))
		if made := markup.SlugIn(l.Front.Neutral().Language.Tag, values.Text("slug")); made != "" &&
			v.BySlug(f.Taxonomy, f.Slug) == nil {
			f.Slug = made // a name, as in the original
		}
		if k.kind == store.Categories {
			f.Parent = values.Int("parent")
		}
		l.Paging = l.paging(values)
		var made []pair
		if values.Has("per_page") {
			made = []pair{{"per_page", itoa(l.perPage)}}
		}
		l.query = l.echo(values, made)
		l.Tag = r.StateTag(v)
		l.TrueUntil(time.Time{})
		return nil
	}
	return l.inSteps(k.kind, look, func() (records []store.Record, _ error) {
		var found []*store.Term
		found, l.Total, l.plan = f.Find(r.Store.View, l.Offset(), l.perPage)
		for _, t := range found {
			records = append(records, t)
		}
		return records, nil
	})
}

// read answers GET of one term.
func (k taxonomy) read(r *Call) (*respond.Response, error) {
	return r.ReadOne(
		func(v *store.View) (store.Record, error) {
			return v.Term(k.kind, r.ID()), nil
		},
	)
}

// termMethods returns the methods that the caller may use on a term.
func (r *Call) termMethods(k store.Kind) []string {
	if r.Caller.May(manageRight(k)) {
		return []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
	}
	return []string{"GET"}
}

// write answers POST of a new term, and POST, PUT and PATCH of the term in the path: it changes
// what is sent.
func (k taxonomy) write(r *Call) (Change, error) {
	return r.Write(func(tx *store.Tx, values params.Values) (store.Record, *write.Report, error) {
		if _, sent := r.In.Echo("parent"); sent && k.kind == store.Tags {
			return nil, nil, errNotTags
		}
		next := store.Term{Taxonomy: k.kind}
		old := (*store.Term)(nil)
		if !r.IsNew() {
			old = tx.Term(k.kind, r.ID())
			if err := r.Precondition(tx, old); err != nil {
				return nil, nil, err
			}
			next = *old
		}
		return &next, nil, r.Editor().Term(tx, values, &next, old)
	})
}

// delete answers DELETE of one term: it is gone for good, events lose it, and
// what was below it moves up.
func (k taxonomy) delete(r *Call) (change Change, err error) {
	err = r.Update(func(tx *store.Tx, _ params.Values) error {
		t := tx.Term(k.kind, r.ID())
		if err := r.Precondition(tx, t); err != nil {
			return err
		}
		if change.Record == nil { // later its events are fewer
			change = Change{Record: t, links: render.Gather(&tx.Reader, t)}
		}
		return r.Editor().RemoveTerm(tx, t)
	})
	return change, err
}

// showRemoved answers a change with the record as it was.
func showRemoved(r *Call, change Change) (*respond.Response, error) {
	show := r.Renderer(change.links)
	return &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(show.Append(nil, change.Record)),
	}, nil
}
