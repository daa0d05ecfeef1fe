package confine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"almanac/internal/serve/confine"

	"github.com/google/go-cmp/cmp"
)

// A process that was confined cannot go on with other tests. So these run in a
// child: childVariable names its directory.
const childVariable = "TEST_OF_CONFINE"

func TestMain(m *testing.M) {
	if dir, ok := os.LookupEnv(childVariable); ok {
		child(dir)
		return
	}
	if text, ok := os.LookupEnv(callsVariable); ok {
		callAll(text)
		return
	}
	os.Exit(m.Run())
}

// report is the output of the child.
type report struct {
	State   string
	Error   string
	Results map[string]string // by attempt: "ok", "refused", or another error
}

// child confines itself, tries everything and prints how it went.
func child(dir string) {
	in := func(name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	before, err := os.Open(in("outside", "file"))
	if err != nil {
		panic(err)
	}
	// More threads than the calling one.
	stay := make(chan func())
	ready := make(chan bool)
	more := func() {
		for range 8 {
			go func() {
				runtime.LockOSThread()
				ready <- true
				for f := range stay {
					f()
					ready <- true
				}
			}()
			<-ready
		}
	}
	more()
	state, err := confine.Process(confine.Rights{
		Write:  []string{in("data")},
		Append: []string{in("append")},
		Read:   []string{in("read")},
	})
	r := report{Results: map[string]string{}}
	if err != nil {
		r.Error = err.Error()
		if !errors.Is(err, confine.ErrUnsupported) {
			r.Error = "failed: " + r.Error
		}
		json.NewEncoder(os.Stdout).Encode(r)
		return
	}
	r.State = state.String()
	try := func(what string, f func() error) {
		err := f()
		switch {
		case err == nil:
			r.Results[what] = "ok"
		case errors.Is(err, os.ErrPermission), strings.Contains(err.Error(), "cross-device link"):
			r.Results[what] = "refused"
		default:
			r.Results[what] = err.Error()
		}
	}
	read := func(name string) func() error {
		return func() error { _, err := os.ReadFile(name); return err }
	}
	write := func(name string) func() error {
		return func() error { return os.WriteFile(name, []byte("text"), 0o600) }
	}
	try("make a directory in data", func() error { return os.Mkdir(in("data", "log"), 0o700) })
	try("write in data", write(in("data", "log", "1.tmp")))
	try("read in data", read(in("data", "log", "1.tmp")))
	try("list data", func() error { _, err := os.ReadDir(in("data")); return err })
	try(
		"rename in data",
		func() error { return os.Rename(in("data", "log", "1.tmp"), in("data", "log", "1")) },
	)
	try("cut off in data", func() error {
		f, err := os.OpenFile(in("data", "log", "1"), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Truncate(1), f.Close())
	})
	try("move in data", func() error { return os.Rename(in("data", "log", "1"), in("data", "1")) })
	try("remove in data", func() error { return os.Remove(in("data", "1")) })
	try("remove a directory in data", func() error { return os.Remove(in("data", "log")) })
	try(
		"link in data",
		func() error { return os.Symlink(in("outside", "file"), in("data", "link2")) },
	)
	try("read by a link in data", read(in("data", "link")))
	try(
		"start a program in data",
		func() error { return exec.Command(in("data", "program")).Run() },
	)

	try("append in append", func() error {
		f, err := os.OpenFile(in("append", "file"), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("line")
		return errors.Join(err, f.Close())
	})
	try("make a file in append", func() error {
		f, err := os.OpenFile(in("append", "other"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		return f.Close()
	})
	try("read in append", read(in("append", "file")))
	try("remove in append", func() error { return os.Remove(in("append", "file")) })
	try(
		"rename in append",
		func() error { return os.Rename(in("append", "file"), in("append", "new")) },
	)
	try("make a directory in append", func() error { return os.Mkdir(in("append", "log"), 0o700) })

	try("read in read", read(in("read", "file")))
	try("read what is new in read", read(in("read", "new", "file")))
	try("list read", func() error { _, err := os.ReadDir(in("read")); return err })
	try("write in read", write(in("read", "file")))
	try("make a file in read", write(in("read", "other")))
	try(
		"move from data to read",
		func() error { return os.Rename(in("data", "program"), in("read", "program")) },
	)

	try(
		"look at a file outside",
		func() error { _, err := os.Stat(in("outside", "file")); return err },
	)
	try("read outside", read(in("outside", "file")))
	try("list outside", func() error { _, err := os.ReadDir(in("outside")); return err })
	try("write outside", write(in("outside", "file")))
	try("cut off outside", func() error { return os.Truncate(in("outside", "file"), 0) })
	try("remove outside", func() error { return os.Remove(in("outside", "file")) })
	try(
		"move from data to outside",
		func() error { return os.Rename(in("data", "program"), in("outside", "program")) },
	)
	try("read of the system", read("/etc/passwd"))
	try("start a program", func() error { return exec.Command("/bin/sh", "-c", "true").Run() })
	try("read what was open", func() error { _, err := before.Read(make([]byte, 1)); return err })
	for range 8 {
		stay <- func() { try("read outside in another thread", read(in("outside", "file"))) }
		<-ready
		if r.Results["read outside in another thread"] != "refused" {
			break
		}
	}
	more() // threads begin in a confined process too
	// The parent connects, and is answered.
	json.NewEncoder(os.Stdout).Encode(listener.Addr().String())
	try("take a connection", func() error {
		conn, err := listener.Accept()
		if err == nil {
			_, err = conn.Write([]byte("hello"))
			conn.Close()
		}
		return err
	})
	parent := os.Getenv("TEST_OF_CONFINE_PARENT")
	dial := func(network, address string, multipath bool) func() error {
		return func() error {
			d := net.Dialer{Timeout: 10 * time.Minute}
			d.SetMultipathTCP(multipath)
			conn, err := d.Dial(network, address)
			if err == nil {
				conn.Close()
			}
			return err
		}
	}
	try("connect", dial("tcp", parent, false))
	try("connect by several paths", dial("tcp", parent, true))
	try("connect by UDP", dial("udp", parent, false))
	try("connect to a file", dial("unix", in("data", "program"), false))
	try("listen", func() error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		return err
	})
	json.NewEncoder(os.Stdout).Encode(r)
}

// withoutC returns this test binary, made without C.
func withoutC(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "child")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

func TestProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		_, err := confine.Process(confine.Rights{})
		if !errors.Is(err, confine.ErrUnsupported) {
			t.Errorf("on %s: %v", runtime.GOOS, err)
		}
		t.Skipf("no confinement on %s", runtime.GOOS)
	}
	testProcess(t, withoutC(t), false)
}

// In a program that is linked with C, system calls are filtered on all threads, also on
// threads that Go does not know, and files are as open as before.
func TestWithC(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || !linkedWithC() {
		t.Skip("this test is not linked with C")
	}
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testProcess(t, file, true)
}

// testProcess runs a child, made with C or without, and looks at its attempts.
func testProcess(t *testing.T, binary string, c bool) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"data", "append", "read", "read/new", "outside"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"append/file", "read/file", "read/new/file", "outside/file", "data/program"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ntrue\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "outside", "file"), filepath.Join(dir, "data", "link")); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()

	landlock, seccomp := kernel()
	if c {
		landlock = 0
	}
	cmd := exec.Command(binary)
	cmd.Env = append(
		os.Environ(),
		childVariable+"="+dir,
		"TEST_OF_CONFINE_PARENT="+listener.Addr().String(),
	)
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(stdout)
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		t.Fatal(err)
	}
	var address string
	var got report
	if json.Unmarshal(first, &address) != nil { // it could not
		if err := json.Unmarshal(first, &got); err != nil {
			t.Fatal(err)
		}
		if landlock > 0 || seccomp {
			t.Fatalf(
				"the kernel has Landlock %d, and seccomp: %v, and yet %s",
				landlock,
				seccomp,
				got.Error,
			)
		}
		t.Skip(got.Error)
	}
	if seccomp {
		everyThread(t, cmd.Process.Pid, "NoNewPrivs:\t1", "Seccomp:\t2")
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	hello := make([]byte, 5)
	if _, err := conn.Read(hello); err != nil || string(hello) != "hello" {
		t.Errorf("the child says %q, %v", hello, err)
	}
	conn.Close()
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	wantState := fmt.Sprintf("files by Landlock %d, system calls by seccomp", landlock)
	if c {
		wantState = "system calls by seccomp; files are not: the program is linked with C; build it with CGO_ENABLED=0, as make build does"
	}
	if landlock == 0 && !c || !seccomp {
		t.Skipf(
			"Landlock %d, seccomp: %v: another kernel than this test is for; it has %s, %v",
			landlock,
			seccomp,
			got.State,
			got.Results,
		)
	}
	if got.State != wantState {
		t.Errorf("the state is %q, want %q", got.State, wantState)
	}
	const ok, refused = "ok", "refused"
	want := map[string]string{
		"make a directory in data": ok, "write in data": ok, "read in data": ok, "list data": ok, "rename in data": ok,
		"cut off in data": ok, "move in data": ok, "remove in data": ok, "remove a directory in data": ok,
		"link in data": refused, "read by a link in data": refused, "start a program in data": refused,
		"append in append": ok, "make a file in append": ok, "read in append": refused, "remove in append": refused,
		"rename in append": refused, "make a directory in append": refused,
		"read in read": ok, "read what is new in read": ok,
		"list read": refused, "write in read": refused, "make a file in read": refused, "move from data to read": refused,
		"look at a file outside": ok, "read what was open": ok, "read outside": refused, "list outside": refused, "write outside": refused,
		"cut off outside": refused, "remove outside": refused, "move from data to outside": refused, "read of the system": refused,
		"start a program": refused, "read outside in another thread": refused,
		"take a connection": ok, "connect": refused, "connect by several paths": refused, "connect by UDP": refused,
		"connect to a file": refused, "listen": refused,
	}
	if c {
		for _, what := range []string{"read by a link in data", "read in append", "remove in append", "make a directory in append", "list read",
			"write in read", "make a file in read", "move from data to read", "read outside", "list outside", "write outside", "remove outside",
			"read of the system"} {
			want[what] = ok
		}
		for _, what := range []string{"rename in append", "move from data to outside", "read outside in another thread"} {
			delete(want, what) // these find no file any more
			delete(got.Results, what)
		}
	}
	if landlock == 1 {
		want["move in data"] = refused
		want["remove in data"] = "remove " + filepath.Join(
			dir,
			"data",
			"1",
		) + ": no such file or directory"
		want["remove a directory in data"] = "remove " + filepath.Join(
			dir,
			"data",
			"log",
		) + ": directory not empty"
	}
	if diff := cmp.Diff(want, got.Results); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

// everyThread asks the kernel about the threads of a process.
func everyThread(t *testing.T, process int, lines ...string) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", process))
	if err != nil || len(files) < 8 {
		t.Fatalf("%d threads, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !strings.Contains(string(text), "\n"+line+"\n") {
				t.Errorf("%s has no line %q", file, line)
			}
		}
	}
}
