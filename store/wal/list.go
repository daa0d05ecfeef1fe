// Reading the files of a snapshot: once, by several goroutines, with a count of the bytes.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// A Part takes some consecutive records of a file.
type Part interface {
	Add(record []byte) error // the next one, as JSON; it is not kept
}

// A block is a part with what became of its lines.
type block[P Part] struct {
	part  P
	lines int
	size  int   // bytes
	open  bool  // the last line has no newline
	err   error // of the line after the lines
	good  int   // bytes before that line
}

// ReadList reads a file of a snapshot, some thousand records at a time: begin makes a part for a
// number of them, on any goroutine, and load gets one after the other. The file must be as the
// manifest says and as WriteSnapshot writes it. An error that says where is a *CorruptError, also
// that of load.
func ReadList[P Part](fsys Files, m *Manifest, want ManifestFile, p *Progress, begin func(records int) P, load func(P) error) error {
	name := m.Path(want)
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	begins, ends := "[\n", "\n]\n"
	if want.Records == 0 {
		ends = "]\n"
	}
	at, line := int64(0), 1
	corrupt := func(format string, args ...any) error {
		return &CorruptError{File: name, Offset: at, Line: line, Err: fmt.Errorf(format, args...)}
	}
	hash := sha256.New()
	in := io.TeeReader(wholeFile(f), hash)
	// follows reads a text that must come next, and tries to read some bytes more.
	follows := func(text string, more int, otherwise string) error {
		b, err := io.ReadAll(io.LimitReader(in, int64(len(text)+more)))
		if err != nil {
			return fmt.Errorf("store: %w", err)
		} else if string(b) != text {
			return corrupt("%s", otherwise)
		}
		return nil
	}
	if err := follows(begins, 0, "the first line is not ["); err != nil {
		return err
	}
	at, line = int64(len(begins)), 2
	lines := max(0, want.Bytes-int64(len(begins)+len(ends)))
	blocks := readBlocks(io.LimitReader(in, lines), func(text []byte) block[P] { return readBlock(text, begin) })
	records, open := 0, false
	var failed error
	for failed == nil {
		b, more := blocks.next()
		if !more {
			break
		}
		if b.err == nil {
			b.err = load(b.part)
		} else {
			at, line = at+int64(b.good), line+b.lines
		}
		if b.err != nil {
			failed = corrupt("%w", b.err)
			break
		}
		records, open = records+b.lines, b.open
		at, line = at+int64(b.size), line+b.lines
		p.add(b.size)
	}
	switch err := blocks.close(); {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("store: %w", err)
	case records != want.Records || open != (records > 0):
		return corrupt("not the %d records that the manifest says", want.Records)
	}
	if err := follows(ends, 1, "the last line is not ]"); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != want.SHA256 {
		return corrupt("the SHA-256 is not that of the manifest")
	}
	return nil
}

// readBlock reads lines of a snapshot: each has a record, a comma and a newline,
// the last of the file neither of these two.
func readBlock[P Part](text []byte, begin func(records int) P) block[P] {
	b := block[P]{size: len(text), part: begin(bytes.Count(text, []byte("\n")) + 1)}
	for ; len(text) > 0; b.lines++ {
		b.good = b.size - len(text)
		line, rest, newline := bytes.Cut(text, []byte("\n"))
		line, comma := bytes.CutSuffix(line, []byte(","))
		if b.err = b.part.Add(line); b.err == nil && comma != newline {
			b.err = errors.New("a record without a comma and a newline behind it, or the last one with them")
		}
		if b.err != nil {
			return b
		}
		b.open, text = !newline, rest
	}
	return b
}

// A Progress counts bytes that were read. A nil progress does not.
type Progress struct {
	Report      func(done, total int64)
	done, total int64
}

// add counts bytes more.
func (p *Progress) add(n int) {
	if p != nil && n > 0 {
		p.done += int64(n)
		p.Report(p.done, max(p.done, p.total))
	}
}

// Expect says what is to be read: a snapshot, and the segments from its
// transaction on.
func (p *Progress) Expect(fsys Files, m *Manifest, segments []uint64) {
	if p == nil {
		return
	}
	p.done, p.total = 0, 0
	for _, f := range m.Files {
		p.total += f.Bytes
	}
	for _, first := range segments[segmentOf(segments, m.Seq):] {
		size, _ := fsys.Size(SegmentName(first))
		p.total += size
	}
}
