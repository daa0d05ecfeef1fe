// The load: a process that sends requests and measures how long each takes.

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A plan is what a load process does. It reaches it as JSON.
type plan struct {
	Address     string
	Connections int
	Requests    []request     // taken in turn by whichever connection is free
	From        int           // the first turn: no two rounds send the same numbers
	For         time.Duration // no request begins later
	Rate        int           // requests per second on a schedule; 0: a connection sends when it was answered
}

// A request is the bytes of one, with what is expected of its answer.
type request struct {
	Bytes  []byte
	Status int
	Class  int // answers are timed apart by it: reads or writes
}

// Classes of requests.
const (
	reads = iota
	writes
	classes
)

// numberMark stands in a request where a number of as many digits is to be,
// another one each time it is sent.
const numberMark = "##########"

// A report is what a load process found out, as JSON again.
type report struct {
	Requests int
	Elapsed  time.Duration // until the last answer
	Times    [classes]times
	Error    string // "" when every answer was as expected
}

// times are how long requests of a class took: from when they were due on a
// schedule, else from when they were sent.
type times struct {
	Count            int
	Median, P99, Max time.Duration
}

// work is the whole load process: it reads a plan, connects, says so with an
// empty line, waits for a line, sends the load and writes its report.
func work(in io.Reader, out io.Writer) error {
	dec := json.NewDecoder(in)
	var p plan
	if err := dec.Decode(&p); err != nil {
		return err
	}
	connections := make([]*connection, p.Connections)
	for i := range connections {
		c, err := net.Dial("tcp", p.Address)
		if err != nil {
			return err
		}
		defer c.Close()
		connections[i] = &connection{Conn: c, buffer: make([]byte, 64<<10)}
	}
	enc := json.NewEncoder(out)
	if err := enc.Encode("connected"); err != nil {
		return err
	}
	var start string
	if err := dec.Decode(&start); err != nil {
		return err
	}
	return enc.Encode(p.send(connections))
}

// send sends the load over connections.
func (p *plan) send(connections []*connection) report {
	var turn atomic.Int64
	var answered atomic.Bool
	turn.Store(int64(p.From))
	start := time.Now()
	var wait sync.WaitGroup
	for _, c := range connections {
		wait.Go(func() {
			for c.err == nil {
				n := int(turn.Add(1)) - 1
				due := time.Now()
				if p.Rate > 0 {
					due = start.Add(time.Duration(n-p.From) * time.Second / time.Duration(p.Rate))
				}
				if due.Sub(start) >= p.For && (p.Rate > 0 || answered.Load()) {
					return // not before there is something to report, however busy the machine is
				}
				time.Sleep(time.Until(due)) // not at all without a schedule
				r := &p.Requests[n%len(p.Requests)]
				c.err = c.exchange(r, n)
				c.took[r.Class] = append(c.took[r.Class], time.Since(due))
				answered.Store(true)
			}
		})
	}
	wait.Wait()

	rep := report{Elapsed: time.Since(start)}
	for class := range classes {
		var took []time.Duration
		for _, c := range connections {
			took = append(took, c.took[class]...)
		}
		rep.Requests += len(took)
		rep.Times[class] = timesOf(took)
	}
	for _, c := range connections {
		if c.err != nil {
			rep.Error = c.err.Error()
		}
	}
	return rep
}

func timesOf(took []time.Duration) times {
	if len(took) == 0 {
		return times{}
	}
	slices.Sort(took)
	at := func(share float64) time.Duration { return took[int(share*float64(len(took)-1))] }
	return times{len(took), at(0.5), at(0.99), at(1)}
}

// A connection is kept alive and carries one request at a time.
type connection struct {
	net.Conn
	buffer []byte
	sent   []byte // of a request with a number
	took   [classes][]time.Duration
	err    error
}

var (
	headerEnd     = []byte("\r\n\r\n")
	contentLength = []byte("\r\nContent-Length: ")
	inChunks      = []byte("\r\nTransfer-Encoding: chunked\r\n")
)

// chunks is the length of a body that comes in chunks.
const chunks = -1

// exchange sends a request and reads its answer. It looks at no more than it
// must, since every moment spent here is taken from the server beside it.
func (c *connection) exchange(r *request, number int) error {
	out := r.Bytes
	if at := bytes.Index(out, []byte(numberMark)); at >= 0 {
		c.sent = append(c.sent[:0], out...)
		copy(c.sent[at:], fmt.Sprintf("%0*d", len(numberMark), number))
		out = c.sent
	}
	if _, err := c.Write(out); err != nil {
		return err
	}
	have, end := 0, -1
	for end < 0 {
		n, err := c.Read(c.buffer[have:])
		if err != nil {
			return fmt.Errorf("%.80q: %w", out, err)
		}
		have += n
		if end = bytes.Index(c.buffer[:have], headerEnd); end < 0 && have == len(c.buffer) {
			return fmt.Errorf("%.80q: a header of more than %d bytes", out, have)
		}
	}
	status, length, err := readHeader(c.buffer[:end+2])
	if err == nil && status != r.Status {
		err = fmt.Errorf("answered %d, want %d: %.300q", status, r.Status, c.buffer[end:have])
	}
	if err != nil {
		return fmt.Errorf("%.300q: %w", out, err)
	}
	if length == chunks {
		return c.discardChunks(c.buffer[end+len(headerEnd) : have])
	}
	for rest := end + len(headerEnd) + length - have; rest != 0; {
		n, err := c.Read(c.buffer[:min(max(rest, 0), len(c.buffer))])
		if rest -= n; err != nil || rest < 0 {
			return fmt.Errorf("%.80q: reading the body: %v, %d bytes are left", out, err, rest)
		}
	}
	return nil
}

// discardChunks reads a body in chunks, of which some bytes are there.
func (c *connection) discardChunks(have []byte) error {
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(have), c.Conn), 64<<10)
	if _, err := io.Copy(io.Discard, httputil.NewChunkedReader(r)); err != nil {
		return fmt.Errorf("reading a body in chunks: %w", err)
	}
	if line, err := r.ReadString('\n'); line != "\r\n" || r.Buffered() > 0 {
		return fmt.Errorf("%q after a body in chunks: %v, and %d bytes", line, err, r.Buffered())
	}
	return nil
}

// readHeader takes the status and the length of the body from the header of an
// answer. The servers here say the length of every body there is, or send it in chunks.
func readHeader(header []byte) (status, length int, err error) {
	if len(header) < len("HTTP/1.1 200") {
		return 0, 0, fmt.Errorf("no status in %q", header)
	}
	if status, err = strconv.Atoi(string(header[9:12])); err != nil || status == 304 {
		return status, 0, err
	}
	if bytes.Contains(header, inChunks) {
		return status, chunks, nil
	}
	_, rest, found := bytes.Cut(header, contentLength)
	digits, _, ended := bytes.Cut(rest, []byte("\r\n"))
	if length, err = strconv.Atoi(string(digits)); err != nil || !found || !ended || length < 0 {
		return 0, 0, fmt.Errorf("no length in %q", header)
	}
	return status, length, nil
}
