// Names of numbered files, and reading files line by line.

package store

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What is in a data directory.
const (
	lockName      = "lock"
	logDir        = "log"
	snapshotDir   = "snapshots"
	segmentSuffix = ".jsonl"
	tmpSuffix     = ".tmp"
	manifestName  = "manifest.json"
)

// segmentName returns the file that begins with a transaction.
func segmentName(first uint64) string {
	return fmt.Sprintf("%s/%020d%s", logDir, first, segmentSuffix)
}

// snapshotName returns the directory of the state after a transaction.
func snapshotName(seq uint64) string { return fmt.Sprintf("%s/%020d", snapshotDir, seq) }

// numbered lists the numbers, from 1, in a directory's names of twenty digits
// and a suffix, ascending. Other names are not ours. A missing directory is
// empty.
func numbered(fsys files, dir, suffix string) ([]uint64, error) {
	names, err := fsys.readDir(dir)
	if err != nil && !isAbsent(err) {
		return nil, err
	}
	var found []uint64
	for _, name := range names {
		digits, ok := strings.CutSuffix(name, suffix)
		n, err := strconv.ParseUint(digits, 10, 64)
		if ok && err == nil && n > 0 && fmt.Sprintf("%020d", n) == digits {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return found, nil
}

// wholeFile reads a file from its beginning, in the way of an io.Reader.
func wholeFile(f file) *io.SectionReader { return io.NewSectionReader(f, 0, math.MaxInt64) }

// A lineReader reads a file line by line and knows where it is.
//
//	for l.next() { … l.text … }
//	if l.err != nil { … }
type lineReader struct {
	text   []byte // the line without its newline, until the next call of next
	whole  bool   // the line has a newline; only the last may have none
	offset int64  // where the line begins
	number int    // from 1
	err    error  // of reading

	name string // of the file, for errors
	in   *bufio.Reader
	end  int64 // where the next line begins
}

// lineBuffer is how much of a file is read at a time.
const lineBuffer = 16 << 10

func newLineReader(name string, f file) *lineReader {
	return &lineReader{name: name, in: bufio.NewReaderSize(wholeFile(f), lineBuffer)}
}

// next reads a line, and reports whether there is one.
func (l *lineReader) next() bool {
	l.text, l.whole, l.offset = l.text[:0], false, l.end
	for {
		part, err := l.in.ReadSlice('\n')
		l.text = append(l.text, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			l.err = err
			return false
		}
		break
	}
	if len(l.text) == 0 {
		return false
	}
	l.number++
	l.end += int64(len(l.text))
	if n := len(l.text) - 1; l.text[n] == '\n' {
		l.text, l.whole = l.text[:n], true
	}
	return true
}

// corrupt tells where an error is: in the line last read.
func (l *lineReader) corrupt(err error) error {
	return &CorruptError{File: l.name, Offset: l.offset, Line: l.number, Err: err}
}
