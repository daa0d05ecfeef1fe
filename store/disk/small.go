// Package disk has the two things that almanac does with single files: small ones, such as those
// of accounts and of settings, are read whole and replaced whole, and a file that is locked
// excludes other processes.
//
//	data, err := disk.Read("users.json")
//	lock, err := disk.Acquire(root, "lock")
//
// It promises that a file which is no small one, however large, costs neither memory nor an end.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Most is how many bytes such a file has at most: an account with its tokens takes some hundred.
const Most = 64 << 20

// Errors of files that are not read or replaced.
var (
	ErrIrregular = errors.New("not a regular file")
	ErrLarge     = fmt.Errorf("larger than %d bytes", Most)
)

// Read reads a regular file. A named pipe would wait for a writer that never comes. Errors name
// the file: they are ErrIrregular, ErrLarge, or of the system.
func Read(name string) ([]byte, error) {
	dir, base := filepath.Split(filepath.Clean(name))
	if dir == "" {
		dir = "."
	}
	data, err := ReadIn(os.DirFS(dir), base)
	var system *fs.PathError
	if errors.As(err, &system) {
		system.Path = name
	}
	return data, err
}

// ReadIn is Read for a file of a file system.
func ReadIn(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, refused(name, ErrIrregular)
	}
	if info.Size() > Most {
		return nil, refused(name, ErrLarge)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, Most+1))
	if len(data) > Most { // it grows
		return nil, refused(name, ErrLarge)
	}
	return data, err
}

// refused returns the error of a file that is not read.
func refused(name string, why error) error {
	return &fs.PathError{Op: "read", Path: name, Err: why}
}

// MayReplace returns an error for a name that is there and no regular file: a rename would take a
// device or a named pipe away from other programs.
func MayReplace(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "replace", Path: name, Err: ErrIrregular}
	}
	return nil
}

// Replace writes a temporary file and renames it, so that the old file stays until the new one
// is on disk. Only its owner may read it, because it contains drafts and passwords.
func Replace(name string, write func(io.Writer) error) error {
	if err := MayReplace(name); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".almanac-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
