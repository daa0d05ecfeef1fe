// What net/http has to say about connections, a line a minute.

package httpd

import (
	"log"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// errorPeriod is how often a kind of error is logged, at most.
const errorPeriod = time.Minute

// An errorLog takes the lines that an http.Server logs. Those about a client, as
// handshakes that fail, are as many as clients like: of each kind the first is
// logged as it is, and then once a minute how many more there were, with the last.
type errorLog struct {
	log *slog.Logger

	mu    sync.Mutex // guards kinds and what is in them
	kinds map[string]*repeated
}

// repeated is the errors of a kind since one was logged.
type repeated struct {
	times int
	last  string
	timer *time.Timer // until they are logged
}

// newErrorLog returns an http.Server its ErrorLog, and what that is.
func newErrorLog(l *slog.Logger) (*log.Logger, *errorLog) {
	e := &errorLog{log: l, kinds: map[string]*repeated{}}
	return log.New(e, "", 0), e
}

// Write takes a line. What is before the client's address is its kind.
func (e *errorLog) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	kind, client, ok := strings.Cut(text, " from ")
	if !ok {
		e.log.Warn(text)
		return len(line), nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.kinds[kind]; r != nil {
		r.times, r.last = r.times+1, client
		return len(line), nil
	}
	e.kinds[kind] = &repeated{timer: time.AfterFunc(errorPeriod, func() { e.report(kind) })}
	e.log.Warn(text)
	return len(line), nil
}

// report logs what there was of a kind in the last period. One of which there was
// nothing is forgotten: the next error of it is logged as it is.
func (e *errorLog) report(kind string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.kinds[kind]
	switch {
	case r == nil: // the log was closed
	case r.times == 0:
		delete(e.kinds, kind)
	default:
		e.logLocked(kind, r)
		r.times = 0
		r.timer.Reset(errorPeriod)
	}
}

func (e *errorLog) logLocked(kind string, r *repeated) {
	e.log.Warn(kind, "more", r.times, "last", r.last)
}

// close logs what was not logged yet.
func (e *errorLog) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for kind, r := range e.kinds {
		if r.timer.Stop(); r.times > 0 {
			e.logLocked(kind, r)
		}
	}
	clear(e.kinds)
}
