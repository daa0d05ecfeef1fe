// The rights of the caller of a request. Package access decides them.

package api

import (
	"slices"
	"strings"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

// A permission is the condition for an operation.
type permission struct {
	rights []account.Right // the rights it asks for: the path selects one
	may    func(r *Call, v *store.Reader) bool
}

// needs is the permission that every holder of a right has.
func needs(right account.Right) *permission {
	return &permission{
		[]account.Right{right},
		func(r *Call, _ *store.Reader) bool {
			return r.Caller.May(right)
		},
	}
}

// A routeAccess says who may use a route.
type routeAccess struct {
	Methods []string
	Path    string          // as the site writes it, below each base address
	Rights  []account.Right // rights it asks for, selected by the path; none: open to everybody
	Control bool            // NewControl made it: it asks for rights by itself
	Account bool            // it asks by itself for an account, which needs all of the rights
}

// Access returns who may use which route, in the order of the list. Every path is
// open to OPTIONS besides, and to HEAD where it is to GET.
func (s *Server) Access() []routeAccess {
	var all []routeAccess
	for _, rt := range s.routes {
		for _, ro := range rt.ops {
			a := routeAccess{
				Methods: ro.methods,
				Path:    s.Slugs.Page(rt.pattern),
				Rights:  ro.op.rights,
				Control: ro.op.control,
				Account: ro.op.is(signed),
			}
			if ro.op.permit != nil {
				a.Rights = ro.op.permit.rights
			}
			all = append(all, a)
		}
	}
	return all
}

// mayEdit, mayDelete and MayRead ask for the caller.
func (r *viewer) mayEdit(p *store.Post) bool {
	return access.MayEdit(r.Caller, p)
}
func (r *viewer) mayDelete(p *store.Post) bool {
	return access.MayDelete(r.Caller, p)
}
func (r *viewer) MayRead(p *store.Post) bool {
	return access.MayRead(r.Caller, p)
}

// BadStatuses says why a caller may not ask a list for statuses, or "".
// Strangers may ask for what is published and nothing else.
func BadStatuses(caller account.Account, asked []string) string {
	for _, s := range asked {
		switch {
		case access.ViewerOf(caller) == (access.Viewer{}) && s != string(store.Publish):
			return "status must be publish: other records are not shown to you."
		case !slices.Contains(listable, store.Status(s)):
			return "status must be a list of publish, future, draft, pending, private and trash, or any."
		}
	}
	return ""
}

// listable are the statuses that lists may ask for. Clients know two, auto-draft and inherit, that
// no record here has.
var listable = []store.Status{
	"",
	"any",
	store.Publish,
	store.Future,
	store.Draft,
	store.Pending,
	store.Private,
	store.Trash,
	"auto-draft",
	"inherit",
}

// statuses returns the statuses that a list shows the caller, who may ask for
// them, and what its links say about them.
func (r *viewer) statuses(values params.Values) ([]store.Status, string) {
	asked := values.Statuses("status")
	if access.ViewerOf(r.Caller) == (access.Viewer{}) {
		return []store.Status{store.Publish}, string(store.Publish)
	}
	var list []store.Status
	for _, s := range asked {
		switch s {
		case "any":
			list = append(
				list,
				store.Publish,
				store.Future,
				store.Draft,
				store.Pending,
				store.Private,
			)
		case "":
		default:
			list = append(list, store.Status(s))
		}
	}
	if list == nil {
		return nil, "any"
	}
	return list, strings.Join(asked, ",")
}

// editing reports whether the caller says that records are read to be edited.
func (r *Input) editing() bool {
	return r.In.Text("context") == "edit"
}

// A lookup finds what there is for the caller, for the checks of parameters.
type lookup struct {
	*store.Reader
	accounts *account.Directory
	caller   account.Account
	list     bool                                               // the parameters are those of a list
	series   func(v *store.Reader, slug string) []*store.Series // that can be read by their slugs
}

// kinds are the kinds of the records that entities are stored as.
var kinds = map[params.Entity]store.Kind{
	params.Event:     store.Events,
	params.Venue:     store.Venues,
	params.Organizer: store.Organizers,
	params.Category:  store.Categories,
	params.Tag:       store.Tags,
	params.Series:    store.AllSeries,
}

// Has and Find answer the questions of package params about stored records.

func (k lookup) Has(entity params.Entity, id int64, path bool) bool {
	switch entity {
	case params.Account:
		_, ok := k.accounts.Account(id)
		return ok
	case params.Picture:
		return access.MaySeeImage(k.caller, k.Reader, id)
	}
	r := k.Get(kinds[entity], id)
	return r != nil && (path || access.MayName(k.caller, r) || k.list && IsTrash(r))
}

func (k lookup) Find(entity params.Entity, text string, path bool) (int64, bool) {
	if entity == params.Picture {
		return 0, access.MayNameImage(k.caller, k.Reader, text)
	}
	kind := kinds[entity]
	if r := k.BySlug(kind, StoredSlug(text)); r != nil && (path || access.MayName(k.caller, r)) {
		return r.Key(), true
	}
	if path && kind == store.Events && k.series != nil {
		return 0, len(k.series(k.Reader, StoredSlug(text))) > 0
	}
	if kind == store.Categories || kind == store.Tags {
		for r := range k.ByName(kind, markup.CleanTermName(text)) {
			return r.Key(), true
		}
	}
	return 0, false
}

// IsTrash reports whether a venue or an organizer is in the trash. Lists of
// events take its id from everybody, as clients of the original know it, and find
// nothing: see readable.
func IsTrash(r store.Record) bool {
	p := store.PostOf(r)
	return p != nil && r.Kind() != store.Events && r.Kind() != store.AllSeries &&
		p.Status == store.Trash
}
