// seccomp (seccomp(2)): no system calls but those of calls_linux.go.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// A machine is known to a filter by the kernel's name for it (AUDIT_ARCH), by its
// table of system calls, which is one of two, and by two numbers there: the last one
// in Linux 3.2, the oldest that Go runs on, and that of seccomp.
type machine struct {
	arch    uint32
	common  bool
	last    uint32
	seccomp uintptr
}

// machines are those where no system call is hidden in another. All of them are
// little-endian.
var machines = map[string]machine{
	"amd64":   {0xc000003e, false, 311, 317},
	"arm64":   {0xc00000b7, true, 271, 277},
	"riscv64": {0xc00000f3, true, 271, 277},
	"loong64": {0xc0000102, true, 271, 277},
}

// Instructions of a filter, and what it can return.
const (
	load   = 0x20 // from the filter's input: number at 0, machine at 4, arguments from 16 on
	equal  = 0x15
	least  = 0x35
	set    = 0x45 // a bit
	ret    = 0x06
	kill   = 0x80000000
	refuse = 0x00050000 | uint32(syscall.EPERM)
	absent = 0x00050000 | uint32(syscall.ENOSYS)
	pass   = 0x7fff0000

	filterMode = 1 // of seccomp(2): set a filter,
	allThreads = 1 // for all threads of the process, and no_new_privs with it
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

// filter returns the instructions for a process, by its number. Calls that are not in
// the list are refused; calls newer than the oldest Linux that Go supports are
// answered as there, so that newer versions of Go work without them. These include
// the second numbers of amd64, for programs of 32 bits.
func filter(m machine, process uint32) (program []byte) {
	instruction := func(code uint16, ifSo, ifNot int, k uint32) { // ifSo and ifNot: instructions to skip
		program = binary.NativeEndian.AppendUint16(program, code)
		program = append(program, byte(ifSo), byte(ifNot))
		program = binary.NativeEndian.AppendUint32(program, k)
	}
	answer := func(code uint16, k, result uint32) {
		instruction(code, 0, 1, k)
		instruction(ret, 0, 0, result)
	}
	instruction(load, 0, 0, 4)
	instruction(equal, 1, 0, m.arch)
	instruction(ret, 0, 0, kill) // by the door for programs of another machine
	instruction(load, 0, 0, 0)
	for _, c := range calls(process) {
		number := c.amd64
		if m.common {
			number = c.common
		}
		switch {
		case number < 0:
		case c.limit == nil:
			answer(equal, uint32(number), pass)
		default:
			l := c.limit
			instruction(equal, 0, 3+len(l.values), uint32(number))
			instruction(load, 0, 0, 16+8*l.argument)
			for i, value := range l.values {
				instruction(l.test, len(l.values)-i, 0, value) // over the refusal
			}
			instruction(ret, 0, 0, refuse)
			instruction(ret, 0, 0, pass)
		}
	}
	answer(least, m.last+1, absent)
	instruction(ret, 0, 0, refuse)
	return program
}

// seccomp sets the filter. The kernel is given how many instructions there are,
// and their address, which is a number of 64 bits on all machines in the table.
func seccomp() error {
	m := machines[runtime.GOARCH]
	program := filter(m, uint32(os.Getpid()))
	text := func(address uintptr) []byte {
		all := binary.NativeEndian.AppendUint64(program, 0)
		binary.NativeEndian.PutUint16(all[len(program):], uint16(len(program)/8))
		return binary.NativeEndian.AppendUint64(all, uint64(address))
	}
	return lend(len(program)+16, text, func(address uintptr) syscall.Errno {
		thread, _, errno := syscall.Syscall(
			m.seccomp,
			filterMode,
			allThreads,
			address+uintptr(len(program)),
		)
		if errno == 0 && thread != 0 { // it has another filter, and so no thread got this one
			return syscall.EBUSY
		}
		return errno
	})
}
