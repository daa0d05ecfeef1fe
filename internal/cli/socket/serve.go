// The side of the server.

package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"almanac/internal/cli"
)

const (
	headerTime = 10 * time.Second // for the header of a request
	endTime    = 10 * time.Second // for running operations, whose context has ended
)

// Serve makes the socket of a data directory, which the caller has locked, and has operations done
// for commands until end is called. The context of operations ends with ctx. It replaces the
// socket of a process that was killed, and refuses another file of the name.
func Serve(
	ctx context.Context,
	dir string,
	operations Operations,
	log *slog.Logger,
) (end func(), err error) {
	l, err := listen(dir)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler:           operations.handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: headerTime,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelError),
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(l) })
	return sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		serving.Wait()
	}), nil
}

// handler answers requests with the operations.
func (o Operations) handler() http.Handler {
	mux := http.NewServeMux()
	for name, do := range o {
		mux.HandleFunc(name, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Trailer", resultField)
			if begin(w) != nil {
				return
			}
			result := "0"
			if err := do(r.Context(), r.URL.Query(), r.Body, flushed{w}); err != nil {
				result = strconv.Itoa(cli.Status(err)) + " " + strconv.QuoteToASCII(err.Error())
			}
			w.Header().Set(resultField, result)
		})
	}
	return mux
}

// begin sends the header of an answer before the operation is done, however long that takes: so a
// command knows that the server lives. The body of the request is read later.
func begin(w http.ResponseWriter) error {
	c := http.NewResponseController(w)
	return errors.Join(c.EnableFullDuplex(), c.Flush())
}

// flushed sends at once what is written.
type flushed struct{ http.ResponseWriter }

func (f flushed) Write(text []byte) (int, error) {
	n, err := f.ResponseWriter.Write(text)
	return n, errors.Join(err, http.NewResponseController(f.ResponseWriter).Flush())
}

// listen makes the socket. It gets its name after its mode, so that nobody else connects before.
func listen(dir string) (net.Listener, error) {
	name := filepath.Join(dir, Name)
	info, err := os.Lstat(name)
	if err == nil && info.Mode().Type() != fs.ModeSocket {
		return nil, cli.Usage(fmt.Errorf(
			"%s is no socket, and the server needs one of this name for commands: move it away",
			name,
		))
	}
	if runtime.GOOS == "windows" { // where modes say nothing
		_ = os.Remove(name)
		return net.Listen("unix", name)
	}
	private, err := os.MkdirTemp(dir, ".sock*") // short, as the path of a socket has to be
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	const draft = "s"
	l, err := at(private, draft, func(path string) (*net.UnixListener, error) {
		return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	made := filepath.Join(private, draft)
	if err := errors.Join(os.Chmod(made, 0o600), os.Rename(made, name)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &listener{l, name}, nil
}

// A listener removes its file when it is closed.
type listener struct {
	*net.UnixListener
	file string
}

func (l *listener) Close() error { return errors.Join(os.Remove(l.file), l.UnixListener.Close()) }
