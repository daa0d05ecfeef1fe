// What the caller of a request may see and change. Package access decides it.

package rest

import (
	"strings"

	"almanac/access"
	"almanac/account"
	"almanac/params"
	"almanac/store"
)

// mayEdit, mayDelete and mayRead ask for the caller.
func (r *request) mayEdit(p *store.Post) bool   { return access.MayEdit(r.caller, p) }
func (r *request) mayDelete(p *store.Post) bool { return access.MayDelete(r.caller, p) }
func (r *request) mayRead(p *store.Post) bool   { return access.MayRead(r.caller, p) }

// statuses gives the statuses that a list shows the caller, and what its links
// say about them. Strangers may ask for what is published and nothing else.
func (r *request) statuses(values params.Values) ([]store.Status, string, error) {
	asked := values.Statuses("status")
	if r.caller.Scope() == account.Published {
		if asked == nil || len(asked) == 1 && asked[0] == string(store.Publish) {
			return []store.Status{store.Publish}, string(store.Publish), nil
		}
		return nil, "", errForeign
	}
	var list []store.Status
	for _, s := range asked {
		switch status := store.Status(s); status {
		case store.Publish, store.Future, store.Draft, store.Pending, store.Private, store.Trash,
			"auto-draft", "inherit": // known to clients, and of no record here
			list = append(list, status)
		case "any":
			list = append(list, store.Publish, store.Future, store.Draft, store.Pending, store.Private)
		case "":
		default:
			return nil, "", errBadStatuses
		}
	}
	if list == nil {
		return nil, "any", nil
	}
	return list, strings.Join(asked, ","), nil
}

// editing reports whether the caller says that records are read to be edited.
func (r *request) editing() bool { return r.in.Text("context") == "edit" }
