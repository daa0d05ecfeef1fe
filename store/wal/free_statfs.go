// Free space where there is fstatfs(2).

//go:build darwin || dragonfly || freebsd || linux

package wal

import (
	"errors"
	"syscall"
)

func (o osFiles) Free() (int64, error) {
	d, err := o.root.Open(".")
	if err != nil {
		return 0, err
	}
	defer d.Close()
	conn, err := d.SyscallConn()
	if err != nil {
		return 0, err
	}
	var disk syscall.Statfs_t
	var failed error
	err = conn.Control(func(fd uintptr) { failed = syscall.Fstatfs(int(fd), &disk) })
	return int64(disk.Bavail) * int64(disk.Bsize), errors.Join(err, failed)
}
