// Package socket is the way from a command to the server that has a data directory open: HTTP at
// almanac.sock, a Unix domain socket in that directory. The mode of the socket decides who may
// ask: whoever can open it may ask for everything, and no token is needed.
//
//	operations := socket.Operations{"GET /identity": identity}
//	end, err := socket.Serve(ctx, dir, operations, log)
//
// A command asks by the same operations, and has one done by its own process where no server is:
//
//	err := socket.Do(ctx, dir, "GET /identity", nil, nil, os.Stdout, identity)
//
//	socket.go  operations, and the file
//	do.go      the side of commands
//	serve.go   the side of the server
//	owner_unix.go  the owner of the socket
package socket

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
)

// Name is the socket in a data directory.
const Name = "almanac.sock"

// resultField is the trailer of each answer: the exit status, and the quoted text of an error.
const resultField = "Almanac-Result"

// An Operation does what a command asks for with some values and an input, and writes the result.
// The command ends with its error.
type Operation func(ctx context.Context, asked url.Values, in io.Reader, out io.Writer) error

// Operations are operations by the method and path that ask for them, as "GET /log". A POST is
// never asked twice, other methods may be.
type Operations map[string]Operation

// pathMost is how many bytes the address of a socket has at most, on the systems with the
// shortest ones.
const pathMost = 103

// at calls use with the path of a socket in a directory. A long path leads by the number of the
// open directory, where the system has such paths.
func at[T any](dir, name string, use func(path string) (T, error)) (T, error) {
	path := filepath.Join(dir, name)
	if len(path) <= pathMost {
		return use(path)
	}
	var none T
	d, err := os.Open(dir)
	if err != nil {
		return none, err
	}
	defer d.Close()
	got, err := use(fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), name))
	if err != nil {
		return none, fmt.Errorf(
			"%s has %d bytes, and without /proc the path of a socket has %d at most: %w",
			path,
			len(path),
			pathMost,
			err,
		)
	}
	return got, nil
}
