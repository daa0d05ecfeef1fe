// Confining all threads of a process on Linux.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
)

// What prctl(2) is asked for. Package syscall does not have it for all machines.
const (
	getSeccomp    = 21
	setSeccomp    = 22
	setNoNewPrivs = 38
)

// Check returns an error if the program was built so that it can never be
// confined: linked with C, whose threads Go does not know. It changes nothing.
func Check() error {
	// This call is for all threads. It fails before it does anything if there may
	// be threads that it does not know of.
	if _, _, errno := syscall.AllThreadsSyscall(syscall.SYS_GETPID, 0, 0, 0); errno == syscall.ENOTSUP {
		return errors.New("confine: the program is linked with C, so that not all of its threads can be confined; build it with CGO_ENABLED=0")
	}
	return nil
}

// Process confines this process, all of its threads, as far as the system can. It
// returns ErrUnsupported if that is not at all, and the error of Check, and has
// changed nothing then. After any other error it is not to be relied on that the
// process is confined, nor that it is free.
func Process(keep Rights) (State, error) {
	if err := Check(); err != nil {
		return State{}, err
	}
	version, noLandlock := landlockVersion()
	noSeccomp := seccompMissing()
	state := State{Landlock: version, Seccomp: noSeccomp == nil}
	switch {
	case noLandlock != nil && noSeccomp != nil:
		return State{}, fmt.Errorf("%w: %w; %w", ErrUnsupported, noLandlock, noSeccomp)
	case noLandlock != nil:
		state.missing = noLandlock.Error()
	case noSeccomp != nil:
		state.missing = noSeccomp.Error()
	}
	if _, _, errno := syscall.AllThreadsSyscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return State{}, fmt.Errorf("confine: no_new_privs: %w", errno)
	}
	if version > 0 {
		if err := landlock(version, keep); err != nil {
			return State{}, fmt.Errorf("confine: Landlock: %w", err)
		}
	}
	if state.Seccomp {
		if err := seccomp(keep.Connect > 0); err != nil {
			return State{}, fmt.Errorf("confine: seccomp: %w", err)
		}
		for _, c := range calls(0, keep.Connect > 0) {
			if c.common >= 0 || !machines[runtime.GOARCH].common {
				state.Calls = append(state.Calls, c.name)
			}
		}
	}
	return state, nil
}

// lend calls f with the address of a text, which text makes when it knows that.
// The address of a Go variable can only be had with package unsafe. So this is
// memory of the system's, which gives addresses as numbers, and the text comes
// there through a pipe.
func lend(size int, text func(address uintptr) []byte, f func(address uintptr) syscall.Errno) error {
	address, _, errno := syscall.Syscall6(sysMap, 0, uintptr(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE, math.MaxUint, 0)
	if errno != 0 {
		return errno
	}
	defer syscall.Syscall(syscall.SYS_MUNMAP, address, uintptr(size), 0)
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	defer w.Close()
	bytes := text(address)
	if _, err := w.Write(bytes); err != nil { // less than a pipe takes
		return err
	}
	n, _, errno := syscall.Syscall(syscall.SYS_READ, r.Fd(), address, uintptr(size))
	switch {
	case errno != 0:
		return errno
	case len(bytes) != size || int(n) != size:
		return fmt.Errorf("%d bytes of %d came through a pipe", n, size)
	}
	if errno := f(address); errno != 0 {
		return errno
	}
	return nil
}
