package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/cli"
	"almanac/internal/tools/cmdtest"
	"almanac/move/transfer"
)

// This file runs the program as a process of its own, for what cannot be seen
// from within: how it dies.

// scratch is a directory that lives as long as the tests do.
var scratch string

func TestMain(m *testing.M) {
	serveIfChild()
	if err := os.Chdir("../../.."); err != nil { // files are named from the top, as users name them
		panic(err)
	}
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "almanac"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(scratch)
		return cmdtest.Watched(func(see func(api.Exchange)) int {
			observe = see
			return inNamespace(m)
		})
	}())
}

// observe sees every exchange of servers in this process. TestMain sets it.
var observe func(api.Exchange)

// run runs a command in this process, as main does.
func run(ctx context.Context, args []string, p cli.Process) error {
	serve := Service{Routes: almanactest.Routes, Observe: observe}.Command()
	audit := Audit(almanactest.Routes, nil)
	program := cli.Program{Name: "almanac", Default: "serve", Commands: cli.Table{
		serve,
		transfer.Import, // which is of almanac-move
		Export,
		Verify,
		Log,
		Identity,
		Backup,
		Restore,
		Users,
		Healthcheck,
		audit,
		cli.Version("almanac"),
		cli.SBOM("almanac"),
	}}
	return program.Run(ctx, args, p)
}

// built builds the program as `make build` does, once for all tests.
var built = sync.OnceValues(func() (file string, err error) {
	file = filepath.Join(scratch, "almanac")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", file, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return file, nil
})

// program returns the file of the program.
func program(t testing.TB) string {
	t.Helper()
	file, err := built()
	if err != nil {
		t.Fatalf("go build: %v", err)
	}
	return file
}

// A readyLine is the line that serve prints when it is ready.
type readyLine struct {
	URL, API, Token, Metrics, Desk string
	PID                            int
}

// startProcess starts a command that serves, in a directory, and waits until
// it is ready. Its output goes to that of the test, unless the command has
// a place for it. The process is killed when the test ends.
func startProcess(t testing.TB, cmd *exec.Cmd) readyLine {
	t.Helper()
	if cmd.Stderr == nil {
		cmd.Stderr = t.Output()
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		var ready readyLine
		if json.Unmarshal(lines.Bytes(), &ready) == nil && ready.PID != 0 {
			return ready
		}
		t.Logf("%s: %s", cmd.Args[0], lines.Text()) // make says what it does
	}
	t.Fatalf("%s ended without a ready line", strings.Join(cmd.Args, " "))
	return readyLine{}
}

// serveCommand returns the command that serves a directory, with a clock that
// stands still and links that do not depend on the port.
func serveCommand(t testing.TB, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program(t), append(on(dir, still...), "-addr", "127.0.0.1:0")...)
	cmd.Env = cleanEnvironment()
	return cmd
}

// cleanEnvironment returns the environment without what would make almanac or
// make do something else.
func cleanEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "ALMANAC_") || strings.HasPrefix(name, "MAKE") ||
			name == "MFLAGS"
	})
}

// Everything that was answered for is there after the process was killed, byte for byte.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	cmd := serveCommand(t, dir)
	ready := startProcess(t, cmd)
	c := caller{URL: ready.URL, Client: http.DefaultClient, Token: ready.Token}
	fill(t, c)
	before := c.Everything(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // says that it was killed

	again := startProcess(t, serveCommand(t, dir))
	if again.Token != "" {
		t.Error("the second start printed a token")
	}
	c.URL = again.URL
	if diff := cmp.Diff(before, c.Everything(t)); diff != "" {
		t.Errorf("after a kill (-before, +after):\n%s", diff)
	}
}

// A process that is asked to end exits with 0.
func TestTerminate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			cmd := serveCommand(t, dir)
			ready := startProcess(t, cmd)
			c := caller{URL: ready.URL, Client: http.DefaultClient, Token: ready.Token}
			fill(t, c)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("after %v: %v, want exit status 0", signal, err)
			}
		})
	}
}

// Mistakes in a call are one line on stderr and exit status 2; help and
// version are no mistakes.
func TestExitStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		args   []string
		status int
		stdout string // a part of it
		stderr string // a part of it
	}{
		{"help", []string{"help"}, 0, "almanac [serve] [flags]", ""},
		{"help for serve", []string{"help", "serve"}, 0, "environment: ALMANAC_PER_PAGE", ""},
		{"-h", []string{"-h"}, 0, "almanac [serve] [flags]", ""},
		{"--help", []string{"--help"}, 0, "almanac [serve] [flags]", ""},
		{"serve -h", []string{"serve", "-h"}, 0, "environment: ALMANAC_PER_PAGE", ""},
		{"version", []string{"version"}, 0, "almanac ", ""},
		{"--version", []string{"--version"}, 0, "almanac ", ""},
		{"an unknown command", []string{"sevre"}, 2, "", `there is no command "sevre"`},
		{"an unknown flag", []string{"-adr", ":0"}, 2, "", "did you mean -addr?"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			cmd := exec.Command(program(t), test.args...)
			cmd.Env = cleanEnvironment()
			cmd.Stdout = &stdout
			cmd.Stderr = &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if got := cmd.ProcessState.ExitCode(); got != test.status {
				t.Errorf("exit status %d, want %d", got, test.status)
			}
			if !strings.Contains(stdout.String(), test.stdout) ||
				test.stdout == "" && stdout.Len() > 0 {
				t.Errorf("stdout %q, want %q", &stdout, test.stdout)
			}
			if !strings.Contains(stderr.String(), test.stderr) ||
				strings.Count(stderr.String(), "\n") != min(1, test.status) {
				t.Errorf("stderr %q, want one line with %q", &stderr, test.stderr)
			}
		})
	}
}
