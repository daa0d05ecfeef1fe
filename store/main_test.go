// How the tests of this package run.

package store

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Thousands of small stores are opened one after the other. With so little
// alive the collector would take a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}

// alone begins a test that goes through thousands of cases one after the other.
// The race detector makes these take some minutes and has nothing to find that
// the other tests do not show it, so `make test` runs them without it.
func alone(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("this one runs without the race detector; `make test` does that next")
	}
	t.Parallel()
}

// The tests that begin with alone, here and in package rest, are those that the
// Makefile runs alone.
func TestAlone(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	must(t, err)
	others, err := filepath.Glob("../internal/rest/*_test.go")
	must(t, err)
	files = append(files, others...)
	makefile, err := os.ReadFile("../Makefile")
	must(t, err)
	var want []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		must(t, err)
		for _, match := range regexp.MustCompile(`func (Test\w+)\(t \*testing\.T\) {\n\talone\(t\)`).FindAllStringSubmatch(string(text), -1) {
			want = append(want, match[1])
		}
	}
	slices.Sort(want)
	list := regexp.MustCompile(`(?m)^ALONE += (.*)$`).FindStringSubmatch(string(makefile))
	if list == nil {
		t.Fatal("the Makefile has no list ALONE")
	}
	if diff := cmp.Diff(want, strings.Split(list[1], "|")); diff != "" {
		t.Errorf("ALONE in the Makefile (-begin with alone, +are listed):\n%s", diff)
	}
}
