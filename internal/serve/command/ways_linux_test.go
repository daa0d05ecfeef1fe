//go:build amd64 || arm64 || riscv64 || loong64

package command

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// This file is the ways in which a process that was taken over could reach others
// without opening a file, beginning with the listener that it has.

const fastOpen = 0x20000000 // MSG_FASTOPEN, of sendto(2)

// kernelConfines says what the kernel has, without the program: the version of
// Landlock, and seccomp.
func kernelConfines() (landlock int, seccomp bool) {
	if version, _, errno := syscall.Syscall(444, 0, 0, 1); errno == 0 {
		landlock = int(version)
	}
	text, err := os.ReadFile("/proc/self/status")
	return landlock, err == nil && strings.Contains(string(text), "\nSeccomp:")
}

// openListener finds the listener of the process, or returns -1.
func openListener() int {
	for fd := range 100 {
		if yes, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err == nil &&
			yes == 1 {
			return fd
		}
	}
	return -1
}

// waysOut are the names of all.
func waysOut() []string { return slices.Sorted(maps.Keys(out)) }

// wayOut goes one of them, with a listener, to somebody who listens to TCP. It is
// nil where it led somewhere.
func wayOut(name string, listener int, target string) error {
	way, ok := out[name]
	if !ok {
		return fmt.Errorf("there is no way %q", name)
	}
	to, err := netip.ParseAddrPort(target)
	if err != nil {
		return err
	}
	err = way(listener, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()})
	if errors.Is(err, syscall.EINPROGRESS) { // the connection is being made
		return nil
	}
	return err
}

// out has the ways by name. Each has exactly one step that must be refused; earlier steps may fail
// without ending it.
var out = map[string]func(listener int, to *syscall.SockaddrInet4) error{
	"shutdown": func(l int, _ *syscall.SockaddrInet4) error { return syscall.Shutdown(l, syscall.SHUT_RDWR) },
	"sendto": func(l int, to *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		return syscall.Sendto(l, []byte("sendto"), fastOpen, to)
	},
	"sendmsg": func(l int, to *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		return syscall.Sendmsg(l, []byte("sendmsg"), nil, to, fastOpen)
	},
	"sendmmsg": func(l int, to *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		name := make([]byte, syscall.SizeofSockaddrInet4)
		binary.NativeEndian.PutUint16(name, syscall.AF_INET)
		binary.BigEndian.PutUint16(name[2:], uint16(to.Port))
		copy(name[4:], to.Addr[:])
		text := []byte("sendmmsg")
		part := syscall.Iovec{Base: &text[0], Len: uint64(len(text))}
		message := struct { // struct mmsghdr
			syscall.Msghdr
			sent uint32
		}{
			Msghdr: syscall.Msghdr{
				Name:    &name[0],
				Namelen: uint32(len(name)),
				Iov:     &part,
				Iovlen:  1,
			},
		}
		return raw(map[string]uintptr{
			"amd64": 307,
		}, 269, uintptr(l), uintptr(unsafe.Pointer(&message)), 1, fastOpen)
	},
	"connect": func(l int, to *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		return syscall.Connect(l, to)
	},
	"relisten": func(l int, _ *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		return syscall.Listen(l, 1)
	},
	"rebind": func(l int, _ *syscall.SockaddrInet4) error {
		_ = syscall.Shutdown(l, syscall.SHUT_RDWR)
		return syscall.Bind(l, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	},
	"socketpair": func(int, *syscall.SockaddrInet4) error {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
		if err == nil {
			syscall.Close(pair[0])
			syscall.Close(pair[1])
		}
		return err
	},
	"socket-unix": func(int, *syscall.SockaddrInet4) error {
		return closeFD(syscall.Socket(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0))
	},
	"socket-netlink": func(int, *syscall.SockaddrInet4) error {
		return closeFD(syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0))
	},
	"kill": func(int, *syscall.SockaddrInet4) error { return syscall.Kill(os.Getppid(), 0) },
	"tgkill": func(int, *syscall.SockaddrInet4) error {
		return raw(nil, syscall.SYS_TGKILL, uintptr(os.Getppid()), uintptr(os.Getppid()), 0)
	},
	"pidfd_open": func(int, *syscall.SockaddrInet4) error { return raw(nil, 434, uintptr(os.Getppid()), 0) },
	"own-signals": func(l int, _ *syscall.SockaddrInet4) error {
		return raw(nil, syscall.SYS_FCNTL, uintptr(l), syscall.F_SETOWN, uintptr(os.Getppid()))
	},
	"limits": func(int, *syscall.SockaddrInet4) error {
		return raw(nil, syscall.SYS_PRLIMIT64, uintptr(os.Getppid()), syscall.RLIMIT_NOFILE, 0, 0)
	},
	"mode": func(int, *syscall.SockaddrInet4) error {
		var pipe [2]int
		if err := syscall.Pipe2(pipe[:], syscall.O_CLOEXEC); err != nil {
			return err
		}
		defer syscall.Close(pipe[0])
		defer syscall.Close(pipe[1])
		return syscall.Fchmod(pipe[0], 0o600)
	},
}

// raw makes a system call whose number depends on the machine.
func raw(number map[string]uintptr, others uintptr, arguments ...uintptr) error {
	n, ok := number[runtime.GOARCH]
	if !ok {
		n = others
	}
	arguments = append(arguments, 0, 0, 0, 0, 0, 0)
	if _, _, errno := syscall.Syscall6(n, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]); errno != 0 {
		return errno
	}
	return nil
}

// closeFD closes an opened descriptor.
func closeFD(fd int, err error) error {
	if err == nil {
		syscall.Close(fd)
	}
	return err
}

// Where nothing is refused the ways lead somewhere, and those that send to an
// address connect to it: TestSandbox would see it.
func TestWaysOut(t *testing.T) {
	t.Parallel()
	for _, name := range waysOut() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := listen(t)
			own, err := listen(t).File()
			if err != nil {
				t.Fatal(err)
			}
			defer own.Close()
			if err := wayOut(name, int(own.Fd()), target.Addr().String()); err != nil {
				t.Fatal(err)
			}
			if slices.Contains([]string{"sendto", "sendmsg", "sendmmsg", "connect"}, name) {
				if err := target.SetDeadline(time.Now().Add(patience)); err != nil {
					t.Fatal(err)
				}
				conn, err := target.Accept()
				if err != nil {
					t.Fatalf("nobody connected: %v", err)
				}
				conn.Close()
			}
		})
	}
}

// listen listens on this machine until the test ends.
func listen(t *testing.T) *net.TCPListener {
	t.Helper()
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}
