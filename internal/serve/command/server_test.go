package command

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"almanac/internal/cli"
)

// This file starts servers for the tests of this package, through run.

// A testServer is a server that ends with its test.
type testServer struct {
	url, token string
	metrics    string // address of the metrics; "" without
	desk       string // address of the first page
	client     *http.Client
	stop       func() error // ends it and returns what run returned; again: the same
	may        bool         // end with an error
	stderr     *lockedBuffer
}

// startServer runs serve with flags, on a free port, and waits until it is
// ready.
func startServer(t testing.TB, flags ...string) *testServer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	s := &testServer{
		client: &http.Client{
			Transport:     &http.Transport{DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		stderr: &lockedBuffer{},
	}
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"serve", "-addr", "127.0.0.1:0"}, flags...),
			cli.Process{Getenv: func(string) string { return "" }, Stdout: in, Stderr: s.stderr})
		in.Close()
		ended <- err
	}()
	s.stop = sync.OnceValue(func() error {
		cancel()
		s.client.CloseIdleConnections()
		return <-ended
	})
	t.Cleanup(func() {
		if err := s.stop(); err != nil && !s.may {
			t.Errorf("serve ended with: %v\n%s", err, s.stderr)
		}
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("serve ended without a ready line: %v\n%s", s.stop(), s.stderr)
	}
	var ready struct{ URL, Token, Metrics, Desk string }
	if err := json.Unmarshal(line, &ready); err != nil {
		t.Fatalf("ready line %q: %v", line, err)
	}
	s.url = ready.URL
	s.token = ready.Token
	s.metrics = ready.Metrics
	s.desk = ready.Desk
	return s
}
