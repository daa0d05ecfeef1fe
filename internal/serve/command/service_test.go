package command

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/cli"

	"github.com/google/go-cmp/cmp"
)

// This file starts servers as systemd does.

// A managerTest is the socket of a service manager.
type managerTest struct {
	*net.UnixConn
	name string
}

func newManager(t *testing.T, name string) *managerTest {
	t.Helper()
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { c.Close() })
	return &managerTest{c, name}
}

// told returns the next message.
func (m *managerTest) told(t *testing.T) string {
	t.Helper()
	if err := m.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 4096)
	n, err := m.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(text[:n])
}

// terminate ends a process as a service manager does.
func terminate(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error("asked to end, it ended with:", err)
	}
}

// short returns a directory whose name fits into the address of a socket.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "a")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// A confined server tells its manager when it is ready, that it lives and that it
// ends. The first token is in a file then, and nowhere else.
func TestServiceManager(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such sockets on Windows")
	}
	names := map[string]string{"path": filepath.Join(short(t), "notify")}
	if runtime.GOOS == "linux" {
		names["abstract"] = fmt.Sprintf("@almanac test %d", os.Getpid())
	}
	for kind, name := range names {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			m := newManager(t, name)
			dir := filepath.Join(t.TempDir(), "data")
			cmd := serveCommand(t, dir)
			stderr := &lockedBuffer{}
			cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+m.name, "WATCHDOG_USEC=100000")
			cmd.Stderr = stderr
			ready := startProcess(t, cmd)
			if got, want := m.told(t), "READY=1\nSTATUS=Listening on "+strings.TrimPrefix(ready.URL, "http://"); got != want {
				t.Errorf("first told %q, want %q", got, want)
			}
			for range 2 {
				if got := m.told(t); got != "WATCHDOG=1" {
					t.Errorf("then told %q", got)
				}
			}
			if ready.Token != "" {
				t.Error("the token was printed")
			}
			file := filepath.Join(dir, tokenName)
			info, err := os.Stat(file)
			if err != nil || info.Mode() != 0o600 {
				t.Fatalf("the file of the token: %v %v", info.Mode(), err)
			}
			token, link, _ := strings.Cut(strings.TrimSuffix(readFile(t, file), "\n"), "\n")
			if !strings.Contains(link, "/desk/link?token=") {
				t.Errorf("the second line of the file: %q", link)
			}
			caller{
				URL:    ready.URL,
				Token:  token,
				Client: http.DefaultClient,
			}.Must(t, "POST", v1+"/tags", `{"name":"free"}`)
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			got := m.told(t)
			for got == "WATCHDOG=1" {
				got = m.told(t)
			}
			if err := cmd.Wait(); err != nil || got != "STOPPING=1" {
				t.Errorf("in the end told %q, and ended with %v", got, err)
			}
			if strings.Contains(stderr.String(), token) ||
				runtime.GOOS == "linux" &&
					!strings.Contains(stderr.String(), `system calls by seccomp"`) {
				t.Errorf("the log:\n%s", stderr)
			}
			// Nothing in the directory is strange, and the next start asks for no file.
			if err := run(t.Context(), []string{"verify", "-data", dir}, cli.Process{
				Getenv: none,
				Stdout: &lockedBuffer{},
				Stderr: stderr,
			}); err != nil {
				t.Errorf("verify: %v\n%s", err, stderr)
			}
			again := serveCommand(t, dir)
			again.Env = append(
				again.Env,
				"NOTIFY_SOCKET="+m.name,
				"WATCHDOG_USEC=100000",
				"WATCHDOG_PID=1",
			)
			startProcess(t, again)
			if got := m.told(t); !strings.HasPrefix(got, "READY=1\n") {
				t.Errorf("of the second start told %q", got)
			}
			terminate(t, again)
			if got := m.told(t); got != "STOPPING=1" {
				t.Errorf("a watchdog of another process was told %q", got)
			}
		})
	}
}

// A manager that is not there keeps nobody from serving.
func TestNoServiceManager(t *testing.T) {
	t.Parallel()
	for _, name := range []string{filepath.Join(short(t), "nothing"), "vsock:2:1234"} {
		cmd := serveCommand(t, filepath.Join(t.TempDir(), "data"))
		stderr := &lockedBuffer{}
		cmd.Env = append(cmd.Env, "NOTIFY_SOCKET="+name)
		cmd.Stderr = stderr
		startProcess(t, cmd)
		terminate(t, cmd)
		if !strings.Contains(stderr.String(), "the service manager is not told") ||
			!strings.Contains(stderr.String(), "NOTIFY_SOCKET") {
			t.Errorf("%s: the log says nothing of it:\n%s", name, stderr)
		}
	}
}

// handedOver returns a command to which sockets are handed over, with their names.
func handedOver(t *testing.T, names string, files ...*os.File) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("nothing is handed over on Windows")
	}
	serve := serveCommand(t, filepath.Join(t.TempDir(), "data"))
	cmd := exec.Command(
		"sh",
		append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`, program(t)}, serve.Args[1:]...)...)
	cmd.Env = append(serve.Env, fmt.Sprint("LISTEN_FDS=", len(files)), "LISTEN_FDNAMES="+names)
	cmd.ExtraFiles = files
	return cmd
}

// handed returns a listener as a file.
func handed(t *testing.T, network, address string) (*os.File, net.Addr) {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	file, err := l.(interface{ File() (*os.File, error) }).File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file, l.Addr()
}

// A server serves on the socket that was handed over for it, and closes others.
func TestSockets(t *testing.T) {
	t.Parallel()
	ours, at := handed(t, "tcp", "127.0.0.1:0")
	other, elsewhere := handed(t, "tcp", "127.0.0.1:0")
	for names, want := range map[string]net.Addr{
		"other:almanac":        at,
		"other:almanac.socket": at,
		"other":                at,
		":other":               elsewhere,
		"almanac:almanac":      elsewhere,
		"one:two":              nil,
	} {
		t.Run(
			names,
			func(t *testing.T) { // one after the other: whether a socket blocks is the same for all who have it
				cmd := handedOver(t, names, other, ours)
				stderr := &lockedBuffer{}
				cmd.Stderr = stderr
				ready := startProcess(t, cmd)
				addr := strings.TrimPrefix(ready.URL, "http://")
				if want != nil && addr != want.String() ||
					want == nil && (addr == at.String() || addr == elsewhere.String()) {
					t.Errorf("serves on %s, want %v", addr, want)
				}
				if runtime.GOOS == "linux" {
					open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", ready.PID))
					sockets := slices.DeleteFunc(open, func(fd string) bool {
						target, _ := os.Readlink(fd)
						return !strings.HasPrefix(target, "socket:")
					})
					if err != nil || len(sockets) != 2 { // one is for commands
						t.Errorf("it has %d sockets, %v", len(sockets), err)
					}
				}
				reported := 1
				if want == nil {
					reported = 2
				}
				terminate(t, cmd)
				if n := strings.Count(stderr.String(), "a socket that was handed over is closed"); n != reported {
					t.Errorf("%d sockets are said to be closed, want %d:\n%s", n, reported, stderr)
				}
			},
		)
	}
}

// Metrics are read at the socket that was handed over for them, in the place of
// -metrics-addr.
func TestMetricsSocket(t *testing.T) {
	t.Parallel()
	ours, at := handed(t, "tcp", "127.0.0.1:0")
	other, elsewhere := handed(t, "tcp", "127.0.0.1:0")
	for names, flags := range map[string][]string{
		"almanac:metrics":                       nil,
		"almanac.socket:almanac-metrics.socket": {"-metrics-addr", "127.0.0.1:0"},
		"unknown:metrics":                       nil,
	} {
		t.Run(names, func(t *testing.T) { // one after the other, as above
			cmd := handedOver(t, names, ours, other)
			stderr := &lockedBuffer{}
			cmd.Args = append(cmd.Args, flags...)
			cmd.Stderr = stderr
			ready := startProcess(t, cmd)
			if ready.URL != "http://"+at.String() ||
				ready.Metrics != "http://"+elsewhere.String()+"/metrics" {
				t.Errorf(
					"serves on %s, and metrics on %s, want %v and %v",
					ready.URL,
					ready.Metrics,
					at,
					elsewhere,
				)
			}
			caller{URL: ready.URL, Client: http.DefaultClient}.Must(t, "GET", v1+"/events", "")
			if n := scrape(t, ready.Metrics)[`almanac_http_requests_total{operation="events.list",class="2xx"}`]; n != 1 {
				t.Errorf("metrics count %v requests", n)
			}
			terminate(t, cmd)
			if strings.Contains(stderr.String(), "a socket that was handed over is closed") {
				t.Errorf("the log:\n%s", stderr)
			}
		})
	}
}

// Unusable sockets from the service manager are errors with the reason.
func TestBadSockets(t *testing.T) {
	t.Parallel()
	local, _ := handed(t, "unix", filepath.Join(short(t), "s"))
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for name, test := range map[string]struct {
		cmd  *exec.Cmd
		want string
	}{
		"a socket of this machine": {handedOver(t, "almanac", local),
			`the socket "almanac" that was handed over is one of unix: it must be one of TCP`},
		"no socket": {handedOver(t, "almanac", null), `the socket "almanac" that was handed over: `},
		"too many":  {handedOver(t, ""), `LISTEN_FDS "65": must be a number from 0 to 64`},
	} {
		t.Run(name, func(t *testing.T) {
			stderr := &lockedBuffer{}
			if test.cmd.Stderr = stderr; name == "too many" {
				test.cmd.Env = append(test.cmd.Env, "LISTEN_FDS=65")
			}
			err := test.cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 ||
				!strings.Contains(stderr.String(), test.want) {
				t.Errorf("ended with %v and %s", err, stderr)
			}
		})
	}
}

// Lines for the journal have a priority and no second time. A variable left from another service
// has no effect.
func TestJournal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no journal on Windows")
	}
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	journal := fmt.Sprintf("JOURNAL_STREAM=%d:%d", stat.Dev, stat.Ino)
	cmd := serveCommand(t, filepath.Join(dir, "data"))
	cmd.Args = append(cmd.Args, "-addr", "0.0.0.0:0") // which it warns of
	cmd.Env = append(cmd.Env, journal)
	cmd.Stderr = log
	if ready := startProcess(t, cmd); ready.Token == "" {
		t.Error("the token is not on standard output, which nobody else reads")
	}
	terminate(t, cmd)
	wrong := exec.Command(program(t), "-addr", "nonsense", "-memory")
	wrong.Env = append(cleanEnvironment(), journal)
	wrong.Stderr = log
	_ = wrong.Run()
	lines := strings.Split(strings.TrimSpace(readFile(t, log.Name())), "\n")
	var begin []string
	for _, line := range lines {
		begin = append(begin, line[:min(len(line), 16)])
	}
	want := []string{
		"<6>msg=\"journal ",
		"<6>msg=\"the cale",
		"<4>msg=\"tokens a",
		"<6>msg=\"times ar",
		"<6>msg=ready add",
		"<6>msg=stopping",
		"<3>almanac: -add",
	}
	if diff := cmp.Diff(want, begin); diff != "" {
		t.Errorf("lines (-want, +got):\n%s", diff)
	}

	cmd = serveCommand(t, filepath.Join(dir, "other"))
	stderr := &lockedBuffer{}
	cmd.Env = append(cmd.Env, journal)
	cmd.Stderr = stderr
	startProcess(t, cmd)
	terminate(t, cmd)
	if !regexp.MustCompile(`(?m)^time=\S+ level=INFO msg=ready`).MatchString(stderr.String()) {
		t.Errorf("the log elsewhere:\n%s", stderr)
	}

	// Standard output may be the journal without anybody to be told.
	cmd = serveCommand(t, filepath.Join(dir, "third"))
	cmd.Env = append(cmd.Env, journal)
	cmd.Stdout = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "third", tokenName)
	awaitText(t, log.Name(), "token_file")
	terminate(t, cmd)
	if strings.Contains(readFile(t, log.Name()), strings.TrimSpace(readFile(t, file))) {
		t.Error("the token is in the journal")
	}
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	for _, flags := range [][]string{on(filepath.Join(dir, "data")), {"-memory"}, {"-memory", "-token", "known"}} {
		s := startServer(t, append(flags, "-token-file", file)...)
		token := strings.TrimSuffix(readFile(t, file), "\n")
		if s.Token != "" || slices.Contains(flags, "known") != (token == "known") {
			t.Errorf("%v: printed %q, in the file %q", flags, s.Token, token)
		}
		caller{
			URL:    s.URL,
			Token:  token,
			Client: s.Client,
		}.Must(t, "POST", v1+"/tags", `{"name":"free"}`)
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Fatalf("the file: %v %v", info.Mode(), err)
		}
		if flags[0] == "-data" { // a start that makes no token does not look at it
			startServer(t, append(flags, "-token-file", file)...)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	replace(t, file, "mine")
	target := filepath.Join(dir, "target")
	link := filepath.Join(dir, "link")
	loose := filepath.Join(dir, "loose")
	for from, to := range map[string]string{link: file, loose: target} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	data := filepath.Join(dir, "new")
	for _, path := range []string{file, link, loose, dir, filepath.Join(dir, "none", "token")} {
		flags := append(on(data, "-addr", "127.0.0.1:0"), "-token-file", path)
		err := run(t.Context(), flags, cli.Process{
			Getenv: none,
			Stdout: &lockedBuffer{},
			Stderr: &lockedBuffer{},
		})
		if cli.Status(err) != 2 || !strings.Contains(err.Error(), "-token-file") ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Lstat(target); !errors.Is(err, os.ErrNotExist) || readFile(t, file) != "mine" {
		t.Errorf("a link was followed (%v), or a file written over", err)
	}
	if s := startServer(t, on(data)...); s.Token == "" {
		t.Error("a start that could not write the token made the administrator")
	}
}
