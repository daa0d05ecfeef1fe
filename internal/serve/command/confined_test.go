package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// This file is servers in processes that confine themselves. They are built
// without C, as the program is: Go cannot confine others.

// confinedTests is this test binary without C, built once.
var confinedTests = sync.OnceValues(func() (string, error) {
	file := filepath.Join(scratch, "almanac.test")
	cmd := exec.Command(
		"go",
		"test",
		"-c",
		"-vet=off",
		"-ldflags=-s -w",
		"-o",
		file,
		"./internal/serve/command",
	)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return file, nil
})

// probe does in a child what it is told to on standard input, a line each, and
// prints how that went: "done", "refused", or another error.
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
		case "tcp", "udp":
			var conn net.Conn
			if conn, err = net.Dial(what, where); err == nil {
				conn.Close()
			}
		default:
			err = wayOut(what, openListener(), where)
		}
		result := "done"
		switch {
		case errors.Is(err, os.ErrPermission), errors.Is(err, errors.ErrUnsupported):
			result = "refused"
		case err != nil:
			result = err.Error()
		}
		fmt.Fprintf(out, "probe: %s: %s\n", lines.Text(), result)
	}
}

// A confinedServer is such a process.
type confinedServer struct {
	caller
	cmd    *exec.Cmd
	stdin  io.Writer
	stderr *lockedBuffer
	probed chan string // answers of probe

	files, calls bool // supported by the kernel, tested without the program
}

// startConfined starts a command. If the kernel cannot confine it at all, the test
// is skipped; if it can and did not, the test fails.
func startConfined(t *testing.T, cmd *exec.Cmd, client *http.Client) *confinedServer {
	t.Helper()
	s := &confinedServer{cmd: cmd, stderr: &lockedBuffer{}, probed: make(chan string, 100)}
	r, w := io.Pipe()
	cmd.Stderr = w
	read := make(chan struct{})
	said := make(chan struct{})
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
	s.caller = caller{URL: ready.URL, Token: ready.Token, Client: client}
	<-said
	landlock, seccomp := kernelConfines()
	s.files = landlock > 0
	s.calls = seccomp
	if !s.files && !s.calls {
		t.Skipf("the system confines no process: %s", s.stderr)
	}
	if s.files && !s.logs(fmt.Sprintf("files by Landlock %d", landlock)) ||
		s.calls && !s.logs("system calls by seccomp") {
		t.Fatalf(
			"the kernel has Landlock %d, and seccomp: %v, and the process is not confined:\n%s",
			landlock,
			seccomp,
			s.stderr,
		)
	}
	return s
}

// logs reports whether a text stands in the log.
func (s *confinedServer) logs(
	text string,
) bool {
	return strings.Contains(s.stderr.String(), text)
}

// try has the process do something, and returns how that went.
func (s *confinedServer) try(t *testing.T, what string) string {
	t.Helper()
	fmt.Fprintln(s.stdin, what)
	select {
	case answer := <-s.probed:
		return strings.TrimPrefix(answer, "probe: "+what+": ")
	case <-time.After(patience):
		t.Fatalf("no answer to %q", what)
		return ""
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
