// How many connections are open at a time.

package httpd

import (
	chain "container/list"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"sync"

	"almanac/internal/people/limit"
)

// connections is a listener that limits the open connections. For one above the limit it closes a
// connection that waits for its client: for a header, a body, the reading of an answer, or the
// next request. It closes the connection that has waited longest of the client with the most
// connections above its share, or else of all clients. If the server works on a request of every
// connection, the new one waits for the end of one request.
//
// So clients that are silent or slow can neither exclude other clients nor use up the files that
// the store needs. They cannot displace waiting connections of other clients, unless they have
// many addresses.
type connections struct {
	net.Listener
	most  int // more than 0
	share int // that a client may have waiting before it loses them first

	mu      sync.Mutex // guards the fields below, and those of clients and connections
	changed *sync.Cond // of mu: a connection ended or waits, or closed is set
	open    int
	waiting chain.List // of *connection, in the order since when they wait
	clients map[netip.Prefix]*peer
	over    map[*peer]bool // clients above their share
	ended   bool
}

// shares is the number of clients whose full shares are the limit. A client needs as many
// addresses to displace other clients' connections.
const shares = 16

// A peer is an address, or a /64 of IPv6, with connections.
type peer struct {
	open    int
	waiting chain.List // of *connection, in the order since when they wait
}

// A stream is a TCP connection, which has more ways to end than other connections.
type stream interface {
	net.Conn
	CloseWrite() error
	SetLinger(seconds int) error
}

// A connection is a counted connection. It waits for its client unless the server works on its
// request.
type connection struct {
	stream
	all    *connections
	from   netip.Prefix
	client *peer // nil: it ended, or was dropped
	works  int   // requests that are worked on; HTTP/2 has several

	// Its elements of the lists of waiting connections; nil while it does not wait.
	place, placeOfClient *chain.Element
}

func newConnections(l net.Listener, most int) *connections {
	c := &connections{
		Listener: l,
		most:     most,
		share:    max(1, most/shares),
		clients:  map[netip.Prefix]*peer{},
		over:     map[*peer]bool{},
	}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept waits for a connection, and then for its place.
func (c *connections) Accept() (net.Conn, error) {
	accepted, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := &connection{stream: accepted.(stream), all: c} // it is a listener of TCP
	if at, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		conn.from = limit.Client(at.AddrPort().Addr())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.open >= c.most && !c.ended {
		if !c.dropLocked() {
			c.changed.Wait()
		}
	}
	if c.ended {
		conn.stream.Close()
		return nil, net.ErrClosed
	}
	c.open++
	if conn.client = c.clients[conn.from]; conn.client == nil {
		conn.client = &peer{}
		c.clients[conn.from] = conn.client
	}
	conn.client.open++
	conn.waitLocked()
	return conn, nil
}

// Close ends Accept, too.
func (c *connections) Close() error {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.changed.Broadcast()
	return c.Listener.Close()
}

// dropLocked closes a connection that waits. It reports whether there was one.
func (c *connections) dropLocked() bool {
	from := &c.waiting
	for one := range c.over { // at most shares
		if from == &c.waiting || one.waiting.Len() > from.Len() {
			from = &one.waiting
		}
	}
	longest := from.Front()
	if longest == nil {
		return false
	}
	conn := longest.Value.(*connection)
	conn.forgetLocked()
	conn.stream.Close() // TLS would say goodbye, and wait for it to be heard
	return true
}

// waitLocked appends a connection to the waiting ones.
func (conn *connection) waitLocked() {
	conn.place = conn.all.waiting.PushBack(conn)
	conn.placeOfClient = conn.client.waiting.PushBack(conn)
	if conn.client.waiting.Len() > conn.all.share {
		conn.all.over[conn.client] = true
	}
	conn.all.changed.Signal()
}

// workLocked takes it out again.
func (conn *connection) workLocked() {
	if conn.place == nil {
		return
	}
	conn.all.waiting.Remove(conn.place)
	conn.client.waiting.Remove(conn.placeOfClient)
	conn.place = nil
	conn.placeOfClient = nil
	if conn.client.waiting.Len() <= conn.all.share {
		delete(conn.all.over, conn.client)
	}
}

// forgetLocked counts a connection no more.
func (conn *connection) forgetLocked() {
	if conn.client == nil {
		return
	}
	conn.workLocked()
	if conn.client.open--; conn.client.open == 0 {
		delete(conn.all.clients, conn.from)
	}
	conn.client = nil
	conn.all.open--
	conn.all.changed.Signal()
}

// Close closes the connection, and returns its place to another.
func (conn *connection) Close() error {
	conn.all.mu.Lock()
	conn.forgetLocked()
	conn.all.mu.Unlock()
	return conn.stream.Close()
}

// work notes that the server works on a request of the connection from now on,
// and wait that the request waits for its client or is done. They do nothing to
// a nil connection, which does not count.
func (conn *connection) work() {
	if conn == nil {
		return
	}
	conn.all.mu.Lock()
	defer conn.all.mu.Unlock()
	conn.works++
	if conn.client != nil {
		conn.workLocked()
	}
}

func (conn *connection) wait() {
	if conn == nil {
		return
	}
	conn.all.mu.Lock()
	defer conn.all.mu.Unlock()
	if conn.works--; conn.works == 0 && conn.client != nil {
		conn.waitLocked()
	}
}

// connectionKey is the key of a *connection in the contexts of its requests.
type connectionKey struct{}

// withConnection is the ConnContext of a server.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	if counted, ok := conn.(*connection); ok {
		return context.WithValue(ctx, connectionKey{}, counted)
	}
	return ctx
}
