package apitest

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// Patience is how long a test waits for another process or a connection before it fails:
// no machine is so busy.
const Patience = 10 * time.Minute

// Await calls done every few milliseconds until it returns true, and returns whether it did
// before Patience ended. It is for changes without a notification.
func Await(done func() bool) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(Patience); !done(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// Dial opens a connection to a server and sends a text.
func Dial(t testing.TB, url, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// IsClosed waits until the other side closes a connection, which it must before
// the test has lasted for far too long.
func IsClosed(t testing.TB, conn net.Conn) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(Patience)); err != nil {
		t.Fatal(err)
	}
	for buffer := make([]byte, 4096); ; {
		if _, err := conn.Read(buffer); err != nil {
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
				t.Error("the connection is still open")
			}
			return
		}
	}
}

// A Buffer is a buffer that several goroutines may write to.
type Buffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (l *Buffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *Buffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
