// The operations on venues and organizers (sections 4.3 and 4.4 of the specification).

package api

import (
	"strings"
	"time"

	"almanac/filters"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// Venues is the operations on venues.
var Venues = linkedKind{
	store.Venues,
	"venue",
}.resource(
	params.VenueList,
	params.VenueCreate,
	params.VenueRead,
	params.VenueUpdate,
	params.VenueReadBySlug,
	params.VenueUpdateBySlug,
)

// Organizers is the operations on organizers.
var Organizers = linkedKind{
	store.Organizers,
	"organizer",
}.resource(
	params.OrganizerList,
	params.OrganizerCreate,
	params.OrganizerRead,
	params.OrganizerUpdate,
	params.OrganizerReadBySlug,
	params.OrganizerUpdateBySlug,
)

// A linkedKind is venues or organizers.
type linkedKind struct {
	kind store.Kind
	name string // in codes and messages
}

func (k linkedKind) resource(
	list, create, read, update, readBySlug, updateBySlug params.Table,
) Resource {
	plural := k.kind.String()
	return Resource{
		List: listOp(plural+".list", list, k.serveList),
		Create: NewChange(Op{
			Name:   plural + ".create",
			Params: create,
			permit: mayCreate,
			Change: k.write,
		}, Stored),
		Read: &Op{Name: plural + ".read", Params: read, Serve: k.serveRead},
		Update: NewChange(Op{
			Name:   plural + ".update",
			Params: update,
			permit: mayUpdate(k.kind),
			Change: k.write,
		}, Stored),
		Delete: NewChange(Op{
			Name:   plural + ".delete",
			Params: read,
			permit: mayTrash(k.kind),
			Change: k.delete,
		}, Stored),
		ReadBySlug: &Op{Name: plural + ".read-by-slug", Params: readBySlug, Serve: k.serveRead},
		UpdateBySlug: NewChange(Op{
			Name:   plural + ".update-by-slug",
			Params: updateBySlug,
			permit: mayUpdate(k.kind),
			Change: k.write,
		}, Stored),
		DeleteBySlug: NewChange(Op{
			Name:   plural + ".delete-by-slug",
			Params: readBySlug,
			permit: mayTrash(k.kind),
			Change: k.delete,
		}, Stored),
	}
}

// serveList answers GET /venues and GET /organizers. With event it shows those of
// an event that the caller may see inside, as the lists of terms do.
func (k linkedKind) serveList(r *Call) (*respond.Response, error) {
	l := List{Call: r, Name: k.kind.String()}
	f := filters.Posts{}
	show := r.Renderer(nil)
	look := func(v *store.View, values params.Values) error {
		statuses, status := r.statuses(values)
		f = filters.Posts{
			Kind:      k.kind,
			Viewer:    access.ViewerOf(r.Caller),
			Statuses:  statuses,
			Search:    filters.ParseWords(values.Text("search")),
			Event:     values.Int("event"),
			Upcoming:  values.Bool("only_with_upcoming"),
			HasEvents: truth(values, "has_events"),
			Include:   values.IDs("include"),
			Exclude:   values.IDs("exclude"),
			OrderBy:   values.Text("orderby"),
			Desc:      strings.EqualFold(values.Text("order"), "desc"),
			Ended: func(e *store.Event) bool {
				return show.Ended(e, r.Now)
			},
			Opens: r.unlocked,
		}
		if values.Text("order") != "" && f.OrderBy == "" {
			f.OrderBy = "date"
		}
		l.Paging = l.paging(values)
		l.query = l.echo(values, []pair{{"per_page", itoa(l.perPage)}, {"status", status}})
		if !f.Upcoming { // which depends on the time
			l.Tag = r.StateTag(v)
			l.TrueUntil(time.Time{})
		}
		return nil
	}
	return l.inSteps(k.kind, look, func() (found []store.Record, err error) {
		found, l.Total, l.plan = f.Find(r.Store.View, l.Offset(), l.perPage)
		if l.Page > 1 && len(found) == 0 {
			err = NoPage(k.name)
		}
		return found, err
	})
}

// serveRead answers GET of one venue or organizer.
func (k linkedKind) serveRead(r *Call) (*respond.Response, error) {
	return r.ReadOne(func(v *store.View) (store.Record, error) {
		found := r.named(&v.Reader, k.kind)
		if !r.MayRead(store.PostOf(found)) {
			return nil, notAccessible(k.name)
		}
		return found, nil
	})
}

// write answers POST of a venue or organizer, where one with the same name is used again, and
// POST, PUT and PATCH of the one in the path.
func (k linkedKind) write(r *Call) (Change, error) {
	return r.Write(
		func(tx *store.Tx, values params.Values) (made store.Record, _ *write.Report, err error) {
			if r.IsNew() {
				made, err = r.Editor().Linked(tx, k.kind, values)
				return made, nil, err
			}
			old := r.named(&tx.Reader, k.kind)
			err = r.Precondition(tx, old)
			if err == nil {
				made, err = r.Editor().ChangeLinked(tx, values, old)
			}
			return made, nil, err
		},
	)
}

// delete answers DELETE of one venue or organizer: it goes to the trash,
// and no event shows it until it is restored.
func (k linkedKind) delete(r *Call) (Change, error) {
	return r.Write(
		func(tx *store.Tx, _ params.Values) (made store.Record, _ *write.Report, err error) {
			old := r.named(&tx.Reader, k.kind)
			if store.PostOf(old).Status == store.Trash {
				return nil, nil, InTrash(k.name)
			}
			err = r.Precondition(tx, old)
			if err == nil {
				made, err = r.Editor().TrashLinked(tx, old)
			}
			return made, nil, err
		},
	)
}
