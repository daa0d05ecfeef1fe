// The operations on venues and organizers (sections 4.3 and 4.4 of the specification). The differences between
// the two are functions of a linkedKind.

package api

import (
	"net/http"
	"slices"
	"strings"

	"almanac/filters"
	"almanac/internal/access"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Venues is the operations on venues.
var Venues = linkedResource(linkedKind{
	kind: store.Venues, name: "venue",
	list: params.VenueList, create: params.VenueCreate, read: params.VenueRead, update: params.VenueUpdate,
	readBySlug: params.VenueReadBySlug, updateBySlug: params.VenueUpdateBySlug,
	make: func(r *Call, tx *store.Tx, values params.Values) (store.Record, error) {
		return record(r.editor().Venue(tx, values))
	},
	change: func(r *Call, tx *store.Tx, values params.Values, old store.Record) (store.Record, error) {
		return record(r.editor().ChangeVenue(tx, values, old.(*store.Venue)))
	},
	copy:   func(old store.Record) store.Record { v := *old.(*store.Venue); return &v },
	unlink: func(e *store.Event) *[]int64 { return &e.Venues },
})

// Organizers is the operations on organizers.
var Organizers = linkedResource(linkedKind{
	kind: store.Organizers, name: "organizer",
	list: params.OrganizerList, create: params.OrganizerCreate, read: params.OrganizerRead, update: params.OrganizerUpdate,
	readBySlug: params.OrganizerReadBySlug, updateBySlug: params.OrganizerUpdateBySlug,
	make: func(r *Call, tx *store.Tx, values params.Values) (store.Record, error) {
		return record(r.editor().Organizer(tx, values))
	},
	change: func(r *Call, tx *store.Tx, values params.Values, old store.Record) (store.Record, error) {
		return record(r.editor().ChangeOrganizer(tx, values, old.(*store.Organizer)))
	},
	copy:   func(old store.Record) store.Record { o := *old.(*store.Organizer); return &o },
	unlink: func(e *store.Event) *[]int64 { return &e.Organizers },
})

// record makes a Record of a pointer, nil when there is an error.
func record[T store.Record](made T, err error) (store.Record, error) {
	if err != nil {
		return nil, err
	}
	return made, nil
}

// A linkedKind has the differences between venues and organizers.
type linkedKind struct {
	kind                     store.Kind
	name                     string // in codes and messages
	list, create             params.Table
	read, update             params.Table
	readBySlug, updateBySlug params.Table

	make   func(*Call, *store.Tx, params.Values) (store.Record, error)
	change func(r *Call, tx *store.Tx, values params.Values, old store.Record) (store.Record, error)
	copy   func(store.Record) store.Record
	unlink func(*store.Event) *[]int64 // the list of an event that links to the kind
}

func linkedResource(k linkedKind) Resource {
	plural := k.kind.String()
	return Resource{
		List:         listOp(plural+".list", k.list, k.serveList),
		Create:       &Op{Name: plural + ".create", Params: k.create, permit: mayCreate, Serve: k.serveCreate},
		Read:         &Op{Name: plural + ".read", Params: k.read, Serve: k.serveRead},
		Update:       &Op{Name: plural + ".update", Params: k.update, permit: mayUpdate(k.kind), Serve: k.serveUpdate},
		Delete:       &Op{Name: plural + ".delete", Params: k.read, permit: mayTrash(k.kind), Serve: k.serveDelete},
		ReadBySlug:   &Op{Name: plural + ".read-by-slug", Params: k.readBySlug, Serve: k.serveRead},
		UpdateBySlug: &Op{Name: plural + ".update-by-slug", Params: k.updateBySlug, permit: mayUpdate(k.kind), Serve: k.serveUpdate},
		DeleteBySlug: &Op{Name: plural + ".delete-by-slug", Params: k.readBySlug, permit: mayTrash(k.kind), Serve: k.serveDelete},
	}
}

// serveList answers GET /venues and GET /organizers. With event it shows those of
// an event that the caller may see inside, as the lists of terms do.
func (k linkedKind) serveList(r *Call) (*respond.Response, error) {
	l, f := List{Call: r, Name: k.kind.String()}, filters.Posts{}
	show := r.Renderer(nil)
	look := func(v *store.View, values params.Values) error {
		statuses, status := r.statuses(values)
		f = filters.Posts{
			Kind: k.kind, Viewer: access.ViewerOf(r.Caller), Statuses: statuses,
			Search:   filters.ParseWords(values.Text("search")),
			Event:    values.Int("event"),
			Upcoming: values.Bool("only_with_upcoming"),
			Include:  values.IDs("include"), Exclude: values.IDs("exclude"),
			OrderBy: values.Text("orderby"), Desc: strings.EqualFold(values.Text("order"), "desc"),
			Ended: func(e *store.Event) bool { return show.Zone(e).Instant(e.End.Time()).Before(r.Now) }, Opens: r.unlocked,
		}
		if values.Text("order") != "" && f.OrderBy == "" {
			f.OrderBy = "date"
		}
		if values.Has("has_events") {
			has := values.Bool("has_events")
			f.HasEvents = &has
		}
		l.Paging = l.paging(values)
		l.query = l.echo(values, []pair{{"per_page", itoa(l.PerPage)}, {"status", status}})
		if !f.Upcoming { // which depends on the time
			l.Tag = r.StateTag(v)
		}
		return nil
	}
	find := func(v *store.View, _ params.Values) error {
		var found []store.Record
		l.explained(func() { found, l.Total, l.plan = f.Find(v, l.Offset(), l.PerPage) })
		if l.Page > 1 && len(found) == 0 {
			return archivePage(k.name)
		}
		for _, one := range found {
			l.items = append(l.items, r.item(v, one, false))
		}
		return nil
	}
	return l.Do(look, find, l.Response)
}

// serveRead answers GET of one venue or organizer.
func (k linkedKind) serveRead(r *Call) (*respond.Response, error) {
	var one item
	err := r.InView(func(v *store.View, _ params.Values) error {
		found := r.named(&v.Reader, k.kind)
		if !r.MayRead(store.PostOf(found)) {
			return notAccessible(k.name)
		}
		one = r.item(v, found, true)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.single(one)
}

// serveCreate answers POST of a venue or organizer. One with the same name is
// used again.
func (k linkedKind) serveCreate(r *Call) (*respond.Response, error) {
	return k.write(r, http.StatusCreated, func(tx *store.Tx, values params.Values) (store.Record, error) {
		return k.make(r, tx, values)
	})
}

// serveUpdate answers POST, PUT and PATCH of one venue or organizer.
func (k linkedKind) serveUpdate(r *Call) (*respond.Response, error) {
	return k.write(r, http.StatusOK, func(tx *store.Tx, values params.Values) (store.Record, error) {
		old := r.named(&tx.Reader, k.kind)
		if err := r.precondition(tx, old); err != nil {
			return nil, err
		}
		return k.change(r, tx, values, old)
	})
}

// serveDelete answers DELETE of one venue or organizer: it goes to the trash,
// and no event shows it any longer.
func (k linkedKind) serveDelete(r *Call) (*respond.Response, error) {
	return k.write(r, http.StatusOK, func(tx *store.Tx, _ params.Values) (store.Record, error) {
		old := r.named(&tx.Reader, k.kind)
		if store.PostOf(old).Status == store.Trash {
			return nil, inTrash(k.name)
		}
		if err := r.precondition(tx, old); err != nil {
			return nil, err
		}
		trashed := k.copy(old)
		r.editor().Trash(tx, store.PostOf(trashed), k.kind)
		if err := tx.Put(trashed); err != nil {
			return nil, err
		}
		return trashed, k.unlinkAll(tx, old.Key())
	})
}

// unlinkAll takes a record out of every event that links to it.
func (k linkedKind) unlinkAll(tx *store.Tx, id int64) error {
	for _, e := range tx.EventsOf(k.kind, id) {
		next := *e
		ids := k.unlink(&next)
		*ids = slices.DeleteFunc(slices.Clone(*ids), func(other int64) bool { return other == id })
		if err := tx.Put(&next); err != nil {
			return err
		}
	}
	return nil
}

// write runs a write and answers with the record as it is then.
func (k linkedKind) write(r *Call, status int, f func(*store.Tx, params.Values) (store.Record, error)) (*respond.Response, error) {
	var made store.Record
	err := r.update(func(tx *store.Tx, values params.Values) (err error) {
		made, err = f(tx, values)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.written(status, made, nil)
}
