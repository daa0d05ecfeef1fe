package command

import (
	"almanac/internal/serve/httpd"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Thousands of slow clients that reconnect, beside a fast one.

// floodBody is the beginning of a request that they never finish.
const floodBody = " " + v1 + "/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"

// flood keeps n connections open, and reopens each as soon as the server closes it. One of ten
// begins a write without the right to it, all others a read with an unfinished body. When all were
// open it prints a line like a server that is ready. It runs in a child and does not end.
func flood(address string, n int) {
	var first sync.WaitGroup
	first.Add(n)
	for i := range n {
		text := "GET" + floodBody
		if i%10 == 0 {
			text = "POST" + floodBody
		}
		go func() {
			opened := sync.OnceFunc(first.Done)
			for {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					continue
				}
				_, _ = io.WriteString(conn, text)
				opened()
				_, _ = io.Copy(io.Discard, conn)
				conn.Close()
			}
		}()
	}
	first.Wait()
	fmt.Printf("{\"pid\":%d}\n", os.Getpid())
	select {}
}

// 2,500 clients that begin a request and do not go on, and come again as soon as
// they are cut off, do not keep another from being answered: every one of a
// hundred requests, which come from the same address. An answer takes less than a
// second on a machine that does nothing else. So that the test does not depend on that,
// nobody is cut off for being slow: if no connection were closed for a new one, the first
// clients would stay for ever, and nobody else would be answered.
func TestFlood(t *testing.T) {
	clients := 2500
	const spareFiles = 64 // beside connections
	if files := httpd.OpenFiles(); files != 0 && int(files) < clients+spareFiles {
		clients = int(files) - spareFiles
		t.Logf("%d clients, as the system lets a process open %d files", clients, files)
	}
	serve := serveCommand(t, filepath.Join(t.TempDir(), "data"))
	serve.Args = append(
		serve.Args,
		"-read-timeout",
		"0",
		"-write-timeout",
		"0",
		"-idle-timeout",
		"0",
	)
	ready := startProcess(t, serve)
	fill(t, caller{URL: ready.URL, Token: ready.Token, Client: http.DefaultClient})
	text, err := json.Marshal(limits{
		Flood:   strings.TrimPrefix(ready.URL, "http://"),
		Clients: clients,
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	attack := exec.Command(file)
	attack.Env = append(cleanEnvironment(), childVariable+"="+string(text))
	startProcess(t, attack)

	fresh := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	took := make([]time.Duration, 100)
	for i := range took {
		c := caller{URL: ready.URL, Token: "", Client: fresh}
		method := "GET"
		path := "/events?starts_after=2031-01-01"
		body := ""
		if i%4 == 0 {
			c.Token = ready.Token
			method = "PUT"
			path = "/events/4"
			body = `{"title":"Fair"}`
		}
		start := time.Now()
		c.Must(t, method, v1+path, body)
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	t.Logf(
		"beside %d clients that come again and again, half of %d answers took %v and the longest %v",
		clients,
		len(took),
		took[len(took)/2],
		took[len(took)-1],
	)
}
