// Snapshots: writing one beside others, and removing it.

package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

// A fileList is the content of a file of a snapshot: records in an order in which equal states have
// equal files.
type fileList struct {
	Name   string
	Len    int
	Append func(dst []byte, i int) ([]byte, error) // appends a record as JSON on one line
}

// writeSnapshot writes a snapshot beside other snapshots and renames it into place. The manifest
// gets its version and its files. On disk, if the process dies at one of the steps:
func writeSnapshot(fsys files, m *manifest, lists []fileList) (err error) {
	name := snapshotName(m.Seq)
	tmp := name + tmpSuffix

	// A directory that recovery and later snapshots remove.
	if err := removeTree(fsys, tmp); err != nil && !isAbsent(err) {
		return err
	}
	defer func() {
		if err != nil {
			removeTree(fsys, tmp) // a full disk gets its space back; the rest is removed later
		}
	}()
	if err := fsys.mkdir(tmp); err != nil {
		return err
	}
	m.Version = SnapshotFormat
	for _, l := range lists {
		written, err := writeList(fsys, tmp, l)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, written)
	}
	text, err := m.Encode()
	if err != nil {
		return err
	}
	err = writeFile(fsys, tmp+"/"+manifestName, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if err := fsys.syncDir(tmp); err != nil {
		return err
	}

	// The same directory, with everything in it; it is still not a snapshot.
	if err := fsys.rename(tmp, name); err != nil {
		return err
	}

	// Either name, and under the new one a snapshot that is whole. After the
	// sync, the new name.
	return fsys.syncDir(snapshotDir)
}

// writeList writes a file: [ and ] on lines of their own, and between them a record on each
// line with a comma after all but the last.
func writeList(fsys files, dir string, l fileList) (manifestFile, error) {
	hash := sha256.New()
	m := manifestFile{Name: l.Name, Records: l.Len}
	err := writeFile(fsys, dir+"/"+m.Name, func(w io.Writer) error {
		w = io.MultiWriter(w, hash)
		line := []byte("[")
		for i := range l.Len {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, '\n')
			n, err := w.Write(line)
			m.Bytes += int64(n)
			if err != nil {
				return err
			}
			if line, err = l.Append(line[:0], i); err != nil {
				return err
			}
		}
		n, err := w.Write(append(line, "\n]\n"...))
		m.Bytes += int64(n)
		return err
	})
	m.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return m, err
}

// writeFile makes a file, lets write fill it, and syncs it.
func writeFile(fsys files, name string, write func(io.Writer) error) error {
	f, err := fsys.create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, 0), 32<<10)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// discardSnapshot removes a snapshot so that a crash never leaves half of it
// under its own name.
func discardSnapshot(fsys files, seq uint64) error {
	name := snapshotName(seq)
	tmp := name + tmpSuffix
	if err := removeTree(fsys, tmp); err != nil && !isAbsent(err) {
		return err
	}
	if err := fsys.rename(name, tmp); err != nil {
		return err
	}
	if err := fsys.syncDir(snapshotDir); err != nil {
		return err
	}
	return removeTree(fsys, tmp)
}
