// Records of answered requests, for an access log and for metrics.

package api

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"almanac/internal/cache"
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

// tell tells a ResponseWriter that wants to know it of the request.
func (r checking) tell(w http.ResponseWriter, refused *Error) {
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
	Working         int // requests that have a place among those of Limits.Requests
	Cache           cache.Stats
}

// Measure returns them as they are now.
func (s *Server) Measure() Measures {
	h := s.health(s.store)
	return Measures{Ready: h.Ready, Writable: h.Writable, Working: int(s.bounds.places.Used()), Cache: s.Cache.Stats()}
}

// Redacted returns path and query of an address, as logs may have them: without what
// opens something.
func Redacted(u *url.URL) string {
	target := u.EscapedPath()
	if strings.Contains(u.Path, "?") {
		target = redactedPath(u.Path)
	}
	if u.RawQuery != "" {
		target += "?" + redacted(u.RawQuery)
	}
	return target
}
