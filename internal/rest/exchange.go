// Exchanges: requests to a fixture with the way of their answers, which a fault may
// change.

package rest

import (
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/internal/write"
	"almanac/store"
)

// An exchange is a request to a fixture and the ResponseWriter of its answer.
type exchange struct {
	http.ResponseWriter
	fixture *fixture
	world   *World
	now     time.Time // UTC
	moved   bool      // now is not what the world's clock shows
	err     error     // what is wrong with its header fields, or what it is answered by a fault
	sent    *http.Request
	path    string // as sent

	entry  *entry // in the request log; nil: it is not recorded
	fault  *Fault // nil: nothing goes wrong
	body   []byte // the answer, held back because a fault alters it
	held   int    // the status that goes with it; 0: none
	ahead  *store.Store
	memory bodyMemory // of the budget of bodies, for what was read of this one
}

// begin begins an exchange. Its request is sent.
func (f *fixture) begin(w http.ResponseWriter, hr *http.Request) *exchange {
	x := &exchange{ResponseWriter: w, fixture: f, path: hr.URL.EscapedPath()}
	x.world, x.err = f.worldOf(hr)
	x.now = x.world.clock.Now()
	if now, ok, err := clockOf(hr, f.server.zone); ok {
		x.now, x.moved = now, true
	} else if x.err == nil {
		x.err = err
	}
	x.memory = bodyMemory{of: f.server.bounds.bodies, account: fixtureBodies}
	text, body, err := x.memory.readAhead(hr.Body, hr.ContentLength)
	if x.err == nil {
		x.err = err
	}
	sent := *hr
	sent.Body = body
	x.sent = &sent
	x.entry = &entry{RecordedRequest: RecordedRequest{
		Time: x.now, World: x.world.name, Method: hr.Method, Path: x.path, Query: hr.URL.RawQuery, Header: hr.Header.Clone(), Body: text,
	}}
	if x.entry.Header != nil {
		x.entry.Header.Set("Host", hr.Host)
	}
	return x
}

// attach puts a request into the world and the time of its exchange, records it and
// finds the fault that it meets.
func (x *exchange) attach(r *request) {
	r.World, r.now, r.exchange = x.world, x.now, x
	if strings.Contains(r.http.URL.Path, "/_almanac/") && r.op != Import {
		x.entry = nil // of the test itself, not of what it tests
		return
	}
	x.entry.Operation = r.op.Name
	paths := []string{x.path, r.http.URL.Path}
	if hasSegments(r.http.URL.Path, r.base.root) {
		paths = append(paths, "/"+Namespace+r.http.URL.Path[len(r.base.root):])
	}
	x.fault, x.entry.Fault = x.world.faults.pick(r.http.Method, paths...)
	x.world.requests.add(x.entry)
	if x.fault == nil {
		return
	}
	if x.fault.Malformed {
		r.http.Header.Del("Accept-Encoding") // what is no JSON has to be seen as that
	}
	if !x.fault.Applied {
		x.inject()
	}
}

// inject does what the fault does in the place of an answer.
func (x *exchange) inject() {
	if x.fault.Delay > 0 {
		x.unlimited()
		if !x.fixture.wait(x.sent.Context(), x.fault.Delay) {
			x.abort()
		}
	}
	if x.fault.Reset {
		x.abort()
	}
	if x.fault.Status != 0 {
		x.err = x.fault.answer()
		if text := x.fault.retryAfter(); text != "" {
			x.Header().Set("Retry-After", text)
		}
	}
}

// injectAfter returns the answer, or the error of a fault that lets the request take
// effect.
func (x *exchange) injectAfter(a *response, err error) (*response, error) {
	if x.fault == nil || !x.fault.Applied {
		return a, err
	}
	x.inject()
	if x.err != nil {
		return nil, x.err
	}
	return a, err
}

// WriteHeader and Write send the answer, or hold it back if a fault alters it. The
// log has it first, so that whoever has an answer finds it there.

func (x *exchange) WriteHeader(status int) {
	x.Header()["Date"] = []string{x.now.Format(http.TimeFormat)} // what the rest of the answer goes by
	if x.fault != nil && x.fault.altersBody() {
		x.held = status
		return
	}
	x.writeHeader(status)
}

func (x *exchange) Write(text []byte) (int, error) {
	if x.held != 0 {
		x.body = append(x.body, text...)
		return len(text), nil
	}
	return x.write(text)
}

func (x *exchange) writeHeader(status int) {
	if x.entry != nil {
		x.world.requests.answer(x.entry, status, x.Header())
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) write(text []byte) (int, error) {
	if x.entry != nil {
		x.world.requests.body(x.entry, text)
	}
	return x.ResponseWriter.Write(text)
}

// Unwrap returns what http.NewResponseController asks for.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// finish sends what was held back, and releases the world.
func (x *exchange) finish() {
	defer x.release()
	if x.held == 0 {
		return
	}
	body := x.body
	if x.fault.Malformed && len(body) > 0 {
		body = body[:len(body)/2]
		x.Header().Set("Content-Length", strconv.Itoa(len(body)))
		x.Header().Del("Etag") // it names another body
	}
	cut := x.fault.Cut != 0 && len(body) > 0
	if cut {
		body = body[:min(max(x.fault.Cut, 0), len(body)-1)]
	}
	x.writeHeader(x.held)
	x.dribble(body)
	if cut {
		_ = http.NewResponseController(x.ResponseWriter).Flush() // what is there is sent before the end comes
		panic(http.ErrAbortHandler)
	}
}

// dribblePieces is how many pieces a body comes in that comes slowly.
const dribblePieces = 100

// dribble sends a body in the time that it has to take.
func (x *exchange) dribble(body []byte) {
	if x.fault.Dribble == 0 || len(body) == 0 {
		_, _ = x.write(body)
		return
	}
	x.unlimited()
	control := http.NewResponseController(x.ResponseWriter)
	_ = control.Flush()
	pieces := min(len(body), dribblePieces)
	for i := range pieces {
		if !x.fixture.wait(x.sent.Context(), x.fault.Dribble/time.Duration(pieces)) {
			panic(http.ErrAbortHandler)
		}
		_, _ = x.write(body[i*len(body)/pieces : (i+1)*len(body)/pieces])
		_ = control.Flush()
	}
}

// unlimited lifts the limits in time of the connection, which a fault may exceed.
func (x *exchange) unlimited() {
	control := http.NewResponseController(x.ResponseWriter)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
}

// abort ends the connection without an answer: with a reset if it is one of TCP
// that can be had, else as a server that crashed would.
func (x *exchange) abort() {
	if conn, _, err := http.NewResponseController(x.ResponseWriter).Hijack(); err == nil {
		if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
			conn = secure.NetConn()
		}
		if tcp, ok := conn.(interface{ SetLinger(int) error }); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
	panic(http.ErrAbortHandler)
}

// release releases the world, and closes the copy that was made of it.
func (x *exchange) release() {
	x.memory.end()
	if x.ahead != nil {
		_ = x.ahead.Close() // in memory nothing can fail
	}
	if x.world != x.fixture.server.own {
		x.fixture.worlds.release(x.world)
	}
}

// lookAhead lets a request that comes at a time of its own see what will have
// been published by then. Nobody else shall: a read is answered from a copy of
// the world. A write changes the world itself, which publishes nothing before its
// own clock says so.
func (x *exchange) lookAhead(r *request) error {
	if !r.reads() || !r.store.Due(x.now) {
		return nil
	}
	ahead, err := r.store.Fork(func() time.Time { return x.now })
	if errors.Is(err, store.ErrOnDisk) {
		return nil
	}
	if err != nil {
		return err
	}
	x.ahead = ahead
	if err := ahead.Update(0, func(tx *store.Tx) error { return write.PublishDue(tx, x.now) }); err != nil {
		return err
	}
	apart := &World{name: x.world.name, server: x.world.server, log: x.world.log, store: ahead, clock: x.world.clock}
	r.World = apart
	return nil
}
