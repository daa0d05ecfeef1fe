package command

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file has many clients wait for changes.

// openStream asks for a stream of changes from an address of this machine, and returns the
// answer. The stream ends with the test.
func openStream(t *testing.T, server string, from int) (*http.Response, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, byte(from>>8), byte(from))}, Timeout: patience}
	conn, err := dialer.Dial("tcp", strings.TrimPrefix(server, "http://"))
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET "+api+"/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"); err != nil {
		return nil, err
	}
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(bufio.NewReaderSize(conn, 1024), nil)
	if err != nil {
		return nil, err
	}
	return response, conn.SetReadDeadline(time.Time{})
}

// Every stream is told of a change, and others are answered meanwhile; one stream more is
// refused. The long form has as many as ALMANAC_STREAMS says.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is one address of this machine alone")
	}
	clients := int(numberFrom(t, "ALMANAC_STREAMS", 160)) / 16 * 16
	_, long := os.LookupEnv("ALMANAC_STREAMS")
	c, url, cmd := metered(t, "-max-streams", strconv.Itoa(clients), "-max-connections", strconv.Itoa(2*clients))
	c.must(t, "GET", api+"/events", "")
	before, memory := scrape(t, url), resident(t, cmd.Process.Pid)
	told := make(chan time.Time, 2*clients) // when somebody was told of something
	began := time.Now()
	var all sync.WaitGroup
	var failed atomic.Int64
	numbers := make(chan int)
	for range 64 {
		all.Go(func() {
			for i := range numbers {
				a, err := openStream(t, c.url, i%16)
				if err != nil || a.StatusCode != http.StatusOK {
					failed.Add(1)
					continue
				}
				lines := bufio.NewReaderSize(a.Body, 256)
				if _, err := lines.ReadSlice('\n'); err != nil { // the id, which comes with what is known
					failed.Add(1)
					continue
				}
				go func() {
					for {
						line, err := lines.ReadSlice('\n')
						if err != nil && err != bufio.ErrBufferFull {
							return
						}
						for range strings.Count(string(line), `"kind":"tags"`) {
							told <- time.Now()
						}
					}
				}()
			}
		})
	}
	for i := range clients {
		numbers <- i
	}
	close(numbers)
	all.Wait()
	if n := failed.Load(); n > 0 {
		t.Fatalf("%d of %d streams did not begin", n, clients)
	}
	opened := time.Since(began)
	after := scrape(t, url)
	per := func(n float64) string { return fmt.Sprintf("%.1f KB", n/1000/float64(clients)) }
	t.Logf("%d streams, opened in %v; a stream takes %s of memory, %s of it on the heap, and there are %v goroutines", clients,
		opened.Round(time.Millisecond), per(float64(resident(t, cmd.Process.Pid)-memory)),
		per(after["go_memstats_heap_alloc_bytes"]-before["go_memstats_heap_alloc_bytes"]), after["go_goroutines"])
	if n := after["almanac_http_requests_in_flight"]; n < float64(clients) {
		t.Errorf("%v requests are in flight", n)
	}
	for _, from := range []int{0, 16} {
		want := map[int]int{0: http.StatusServiceUnavailable, 16: http.StatusServiceUnavailable}[from]
		if a, err := openStream(t, c.url, from); err != nil || a.StatusCode != want || a.Header.Get("Retry-After") == "" {
			t.Errorf("one stream more: %v %v, want %d", a, err, want)
		}
	}

	// Others ask all the time.
	others, stop := caller{c.url, "", &http.Client{Transport: &http.Transport{}}}, make(chan struct{})
	var slowest atomic.Int64
	var asked atomic.Int64
	var asker sync.WaitGroup
	asker.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			start := time.Now()
			if a := others.do(t, "GET", api+"/tags?hide_empty=false", ""); a.status != http.StatusOK {
				t.Errorf("another request: %d %s", a.status, a.body)
			}
			asked.Add(1)
			slowest.Store(max(slowest.Load(), int64(time.Since(start))))
		}
	})
	wait := func(changes int) (last time.Time) {
		t.Helper()
		for range changes * clients {
			select {
			case last = <-told:
			case <-time.After(patience):
				t.Fatal("not everybody was told")
			}
		}
		return last
	}
	written := time.Now()
	c.must(t, "POST", api+"/tags", `{"name":"free"}`)
	t.Logf("everybody was told after %v; the slowest of %d other requests took %v", wait(1).Sub(written).Round(time.Millisecond),
		asked.Load(), time.Duration(slowest.Swap(0)).Round(time.Millisecond))
	if long {
		const changes = 50
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		began := time.Now()
		for i := range changes {
			<-tick.C
			written = time.Now()
			c.must(t, "POST", api+"/tags", fmt.Sprintf(`{"name":"tag %d"}`, i))
		}
		t.Logf("of %d changes in %v everybody was told %v after the last; the slowest of %d other requests took %v", changes,
			written.Sub(began).Round(time.Millisecond), wait(changes).Sub(written).Round(time.Millisecond),
			asked.Load(), time.Duration(slowest.Load()).Round(time.Millisecond))
	}
	close(stop)
	asker.Wait()
	terminate(t, cmd)
	t.Logf("the server worked for %v in all", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond))
}

// Streams leave half of the connections to others, however many are allowed.
func TestStreamsLeaveConnections(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is one address of this machine alone")
	}
	for _, allowed := range []string{"1000", "0"} {
		s := startServer(t, "-memory", "-max-connections", "32", "-max-streams", allowed)
		got := map[int]int{}
		for i := range 40 {
			a, err := openStream(t, s.url, i)
			if err != nil {
				t.Fatal(err)
			}
			if got[a.StatusCode]++; a.StatusCode != http.StatusOK {
				a.Body.Close()
			}
		}
		if got[http.StatusOK] != 16 || got[http.StatusServiceUnavailable] != 24 {
			t.Errorf("-max-streams %s, of 40 streams: %v", allowed, got)
		}
		s.admin().must(t, "GET", api+"/events", "")
		if said := strings.Contains(s.stderr.String(), "fewer streams of changes than asked for"); said != (allowed != "0") {
			t.Errorf("-max-streams %s: the log says %s", allowed, s.stderr)
		}
	}
}
