// The operations on events (section 4.2 of the specification).

package api

import (
	"io"
	"net/http"

	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// A Resource is the operations on one kind of records.
type Resource struct {
	List, Create, Read, Update, Delete     *Op
	ReadBySlug, UpdateBySlug, DeleteBySlug *Op
}

// Events is the operations on events.
var Events = Resource{
	List: inFormats(
		listOp("events.list", params.EventList, listEvents),
		Feeds.Calendar,
		Feeds.CSV,
		Feeds.RSS,
		Feeds.Atom,
		Feeds.JSON,
	),
	Create: NewChange(Op{
		Name:   "events.create",
		Params: params.EventCreate,
		permit: mayCreate,
		Change: createEvent,
	}, Stored),
	Read: eventOp("events.read", params.EventRead, Feeds.Event),
	Update: NewChange(Op{
		Name:   "events.update",
		Params: params.EventUpdate,
		permit: mayUpdate(store.Events),
		Change: updateEvent,
	}, Stored),
	Delete: NewChange(Op{
		Name:   "events.delete",
		Params: params.EventDelete,
		permit: mayTrash(store.Events),
		Change: deleteEvent,
	}, Stored),
	ReadBySlug: eventOp("events.read-by-slug", params.EventReadBySlug, Feeds.EventBySlug),
	UpdateBySlug: NewChange(Op{
		Name:   "events.update-by-slug",
		Params: params.EventUpdateBySlug,
		permit: mayUpdate(store.Events),
		Change: updateEvent,
	}, Stored),
	DeleteBySlug: NewChange(Op{
		Name:   "events.delete-by-slug",
		Params: params.EventDeleteBySlug,
		permit: mayTrash(store.Events),
		Change: deleteEvent,
	}, Stored),
}

// eventOp makes the operation that reads an event, also as a calendar.
func eventOp(name string, table params.Table, calendar *Op) *Op {
	return inFormats(
		&Op{Name: name, Params: table, Serve: readEvent, traits: kept},
		calendar,
	)
}

// mayCreate lets those create who may make records at all.
var mayCreate = needs(account.CreateOwn)

// mayUpdate lets those update who may edit this record.
func mayUpdate(k store.Kind) *permission {
	return &permission{
		[]account.Right{account.EditOwn, account.EditOwnPublished, account.EditOthers},
		func(r *Call, v *store.Reader) bool {
			return r.mayChange(v, k, r.mayEdit)
		},
	}
}

// mayTrash lets those delete who may delete this record.
func mayTrash(k store.Kind) *permission {
	return &permission{
		[]account.Right{account.DeleteOwn, account.DeleteOwnPublished, account.DeleteOthers},
		func(r *Call, v *store.Reader) bool {
			return r.mayChange(v, k, r.mayDelete)
		},
	}
}

// mayChange asks for the right to the record in the path, even if it is of another kind. An
// unknown event or slug is open to callers who may make records, so that they learn that it is
// unknown; unknown venues and organizers are refused before permissions are checked.
func (r *Call) mayChange(v *store.Reader, k store.Kind, may func(*store.Post) bool) bool {
	for _, kind := range []store.Kind{k, store.Events, store.Venues, store.Organizers} {
		if p := store.PostOf(r.named(v, kind)); p != nil && (kind == k || !r.bySlug()) {
			return may(p)
		}
	}
	return (k == store.Events || r.bySlug()) && r.Caller.May(account.CreateOwn)
}

// named returns the record of a kind that the path names, or nil.
func (r *Call) named(v *store.Reader, k store.Kind) store.Record {
	if r.bySlug() {
		return v.BySlug(k, r.slug())
	}
	return v.Get(k, r.ID())
}

// FindEvent returns the event that the path names, or the error that answers other records.
func (r *Call) FindEvent(v *store.Reader) (*store.Event, error) {
	if e, ok := r.named(v, store.Events).(*store.Event); ok {
		return e, nil
	}
	if r.bySlug() {
		return nil, RecordNotFound("event", 0)
	}
	for _, k := range []store.Kind{store.Venues, store.Organizers, store.Images, store.AllSeries} {
		if v.Get(k, r.ID()) != nil {
			return nil, errEventType
		}
	}
	return nil, RecordNotFound("event", r.ID())
}

// readEvent answers GET /events/{id} and GET /events/by-slug/{slug}.
func readEvent(r *Call) (*respond.Response, error) {
	var one item
	var e *store.Event
	var state string
	ofSeries := false // the path names the series: the answer depends on the clock, and on its other dates
	err := r.InView(func(v *store.View, values params.Values) (err error) {
		r.notePrefix(values)
		e, err = r.FindEvent(&v.Reader)
		if err != nil && r.bySlug() {
			if date := r.dateNamed(v, r.slug()); date != nil {
				e = date
				err = nil
				ofSeries = true
			}
		}
		switch {
		case err != nil:
			return err
		case e.Status == store.Trash:
			return errEventGone
		case !r.MayRead(&e.Post):
			return notAccessible("event")
		case !r.unlocked(e) && r.Alias == "": // subscribers see the content of lists
			return errLocked // unless the password, which is tried now, turns out right
		}
		one = r.item(v, e)
		state = r.StateTag(v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if ofSeries {
		r.TrueUntil(r.Now)
	}
	if r.Op.format != nil {
		return r.eventCalendar(one, e), nil
	}
	answer, err := r.single(one, state)
	if err == nil {
		answer.Links = []string{r.feedLink("/events/" + itoa(int(e.ID)))}
	}
	return answer, err
}

// ReadOne answers with one record, which find finds. The caller may see it.
func (r *Call) ReadOne(find func(*store.View) (store.Record, error)) (*respond.Response, error) {
	return r.readOne(func(v *store.View) (item, error) {
		found, err := find(v)
		if err != nil {
			return item{}, err
		}
		return r.item(v, found), nil
	})
}

// readOne is ReadOne for a record that find prepares for the answer by itself.
func (r *Call) readOne(find func(*store.View) (item, error)) (*respond.Response, error) {
	var one item
	var state string
	err := r.InView(func(v *store.View, _ params.Values) (err error) {
		one, err = find(v)
		state = r.StateTag(v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.single(one, state)
}

// single answers with one record. State names the state that it is in.
func (r *Call) single(one item, state string) (*respond.Response, error) {
	show := r.Renderer(one.links)
	tag := func() string {
		if r.isLegacy() { // it may be blank, and says nothing of what is inside
			return ""
		}
		return r.TagOf(one.links, one.record)
	}
	if show.Bytes(one.record) > respond.LongFrom {
		return r.Document(state, func(w io.Writer) (string, error) {
			_, err := w.Write(one.append(nil, r, true))
			return tag(), err
		})
	}
	return &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(one.append(nil, r, true)),
		Tag:    tag(),
	}, nil
}

// createEvent answers POST /events.
func createEvent(r *Call) (Change, error) {
	return r.Write(func(tx *store.Tx, values params.Values) (store.Record, *write.Report, error) {
		made, report, err := r.Editor().CreateEvent(tx, values, values.Recurrence("recurrence"))
		r.noteEnd(values, made, nil)
		return made, report, err
	})
}

// noteEnd notes for the answer how an end before the start was adjusted: the end that was sent, or
// the end of the old event.
func (r *Call) noteEnd(values params.Values, made, old *store.Event) {
	r.Asked.Adjusted = ""
	if made == nil {
		return
	}
	late := old != nil && made.Start > old.End
	if values.Has("end_date") {
		zone, err := r.zones.Load(made.Timezone)
		late = err == nil && store.WallOf(values.Date("end_date", zone).Wall) < made.Start
	}
	if late {
		r.Asked.Adjusted = "end_date=" + made.End.String()
	}
}

// updateEvent answers POST, PUT and PATCH of /events/{id} and
// /events/by-slug/{slug}: one operation, which changes what is sent.
func updateEvent(r *Call) (Change, error) {
	return r.Write(func(tx *store.Tx, values params.Values) (store.Record, *write.Report, error) {
		old, err := r.FindEvent(&tx.Reader)
		if err == nil {
			err = r.Precondition(tx, old)
		}
		if err != nil {
			return nil, nil, err
		}
		made, report, err := r.Editor().
			UpdateEvent(tx, values, values.Recurrence("recurrence"), write.Scope(values.Text("scope")), old)
		r.noteEnd(values, made, old)
		return made, report, scopeError(err, values)
	})
}

// deleteEvent answers DELETE /events/{id} and /events/by-slug/{slug}: the event
// goes to the trash, with all its links.
func deleteEvent(r *Call) (Change, error) {
	return r.Write(func(tx *store.Tx, values params.Values) (store.Record, *write.Report, error) {
		old, err := r.FindEvent(&tx.Reader)
		switch {
		case err != nil:
		case old.Status == store.Trash:
			err = InTrash("event")
		default:
			err = r.Precondition(tx, old)
		}
		if err != nil {
			return nil, nil, err
		}
		made, report, err := r.Editor().DeleteEvent(tx, write.Scope(values.Text("scope")), old)
		return made, report, scopeError(err, values)
	})
}
