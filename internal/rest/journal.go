// The journal: the requests that a world has seen, and what they were answered.

package rest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"
	"time"
)

// What a journal holds at most: the latest requests, and of each so much of a
// body. A test that asks for more than that looks before it goes on.
const (
	journalRequests = 1000
	journalBytes    = 4 << 20   // of all bodies and header fields, about
	journalBody     = 256 << 10 // of one body
)

// A Recorded is a request that a world has seen and its answer. Requests of the
// routes for tests below /_almanac/, but for import, are not recorded.
type Recorded struct {
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

// journal is the requests of a world. A request is in it from when it has been
// read, and what is answered from before it is sent: who has an answer finds it
// here.
type journal struct {
	mu      sync.Mutex // guards all below, and the entries
	entries []*entry
	bytes   int
	number  int // of the last request
}

// An entry is a request in a journal.
type entry struct {
	Recorded
	bytes int  // that it counts for
	gone  bool // it is not in the journal any more
}

// begin notes a request, which is the journal's from here on.
func (j *journal) begin(e *entry) {
	e.Body, e.Cut = cutBody(e.Body, journalBody)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	e.Number = j.number
	j.entries = append(j.entries, e)
	j.grow(e, len(e.Query)+len(e.Path)+len(e.Body)+headerSize(e.Header))
}

// answer notes the beginning of an answer.
func (j *journal) answer(e *entry, status int, header http.Header) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Status, e.AnswerHeader = status, header.Clone()
	j.grow(e, headerSize(header))
}

// body notes a part of the body of an answer.
func (j *journal) body(e *entry, text []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	part, cut := cutBody(text, journalBody-len(e.Answer))
	e.Answer, e.Cut = append(e.Answer, part...), e.Cut || cut
	j.grow(e, len(part))
}

// grow counts bytes of an entry, and makes room.
func (j *journal) grow(e *entry, bytes int) {
	if e.gone {
		return
	}
	e.bytes += bytes
	j.bytes += bytes
	for len(j.entries) > 1 && (len(j.entries) > journalRequests || j.bytes > journalBytes) {
		oldest := j.entries[0]
		j.bytes -= oldest.bytes
		oldest.gone, j.entries[0] = true, nil
		j.entries = j.entries[1:]
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
func (j *journal) clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.entries {
		e.gone = true
	}
	j.entries, j.bytes, j.number = nil, 0, 0
}

// list returns copies of the requests, the oldest first, and how many there were
// before them.
func (j *journal) list() (list []Recorded, before int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list = make([]Recorded, len(j.entries))
	for i, e := range j.entries {
		list[i] = e.Recorded
		list[i].Header, list[i].AnswerHeader = e.Header.Clone(), e.AnswerHeader.Clone()
		list[i].Body, list[i].Answer = bytes.Clone(e.Body), uncompressed(e)
	}
	return list, j.number - len(j.entries)
}

// seen returns how many requests there were.
func (j *journal) seen() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.number
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
func (w *World) Requests() []Recorded {
	list, _ := w.journal.list()
	return list
}
