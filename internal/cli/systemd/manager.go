// Package systemd speaks with the service manager that started the process, if there
// is one: it tells how the service is (sd_notify(3)), takes over sockets
// (sd_listen_fds(3)) and writes lines of the log as journald(8) reads them. All of it
// is found in the environment, and without it nothing is done.
//
// A process that is confined can still be told of: the socket that its Manager
// writes to is connected before.
package systemd

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Manager is told how the service is. Nil is nobody.
type Manager struct {
	conn  *net.UnixConn
	every time.Duration // interval of watchdog messages; 0 is never
}

// Connect returns the service manager that the environment names, nil for none.
func Connect(getenv func(string) string) (*Manager, error) {
	name := getenv("NOTIFY_SOCKET")
	if name == "" {
		return nil, nil
	}
	if name[0] != '/' && name[0] != '@' {
		return nil, fmt.Errorf(
			"NOTIFY_SOCKET %q: must be a path, or a name that begins with @",
			name,
		)
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		return nil, fmt.Errorf("NOTIFY_SOCKET: %w", err)
	}
	m := &Manager{conn: conn}
	if pid := getenv("WATCHDOG_PID"); pid == "" || isOwn(pid) {
		if limit, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil &&
			limit > 1 &&
			limit < 1<<50 {
			m.every = time.Duration(limit) * time.Microsecond / 2
		}
	}
	return m, nil
}

// isOwn reports whether a number is that of this process.
func isOwn(pid string) bool { return pid == strconv.Itoa(os.Getpid()) }

// Notify sends states such as "READY=1". A state that cannot be sent is lost: a
// manager that needs it ends the service.
func (m *Manager) Notify(states ...string) {
	if m != nil {
		_, _ = m.conn.Write([]byte(strings.Join(states, "\n")))
	}
}

// Watch tells the manager that the service lives as often as it asked for that, until
// ctx ends: each time when lives has returned.
func (m *Manager) Watch(ctx context.Context, lives func()) {
	if m == nil || m.every == 0 {
		return
	}
	tick := time.NewTicker(m.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		lives()
		m.Notify("WATCHDOG=1")
	}
}

// Close ends the connection. The service is not told of any more.
func (m *Manager) Close() {
	if m != nil {
		_ = m.conn.Close()
	}
}
