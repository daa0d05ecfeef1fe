// Exchanges as servers see them.

package openapitest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
)

// namespace is the path that routes of the document are below.
const namespace = "/cal/events/v1"

// An Observation is a server's view of an exchange.
type Observation struct {
	Route   string        // "/cal/events/v1/events/{id}"
	Request *http.Request // with the intended method
	Sent    []string
	Status  int
	Header  http.Header
	Answer  []byte // as it was sent
}

// exchange returns what can be checked of an observation; ok is false when the
// document says nothing about it: routes outside the namespace, HEAD and OPTIONS,
// what no route takes.
func (o Observation) exchange() (e exchange, ok bool) {
	below, ok := strings.CutPrefix(o.Route, namespace)
	switch o.Request.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return e, false
	}
	if below == "" {
		below = "/"
	}
	e = exchange{
		Path:   below,
		Method: o.Request.Method,
		Sent:   o.Sent,
		Status: o.Status,
		Body:   o.Answer,
	}
	e.Type, _, _ = strings.Cut(o.Header.Get("Content-Type"), ";")
	if o.Header.Get("Content-Encoding") == "gzip" {
		e.Body = nil
		if r, err := gzip.NewReader(bytes.NewReader(o.Answer)); err == nil {
			e.Body, _ = io.ReadAll(r)
		}
	}
	// The document describes bodies as they are without these.
	for _, dress := range []string{"_fields", "_envelope", "_jsonp"} {
		if slices.Contains(o.Sent, dress) {
			e.Body = nil
		}
		if dress == "_envelope" && e.Body == nil && o.Status == http.StatusOK {
			return e, false // the status is that of the envelope
		}
	}
	return e, ok && o.Route != ""
}
