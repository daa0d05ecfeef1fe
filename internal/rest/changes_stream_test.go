package rest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/account"
	"almanac/internal/rest"
	"almanac/internal/resttest"
	"almanac/store"
)

// A listener reads a stream of changes, in the place of a connection.
type listener struct {
	head   http.Header
	status int
	lines  chan string // of the stream
	stuck  atomic.Bool // it takes nothing
	late   bool        // it was to take something by a time
}

func (l *listener) Header() http.Header    { return l.head }
func (l *listener) WriteHeader(status int) { l.status = status }
func (l *listener) Flush()                 {}

func (l *listener) SetWriteDeadline(by time.Time) error {
	if !by.IsZero() && l.stuck.Load() {
		l.late = true
	}
	return nil
}

func (l *listener) Write(text []byte) (int, error) {
	if l.late {
		return 0, context.DeadlineExceeded
	}
	for line := range strings.Lines(string(text)) {
		l.lines <- strings.TrimSuffix(line, "\n")
	}
	return len(text), nil
}

// listen asks for a stream and returns what it is sent. It ends with the context.
func (c *changeServer) listen(ctx context.Context, role account.Role, fields ...string) *listener {
	l := &listener{head: http.Header{}, lines: make(chan string, 1000)}
	req := httptest.NewRequestWithContext(ctx, "GET", "http://example.com"+api+"/changes", nil)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("Authorization", resttest.Bearer(leakTokens[role]))
	for i := 0; i < len(fields); i += 2 {
		req.Header.Set(fields[i], fields[i+1])
	}
	go func() {
		defer close(l.lines)
		c.ServeHTTP(l, req)
	}()
	return l
}

// events reads what has come of a stream: of each event the id and what it tells, and of a
// comment "beat".
func (l *listener) events(t *testing.T) (ids, told []string) {
	t.Helper()
	synctest.Wait()
	for len(l.lines) > 0 {
		line, ok := <-l.lines
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case !ok || line == "":
		case name == ":":
			told = append(told, "beat")
		case name == "id":
			ids = append(ids, value)
		case name == "data":
			var page changesPage
			if err := json.Unmarshal([]byte(value), &page); err != nil || page.Token != ids[len(ids)-1] {
				t.Fatalf("%v: %s after the id %v", err, value, ids)
			}
			told = append(told, fmt.Sprint(len(page.Changes)))
		default:
			t.Fatalf("the line %q", line)
		}
	}
	return ids, told
}

// ended reports whether the stream has ended.
func (l *listener) ended() bool {
	synctest.Wait()
	for {
		select {
		case _, more := <-l.lines:
			if !more {
				return true
			}
		default:
			return false
		}
	}
}

// A stream tells what changes goes on, each to who may see it, and says that it is there while
// nothing does. Who was cut off goes on where he was.
func TestChangesStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := startChanges(t, store.Options{})
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		strangers, editors := c.listen(ctx, ""), c.listen(ctx, account.Editor)
		expect := func(what string, l *listener, want string) (last string) {
			t.Helper()
			ids, told := l.events(t)
			if got := strings.Join(told, " "); got != want {
				t.Errorf("%s: told %q, want %q", what, got, want)
			}
			if len(ids) > 0 {
				last = ids[len(ids)-1]
			}
			return last
		}
		expect("at first", strangers, "0")
		expect("at first", editors, "0")
		if h := strangers.head; h.Get("Content-Type") != "text/event-stream" || h.Get("Content-Encoding") != "" ||
			!strings.Contains(h.Get("Cache-Control"), "no-store") || !strings.Contains(h.Get("Vary"), "Accept") || strangers.status != 200 {
			t.Errorf("%d %v", strangers.status, h)
		}
		time.Sleep(time.Second)
		c.add(account.Editor, "venues", `{"venue":"Hall"}`)
		expect("a venue", strangers, "1")
		expect("a venue", editors, "1")
		time.Sleep(time.Second)
		c.ask(account.Editor, "PATCH", "/venues/1", `{"status":"draft"}`, 200)
		last := expect("withdrawn", strangers, "1")
		expect("withdrawn", editors, "1")
		time.Sleep(time.Second)
		c.ask(account.Editor, "PATCH", "/venues/1", `{"city":"Albany"}`, 200)
		expect("a draft", strangers, "")
		expect("a draft", editors, "1")
		time.Sleep(40 * time.Second)
		expect("quiet", strangers, "beat beat")

		// A change each millisecond is told four times in a second.
		for i := range 1000 {
			c.add(account.Editor, "tags", fmt.Sprintf(`{"name":"T%d"}`, i))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		_, told := strangers.events(t)
		sum := 0
		for _, text := range told {
			n := 0
			_, _ = fmt.Sscan(text, &n)
			sum += n
		}
		if sum != 1000 || len(told) > 20 {
			t.Errorf("a thousand changes in a second are told as %v", told)
		}

		again := c.listen(ctx, "", "Last-Event-ID", last)
		time.Sleep(10 * time.Second)
		_, told = again.events(t)
		if len(told) < 10 || told[0] != "100" {
			t.Errorf("who comes again is told %v", told)
		}
		refused := c.listen(ctx, account.Author, "Last-Event-ID", last)
		if !refused.ended() || refused.status != 410 {
			t.Errorf("with the id of another: %d", refused.status)
		}
		leave()
		for _, l := range []*listener{strangers, editors, again} {
			if !l.ended() {
				t.Error("a stream goes on without a client")
			}
		}
	})
}

// A stream ends when the server is stopped, and when its client takes nothing; there are so many
// of one client, and in all.
func TestChangesStreamsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := startChanges(t, store.Options{})
		c.limit = &rest.Limits{Streams: 48}
		c.start()
		var open []*listener
		count := func() map[int]int {
			synctest.Wait()
			n := map[int]int{}
			for _, l := range open {
				n[l.status]++
			}
			return n
		}
		for range 5 {
			open = append(open, c.listen(t.Context(), ""))
			synctest.Wait()
		}
		if got := count(); got[200] != 3 || got[429] != 2 {
			t.Errorf("five streams of one client: %v", got)
		}
		if head := resttest.Serve(c, "HEAD", api+"/changes", "", "Accept", "text/event-stream"); head.Code != 429 {
			t.Errorf("HEAD: %d", head.Code)
		}
		c.Handler.(*rest.Server).EndStreams()
		for i, l := range open {
			if !l.ended() {
				t.Errorf("stream %d goes on", i)
			}
		}

		// Who is told that there is no place has one when another has gone.
		c.start()
		open = nil
		var leave []context.CancelFunc
		listen := func(n int) {
			for i := range n {
				ctx, cancel := context.WithCancel(t.Context())
				leave = append(leave, cancel)
				l := &listener{head: http.Header{}, lines: make(chan string, 1000)}
				req := httptest.NewRequestWithContext(ctx, "GET", "http://example.com"+api+"/changes", nil)
				req.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", i)
				req.Header.Set("Accept", "text/event-stream")
				go func() {
					defer close(l.lines)
					c.ServeHTTP(l, req)
				}()
				open = append(open, l)
				synctest.Wait()
			}
		}
		listen(60)
		if got := count(); got[200] != 48 || got[503] != 12 {
			t.Errorf("sixty streams of sixty clients: %v", got)
		}
		for _, cancel := range leave {
			cancel()
		}
		synctest.Wait()
		open = nil
		listen(48)
		if got := count(); got[200] != 48 {
			t.Errorf("as many streams as before: %v", got)
		}
		for _, l := range open {
			l.events(t)
			l.stuck.Store(true)
		}
		time.Sleep(time.Minute) // there are heartbeats
		for _, l := range open {
			if !l.ended() {
				t.Error("a stream goes on that nobody reads")
			}
		}
		c.store.Close()
	})
}

// Whoever waits behind a connection is told at once, one event after another, and a server that
// stops does not wait for him.
func TestChangesOnTheWire(t *testing.T) {
	t.Parallel()
	c := startChanges(t, store.Options{})
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+api+"/changes", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	in := bufio.NewScanner(resp.Body)
	next := func() (line string) {
		for in.Scan() {
			if line = in.Text(); strings.HasPrefix(line, "data: ") {
				return line
			}
		}
		return "the end"
	}
	if line := next(); !strings.Contains(line, `"changes":[]`) {
		t.Fatal(line)
	}
	c.add(account.Editor, "venues", `{"venue":"Hall"}`)
	if line := next(); !strings.Contains(line, `{"kind":"venues","id":1,"operation":"created"`) {
		t.Fatal(line)
	}
	c.Handler.(*rest.Server).EndStreams()
	if line := next(); line != "the end" {
		t.Fatal(line)
	}
}
