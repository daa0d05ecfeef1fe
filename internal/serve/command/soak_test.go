package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file keeps a server busy for long, with readers and writers as every day
// has them beside clients that want it to stop. `make soak` does it for half an
// hour.

// TestSoak attacks a server in every way that docs/THREATS.md says stops nobody else,
// all at once. The readers and writers must be served as if they were alone,
// every answer to a writer must be kept, and memory must stay within its bounds.
func TestSoak(t *testing.T) {
	text := os.Getenv("ALMANAC_SOAK")
	if text == "" {
		t.Skip("a soak takes long: ALMANAC_SOAK=30m says how long")
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("ALMANAC_SOAK: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(program(t), "serve", "-data", dir, "-addr", "127.0.0.1:0")
	cmd.Env = cleanEnvironment()
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	ready := startProcess(t, cmd)
	s := &soak{
		url:      ready.URL,
		host:     strings.TrimPrefix(ready.URL, "http://"),
		readers:  clientFrom("127.0.0.5"),
		kept:     map[int64]string{},
		failures: map[string]int{},
	}
	admin := s.as("127.0.0.2", ready.Token)
	for _, role := range []string{"editor", "author", "contributor"} {
		s.tokens = append(s.tokens, mustUsers(t, "add", "-data", dir, "-role", role, role))
	}
	editor := s.as("127.0.0.2", s.tokens[0])
	author := s.as("127.0.0.3", s.tokens[1])
	contributor := s.as("127.0.0.4", s.tokens[2])
	fill(t, admin)
	s.huge(t, author)

	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	for range 4 {
		s.loop(ctx, 5*time.Millisecond, func() { s.read() })
	}
	for i := range 2 {
		s.loop(ctx, 20*time.Millisecond, func() { s.write(editor, i) })
	}
	for i := range 2500 { // come again a second after they were dropped, so that a machine of two cores has time for others
		s.loop(
			ctx,
			time.Second,
			func() { s.slowBody(ctx, "127.0.1."+strconv.Itoa(1+i%8), 100, 1) },
		)
	}
	for i := range 200 {
		s.loop(
			ctx,
			time.Second,
			func() { s.slowBody(ctx, "127.0.2."+strconv.Itoa(1+i%8), 1<<20, 1<<19) },
		)
	}
	for i := range 500 {
		s.loop(
			ctx,
			time.Second,
			func() { s.unreadDocument(ctx, fmt.Sprintf("127.0.%d.%d", 4+i%2, 1+i%200)) },
		)
	}
	s.loop(
		ctx,
		time.Second,
		func() { s.ask("127.0.3.1", "/events?per_page=50&search=huge", time.Minute) },
	)
	s.loop(ctx, 10*time.Millisecond, func() { s.send(author, "/events", eventBody("Concert")) })
	s.loop(
		ctx,
		10*time.Millisecond,
		func() { s.send(contributor, "/events", eventBody("Draft "+strings.Repeat("long ", 30000))) },
	)
	for range 2 {
		s.loop(
			ctx,
			20*time.Millisecond,
			func() { s.ask("127.0.3.2", "/events?search="+common, 10*time.Millisecond) },
		)
	}
	s.loop(ctx, time.Millisecond, s.madeUpHost)
	first, most := s.watch(ctx, t, ready.PID, length)
	s.actors.Wait()

	t.Logf(
		"%d reads, the longest took %v; %d writes, the longest took %v; %d attacks",
		s.reads.n.Load(),
		s.reads.longest(),
		s.writes.n.Load(),
		s.writes.longest(),
		s.attacks.Load(),
	)
	written := logBytes(t, dir)
	t.Logf(
		"resident memory: %d MB at most in the first third, %d MB at most after it; %d MB of log were written",
		first>>20,
		most>>20,
		written>>20,
	)
	for what, n := range s.failures {
		t.Errorf("%d times: %s", n, what)
	}
	if bound := soakBytes + 4*written; most > bound {
		t.Errorf("%d MB are resident, more than %d", most>>20, bound>>20)
	}
	for id, title := range s.kept {
		if a := admin.Do(t, "GET", fmt.Sprintf("%s/events/%d?_fields=title", v1, id), ""); !strings.Contains(
			a.Body,
			`"`+title+`"`,
		) {
			t.Errorf(
				"event %d was acknowledged as %q and is answered %d %s",
				id,
				title,
				a.Status,
				a.Body,
			)
		}
	}
	if exit, _, stderr := runCommand(t, "verify", "-data", dir); exit != 0 {
		t.Errorf("verify: %s", stderr)
	}
}

// soakBytes limits the resident memory beside the calendar, which has four times its log: 256 MB
// of cached answers, 64 MB of bodies and some answers of 32 MB, and the same again for garbage.
const soakBytes = 1 << 30

// logBytes returns how long the log of a data directory is.
func logBytes(t *testing.T, dir string) (sum int64) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	return sum
}

// common is a search for words that nearly all texts have.
var common = url.QueryEscape("a b c d e f g h i j k l m n o p q r s t u v w x y z")

func eventBody(title string) string {
	// texts cannot fail
	body, _ := json.Marshal(map[string]string{
		"title":      title,
		"start_date": "tomorrow 20:00",
		"end_date":   "tomorrow 22:00",
	})
	return string(body)
}

// A soak is a server and what is known of it.
type soak struct {
	url, host string
	tokens    []string
	readers   *http.Client
	actors    sync.WaitGroup
	attacks   atomic.Int64

	reads, writes tally

	mu       sync.Mutex // guards below
	kept     map[int64]string
	failures map[string]int
}

// A tally counts requests that have to be answered.
type tally struct{ n, most atomic.Int64 }

func (s *tally) took(d time.Duration) {
	s.n.Add(1)
	for old := s.most.Load(); int64(d) > old && !s.most.CompareAndSwap(old, int64(d)); old = s.most.Load() {
	}
}

func (s *tally) longest() time.Duration { return time.Duration(s.most.Load()).Round(time.Millisecond) }

// loop does something again and again, with pauses.
func (s *soak) loop(ctx context.Context, pause time.Duration, do func()) {
	s.actors.Go(func() {
		for ctx.Err() == nil {
			do()
			if pause > 0 {
				select {
				case <-ctx.Done():
				case <-time.After(pause):
				}
			}
		}
	})
}

// as returns a caller that asks from an address of this machine.
func (s *soak) as(
	address, token string,
) caller {
	return caller{URL: s.url, Token: token, Client: clientFrom(address)}
}

func clientFrom(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{
		Timeout: time.Minute,
		Transport: &http.Transport{
			DialContext:         dialer.DialContext,
			MaxIdleConnsPerHost: 16,
		},
	}
}

// fail notes what went wrong for somebody who does no harm.
func (s *soak) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures[fmt.Sprintf(format, args...)]++
}

// exchange sends a request and returns status and body.
func (s *soak) exchange(client *http.Client, hr *http.Request) (int, []byte, error) {
	resp, err := client.Do(hr)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// read is the work of readers.
func (s *soak) read() {
	paths := []string{
		"/events?per_page=10",
		"/events?categories=1",
		"/events?search=ordinary",
		"/events/3",
		"/venues",
		"/doc",
	}
	path := paths[rand.IntN(len(paths))]
	hr, _ := http.NewRequest("GET", s.url+v1+path, nil)
	start := time.Now()
	status, _, err := s.exchange(s.readers, hr)
	s.reads.took(time.Since(start))
	if err != nil || status != http.StatusOK {
		s.fail("GET %s: %d %v", path, status, err)
	}
}

// write is the work of editors.
func (s *soak) write(editor caller, who int) {
	title := fmt.Sprintf("Ordinary %d of %d", s.writes.n.Load(), who)
	start := time.Now()
	status, text, err := s.post(editor, "/events", eventBody(title))
	s.writes.took(time.Since(start))
	var made struct{ ID int64 }
	if err != nil || status != http.StatusCreated || json.Unmarshal(text, &made) != nil {
		s.fail("POST /events: %d %.100s %v", status, text, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[made.ID] = title
}

func (s *soak) post(c caller, path, body string) (int, []byte, error) {
	hr, _ := http.NewRequest("POST", s.url+v1+path, strings.NewReader(body))
	hr.Header.Set("Authorization", "Bearer "+c.Token)
	hr.Header.Set("Content-Type", "application/json")
	return s.exchange(c.Client, hr)
}

// send writes as somebody who writes too much.
func (s *soak) send(c caller, path, body string) {
	s.attacks.Add(1)
	if status, text, err := s.post(c, path, body); err == nil && status != http.StatusCreated &&
		status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		s.fail("POST %s: %d %.100s", path, status, text)
	}
}

// huge makes lists that would be hundreds of megabytes.
func (s *soak) huge(t *testing.T, author caller) {
	t.Helper()
	text := strings.Repeat("huge text ", 19800)
	var organizers []string
	for i := range 40 {
		status, body, err := s.post(
			author,
			"/organizers",
			fmt.Sprintf(`{"organizer":"Huge %d","description":%q}`, i, text),
		)
		var made struct{ ID int64 }
		if err != nil || status != http.StatusCreated || json.Unmarshal(body, &made) != nil {
			t.Fatalf("POST /organizers: %d %.100s %v", status, body, err)
		}
		organizers = append(organizers, strconv.FormatInt(made.ID, 10))
	}
	for i := range 50 {
		body := fmt.Sprintf(
			`{"title":"Huge %d","start_date":"tomorrow 20:00","end_date":"tomorrow 22:00","organizer":[%s]}`,
			i,
			strings.Join(organizers, ","),
		)
		if status, text, err := s.post(author, "/events", body); err != nil ||
			status != http.StatusCreated {
			t.Fatalf("POST /events: %d %.100s %v", status, text, err)
		}
	}
}

// ask reads as somebody who reads too much, and does not stay for the answer.
func (s *soak) ask(address, path string, patience time.Duration) {
	s.attacks.Add(1)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	hr, _ := http.NewRequestWithContext(ctx, "GET", s.url+v1+path, nil)
	client := clientFrom(address)
	defer client.CloseIdleConnections()
	resp, err := client.Do(hr)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // it may be cut off
}

func (s *soak) madeUpHost() {
	s.attacks.Add(1)
	hr, _ := http.NewRequest("GET", s.url+v1+"/doc", nil)
	hr.Host = fmt.Sprintf("h%d.example.org", rand.IntN(16))
	_, _, _ = s.exchange(s.readers, hr)
}

// slowBody announces a body and sends a part of it, then waits to be dropped.
func (s *soak) slowBody(ctx context.Context, address string, announced, sent int) {
	s.attacks.Add(1)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := dialer.DialContext(ctx, "tcp", s.host)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	_, err = fmt.Fprintf(
		conn,
		"POST %s/events HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		v1,
		s.host,
		announced,
		strings.Repeat("x", sent),
	)
	if err == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

// unreadDocument asks for a document and takes nothing of it for a while.
func (s *soak) unreadDocument(ctx context.Context, address string) {
	s.attacks.Add(1)
	paths := []string{
		v1 + "/events.ics?expand=true",
		v1 + "/events.csv",
		v1 + "/events.csv?orderby=title",
		"/events/?ical=1",
		"/sitemap.xml",
	}
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := dialer.DialContext(ctx, "tcp", s.host)
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", paths[rand.IntN(len(paths))], s.host)
	stay := time.Duration(rand.IntN(30)) * time.Second
	select {
	case <-ctx.Done():
	case <-time.After(stay):
	}
}

// watch looks at the memory of the server every second. It returns the most that
// was resident in the first third of the time, and after it.
func (s *soak) watch(
	ctx context.Context,
	t *testing.T,
	pid int,
	length time.Duration,
) (first, later int64) {
	start := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return first, later
		case <-tick.C:
		}
		now := resident(t, pid)
		if time.Since(start) < length/3 {
			first = max(first, now)
		} else {
			later = max(later, now)
		}
		if n%60 == 0 {
			t.Logf(
				"after %v: %d MB, %d reads, %d writes, %d attacks",
				time.Since(start).Round(time.Second),
				now>>20,
				s.reads.n.Load(),
				s.writes.n.Load(),
				s.attacks.Load(),
			)
		}
	}
}

// resident reads how much memory of a process is resident.
func resident(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Skipf("no memory of processes is told here: %v", err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
