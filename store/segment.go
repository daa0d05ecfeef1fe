// Names of numbered files, and reading files line by line.

package store

import (
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
