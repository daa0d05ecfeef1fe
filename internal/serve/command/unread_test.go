package command

import (
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

	"almanac/almanactest"
	"almanac/store"
)

// This file is very many clients that ask for a long document each, and read nothing.

// unread sends one request by each of n connections, from several addresses of this machine in
// turn, and prints a line like a server that is ready when all are sent. Path may have a %d for
// the number of the request; with gzip in it, the requests accept that. It runs in a child and
// does not end.
func unread(address, path string, n, addresses int) {
	var all sync.WaitGroup
	conns := make([]net.Conn, n)
	for i := range n {
		all.Go(func() {
			from := &net.TCPAddr{
				IP: net.IPv4(127, 1, byte(i%addresses/250), byte(1+i%addresses%250)),
			}
			conn, err := (&net.Dialer{LocalAddr: from}).Dial("tcp", address)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			conns[i] = conn
			fields := "Host: a\r\n"
			if strings.Contains(path, "gzip") {
				fields += "Accept-Encoding: gzip\r\n"
			}
			_, _ = io.WriteString(
				conn,
				"GET "+strings.ReplaceAll(path, "%d", fmt.Sprint(i))+" HTTP/1.1\r\n"+fields+"\r\n",
			)
		})
	}
	all.Wait()
	fmt.Printf("{\"pid\":%d}\n", os.Getpid())
	select {}
}

// unreadDir returns a data directory with a number of events.
func unreadDir(t *testing.T, events int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := almanactest.Generate(s, events); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Clients that request whole documents and do not read them delay no other client and fill no
// memory, from one address or from many. With ALMANAC_UNREAD they request every kind of document,
// use nearly all connections, the calendar is large, and the limits are those of an idle machine
// with two processors:
//
//	ALMANAC_UNREAD=1 go test -count=1 -run TestUnreadDocuments -v ./internal/serve/command
func TestUnreadDocuments(t *testing.T) {
	full := os.Getenv("ALMANAC_UNREAD") != ""
	events := 4000
	clients := 300
	patience := time.Minute
	most := int64(250 << 20)
	long := time.Duration(0)
	if full {
		events = 100_000
		clients = 1500
		patience = time.Second
		most = 400 << 20
		long = 5 * time.Second
	}
	dir := unreadDir(t, events)
	const window = "start_date=2029-01-01&end_date=2034-01-01"
	for _, test := range []struct{ name, path string }{
		{"sitemap", "/sitemap.xml?part=1"},
		{"csv", v1 + "/events.csv?" + window},
		{"compressed csv", v1 + "/events.csv?gzip&" + window},
		{"expanded ics", v1 + "/events.ics?expand=true&" + window},
		{"csv by title", v1 + "/events.csv?orderby=title&" + window},
		{"different csv", v1 + "/events.csv?order=desc&x=%d&" + window},
		{"different lists", v1 + "/events?per_page=50&x=%d&" + window},
	} {
		for _, addresses := range []int{1, 500} {
			if !full && (addresses == 1 || !strings.HasPrefix(test.name, "csv")) {
				continue
			}
			t.Run(fmt.Sprintf("%s from %d", test.name, addresses), func(t *testing.T) {
				u := beginUnread(t, dir, events)
				calm := u.readMuch(0)
				rest := resident(t, u.pid)
				u.attack(limits{
					Flood:     u.host,
					Clients:   clients,
					Unread:    test.path,
					Addresses: addresses,
				})
				stop := make(chan bool)
				peak := make(chan int64)
				go u.watch(stop, peak)
				took := u.readMuch(long)
				stop <- true
				grown := <-peak - rest
				longest := took[len(took)-1]
				t.Logf(
					"beside %d clients half of %d answers took %v, 99 of 100 %v and the longest %v (%v without them); "+
						"%d MB more than the %d MB at rest",
					clients,
					len(took),
					took[len(took)/2],
					took[len(took)*99/100],
					longest,
					calm[len(calm)-1],
					grown>>20,
					rest>>20,
				)
				if longest > patience {
					t.Errorf("an answer took %v", longest)
				}
				if grown > most {
					t.Errorf("%d MB more than at rest", grown>>20)
				}
			})
		}
	}
}

// An unreadTest is a server with one who reads what he asks for.
type unreadTest struct {
	t      *testing.T
	url    string
	host   string
	pid    int
	reader *http.Client
	events int
}

func beginUnread(t *testing.T, dir string, events int) *unreadTest {
	t.Helper()
	cmd := exec.Command(
		program(t),
		on(dir, "-addr", "127.0.0.1:0", "-clock", "2030-06-15 12:00:00")...)
	cmd.Env = cleanEnvironment()
	ready := startProcess(t, cmd)
	u := &unreadTest{
		t,
		ready.URL,
		strings.TrimPrefix(ready.URL, "http://"),
		ready.PID,
		clientFrom("127.0.0.5"),
		events,
	}
	u.reader.Transport.(*http.Transport).DisableKeepAlives = true
	if !await(func() bool { // until the words are indexed
		resp, err := u.reader.Get(u.url + v1 + "/events?search=a")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}) {
		t.Fatal("the words are not indexed")
	}
	return u
}

// readMuch asks a hundred times for a list, a search, an event or a page, or more often for a
// while, and returns how long each took, the longest last.
func (u *unreadTest) readMuch(long time.Duration) (took []time.Duration) {
	paths := []string{
		v1 + "/events?per_page=50",
		v1 + "/events?search=a",
		v1 + "/events/%d",
		"/events/",
	}
	began := time.Now()
	for i := 0; i < 100 || time.Since(began) < long; i++ {
		path := strings.ReplaceAll(
			paths[i%len(paths)],
			"%d",
			fmt.Sprint(u.events/2+i%(u.events/4)),
		)
		start := time.Now()
		status := 0
		resp, err := u.reader.Get(u.url + path)
		if err == nil {
			status = resp.StatusCode
			_, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		took = append(took, time.Since(start))
		if err != nil ||
			status != http.StatusOK && status != http.StatusForbidden { // some events are drafts
			u.t.Errorf("GET %s: %d %v", path, status, err)
		}
	}
	slices.Sort(took)
	return took
}

// attack begins with what a child does.
func (u *unreadTest) attack(l limits) {
	u.t.Helper()
	text, err := json.Marshal(l)
	if err != nil {
		u.t.Fatal(err)
	}
	file, err := os.Executable()
	if err != nil {
		u.t.Fatal(err)
	}
	attack := exec.Command(file)
	attack.Env = append(cleanEnvironment(), childVariable+"="+string(text))
	startProcess(u.t, attack)
}

// watch looks at the memory of the server until it is stopped, and tells the most that was
// resident.
func (u *unreadTest) watch(stop chan bool, peak chan int64) {
	most := int64(0)
	for tick := time.Tick(20 * time.Millisecond); ; {
		most = max(most, resident(u.t, u.pid))
		select {
		case <-tick:
		case <-stop:
			peak <- most
			return
		}
	}
}
