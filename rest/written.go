// Answers to writes, and the conditions that writes come with.

package rest

import (
	"net/http"
	"strconv"

	"almanac/store"
	"almanac/wire"
)

// written answers a write with the record as it is then: its body, where it is,
// and the entity tag that a read of it would have. Where it is stands in
// Content-Location (RFC 9110, section 8.7); new terms have a Location too, which
// clients of the original know for them and for nothing else.
func (r *request) written(status int, record store.Record, render func(wire.Renderer) any) (*response, error) {
	answer, tag := &response{status: status}, ""
	err := r.store.View(func(v *store.View) (err error) {
		answer.body = render(r.renderer(&v.Reader))
		tag, err = r.tag(&v.Reader, record)
		return err
	})
	address := r.api("/" + record.Kind().String() + "/" + strconv.FormatInt(record.Key(), 10))
	answer.header = map[string]string{"Content-Location": address, "ETag": tag}
	if _, ok := record.(*store.Term); ok && status == http.StatusCreated {
		answer.header["Location"] = address
	}
	return answer, err
}

// tag gives the entity tag of a record as a read would show it to the caller
// (RFC 9110, section 8.8.3).
func (r *request) tag(v *store.Reader, record store.Record) (string, error) {
	show := r.single(v)
	var shown any
	switch record := record.(type) {
	case *store.Event:
		shown = show.Event(record)
	case *store.Venue:
		shown = show.Venue(record)
	case *store.Organizer:
		shown = show.Organizer(record)
	case *store.Term:
		shown = show.Term(record, true)
	}
	body, err := wire.Marshal(shown)
	return etag(body), err
}

// precondition refuses a write whose If-Match does not name the record as it is
// (RFC 9110, section 13.1.1).
func (r *request) precondition(tx *store.Tx, record store.Record) error {
	condition := r.http.Header.Get("If-Match")
	if condition == "" {
		return nil
	}
	tag, err := r.tag(&tx.Reader, record)
	if err != nil {
		return err
	}
	if !matches(condition, tag) {
		return errPrecondition
	}
	return nil
}
