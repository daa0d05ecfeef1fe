package command

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"almanac/internal/cli"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// This file saves and restores data directories, and compares what a server
// then shows.

// served returns all that a server shows of a directory.
func served(t testing.TB, dir, token string) map[string]string {
	t.Helper()
	s := startServer(t, on(dir, still...)...)
	if s.Token != "" {
		t.Error("the accounts were not restored")
	}
	all := s.As(token).Everything(t)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	return all
}

// A backup while the server runs holds what was answered for, and every earlier
// moment of it can be restored.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	s := startServer(t, on(data, still...)...)
	c := s.Admin()
	fill(t, c)
	before := c.Everything(t)
	for _, name := range []string{"a.tar", "a.tgz"} {
		out := mustRun(t, "backup", "-data", data, filepath.Join(dir, name))
		for _, want := range []string{
			"seq   12\n",
			"4 events, 1 venues, 1 organizers, 1 categories, 2 tags, 0 images, 1 accounts\n",
			"head  ",
			"size  ",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("backup printed %s, want %q", out, want)
			}
		}
	}
	c.Must(t, "DELETE", v1+"/events/5", "") // a mistake

	for name, args := range map[string][]string{
		"tar":            {filepath.Join(dir, "a.tar")},
		"tgz":            {filepath.Join(dir, "a.tgz")},
		"another's log":  {"-from", data, "-seq", "12"},
		"as it was then": {"-at", "2031-05-10 12:00:00", filepath.Join(dir, "a.tgz")},
		"in UTC":         {"-at", "2031-05-10T14:00:00+02:00", filepath.Join(dir, "a.tgz")},
	} {
		to := filepath.Join(dir, name)
		out := mustRun(t, append([]string{"restore", "-data", to}, args...)...)
		if !strings.Contains(out, "seq   12\n") {
			t.Errorf("%s: printed %s", name, out)
		}
		if diff := cmp.Diff(before, served(t, to, s.Token)); diff != "" {
			t.Errorf("%s (-before, +restored):\n%s", name, diff)
		}
	}
	out := mustRun(
		t,
		"restore",
		"-data",
		filepath.Join(dir, "fewer"),
		"-seq",
		"7",
		filepath.Join(dir, "a.tar"),
	)
	if !strings.Contains(out, "1 events, 1 venues, 1 organizers") {
		t.Errorf("printed %s", out)
	}
}

// A backup without sign-ins has all records and tokens, and nothing of a cookie or a link.
func TestBackupWithoutSignIns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	s := startServer(t, append(on(data, still...), "-desk")...)
	fill(t, s.Admin())
	mustUsers(t, "link", "-data", data, "admin")
	signIn := "sign-in-login=admin&sign-in-token=" + s.Token
	entered := s.As("").Do(t, "POST", "/desk/sign-in", signIn)
	cookie, _, _ := strings.Cut(entered.Header.Get("Set-Cookie"), ";")
	before := s.Admin().Everything(t)
	accounts, err := store.ReadAccounts(data)
	if err != nil || len(accounts) != 1 {
		t.Fatal(err, accounts)
	}
	secrets := []string{accounts[0].SignIns[0].SHA256, accounts[0].Links[0].SHA256}

	for name, without := range map[string]bool{"with.tar": false, "without.tar": true} {
		archive := filepath.Join(dir, name)
		args := []string{"backup", "-data", data, archive}
		if without {
			args = append(args, "-sign-ins=false")
		}
		mustRun(t, args...)
		text := readFile(t, archive)
		for _, secret := range secrets {
			if strings.Contains(text, secret) == without {
				t.Errorf("%s: the hash %s is in it: %t", name, secret, !without)
			}
		}
		to := filepath.Join(dir, name+" restored")
		mustRun(t, "restore", "-data", to, archive)
		expectSound(t, to)
		if diff := cmp.Diff(before, served(t, to, s.Token)); diff != "" {
			t.Errorf("%s (-before, +restored):\n%s", name, diff)
		}
		restored := startServer(t, append(on(to, still...), "-desk")...)
		c := restored.As("")
		home := c.Do(t, "GET", "/desk/", "", "Cookie", cookie)
		if isIn := strings.Contains(home.Body, "/desk/events/new"); isIn == without {
			t.Errorf("%s: the cookie of before lets in: %t", name, isIn)
		}
		if err := restored.Stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestBackupMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	archive := filepath.Join(dir, "a.tar")
	s := startServer(t, on(data, still...)...)
	fill(t, s.Admin())
	mustRun(t, "backup", "-data", data, archive)
	broken := filepath.Join(dir, "broken.tar")
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "new")
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"backup of nothing", []string{"backup"}, 2, "name one file to write"},
		{"backup to two", []string{"backup", "a", "b"}, 2, "name one file to write"},
		{
			"backup of a directory that is not there",
			[]string{"backup", "-data", to, archive},
			1,
			"no such file",
		},
		{
			"backup of another directory",
			[]string{"backup", "-data", dir, archive},
			1,
			"name the data directory",
		},
		{
			"backup to where there is no directory",
			[]string{"backup", "-data", data, filepath.Join(to, "a.tar")},
			1,
			"no such file",
		},
		{"backup to a directory", []string{"backup", "-data", data, data}, 1, "not a regular file"},
		{"restore of nothing", []string{"restore", "-data", to}, 2, "name one file to restore"},
		{"restore to nowhere", []string{"restore", archive}, 2, "-data"},
		{"restore of two", []string{"restore", "-data", to, "-from", data, archive}, 2, "-from"},
		{
			"restore to what is there",
			[]string{"restore", "-data", data, archive},
			1,
			"name a directory that does not exist",
		},
		{
			"restore to two moments",
			[]string{"restore", "-data", to, "-at", "2031-05-10 12:00:00", "-seq", "3", archive},
			2,
			"-at and -seq",
		},
		{
			"restore to no time",
			[]string{"restore", "-data", to, "-at", "noon", archive},
			2,
			"2006-01-02 15:04:05",
		},
		{
			"restore to no number",
			[]string{"restore", "-data", to, "-seq", "0", archive},
			2,
			"from 1",
		},
		{"restore to what is to come", []string{"restore", "-data", to, "-seq", "13", archive}, 1,
			"it reaches from transaction 1 at 2031-05-10T12:00:00Z to transaction 12"},
		{"restore of a part", []string{"restore", "-data", to, broken}, 1, "take another backup"},
		{
			"restore of a file that is not there",
			[]string{"restore", "-data", to, to},
			1,
			"no such file",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := command(t, test.args...)
			if cli.Status(err) != test.status || !strings.Contains(err.Error(), test.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf(
					"exit status %d: %v; want %d and one line with %q",
					cli.Status(err),
					err,
					test.status,
					test.want,
				)
			}
			after, readErr := os.ReadDir(dir)
			if readErr != nil || len(after) != len(names) {
				t.Errorf("left behind: %v, %v", after, readErr)
			}
		})
	}
}

// From standard output to standard input, past a server that is being killed.
func TestBackupPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	to := filepath.Join(dir, "new")
	cmd := serveCommand(t, data)
	ready := startProcess(t, cmd)
	c := caller{URL: ready.URL, Client: http.DefaultClient, Token: ready.Token}
	fill(t, c)
	before := c.Everything(t)
	var archive, said bytes.Buffer
	save := exec.Command(program(t), "backup", "-gzip", "-data", data, "-")
	save.Env = cleanEnvironment()
	save.Stdout = &archive
	save.Stderr = &said
	if err := save.Run(); err != nil || !strings.Contains(said.String(), "seq   12\n") {
		t.Fatalf("%v: %s", err, &said)
	}
	load := exec.Command(program(t), "restore", "-data", to, "-")
	load.Env = cleanEnvironment()
	load.Stdin = &archive
	load.Stderr = t.Output()
	if out, err := load.Output(); err != nil || !strings.Contains(string(out), "seq   12\n") {
		t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff(before, served(t, to, ready.Token)); diff != "" {
		t.Errorf("(-before, +restored):\n%s", diff)
	}

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	err = run(t.Context(), []string{"backup", "-data", data, "-"}, cli.Process{
		Getenv: none,
		Stdout: full,
		Stderr: &stderr,
	})
	if cli.Status(err) != 1 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("to a full disk: exit status %d, %v", cli.Status(err), err)
	}
}
