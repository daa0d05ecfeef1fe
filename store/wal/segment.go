// Names of numbered files, and reading files line by line.

package wal

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

// Names in a data directory.
const (
	lockName      = "lock"
	LogDir        = "log"
	SnapshotDir   = "snapshots"
	segmentSuffix = ".jsonl"
	tmpSuffix     = ".tmp"
	manifestName  = "manifest.json"
)

// SegmentName returns the file that begins with a transaction.
func SegmentName(first uint64) string {
	return fmt.Sprintf("%s/%020d%s", LogDir, first, segmentSuffix)
}

// SnapshotName returns the directory of the state after a transaction.
func SnapshotName(seq uint64) string { return fmt.Sprintf("%s/%020d", SnapshotDir, seq) }

// ManifestPath returns the manifest in it.
func ManifestPath(seq uint64) string { return SnapshotName(seq) + "/" + manifestName }

// Segments lists the segments of a log by their first transactions, ascending.
func Segments(fsys Files) ([]uint64, error) { return numbered(fsys, LogDir, segmentSuffix) }

// Snapshots lists the snapshots by their transactions, ascending.
func Snapshots(fsys Files) ([]uint64, error) { return numbered(fsys, SnapshotDir, "") }

// numbered lists the numbers, from 1, in a directory's names of twenty digits
// and a suffix, ascending. Other names are not ours. A missing directory is
// empty.
func numbered(fsys Files, dir, suffix string) ([]uint64, error) {
	names, err := fsys.ReadDir(dir)
	if err != nil && !IsAbsent(err) {
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
func wholeFile(f File) *io.SectionReader { return io.NewSectionReader(f, 0, math.MaxInt64) }

// checkEnds looks whether segments that a snapshot covers follow each other
// without a gap: each ends with the transaction before the next one. Nothing
// else of them is read. Pruning leaves no gap.
func checkEnds(fsys Files, segments []uint64) error {
	for i := 1; i < len(segments); i++ {
		ends, err := endsWith(fsys, SegmentName(segments[i-1]), segments[i]-1)
		if IsFormat(err) {
			return fmt.Errorf("store: %s: %w", SegmentName(segments[i-1]), err)
		}
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if !ends {
			return &CorruptError{
				File: SegmentName(segments[i]),
				Err: fmt.Errorf(
					"transactions are missing before it: %s does not end with transaction %d",
					SegmentName(segments[i-1]),
					segments[i]-1,
				),
			}
		}
	}
	return nil
}

// endsWith reports whether the last line of a file is that of a transaction.
func endsWith(fsys Files, name string, seq uint64) (ends bool, err error) {
	size, err := fsys.Size(name)
	if err != nil {
		return false, err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for part := int64(4 << 10); ; part *= 4 {
		tail := make([]byte, min(part, size))
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		// The newline before the last line, not that at its end.
		if at := bytes.LastIndexByte(bytes.TrimSuffix(tail, []byte("\n")), '\n'); at >= 0 ||
			part >= size {
			for format := LeastLine; format <= LineFormat; format++ {
				ends = ends ||
					bytes.HasPrefix(
						tail[at+1:],
						fmt.Appendf(nil, "%s%d,", appendFormat(nil, format), seq),
					)
			}
			return ends, checkLineFormat(tail[at+1:])
		}
	}
}
