package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/tools/race"
)

// The test program is also L, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == bareCommand {
		main()
		return
	}
	os.Exit(m.Run())
}

// Every row is measured beside L, and every chosen row beside another version.
func TestMeasureAlone(t *testing.T) {
	race.Alone(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "almanac.exe")
	build := exec.Command("go", "build", "-o", binary, "almanac")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names := []string{"start-up  ", "heap  ", "start-up, empty  ", "worlds of @city  "}
	for _, mode := range modes {
		for _, r := range rows {
			if strings.Contains(r.modes, mode.letter) {
				names = append(names, r.name+mode.name+"  ")
			}
		}
	}
	kept := filepath.Join(dir, "kept")
	for _, more := range [][]string{{"-keep", kept}, {"-base", binary, "-only", "^(start-up|heap|pages of lists, again|create, 1)"}} {
		var out bytes.Buffer
		fixed := []string{"-now", binary, "-n", "100", "-rounds", "1", "-requests", "20", "-for", "1ms", "-dir", dir}
		if err := measure(slices.Concat(more, fixed), &out); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		if text, err := os.ReadFile(kept); more[0] == "-keep" && string(text) != out.String() {
			t.Errorf("kept: %q, %v", text, err)
		}
		for _, name := range names {
			chosen := len(more) == 2 || regexp.MustCompile(more[3]).MatchString(name)
			if chosen != strings.Contains(out.String(), "\n"+name) {
				t.Errorf("row %q: chosen is %t in\n%s", name, chosen, &out)
			}
		}
	}
}

// fake returns a server that answers each request with a status, after a delay.
func fake(status int, delay time.Duration) *server {
	return &server{pipe: func() net.Conn {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			in := bufio.NewReader(there)
			for {
				if _, err := http.ReadRequest(in); err != nil {
					return
				}
				time.Sleep(delay)
				fmt.Fprintf(there, "HTTP/1.1 %d OK\r\nContent-Length: 2\r\n\r\nhi", status)
			}
		}()
		return here
	}}
}

// The ratio is that of the delays of two servers, in a time that is not the machine's. A row with
// a server that refuses fails, and the next one is measured all the same.
func TestPlanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m := &measurement{
			base:      "x",
			rounds:    4,
			different: 300,
			length:    time.Second,
			only:      regexp.MustCompile("row"),
			table: &table{
				w:      &out,
				beside: "base",
			},
		}
		m.calendar = &calendar{n: 100}
		row := row{"row", "g", 1, eventsPath, ""}
		for _, now := range []*server{fake(200, 10*time.Millisecond), fake(500, time.Millisecond), fake(200, 21*time.Millisecond)} {
			m.row(
				"row",
				func(string) error { return m.requests(row, []*server{now, fake(200, 20*time.Millisecond)}) },
			)
		}
		want := `row requests/s 100 50.0 2.00 (2.00-2.00)
row ms, median 10.0 20.0 0.50 (0.50-0.50)
row failed: "GET /cal/events/v1/events HTTP/1.1\r\nHost: calendar.example.org\r\nAccept: */*\r\n\r\n": answered 500, want 200: "hi"
row requests/s 47.6 50.0 0.95 (0.95-0.95)
row ms, median 21.0 20.0 1.05 (1.05-1.05)
`
		if diff := cmp.Diff(want, regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")); diff != "" ||
			m.failed != 1 {
			t.Errorf("%d failed (-want, +got):\n%s", m.failed, diff)
		}
	})
}

// Two servers change places in each round.
func TestByTurns(t *testing.T) {
	var order []int
	all, err := byTurns(3, 2, func(side, number int) (int, error) {
		order = append(order, side)
		return 10*side + number, nil
	})
	if diff := cmp.Diff([]any{[]int{0, 1, 1, 0, 0, 1}, [][]int{{0, 1, 2}, {10, 11, 12}}}, []any{order, all}); diff != "" ||
		err != nil {
		t.Errorf("%v (-want, +got):\n%s", err, diff)
	}
}

// L repeats recorded answers to the byte.
func TestBare(t *testing.T) {
	original := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil
		switch r.URL.Path {
		case "/compressed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, "hello")
			z.Close()
		case "/unchanged":
			w.Header().Set("Etag", r.Header.Get("If-None-Match"))
			w.WriteHeader(http.StatusNotModified)
		default:
			io.WriteString(w, strings.Repeat("a list in chunks ", 1000))
		}
	}))
	defer original.Close()
	requests := []request{get("/compressed", "Accept-Encoding: gzip"), get("/list?page=2"),
		message("GET", "/unchanged", "", http.StatusNotModified, `If-None-Match: "a"`)}
	s := &server{URL: original.URL}
	recorded := s.answers(requests...)
	answers := map[string]answer{}
	for i, a := range recorded {
		answers[requests[i].uri] = a
	}
	l, err := launchBare(answers)
	if err != nil {
		t.Fatal(err)
	}
	bare := l.answers(requests...)
	for _, a := range bare {
		a.Header.Del("Date")
	}
	if diff := cmp.Diff(recorded, bare); diff != "" || s.err != nil || l.err != nil ||
		l.stop() != nil {
		t.Errorf("%v, %v (-recorded, +of L):\n%s", s.err, l.err, diff)
	}
}

// A request with a number goes out with another one each time, from that of the round on.
func TestNumbers(t *testing.T) {
	var sent []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = append(sent, regexp.MustCompile(`Concert \d+`).FindString(string(body)))
		w.WriteHeader(http.StatusCreated)
	}))
	defer s.Close()
	for _, number := range []int{0, numbersPerRound} {
		if _, err := (&server{
			URL: s.URL,
		}).load([]request{create(0, "")}, 1, number, 0); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"Concert 0000000000", "Concert 0010000000"}, sent); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range []string{
		"", "-now x -n 5,,7", "-now x -n 0", "-now x -rounds 0", "-now x -requests 0", "-now x -only (", "-now x all", "-now none -n 10",
	} {
		if err := measure(strings.Fields(args), io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
