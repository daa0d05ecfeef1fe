// Loading a snapshot: its files are read once, by several goroutines. What is
// wrong with them is left to who reads them line by line.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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

	sound bool
	size  int  // bytes
	open  bool // the last line has no newline
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
// time. It returns none of them, and false, unless every file is as the manifest
// says and as writeSnapshot writes it.
func readSnapshot(fsys files, m *manifest, p *progress) ([]piece, bool) {
	var all []piece
	for i, k := range snapshotOrder {
		f, err := fsys.open(snapshotName(m.Seq) + "/" + m.Files[i].Name)
		if err != nil {
			return nil, false
		}
		some, sound := readRecords(f, k, m.Files[i], p)
		f.Close()
		if !sound {
			return nil, false
		}
		all = append(all, some...)
	}
	return all, true
}

// readRecords reads the file of a kind.
func readRecords(f file, k Kind, want manifestFile, p *progress) (all []piece, sound bool) {
	begin, end := "[\n", "\n]\n"
	if want.Records == 0 {
		end = "]\n"
	}
	lines := want.Bytes - int64(len(begin)+len(end))
	if lines < 0 {
		return nil, false
	}
	hash := sha256.New()
	in := io.TeeReader(io.NewSectionReader(f, 0, math.MaxInt64), hash)
	if !follows(in, begin) {
		return nil, false
	}
	blocks := readBlocks(io.LimitReader(in, lines), func(text []byte) piece { return readPiece(k, text) })
	records, before, open := 0, int64(0), false
	for sound = true; sound; {
		some, more := blocks.next()
		if !more {
			break
		}
		sound = some.sound && some.first > before
		records, before, open = records+len(some.records), some.last, some.open
		all = append(all, some)
		p.add(some.size)
	}
	err := blocks.close()
	sound = sound && err == nil && records == want.Records && open == (records > 0) && follows(in, end)
	if n, err := in.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return nil, false
	}
	return all, sound && hex.EncodeToString(hash.Sum(nil)) == want.SHA256
}

// follows reads a text, if it is next.
func follows(in io.Reader, text string) bool {
	b := make([]byte, len(text))
	_, err := io.ReadFull(in, b)
	return err == nil && string(b) == text
}

// readPiece reads lines of a snapshot: each has a record, a comma and a newline,
// the last of the file neither of these two.
func readPiece(k Kind, text []byte) piece {
	p := piece{kind: k, size: len(text), records: make([]Record, 0, bytes.Count(text, []byte("\n"))+1)}
	for len(text) > 0 {
		line, rest, newline := bytes.Cut(text, []byte("\n"))
		line, comma := bytes.CutSuffix(line, []byte(","))
		r, err := decodeRecord(k, line)
		if err != nil || comma != newline || r.Key() <= p.last {
			return p
		}
		if len(p.records) == 0 {
			p.first = r.Key()
		}
		p.records, p.last, p.open = append(p.records, r), r.Key(), !newline
		text = rest
	}
	p.sound = p.last < math.MaxInt64 // an id follows it
	return p
}
