// Records on their way into an answer: found in a state of the store, rendered
// when its lock has been released.

package api

import (
	"bytes"
	"iter"
	"net/http"
	"strconv"

	"almanac/internal/feed"
	"almanac/internal/params"
	"almanac/internal/render"
	"almanac/internal/respcache"
	"almanac/internal/respond"
	"almanac/internal/write"
	"almanac/store"
)

// An item is a record with its JSON, or with what is needed to render it.
type item struct {
	key      respcache.Key
	single   bool
	version  respcache.Version
	fragment *respond.Fragment // nil: its JSON is not remembered
	record   store.Record
	links    *render.Links // nil if there is a piece
	shown    *render.Links // the same, or what was gathered for the piece
	size     int64         // of its JSON in a list, about; 0 is not known
	tag      string        // of a record that is shown alone, if it is known
}

// item prepares a record for an answer. The caller may see it.
func (r *Call) item(v *store.View, record store.Record, single bool) item {
	it := item{
		key:     respcache.RecordKey(r.Site.Number, record, single, r.form()),
		single:  single,
		record:  record,
		version: respcache.Version{State: v.State()},
	}
	if e := r.Cache.Get(it.key); e != nil && e.Record == record {
		if e.Fresh(it.version) {
			it.take(e)
		} else if e.Links.Current(v) {
			e.Validate(it.version)
			it.take(e)
		}
	}
	if it.fragment == nil {
		it.links = r.buffers.gather(v, record)
		it.shown = it.links
	}
	return it
}

// form returns the name that renderings of records are remembered by: "" for JSON.
func (r *Call) form() string {
	switch {
	case r.Op.format == nil:
		return ""
	case r.plainTitles:
		return r.Op.Name + " plain"
	}
	return r.Op.Name
}

// take takes what is remembered of a record, which is fresh.
func (it *item) take(e *respcache.Entry) {
	if it.shown, it.tag, it.size = e.Links, e.Tag, e.Size; e.Text != nil {
		it.fragment = &e.Fragment
	}
}

// appendTo appends a record to a body, and reports whether that may be in memory.
func (it *item) appendTo(b []byte, r *Call) (_ []byte, reserved bool) {
	if it.fragment != nil {
		b = append(b, it.fragment.Text...)
		return b, r.reserved.Answer(len(b))
	}
	from := len(b)
	if b, reserved = r.rendering(it.links, it.record, it.single).appendHeld(b); reserved {
		it.keep(r, b[from:])
	}
	return b, reserved
}

// keep remembers the JSON of a record, if everybody sees it alike; without
// JSON, which is too long, the tag is remembered.
func (it *item) keep(r *Call, json []byte) {
	if r.Cache == nil || !it.everybodys() {
		return
	}
	e := &respcache.Entry{Tag: it.tag, Record: it.record, Links: it.links.Clone(), Size: it.size}
	if json != nil {
		e.Text = bytes.Clone(json)
		it.fragment = &e.Fragment
	}
	r.Cache.Put(it.key, e, it.version)
}

// everybodys reports whether all who may see the record see it alike.
func (it *item) everybodys() bool {
	switch record := it.record.(type) {
	case *store.Event:
		return record.Password == "" && it.links.Public()
	case *store.Term:
		return !it.single // alone it says what the caller may do to it
	case render.Series, *occurring:
		return false
	}
	return true
}

// A rendering is a record as it is to be shown to the caller.
type rendering struct {
	call   *Call
	show   render.Renderer
	record store.Record
	format *feed.Format // nil is JSON
}

// rendering shows a record in a list, or as a read of it alone does.
func (r *Call) rendering(from render.Source, record store.Record, single bool) *rendering {
	v := &rendering{r, r.Renderer(from), record, r.Op.format}
	v.show.LD = single
	v.show.TermLinks = single
	return v
}

// openRendering shows a record to a caller who may see inside, without the data
// for search engines.
func (r *Call) openRendering(from render.Source, record store.Record) *rendering {
	v := &rendering{r, r.Renderer(from), record, nil}
	v.show.TermLinks = true
	v.show.Unlocked = func(*store.Event) bool { return true }
	return v
}

// append appends the JSON.
func (v *rendering) append(b []byte) []byte {
	switch record := v.record.(type) {
	case *store.Event:
		if v.format != nil {
			return v.format.Event(b, &v.show, record)
		}
	case *occurring:
		return feed.AppendSeries(b, &v.show, record.Series, record.shown)
	}
	return v.show.Append(b, v.record)
}

// appendHeld appends a rendering to a body in memory. It reports whether that may be
// there; if not, the body is worth nothing.
func (v *rendering) appendHeld(b []byte) ([]byte, bool) {
	v.show.Spill = func(b []byte) ([]byte, bool) { return b, v.call.reserved.Answer(len(b)) }
	b = v.append(b)
	return b, v.call.reserved.Answer(len(b))
}

// parts makes a rendering part by part.
func (v *rendering) parts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		more := true
		v.show.Spill = func(b []byte) ([]byte, bool) {
			more = more && yield(b)
			return b[:0], more
		}
		rest := v.append(v.call.buffers.part[:0])
		v.call.buffers.part = rest
		if more {
			yield(rest)
		}
	}
}

// Write runs a write, and answers with the record that it returns. A path without variables names
// no record: it is new.
func (r *Call) Write(
	f func(*store.Tx, params.Values) (store.Record, *write.Report, error),
) (*respond.Response, error) {
	var made store.Record
	var report *write.Report
	err := r.Update(func(tx *store.Tx, values params.Values) (err error) {
		made, report, err = f(tx, values)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(r.Path) == 0 {
		return r.Written(http.StatusCreated, made, report)
	}
	return r.Written(http.StatusOK, made, report)
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
	tag := ""
	if report != nil {
		tag = r.TagOf(links, record)
		view.show.Wrote = (*render.Wrote)(report)
	}
	json, ok := view.appendHeld(r.buffers.body[:0])
	r.buffers.body = json
	answer := &respond.Response{Status: status, Body: respond.Body{Text: json}}
	parts := respond.Part(json)
	if !ok {
		r.dropBody()
		parts = view.parts()
		answer = &respond.Response{Status: status, Long: &respond.Long{Parts: parts}}
	}
	_, isImage := record.(*store.Image)
	name := record.Kind().String()
	if isImage {
		name = "media"
	}
	address := r.Site.API + "/" + name + "/" + strconv.FormatInt(record.Key(), 10)
	if tag == "" {
		tag = recordTag(record, parts)
	}
	answer.Header = map[string]string{"Content-Location": address, "ETag": tag}
	if _, isTerm := record.(*store.Term); (isTerm || isImage) && status == http.StatusCreated {
		answer.Header["Location"] = address
	}
	return answer, err
}
