// What is noted of requests: lines of an access log and of those that are slow.

package command

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"almanac/internal/accesslog"
	"almanac/internal/caltime"
	"almanac/internal/limit"
	"almanac/internal/rest"
)

// slowLines is how many slow requests the log names: when all are slow it says how
// many more there were.
var slowLines = limit.Rate{N: 60, Per: time.Minute}

// noted is told of every request.
type noted struct {
	access *accesslog.Log // nil: there is none
	slow   time.Duration  // from which on a request is slow; 0: none is
	lines  *limit.Buckets[struct{}]
	more   atomic.Int64 // slow requests that the log did not name
	log    *slog.Logger
	meters *meters // nil: nothing is counted
}

// Hangups returns what receives when the process is told to open its log files again,
// and what ends that. Only a server that has one asks for it: others end when their
// terminal does.
type Hangups func() (c <-chan os.Signal, stop func())

// note returns what is to be told of requests, nil for nothing, and what ends that.
func (s *settings) note(p Process, h Hangups, m *meters, log *slog.Logger) (n *noted, end func(), err error) {
	format := accesslog.Formats[s.accessFormat]
	if format == nil {
		return nil, nil, fmt.Errorf("-access-log-format %q: must be combined or json", s.accessFormat)
	}
	if s.accessLog == "" && s.slow == 0 && m == nil {
		return nil, func() {}, nil
	}
	n, end = &noted{slow: s.slow, lines: limit.New[struct{}](slowLines, caltime.Stopwatch()), log: log, meters: m}, func() {}
	if s.accessLog == "" {
		return n, end, nil
	}
	path := s.accessLog
	if path == "-" {
		path = ""
	}
	if n.access, err = accesslog.Open(path, p.Stderr, format, log); err != nil {
		return nil, nil, fmt.Errorf("-access-log: %w", err)
	}
	if path != "" && h != nil {
		hangup, stop := h()
		go func() {
			for range hangup {
				n.access.Reopen()
			}
		}()
		return n, func() { stop(); n.access.Close() }, nil
	}
	return n, n.access.Close, nil
}

// begin returns when a request came.
func (n *noted) begin() time.Time {
	if n.meters != nil {
		n.meters.inFlight.Add(1)
	}
	return time.Now()
}

// end notes a request that was answered, or broken off. It is of the form in which it
// came: no layer has read another address out of it.
func (n *noted) end(f *inFlight, r *http.Request) {
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
	target := rest.Redacted(r.URL)
	if n.access != nil {
		n.access.Add(&accesslog.Entry{
			Time: f.start, Took: f.worked, Client: client, User: f.record.Login, Method: r.Method, Target: target, Protocol: r.Proto,
			Status: f.status, Bytes: f.bytes, Operation: f.record.Operation, Referer: referer(r), Agent: r.UserAgent(),
		})
	}
	if !slow {
		return
	}
	if _, ok := n.lines.Take(struct{}{}); !ok {
		n.more.Add(1)
		return
	}
	n.log.Warn("slow request", "method", r.Method, "target", target, "operation", f.record.Operation, "status", f.status,
		"bytes", f.bytes, "client", client, "took", f.worked, "more", n.more.Swap(0))
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
	return origin + rest.Redacted(u)
}
