package command

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The recipes of docs/testing.md: tests in other languages that start and end the program.

// A recipe is how a block is run that is a test in another language.
type recipe struct {
	file    string
	command []string          // that runs it
	proof   string            // expected output of a run
	links   map[string]string // links that installing our package makes, with their targets
}

var recipes = map[string]recipe{
	"js": {"try/concert.test.mjs", []string{"node", "--test"}, "# pass 1",
		map[string]string{"try/node_modules/almanactest": "almanactest/node"}},
	"python": {
		"try/test_concert.py",
		[]string{"python3", "-m", "pytest", "-p", "almanactest.plugin", "-p", "no:cacheprovider"},
		"1 passed",
		map[string]string{"try/site-packages/almanactest": "almanactest/python/almanactest"},
	},
	"php": {"try/concert_test.php", []string{"php"}, "ok\n", nil},
}

// find returns the program that runs the recipe. One of several of Python is that which has
// what the recipe needs.
func (how recipe) find() (string, error) {
	if how.command[0] != "python3" {
		return exec.LookPath(how.command[0])
	}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import pytest, sys; sys.exit(sys.version_info < (3, 11))").
			Run() ==
			nil {
			return name, nil
		}
	}
	return "", errors.New("there is no python3 with pytest")
}

// recipe runs a test in another language beside the program, if this machine has
// what it takes.
func (r *reader) recipe(b block, how recipe) {
	r.Run(b.lang, func(t *testing.T) {
		program, err := how.find()
		if err != nil {
			t.Skipf("%v is not tried out: %v", b, err)
		}
		for name, to := range how.links {
			name = filepath.Join(r.almanac, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.Symlink(filepath.Join(r.almanac, to), name)); err != nil {
				t.Fatal(err)
			}
		}
		try := func(text string, env ...string) (string, error) {
			r.write(filepath.Join(r.almanac, how.file), text)
			cmd := exec.CommandContext(t.Context(), program, append(how.command[1:], how.file)...)
			cmd.Dir = r.almanac
			cmd.Env = slices.Concat(
				r.env,
				[]string{"ALMANAC_BINARY=./almanac", "PYTHONPATH=try/site-packages"},
				env,
			)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		// Tests have names with all that their language has letters for.
		renamed := strings.NewReplacer("a concert is listed", "Konzerte/Märkte 音楽", "a_concert_is_listed", "Märkte_音楽").
			Replace(b.text)
		for _, text := range []string{b.text, renamed} {
			if out, err := try(text); err != nil || !strings.Contains(out, how.proof) {
				t.Errorf("%v: %v, want %q in what it prints:\n%s", b, err, how.proof, out)
			}
		}
		// A start that fails says why.
		if out, err := try(b.text, "ALMANAC_PER_PAGE=none"); err == nil ||
			!strings.Contains(out, "ALMANAC_PER_PAGE: must be a whole number") {
			t.Errorf("%v: %v, with a flag that the server refuses it prints:\n%s", b, err, out)
		}
	})
}
