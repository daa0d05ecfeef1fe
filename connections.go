// How many connections are open at a time.

package main

import (
	chain "container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// connections is a listener that keeps no more than a number of connections
// open. When one more comes, that which has waited longest without a request is
// closed for it: it is slow, or was left open, and a client with an idle
// connection is used to losing it. When all of them have a request in work, the
// new one waits until one of them has none.
//
// So clients that connect and say nothing, or little at a time, cannot keep
// others out, and cannot use up the files that the store needs to open.
type connections struct {
	net.Listener
	most int // more than 0

	mu      sync.Mutex                  // guards the fields below
	changed *sync.Cond                  // of mu: a connection ended or has no request any more, or closed is set
	open    map[net.Conn]*chain.Element // of waiting; nil while a request is in work
	waiting chain.List                  // of net.Conn, in the order since when they wait
	closed  bool
}

func newConnections(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most, open: map[net.Conn]*chain.Element{}}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept waits for a connection, and then for its place. The http.Server counts
// it, by track, before it calls Accept again.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.open) >= c.most && !c.closed {
		if longest := c.waiting.Front(); longest != nil {
			c.dropLocked(longest)
		} else {
			c.changed.Wait()
		}
	}
	if c.closed {
		conn.Close()
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close ends Accept, too.
func (c *connections) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.changed.Broadcast()
	return c.Listener.Close()
}

// dropLocked closes a connection that waits.
func (c *connections) dropLocked(e *chain.Element) {
	conn := c.waiting.Remove(e).(net.Conn)
	delete(c.open, conn)
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn() // TLS would say goodbye, and wait for it to be heard
	}
	conn.Close()
}

// track is the ConnState of the server. A connection is new until the header of
// its first request was read, and idle until that of the next one was.
func (c *connections) track(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	place, known := c.open[conn]
	switch {
	case state == http.StateNew:
		c.open[conn] = c.waiting.PushBack(conn)
	case !known: // it was dropped
	case state == http.StateActive:
		if place != nil {
			c.waiting.Remove(place)
			c.open[conn] = nil
		}
	case state == http.StateIdle:
		if place == nil {
			c.open[conn] = c.waiting.PushBack(conn)
			c.changed.Signal()
		}
	default: // it was closed
		if place != nil {
			c.waiting.Remove(place)
		}
		delete(c.open, conn)
		c.changed.Signal()
	}
}
