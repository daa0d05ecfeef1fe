// The two servers of a comparison: almanac, and what answers the same without
// any work.

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"almanac/almanactest"
	"almanac/store"
)

// now is the time of all servers: with a default window of 24 months that is
// wholly inside the generated years, in which it never moves.
var now = time.Date(2030, 6, 15, 12, 0, 0, 0, time.UTC)

// A mode says how almanac serves.
type mode struct {
	keepNone bool // renders every answer anew
	explain  bool // says in a header how it found what a list shows
	signedIn bool // is asked by the administrator
}

// product returns almanac's handler, and the administrator's token.
func product(s *store.Store, m mode) (http.Handler, string, error) {
	o := almanactest.Options{Store: s, Now: now}
	if m.keepNone {
		o.CacheBytes = -1
	}
	o.Explain = m.explain
	return almanactest.Handler(o)
}

// planHeader is where a server that explains says what a list cost.
const planHeader = "X-Almanac-Plan"

// A server listens on a port of its own, with the time limits of the program,
// which cost something too.
type server struct {
	*http.Server
	address string
}

func listen(h http.Handler) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{address: l.Addr().String(), Server: &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
	}}
	go s.Serve(l) // ends with Close
	return s, nil
}

// An answer is ready to be written.
type answer struct {
	status int
	fields []field
	body   []byte
}

type field struct {
	name   string
	values []string
}

// ask returns a handler's answer to a request, without a connection.
func ask(h http.Handler, r request) (*http.Response, []byte, error) {
	hr, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(r.Bytes)))
	if err != nil {
		return nil, nil, fmt.Errorf("%.80q: %w", r.Bytes, err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, hr)
	if w.Code != r.Status {
		return nil, nil, fmt.Errorf("%.300q: answered %d, want %d: %.300q", r.Bytes, w.Code, r.Status, w.Body)
	}
	return w.Result(), w.Body.Bytes(), nil
}

// answerOf makes a handler's answer to a request ready to be written.
func answerOf(h http.Handler, r request) (*answer, error) {
	resp, body, err := ask(h, r)
	if err != nil {
		return nil, err
	}
	a := &answer{status: resp.StatusCode, body: body}
	for name, values := range resp.Header {
		a.fields = append(a.fields, field{name, values})
	}
	return a, nil
}

func (a *answer) write(w http.ResponseWriter) {
	h := w.Header()
	for _, f := range a.fields {
		h[f.name] = f.values
	}
	w.WriteHeader(a.status)
	w.Write(a.body) // a client that has gone needs no answer
}

// bare is L: a mux and answers that were prepared, each for one request.
// create, which may be nil, answers POST.
func bare(h http.Handler, requests []request, create http.HandlerFunc) (http.Handler, error) {
	answers := map[string]*answer{}
	for _, r := range requests {
		if r.Class != reads {
			continue
		}
		a, err := answerOf(h, r)
		if err != nil {
			return nil, err
		}
		answers[r.uri()] = a
	}
	read := func(w http.ResponseWriter, hr *http.Request) {
		a := answers[hr.RequestURI]
		if a == nil {
			http.NotFound(w, hr)
			return
		}
		a.write(w)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+eventsPath, read)
	mux.HandleFunc("GET /events/", read)
	mux.HandleFunc("GET "+eventsPath+".ics", read)
	mux.HandleFunc("GET "+eventsPath+"/{id}", read)
	mux.HandleFunc("GET "+eventsPath+"/by-slug/{slug}", read)
	if create != nil {
		mux.HandleFunc("POST "+eventsPath, create)
	}
	return mux, nil
}
