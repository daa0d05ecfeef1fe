// The flags of serve for those who watch over it.

package command

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"almanac/internal/accesslog"
	"almanac/internal/httpd"
)

// operateSettings are those flags.
type operateSettings struct {
	metricsAddr, accessLog, accessFormat string
	slow                                 time.Duration
}

func (f *flagSet) operateVars(s *operateSettings) {
	f.StringVar(&s.metricsAddr, "metrics-addr", "", "`address` at which everybody who reaches it reads /metrics, in Prometheus's text format")
	f.StringVar(&s.accessLog, "access-log", "",
		"`file` for a line of each request, to which lines are added; - for standard error. SIGHUP opens it again")
	f.StringVar(&s.accessFormat, "access-log-format", "combined", "`form` of these lines: combined or json")
	f.SpanVar(&s.slow, "slow", 0, "the log names requests that take `long`, as 500ms or 2s; without it none")
}

// Hangups returns what receives when the process is told to open its log files again,
// and what ends that. Only a server that has one asks for it: others end when their
// terminal does.
type Hangups func() (c <-chan os.Signal, stop func())

// note returns what is to be told of requests, nil for nothing, and what ends that.
func (s *settings) note(p Process, h Hangups, m *httpd.Meters, log *slog.Logger) (n *httpd.Requests, end func(), err error) {
	format := accesslog.Formats[s.accessFormat]
	if format == nil {
		return nil, nil, fmt.Errorf("-access-log-format %q: must be combined or json", s.accessFormat)
	}
	if s.accessLog == "" && s.slow == 0 && m == nil {
		return nil, func() {}, nil
	}
	if s.accessLog == "" {
		return httpd.NewRequests(nil, s.slow, log, m), func() {}, nil
	}
	path := s.accessLog
	if path == "-" {
		path = ""
	}
	access, err := accesslog.Open(path, p.Stderr, format, log)
	if err != nil {
		return nil, nil, fmt.Errorf("-access-log: %w", err)
	}
	n = httpd.NewRequests(access, s.slow, log, m)
	if path != "" && h != nil {
		hangup, stop := h()
		go func() {
			for range hangup {
				access.Reopen()
			}
		}()
		return n, func() { stop(); access.Close() }, nil
	}
	return n, access.Close, nil
}
