// Snapshots: writing the records of one state, and reading them again.

package store

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// writeSnapshot writes a snapshot beside other snapshots and renames it into place.
// On disk, if the process dies at one of the steps:
func writeSnapshot(fsys files, p position, at time.Time, records [kinds][]Record) (err error) {
	name := snapshotName(p.Seq)
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
	m := manifest{
		Version: SnapshotFormat, Seq: p.Seq, Head: hex.EncodeToString(p.Head[:]), Time: at.UTC(),
		NextPost: p.NextPost, NextTerm: p.NextTerm, Identity: p.Identity,
	}
	for _, k := range snapshotOrder {
		written, err := writeRecords(fsys, tmp, k, records[k])
		if err != nil {
			return err
		}
		m.Files = append(m.Files, written)
	}
	text, err := m.encode()
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

// writeRecords writes the file of a kind, sorted by id: equal states have equal
// files.
func writeRecords(fsys files, dir string, k Kind, records []Record) (manifestFile, error) {
	slices.SortFunc(records, func(a, b Record) int { return cmp.Compare(a.Key(), b.Key()) })
	hash := sha256.New()
	m := manifestFile{Name: snapshotFile(k), Records: len(records)}
	err := writeFile(fsys, dir+"/"+m.Name, func(w io.Writer) error {
		w = io.MultiWriter(w, hash)
		line := []byte("[")
		for i, r := range records {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, '\n')
			n, err := w.Write(line)
			m.Bytes += int64(n)
			if err != nil {
				return err
			}
			if line, err = appendJSON(line[:0], r); err != nil {
				return fmt.Errorf("%s %d: %w", k, r.Key(), err)
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

func newRecord(k Kind) Record {
	switch k {
	case Events:
		return new(Event)
	case Venues:
		return new(Venue)
	case Organizers:
		return new(Organizer)
	case Images:
		return new(Image)
	case AllSeries:
		return new(Series)
	case Accounts:
		return new(Account)
	default:
		return &Term{Taxonomy: k}
	}
}
