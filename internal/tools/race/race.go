// Package race tells tests whether the race detector looks on. It is no part of
// the program.
package race

import (
	"strings"
	"testing"
)

// Alone begins a test that takes long with the race detector, and in which
// it has nothing to find that other tests do not show it: `make test` runs it
// without. The test runs in parallel with others.
func Alone(t *testing.T) {
	t.Helper()
	AloneInTurn(t)
	t.Parallel()
}

// AloneInTurn is Alone for a test that measures the whole process, as its heap: no
// other test of the package runs at the same time.
func AloneInTurn(t *testing.T) {
	t.Helper()
	if name, _, _ := strings.Cut(t.Name(), "/"); !strings.HasSuffix(name, "Alone") {
		t.Error("the name of a test that runs alone ends in Alone, by which make test chooses it")
	}
	if enabled {
		t.Skip("this one runs without the race detector; `make test` does that next")
	}
}
