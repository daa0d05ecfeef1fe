package command

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// Slow clients beside a fast one.

// A slowClient is a connection with a request that is never finished.
type slowClient struct {
	net.Conn
	next string // is sent again and again
}

// slowClients opens connections. In turn they say nothing, send a header that
// does not end, a body by somebody who may write, or the body of a read.
func slowClients(t testing.TB, s *testServer, n int) []slowClient {
	t.Helper()
	var all []slowClient
	for i := range n {
		const body = " " + v1 + "/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n"
		switch i % 4 {
		case 0:
			all = append(all, slowClient{dial(t, s.URL, ""), "G"})
		case 1:
			all = append(
				all,
				slowClient{
					dial(t, s.URL, "GET "+v1+"/events HTTP/1.1\r\nHost: a\r\nX-Slow: "),
					"x",
				},
			)
		case 2:
			all = append(
				all,
				slowClient{
					dial(t, s.URL, "POST"+body+"Authorization: Bearer "+s.Token+"\r\n\r\n{"),
					" ",
				},
			)
		case 3:
			all = append(all, slowClient{dial(t, s.URL, "GET"+body+"\r\n{"), " "})
		}
	}
	return all
}

// 200 clients that send a byte now and then do not stop a fast client, whose requests run between
// their bytes. No client is disconnected for being slow.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := startServer(t, on(t.TempDir(), "-read-timeout", "0")...)
	c := s.Admin()
	c.Client.Timeout = patience
	fill(t, c)
	answer := func() (took time.Duration) {
		start := time.Now()
		c.Must(t, "GET", v1+"/events?starts_after=2031-01-01", "")
		c.Must(t, "PUT", v1+"/events/4", fmt.Sprintf(`{"description":"%d"}`, start.UnixNano()))
		return time.Since(start)
	}
	answers := func(n int) (all []time.Duration) {
		for range n {
			all = append(all, answer())
		}
		return all
	}
	median := func(all []time.Duration) time.Duration {
		slices.Sort(all)
		return all[len(all)/2]
	}
	alone := median(answers(50))

	slow := slowClients(t, s, 200)
	var all []time.Duration
	for range 3 {
		for i, one := range slow {
			if _, err := one.Write([]byte(one.next)); err != nil {
				t.Errorf("slow client %d was cut off: %v", i, err)
			}
		}
		all = append(all, answers(17)...)
	}
	beside := median(all)
	for _, one := range slow {
		one.Close()
	}
	alone = max(alone, median(answers(50))) // other programs may have become busy since
	t.Logf(
		"a read and a write took %v alone and %v beside %d slow clients",
		alone,
		beside,
		len(slow),
	)
	if beside > 10*alone+time.Second {
		t.Errorf("a read and a write took %v, alone they took %v", beside, alone)
	}
}

// An answer that does not wait for the body of its request comes at once, says
// that the connection ends, and the connection ends.
func TestUnreadBody(t *testing.T) {
	t.Parallel()
	s := startServer(t, on(t.TempDir())...)
	for _, length := range []string{"Content-Length: 1000", "Content-Length: 1000000", "Transfer-Encoding: chunked"} {
		conn := dial(
			t,
			s.URL,
			"POST "+v1+"/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"+length+"\r\n\r\n",
		)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusUnauthorized || !response.Close {
			t.Errorf(
				"%s: answered %d, and the connection ends: %v",
				length,
				response.StatusCode,
				response.Close,
			)
		}
		isClosed(t, conn)
	}
	// A client that sends all of it before it looks for the answer has the answer.
	for range 20 {
		a := s.As("").Do(
			t,
			"POST",
			v1+"/events",
			`{"title":"`+strings.Repeat("x", 200<<10)+`"}`,
		)
		if a.Status != http.StatusUnauthorized {
			t.Errorf("answered %d", a.Status)
		}
	}
}
