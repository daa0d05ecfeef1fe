// Venues, organizers, categories and tags: lists, and forms that change one.

package desk

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/history"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/wire/pages"
	"almanac/store"
	"almanac/store/record"
)

// A kind is one kind of records.
type kind struct {
	store.Kind
	api.Resource
	past   history.Operations
	name   string   // member with the name of a record
	title  string   // key of the heading of the list
	fields []string // members of the form after the name, which labels has
}

// The kinds beside events, each with the operations at its addresses.
var (
	Venues = recordPages(&kind{
		Kind:     store.Venues,
		Resource: api.Venues,
		past:     history.Venues,
		name:     "venue",
		title:    "desk.places",
		fields:   []string{"address", "zip", "city", "country", "phone", "website", "description"},
	})
	Organizers = recordPages(&kind{
		Kind:     store.Organizers,
		Resource: api.Organizers,
		past:     history.Organizers,
		name:     "organizer",
		title:    "desk.organizers",
		fields:   []string{"phone", "email", "website", "description"},
	})
	Categories = recordPages(&kind{
		Kind:     store.Categories,
		Resource: api.Categories,
		past:     history.Categories,
		name:     "name",
		title:    "desk.categories",
		fields:   []string{"description"},
	})
	Tags = recordPages(&kind{
		Kind:     store.Tags,
		Resource: api.Tags,
		past:     history.Tags,
		name:     "name",
		title:    "desk.tags",
		fields:   []string{"description"},
	})
)

// Records are the operations on the records of a kind.
type Records struct {
	List, Form, Save, AskMerge, Merge, Changes, Restore *api.Op

	kind *kind
}

func recordPages(k *kind) Records {
	return Records{
		List:     k.op("list", k.serveList),
		Form:     k.op("form", k.serveForm),
		Save:     k.op("save", k.serveSave),
		AskMerge: k.op("ask-merge", k.serveAskMerge),
		Merge:    k.op("merge", k.serveMerge),
		Changes:  k.op("changes", k.serveChanges),
		Restore:  k.op("restore", k.serveRestore),
		kind:     k,
	}
}

// op makes an operation on the records of the kind.
func (k *kind) op(verb string, serve func(*page) (*respond.Response, error)) *api.Op {
	return operation("desk."+k.String()+"."+verb, serve)
}

// serveList answers GET of the list, in the order of the names.
func (k *kind) serveList(p *page) (*respond.Response, error) {
	l := listing{Search: p.input("search"), State: p.input("state")}
	number := p.number()
	words := filters.ParseSearch(l.Search)
	viewer := access.ViewerOf(p.Caller)
	if k.Kind == store.Venues || k.Kind == store.Organizers {
		l.States = []label{{"", "site.all"}, {"trash", "desk.trash"}}
	}
	type named struct {
		store.Record
		order string
	}
	var found []named
	var all []store.Record
	p.view(func(v *store.View) {
		all = v.Some(k.Kind, math.MaxInt)
	})
	for _, r := range all {
		post := store.PostOf(r)
		switch {
		case post != nil && !viewer.Sees(post):
		case post != nil && (post.Status == store.Trash) != (l.State == "trash"):
		case !words.Empty() && !words.In(pages.NameOf(r)):
		default:
			found = append(found, named{r, strings.ToLower(p.nameOf(r))})
		}
	}
	l.Total = len(found)
	inOrder := func(a, b named) int {
		return cmp.Or(strings.Compare(a.order, b.order), cmp.Compare(a.Key(), b.Key()))
	}
	for _, one := range ofPage(found, number, inOrder) {
		l.Rows = append(l.Rows, k.rowOf(p, one.Record))
	}
	p.turn(&l, number)
	if p.Caller.May(k.right()) {
		l.Add = k.path(p, "/new")
	}
	return p.show(http.StatusOK, "records.html", p.T(k.title), l)
}

// rowOf returns a record as it stands in the list.
func (k *kind) rowOf(p *page, r store.Record) row {
	one := row{Title: p.nameOf(r)}
	if k.mayEdit(p, r) {
		one.Href = k.path(p, "/"+digits(r.Key()))
	}
	if post := store.PostOf(r); post != nil && statusKeys[post.Status] != "" {
		one.States = []string{p.T(statusKeys[post.Status])}
	}
	if venue, ok := r.(*store.Venue); ok {
		one.Note = strings.Join(
			slices.DeleteFunc(
				[]string{venue.Address, venue.City},
				func(s string) bool {
					return s == ""
				},
			),
			", ",
		)
	}
	return one
}

// mayEdit reports whether the caller may change a record.
func (k *kind) mayEdit(p *page, r store.Record) bool {
	if post := store.PostOf(r); post != nil {
		return access.MayEdit(p.Caller, post)
	}
	return p.Caller.May(k.right())
}

// right is the right to make a record.
func (k *kind) right() account.Right {
	switch k.Kind {
	case store.Categories:
		return account.ManageCategories
	case store.Tags:
		return account.ManageTags
	}
	return account.CreateOwn
}

// path returns the path of the list, or of a page below it.
func (k *kind) path(p *page, below string) string {
	return p.Desk(k.String() + below)
}

// show answers with the form of a record: with the values that were sent, or with the stored ones.
func (k *kind) show(p *page, status int, sent form) (*respond.Response, error) {
	body := &recordForm{Form: sent, List: k.path(p, "")}
	title := p.T(k.title) + ": " + p.T("desk.add-record")
	for _, name := range k.fields {
		body.Fields = append(body.Fields, label{name, labels[name]})
	}
	err := p.Store.View(func(v *store.View) error {
		r, err := k.find(p, v)
		if err != nil || r == nil {
			return err
		}
		title = p.nameOf(r)
		body.Tag = p.TagOf(v, r)
		body.Gone = api.IsTrash(r)
		body.Count = k.count(p, v, r)
		body.Here = k.path(p, "/"+p.Path["id"])
		if p.Caller.May(account.EditOthers) {
			body.Others = p.names(v, k.Kind)
		}
		if sent == nil {
			body.Form = k.formOf(r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.show(status, "record.html", title, body)
}

// find returns the record in the path, nil for a new one. The caller may change it.
func (k *kind) find(p *page, v *store.View) (store.Record, error) {
	if p.Path["id"] == "" {
		if !p.Caller.May(k.right()) {
			return nil, api.ErrForbidden
		}
		return nil, nil
	}
	r := v.Get(k.Kind, p.ID())
	switch {
	case r == nil, !access.MayName(p.Caller, r):
		return nil, api.ErrNoRoute
	case !k.mayEdit(p, r):
		return nil, api.ErrForbidden
	}
	return r, nil
}

// count returns the number of events with a record, as far as the caller finds them.
func (k *kind) count(p *page, v *store.View, r store.Record) string {
	count := 0
	for e := range v.Linked(k.Kind, r.Key()) {
		if !api.IsTrash(r) && access.ViewerOf(p.Caller).Sees(&e.Post) && e.Status != store.Trash {
			count++
		}
	}
	return p.locale().Number(count)
}

// A recordForm is the form of a record.
type recordForm struct {
	Form   form
	Fields []label // names with the keys of their labels
	Tag    string
	Gone   bool   // in the trash
	Count  string // of events
	List   string
	Here   string   // path of the record
	Others []string // names for a merge; nil without the right to it
}

// formOf returns the form of a stored record.
func (k *kind) formOf(r store.Record) form {
	f := form{}
	switch r := r.(type) {
	case *store.Venue:
		f = formOfFields(record.VenueFields, r, k.fields)
		f["name"] = r.Name
		f["description"] = r.Description
	case *store.Organizer:
		f = formOfFields(record.OrganizerFields, r, k.fields)
		f["name"] = r.Name
		f["description"] = r.Description
	case *store.Term:
		f["name"] = r.Name
		f["description"] = r.Description
	}
	for name, text := range f {
		f[name] = typed(text)
	}
	return f
}

// formOfFields returns the texts of fields of a record.
func formOfFields[T any](all []record.Field[T], of *T, names []string) form {
	f := form{}
	for _, field := range all {
		if text, ok := field.At(of).(*string); ok && slices.Contains(names, field.Member()) {
			f[field.Member()] = *text
		}
	}
	return f
}

// serveForm answers GET of the form of a record.
func (k *kind) serveForm(
	p *page,
) (*respond.Response, error) {
	return k.show(p, http.StatusOK, nil)
}

// serveSave answers POST of the form of a record.
func (k *kind) serveSave(p *page) (*respond.Response, error) {
	f := form{}
	was := form{}
	wasDraft := false
	for _, name := range append([]string{"name"}, k.fields...) {
		f[name] = typed(p.input(name))
	}
	err := p.Store.View(func(v *store.View) error {
		r, err := k.find(p, v)
		if err == nil && r != nil {
			was = k.formOf(r)
			post := store.PostOf(r)
			wasDraft = post != nil && post.WasDraft
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	op := k.Create
	sent := map[string]any{}
	if p.Path["id"] != "" {
		op = k.Update
	}
	for name, text := range f {
		if text != was[name] {
			sent[name] = text
		}
	}
	if name, changed := sent["name"]; changed && k.name != "name" {
		delete(sent, "name")
		sent[k.name] = name
	}
	done := "saved"
	switch p.input("do") {
	case "trash":
		op = k.Delete
		sent = map[string]any{}
		done = "trashed"
	case "restore":
		sent = map[string]any{"status": "publish"}
		done = "restored"
		if wasDraft || !p.MayPublish() {
			sent["status"] = "draft"
		}
	default:
		if p.Path["id"] == "" && (k.Kind == store.Venues || k.Kind == store.Organizers) {
			sent["status"] = "publish" // of accounts that may not publish, it waits
		}
	}
	_, err = p.change(op, p.Path["id"], sent, p.input("tag"))
	if err != nil {
		_, err = p.reasons(err)
		if err != nil {
			return nil, err
		}
		for i := range p.Problems {
			if p.Problems[i].Field == k.name {
				p.Problems[i] = problem{"name", p.T("desk.bad-name")}
			}
		}
		return k.show(p, http.StatusUnprocessableEntity, f)
	}
	return p.redirect(k.path(p, "?done="+done)), nil
}
