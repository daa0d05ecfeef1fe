// Names of numbered files, and reading files line by line.

package store

import (
	"bytes"
	"errors"
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

// manifestPath returns the manifest in it.
func manifestPath(seq uint64) string { return snapshotName(seq) + "/" + manifestName }

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

// checkEnds looks whether segments that a snapshot covers follow each other
// without a gap: each ends with the transaction before the next one. Nothing
// else of them is read. Pruning leaves no gap.
func checkEnds(fsys files, segments []uint64) error {
	for i := 1; i < len(segments); i++ {
		ends, err := endsWith(fsys, segmentName(segments[i-1]), segments[i]-1)
		if IsFormat(err) {
			return fmt.Errorf("store: %s: %w", segmentName(segments[i-1]), err)
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if !ends {
			return &CorruptError{File: segmentName(segments[i]), Err: fmt.Errorf(
				"transactions are missing before it: %s does not end with transaction %d", segmentName(segments[i-1]), segments[i]-1)}
		}
	}
	return nil
}

// endsWith reports whether the last line of a file is that of a transaction.
func endsWith(fsys files, name string, seq uint64) (bool, error) {
	size, err := fsys.size(name)
	if err != nil {
		return false, err
	}
	f, err := fsys.open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for part := int64(4 << 10); ; part *= 4 {
		tail := make([]byte, min(part, size))
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		// The newline before the last line, not the one that ends it.
		if at := bytes.LastIndexByte(bytes.TrimSuffix(tail, []byte("\n")), '\n'); at >= 0 || part >= size {
			return startsLine(tail[at+1:], seq), checkLineFormat(tail[at+1:])
		}
	}
}
