// seccomp (seccomp(2)): no new sockets.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"syscall"
)

// A machine is what a filter must know of one: how the kernel calls it
// (AUDIT_ARCH), and the numbers of socket, connect, bind and io_uring_setup. The
// last of them could do what the others do without being seen here.
type machine struct {
	arch  uint32
	calls [4]uint32
}

// machines are those where each of these is a system call of its own and none is
// hidden in another.
var machines = map[string]machine{
	"amd64":   {0xc000003e, [4]uint32{41, 42, 49, 425}},
	"arm64":   {0xc00000b7, [4]uint32{198, 203, 200, 425}},
	"riscv64": {0xc00000f3, [4]uint32{198, 203, 200, 425}},
	"loong64": {0xc0000102, [4]uint32{198, 203, 200, 425}},
}

// Instructions of a filter, and what it can return.
const (
	load   = 0x20 // of what the filter sees: the number at 0, the machine at 4
	equal  = 0x15
	least  = 0x35
	ret    = 0x06
	kill   = 0x80000000
	refuse = 0x00050000 | uint32(syscall.EACCES)
	pass   = 0x7fff0000

	filterMode  = 2          // of setSeccomp
	otherNumber = 0x40000000 // from here, amd64 has the same system calls again, for programs of 32 bits
)

// seccompMissing says why there can be no filter; nil when there can.
func seccompMissing() error {
	if _, ok := machines[runtime.GOARCH]; !ok {
		return fmt.Errorf("seccomp: no filter is written for %s", runtime.GOARCH)
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, getSeccomp, 0, 0); errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// filter gives the instructions. A jump says how many of them to skip, if so and
// if not.
func filter(m machine) (program []byte) {
	instruction := func(code uint16, ifSo, ifNot int, k uint32) {
		program = binary.NativeEndian.AppendUint16(program, code)
		program = append(program, byte(ifSo), byte(ifNot))
		program = binary.NativeEndian.AppendUint32(program, k)
	}
	instruction(load, 0, 0, 4)
	instruction(equal, 1, 0, m.arch)
	instruction(ret, 0, 0, kill) // by the door for programs of another machine
	instruction(load, 0, 0, 0)
	instruction(least, len(m.calls)+1, 0, otherNumber)
	for i, call := range m.calls {
		instruction(equal, len(m.calls)-i, 0, call)
	}
	instruction(ret, 0, 0, pass)
	instruction(ret, 0, 0, refuse)
	return program
}

// seccomp sets the filter. The kernel is given how many instructions there are,
// and their address, which is a number of 64 bits on all machines in the table.
func seccomp() error {
	program := filter(machines[runtime.GOARCH])
	text := func(address uintptr) []byte {
		all := binary.NativeEndian.AppendUint64(program, 0)
		binary.NativeEndian.PutUint16(all[len(program):], uint16(len(program)/8))
		return binary.NativeEndian.AppendUint64(all, uint64(address))
	}
	return lend(len(program)+16, text, func(address uintptr) syscall.Errno {
		_, _, errno := syscall.AllThreadsSyscall6(syscall.SYS_PRCTL, setSeccomp, filterMode, address+uintptr(len(program)), 0, 0, 0)
		return errno
	})
}
