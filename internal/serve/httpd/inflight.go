// Requests in flight, as the connections see them that they came by.

package httpd

import (
	"io"
	"net/http"
	"time"

	"almanac/internal/api"
)

// lingerTime is how long the rest of a body is taken and thrown away after an
// answer that did not wait for it. A connection that is closed while its client
// sends is reset, and the client might lose the answer.
const lingerTime = time.Second

// writeTime is how long a part of an answer may be on its way into the buffers of
// the system until its client is waited for. A connection that was closed before
// would lose an answer that nobody has to wait for.
const writeTime = 50 * time.Millisecond

// inFlight is a request that is being answered. It tells the connection when the
// client is waited for, which is while the body is read and while the answer is
// written.
//
// An answer that comes before the body was read to its end does not wait for it:
// it says that the connection ends, and the connection ends.
type inFlight struct {
	http.ResponseWriter
	conn    *connection // nil: it does not count
	body    io.ReadCloser
	awaited bool // there is more of the body, as far as is known
	version int  // of HTTP

	// Measurements for metrics and logs.
	noted  *Requests // nil: the request was noted
	record api.Record
	start  time.Time
	came   time.Duration // time of waiting for the body
	worked time.Duration // between the headers of the request and of the answer, less came
	status int           // of the answer; 0: none
	bytes  int64         // of its body
	read   int64         // of that of the request
}

// Record is told of the request by the server inside.
func (f *inFlight) Record(record api.Record) { f.record = record }

// tracked is a handler that tells connections of their requests, and notes them.
func tracked(next http.Handler, n *Requests) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := &inFlight{
			ResponseWriter: w,
			body:           r.Body,
			awaited:        r.ContentLength != 0,
			version:        r.ProtoMajor,
			noted:          n,
			start:          n.begin(),
		}
		defer f.end(r) // also of an aborted request
		f.conn, _ = r.Context().Value(connectionKey{}).(*connection)
		f.conn.work()
		defer f.conn.wait()
		if f.awaited {
			copied := *r // net/http looks at its own again
			copied.Body = trackedBody{f}
			r = &copied
		}
		next.ServeHTTP(f, r)
		f.end(r)  // before the client has all of the answer, and asks
		f.flush() // net/http would do it when the request is in work no more
	})
}

// end notes the request, once.
func (f *inFlight) end(r *http.Request) {
	if f.noted != nil {
		f.noted.end(f, r)
		f.noted = nil
	}
}

// A trackedBody is the body of a request in flight.
type trackedBody struct{ of *inFlight }

func (b trackedBody) Read(p []byte) (int, error) {
	b.of.conn.wait()
	defer b.of.conn.work()
	defer func(start time.Time) { b.of.came += time.Since(start) }(time.Now())
	n, err := b.of.body.Read(p)
	b.of.read += int64(n)
	if err == io.EOF {
		b.of.awaited = false
	}
	return n, err
}

func (b trackedBody) Close() error { return b.of.body.Close() }

func (f *inFlight) WriteHeader(status int) {
	f.begin(status)
	f.ResponseWriter.WriteHeader(status)
}

func (f *inFlight) Write(p []byte) (int, error) {
	f.begin(http.StatusOK)
	defer f.writing()()
	n, err := f.ResponseWriter.Write(p)
	f.bytes += int64(n)
	return n, err
}

func (f *inFlight) flush() {
	defer f.writing()()
	_ = http.NewResponseController(f.ResponseWriter).
		Flush()
	// it was hijacked, or the client has gone
}

// writing begins to write, and returns what ends it. From writeTime on the client
// is waited for.
func (f *inFlight) writing() (end func()) {
	late := time.AfterFunc(writeTime, f.conn.wait)
	return func() {
		if !late.Stop() {
			f.conn.work() // in whatever order the two come
		}
	}
}

// begin begins the answer. A request of HTTP/2 ends without its connection.
func (f *inFlight) begin(status int) {
	if f.status != 0 {
		return
	}
	f.status, f.worked = status, time.Since(f.start)-f.came
	if f.awaited && f.version == 1 {
		f.Header()["Connection"] = []string{"close"}
		_ = http.NewResponseController(f.ResponseWriter).
			SetReadDeadline(time.Now().Add(lingerTime))
	}
}

// Unwrap returns what http.NewResponseController asks for.
func (f *inFlight) Unwrap() http.ResponseWriter { return f.ResponseWriter }
