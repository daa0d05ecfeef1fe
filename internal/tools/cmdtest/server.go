// A server, and what it is told.

package cmdtest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/tools/apitest"
)

// A Server is a server that ends with its test.
type Server struct {
	URL, Token string
	Metrics    string // address of the metrics; "" without
	Desk       string // address of the first page
	Client     *http.Client
	Stop       func() error // ends it and returns what run returned; again: the same
	May        bool         // end with an error
	Stderr     *apitest.Buffer
}

// Start runs serve with flags, on a free port, and waits until it is
// ready.
func (run Program) Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &Server{
		Client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		Stderr: &apitest.Buffer{},
	}
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"serve", "-addr", "127.0.0.1:0"}, flags...),
			cli.Process{Getenv: None, Stdout: in, Stderr: s.Stderr})
		in.Close()
		ended <- err
	}()
	s.Stop = sync.OnceValue(func() error {
		cancel()
		s.Client.CloseIdleConnections()
		return <-ended
	})
	t.Cleanup(func() {
		if err := s.Stop(); err != nil && !s.May {
			t.Errorf("serve ended with: %v\n%s", err, s.Stderr)
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("serve ended without a ready line: %v\n%s", s.Stop(), s.Stderr)
	}
	var ready struct{ URL, Token, Metrics, Desk string }
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatalf("ready line %q: %v", line, err)
	}
	s.URL = ready.URL
	s.Token = ready.Token
	s.Metrics = ready.Metrics
	s.Desk = ready.Desk
	return s
}

// Still are flags that make answers depend on nothing but the records.
var Still = []string{
	"-url",
	"http://calendar.example.org",
	"-clock",
	"2031-05-10 12:00:00",
	"-freeze",
}

// On returns flags for a data directory.
func On(dir string, flags ...string) []string { return append([]string{"-data", dir}, flags...) }
