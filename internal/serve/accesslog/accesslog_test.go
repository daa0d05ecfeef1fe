package accesslog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/serve/accesslog"
)

var at = time.Date(2031, 5, 10, 12, 0, 1, 0, time.FixedZone("", 2*60*60))

// An Entry is one line of ASCII, whatever a client has sent.
func TestFormats(t *testing.T) {
	t.Parallel()
	plain := accesslog.Entry{
		Time:      at,
		Took:      1500 * time.Microsecond,
		Client:    "192.0.2.1",
		User:      "ann",
		Method:    "GET",
		Target:    "/events/?page=2",
		Protocol:  "HTTP/1.1",
		Status:    200,
		Bytes:     1234,
		Operation: "page.list",
		Referer:   "https://example.org/",
		Agent:     "Mozilla/5.0 (X11)",
	}
	hostile := accesslog.Entry{
		Time:     at,
		Client:   "a b",
		User:     "o\"n\ne",
		Method:   "GET\x1b[2J",
		Target:   "/é\u202e\u009b31m\r\n\" 200 1",
		Protocol: "HTTP/1.1",
		Referer:  "\xff\\\"",
		Agent:    "\x1b]0;title\x07\n192.0.2.9 - - [...]",
	}
	long := accesslog.Entry{
		Time:   at,
		Target: "/" + strings.Repeat("é", 20_000),
		Agent:  strings.Repeat("\n", 20_000),
		Status: 414,
	}
	for name, want := range map[string][2]string{
		"combined": {
			`192.0.2.1 - ann [10/May/2031:12:00:01 +0200] "GET /events/?page=2 HTTP/1.1" 200 1234 "https://example.org/" "Mozilla/5.0 (X11)"` + "\n",
			`a\x20b - o\x22n\x0Ae [10/May/2031:12:00:01 +0200] "GET\x1B[2J ` +
				`/\xC3\xA9\xE2\x80\xAE\xC2\x9B31m\x0D\x0A\x22\x20200\x201 HTTP/1.1" 000 0 ` +
				`"\xFF\x5C\x22" "\x1B]0;title\x07\x0A192.0.2.9 - - [...]"` + "\n",
		},
		"json": {
			`{"time":"2031-05-10T12:00:01+02:00","seconds":0.0015,"client":"192.0.2.1","user":"ann","method":"GET","target":"/events/?page=2",` +
				`"protocol":"HTTP/1.1","status":200,"bytes":1234,` +
				`"operation":"page.list","referer":"https://example.org/","agent":"Mozilla/5.0 (X11)"}` + "\n",
			`{"time":"2031-05-10T12:00:01+02:00","seconds":0,"client":"a b","user":"o\"n\ne","method":"GET\u001b[2J",` +
				`"target":"/\u00e9\u202e\u009b31m\r\n\" 200 1","protocol":"HTTP/1.1","status":0,"bytes":0,"referer":"\ufffd\\\"",` +
				`"agent":"\u001b]0;title\u0007\n192.0.2.9 - - [...]"}` + "\n",
		},
	} {
		format := accesslog.Formats[name]
		got := [2]string{string(format(nil, &plain)), string(format(nil, &hostile))}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want, +got):\n%s", name, diff)
		}
		line := format(nil, &long)
		if len(line) > 14_000 || bytes.Count(line, []byte("\n")) != 1 {
			t.Errorf("%s: a line of %d bytes", name, len(line))
		}
		if name == "json" {
			var e accesslog.Entry
			if err := json.Unmarshal(line, &e); err != nil ||
				!strings.HasPrefix(e.Target, "/éé") ||
				!strings.HasSuffix(e.Target, "...") {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// A disk has room for a number of bytes.
type disk struct {
	mu    sync.Mutex
	room  int
	text  []byte
	tried chan struct{} // receives after each Write
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer func() { d.mu.Unlock(); d.tried <- struct{}{} }()
	n := min(len(p), d.room)
	d.text = append(d.text, p[:n]...)
	d.room = d.room - n
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

func (d *disk) has(room int) (before string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room = room
	return string(d.text)
}

// A full disk stops nobody. It is said once, and once that there is room again; a line
// that was torn ends before the next.
func TestFull(t *testing.T) {
	t.Parallel()
	d := &disk{room: 30, tried: make(chan struct{})}
	var said bytes.Buffer
	logger := slog.New(
		slog.NewTextHandler(
			&said,
			&slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}},
		),
	)
	line := func(b []byte, e *accesslog.Entry) []byte { return append(append(b, e.Target...), '\n') }
	l, err := accesslog.Open("", d, line, logger)
	if err != nil {
		t.Fatal(err)
	}
	add := func(texts ...string) {
		for _, text := range texts {
			l.Add(&accesslog.Entry{Target: text})
			<-d.tried
		}
	}
	const ten = "123456789"
	add(ten, ten, "torn here and the rest is gone", ten, ten)
	if got, want := d.has(100), ten+"\n"+ten+"\n"+"torn here "; got != want {
		t.Errorf("a full disk has %q, want %q", got, want)
	}
	add("again", "more")
	l.Close()
	if got, want := d.has(0), ten+"\n"+ten+"\n"+"torn here "+"\nagain\nmore\n"; got != want {
		t.Errorf("with room again it has %q, want %q", got, want)
	}
	want := "level=ERROR msg=\"lines of a log are missing from now on\" file=\"\" err=\"no space left on device\"\n" +
		"level=WARN msg=\"a log has all lines again\" file=\"\" missing=3\n"
	if diff := cmp.Diff(want, said.String()); diff != "" {
		t.Error(diff)
	}
	l.Add(&accesslog.Entry{Target: "too late"}) // harmless
}

// A part of a line that a killed process has left ends before the next line.
func TestTornByAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "access.log")
	line := func(b []byte, e *accesslog.Entry) []byte { return append(append(b, e.Target...), '\n') }
	for _, test := range []struct{ before, want string }{
		{"whole\ntor", "whole\ntor\nnext\n"}, {"tor", "tor\nnext\n"}, {"whole\n", "whole\nnext\n"}, {"", "next\n"},
	} {
		if err := os.WriteFile(path, []byte(test.before), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := accesslog.Open(path, nil, line, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		l.Add(&accesslog.Entry{Target: "next"})
		l.Close()
		if text, err := os.ReadFile(path); err != nil || string(text) != test.want {
			t.Errorf("after %q it has %q, want %q (%v)", test.before, text, test.want, err)
		}
	}
}

// A writer that blocks delays no caller, and memory stays bounded.
func TestStuck(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	l, err := accesslog.Open("", w, accesslog.Formats["json"], slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	entry := accesslog.Entry{Time: at, Agent: strings.Repeat("x", 1000)}
	for range 10_000 { // ten times what may wait
		l.Add(&entry)
	}
	l.Close() // nor does the end wait for ever
	go w.CloseWithError(io.EOF)
	text, _ := io.ReadAll(r)
	if len(text) > 3<<20 {
		t.Errorf("%d bytes have waited", len(text))
	}
}

// Reopen replaces a renamed file; a file that cannot be opened again stays open.
func TestReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	renamed := filepath.Join(dir, "access.log.1")
	if err := os.WriteFile(path, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	line := func(b []byte, e *accesslog.Entry) []byte { return append(append(b, e.Target...), '\n') }
	var said bytes.Buffer
	l, err := accesslog.Open(path, nil, line, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	until := func(file, want string) {
		t.Helper()
		for end := time.Now().Add(10 * time.Minute); ; {
			text, err := os.ReadFile(file)
			if err == nil && string(text) == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s has %q, want %q", file, text, want)
			}
		}
	}
	l.Add(&accesslog.Entry{Target: "one"})
	until(path, "before\none\n")
	if err := os.Rename(path, renamed); err != nil {
		t.Skip(err) // on Windows nobody can
	}
	l.Add(&accesslog.Entry{Target: "two"})
	until(renamed, "before\none\ntwo\n")
	l.Reopen()
	until(path, "")
	l.Add(&accesslog.Entry{Target: "three"})
	until(path, "three\n")
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		t.Fatal(err)
	}
	l.Reopen()
	l.Add(&accesslog.Entry{Target: "four"})
	l.Close()
	until(renamed, "before\none\ntwo\n")
	if n := strings.Count(said.String(), "\n"); n != 1 ||
		!strings.Contains(said.String(), "not a regular file") {
		t.Errorf("the log: %s", &said)
	}
}
