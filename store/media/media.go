// Package media keeps the files of uploaded pictures, each upload in a directory of its own:
//
//	err := files.Write(directory, []media.File{{Name: "sent", Data: sent}})
//
// When Write returns nil, the files are on disk. Nothing is ever changed in a directory: another version of a
// picture has another one. Package store has the records that name directories; Sweep removes the
// directories that no record has named for a while.
package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/store/wal"
)

// Dir is the directory of all uploads in a data directory.
const Dir = "media"

const (
	temporary = ".tmp"     // ends the name of a directory that is being written
	unnamed   = ".unnamed" // ends the name of a file with the time since which no record names a directory
)

// leastKept is how long the files of a directory stay at least that no record names: an upload names it later.
const leastKept = 24 * time.Hour

// ErrWrite is in the error of files that could not be made durable.
var ErrWrite = errors.New("the files of a picture could not be written")

// A File is a file of an upload.
type File struct {
	Name string
	Data []byte
}

// A Content is a file that is open, to be closed by the caller.
type Content struct {
	*io.SectionReader
	io.Closer
}

// Files keeps the files of uploads, on disk or in memory. It is safe for concurrent use.
type Files interface {
	Write(directory string, files []File) error                             // of a new directory, all or none
	Open(directory, name string) (Content, error)                           // fs.ErrNotExist where there is none
	Bytes() int64                                                           // of all files, named or not
	Sweep(named func(string) bool, now time.Time, keep time.Duration) error // see Disk
}

// A Disk keeps them in a data directory.
type Disk struct {
	files wal.Files
	there atomic.Bool // the directory Dir
	bytes atomic.Int64
	mu    sync.Mutex // one sweep at a time
}

// OpenDisk opens the files of a data directory, and removes what a crash left of unfinished ones. known returns the
// bytes of the directories that records name, and 0 of every other one.
func OpenDisk(files wal.Files, known func(directory string) int64) (*Disk, error) {
	d := NewDisk(files)
	names, err := files.ReadDir(Dir)
	if wal.IsAbsent(err) {
		return d, nil
	}
	d.there.Store(true)
	for _, name := range names {
		n := int64(0)
		switch {
		case err != nil:
		case strings.HasSuffix(name, temporary):
			err = wal.RemoveTree(files, Dir+"/"+name)
		case !strings.Contains(name, "."):
			if n = known(name); n == 0 {
				n, err = d.size(name)
			}
		}
		d.bytes.Add(n)
	}
	return d, err
}

// NewDisk returns the files of a data directory that no process has open.
func NewDisk(files wal.Files) *Disk { return &Disk{files: files} }

// size returns the bytes of a directory.
func (d *Disk) size(directory string) (sum int64, err error) {
	names, err := d.files.ReadDir(Dir + "/" + directory)
	for _, name := range names {
		n, failed := d.files.Size(Dir + "/" + directory + "/" + name)
		sum, err = sum+n, errors.Join(err, failed)
	}
	return sum, err
}

// Write makes a directory. The comments say what is on disk if the process dies at that step.
func (d *Disk) Write(directory string, files []File) (err error) {
	name := Dir + "/" + directory
	defer func() {
		if err != nil {
			_ = wal.RemoveTree(d.files, name+temporary) // a full disk gets its space back; OpenDisk removes the rest
			err = fmt.Errorf("store: %w: %w", ErrWrite, err)
		}
	}()
	// A directory that OpenDisk removes.
	if err := d.makeDir(); err != nil {
		return err
	}
	if err := d.files.Mkdir(name + temporary); err != nil {
		return err
	}
	var sum int64
	for _, f := range files {
		n, _, err := wal.WriteFile(d.files, name+temporary+"/"+f.Name, func(w io.Writer) error { _, err := w.Write(f.Data); return err })
		if sum += n; err != nil {
			return err
		}
	}
	if err := d.files.SyncDir(name + temporary); err != nil {
		return err
	}

	// The same, or the whole directory, which no record names: Sweep removes it.
	if err := d.files.Rename(name+temporary, name); err != nil {
		return err
	}
	if err := d.files.SyncDir(Dir); err != nil {
		_ = d.files.Rename(name, name+temporary)
		return err
	}

	// The directory.
	d.bytes.Add(sum)
	return nil
}

// makeDir makes the directory of all uploads.
func (d *Disk) makeDir() error {
	if d.there.Load() {
		return nil
	}
	if err := d.files.Mkdir(Dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.files.SyncDir("."); err != nil {
		return err
	}
	d.there.Store(true)
	return nil
}

// Open opens a file.
func (d *Disk) Open(directory, name string) (Content, error) {
	path := Dir + "/" + directory + "/" + name
	size, err := d.files.Size(path)
	if err != nil {
		return Content{}, err
	}
	f, err := d.files.Open(path)
	if err != nil {
		return Content{}, err
	}
	return Content{io.NewSectionReader(f, 0, size), f}, nil
}

// Verify compares a file with its size and its SHA-256.
func Verify(files wal.Files, directory, name string, bytes int64, sum string) error {
	content, err := NewDisk(files).Open(directory, name)
	if err != nil {
		if wal.IsAbsent(err) {
			err = errors.New("this file of a picture is missing")
		}
		return err
	}
	defer content.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, content)
	if got := hex.EncodeToString(hash.Sum(nil)); err == nil && (got != sum || n != bytes) {
		err = fmt.Errorf("this file of a picture was changed: its SHA-256 is %s, not %s", got, sum)
	}
	return err
}

// Bytes returns the bytes of all files.
func (d *Disk) Bytes() int64 { return d.bytes.Load() }

// Sweep removes the directories that have had no name for as long as keep, and for a day at least. The time since
// which a directory has none is the time of the first sweep that found it so: a file beside the directory has it.
func (d *Disk) Sweep(named func(directory string) bool, now time.Time, keep time.Duration) error {
	if !d.there.Load() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	names, err := d.files.ReadDir(Dir)
	for _, name := range names {
		if err != nil {
			return err
		}
		switch directory, isNote := strings.CutSuffix(name, unnamed); {
		case isNote && (named(directory) || !slices.Contains(names, directory)):
			err = d.files.Remove(Dir + "/" + name)
		case !strings.Contains(name, ".") && !named(name):
			err = d.sweep(name, now, now.Add(-max(keep, leastKept)))
		}
	}
	return err
}

// sweep notes that a directory has no name, or removes it if that was noted before a time.
func (d *Disk) sweep(directory string, now, before time.Time) error {
	note := Dir + "/" + directory + unnamed
	text, err := wal.ReadFile(d.files, note)
	if err != nil && !wal.IsAbsent(err) {
		return err
	}
	absent := err != nil
	since, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	switch {
	case err != nil && !absent: // a crash left a part of it
		if err := d.files.Remove(note); err != nil {
			return err
		}
		fallthrough
	case err != nil:
		_, _, err := wal.WriteFile(d.files, note, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, now.UTC().Format(time.RFC3339))
			return err
		})
		return err
	case since.After(before):
		return nil
	}
	n, err := d.size(directory)
	if err == nil {
		err = wal.RemoveTree(d.files, Dir+"/"+directory)
	}
	if err != nil {
		return err // the next sweep goes on
	}
	d.bytes.Add(-n)
	return d.files.Remove(note)
}
