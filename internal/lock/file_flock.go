// Locks where there is flock(2).

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"
	"syscall"
)

// File opens a file below root, makes it if it is missing, and locks it until it
// is closed, which the system does for a process that dies. A lock that somebody
// else has is ErrHeld at once; nobody waits. The file stays when it is closed:
// removing it would let a third process lock a new one while a second still
// waits to open the old.
func File(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	conn, err := f.SyscallConn()
	if err == nil {
		var failed error
		err = conn.Control(func(fd uintptr) {
			failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
		})
		err = errors.Join(err, failed)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrHeld
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
