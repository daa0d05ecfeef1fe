// Locks on Windows.

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Acquire opens a file so that others may read it, to learn who has it, and
// may not open it for writing, as they would to lock it.
func Acquire(root *os.Root, name string) (*Lock, error) {
	const sharingViolation = syscall.Errno(32)
	path := filepath.Join(root.Name(), name)
	text, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(
		text,
		syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		syscall.FILE_SHARE_READ,
		nil,
		syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL,
		0,
	)
	if errors.Is(err, sharingViolation) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return &Lock{os.NewFile(uintptr(h), path)}, nil
}

// release has nothing to do: no other process has the file open as this one has.
func release(*os.File) error { return nil }
