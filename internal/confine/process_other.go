// Systems that cannot be asked.

//go:build !linux || !(amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm)

package confine

import (
	"fmt"
	"runtime"
)

// Check has nothing to say here: Process says it.
func Check() error { return nil }

// Process changes nothing here.
func Process(Rights) (State, error) {
	return State{}, fmt.Errorf("%w: it is %s on %s", ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}
