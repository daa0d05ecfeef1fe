// Answers to writes.

package rest

import (
	"net/http"
	"strconv"

	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// written answers a write with the record as it is then: its body, where it is,
// and the entity tag that a read of it would have. Where it is stands in
// Content-Location (RFC 9110, section 8.7); new terms have a Location too, which
// clients of the original know for them and for nothing else.
func (r *request) written(status int, record store.Record) (*respond.Response, error) {
	var links *render.Links
	err := r.store.View(func(v *store.View) error {
		links = render.Gather(v, record)
		return nil
	})
	view := r.openRendering(links, record)
	json, ok := r.hold(r.buffers.body.Text[:0], view)
	r.buffers.body.Text = json
	answer := &respond.Response{Status: status, Body: respond.Body{Text: json}}
	parts := respond.Part(json)
	if !ok {
		r.dropBody()
		answer, parts = r.longRecord(status, view, 0), r.parts(view)
	}
	address := r.site.API + "/" + record.Kind().String() + "/" + strconv.FormatInt(record.Key(), 10)
	answer.Header = map[string]string{"Content-Location": address, "ETag": recordTag(record, parts)}
	if isTerm(record) && status == http.StatusCreated {
		answer.Header["Location"] = address
	}
	return answer, err
}
