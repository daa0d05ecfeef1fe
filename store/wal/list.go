// Reading the files of a snapshot once, with a count of the bytes.

package wal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// ReadList reads a file of a snapshot, and calls add with each record as JSON, good until it
// returns. The file must be as the manifest says and as WriteSnapshot writes it. An error that
// says where is a
// *CorruptError, also that of add.
func ReadList(
	fsys Files,
	m *Manifest,
	want ManifestFile,
	p *Progress,
	add func(record []byte) error,
) error {
	name := m.Path(want)
	f, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	begins := "[\n"
	ends := "\n]\n"
	if want.Records == 0 {
		ends = "]\n"
	}
	at := int64(0)
	line := 1
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
	at = int64(len(begins))
	line = 2
	lines := newLineReader(io.LimitReader(in, max(0, want.Bytes-int64(len(begins)+len(ends)))))
	records := 0
	open := false
	for {
		text, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		// A record, a comma and a newline; the last record has neither of these two.
		record, newline := bytes.CutSuffix(text, []byte("\n"))
		record, comma := bytes.CutSuffix(record, []byte(","))
		if err = add(record); err == nil && comma != newline {
			err = errors.New(
				"a record without a comma and a newline behind it, or the last one with them",
			)
		}
		if err != nil {
			return corrupt("%w", err)
		}
		records = records + 1
		open = !newline
		at = at + int64(len(text))
		line = line + 1
		p.add(len(text))
	}
	if records != want.Records || open != (records > 0) {
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
	p.done = 0
	p.total = 0
	for _, f := range m.Files {
		p.total += f.Bytes
	}
	for _, first := range segments[segmentOf(segments, m.Seq):] {
		size, _ := fsys.Size(SegmentName(first))
		p.total += size
	}
}
