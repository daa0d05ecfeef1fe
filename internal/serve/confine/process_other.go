// Systems that cannot be asked.

//go:build !linux || !(amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm)

package confine

import (
	"fmt"
	"runtime"
)

// Available returns ErrUnsupported here.
func Available() (State, error) {
	return State{}, fmt.Errorf("%w: it is %s on %s", ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}

// Process changes nothing here.
func Process(Rights) (State, error) { return Available() }
