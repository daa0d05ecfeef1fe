// serve for its operator: logs, metrics, sockets of a service manager, and the first token.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/cli"
	"almanac/internal/cli/systemd"
	"almanac/internal/serve/accesslog"
)

// logHandler writes the log: to the journal if standard error is that.
func logHandler(p cli.Process) slog.Handler {
	if systemd.IsJournal(p.Getenv, p.Stderr) {
		return systemd.JournalHandler(p.Stderr)
	}
	return slog.NewTextHandler(p.Stderr, nil)
}

// operateFlags adds the flags of metrics and of the access log.
func (s *settings) operateFlags(f *cli.FlagSet) {
	f.StringVar(&s.metricsAddr, "metrics-addr", "", "`address` at which everybody who reaches it reads /metrics, in Prometheus's text format").
		Weakens(openMetrics)
	f.StringVar(
		&s.accessLog,
		"access-log",
		"",
		"`file` for a line of each request, to which lines are added; - for standard error. SIGHUP opens it again",
	)
	f.StringVar(
		&s.accessFormat,
		"access-log-format",
		"combined",
		"`form` of these lines: combined or json",
	)
	f.SpanVar(
		&s.slow,
		"slow",
		0,
		"the log names requests that take `long`, as 500ms or 2s; without it none",
	)
}

// Hangups returns what receives when the process is told to open its log files again,
// and what ends that. Only a server that has one asks for it: others end when their
// terminal does.
type Hangups func() (c <-chan os.Signal, stop func())

// note opens the logs of requests and of proposals, nil without their flags, and returns the
// function that ends them. Their files are opened before the process gives up files.
func (s *settings) note(
	p cli.Process,
	h Hangups,
	log *slog.Logger,
) (requests, proposals *accesslog.Log, end func(), err error) {
	format := accesslog.Formats[s.accessFormat]
	path := s.accessLog
	if format == nil {
		return nil, nil, nil, fmt.Errorf(
			"-access-log-format %q: must be combined or json",
			s.accessFormat,
		)
	}
	if path == "-" {
		path = ""
	}
	if s.accessLog != "" {
		if requests, err = accesslog.Open(path, p.Stderr, format, log); err != nil {
			return nil, nil, nil, fmt.Errorf("-access-log: %w", err)
		}
	}
	if s.submissionLog != "" {
		if proposals, err = accesslog.Open(s.submissionLog, nil, nil, log); err != nil {
			requests.Close()
			return nil, nil, nil, fmt.Errorf("-submission-log: %w", err)
		}
	}
	stop := func() {}
	if (path != "" || s.submissionLog != "") && h != nil {
		var hangup <-chan os.Signal
		hangup, stop = h()
		go func() {
			for range hangup {
				requests.Reopen()
				proposals.Reopen()
			}
		}()
	}
	return requests, proposals, func() { stop(); requests.Close(); proposals.Close() }, nil
}

// apiSockets are the names of a socket to serve on that was handed over: ours, what
// systemd calls that of almanac.socket, and what it is called when nobody says a name.
var apiSockets = []string{"almanac", "almanac.socket", "unknown"}

// metricsSockets are those of a socket to read metrics at.
var metricsSockets = []string{"metrics", "almanac-metrics.socket"}

// listen returns the socket to serve on: the first that was handed over with such a
// name, or one at -addr. For metrics it is the same with -metrics-addr, or nil. Others
// that were handed over are closed.
func (s *settings) listen(
	p cli.Process,
	log *slog.Logger,
) (listener, metrics net.Listener, err error) {
	defer func() {
		for _, l := range []net.Listener{listener, metrics} {
			if err != nil && l != nil {
				_ = l.Close()
			}
		}
	}()
	err = systemd.Sockets(p.Getenv, func(name string, l net.Listener) bool {
		if listener == nil && slices.Contains(apiSockets, name) {
			listener = l
			return true
		}
		if metrics == nil && slices.Contains(metricsSockets, name) {
			metrics = l
			return true
		}
		log.Warn(
			"a socket that was handed over is closed: it has another name than one to serve on, or is one more",
			"name",
			name,
			"address",
			l.Addr().String(),
			"names",
			slices.Concat(apiSockets, metricsSockets),
		)
		return false
	})
	open := func(l *net.Listener, flag, address string) {
		if err == nil && *l == nil {
			if *l, err = net.Listen("tcp", address); err != nil {
				err = fmt.Errorf("-%s: %w; choose another, or port 0 for a free one", flag, err)
			}
		}
	}
	open(&listener, "addr", s.addr)
	if s.metricsAddr != "" {
		open(&metrics, "metrics-addr", s.metricsAddr)
	}
	return listener, metrics, err
}

// tokenName is the file of the first token in a data directory.
const tokenName = "first-token"

// tokenPath returns the file for the first token, "" for standard output. Below a
// service manager others can read what is printed: so it is when standard output is
// the journal, or is no terminal while a manager waits to be told that the server is
// ready.
func (s *settings) tokenPath(p cli.Process) string {
	managed := systemd.IsJournal(p.Getenv, p.Stdout) ||
		p.Getenv("NOTIFY_SOCKET") != "" && !systemd.IsTerminal(p.Stdout)
	if s.tokenFile == "" && managed && !s.memory {
		return filepath.Join(s.data, tokenName)
	}
	return s.tokenFile
}

// A firstToken is the token of the first administrator, to be shown to the operator.
type firstToken struct {
	path    string // of a file for it; "" prints it
	id      int64  // of its account; 0 if there was one
	shown   string // the token to print; "" if none or in a file
	written string // the file that it is in
	secret  string // of a link to the first page; "" if none was made
	link    string // address of the first page, to print
}

// keep keeps the token that is made, in a new file of the owner's if there is to be
// one. Without that file nothing is made: the token would be lost.
func (t *firstToken) keep(made func() (string, error)) error {
	if t.path == "" {
		token, err := made()
		t.shown = token
		return err
	}
	file, err := os.OpenFile(t.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // follows no link
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf(
			"-token-file %s: it exists, and is not written over: remove it, or name another",
			t.path,
		)
	case err != nil:
		return fmt.Errorf("-token-file: %w", err)
	}
	token, err := made()
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(t.path))
	}
	_, err = file.WriteString(token + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("-token-file: %w; almanac users token admin makes another token", err)
	}
	t.written = t.path
	return nil
}

// withParent returns a context that ends when standard input does. A pipe ends when every process
// with its other end has closed it or died. Input is read and dropped. The goroutine ends with
// stdin, which may be at the end of the process.
func withParent(ctx context.Context, stdin io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if stdin == nil {
		cancel()
		return ctx, cancel
	}
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // an error is an end, too
		cancel()
	}()
	return ctx, cancel
}
