// serve below a service manager, and without one.

package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/systemd"
)

// logHandler writes the log: to the journal if standard error is that.
func logHandler(p Process) slog.Handler {
	if systemd.IsJournal(p.Getenv, p.Stderr) {
		return systemd.JournalHandler(p.Stderr)
	}
	return slog.NewTextHandler(p.Stderr, nil)
}

// apiSockets are the names of a socket to serve on that was handed over: ours, what
// systemd calls that of almanac.socket, and what it is called when nobody says a name.
var apiSockets = []string{"almanac", "almanac.socket", "unknown"}

// metricsSockets are those of a socket to read metrics at.
var metricsSockets = []string{"metrics", "almanac-metrics.socket"}

// listen returns the socket to serve on: the first that was handed over with such a
// name, or one at -addr. For metrics it is the same with -metrics-addr, or nil. Others
// that were handed over are closed.
func (s *settings) listen(p Process, log *slog.Logger) (listener, metrics net.Listener, err error) {
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
		log.Warn("a socket that was handed over is closed: it has another name than one to serve on, or is one more",
			"name", name, "address", l.Addr().String(), "names", slices.Concat(apiSockets, metricsSockets))
		return false
	})
	if err == nil && listener == nil {
		if listener, err = net.Listen("tcp", s.addr); err != nil {
			err = fmt.Errorf("-addr: %w; choose another, or port 0 for a free one", err)
		}
	}
	if err == nil && metrics == nil && s.metricsAddr != "" {
		if metrics, err = net.Listen("tcp", s.metricsAddr); err != nil {
			err = fmt.Errorf("-metrics-addr: %w; choose another, or port 0 for a free one", err)
		}
	}
	return listener, metrics, err
}

// tokenName is the file of the first token in a data directory.
const tokenName = "first-token"

// tokenPath returns the file for the first token, "" for standard output. Below a
// service manager others can read what is printed: so it is when standard output is
// the journal, or is no terminal while a manager waits to be told that the server is
// ready.
func (s *settings) tokenPath(p Process) string {
	managed := systemd.IsJournal(p.Getenv, p.Stdout) || p.Getenv("NOTIFY_SOCKET") != "" && !isTerminal(p.Stdout)
	if s.tokenFile == "" && managed && !s.memory {
		return filepath.Join(s.data, tokenName)
	}
	return s.tokenFile
}

// isTerminal reports whether people read what is written. The device that swallows
// everything is of the same kind.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// A firstToken is the token of the first administrator, to be shown to the operator.
type firstToken struct {
	path    string // of a file for it; "" prints it
	shown   string // the token to print; "" if none or in a file
	written string // the file that it is in
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
		return fmt.Errorf("-token-file %s: it exists, and is not written over: remove it, or name another", t.path)
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
