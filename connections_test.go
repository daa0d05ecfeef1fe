package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// This file is clients that take their time, beside one that does not.

// A slowClient is a connection with a request that is never finished.
type slowClient struct {
	net.Conn
	next string // is sent again and again
}

// slowClients opens connections. In turn they say nothing, send a header that
// does not end, a body by somebody, or by nobody.
func slowClients(t testing.TB, s *testServer, n int) []slowClient {
	t.Helper()
	var all []slowClient
	for i := range n {
		body := fmt.Sprintf("POST %s/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n", api)
		switch i % 4 {
		case 0:
			all = append(all, slowClient{dial(t, s.url, ""), "G"})
		case 1:
			all = append(all, slowClient{dial(t, s.url, "GET "+api+"/events HTTP/1.1\r\nHost: a\r\nX-Slow: "), "x"})
		case 2:
			all = append(all, slowClient{dial(t, s.url, body+"Authorization: Bearer "+s.token+"\r\n\r\n{"), " "})
		case 3:
			all = append(all, slowClient{dial(t, s.url, body+"\r\n{"), " "})
		}
	}
	return all
}

// 200 clients that send a byte a second do not stop one that reads and writes.
// It is asked for three of their bytes; all flags are as they are without being
// given.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := startServer(t, on(t.TempDir())...)
	c := s.admin()
	c.client.Timeout = 10 * time.Second
	fill(t, c)
	answer := func() (took time.Duration) {
		start := time.Now()
		c.must(t, "GET", api+"/events?starts_after=2031-01-01", "")
		c.must(t, "PUT", api+"/events/4", fmt.Sprintf(`{"description":"%d"}`, start.UnixNano()))
		return time.Since(start)
	}
	median := func(n int, more func() bool) (time.Duration, int) {
		var all []time.Duration
		for len(all) < n || more() {
			all = append(all, answer())
		}
		slices.Sort(all)
		return all[len(all)/2], len(all)
	}
	alone, _ := median(50, func() bool { return false })

	slow := slowClients(t, s, 200)
	bytes := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		defer close(bytes)
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for range 3 {
			for i, one := range slow {
				if _, err := one.Write([]byte(one.next)); err != nil {
					t.Errorf("slow client %d was cut off: %v", i, err)
				}
			}
			<-second.C
		}
	})
	beside, n := median(50, func() bool {
		select {
		case <-bytes:
			return false
		default:
			return true
		}
	})
	sending.Wait()
	t.Logf("a read and a write took %v alone and %v beside %d slow clients (%d times)", alone, beside, len(slow), n)
	if beside > 10*alone+100*time.Millisecond {
		t.Errorf("a read and a write took %v, alone they took %v", beside, alone)
	}
}

// A connection more than may be open closes that which has waited longest; one
// with a request in work is not closed.
func TestMaxConnections(t *testing.T) {
	t.Parallel()
	const most, silent = 10, 30
	s := startServer(t, "-memory", "-max-connections", fmt.Sprint(most), "-read-timeout", "0", "-idle-timeout", "0")
	working := dial(t, s.url, "POST "+api+"/tags HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.token+
		"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
	reader := bufio.NewReader(working)
	if line, err := reader.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the server does not read the body: %q, %v", line, err)
	}
	if line, err := reader.ReadString('\n'); err != nil || line != "\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	var all []net.Conn
	for range silent {
		all = append(all, dial(t, s.url, ""))
	}
	s.admin().must(t, "GET", api+"/events", "")
	for _, conn := range all[:silent-most] {
		isClosed(t, conn)
	}
	if _, err := working.Write([]byte("name=free")); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(reader, nil)
	if err != nil || response.StatusCode != http.StatusCreated {
		t.Errorf("the request in work was answered %v, %v", response, err)
	}
}

// When every connection has a request in work, one more waits for its turn, and
// a server that ends does not wait with it.
func TestConnectionsInWork(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory", "-max-connections", "1")
	begin := func() (net.Conn, *bufio.Reader) {
		conn := dial(t, s.url, "POST "+api+"/tags HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
		reader := bufio.NewReader(conn)
		if line, err := reader.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("the server does not read the body: %q, %v", line, err)
		}
		return conn, reader
	}
	first, _ := begin()
	second := dial(t, s.url, "GET "+api+" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	if _, err := first.Write([]byte("name=free")); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(second), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("who waited was answered %v, %v", response, err)
	}

	third, _ := begin()
	dial(t, s.url, "GET "+api+" HTTP/1.1\r\nHost: a\r\n\r\n")
	third.Close()
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}
