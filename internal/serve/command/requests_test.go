package command

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/cli"
)

// A line of the access log says who asked for what and nothing that opens something.
func TestAccessLog(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "access.log")
	s := startServer(
		t,
		append(
			still,
			"-memory",
			"-token",
			"alm_secret",
			"-access-log",
			file,
			"-access-log-format",
			"json",
			"-trusted-proxies",
			"127.0.0.1",
			"-max-query-kb",
			"1",
		)...)
	c := s.Admin()
	c.Must(t, "POST", v1+"/tags", `{"name":"free"}`)
	ask := func(method, path string, fields ...string) {
		t.Helper()
		r, err := http.NewRequest(method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("User-Agent", "test")
		for i := 0; i < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		a, err := s.Client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, a.Body)
		a.Body.Close()
	}
	ask("GET", v1+"/events?password=hunter2&page=1", "X-Forwarded-For", "192.0.2.7",
		"Referer", "https://u:hunter2@a.example/x?token=hunter2&y=1#hunter2")
	ask("GET", "/?rest_route="+"/cal/events/v1/events%3Fpassword=hunter2",
		"Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("admin:hunter2")))
	ask(
		"GET",
		v1+"/events?PASSWORD%5B%5D=hunter2&access_token=hunter2;x=1",
		"Referer",
		"data:hunter2",
	)
	ask("HEAD", "/_almanac/health")
	ask("GET", v1+"/events?search="+strings.Repeat("x", 2000))
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, file)
	if strings.Contains(text, "hunter2") || strings.Contains(text, "alm_secret") {
		t.Errorf("a secret is in the log:\n%s", text)
	}
	type line struct {
		Client, User, Method, Target string
		Status                       int
		Operation, Referer           string
	}
	var got []line
	for l := range strings.Lines(text) {
		var e struct {
			line
			Bytes    int
			Seconds  float64
			Time     time.Time
			Protocol string
		}
		if err := json.Unmarshal([]byte(l), &e); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		if (e.Bytes > 0) != (e.Method != "HEAD") || e.Seconds <= 0 || e.Seconds > 60 ||
			time.Since(e.Time) > time.Hour || e.Protocol != "HTTP/1.1" {
			t.Errorf("not likely: %s", l)
		}
		e.Target = e.Target[:min(len(e.Target), 70)]
		got = append(got, e.line)
	}
	want := []line{
		{"127.0.0.1", "admin", "POST", "/cal/events/v1/tags", 201, "tags.create", ""},
		{
			"192.0.2.7",
			"",
			"GET",
			"/cal/events/v1/events?password=***&page=1",
			200,
			"events.list",
			"https://a.example/x?token=***&y=1",
		},
		{"127.0.0.1", "", "GET", "/?rest_route=***", 401, "none", ""},
		{
			"127.0.0.1",
			"",
			"GET",
			"/cal/events/v1/events?PASSWORD%5B%5D=***&access_token=***&x=1",
			200,
			"events.list",
			"",
		},
		{"127.0.0.1", "", "HEAD", "/_almanac/health", 200, "health", ""},
		{
			"127.0.0.1",
			"",
			"GET",
			"/cal/events/v1/events?search=" + strings.Repeat("x", 41),
			414,
			"events.list",
			"",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want, +got):\n%s", diff)
	}
}

// A request is always one line, also an aborted one, whatever its bytes.
func TestAccessLogIsLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "access.log")
	s := startServer(t, "-memory", "-access-log", file)
	c := s.Admin()
	for _, head := range []string{
		"GET /%0A%1b[2J?a=%0d%0a\x1b[31m HTTP/1.1\r\nHost: a.example\r\nUser-Agent: \x1b]0;x\x07\r\n\ty\" 200\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: a\x80\xff\\\r\nReferer: \" \"\\\r\n\r\n",
		"GET http://x\"y.example/\" HTTP/1.1\r\nHost: a\"\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n",
		"POST /cal/events/v1/tags HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9\r\n\r\n{",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, head)
		_ = conn.(*net.TCPConn).CloseWrite()
		_, _ = io.Copy(io.Discard, conn)
		conn.Close()
	}
	c.Must(t, "POST", "/_almanac/faults", `{"path":"/cal/events/v1/events","reset":true}`)
	r, _ := http.NewRequest("GET", s.URL+v1+"/events", nil)
	once := &http.Client{
		Transport: &http.Transport{
			DisableKeepAlives: true,
		},
	} // a reused connection would repeat the request
	if _, err := once.Do(r); err == nil {
		t.Error("the fault was not injected")
	}
	awaitText(t, file, " 000 0 ") // the client can know of the reset before the line is there
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(
		`^127\.0\.0\.1 - (-|admin) \[[^]]+\] "[A-Z]+ [ -~]+ HTTP/1\.1" \d{3} \d+ "[ !#-~]*" "[ !#-~]*"$`,
	)
	lines := strings.Split(strings.TrimSuffix(readFile(t, file), "\n"), "\n")
	for _, line := range lines {
		if !form.MatchString(line) || strings.Count(line, `"`) != 6 {
			t.Errorf("%q", line)
		}
	}
	if !strings.Contains(lines[len(lines)-1], `/cal/events/v1/events HTTP/1.1" 000 0 `) ||
		len(lines) != 4 {
		t.Errorf("the log:\n%s", strings.Join(lines, "\n"))
	}
}

// A confined program opens the file of a log again after logrotate has moved it, and can do
// nothing else in its directory.
func TestLogsRotate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no SIGHUP on Windows")
	}
	for flags, add := range map[string]func(t *testing.T, c caller, text string){
		"-access-log":                        func(t *testing.T, c caller, text string) { c.Do(t, "GET", "/events/?"+text, "") },
		"-submissions admin -submission-log": func(t *testing.T, c caller, text string) { propose(t, c, text) },
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "lines.log")
			cmd := exec.Command(
				program(t),
				append(strings.Fields("-memory -addr 127.0.0.1:0 "+flags), file)...)
			cmd.Env = cleanEnvironment()
			s := startConfined(t, cmd, &http.Client{
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			})
			add(t, s.caller, "first")
			awaitText(t, file, "first")
			if err := os.Rename(file, file+".1"); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			if !await(func() bool { _, err := os.Stat(file); return err == nil }) {
				t.Fatal(s.stderr)
			}
			add(t, s.caller, "second")
			awaitText(t, file, "second")
			if text := readFile(t, file); strings.Contains(text, "first") ||
				!strings.Contains(readFile(t, file+".1"), "first") {
				t.Errorf("the new file has %s", text)
			}
			terminate(t, cmd)
		})
	}
}

// awaitText returns when a text is in a file.
func awaitText(t *testing.T, file, part string) {
	t.Helper()
	if !await(
		func() bool { text, _ := os.ReadFile(file); return strings.Contains(string(text), part) },
	) {
		t.Fatalf("no %q in %s: %s", part, file, readFile(t, file))
	}
}

// Without an access log to open again SIGHUP ends a server, as that of a terminal that
// is closed should.
func TestHangup(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no SIGHUP on Windows")
	}
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip(
			"SIGHUP is ignored, as under nohup, and processes that are started here ignore it too",
		)
	}
	for _, flags := range [][]string{nil, {"-access-log", "-"}} {
		cmd := serveCommand(t, filepath.Join(t.TempDir(), "data"))
		cmd.Args = append(cmd.Args, flags...)
		startProcess(t, cmd)
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) ||
			exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGHUP {
			t.Errorf("%v: it ended with %v", flags, err)
		}
	}
}

// A file that is no file is an error before anything is made.
func TestAccessLogIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := []string{dir, filepath.Join(dir, "none", "log")}
	if runtime.GOOS != "windows" {
		paths = append(paths, os.DevNull)
	}
	if fifo := filepath.Join(dir, "fifo"); exec.Command("mkfifo", fifo).Run() == nil {
		paths = append(paths, fifo)
	}
	data := filepath.Join(dir, "data")
	for _, path := range paths {
		for _, name := range []string{"-access-log", "-submission-log"} {
			err := serveOnce(t, on(data, "-submissions", "admin", name, path)...)
			if cli.Status(err) != 2 || !strings.Contains(err.Error(), name) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("%s %s: %v", name, path, err)
			}
		}
	}
	if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the server that did not start left %s (%v)", data, err)
	}
}

// A full disk for the access log is said once, and requests are answered as ever.
func TestAccessLogFull(t *testing.T) {
	t.Parallel()
	skipWithoutLimits(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "access.log")
	cmd := childCommand(t, filepath.Join(dir, "data"), usersFile(t), limits{File: 20_000})
	stderr := &lockedBuffer{}
	cmd.Args = append(cmd.Args, "-access-log", file)
	cmd.Stderr = stderr
	s := startProcess(t, cmd)
	c := caller{URL: s.URL, Client: http.DefaultClient}
	for range 1000 {
		c.Must(t, "GET", v1+"/events", "")
	}
	end(t, cmd)
	if n := strings.Count(stderr.String(), "lines of a log are missing"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, stderr)
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 20_000 {
		t.Errorf("the log is %v, %v", info, err)
	}
}

// The log names slow requests, and not more of them than somebody reads.
func TestSlow(t *testing.T) {
	t.Parallel()
	s := startServer(t, "-memory", "-slow", "1ns")
	for range 100 {
		s.Admin().Must(t, "GET", v1+"/events?password=hunter2", "")
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	log := s.Stderr.String()
	n := strings.Count(log, "level=WARN msg=\"slow request\" method=GET "+
		"target=\"/cal/events/v1/events?password=***\" operation=events.list status=200 ")
	if n < 60 || n > 65 || strings.Contains(log, "hunter2") {
		t.Errorf("%d lines:\n%s", n, log[:min(len(log), 1000)])
	}
}

// The notifications of hangups end with the server.
func TestHangupsEnd(t *testing.T) {
	t.Parallel()
	var stopped sync.WaitGroup
	stopped.Add(1)
	c := make(chan os.Signal)
	g := Service{
		Routes:  almanactest.Routes,
		Hangups: func() (<-chan os.Signal, func()) { return c, stopped.Done },
	}
	ctx, cancel := context.WithCancel(t.Context())
	out := stopper{&lockedBuffer{}, cancel}
	err := g.Command().
		Run(ctx, []string{"-memory", "-addr", "127.0.0.1:0", "-access-log", filepath.Join(t.TempDir(), "log")},
			cli.Process{Getenv: none, Stdout: out, Stderr: &lockedBuffer{}})
	stopped.Wait()
	if err != nil {
		t.Error(err)
	}
	close(c)
}
