// What is noted of a request when it is answered: in an access log and in metrics.

package rest

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// A Record says what a request was, as the server understands it.
type Record struct {
	Operation string     // "events.list"; "none" for what no route takes
	Client    netip.Addr // behind proxies that are trusted
	Login     string     // of the account; "" of a stranger
	Limit     string     // the flag with the limit that refused it, without "-", or "busy"; "" if none did
}

// A Recorder is a ResponseWriter that is told what is about to be answered.
type Recorder interface{ Record(Record) }

// tell tells a ResponseWriter that wants to know it of the request.
func (r *request) tell(w http.ResponseWriter, refused *Error) {
	to, ok := w.(Recorder)
	if !ok {
		return
	}
	record := Record{Operation: r.op.Name, Client: r.front.Client(r.http), Login: r.caller.Login}
	if refused != nil {
		record.Limit = refused.limit
	}
	to.Record(record)
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
