// Reports of answered requests: for access logs and metrics, and for observers in tests.

package api

import (
	"maps"
	"net/http"
	"net/netip"
	"slices"

	"almanac/store/cache"
)

// A Record says what a request was, as the server understands it.
type Record struct {
	Operation string     // "events.list"; "none" for what no route takes
	Client    netip.Addr // behind proxies that are trusted
	Login     string     // of the account; "" of a stranger
	Limit     string     // flag of the limit that refused it, "busy", or ""
}

// A Recorder is a ResponseWriter that is told what is about to be answered.
type Recorder interface{ Record(Record) }

// tell tells a Recorder of the request.
func (r *Call) tell(w http.ResponseWriter, refused *Error) {
	to, ok := w.(Recorder)
	if !ok {
		return
	}
	record := Record{Operation: r.Op.Name, Client: r.Front.Client(r.HTTP), Login: r.Caller.Login}
	if refused != nil {
		record.Limit = refused.limit
	}
	to.Record(record)
}

// Measures are numbers about a server.
type Measures struct {
	Ready, Writable bool
	Reason          string // why it is not ready, or not writable
	Working         int    // requests that have a place among those of Limits.Requests
	Cache           cache.Stats
}

// Measure returns the measures of the server as they are now.
func (s *Server) Measure() Measures {
	h := s.health(s.store)
	return Measures{
		Ready:    h.Ready,
		Writable: h.Writable,
		Reason:   h.Reason,
		Working:  int(s.bounds.Places.Used()),
		Cache:    s.answers.Stats(),
	}
}

// An Exchange is a request with its answer, as Options.Observe gets it. Nothing
// of it may be changed, nor kept without a copy.
type Exchange struct {
	Op      string        // "events.list"; "none" for what no route takes
	Route   string        // "/cal/events/v1/events/{id}", below the base address; "" for none
	Request *http.Request // method and path as understood; its body has been read
	Body    []byte        // of the request
	Sent    []string      // names of the parameters, sorted; nil when they could not be read
	Read    []string      // the parameters that the operation read, unordered
	Status  int
	Header  http.Header // of the answer
	Answer  []byte      // the body as it was sent
}

// testOnlyObserve sees the exchanges of all servers without an Observe of their
// own.
var testOnlyObserve func(Exchange)

// An observer is a ResponseWriter that remembers what it is given.
type observer struct {
	http.ResponseWriter
	status int
	body   []byte
}

func (o *observer) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

func (o *observer) Write(p []byte) (int, error) {
	o.body = append(o.body, p...)
	return o.ResponseWriter.Write(p)
}

// Unwrap returns what http.NewResponseController asks for.
func (o *observer) Unwrap() http.ResponseWriter {
	return o.ResponseWriter
}

// tellObserver tells Options.Observe of the exchange of a request.
func (r *Call) tellObserver(o *observer) {
	e := Exchange{
		Op:      r.Op.Name,
		Request: r.HTTP,
		Body:    r.Body,
		Read:    r.rowsRead,
		Status:  o.status,
		Header:  o.Header(),
		Answer:  o.body,
	}
	if r.route != nil {
		e.Route = r.route.pattern
	}
	if r.In != nil {
		e.Sent = slices.AppendSeq(r.In.Names(), maps.Keys(r.Path))
		slices.Sort(e.Sent)
	}
	r.observe(e)
}
