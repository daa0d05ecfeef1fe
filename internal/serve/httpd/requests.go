// Records of requests: the access log, and the log of slow requests.

package httpd

import (
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"almanac/internal/api/front"
	"almanac/internal/people/limit"
	"almanac/internal/serve/accesslog"
	"almanac/internal/text/caltime"
)

// slowLines is how many slow requests the log names: when all are slow it says how
// many more there were.
var slowLines = limit.Rate{N: 60, Per: time.Minute}

// Requests is told of every request, and tells of it.
type Requests struct {
	access *accesslog.Log
	slow   time.Duration
	log    *slog.Logger
	meters *Meters

	lines *limit.Buckets[struct{}]
	more  atomic.Int64 // slow requests that the log did not name
}

// NewRequests returns Requests. It writes a line of each request to access, unless that is nil,
// names requests in the log that take slow or longer, unless that is 0, and counts all in m,
// unless that is nil.
func NewRequests(
	access *accesslog.Log,
	slow time.Duration,
	log *slog.Logger,
	m *Meters,
) *Requests {
	return &Requests{
		access: access,
		slow:   slow,
		log:    log,
		meters: m,
		lines:  limit.New[struct{}](slowLines, caltime.Stopwatch()),
	}
}

// begin returns when a request came.
func (n *Requests) begin() time.Time {
	if n.meters != nil {
		n.meters.inFlight.Add(1)
	}
	return time.Now()
}

// end notes a request that was answered, or broken off. It is of the form in which it
// came: no layer has read another address out of it.
func (n *Requests) end(f *inFlight, r *http.Request) {
	if f.status == 0 {
		f.worked = time.Since(f.start) - f.came
	}
	if n.meters != nil {
		n.meters.inFlight.Add(-1)
		n.meters.answered(f)
	}
	slow := n.slow > 0 && f.worked >= n.slow
	if n.access == nil && !slow {
		return
	}
	client := r.RemoteAddr
	if f.record.Client.IsValid() {
		client = f.record.Client.String()
	} else if host, _, err := net.SplitHostPort(client); err == nil {
		client = host
	}
	target := front.RedactURL(r.URL)
	if n.access != nil {
		n.access.Add(&accesslog.Entry{
			Time:      f.start,
			Took:      f.worked,
			Client:    client,
			User:      f.record.Login,
			Method:    r.Method,
			Target:    target,
			Protocol:  r.Proto,
			Status:    f.status,
			Bytes:     f.bytes,
			Operation: f.record.Operation,
			Referer:   referer(r),
			Agent:     r.UserAgent(),
		})
	}
	if !slow {
		return
	}
	if _, ok := n.lines.Take(struct{}{}); !ok {
		n.more.Add(1)
		return
	}
	n.log.Warn(
		"slow request",
		"method",
		r.Method,
		"target",
		target,
		"operation",
		f.record.Operation,
		"status",
		f.status,
		"bytes",
		f.bytes,
		"client",
		client,
		"took",
		f.worked,
		"more",
		n.more.Swap(0),
	)
}

// referer returns where a request says that it comes from, without what opens
// something there.
func referer(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil {
		return ""
	}
	origin := ""
	if u.Host != "" {
		origin = u.Scheme + "://" + u.Host
	}
	return origin + front.RedactURL(u)
}
