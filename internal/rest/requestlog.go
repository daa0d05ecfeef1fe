// The request log: the requests that a world has seen, and what they were answered.

package rest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"
	"time"
)

// What a request log holds at most: the latest requests, and of each so much of a
// body. A test that asks for more than that looks before it goes on.
const (
	logRequests = 1000
	logBytes    = 4 << 20   // of all bodies and header fields, about
	logBody     = 256 << 10 // of one body
)

// A RecordedRequest is a request that a world has seen and its answer. Requests of the
// routes for tests below /_almanac/, but for import, are not recorded.
type RecordedRequest struct {
	Number int       // counts the requests of the world, from 1
	Time   time.Time // by the clock that the request went by, UTC
	World  string    // "" is the server's own

	Method    string
	Path      string // as sent, before the question mark
	Query     string // as sent, behind it
	Operation string // "events.list"; "none" of what no route takes
	Header    http.Header
	Body      []byte

	Status       int // 0: there is no answer, or not yet
	AnswerHeader http.Header
	Answer       []byte // not compressed, whatever its Content-Encoding says

	Fault int64 // the rule by which it went wrong; 0: none
	Cut   bool  // a body was longer than the 256 KiB that are kept of one
}

// A requestLog is the requests of a world. A request is in it from when it has been
// read, and its answer from before it is sent: whoever has an answer finds its request
// here.
type requestLog struct {
	mu      sync.Mutex // guards all below, and the entries
	entries []*entry
	bytes   int
	number  int // of the last request
}

// An entry is a request in a request log.
type entry struct {
	RecordedRequest
	bytes int  // that it counts for
	gone  bool // it is not in the log any more
}

// add appends a request, which is the log's from here on.
func (l *requestLog) add(e *entry) {
	e.Body, e.Cut = cutBody(e.Body, logBody)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number++
	e.Number = l.number
	l.entries = append(l.entries, e)
	l.count(e, len(e.Query)+len(e.Path)+len(e.Body)+headerSize(e.Header))
}

// answer records the beginning of an answer.
func (l *requestLog) answer(e *entry, status int, header http.Header) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Status, e.AnswerHeader = status, header.Clone()
	l.count(e, headerSize(header))
}

// body records a part of the body of an answer.
func (l *requestLog) body(e *entry, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part, cut := cutBody(text, logBody-len(e.Answer))
	e.Answer, e.Cut = append(e.Answer, part...), e.Cut || cut
	l.count(e, len(part))
}

// count counts bytes of an entry, and drops the oldest entries when there are too many.
func (l *requestLog) count(e *entry, bytes int) {
	if e.gone {
		return
	}
	e.bytes += bytes
	l.bytes += bytes
	for len(l.entries) > 1 && (len(l.entries) > logRequests || l.bytes > logBytes) {
		oldest := l.entries[0]
		l.bytes -= oldest.bytes
		oldest.gone, l.entries[0] = true, nil
		l.entries = l.entries[1:]
	}
}

func headerSize(h http.Header) int {
	n := 0
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// cutBody returns as much of a body as is kept, and whether that is not all.
func cutBody(body []byte, most int) (kept []byte, cut bool) {
	if len(body) > most {
		return bytes.Clone(body[:most]), true
	}
	return body, false
}

// clear forgets the requests.
func (l *requestLog) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.entries {
		e.gone = true
	}
	l.entries, l.bytes, l.number = nil, 0, 0
}

// list returns copies of the requests, the oldest first, and how many there were
// before them.
func (l *requestLog) list() (list []RecordedRequest, before int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list = make([]RecordedRequest, len(l.entries))
	for i, e := range l.entries {
		list[i] = e.RecordedRequest
		list[i].Header, list[i].AnswerHeader = e.Header.Clone(), e.AnswerHeader.Clone()
		list[i].Body, list[i].Answer = bytes.Clone(e.Body), uncompressed(e)
	}
	return list, l.number - len(l.entries)
}

// seen returns how many requests there were.
func (l *requestLog) seen() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.number
}

// uncompressed returns a copy of the body of an answer as it was before it was
// compressed.
func uncompressed(e *entry) []byte {
	if e.AnswerHeader.Get("Content-Encoding") == "gzip" {
		if zip, err := gzip.NewReader(bytes.NewReader(e.Answer)); err == nil {
			text, _ := io.ReadAll(zip) // as much as there is of it
			return text
		}
	}
	return bytes.Clone(e.Answer)
}

// Requests returns the requests that the world has seen since it was made or
// Reset, the oldest first: the last 1,000, or as many of them as fit into 4 MiB.
// The caller owns them.
func (w *World) Requests() []RecordedRequest {
	list, _ := w.requests.list()
	return list
}
