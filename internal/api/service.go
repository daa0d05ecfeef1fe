// The health of the server.

package api

import (
	"errors"
	"net/http"

	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/store"
)

// Health is open to every caller: limits and expired tokens do not count, so that a healthy server
// never looks ill. It is no part of the specification.
var Health = &Op{
	Name:   "health",
	Params: params.None,
	checks: noChecks,
	Serve:  serveHealth,
}

// health is how the server is.
type health struct {
	Live     bool   `json:"live"`             // it answers
	Ready    bool   `json:"ready"`            // it would work on a request now
	Writable bool   `json:"writable"`         // whether authorized callers can write
	Reason   string `json:"reason,omitempty"` // why one of these is not so
}

// health looks how the server is, for who asks about a store.
func (s *Server) health(of *store.Store) health {
	h := health{Live: true, Ready: true, Writable: true}
	free, err := of.Free()
	switch refusing := of.Refusing(); {
	case s.ReadOnly:
		h.Writable = false
		h.Reason = "The server was started with -read-only."
	case refusing != nil && store.IsPassing(refusing):
		h.Writable = false
		h.Reason = "The disk did not take a change. Writing goes on by itself as soon as it takes one."
	case refusing != nil:
		h.Writable = false
		h.Reason = "What is on the disk is not what the server wrote. Writing goes on when the server was started again."
	case err == nil && free < s.bounds.Free:
		h.Writable = false
		h.Reason = "The disk is nearly full: only editors and administrators can write."
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		h.Writable = false
		h.Reason = "The disk does not say how much room it has."
	}
	if most := s.bounds.Requests; most > 0 && s.bounds.Places.Used() == int64(most) {
		h.Ready = false
		h.Reason = "The server works on as many requests as it may."
	}
	select {
	case <-s.stopping:
		h.Ready = false
		h.Reason = "The server is being stopped."
	default:
	}
	return h
}

// serveHealth answers 200 when the part of the health is well that the path names, or without a
// name all of it; else 503.
func serveHealth(r *Call) (*respond.Response, error) {
	h := r.health(r.Store)
	well, ok := map[string]bool{
		"":         h.Live && h.Ready && (h.Writable || r.ReadOnly), // it is meant to be so
		"live":     h.Live,
		"ready":    h.Ready,
		"writable": h.Writable,
	}[r.Path["name"]]
	if !ok {
		return nil, ErrNoRoute
	}
	a := &respond.Response{
		Status: http.StatusOK,
		Body:   jsonBody(h),
		Header: map[string]string{
			"Cache-Control": "no-store",
		},
	}
	if well {
		a.Body = respond.Text(append(a.Body.Bytes(), '\n')) // as what is refused
	} else {
		a.Status = http.StatusServiceUnavailable
		a.Header["Retry-After"] = errUnavailable.Header()["Retry-After"]
	}
	return a, nil
}
