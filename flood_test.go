package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// This file is thousands of clients that take their time and come again, beside
// one that does not.

// floodKinds are what they send, and then nothing more: a body of somebody who
// may not write, a body of a read, and a header.
var floodKinds = []string{
	"POST " + api + "/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
	"GET " + api + "/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
	"GET " + api + "/events HTTP/1.1\r\nHost: a\r\nX-Slow: ",
}

// flood keeps so many connections open until ctx ends, each opened again as soon
// as the server closes it. It returns when all of them were open once.
func flood(ctx context.Context, t *testing.T, url string, n int) {
	var all, first sync.WaitGroup
	for i := range n {
		first.Add(1)
		all.Go(func() {
			opened := sync.OnceFunc(first.Done)
			defer opened()
			for ctx.Err() == nil {
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(url, "http://"))
				if err != nil {
					opened()
					continue
				}
				stop := context.AfterFunc(ctx, func() { conn.Close() })
				_, _ = io.WriteString(conn, floodKinds[i%len(floodKinds)])
				opened()
				_, _ = io.Copy(io.Discard, conn)
				stop()
				conn.Close()
			}
		})
	}
	t.Cleanup(all.Wait)
	first.Wait()
}

// 2,500 clients that begin a request and do not go on, and come again as soon as
// they are cut off, do not keep another from being answered: every one of a
// hundred requests, which come from the same address. All flags are as they are
// without being given. An answer takes less than a second on a machine that does
// nothing else; the test allows for one that does.
func TestFlood(t *testing.T) {
	clients := 2500
	if files := openFilesLimit(); files != 0 && files < 6000 {
		clients = int(files) * 2 / 5
		t.Logf("%d clients, as the system lets a process open %d files", clients, files)
	}
	s := startServer(t, on(t.TempDir(), "-max-connections", "2000")...)
	admin := s.admin()
	fill(t, admin)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel) // before the clients are waited for
	flood(ctx, t, s.url, clients)
	t.Cleanup(cancel)

	fresh := &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	took := make([]time.Duration, 100)
	var others sync.WaitGroup
	for worker := range 10 {
		others.Go(func() {
			for i := worker; i < len(took); i += 10 {
				c, method, path, body := caller{s.url, "", fresh}, "GET", "/events?starts_after=2031-01-01", ""
				if i%4 == 0 {
					c.token, method, path, body = s.token, "PUT", "/events/4", `{"title":"Fair"}`
				}
				start := time.Now()
				if a := c.do(t, method, api+path, body); a.status != http.StatusOK {
					t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
				}
				took[i] = time.Since(start)
			}
		})
	}
	others.Wait()
	longest := slices.Max(took)
	t.Logf("beside %d clients that come again and again, the longest of %d answers took %v", clients, len(took), longest)
	if longest > 10*time.Second {
		t.Errorf("an answer took %v", longest)
	}
}
