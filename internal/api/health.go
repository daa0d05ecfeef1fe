// How the server is: for healthcheck, and for what watches over containers.

package api

import (
	"errors"
	"net/http"

	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// Operations on the health of the server. They are open to every caller: limits and expired tokens do not
// count, so that a healthy server never looks ill. They are no part of the specification.
var (
	// Health answers 200 when all is well.
	Health = &Op{Name: "health", Params: params.None, checks: noChecks, Serve: func(r *Call) (*respond.Response, error) {
		return r.healthAnswer(func(h health) bool { return h.Live && h.Ready && h.Writable }), nil
	}}

	// HealthOf answers 200 when the one thing is so that the path names.
	HealthOf = &Op{Name: "health.of", Params: params.None, checks: noChecks, Serve: func(r *Call) (*respond.Response, error) {
		of, ok := map[string]func(health) bool{
			"live":     func(h health) bool { return h.Live },
			"ready":    func(h health) bool { return h.Ready },
			"writable": func(h health) bool { return h.Writable },
		}[r.Path["name"]]
		if !ok {
			return nil, ErrNoRoute
		}
		return r.healthAnswer(of), nil
	}}
)

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
	case refusing != nil && store.IsPassing(refusing):
		h.Writable, h.Reason = false, "The disk did not take a change. Writing goes on by itself as soon as it takes one."
	case refusing != nil:
		h.Writable, h.Reason = false, "What is on the disk is not what the server wrote. Writing goes on when the server was started again."
	case err == nil && free < s.bounds.Free:
		h.Writable, h.Reason = false, "The disk is nearly full: only editors and administrators can write."
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		h.Writable, h.Reason = false, "The disk does not say how much room it has."
	}
	if most := s.bounds.Requests; most > 0 && s.bounds.places.Used() == int64(most) {
		h.Ready, h.Reason = false, "The server works on as many requests as it may."
	}
	select {
	case <-s.stopping:
		h.Ready, h.Reason = false, "The server is being stopped."
	default:
	}
	return h
}

// healthAnswer answers 200 when what is asked for is so, else 503.
func (r *Call) healthAnswer(so func(health) bool) *respond.Response {
	h := r.health(r.Store)
	a := &respond.Response{Status: http.StatusOK, Body: jsonBody(h), Header: map[string]string{"Cache-Control": "no-store"}}
	if so(h) {
		a.Body.Text = append(a.Body.Text, '\n') // as what is refused
	} else {
		a.Status = http.StatusServiceUnavailable
		a.Header["Retry-After"] = errUnavailable.Header()["Retry-After"]
	}
	return a
}
