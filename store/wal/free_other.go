// Systems that this program does not ask for the free space of a disk.

//go:build !(darwin || dragonfly || freebsd || linux)

package wal

import (
	"errors"
	"fmt"
	"runtime"
)

func (o osFiles) Free() (int64, error) {
	return 0, fmt.Errorf(
		"free space cannot be read on %s: %w",
		runtime.GOOS,
		errors.ErrUnsupported,
	)
}
