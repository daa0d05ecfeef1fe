// Listings of a directory, which a server may be writing to.

package wal

import (
	"errors"
	"fmt"
	"slices"
)

// A Listing has the numbers in a directory, ascending.
type Listing struct{ Snapshots, Segments []uint64 }

// ErrNoLog is the error for a directory without a log.
var ErrNoLog = errors.New("store: there is no log in it; name the data directory of an almanac")

// ErrChanged is in the error of a file that is not what it was a moment ago.
var ErrChanged = errors.New("the file does not hold what it should")

// maxAttempts is how often a reader starts because the store removed a file
// that it was about to read.
const maxAttempts = 10

// ListFiles lists snapshots first: then the log reaches to each of them.
func ListFiles(fsys Files) (all Listing, err error) {
	if all.Snapshots, err = Snapshots(fsys); err == nil {
		all.Segments, err = Segments(fsys)
	}
	if err != nil {
		err = fmt.Errorf("store: %w", err)
	}
	return all, err
}

// Attempt reads a directory that a store may have open. It calls read with the files in it, and
// again if that failed and the store has made or removed files meanwhile.
func Attempt(src Files, read func(all Listing) error) error {
	for n := 1; ; n++ {
		all, err := ListFiles(src)
		if err == nil {
			err = read(all)
		}
		if err == nil || n == maxAttempts || !changed(src, all, err) {
			return err
		}
	}
}

// AttemptLog is Attempt for a directory that has a log.
func AttemptLog(src Files, read func(all Listing) error) error {
	return Attempt(src, func(all Listing) error {
		if len(all.Segments) == 0 {
			return ErrNoLog
		}
		return read(all)
	})
}

// changed reports whether an error may be the consequence of a running store: it
// prunes, or cuts off a torn line when it is started.
func changed(src Files, before Listing, err error) bool {
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) && !IsAbsent(err) && !errors.Is(err, ErrChanged) {
		return false
	}
	after, err := ListFiles(src)
	return err != nil || !slices.Equal(before.Snapshots, after.Snapshots) ||
		!slices.Equal(before.Segments, after.Segments)
}
