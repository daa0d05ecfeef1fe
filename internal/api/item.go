// Records on their way into an answer: found in a state of the store, rendered when its lock has
// been released.

package api

import (
	"net/http"
	"strconv"

	"almanac/internal/api/respond"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/internal/wire/render"
	"almanac/internal/write"
	"almanac/store"
)

// An item is a record with what is needed to render it, or with its JSON.
type item struct {
	record store.Record
	links  *render.Links
	text   []byte // its JSON; nil: it has to be rendered
}

// item prepares a record for an answer. The caller may see it.
func (r *Call) item(v *store.View, record store.Record) item {
	return item{record: record, links: render.Gather(v, record)}
}

// append appends a record to a body. Alone it shows more than in a list.
func (it *item) append(b []byte, r *Call, single bool) []byte {
	if it.text != nil {
		return append(b, it.text...)
	}
	return r.rendering(it.links, it.record, single).append(b)
}

// A rendering is a record as it is to be shown to the caller.
type rendering struct {
	show   render.Renderer
	record store.Record
	format *feed.Format // nil is JSON
}

// rendering shows a record in a list, or as a read of it alone does.
func (r *Call) rendering(from render.Source, record store.Record, single bool) *rendering {
	v := &rendering{r.Renderer(from), record, r.Op.format}
	v.show.LD = single
	v.show.TermLinks = single
	return v
}

// openRendering shows a record to a caller who may see inside, without the data
// for search engines.
func (r *Call) openRendering(from render.Source, record store.Record) *rendering {
	v := &rendering{r.Renderer(from), record, nil}
	v.show.TermLinks = true
	v.show.Unlocked = func(*store.Event) bool {
		return true
	}
	return v
}

// append appends the JSON, or the entry of a document.
func (v *rendering) append(b []byte) []byte {
	switch record := v.record.(type) {
	case *store.Event:
		if v.format != nil {
			return v.format.Event(b, &v.show, record)
		}
	case *seriesEntry:
		return feed.AppendSeries(b, &v.show, record.Series, record.events)
	}
	return v.show.Append(b, v.record)
}

// A Change is the result of an operation that writes.
type Change struct {
	Record store.Record  // as it is stored, or as it was before it was removed
	Report *write.Report // of a series; nil without one
	Moved  int           // records that a merge changed

	links *render.Links // of a removed record
}

// Write makes a change of one record, which f stores.
func (r *Call) Write(
	f func(*store.Tx, params.Values) (store.Record, *write.Report, error),
) (change Change, err error) {
	err = r.Update(func(tx *store.Tx, values params.Values) (err error) {
		change.Record, change.Report, err = f(tx, values)
		return err
	})
	return change, err
}

// IsNew reports whether a write is for a new record: its path names none.
func (r *Input) IsNew() bool {
	return len(r.Path) == 0
}

// Stored answers a change with the record, and with 201 if it is new.
func Stored(r *Call, change Change) (*respond.Response, error) {
	if r.IsNew() {
		return r.Written(http.StatusCreated, change.Record, change.Report)
	}
	return r.Written(http.StatusOK, change.Record, change.Report)
}

// Written answers a write with the record as it is then: its body, where it is, and the entity tag
// that a read of it would have. Where it is stands in Content-Location (RFC 9110, section 8.7);
// new terms have a Location too, which clients of the original know for them and for nothing else,
// and new uploads. A write of a series has a report, which a read has not.
func (r *Call) Written(
	status int,
	record store.Record,
	report *write.Report,
) (*respond.Response, error) {
	var links *render.Links
	err := r.Store.View(func(v *store.View) error {
		links = render.Gather(v, record)
		return nil
	})
	view := r.openRendering(links, record)
	json := view.append(nil)
	tag := recordTag(record, json)
	if report != nil {
		view.show.Wrote = (*render.Wrote)(report)
		json = view.append(nil)
	}
	_, isImage := record.(*store.Image)
	name := record.Kind().String()
	if isImage {
		name = "media"
	}
	address := r.Site.API + "/" + name + "/" + strconv.FormatInt(record.Key(), 10)
	answer := &respond.Response{
		Status: status,
		Body:   respond.Text(json),
		Header: map[string]string{"Content-Location": address, "ETag": tag},
	}
	if _, isTerm := record.(*store.Term); (isTerm || isImage) && status == http.StatusCreated {
		answer.Header["Location"] = address
	}
	return answer, err
}
