//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk_test

import (
	"os"
	"syscall"
	"testing"

	"almanac/store/disk"
)

// A lock that was given up is free, although a process that is being started has the file
// open for a moment longer.
func TestFileOfAnotherProcess(t *testing.T) {
	t.Parallel()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	first, err := disk.Acquire(root, "lock")
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := syscall.Dup(int(first.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	again, err := disk.Acquire(root, "lock")
	if err != nil {
		t.Fatalf("after the lock was given up: %v", err)
	}
	again.Close()
}
