// Visits: requests to a fixture, from when they come in until their answer has
// gone, in the form that was asked for or in another.

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

// A visit is a request to a fixture and the way of its answer.
type visit struct {
	http.ResponseWriter
	fixture *fixture
	world   *World
	now     time.Time // UTC
	moved   bool      // now is not what the world's clock shows
	err     error     // what is wrong with its header fields, or what it is answered by a fault
	sent    *http.Request
	path    string // as sent

	entry *entry // in the journal; nil: it is not recorded
	fault *Fault // nil: nothing goes wrong
	body  []byte // the answer, kept back because it goes wrong
	held  int    // the status that goes with it; 0: none
	aside *store.Store
	ahead bodyMemory // of the budget of bodies, for what was read of this one
}

// receive begins a visit. Its request is sent.
func (f *fixture) receive(w http.ResponseWriter, hr *http.Request) *visit {
	v := &visit{ResponseWriter: w, fixture: f, path: hr.URL.EscapedPath()}
	v.world, v.err = f.worldOf(hr)
	v.now = v.world.clock.Now()
	if now, ok, err := clockOf(hr, f.server.zone); ok {
		v.now, v.moved = now, true
	} else if v.err == nil {
		v.err = err
	}
	v.ahead = bodyMemory{of: f.server.bounds.bodies, account: fixtureBodies}
	text, body, err := v.ahead.readAhead(hr.Body, hr.ContentLength)
	if v.err == nil {
		v.err = err
	}
	sent := *hr
	sent.Body = body
	v.sent = &sent
	v.entry = &entry{Recorded: Recorded{
		Time: v.now, World: v.world.name, Method: hr.Method, Path: v.path, Query: hr.URL.RawQuery, Header: hr.Header.Clone(), Body: text,
	}}
	if v.entry.Header != nil {
		v.entry.Header.Set("Host", hr.Host)
	}
	return v
}

// join makes a request the visit's: it is in its world, at its time.
func (v *visit) join(r *request) {
	r.World, r.now, r.visit = v.world, v.now, v
	if strings.Contains(r.http.URL.Path, "/_almanac/") && r.op != Import {
		v.entry = nil // of the test itself, not of what it tests
		return
	}
	v.entry.Operation = r.op.Name
	paths := []string{v.path, r.http.URL.Path}
	if hasSegments(r.http.URL.Path, r.base.root) {
		paths = append(paths, "/"+Namespace+r.http.URL.Path[len(r.base.root):])
	}
	v.fault, v.entry.Fault = v.world.faults.pick(r.http.Method, paths...)
	v.world.journal.begin(v.entry)
	if v.fault == nil {
		return
	}
	if v.fault.Malformed {
		r.http.Header.Del("Accept-Encoding") // what is no JSON has to be seen as that
	}
	if !v.fault.Applied {
		v.strike()
	}
}

// strike lets come what the fault brings in the place of an answer.
func (v *visit) strike() {
	if v.fault.Delay > 0 {
		v.unlimited()
		if !v.fixture.wait(v.sent.Context(), v.fault.Delay) {
			v.abort()
		}
	}
	if v.fault.Reset {
		v.abort()
	}
	if v.fault.Status != 0 {
		v.err = v.fault.answer()
		if text := v.fault.retryAfter(); text != "" {
			v.Header().Set("Retry-After", text)
		}
	}
}

// spoil returns the answer, or that of a fault which lets the request take
// effect.
func (v *visit) spoil(a *response, err error) (*response, error) {
	if v.fault == nil || !v.fault.Applied {
		return a, err
	}
	v.strike()
	if v.err != nil {
		return nil, v.err
	}
	return a, err
}

// WriteHeader and Write send the answer, or keep it back if it goes wrong. The
// journal has it first, so that who has an answer finds it there.

func (v *visit) WriteHeader(status int) {
	v.Header()["Date"] = []string{v.now.Format(http.TimeFormat)} // what the rest of the answer goes by
	if v.fault != nil && v.fault.spoils() {
		v.held = status
		return
	}
	v.writeHeader(status)
}

func (v *visit) Write(text []byte) (int, error) {
	if v.held != 0 {
		v.body = append(v.body, text...)
		return len(text), nil
	}
	return v.write(text)
}

func (v *visit) writeHeader(status int) {
	if v.entry != nil {
		v.world.journal.answer(v.entry, status, v.Header())
	}
	v.ResponseWriter.WriteHeader(status)
}

func (v *visit) write(text []byte) (int, error) {
	if v.entry != nil {
		v.world.journal.body(v.entry, text)
	}
	return v.ResponseWriter.Write(text)
}

// Unwrap returns what http.NewResponseController asks for.
func (v *visit) Unwrap() http.ResponseWriter { return v.ResponseWriter }

// end sends what was kept back, and leaves the world.
func (v *visit) end() {
	defer v.leave()
	if v.held == 0 {
		return
	}
	body := v.body
	if v.fault.Malformed && len(body) > 0 {
		body = body[:len(body)/2]
		v.Header().Set("Content-Length", strconv.Itoa(len(body)))
		v.Header().Del("Etag") // it names another body
	}
	cut := v.fault.Cut != 0 && len(body) > 0
	if cut {
		body = body[:min(max(v.fault.Cut, 0), len(body)-1)]
	}
	v.writeHeader(v.held)
	v.dribble(body)
	if cut {
		_ = http.NewResponseController(v.ResponseWriter).Flush() // what is there is sent before the end comes
		panic(http.ErrAbortHandler)
	}
}

// dribblePieces is how many pieces a body comes in that comes slowly.
const dribblePieces = 100

// dribble sends a body in the time that it has to take.
func (v *visit) dribble(body []byte) {
	if v.fault.Dribble == 0 || len(body) == 0 {
		_, _ = v.write(body)
		return
	}
	v.unlimited()
	control := http.NewResponseController(v.ResponseWriter)
	_ = control.Flush()
	pieces := min(len(body), dribblePieces)
	for i := range pieces {
		if !v.fixture.wait(v.sent.Context(), v.fault.Dribble/time.Duration(pieces)) {
			panic(http.ErrAbortHandler)
		}
		_, _ = v.write(body[i*len(body)/pieces : (i+1)*len(body)/pieces])
		_ = control.Flush()
	}
}

// unlimited lifts the limits in time of the connection, which a fault may exceed.
func (v *visit) unlimited() {
	control := http.NewResponseController(v.ResponseWriter)
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
}

// abort ends the connection without an answer: with a reset if it is one of TCP
// that can be had, else as a server that crashed would.
func (v *visit) abort() {
	if conn, _, err := http.NewResponseController(v.ResponseWriter).Hijack(); err == nil {
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

// leave leaves the world, and what was made beside it.
func (v *visit) leave() {
	v.ahead.end()
	if v.aside != nil {
		_ = v.aside.Close() // in memory nothing can fail
	}
	if v.world != v.fixture.server.own {
		v.fixture.worlds.leave(v.world)
	}
}

// lookAhead lets a request that comes at a time of its own see what will have
// been published by then. Nobody else shall: a read is answered from a copy of
// the world. A write changes the world itself, which publishes nothing before its
// own clock says so.
func (v *visit) lookAhead(r *request) error {
	if !r.reads() || !r.store.Due(v.now) {
		return nil
	}
	ahead, err := r.store.Fork(func() time.Time { return v.now })
	if errors.Is(err, store.ErrOnDisk) {
		return nil
	}
	if err != nil {
		return err
	}
	v.aside = ahead
	if err := ahead.Update(0, func(tx *store.Tx) error { return write.PublishDue(tx, v.now) }); err != nil {
		return err
	}
	apart := &World{name: v.world.name, server: v.world.server, log: v.world.log, store: ahead, clock: v.world.clock}
	r.World = apart
	return nil
}
