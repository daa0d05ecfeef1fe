// Tenants: the sources of requests, where one server serves several calendars, and records that
// are due in them.

package api

import (
	"iter"
	"log/slog"
	"net/http"
	"time"

	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// A Tenant is the source of one request. Options.Tenant returns it for each request; without that
// function every request is served from Options.Store.
type Tenant struct {
	Store *store.Store
	Now   time.Time    // of the request, UTC
	Due   time.Time    // records scheduled up to here are published first; usually Now
	Log   *slog.Logger // of the request

	Err     error                    // answers the request at once; nil for none
	Done    func() error             // called before the answer is written; its error replaces the answer; nilable
	NoRoute func(path string) string // adds a sentence to the error if there is no route; nilable
}

// tenantOf returns the tenant of a request.
func (s *Server) tenantOf(hr *http.Request) Tenant {
	if s.tenant != nil {
		return s.tenant(hr)
	}
	now := s.clock.Now()
	return Tenant{Store: s.store, Now: now, Due: now, Log: s.log}
}

// NewControl makes an operation on the tenants of a server. It takes any parameters,
// is in no index and no document, and has routes on servers with Options.Tenant alone.
// The body that serve returns is rendered as JSON.
func NewControl(name string, serve func(*Call) (status int, body any, err error)) *Op {
	return Unlisted(&Op{
		Name:    name,
		Params:  params.None,
		control: true,
		exists: func(s *Server) bool {
			return s.tenant != nil
		},
		Serve: func(r *Call) (*respond.Response, error) {
			status, body, err := serve(r)
			return &respond.Response{Status: status, Body: jsonBody(body)}, err
		},
	})
}

// A Match is a request as the server understands it.
type Match struct {
	Op      *Op    // one with the name "none" if there is no such route
	Method  string // that is meant
	Path    string // in the form that routes are written in
	Neutral string // path below the neutral base address; "" outside the namespace
}

// Match returns what a request asks for, without answering it: for layers around the
// server.
func (s *Server) Match(hr *http.Request) Match {
	b, hr := s.Front.Locate(hr)
	m := Match{Op: NoRoute, Method: hr.Method, Path: hr.URL.Path, Neutral: b.Neutral(hr.URL.Path)}
	found, _ := b.Mux().Handler(hr)
	if h, ok := found.(*handler); ok {
		m.Op = h.negotiate(hr).op
	}
	return m
}

// Routes returns the paths of all routes below all base addresses, each with the
// methods that it answers. Variables are in braces.
func (s *Server) Routes() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, rt := range s.routes {
			methods := append(
				rt.methods(func(*Op) bool {
					return true
				}),
				http.MethodHead,
				http.MethodOptions,
			)
			for _, b := range s.Front.Bases() {
				if !rt.isAt(b) {
					continue
				}
				if !yield(s.pathOf(b, rt), methods) {
					return
				}
			}
		}
	}
}

// PublishDue publishes what was scheduled for a time that has come. Every
// request calls it first: a goroutine with a timer would publish too early or
// too late when something moves the server's clock.
// When it cannot be stored the records stay scheduled. Series get the events that have
// come within their horizon.
func (t *Tenant) PublishDue() {
	if !t.Store.Due(t.Due) {
		return
	}
	if err := write.PublishDue(t.Store, t.Due); err != nil {
		t.Log.Warn("scheduled records could not be published", "err", err)
	}
	if err := write.MoveHorizons(t.Store, t.Due); err != nil {
		t.Log.Warn("events of a series could not be made", "err", err)
	}
}
