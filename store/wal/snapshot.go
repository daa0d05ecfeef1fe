// Snapshots: writing one beside others, and removing it.

package wal

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// A List is the content of a file of a snapshot: records in an order in which equal states have
// equal files.
type List struct {
	Name   string
	Len    int
	Append func(dst []byte, i int) ([]byte, error) // appends a record as JSON on one line
}

// WriteSnapshot writes a snapshot beside other snapshots and renames it into place. The manifest
// gets its files, and the least version if no list sets another one. On disk, if the process dies
// at one of the steps:
func WriteSnapshot(fsys Files, m *Manifest, lists []List) (err error) {
	name := SnapshotName(m.Seq)
	tmp := name + tmpSuffix

	// A directory that recovery and later snapshots remove.
	if err := RemoveTree(fsys, tmp); err != nil && !IsAbsent(err) {
		return err
	}
	defer func() {
		if err != nil {
			RemoveTree(fsys, tmp) // a full disk gets its space back; the rest is removed later
		}
	}()
	if err := fsys.Mkdir(tmp); err != nil {
		return err
	}
	for _, l := range lists {
		written, err := writeList(fsys, tmp, l)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, written)
	}
	m.Version = max(m.Version, LeastSnapshot)
	text, err := EncodeSealed(m)
	if err != nil {
		return err
	}
	_, _, err = WriteFile(fsys, tmp+"/"+manifestName, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := fsys.SyncDir(tmp); err != nil {
		return err
	}

	// The same directory, with everything in it; it is still not a snapshot.
	if err := fsys.Rename(tmp, name); err != nil {
		return err
	}

	// Either name, and under the new one a snapshot that is whole. After the
	// sync, the new name.
	return fsys.SyncDir(SnapshotDir)
}

// writeList writes a file: [ and ] on lines of their own, and between them a record on each
// line with a comma after all but the last.
func writeList(fsys Files, dir string, l List) (m ManifestFile, err error) {
	m = ManifestFile{Name: l.Name, Records: l.Len}
	m.Bytes, m.SHA256, err = WriteFile(fsys, dir+"/"+m.Name, func(w io.Writer) (err error) {
		line := []byte("[")
		for i := range l.Len {
			if i > 0 {
				line = append(line, ',')
			}
			if _, err = w.Write(append(line, '\n')); err != nil {
				return err
			}
			if line, err = l.Append(line[:0], i); err != nil {
				return err
			}
		}
		_, err = w.Write(append(line, "\n]\n"...))
		return err
	})
	return m, err
}

// WriteFile makes a file, lets write fill it, and syncs it. It returns its bytes and their
// SHA-256.
func WriteFile(
	fsys Files,
	name string,
	write func(io.Writer) error,
) (bytes int64, sum string, err error) {
	f, err := fsys.Create(name)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	at := io.NewOffsetWriter(f, 0)
	w := bufio.NewWriterSize(io.MultiWriter(at, hash), 32<<10)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	bytes, _ = at.Seek(0, io.SeekCurrent)
	return bytes, hex.EncodeToString(hash.Sum(nil)), errors.Join(err, f.Close())
}

// DiscardSnapshot removes a snapshot so that a crash never leaves half of it
// under its own name.
func DiscardSnapshot(fsys Files, seq uint64) error {
	name := SnapshotName(seq)
	tmp := name + tmpSuffix
	if err := RemoveTree(fsys, tmp); err != nil && !IsAbsent(err) {
		return err
	}
	if err := fsys.Rename(name, tmp); err != nil {
		return err
	}
	if err := fsys.SyncDir(SnapshotDir); err != nil {
		return err
	}
	return RemoveTree(fsys, tmp)
}
