package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/cli"
	"almanac/internal/cli/socket"

	"github.com/google/go-cmp/cmp"
)

// This file asks servers by the sockets in their directories.

// inquiries are commands that change nothing, with DIR for the directory.
var inquiries = [][]string{
	{"log", "-data", "DIR"},
	{"log", "-data", "DIR", "-kind", "events", "-id", "4", "-n", "1"},
	{"log", "-data", "DIR", "-json", "-n", "3"},
	{"log", "-data", "DIR", "-head"},
	{"identity", "-data", "DIR"},
	{"backup", "-data", "DIR", "-"},
}

// printed returns what commands print about a directory.
func printed(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, ask := range inquiries {
		name := strings.Join(ask, " ")
		args := strings.Split(strings.ReplaceAll(name, "DIR", dir), " ")
		out, stderr, err := command(t, args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if ask[0] == "backup" { // whose archive has the time when it was made
			out, _, _ = strings.Cut(stderr, "  size ")
		}
		all[name] = out
	}
	return all
}

// Each command prints the same whether a server answers it, was killed, or ended.
func TestCommandsWithAndWithoutServer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(dir, socket.Name)
	cmd := serveCommand(t, dir)
	ready := startProcess(t, cmd)
	fill(t, caller{URL: ready.URL, Token: ready.Token, Client: http.DefaultClient})
	served := printed(t, dir)
	if len(served["identity -data DIR"]) < 2 || len(served["backup -data DIR -"]) < 50 {
		t.Errorf("a server answers %q", served)
	}
	end(t, cmd)
	if _, err := os.Lstat(file); err != nil {
		t.Fatalf("a killed server removed its socket: %v", err)
	}
	if diff := cmp.Diff(served, printed(t, dir)); diff != "" {
		t.Errorf("beside a server, and after its death (-with, +without):\n%s", diff)
	}
	mustRun(t, "identity", "-data", dir, "-set", "calendar.example.org")
	s := startServer(t, on(dir, still...)...)
	var health bytes.Buffer
	p := cli.Process{Getenv: none, Stdout: &health, Stderr: &health}
	if err := run(t.Context(), []string{"healthcheck", "-data", dir}, p); err != nil {
		t.Errorf("the socket of a killed server is not replaced: %v", err)
	}
	before := printed(t, dir)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a server that ended leaves its socket: %v", err)
	}
	if diff := cmp.Diff(before, printed(t, dir)); diff != "" {
		t.Errorf("beside a server, and after its end (-with, +without):\n%s", diff)
	}
}

// Commands end with an error when the server ends before it has said everything.
func TestServerEndsMeanwhile(t *testing.T) {
	t.Parallel()
	for how, test := range map[string]struct {
		signal func(*exec.Cmd) error
		want   string
	}{
		"stopped": {func(cmd *exec.Cmd) error { return cmd.Process.Signal(os.Interrupt) }, "the server has been stopped"},
		"killed":  {func(cmd *exec.Cmd) error { return cmd.Process.Kill() }, "ended before it had answered"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		cmd := serveCommand(t, dir)
		startProcess(t, cmd)
		out, in := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			args := []string{"log", "-data", dir, "-follow"}
			ended <- run(t.Context(), args, cli.Process{Getenv: none, Stdout: in, Stderr: io.Discard})
			in.Close()
		}()
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatalf("%s: no line: %v", how, lines.Err())
		}
		if err := test.signal(cmd); err != nil {
			t.Skip(err)
		}
		for lines.Scan() { // to the end
		}
		if err := <-ended; cli.Status(err) != 1 || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: log ended with %v", how, err)
		}
		_ = cmd.Wait()
		if got := printed(t, dir); got["identity -data DIR"] != "calendar.example.org\n" {
			t.Errorf("%s: afterwards %q", how, got)
		}
	}
}

// A backup of a server that dies leaves neither a file nor another one in the place of an older.
func TestBackupOfDyingServer(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	cmd := serveCommand(t, data)
	ready := startProcess(t, cmd)
	fill(t, caller{URL: ready.URL, Token: ready.Token, Client: http.DefaultClient})
	to := t.TempDir()
	replace(t, filepath.Join(to, "a.tar"), "the one before")
	end(t, cmd)
	stopped := answered(t, (&directory{path: data}).operations())
	mustRun(t, "backup", "-data", stopped, filepath.Join(to, "b.tar")) // of another directory, by a socket
	dying := answered(t, socket.Operations{"GET /backup": func(
		ctx context.Context, asked url.Values, in io.Reader, out io.Writer,
	) error {
		var whole bytes.Buffer
		err := (&directory{path: data}).backup(ctx, asked, in, &whole)
		if _, err := out.Write(whole.Bytes()[:whole.Len()/2]); err != nil {
			return err
		}
		if err == nil {
			panic(http.ErrAbortHandler)
		}
		return err
	}})
	_, _, err := command(t, "backup", "-data", dying, filepath.Join(to, "a.tar"))
	if cli.Status(err) != 1 || !strings.Contains(err.Error(), "ended before it had answered") {
		t.Errorf("ended with %v", err)
	}
	if got := readFile(t, filepath.Join(to, "a.tar")); got != "the one before" {
		t.Errorf("the older backup is %d bytes", len(got))
	}
	if left, err := os.ReadDir(to); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A confined server answers commands, and removes its socket at its end. Its path may be long.
func TestCommandsOfConfinedServer(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30), "data")
	s := startConfined(t, serveCommand(t, dir), http.DefaultClient)
	fill(t, s.caller)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program(t), append(args, "-data", dir)...)
		cmd.Env = cleanEnvironment()
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%q: %v", args, err)
		}
		return string(out)
	}
	run("identity", "-set", "other.example")
	if got := run("identity"); got != "other.example\n" {
		t.Errorf("its identity is %q", got)
	}
	run("backup", filepath.Join(t.TempDir(), "a.tgz"))
	run("healthcheck")
	if got := run("log"); strings.Count(got, "\n") < len(told) {
		t.Errorf("its log is %q", got)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	if _, err := os.Lstat(filepath.Join(dir, socket.Name)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it leaves its socket: %v\n%s", err, s.stderr)
	}
}

// A file of the socket's name that is none is neither removed nor served beside.
func TestForeignSocket(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := startServer(t, on(dir)...).Stop(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, socket.Name)
	replace(t, file, "mine")
	exit, _, stderr := runCommand(t, "serve", "-data", dir, "-addr", "127.0.0.1:0")
	if exit != 2 || !strings.Contains(stderr, file+" is no socket") || readFile(t, file) != "mine" {
		t.Errorf("exit status %d, %s", exit, stderr)
	}
	mustRun(t, "log", "-data", dir)
}
