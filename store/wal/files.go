// The file operations that durability is made of, and the real ones.

package wal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"almanac/store/disk"
)

// Files is a data directory. Names have slashes and are relative to it. It is
// all that the journal knows of the system, so that tests can put in a directory that
// fails, or loses everything that was not synced. Errors of missing files and of names
// taken are fs.ErrNotExist and fs.ErrExist.
type Files interface {
	Lock(name string) (File, error)        // until closed; ErrInUse when somebody else has it
	Open(name string) (File, error)        // an existing file, to read
	Edit(name string) (File, error)        // an existing file, to read and write
	Create(name string) (File, error)      // a new file, to read and write
	Mkdir(name string) error               // a new directory
	Rename(from, to string) error          // to must not exist
	Remove(name string) error              // a file or an empty directory
	ReadDir(name string) ([]string, error) // the names in it, sorted
	Size(name string) (int64, error)       // bytes of a file

	// Own returns the bytes of a file that is open; ErrNotOwn when the name is no
	// longer its name.
	Own(f File, name string) (int64, error)

	Free() (int64, error)      // bytes left for this process; errors.ErrUnsupported where nobody says
	SyncDir(name string) error // makes its entries durable
	Close() error
}

// A File has the methods that a log needs of an *os.File.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Truncate(size int64) error
}

// Data may hold passwords of events and drafts: they are for the owner only.
const (
	DirMode  = 0o700
	FileMode = 0o600
)

// OpenDir opens a directory, and makes it if it is missing.
func OpenDir(dir string) (Files, error) {
	if err := MakeDir(dir); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return ReadDir(dir)
}

// ReadDir opens a directory that is there, to read. Nothing is made in it,
// not even the lock: it may belong to a server, or to an auditor's read-only
// disk.
func ReadDir(dir string) (Files, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return osFiles{root}, nil
}

// MakeDir is os.MkdirAll with entries that survive a crash: a durable log in a
// directory that is gone is of no use.
func MakeDir(dir string) error {
	parent := filepath.Dir(dir)
	err := os.Mkdir(dir, DirMode)
	if errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err := MakeDir(parent); err != nil {
			return err
		}
		err = os.Mkdir(dir, DirMode)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return syncParent(dir)
}

// osFiles cannot leave its directory, whatever is in it.
type osFiles struct{ root *os.Root }

func (o osFiles) Lock(name string) (File, error) {
	f, err := disk.Acquire(o.root, name)
	if errors.Is(err, disk.ErrHeld) {
		return nil, fmt.Errorf(
			"%s is %w%s: stop that one, or give this one a directory of its own",
			o.root.Name(),
			ErrInUse,
			o.holder(name),
		)
	}
	if err != nil {
		return nil, err
	}
	// The number is a courtesy to whom the lock keeps out, so that a disk too
	// full for it is no reason not to start.
	if f.Truncate(0) == nil {
		fmt.Fprintln(f, os.Getpid())
	}
	return f, nil
}

// holder reads the process number that is in a lock file.
func (o osFiles) holder(name string) string {
	f, err := o.root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 32))
	pid := strings.TrimSpace(string(text))
	if err != nil || pid == "" || strings.Trim(pid, "0123456789") != "" {
		return ""
	}
	return " (process " + pid + ")"
}

func (o osFiles) Open(name string) (File, error) { return o.openThere(name, os.O_RDONLY) }

func (o osFiles) Edit(name string) (File, error) { return o.openThere(name, os.O_RDWR) }

// openThere opens a regular file. A named pipe would wait for a writer that never comes.
func (o osFiles) openThere(name string, flag int) (File, error) {
	info, err := o.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %w", name, ErrIrregular)
	}
	return o.openFile(name, flag)
}

func (o osFiles) Create(name string) (File, error) {
	return o.openFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (o osFiles) openFile(name string, flag int) (File, error) {
	f, err := o.root.OpenFile(name, flag, FileMode)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (o osFiles) Mkdir(name string) error { return o.root.Mkdir(name, DirMode) }

func (o osFiles) Rename(from, to string) error { return o.root.Rename(from, to) }

func (o osFiles) Remove(name string) error { return o.root.Remove(name) }

func (o osFiles) ReadDir(name string) ([]string, error) {
	d, err := o.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

func (o osFiles) Size(name string) (int64, error) {
	info, err := o.root.Stat(name)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (o osFiles) Own(f File, name string) (int64, error) {
	mine, err := f.(interface{ Stat() (fs.FileInfo, error) }).Stat()
	if err != nil {
		return 0, err
	}
	there, err := o.root.Lstat(name)
	switch {
	case IsAbsent(err):
		return 0, fmt.Errorf("%s is gone: %w", name, ErrNotOwn)
	case err != nil:
		return 0, err
	case !os.SameFile(mine, there):
		return 0, fmt.Errorf("%s is another file: %w", name, ErrNotOwn)
	}
	return there.Size(), nil
}

func (o osFiles) SyncDir(name string) error {
	d, err := o.root.Open(name)
	if err != nil {
		return err
	}
	return syncAndClose(d)
}

func (o osFiles) Close() error { return o.root.Close() }

// syncParent makes the name of a file or directory durable.
func syncParent(name string) error {
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return syncAndClose(d)
}

// Publish renames a file or directory that was made under another name, durably.
func Publish(from, to string) error {
	err := os.Rename(from, to)
	if err == nil {
		err = syncParent(to)
	}
	if err != nil {
		err = fmt.Errorf("store: %w", err)
	}
	return err
}

func syncAndClose(dir *os.File) error {
	if runtime.GOOS == "windows" { // cannot sync directories, and does not need to
		return dir.Close()
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// IsAbsent reports whether an error says that something is not there.
func IsAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// RemoveTree removes a file, or a directory with everything in it.
func RemoveTree(fsys Files, name string) error {
	inside, _ := fsys.ReadDir(name) // if that fails for a directory, so does the removal below
	for _, n := range inside {
		if err := RemoveTree(fsys, name+"/"+n); err != nil {
			return err
		}
	}
	return fsys.Remove(name)
}

// smallMost is how many bytes a small file has at most.
const smallMost = 64 << 20

// ReadFile reads a small file whole. A larger one is an error.
func ReadFile(fsys Files, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(wholeFile(f), smallMost+1))
	if len(text) > smallMost {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, smallMost)
	}
	return text, err
}
