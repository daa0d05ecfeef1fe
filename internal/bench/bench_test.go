package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/race"
	"almanac/store"
)

// The test program is also the load process, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && (os.Args[1] == loadCommand || os.Args[1] == bareCommand) {
		main()
		return
	}
	os.Exit(m.Run())
}

// Every case runs, with a calendar that is small.
func TestMeasure(t *testing.T) {
	race.Alone(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var out bytes.Buffer
	if err := measure([]string{"-n", "300", "-rounds", "1", "-for", "5ms", "-dir", t.TempDir()}, &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"\na any page, asked again ", "\na any page, signed in ", "\nb first page ", "\nb deep pages ", "\nc any page, nothing kept ",
		"\nd one event by id ", "\nd one event by slug ",
		"\ne categories and dates ", "\ne organizer and dates ", "\nf top category, featured, ticketed ", "\ng search two letters ",
		"\nh durable creates ", "\ni 3,000 requests/s, 10 % creates ", "\nj unchanged, 304 ", "\nk memory ", "\nl gzip, asked anew ",
		"\nn any page, asked again ", "\nn first_of_series and dates ", "\nq fixture process ", "\nr a series, 105 events ",
		"\ny list pages, asked anew ", "\ny months of a category, asked again ", "\ny list, anew, last page, ", " goals are met\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &out)
		}
	}
}

// A table that stops halfway leaves the one that was kept before.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "bench.txt")
	for _, test := range []struct {
		name string
		args []string
		ok   bool
	}{
		{"halfway", []string{"-only", "^k ", "-n", "10", "-dir", filepath.Join(dir, "none")}, false},
		{"whole", []string{"-only", "^nothing"}, true},
	} {
		if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := measure(append(test.args, "-keep", name), &out); (err == nil) != test.ok || out.Len() == 0 {
			t.Errorf("%s: %v, after %q", test.name, err, &out)
		}
		want := "before"
		if test.ok {
			want = out.String()
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %q is kept, want %q; %v", test.name, got, want, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Errorf("%s: there are %v, %v", test.name, files, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		ok   bool
	}{
		{"nothing", nil, true},
		{"all", []string{"-n", "5,7", "-rounds", "1", "-for", "2s", "-only", "^a"}, true},
		{"no number", []string{"-n", "5,,7"}, false},
		{"no events", []string{"-n", "0"}, false},
		{"no rounds", []string{"-rounds", "0"}, false},
		{"no time", []string{"-for", "0s"}, false},
		{"no expression", []string{"-only", "("}, false},
		{"an argument", []string{"all"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if s, err := parse(test.args); (err == nil) != test.ok {
				t.Errorf("parsed as %+v, %v", s, err)
			}
		})
	}
}

// L is no measure unless it answers what almanac answers, to the byte.
func TestBareAnswersTheSame(t *testing.T) {
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := almanactest.Generate(s, 300)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := product(s, mode{})
	if err != nil {
		t.Fatal(err)
	}
	resp, _, err := ask(h, get(list("page", "2")))
	if err != nil {
		t.Fatal(err)
	}
	unchanged := get(list("page", "2"), "If-None-Match: "+resp.Header.Get("ETag"))
	unchanged.Status = http.StatusNotModified
	requests := map[string]request{
		"a list":      get(eventsPath),
		"a page":      get(list("start_date", "2031-01-01", "end_date", "2031-12-31", "page", "3")),
		"a calendar":  get(eventsPath + ".ics"),
		"no events":   get(list("search", "nowhere")),
		"an event":    get(fmt.Sprintf("%s/%d", eventsPath, c.Events[0])),
		"compressed":  get(list("page", "4"), "Accept-Encoding: gzip"),
		"not changed": unchanged,
	}
	for name, r := range requests {
		t.Run(name, func(t *testing.T) {
			l, err := bare(h, []request{r}, nil)
			if err != nil {
				t.Fatal(err)
			}
			tr, err := trialOf(name, h, l, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer tr.close()
			if diff := cmp.Diff(overWire(t, tr.ours, r), overWire(t, tr.bare, r)); diff != "" {
				t.Errorf("answers (-almanac, +L):\n%s", diff)
			}
		})
	}
}

// Each side of a comparison with itself is asked for its own requests.
func TestBeside(t *testing.T) {
	sideAt := func(path string) side {
		mux := http.NewServeMux()
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, path) })
		return side{mux, []request{get(path)}}
	}
	tr, err := beside("x", sideAt("/ours"), sideAt("/theirs"))
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	if err := compare(settings{rounds: 2, length: time.Millisecond}, tr); err != nil || len(tr.mine) != 2 || len(tr.theirs) != 2 {
		t.Errorf("%d and %d rounds, %v; want 2 each", len(tr.mine), len(tr.theirs), err)
	}
}

// overWire returns the header and the body of an answer as they are sent.
func overWire(t *testing.T, s *server, r request) any {
	t.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write(r.Bytes); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	return []any{resp.Status, resp.Header, string(body)}
}

// The load process notices every answer that is not as expected.
func TestExchange(t *testing.T) {
	for _, test := range []struct {
		name, answer, err string
	}{
		{"a body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello", ""},
		{"a long body", "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + strings.Repeat("x", 99_999), ""},
		{"no body", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""},
		{"another status", "HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nhello", "answered 500, want 200"},
		{"no length", "HTTP/1.1 200 OK\r\nX: y\r\n\r\nhello", "no length"},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", "5 bytes are left"},
		{"more than a body", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello", "-2 bytes are left"},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", ""},
		{"half of the chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\n", "unexpected EOF"},
		{"more than chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP", "and 4 bytes"},
		{"half a header", "HTTP/1.1 200", "EOF"},
		{"an endless header", strings.Repeat("x", 1000), "a header of more than"},
		{"no HTTP", "oh\r\n\r\n", "no status"},
	} {
		t.Run(test.name, func(t *testing.T) {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				http.ReadRequest(bufio.NewReader(there))
				io.WriteString(there, test.answer)
			}()
			c := &connection{Conn: here, buffer: make([]byte, 500)}
			r := get("/")
			err := c.exchange(&r, 0)
			here.Close()
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

// A request with a number never goes out twice the same.
func TestNumbers(t *testing.T) {
	here, there := net.Pipe()
	defer here.Close()
	bodies := make(chan string)
	go func() {
		in := bufio.NewReader(there)
		for {
			hr, err := http.ReadRequest(in)
			if err != nil {
				close(bodies)
				return
			}
			body, _ := io.ReadAll(hr.Body)
			bodies <- string(body)
			io.WriteString(there, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
		}
	}()
	c := &connection{Conn: here, buffer: make([]byte, 500)}
	r := post("/", "title "+numberMark)
	for _, n := range []int{7, 1_234_567_890} {
		sent := make(chan error)
		go func() { sent <- c.exchange(&r, n) }()
		if got, want := <-bodies, fmt.Sprintf("title %010d", n); got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(r.Bytes, []byte(numberMark)) {
		t.Error("the request itself was changed")
	}
}

func TestTimesOf(t *testing.T) {
	var took []time.Duration
	for i := range 101 {
		took = append(took, time.Duration(100-i))
	}
	if diff := cmp.Diff(times{101, 50, 99, 100}, timesOf(took)); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	if diff := cmp.Diff(times{}, timesOf(nil)); diff != "" {
		t.Errorf("of nothing (-want, +got):\n%s", diff)
	}
}

func TestRow(t *testing.T) {
	tr := &trial{name: "x", bare: &server{}}
	for _, n := range []int{100, 50, 80} {
		tr.mine = append(tr.mine, round{report: report{Requests: n, Elapsed: time.Second}})
		tr.theirs = append(tr.theirs, round{report: report{Requests: 100, Elapsed: time.Second}})
	}
	var out bytes.Buffer
	table := &table{w: &out}
	table.add(tr.row("requests/s", round.rate, atLeast(0.8)), tr.row("requests/s", round.rate, atMost(0.7)),
		tr.row("requests/s", round.rate, goal{}))
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"x requests/s 80.0 100 0.80 (0.50-1.00) >= 0.8 L yes",
		"x requests/s 80.0 100 0.80 (0.50-1.00) <= 0.7 L no",
		"x requests/s 80.0 100 0.80 (0.50-1.00)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
	if table.goals != 2 || table.reached != 1 {
		t.Errorf("%d of %d goals are met, want 1 of 2", table.reached, table.goals)
	}
}

func TestGoal(t *testing.T) {
	for _, test := range []struct {
		goal   goal
		number float64
		met    bool
	}{
		{atLeast(0.5), 0.5, true}, {atLeast(0.5), 0.49, false}, {atMost(2), 2, true}, {atMostItself(2), 2.1, false},
		{atLeast(0.5), math.NaN(), false}, {atMost(0.5), math.NaN(), false},
	} {
		if got := test.goal.met(test.number); got != test.met {
			t.Errorf("%v by %v: %t", test.goal, test.number, got)
		}
	}
}

func TestTookOf(t *testing.T) {
	for _, test := range []struct {
		plan string
		want time.Duration
		ok   bool
	}{
		{"index=dates; candidates=12; took=12.3µs", 12300, true},
		{"took=1ms", time.Millisecond, true},
		{"index=dates", 0, false},
		{"took=long", 0, false},
		{"", 0, false},
	} {
		if got, ok := tookOf(test.plan); got != test.want || ok != test.ok {
			t.Errorf("%q: %v, %t", test.plan, got, ok)
		}
	}
}

func TestAppender(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	a, err := newAppender(path, []byte("line\n"))
	if err != nil {
		t.Fatal(err)
	}
	const n = 500
	failed := make(chan error)
	for range n {
		go func() { failed <- a.append() }()
	}
	for range n {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	a.close()
	if got, err := os.ReadFile(path); string(got) != strings.Repeat("line\n", n) {
		t.Errorf("%d bytes, %v; want %d lines", len(got), err, n)
	}
}

func TestWord(t *testing.T) {
	w := &world{}
	for i := range 20_000 {
		w.words = append(w.words, fmt.Sprint(i))
	}
	known := map[string]bool{}
	for i := range searches {
		known[w.word(i)] = true
	}
	if len(known) < searches*3/4 || w.word(0) != "1" || len(w.word(searches-1)) != 5 {
		t.Errorf("%d different words, from rank %s to %s", len(known), w.word(0), w.word(searches-1))
	}
}
