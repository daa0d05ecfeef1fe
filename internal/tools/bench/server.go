// Servers: processes that tell on standard output where they are, and end with
// their standard input. L is one of them.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A server is a process that runs.
type server struct {
	URL, Token, Metrics string // of its ready line
	PID                 int

	first  time.Duration // from the start of the process to its first answer
	err    error         // the first of answers
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
	pipe   func() net.Conn // leads to a server of a test
}

// launch starts a process, gives it input, or a request after its ready line.
func launch(cmd *exec.Cmd, input []byte) (s *server, err error) {
	s = &server{cmd: cmd}
	cmd.Stderr = &s.stderr
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if _, err = s.stdin.Write(input); err == nil {
		err = json.NewDecoder(out).Decode(s)
	}
	if input == nil {
		s.ask(get(eventsPath))
	}
	if err = cmp.Or(err, s.err); err != nil {
		return nil, errors.Join(fmt.Errorf("not ready: %w", err), s.stop())
	}
	s.first = time.Since(start)
	return s, nil
}

// stop ends the server and waits until it has written its files.
func (s *server) stop() error {
	s.stdin.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%s", s.cmd, err, &s.stderr)
	}
	return nil
}

func (s *server) dial() (*conn, error) {
	if s.pipe != nil {
		return newConn(s.pipe()), nil
	}
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	return newConn(c), err
}

// An answer is ready to be written again.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// answers returns the answers to requests, empty ones from the first error on, which it leaves in
// s.err.
func (s *server) answers(requests ...request) []answer {
	all := make([]answer, len(requests))
	if s.err != nil {
		return all
	}
	var c *conn
	if c, s.err = s.dial(); s.err != nil {
		return all
	}
	defer c.Close()
	for i, r := range requests {
		var body bytes.Buffer
		var header http.Header
		if header, s.err = c.exchange(r, 0, &body); s.err != nil {
			break
		}
		all[i] = answer{r.status, header, body.Bytes()}
	}
	return all
}

func (s *server) ask(r request) answer { return s.answers(r)[0] }

// sum returns the sum of the numbers that an expression finds in a text.
func sum(text []byte, expression string) (sum float64) {
	if found := regexp.MustCompile(expression).FindSubmatch(text); found != nil {
		for _, number := range found[1:] {
			n, _ := strconv.ParseFloat(string(number), 64)
			sum += n
		}
	}
	return sum
}

// proc returns the sum of the numbers that an expression finds in a file of the process in /proc,
// 0 where the system has none.
func (s *server) proc(name, expression string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.PID, name))
	return sum(text, expression)
}

// resident returns the bytes in memory.
func (s *server) resident() float64 { return 1024 * s.proc("status", `\nVmRSS:\s+(\d+) kB`) }

// processor returns the time that the process has used, which the system counts in hundredths of a
// second.
func (s *server) processor() time.Duration {
	return time.Duration(s.proc("stat", `\) \S(?: \S+){10} (\d+) (\d+) `)) * time.Second / 100
}

// launchBare starts L with the answers that it gives.
func launchBare(answers map[string]answer) (*server, error) {
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return launch(exec.Command(self, bareCommand), append(text, '\n'))
}

// serveBare is the process of L. Its time limits are those of the program, since they cost
// something too.
func serveBare(in io.Reader, out io.Writer) error {
	var answers map[string]answer
	input := bufio.NewReader(in)
	line, err := input.ReadBytes('\n')
	if err := errors.Join(err, json.Unmarshal(line, &answers)); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		a := answers[r.RequestURI]
		for name, values := range a.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(a.Status)
		w.Write(a.Body)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
	}
	go s.Serve(listener) // ends with the process
	err = json.NewEncoder(out).Encode(server{
		URL: "http://" + listener.Addr().String(),
		PID: os.Getpid(),
	})
	_, copied := io.Copy(io.Discard, input)
	return errors.Join(err, copied)
}
