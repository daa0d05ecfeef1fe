package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// This file runs the recipes of README.md: tests in other languages, each of which
// starts the program and ends it.

// A recipe is how a block is run that is a test in another language.
type recipe struct {
	file    string
	command []string // that runs it
	proof   string   // of a run: what it prints
}

var recipes = map[string]recipe{
	"js":     {"concert.test.mjs", []string{"node", "--test"}, "# pass 1"},
	"python": {"test_concert.py", []string{"python3", "-m", "unittest"}, "Ran 1 test"},
	"php":    {"concert_test.php", []string{"php"}, "ok\n"},
}

// recipe runs a test in another language beside the program, if this machine has
// what it takes.
func (r *reader) recipe(b readmeBlock, how recipe) {
	r.Run(b.lang, func(t *testing.T) {
		if _, err := exec.LookPath(how.command[0]); err != nil {
			t.Skipf("line %d is not tried out: there is no %s on this machine", b.line, how.command[0])
		}
		file := filepath.Join(r.almanac, how.file)
		if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), how.command[0], append(how.command[1:], how.file)...)
		cmd.Dir, cmd.Env = r.almanac, r.env
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), how.proof) {
			t.Errorf("line %d: %v, want %q in what it prints:\n%s", b.line, err, how.proof, out)
		}
	})
}
