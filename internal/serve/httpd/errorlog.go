// Errors of net/http about connections, limited to a line a minute.

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

// An errorLog receives the lines that an http.Server logs. Clients can cause any number of some,
// such as failed handshakes. The first of each kind is logged unchanged, and later ones once a
// minute as their number and the last.
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

// Write logs a line. Its kind is the text before the client's address.
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
		r.times = r.times + 1
		r.last = client
		return len(line), nil
	}
	e.kinds[kind] = &repeated{timer: time.AfterFunc(errorPeriod, func() { e.report(kind) })}
	e.log.Warn(text)
	return len(line), nil
}

// report logs the number of lines of a kind in the last period. It forgets a kind without lines:
// its next line is logged unchanged.
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
