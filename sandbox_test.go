package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file is servers in processes that confine themselves. They are built
// without C, as the program is: Go cannot confine others.

// confinedTests is this test binary without C, built once.
var confinedTests = sync.OnceValues(func() (string, error) {
	file := filepath.Join(scratch, "almanac.test")
	cmd := exec.Command("go", "test", "-c", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return file, nil
})

// probe does in a child what it is told to on standard input, a line each, and
// prints how that went.
func probe(in io.Reader, out io.Writer) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		what, where, _ := strings.Cut(lines.Text(), " ")
		var err error
		switch what {
		case "read":
			_, err = os.ReadFile(where)
		case "write":
			err = os.WriteFile(where, []byte("text"), 0o600)
		case "start":
			err = exec.Command(where).Run()
		case "listen":
			_, err = net.Listen("tcp", where)
		default:
			var conn net.Conn
			if conn, err = net.Dial(what, where); err == nil {
				conn.Close()
			}
		}
		fmt.Fprintf(out, "probe: %s: %v\n", lines.Text(), errors.Is(err, os.ErrPermission))
	}
}

// A confinedServer is such a process.
type confinedServer struct {
	caller
	cmd    *exec.Cmd
	stdin  io.Writer
	stderr *lockedBuffer
	probed chan string // answers of probe
}

// startConfined starts a command. If the kernel cannot confine it, the test is
// skipped.
func startConfined(t *testing.T, cmd *exec.Cmd, client *http.Client) *confinedServer {
	t.Helper()
	s := &confinedServer{cmd: cmd, stderr: &lockedBuffer{}, probed: make(chan string, 100)}
	r, w := io.Pipe()
	cmd.Stderr = w
	read, said := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		say := sync.OnceFunc(func() { close(said) })
		defer say()
		for lines := bufio.NewScanner(r); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "probe: ") {
				s.probed <- lines.Text()
			}
			fmt.Fprintln(s.stderr, lines.Text())
			if strings.Contains(lines.Text(), " confined=") {
				say()
			}
		}
	}()
	t.Cleanup(func() {
		w.Close()
		<-read
		if t.Failed() {
			t.Logf("%s", s.stderr)
		}
	})
	var err error
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	ready := startProcess(t, cmd)
	s.caller = caller{ready.URL, ready.Token, client}
	<-said
	if s.logs(`confined="no: `) {
		for _, reason := range []string{"function not implemented", "operation not supported"} {
			if runtime.GOOS != "linux" || s.logs(reason) {
				t.Skipf("the system confines no process: %s", s.stderr)
			}
		}
		t.Fatalf("the process is not confined:\n%s", s.stderr)
	}
	return s
}

// logs reports whether a text stands in the log.
func (s *confinedServer) logs(text string) bool { return strings.Contains(s.stderr.String(), text) }

// refused reports whether the system refuses the process something.
func (s *confinedServer) refused(t *testing.T, what string) bool {
	t.Helper()
	fmt.Fprintln(s.stdin, what)
	select {
	case answer := <-s.probed:
		return answer == "probe: "+what+": true"
	case <-time.After(time.Minute):
		t.Fatalf("no answer to %q", what)
		return false
	}
}

// terminate asks the process to end, which it must do well.
func (s *confinedServer) terminate(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// The program confines itself: it does not follow a link in its own directory to
// a file outside, whoever put it there.
func TestSandboxOfProgram(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startConfined(t, serveCommand(t, dir), http.DefaultClient)
	if !s.logs(`confined="files by Landlock`) {
		t.Skipf("the kernel has no Landlock: %s", s.stderr)
	}
	fill(t, s.caller)
	inside, outside := filepath.Join(dir, usersName), filepath.Join(t.TempDir(), usersName)
	mustCopy(t, inside, outside)
	if err := os.Remove(inside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, inside); err != nil {
		t.Fatal(err)
	}
	s.must(t, "POST", api+"/tags", `{"name":"later"}`) // accounts stay as they were
	if !s.logs("users file not usable") || !s.logs("permission denied") {
		t.Errorf("the server followed the link:\n%s", s.stderr)
	}
	if err := os.Remove(inside); err != nil {
		t.Fatal(err)
	}
	mustCopy(t, outside, inside)
	mustUsers(t, "disable", "admin", "-force", "-data", dir)
	if a := s.do(t, "POST", api+"/tags", `{"name":"too late"}`); a.status != 401 {
		t.Errorf("after the accounts changed, answered %d %s", a.status, a.body)
	}

}

// Who does not want it says so, and it stands in the log.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	cmd := serveCommand(t, filepath.Join(t.TempDir(), "data"))
	cmd.Args = append(cmd.Args, "-no-sandbox")
	stderr := &lockedBuffer{}
	cmd.Stderr = stderr
	ready := startProcess(t, cmd)
	if err := signalTo(ready.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(stderr.String(), `confined="no: -no-sandbox"`) {
		t.Errorf("ended with %v, and the log\n%s", err, stderr)
	}
}

func mustCopy(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, to, string(text))
}

// Everything goes on in a confined process: writing, segments, snapshots, pruning,
// accounts and certificates that change; nothing else does.
func TestSandbox(t *testing.T) {
	t.Parallel()
	binary, err := confinedTests()
	if err != nil {
		t.Fatal(err)
	}
	dir, accounts, live := filepath.Join(t.TempDir(), "data"), t.TempDir(), t.TempDir()
	archive := t.TempDir()
	pair := newPair(t, archive, time.Hour)
	for _, name := range []string{"cert.pem", "key.pem"} { // as certbot has it
		if err := os.Symlink(filepath.Join(archive, name), filepath.Join(live, name)); err != nil {
			t.Fatal(err)
		}
	}
	mustUsers(t, "add", "-users", filepath.Join(accounts, usersName), "-role", "administrator", "root")
	token := mustUsers(t, "token", "-users", filepath.Join(accounts, usersName), "root")

	text, err := json.Marshal(limits{Segment: 8 << 10, Snapshot: 12 << 10, Confine: true})
	if err != nil {
		t.Fatal(err)
	}
	flags := on(dir, append(still, "-addr", "127.0.0.1:0", "-keep", "0", "-users", filepath.Join(accounts, usersName))...)
	start := func(client *http.Client, more ...string) *confinedServer {
		cmd := exec.Command(binary, append(flags, more...)...)
		cmd.Env = append(cleanEnvironment(), childVariable+"="+string(text))
		return startConfined(t, cmd, client)
	}
	s := start(http.DefaultClient)
	s.token = token
	fill(t, s.caller)
	for i := range 200 {
		s.must(t, "POST", api+"/events", fmt.Sprintf(`{"title":"Concert %d","start_date":"2031-05-11","end_date":"2031-05-11","description":%q}`, i, strings.Repeat("la ", 100)))
	}
	before := s.everything(t)

	// What is outside is out of reach.
	outside := filepath.Join(t.TempDir(), "secret")
	replace(t, outside, "secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for what, want := range map[string]bool{
		"read " + outside: s.logs("files by Landlock"), "write " + outside: s.logs("files by Landlock"), "read /etc/passwd": s.logs("files by Landlock"),
		"start /bin/sh": s.logs("files by Landlock"),
		"read " + filepath.Join(accounts, usersName):  false,
		"write " + filepath.Join(accounts, usersName): s.logs("files by Landlock"),
		"write " + filepath.Join(dir, "probe"):        false,
		"tcp " + listener.Addr().String():             s.logs("connections by seccomp") || s.logs("files and TCP"),
		"udp " + listener.Addr().String():             s.logs("connections by seccomp"),
		"listen 127.0.0.1:0":                          s.logs("connections by seccomp"),
	} {
		if got := s.refused(t, what); got != want {
			t.Errorf("%s: refused: %v, want %v", what, got, want)
		}
	}
	second := mustUsers(t, "token", "-users", filepath.Join(accounts, usersName), "root", "-name", "second")
	mustUsers(t, "revoke", "-users", filepath.Join(accounts, usersName), "root", "token-2")
	if a := s.do(t, "GET", api+"/tags", ""); a.status != 401 {
		t.Errorf("a token that was revoked was answered %d", a.status)
	}
	s.token = second
	s.must(t, "POST", api+"/tags", `{"name":"second"}`)
	s.terminate(t)
	for _, part := range []string{"snapshot written", "log pruned"} {
		if !s.logs(part) {
			t.Errorf("not in the log: %s", part)
		}
	}
	for _, bad := range []string{"level=ERROR", "level=WARN", "permission denied"} {
		if s.logs(bad) {
			t.Errorf("in the log: %s", bad)
		}
	}
	if uses, err := os.ReadFile(filepath.Join(dir, usesName)); err != nil || !strings.Contains(string(uses), "2031-05-10T12:00:00Z") {
		t.Errorf("uses of tokens: %s, %v", uses, err)
	}

	// The same data, with TLS.
	s = start(pair.client(t), "-tls-cert", filepath.Join(live, "cert.pem"), "-tls-key", filepath.Join(live, "key.pem"))
	s.token = second
	s.must(t, "PUT", api+"/events/4", `{"description":"<p>Stands and music.</p>"}`)
	if got := presented(t, s.url); got.Cmp(pair.serial) != 0 {
		t.Errorf("the certificate is %v, want %v", got, pair.serial)
	}
	after := s.everything(t)
	renewed := newPair(t, archive, time.Hour)
	if got := presented(t, s.url); got.Cmp(renewed.serial) != 0 {
		t.Errorf("the certificate is %v, the new one is %v", got, renewed.serial)
	}
	s.terminate(t)
	for path := range before {
		if strings.HasPrefix(path, "/tags") {
			delete(before, path) // there is one more
			delete(after, path)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("after a restart (-before, +after):\n%s", diff)
	}
}
