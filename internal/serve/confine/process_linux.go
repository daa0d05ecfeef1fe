// Confining all threads of a process on Linux.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// Requests to prctl(2). Package syscall does not have them for all machines.
const (
	getSeccomp    = 21
	setNoNewPrivs = 38
)

// linkedWithC reports whether there may be threads that Go does not know: a call for all fails.
// It is asked once, as the call stops all threads.
var linkedWithC = sync.OnceValue(func() bool {
	_, _, errno := syscall.AllThreadsSyscall(syscall.SYS_GETPID, 0, 0, 0)
	return errno == syscall.ENOTSUP
})

// Available returns how far Process can confine this process, and ErrUnsupported if
// that is not at all. It changes nothing.
func Available() (State, error) {
	version, noLandlock := landlockVersion()
	noSeccomp := seccompMissing()
	state := State{landlock: version, seccomp: noSeccomp == nil}
	switch {
	case noLandlock != nil && noSeccomp != nil:
		return State{}, fmt.Errorf("%w: %w; %w", ErrUnsupported, noLandlock, noSeccomp)
	case noLandlock != nil:
		state.missing = noLandlock.Error()
	case noSeccomp != nil:
		state.missing = noSeccomp.Error()
	}
	return state, nil
}

// Process confines this process, all of its threads, as far as Available says, whose
// error it returns; nothing is changed then. After any other error nobody can rely on
// the process being confined, nor on it being free.
func Process(keep Rights) (State, error) {
	state, err := Available()
	if err != nil {
		return State{}, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	prctl := syscall.AllThreadsSyscall6
	if linkedWithC() {
		prctl = syscall.Syscall6 // this thread alone: from it the filter takes no_new_privs to all others
	}
	if _, _, errno := prctl(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return State{}, fmt.Errorf("confine: no_new_privs: %w", errno)
	}
	if state.landlock > 0 {
		if err := landlock(state.landlock, keep); err != nil {
			return State{}, fmt.Errorf("confine: Landlock: %w", err)
		}
	}
	if state.seccomp {
		if err := seccomp(); err != nil {
			return State{}, fmt.Errorf("confine: seccomp: %w", err)
		}
		for _, c := range calls(0) {
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
func lend(
	size int,
	text func(address uintptr) []byte,
	f func(address uintptr) syscall.Errno,
) error {
	address, _, errno := syscall.Syscall6(
		sysMap,
		0,
		uintptr(size),
		syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE,
		math.MaxUint,
		0,
	)
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
