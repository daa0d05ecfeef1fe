package httpd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"almanac/internal/tools/apitest"
)

// A heldServer answers when the test says so.
type heldServer struct {
	url         string
	connections *connections
	working     chan struct{} // receives when a request of /work, /read or /large runs
	release     chan struct{} // lets one of /work go on
}

// holdServer starts a server with a limit of connections.
func holdServer(t *testing.T, most int) *heldServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &heldServer{
		url:     "http://" + listener.Addr().String(),
		working: make(chan struct{}),
		release: make(chan struct{}),
	}
	answer := make([]byte, 32<<20) // more than all buffers on the way hold
	mux := http.NewServeMux()
	mux.HandleFunc("/work", func(http.ResponseWriter, *http.Request) {
		h.working <- struct{}{}
		<-h.release
	})
	mux.HandleFunc("/read", func(_ http.ResponseWriter, r *http.Request) {
		h.working <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body)
	})
	mux.HandleFunc(
		"/refuse",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
	)
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		h.working <- struct{}{}
		_, _ = w.Write(answer)
	})
	mux.HandleFunc(
		"/small",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer[:1]) },
	)
	s := New(Options{
		Handler:     mux,
		Listener:    listener,
		Connections: most,
		Log:         slog.New(slog.DiscardHandler),
	})
	h.connections = s.listener.(*connections)
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		s.http.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return h
}

// from opens a connection from an address of this machine.
func (h *heldServer) from(t *testing.T, address, text string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := d.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
	if err != nil {
		t.Skipf("this system has one loopback address: %v", err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answered reads the header of an answer, and returns its status.
func answered(t *testing.T, conn net.Conn) int {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

const get, post = "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nname="

// Whatever a connection waits for from its client, it is closed for one more, and
// one with a request that is worked on is not.
func TestMaxConnections(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text   string
		worked, done bool // before it waits
	}{
		{"says nothing", "", false, false},
		{"has begun a header", "GET /small HTTP/1.1\r\nHost:", false, false},
		{"has begun a body", fmt.Sprintf(post, "/read"), true, false},
		{"has begun a body, refused", fmt.Sprintf(post, "/refuse"), false, true},
		{"does not take its answer", fmt.Sprintf(get, "/large"), true, false},
		{"has its answer, and is there", fmt.Sprintf(get, "/small"), false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := holdServer(t, 2)
			working := apitest.Dial(t, h.url, fmt.Sprintf(get, "/work"))
			<-h.working
			waiting := apitest.Dial(t, h.url, test.text)
			if test.worked {
				<-h.working
			}
			if test.done {
				answered(t, waiting)
			}
			if got := answered(t, apitest.Dial(t, h.url, fmt.Sprintf(get, "/small"))); got != http.StatusOK {
				t.Errorf("one more was answered %d", got)
			}
			apitest.IsClosed(t, waiting)
			h.release <- struct{}{}
			if got := answered(t, working); got != http.StatusOK {
				t.Errorf("the request in work was answered %d", got)
			}
		})
	}
}

// The header of an answer says that the connection ends, unless the body was read or there is
// none.
func TestConnectionEnds(t *testing.T) {
	t.Parallel()
	for body, ends := range map[string]bool{"": false, "read": false, "left": true} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		w := httptest.NewRecorder()
		tracked(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body == "read" {
				_, _ = io.Copy(io.Discard, r.Body)
			}
			w.WriteHeader(http.StatusNoContent)
		}), &Requests{}).ServeHTTP(w, r)
		if got := w.Header().Get("Connection") == "close"; got != ends {
			t.Errorf("body %q: the connection ends: %v, want %v", body, got, ends)
		}
	}
}

// A connection of HTTP/2 may have several requests. It waits when all of them do.
func TestRequestsOfAConnection(t *testing.T) {
	t.Parallel()
	h := holdServer(t, 1)
	waiting := apitest.Dial(t, h.url, "")
	c := h.connections
	var conn *connection
	if !apitest.Await(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if first := c.waiting.Front(); first != nil {
			conn = first.Value.(*connection)
		}
		return conn != nil
	}) {
		t.Fatal("the connection does not wait for its client")
	}
	conn.work()
	conn.work()
	conn.wait()
	c.mu.Lock()
	if c.dropLocked() {
		t.Error("a connection is closed that has a request in work")
	}
	c.mu.Unlock()
	conn.wait()
	c.mu.Lock()
	if !c.dropLocked() {
		t.Error("a connection is not closed whose requests all wait")
	}
	c.mu.Unlock()
	apitest.IsClosed(t, waiting)
}

// When every connection has a request in work, one more waits for its turn, and
// a server that ends does not wait with it.
func TestConnectionsInWork(t *testing.T) {
	t.Parallel()
	h := holdServer(t, 1)
	first := apitest.Dial(t, h.url, fmt.Sprintf(get, "/work"))
	<-h.working
	second := apitest.Dial(t, h.url, fmt.Sprintf(get, "/work"))
	h.release <- struct{}{}
	if got := answered(t, first); got != http.StatusOK {
		t.Errorf("the first was answered %d", got)
	}
	<-h.working
	apitest.Dial(t, h.url, fmt.Sprintf(get, "/small"))
	go func() { h.release <- struct{}{} }()
	if got := answered(t, second); got != http.StatusOK {
		t.Errorf("the second was answered %d", got)
	}
}

// idle waits until every open connection waits for its client.
func (h *heldServer) idle(t *testing.T) {
	t.Helper()
	c := h.connections
	if !apitest.Await(func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.waiting.Len() == c.open
	}) {
		t.Fatal("some connections do not wait for their clients")
	}
}

// A client keeps the connections of its share, whatever other clients do. If clients have many
// addresses, each has at most its share, and the connections that have waited longest are closed.
func TestShare(t *testing.T) {
	t.Parallel()
	const most, share = 32, 2
	h := holdServer(t, most)
	var quiet, loud []net.Conn
	for range share {
		quiet = append(quiet, h.from(t, "127.0.0.2", ""))
	}
	for range 3 * most {
		loud = append(loud, h.from(t, "127.0.0.3", ""))
	}
	// This one is behind all others in the queue: when it has its answer, they were taken.
	if got := answered(t, h.from(t, "127.0.0.4", fmt.Sprintf(get, "/small"))); got != http.StatusOK {
		t.Errorf("one more was answered %d", got)
	}
	for i, conn := range loud[:2*most] {
		if apitest.IsClosed(t, conn); t.Failed() {
			t.Fatalf("connection %d of the client with too many", i)
		}
	}
	for _, conn := range quiet {
		if _, err := fmt.Fprintf(conn, get, "/small"); err != nil {
			t.Fatal(err)
		}
		if got := answered(t, conn); got != http.StatusOK {
			t.Errorf("a client with its share was answered %d", got)
		}
	}
	h.idle(t) // the server may notice later than the client that a request is over
	for i := range most {
		for range share {
			h.from(t, fmt.Sprintf("127.0.0.%d", 100+i), "")
		}
	}
	if got := answered(t, h.from(t, "127.0.0.4", fmt.Sprintf(get, "/small"))); got != http.StatusOK {
		t.Errorf("one more was answered %d", got)
	}
	for _, conn := range quiet {
		apitest.IsClosed(t, conn)
	}
}

// Whatever clients do, connections are counted right, and none is counted that
// has ended.
func TestConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	h := holdServer(t, 12)
	check := func() {
		c := h.connections
		c.mu.Lock()
		defer c.mu.Unlock()
		waiting := 0
		open := 0
		for _, one := range c.clients {
			waiting = waiting + one.waiting.Len()
			open = open + one.open
			if c.over[one] != (one.waiting.Len() > c.share) {
				t.Errorf(
					"%d wait of a share of %d; too many: %v",
					one.waiting.Len(),
					c.share,
					c.over[one],
				)
			}
		}
		if waiting != c.waiting.Len() || open != c.open || waiting > open || open > c.most ||
			len(c.over) > shares {
			t.Errorf(
				"%d of %d connections wait, %d of %d by clients; %d have too many",
				c.waiting.Len(),
				c.open,
				waiting,
				open,
				len(c.over),
			)
		}
	}
	go func() {
		for {
			select {
			case <-h.working:
			case <-t.Context().Done():
				return
			}
		}
	}()
	var clients sync.WaitGroup
	for worker := range 8 {
		clients.Go(func() {
			rng := rand.New(rand.NewPCG(5, uint64(worker)))
			for range 100 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
				if err != nil {
					t.Error(err)
					return
				}
				whole := fmt.Sprintf(get, "/small")
				text := whole + fmt.Sprintf(post, "/read") + "more"
				text = text[:rng.IntN(len(text))]
				_, _ = conn.Write([]byte(text)) // it may have been closed
				if len(text) >= len(whole) && rng.IntN(2) == 0 {
					_, _ = conn.Read(make([]byte, 1))
				}
				check()
				conn.Close()
			}
		})
	}
	clients.Wait()
	// Connections that end make place for these, and none is left when they have.
	for range 20 {
		conn := apitest.Dial(
			t,
			h.url,
			"GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		)
		apitest.IsClosed(t, conn)
	}
	check()
}
