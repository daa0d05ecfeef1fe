// Reading a snapshot: its files are read once, by several goroutines.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// A progress counts bytes that were read. A nil progress does not.
type progress struct {
	report      func(done, total int64)
	done, total int64
}

// add counts bytes more.
func (p *progress) add(n int) {
	if p != nil && n > 0 {
		p.done += int64(n)
		p.report(p.done, max(p.done, p.total))
	}
}

// expect says what is to be read: a snapshot, and the segments from its
// transaction on.
func (p *progress) expect(fsys files, m *manifest, segments []uint64) {
	if p == nil {
		return
	}
	p.done, p.total = 0, 0
	for _, f := range m.Files {
		p.total += f.Bytes
	}
	for _, first := range segments[segmentOf(segments, m.Seq):] {
		p.total += sizeOf(fsys, segmentName(first))
	}
}

// sizeOf returns the bytes of a file, 0 when it is not one of the system's.
func sizeOf(fsys files, name string) int64 {
	f, err := fsys.open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	if f, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil {
			return info.Size()
		}
	}
	return 0
}

// A piece is some records of one kind of a snapshot, ascending by id. Who passes
// it on need not look at them: they are in the memory that is near another
// processor, or near none any more.
type piece struct {
	kind        Kind
	records     []Record
	first, last int64 // ids

	size int   // bytes
	open bool  // the last line has no newline
	err  error // what is wrong with the line after the records
	good int   // bytes before that line
}

// change returns the records as what a transaction writes.
func (p piece) change() *Change {
	c := new(Change)
	for _, r := range p.records {
		c.add(r)
	}
	return c
}

// readSnapshot reads the records of a snapshot, some thousand of one kind at a
// time. Every file must be as the manifest says and as writeSnapshot writes it;
// what is wrong is a *CorruptError that says where. An error of load ends it and is
// returned as it is.
func readSnapshot(fsys files, m *manifest, p *progress, load func(piece) error) error {
	for i, k := range snapshotOrder {
		if err := m.readFile(fsys, k, m.Files[i], p, load); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads the records of a kind.
func (m *manifest) readFile(fsys files, k Kind, want manifestFile, p *progress, load func(piece) error) error {
	name := snapshotName(m.Seq) + "/" + want.Name
	f, err := fsys.open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	return readRecords(f, name, k, want, p, load)
}

// readRecords reads the file of a kind: [ and ] on lines of their own, and between
// them a record on each line with a comma after all but the last.
func readRecords(f file, name string, k Kind, want manifestFile, p *progress, load func(piece) error) error {
	begin, end := "[\n", "\n]\n"
	if want.Records == 0 {
		end = "]\n"
	}
	at, line := int64(0), 1
	corrupt := func(format string, args ...any) error {
		return &CorruptError{File: name, Offset: at, Line: line, Err: fmt.Errorf(format, args...)}
	}
	hash := sha256.New()
	in := io.TeeReader(wholeFile(f), hash)
	// follows reads a text that must come next.
	follows := func(text, otherwise string) error {
		b := make([]byte, len(text))
		if _, err := io.ReadFull(in, b); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return fmt.Errorf("store: %w", err)
		} else if err != nil || string(b) != text {
			return corrupt("%s", otherwise)
		}
		return nil
	}
	if err := follows(begin, "the first line is not ["); err != nil {
		return err
	}
	at, line = int64(len(begin)), 2
	lines := max(0, want.Bytes-int64(len(begin)+len(end)))
	blocks := readBlocks(io.LimitReader(in, lines), func(text []byte) piece { return readPiece(k, text) })
	records, last, open := 0, int64(0), false
	var failed error
	for failed == nil {
		some, more := blocks.next()
		if !more {
			break
		}
		switch {
		case len(some.records) > 0 && some.first <= last:
			failed = corrupt("the id %d after %d", some.first, last)
		case some.err != nil:
			at, line = at+int64(some.good), line+len(some.records)
			failed = corrupt("%w", some.err)
		default:
			records, last, open = records+len(some.records), some.last, some.open
			at, line = at+int64(some.size), line+len(some.records)
			p.add(some.size)
			failed = load(some)
		}
	}
	switch err := blocks.close(); {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("store: %w", err)
	case records != want.Records || open != (records > 0):
		return corrupt("not the %d records that the manifest says", want.Records)
	}
	if err := follows(end, "the last line is not ]"); err != nil {
		return err
	}
	switch n, err := in.Read(make([]byte, 1)); {
	case n != 0:
		return corrupt("the last line is not ]")
	case err != io.EOF:
		return fmt.Errorf("store: %w", err)
	case hex.EncodeToString(hash.Sum(nil)) != want.SHA256:
		return corrupt("the SHA-256 is not that of the manifest")
	}
	return nil
}

// readPiece reads lines of a snapshot: each has a record, a comma and a newline,
// the last of the file neither of these two.
func readPiece(k Kind, text []byte) piece {
	p := piece{kind: k, size: len(text), records: make([]Record, 0, bytes.Count(text, []byte("\n"))+1)}
	for len(text) > 0 {
		p.good = p.size - len(text)
		line, rest, newline := bytes.Cut(text, []byte("\n"))
		line, comma := bytes.CutSuffix(line, []byte(","))
		r, err := decodeRecord(k, line)
		switch {
		case err != nil:
			p.err = err
		case comma != newline:
			p.err = errors.New("a record without a comma and a newline behind it, or the last one with them")
		case r.Key() <= p.last:
			p.err = fmt.Errorf("the id %d after %d", r.Key(), p.last)
		case r.Key() == math.MaxInt64: // no id follows it
			p.err = fmt.Errorf("a record of %s with the id %d", k, r.Key())
		}
		if p.err != nil {
			return p
		}
		if len(p.records) == 0 {
			p.first = r.Key()
		}
		p.records, p.last, p.open = append(p.records, r), r.Key(), !newline
		text = rest
	}
	return p
}
