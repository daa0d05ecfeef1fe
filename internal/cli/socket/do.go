// The side of commands.

package socket

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/store"
)

const (
	patience = 10 * time.Second // for a server that is being started or ends, or another command
	again    = time.Second / 20
)

// Do has an operation of a data directory done: by the server that has the directory open, or by
// alone in this process when no server answers. While another process has the directory open
// and does not answer, as a server that is being started, Do tries again for 10 seconds.
func Do(
	ctx context.Context,
	dir, name string,
	asked url.Values,
	in io.Reader,
	out io.Writer,
	alone Operation,
) error {
	late := time.After(patience)
	for {
		err := ask(ctx, dir, name, asked, in, out)
		var none *absentError
		if !errors.As(err, &none) {
			return err
		}
		if err = alone(ctx, asked, in, out); !errors.Is(err, store.ErrInUse) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-late:
			return fmt.Errorf("%w (it does not answer at %s: %w)", err, Name, none.reason)
		case <-time.After(again):
		}
	}
}

// An absentError says that no server has done anything.
type absentError struct{ reason error }

func (e *absentError) Error() string { return e.reason.Error() }

// ask asks a server.
func ask(
	ctx context.Context,
	dir, name string,
	asked url.Values,
	in io.Reader,
	out io.Writer,
) error {
	conn, err := dial(dir)
	if err != nil {
		return &absentError{err}
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	method, path, _ := strings.Cut(name, " ")
	request := &http.Request{
		Method: method,
		Host:   "almanac",
		URL:    &url.URL{Path: path, RawQuery: asked.Encode()},
		Header: http.Header{},
		Close:  true,
	}
	if in != nil {
		request.Body = io.NopCloser(in)
		request.ContentLength = -1
	}
	go request.Write(conn) // a server may answer before it has read everything
	answer, err := http.ReadResponse(bufio.NewReader(conn), request)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && method != http.MethodPost && in == nil:
		return &absentError{err}
	case err != nil:
		return ended(dir, method)
	}
	if _, promised := answer.Trailer[resultField]; !promised {
		return fmt.Errorf(
			"the server that has %s open answers %q with %q: it is no almanac of this version",
			dir,
			name,
			answer.Status,
		)
	}
	_, err = io.Copy(out, answer.Body)
	var cut *net.OpError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &cut):
		return ended(dir, method)
	case err != nil:
		return err
	}
	return resultOf(answer.Trailer.Get(resultField))
}

// IsServed reports whether a server takes commands for a directory.
func IsServed(dir string) bool {
	conn, err := dial(dir)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// dial connects to the socket of a directory.
func dial(dir string) (*net.UnixConn, error) {
	return at(dir, Name, func(path string) (*net.UnixConn, error) {
		return net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	})
}

// ended returns the error for a server that ended while it was asked.
func ended(dir, method string) error {
	advice := ""
	if method != http.MethodGet {
		advice = ": look whether it did what was asked"
	}
	return fmt.Errorf("the server that had %s open ended before it had answered%s", dir, advice)
}

// resultOf returns the error in a trailer, nil if all went well.
func resultOf(trailer string) error {
	status, quoted, _ := strings.Cut(trailer, " ")
	text, err := strconv.Unquote(quoted)
	switch {
	case status == "0":
		return nil
	case err != nil:
		return fmt.Errorf("the server ends its answer with %q", trailer)
	case status == "2":
		return cli.Usage(errors.New(text))
	}
	return errors.New(text)
}
