// Who sees and changes which record: the one place that decides it.

package rest

import (
	"strings"

	"almanac/account"
	"almanac/filters"
	"almanac/params"
	"almanac/store"
)

// settled reports whether a status counts as published when it is asked who
// may change a record.
func settled(s store.Status) bool {
	return s == store.Publish || s == store.Future || s == store.Private
}

// mayEdit reports whether the caller may change a record.
func (r *request) mayEdit(p *store.Post) bool { return r.caller.MayEdit(p.Author, settled(p.Status)) }

// mayDelete reports whether the caller may put a record into the trash.
func (r *request) mayDelete(p *store.Post) bool {
	return r.caller.MayDelete(p.Author, settled(p.Status))
}

// mayRead reports whether the caller may read a record; of the trash, only
// those of venues and organizers, and those who may read all of it.
func (r *request) mayRead(p *store.Post) bool { return r.caller.MayRead(p.Author, string(p.Status)) }

// viewer gives whose unpublished records the caller finds in lists.
func (r *request) viewer() filters.Viewer {
	switch r.caller.Scope() {
	case account.Everything:
		return filters.Viewer{All: true}
	case account.PublishedAndOwn:
		return filters.Viewer{Own: r.caller.ID}
	default:
		return filters.Viewer{}
	}
}

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
		case "any", "":
		default:
			return nil, "", errBadStatuses
		}
	}
	if list == nil {
		return nil, "any", nil
	}
	return list, strings.Join(asked, ","), nil
}

// unlocked reports whether the caller may see inside an event: it has no
// password, the request has it, or the caller edits it and says so.
func (r *request) unlocked(e *store.Event) bool {
	if e.Password == "" || r.in.Text("password") == e.Password {
		return true
	}
	return r.in.Text("context") == "edit" && r.mayEdit(&e.Post)
}
