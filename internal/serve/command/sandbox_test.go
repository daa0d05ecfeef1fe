package command

import (
	"encoding/json"
	"errors"
	"fmt"
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

// This file tries the powers of confined servers; confined_test.go starts them.

// The program confines itself, and takes commands.
func TestSandboxOfProgram(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	s := startConfined(t, serveCommand(t, dir), http.DefaultClient)
	if !s.files {
		t.Skipf("the kernel has no Landlock: %s", s.stderr)
	}
	fill(t, s.caller)
	mustUsers(t, "disable", "admin", "-force", "-data", dir)
	if a := s.Do(t, "POST", v1+"/tags", `{"name":"too late"}`); a.Status != 401 {
		t.Errorf("after the accounts changed, answered %d %s", a.Status, a.Body)
	}

}

// Without the sandbox, which both spellings turn off, the log says so.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	for _, flag := range []string{"-no-sandbox", "-sandbox=off"} {
		cmd := serveCommand(t, filepath.Join(t.TempDir(), "data"))
		cmd.Args = append(cmd.Args, flag)
		stderr := &lockedBuffer{}
		cmd.Stderr = stderr
		ready := startProcess(t, cmd)
		if err := signalTo(ready.PID, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil ||
			!strings.Contains(stderr.String(), `confined="no: -sandbox=off"`) {
			t.Errorf("%s: ended with %v, and the log\n%s", flag, err, stderr)
		}
	}
}

// A value of -sandbox that there is not, and two values at a time, are mistakes.
func TestSandboxFlag(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ flags, want string }{
		{"-sandbox=yes", `-sandbox "yes": must be auto, require or off`},
		{"-sandbox=", `-sandbox "": must be auto, require or off`},
		{"-sandbox=require -no-sandbox", "contradicts -sandbox=require"},
	} {
		exit, _, stderr := runCommand(
			t,
			append([]string{"serve", "-memory"}, strings.Fields(tt.flags)...)...)
		if exit != 2 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit status %d, %s", tt.flags, exit, stderr)
		}
	}
}

// A program that is linked with C, as go build makes it where there is a compiler, serves
// with system calls filtered, and says once that files are not confined and how to build
// for that. Where the sandbox is required it does not start, and has made no file by then:
// the token of the first administrator would be lost.
func TestSandboxWithC(t *testing.T) {
	t.Parallel()
	if landlock, seccomp := kernelConfines(); landlock == 0 || !seccomp {
		t.Skip("the kernel has no Landlock or no seccomp")
	}
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if _, noC := exec.LookPath(strings.Fields(string(out) + " none none")[1]); err != nil ||
		noC != nil {
		t.Skipf("there is no C compiler: %v, %v", err, noC)
	}
	file := filepath.Join(t.TempDir(), "almanac")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := filepath.Join(t.TempDir(), "data")
	command := func(name string, more ...string) (*exec.Cmd, *lockedBuffer) {
		cmd := exec.Command(
			file,
			append(append([]string{name, "-data", dir}, still...), more...)...)
		stderr := &lockedBuffer{}
		cmd.Env = append(cleanEnvironment(), "ALMANAC_ADDR=127.0.0.1:0", "ALMANAC_SANDBOX=require")
		cmd.Stderr = stderr
		return cmd, stderr
	}
	cmd, stderr := command("serve")
	err = cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("ended with %v, want exit status 1", err)
	}
	for _, part := range []string{"linked with C", "CGO_ENABLED=0", "make build", "-sandbox=auto"} {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("the error does not name %s: %s", part, stderr)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a server that did not start made its directory: %v", err)
	}

	cmd, stderr = command("serve", "-sandbox=auto")
	ready := startProcess(t, cmd)
	c := caller{URL: ready.URL, Token: ready.Token, Client: http.DefaultClient}
	fill(t, c)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", ready.PID))
	if err != nil || !strings.Contains(string(status), "\nSeccomp:\t2\n") ||
		!strings.Contains(string(status), "\nNoNewPrivs:\t1\n") {
		t.Errorf("the kernel says of the process: %v\n%s", err, status)
	}
	var many sync.WaitGroup // so that threads begin
	for range 50 {
		many.Go(func() { c.Everything(t) })
	}
	many.Wait()
	if err := signalTo(ready.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	warnings := 0
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "level=WARN") {
			warnings++
			for _, part := range []string{"files are not", "CGO_ENABLED=0", "make build"} {
				if !strings.Contains(line, part) {
					t.Errorf("the warning does not name %s: %s", part, line)
				}
			}
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings, want 1:\n%s", warnings, stderr)
	}

	cmd, _ = command("audit", "-json")
	cmd.Args = append(cmd.Args, "-sandbox=auto")
	var a auditReport
	if out, _ := cmd.Output(); json.Unmarshal(
		out,
		&a,
	) != nil { // its status says that something stands out
		t.Fatalf("audit prints %s", out)
	}
	if !a.mentions("confined less than a server asks for", "linked with C") ||
		!a.mentions("may still read "+file) ||
		a.mentions("may still connect") {
		t.Errorf("audit finds %q", a.Findings)
	}
}

func mustCopy(t *testing.T, from, to string) {
	t.Helper()
	text := readFile(t, from)
	replace(t, to, text)
}

// Everything goes on in a confined process: writing, segments, snapshots, pruning,
// accounts and certificates that change; nothing else does.
func TestSandbox(t *testing.T) {
	t.Parallel()
	binary, err := confinedTests()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	accounts := t.TempDir()
	live := t.TempDir()
	archive := t.TempDir()
	pair := newPair(t, archive, time.Hour)
	for _, name := range []string{"cert.pem", "key.pem"} { // as certbot has it
		if err := os.Symlink(filepath.Join(archive, name), filepath.Join(live, name)); err != nil {
			t.Fatal(err)
		}
	}
	users := filepath.Join(accounts, "users.json")
	const root = `{"users":[{"id":1,"login":"root","role":"administrator","token":"%s"}]}`
	token := "the first"
	replace(t, users, fmt.Sprintf(root, token))

	text, err := json.Marshal(limits{Segment: 8 << 10, Snapshot: 12 << 10, Confine: true})
	if err != nil {
		t.Fatal(err)
	}
	chosen := t.TempDir() // a theme is read before
	style := filepath.Join(chosen, "style.css")
	templates := filepath.Join(chosen, "theme")
	replace(t, style, "h1 { color: red }")
	if err := os.Mkdir(templates, 0o700); err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(templates, "list.html"), `<h1 class="ours">{{.List.Heading}}</h1>`)
	flags := on(
		dir,
		append(
			still,
			"-addr",
			"127.0.0.1:0",
			"-keep",
			"0",
			"-users",
			users,
			"-style",
			style,
			"-theme",
			templates,
		)...)
	start := func(client *http.Client, more ...string) *confinedServer {
		cmd := exec.Command(binary, append(flags, more...)...)
		cmd.Env = append(cleanEnvironment(), childVariable+"="+string(text))
		return startConfined(t, cmd, client)
	}
	s := start(http.DefaultClient)
	s.Token = token
	fill(t, s.caller)
	for i := range 200 {
		s.Must(
			t,
			"POST",
			v1+"/events",
			fmt.Sprintf(
				`{"title":"Concert %d","start_date":"2031-05-11","end_date":"2031-05-11","description":%q}`,
				i,
				strings.Repeat("la ", 100),
			),
		)
	}
	before := s.Everything(t)
	if page := s.Must(t, "GET", "/events/", ""); !strings.Contains(page, `<h1 class="ours">`) {
		t.Errorf("a page of a template that was read before: %s", page)
	}

	// Files outside are out of reach.
	outside := filepath.Join(t.TempDir(), "secret")
	replace(t, outside, "secret")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	refusedIf := func(can bool) string {
		if can {
			return "refused"
		}
		return "done"
	}
	want := map[string]string{
		"read " + outside:                      refusedIf(s.files),
		"write " + outside:                     refusedIf(s.files),
		"read /etc/passwd":                     refusedIf(s.files),
		"read " + style:                        refusedIf(s.files),
		"start /bin/true":                      "refused",
		"read " + users:                        "done",
		"write " + users:                       refusedIf(s.files),
		"write " + filepath.Join(dir, "probe"): "done",
		"tcp " + listener.Addr().String():      refusedIf(s.calls),
		"udp " + listener.Addr().String():      refusedIf(s.calls),
		"listen 127.0.0.1:0":                   refusedIf(s.calls),
	}
	if s.calls {
		for _, way := range waysOut() {
			want[way+" "+listener.Addr().String()] = "refused"
		}
	}
	got := map[string]string{}
	for what := range want {
		got[what] = s.try(t, what)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a confined server (-want, +got):\n%s", diff)
	}
	const second = "the second"
	replace(t, users, fmt.Sprintf(root, second))
	if a := s.Do(t, "GET", v1+"/tags", ""); a.Status != 401 {
		t.Errorf("a token that was revoked was answered %d", a.Status)
	}
	s.Token = second
	s.Must(t, "POST", v1+"/tags", `{"name":"second"}`)
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
	if uses, err := os.ReadFile(filepath.Join(dir, usesName)); err != nil ||
		!strings.Contains(string(uses), "2031-05-10T12:00:00Z") {
		t.Errorf("uses of tokens: %s, %v", uses, err)
	}

	// The same data, with TLS.
	s = start(
		pair.client(t),
		"-tls-cert",
		filepath.Join(live, "cert.pem"),
		"-tls-key",
		filepath.Join(live, "key.pem"),
	)
	s.Token = second
	s.Must(t, "PUT", v1+"/events/4", `{"description":"<p>Stands and music.</p>"}`)
	if got := presented(t, s.URL); got.Cmp(pair.serial) != 0 {
		t.Errorf("the certificate is %v, want %v", got, pair.serial)
	}
	after := s.Everything(t)
	renewed := newPair(t, archive, time.Hour)
	if got := presented(t, s.URL); got.Cmp(renewed.serial) != 0 {
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
