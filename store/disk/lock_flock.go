// Locks where there is flock(2).

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// Acquire opens a file below root, makes it if it is missing, and locks it until it
// is closed, which the system does for a process that dies. A lock that somebody
// else has is ErrHeld at once; nobody waits. The file stays when it is closed:
// removing it would let a third process lock a new one while a second still
// waits to open the old.
func Acquire(root *os.Root, name string) (*Lock, error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrHeld
		}
		return nil, err
	}
	return &Lock{f}, nil
}

// release unlocks a file before it is closed. Closing is not enough: a child process has inherited
// the file until it runs its own program, and the lock lasts until every process has closed it.
func release(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), how) })
	return errors.Join(err, failed)
}
