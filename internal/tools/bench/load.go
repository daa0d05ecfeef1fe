// The load: requests over connections that are kept alive.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A request is its bytes, its address and the status of the expected answer.
type request struct {
	bytes  []byte
	uri    string
	status int
}

// numberMark stands in a request where a number of as many digits is to be, another one each time.
const numberMark = "##########"

// numbersPerRound is more than the requests that a round can send.
const numbersPerRound = 10_000_000

// A round is the result of one.
type round struct {
	requests        int
	elapsed, median time.Duration // until the last answer; for one request
	processor       time.Duration // of the server; 0 where the system does not tell
}

// A conn is kept alive and carries one request at a time.
type conn struct {
	net.Conn
	reader *bufio.Reader
}

func newConn(c net.Conn) *conn { return &conn{c, bufio.NewReaderSize(c, 64<<10)} }

// exchange sends a request, and writes the body of the answer.
func (c *conn) exchange(r request, number int, body io.Writer) (http.Header, error) {
	sent := bytes.Replace(
		r.bytes,
		[]byte(numberMark),
		fmt.Appendf(nil, "%0*d", len(numberMark), number),
		1,
	)
	if _, err := c.Write(sent); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, fmt.Errorf("%.80q: %w", r.bytes, err)
	}
	if resp.StatusCode != r.status {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return nil, fmt.Errorf(
			"%.300q: answered %d, want %d: %q",
			r.bytes,
			resp.StatusCode,
			r.status,
			text,
		)
	}
	_, err = io.Copy(body, resp.Body)
	return resp.Header, err
}

// load sends requests for a time over connections, at least one over each: a connection sends its
// next request when it was answered. number is that of the first request.
func (s *server) load(
	requests []request,
	connections, number int,
	length time.Duration,
) (r round, err error) {
	all := make([]*conn, connections)
	for i := range all {
		if all[i], err = s.dial(); err != nil {
			return r, err
		}
		defer all[i].Close()
	}
	var next atomic.Int64
	next.Store(int64(number))
	took := make([][]time.Duration, connections)
	errs := make([]error, connections)
	before := s.processor()
	start := time.Now()
	var wait sync.WaitGroup
	for i, c := range all {
		wait.Go(func() {
			for more := true; more && errs[i] == nil; more = time.Since(start) < length {
				n := int(next.Add(1)) - 1
				sent := time.Now()
				_, errs[i] = c.exchange(requests[n%len(requests)], n, io.Discard)
				took[i] = append(took[i], time.Since(sent))
			}
		})
	}
	wait.Wait()
	r.elapsed = time.Since(start)
	r.processor = s.processor() - before
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	r.requests = len(sorted)
	r.median = sorted[len(sorted)/2]
	return r, cmp.Or(errs...)
}
