// Answers to writes.

package api

import (
	"net/http"
	"strconv"

	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/internal/write"
	"almanac/store"
)

// written answers a write with the record as it is then: its body, where it is,
// and the entity tag that a read of it would have. Where it is stands in
// Content-Location (RFC 9110, section 8.7); new terms have a Location too, which
// clients of the original know for them and for nothing else. A write of a series has
// a report, which a read has not.
func (r *Call) written(status int, record store.Record, report *write.Report) (*respond.Response, error) {
	var links *render.Links
	err := r.Store.View(func(v *store.View) error {
		links = render.Gather(v, record)
		return nil
	})
	view, tag := r.openRendering(links, record), ""
	if report != nil {
		tag = r.tagOf(links, record)
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
	address := r.Site.API + "/" + record.Kind().String() + "/" + strconv.FormatInt(record.Key(), 10)
	if tag == "" {
		tag = recordTag(record, parts)
	}
	answer.Header = map[string]string{"Content-Location": address, "ETag": tag}
	if isTerm(record) && status == http.StatusCreated {
		answer.Header["Location"] = address
	}
	return answer, err
}
