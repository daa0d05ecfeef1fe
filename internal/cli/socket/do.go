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
	"path/filepath"
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
		err := Ask(ctx, dir, name, asked, in, out)
		var none *AbsentError
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
			return fmt.Errorf("%w (it does not answer at %s: %w)", err, Name, none.Reason)
		case <-time.After(again):
		}
	}
}

// An AbsentError says that no server has done anything.
type AbsentError struct{ Reason error }

func (e *AbsentError) Error() string { return e.Reason.Error() }

// answerTime is how long a server may take until its answer begins, which it does before the
// operation is done. A stopped process, or another program at the socket, never answers.
var answerTime = 30 * time.Second

// Ask has the server that has a directory open do an operation. Without a server the error is an
// AbsentError.
func Ask(
	ctx context.Context,
	dir, name string,
	asked url.Values,
	in io.Reader,
	out io.Writer,
) error {
	if err := checkOwner(dir); err != nil {
		return err
	}
	conn, err := dial(dir)
	if err != nil {
		return &AbsentError{err}
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
	isAgain := method != http.MethodPost && in == nil // may be asked twice
	late := time.AfterFunc(answerTime, func() { conn.Close() })
	go request.Write(conn) // a server may answer before it has read everything
	answer, err := http.ReadResponse(bufio.NewReader(conn), request)
	isLate := !late.Stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case isLate:
		return silent(dir, method)
	case err != nil && isAgain:
		return &AbsentError{err}
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
	n, err := io.Copy(out, answer.Body)
	isCut := errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*net.OpError))
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case isCut && n == 0 && isAgain:
		return &AbsentError{err}
	case isCut:
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

// silent returns the error for a process that does not begin to answer.
func silent(dir, method string) error {
	return fmt.Errorf(
		"%s does not answer within %v: the server is stopped, or another program has made this file%s",
		filepath.Join(dir, Name),
		answerTime,
		doubt(method),
	)
}

// ErrEnded is in the error for a server that ended while it was asked: it may have done all or a
// part.
var ErrEnded = errors.New("ended before it had answered")

// ended returns the error for a server that ended while it was asked.
func ended(dir, method string) error {
	return fmt.Errorf("the server that had %s open %w%s", dir, ErrEnded, doubt(method))
}

// doubt returns the advice for a request that may have changed something, as the end of an error.
func doubt(method string) string {
	if method == http.MethodGet {
		return ""
	}
	return ": look whether it did what was asked"
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
