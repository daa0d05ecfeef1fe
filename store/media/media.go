// Package media keeps the files of uploaded pictures, each upload in a directory of its own:
//
//	err := files.Write(directory, []media.File{{Name: "sent", Data: sent}})
//
// When Write returns nil, the files are on disk. Nothing is ever changed in a directory: another
// version of a picture has another one. Package store has the records that name directories; Sweep
// removes the directories that no record has named for a while, and with them what a crash left of
// an upload.
package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/store/wal"
)

// Dir is the directory of all uploads in a data directory.
const Dir = "media"

// noteTime is the form of the time in the name of a note: the empty file DIRECTORY.TIME says since
// when no record names a directory.
const noteTime = "20060102T150405Z"

// leastKept is how long the files of a directory stay at least that no record names: an upload
// names it later.
const leastKept = 24 * time.Hour

// ErrWrite is in the error of files that could not be made durable.
var ErrWrite = errors.New("the files of a picture could not be written")

// ErrDamaged is in the error of a file that is not as it was written.
var ErrDamaged = errors.New("this file of a picture was changed")

// A File is a file of an upload.
type File struct {
	Name string
	Data []byte
}

// accountName is the file of a directory that has the id of the account on which its files count.
const accountName = "account"

// OfAccount returns the file that makes a directory count on an account: see Files.Waiting.
func OfAccount(id int64) File { return File{accountName, strconv.AppendInt(nil, id, 10)} }

// A Waiting is a directory that no record names, until Sweep removes it.
type Waiting struct {
	Account int64 // on which it counts; 0 is not known
	Bytes   int64 // that its files take on the disk
}

// Room returns what files of some sizes take on a disk together with their directory, about: whole
// blocks. Many small pictures take more than their bytes.
func Room(sizes ...int64) int64 {
	const block = 4096
	sum := int64(block)
	for _, size := range sizes {
		sum += (size + block - 1) / block * block
	}
	return sum
}

// A Content is a file that is open, to be closed by the caller.
type Content struct {
	*io.SectionReader
	io.Closer
}

// Files keeps the files of uploads, on disk or in memory. It is safe for concurrent use.
type Files interface {
	Write(directory string, files []File) error // of a new directory, all or none
	Open(
		directory, name string,
	) (Content, error) // fs.ErrNotExist where there is none, ErrDamaged of what is no file
	Waiting(named func(directory string) bool) ([]Waiting, error)
}

// A Disk keeps them in a data directory.
type Disk struct{ Files wal.Files }

// Write makes a directory. Until it returns, a part of the directory is on disk, which no record
// names: Sweep removes it.
func (d Disk) Write(directory string, files []File) (err error) {
	name := Dir + "/" + directory
	defer func() {
		if err != nil {
			_ = wal.RemoveTree(d.Files, name) // a full disk gets its space back
			err = fmt.Errorf("store: %w: %w", ErrWrite, err)
		}
	}()
	if err := d.Files.Mkdir(Dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.Files.Mkdir(name); err != nil {
		return err
	}
	for _, f := range files {
		_, _, err := wal.WriteFile(
			d.Files,
			name+"/"+f.Name,
			func(w io.Writer) error { _, err := w.Write(f.Data); return err },
		)
		if err != nil {
			return err
		}
	}
	for _, dir := range []string{name, Dir, "."} {
		if err := d.Files.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// Open opens a file.
func (d Disk) Open(directory, name string) (Content, error) {
	path := Dir + "/" + directory + "/" + name
	size, err := d.Files.Size(path)
	if err != nil {
		return Content{}, err
	}
	f, err := d.Files.Open(path)
	if errors.Is(err, wal.ErrIrregular) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return Content{}, err
	}
	return Content{io.NewSectionReader(f, 0, size), f}, nil
}

// Copy copies a file, and compares it with its size and its SHA-256.
func (d Disk) Copy(w io.Writer, directory, name string, bytes int64, sum string) error {
	content, err := d.Open(directory, name)
	if err != nil {
		if wal.IsAbsent(err) {
			err = errors.New("this file of a picture is missing")
		}
		return err
	}
	defer content.Close()
	return content.copy(w, bytes, sum)
}

// Check compares a content with its size and its SHA-256, and leaves it at its begin. ErrDamaged
// says that it has others.
func (c Content) Check(bytes int64, sum string) error {
	err := c.copy(io.Discard, bytes, sum)
	if err == nil {
		_, err = c.Seek(0, io.SeekStart)
	}
	return err
}

func (c Content) copy(w io.Writer, bytes int64, sum string) error {
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, hash), c)
	if got := hex.EncodeToString(hash.Sum(nil)); err == nil && (got != sum || n != bytes) {
		err = fmt.Errorf("%w: its SHA-256 is %s, not %s", ErrDamaged, got, sum)
	}
	return err
}

// Waiting returns the directories that are on the disk without a name.
func (d Disk) Waiting(named func(directory string) bool) (all []Waiting, err error) {
	directories, err := d.Files.ReadDir(Dir)
	if wal.IsAbsent(err) {
		return nil, nil
	}
	for _, directory := range directories {
		if strings.Contains(directory, ".") || named(directory) {
			continue
		}
		w, err := d.waiting(Dir + "/" + directory)
		if err != nil && !wal.IsAbsent(err) { // a sweep goes on meanwhile
			return nil, err
		}
		all = append(all, w)
	}
	return all, err
}

// waiting reads a directory.
func (d Disk) waiting(path string) (w Waiting, err error) {
	names, err := d.Files.ReadDir(path)
	if err != nil {
		return w, err
	}
	var sizes []int64
	for _, name := range names {
		size, err := d.Files.Size(path + "/" + name)
		if err != nil {
			return w, err
		}
		sizes = append(sizes, size)
	}
	w.Bytes = Room(sizes...)
	if slices.Contains(names, accountName) {
		var id []byte
		id, err = wal.ReadFile(d.Files, path+"/"+accountName)
		w.Account, _ = strconv.ParseInt(string(id), 10, 64) // a crash leaves half of it
	}
	return w, err
}

// IsDirectory reports whether a name is one of a directory with files of a picture: 32 hexadecimal
// digits.
func IsDirectory(name string) bool {
	return len(name) == 32 && strings.Trim(name, "0123456789abcdef") == ""
}

// Sweep removes the directories that have had no name for as long as keep, and for a day at least.
// The time since which a directory has none is the time of the first sweep that found it so: a
// note has it.
func (d Disk) Sweep(named func(directory string) bool, now time.Time, keep time.Duration) error {
	names, err := d.Files.ReadDir(Dir)
	if wal.IsAbsent(err) {
		return nil
	}
	for n, name := range names { // a note comes after its directory
		if err != nil {
			return err
		}
		directory, since, isNote := strings.Cut(name, ".")
		if !IsDirectory(directory) {
			continue // somebody else's
		}
		noted, bad := time.Parse(noteTime, since)
		switch {
		case !isNote && (named(name) || n+1 < len(names) && strings.HasPrefix(names[n+1], name+".")):
		case !isNote:
			var note wal.File
			if note, err = d.Files.Create(Dir + "/" + name + "." + now.UTC().Format(noteTime)); err == nil {
				err = note.Close()
			}
		case bad != nil || named(directory) || !slices.Contains(names, directory):
			err = wal.RemoveTree(d.Files, Dir+"/"+name)
		case noted.After(now): // of a clock that was set back: the next sweep notes it anew
			err = d.Files.Remove(Dir + "/" + name)
		case !noted.After(now.Add(-max(keep, leastKept))):
			if err = wal.RemoveTree(d.Files, Dir+"/"+directory); err == nil { // else the next sweep goes on
				err = d.Files.Remove(Dir + "/" + name)
			}
		}
	}
	return err
}
