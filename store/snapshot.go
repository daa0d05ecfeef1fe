// Snapshots: writing the records of one state, and reading them again.

package store

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// chunk is how many records of a snapshot are loaded at a time.
const chunk = 4096

// writeSnapshot writes a snapshot beside the others and renames it into place.
// What is on disk if the process dies at one of the steps:
func writeSnapshot(fsys files, p position, at time.Time, records [kinds][]Record) (err error) {
	name := snapshotName(p.Seq)
	tmp := name + tmpSuffix

	// A directory that recovery and later snapshots remove.
	if err := removeTree(fsys, tmp); err != nil && !isAbsent(err) {
		return err
	}
	defer func() {
		if err != nil {
			removeTree(fsys, tmp) // a full disk gets its space back; what stays is removed later
		}
	}()
	if err := fsys.mkdir(tmp); err != nil {
		return err
	}
	m := manifest{
		Version: snapshotFormat, Seq: p.Seq, Head: hex.EncodeToString(p.Head[:]), Time: at.UTC(),
		NextPost: p.NextPost, NextTerm: p.NextTerm,
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

// loadSnapshot reads the records of a snapshot that has been verified, line by
// line: it says what is wrong where.
func loadSnapshot(fsys files, m *manifest, load func(*Change) error) error {
	for i, k := range snapshotOrder {
		name := snapshotName(m.Seq) + "/" + m.Files[i].Name
		f, err := fsys.open(name)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		l := newLineReader(name, f)
		err = loadRecords(l, k, m.Files[i].Records, load)
		f.Close()
		if l.err != nil {
			return fmt.Errorf("store: %w", l.err)
		}
		if err != nil {
			return l.corrupt(err)
		}
	}
	return nil
}

// loadRecords reads the file of a kind: [ and ] on lines of their own, and
// between them a record on each line with a comma after all but the last.
func loadRecords(l *lineReader, k Kind, records int, load func(*Change) error) error {
	if !l.next() || string(l.text) != "[" {
		return errors.New("the first line is not [")
	}
	c, last := new(Change), int64(0)
	for i := range records {
		text, comma := []byte(nil), false
		if l.next() {
			text, comma = bytes.CutSuffix(l.text, []byte(","))
		}
		if comma != (i < records-1) {
			return fmt.Errorf("not the %d records that the manifest says", records)
		}
		r, err := decodeRecord(k, text)
		if err != nil {
			return err
		}
		if r.Key() <= last {
			return fmt.Errorf("the id %d after %d", r.Key(), last)
		}
		last = r.Key()
		c.add(r)
		if i == records-1 || i%chunk == chunk-1 {
			if err := checkIDs(c); err != nil {
				return err
			}
			if err := load(c); err != nil {
				return err
			}
			c = new(Change)
		}
	}
	if !l.next() || string(l.text) != "]" || !l.whole || l.next() {
		return errors.New("the last line is not ]")
	}
	return nil
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
	default:
		return &Term{Taxonomy: k}
	}
}
