// Sockets that were opened by the service manager, and handed over.

package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
)

// firstSocket is the number of the first descriptor that is handed over, and
// mostSockets what a server could have use for.
const (
	firstSocket = 3
	mostSockets = 64
)

// Sockets calls take with every socket that was handed over to this process, and its
// name. One that take does not want is closed, and so are all after an error.
func Sockets(
	getenv func(string) string,
	take func(name string, l net.Listener) (taken bool),
) error {
	if !isOwn(getenv("LISTEN_PID")) {
		return nil
	}
	n, err := strconv.Atoi(getenv("LISTEN_FDS"))
	if err != nil || n < 0 || n > mostSockets {
		return fmt.Errorf(
			"LISTEN_FDS %q: must be a number from 0 to %d",
			getenv("LISTEN_FDS"),
			mostSockets,
		)
	}
	names := strings.Split(getenv("LISTEN_FDNAMES"), ":")
	var failed error
	for i := range n {
		name := "unknown" // as sd_listen_fds_with_names(3) says
		if i < len(names) && names[i] != "" {
			name = names[i]
		}
		file := os.NewFile(uintptr(firstSocket+i), name)
		if failed == nil {
			failed = hand(file, name, take)
		}
		_ = file.Close() // a listener has a copy
	}
	return failed
}

func hand(file *os.File, name string, take func(string, net.Listener) bool) error {
	l, err := net.FileListener(file)
	if err != nil {
		return fmt.Errorf("the socket %q that was handed over: %w", name, err)
	}
	if _, ok := l.(*net.TCPListener); !ok {
		_ = l.Close()
		return fmt.Errorf(
			"the socket %q that was handed over is one of %s: it must be one of TCP",
			name,
			l.Addr().Network(),
		)
	}
	if !take(name, l) {
		_ = l.Close()
	}
	return nil
}
