package command

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// This file tries the Makefile and .ci/commits on a small program in a repository
// of its own.

// A repository has the Makefile and the scripts of this one.
type repository struct{ dir string }

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository{t.TempDir()}
	for _, tool := range []string{"bash", "make", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Mkdir(filepath.Join(r.dir, ".ci"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Makefile", ".ci/commits"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.dir, name), text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.write(t, "go.mod", "module almanac\n\ngo 1.26\n")
	r.write(t, ".gitignore", "/almanac\n/almanac-move\n")
	r.must(t, "git", "init", "-q")
	r.commit(t, "package main\n\nfunc main() {}\n")
	return r
}

func (r repository) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// commit commits a program.
func (r repository) commit(t *testing.T, program string) {
	t.Helper()
	r.write(t, "main.go", program)
	if err := os.MkdirAll(filepath.Join(r.dir, "move"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.write(t, "move/main.go", "package main\n\nfunc main() {}\n")
	r.must(t, "git", "add", "-A")
	r.must(
		t,
		"git",
		"-c",
		"user.name=a",
		"-c",
		"user.email=a@example.org",
		"commit",
		"-q",
		"-m",
		"almanac: "+strings.Fields(program)[2],
	)
}

// run runs a command there, and returns all that it prints.
func (r repository) run(variables []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	cmd.Env = append(
		append(
			cleanEnvironment(),
			"GOFLAGS=-tags=mine",
			"GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_CONFIG_NOSYSTEM=1",
		),
		variables...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r repository) must(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := r.run(nil, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// make builds the program with the commit in it, and without where git says that
// the directory is somebody else's.
func TestMakeInCheckoutOfAnother(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	another := []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"}
	if out, err := r.run(another, "git", "status"); err == nil ||
		!strings.Contains(out, "dubious ownership") {
		t.Skipf("this git does not mind: %v %s", err, out)
	}
	if out, err := r.run(another, "go", "build"); err == nil {
		t.Fatalf("go build does not need this: %s", out)
	}
	for _, test := range []struct {
		variables []string
		revision  bool
	}{{nil, true}, {another, false}} {
		if out, err := r.run(test.variables, "make", "build"); err != nil {
			t.Errorf("make build, %v: %v\n%s", test.variables, err, out)
			continue
		}
		info, err := buildinfo.ReadFile(filepath.Join(r.dir, "almanac"))
		if err != nil {
			t.Fatal(err)
		}
		revision := false
		mine := false
		for _, s := range info.Settings {
			revision = revision || s.Key == "vcs.revision"
			mine = mine || s.Key == "-tags" && s.Value == "mine"
		}
		if revision != test.revision || !mine {
			t.Errorf(
				"%v: the program has its commit: %v, and was built with GOFLAGS as they were: %v",
				test.variables,
				revision,
				mine,
			)
		}
	}
}

// A commit that does not build is named, although the last one does.
func TestCommits(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.commit(t, "package main\n\nfunc main() { missing() }\n")
	r.commit(t, "package main\n\nfunc main() { println(1) }\n")
	if out := r.must(t, "make", "commits", "BASE=HEAD~1"); !strings.Contains(
		out,
		"1 commits build",
	) {
		t.Errorf("the last commit: %s", out)
	}
	out, err := r.run(nil, "make", "commits", "BASE=HEAD~2")
	broken := strings.TrimSpace(r.must(t, "git", "rev-parse", "--short", "HEAD~1"))
	if err == nil || !strings.Contains(out, "undefined: missing") ||
		!strings.Contains(out, "does not build: "+broken) {
		t.Errorf("two commits: %v\n%s", err, out)
	}
	if out := r.must(t, "git", "worktree", "list"); strings.Count(out, "\n") != 1 {
		t.Errorf("worktrees are left: %s", out)
	}
}
