//go:build unix

package command

import (
	"os/signal"
	"syscall"
)

// This file takes the room away that a disk has, without any privilege.

// limitFiles makes every write of this process fail that would extend a file beyond a number of
// bytes. A write up to the limit succeeds in part, as on a full disk.
func limitFiles(size int64) error {
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	setCur(&limit.Cur, size)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

// setCur takes a limit in the type that it has on this system.
func setCur[T int64 | uint64](limit *T, size int64) { *limit = T(size) }
