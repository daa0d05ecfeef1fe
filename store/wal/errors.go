// The formats of lines and of snapshots, and the errors that somebody has to act upon.

package wal

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

var (
	// ErrLatched is in every error of a store that could not make a
	// transaction durable. Reads go on; nothing is written until the end of the log
	// was read again as recovery does, because only that can tell what reached
	// the disk. The store does that as soon as the disk takes a write again,
	// but not when ErrNotOwn is in the error too, or a *CorruptError: then it has
	// to be closed and opened. The cause is in the same chain:
	// errors.Is(err, syscall.ENOSPC) says that the disk is full.
	ErrLatched = errors.New("no changes are taken, since one could not be written")

	// ErrNotOwn is in the error of a store whose lock or log was removed, replaced
	// or written by somebody else. Another process may have the directory.
	ErrNotOwn = errors.New(
		"the data directory is not this process's own any more; stop all that use it, check it with almanac " +
			"verify, and start one again",
	)

	// ErrInUse is in the error for a directory that another process has open.
	ErrInUse = errors.New("in use by another almanac")

	// ErrIrregular is in the error of a directory, a named pipe or a device in the place of a
	// file.
	ErrIrregular = errors.New("no regular file")
)

// IsPassing reports whether an error is of a store that takes no changes now, and
// takes them again by itself as soon as the disk takes a write.
func IsPassing(err error) bool {
	var corrupt *CorruptError
	return errors.Is(err, ErrLatched) && !errors.Is(err, ErrNotOwn) && !errors.As(err, &corrupt)
}

// A CorruptError says that a file of the store does not hold what was written
// to it. The store refuses to open and leaves the directory as it found it. A
// truncated end of the log, as a crash leaves it of lines that were not acknowledged, is no
// corruption: it is cut off and logged.
type CorruptError struct {
	File   string // in the data directory, with slashes; "log/00000000000000000001.jsonl"
	Offset int64  // of the first byte of the bad line, from 0
	Line   int    // number of the bad line, from 1; 0 for the whole file
	Err    error  // the reason
}

func (e *CorruptError) Error() string {
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(": line %d", e.Line)
	}
	if e.Line > 0 || e.Offset > 0 {
		where += fmt.Sprintf(": offset %d", e.Offset)
	}
	return fmt.Sprintf(
		"store: %s: %v; the files were left as they are: restore a backup, or what still verifies with almanac restore "+
			"-skip-damaged",
		where,
		e.Err,
	)
}

// Unwrap returns the reason.
func (e *CorruptError) Unwrap() error { return e.Err }

// The formats. A directory in another one is refused as a whole. Each line and each snapshot has
// the least format that tells what is in it, so that an older program refuses only what it cannot
// read. A next format gets its number here, and a reader of the oldest is called where checkFormat
// refuses it.
const (
	LeastLine     = 7
	LikeLine      = 8 // some of its events are like others in a long text
	LeastSnapshot = 5
	LikeSnapshot  = 6 // the same

	LineFormat     = LikeLine
	SnapshotFormat = LikeSnapshot
)

// lineStart begins every line.
const lineStart = `{"v":`

// appendFormat appends the beginning of a line up to its number.
func appendFormat(dst []byte, format int) []byte {
	return append(strconv.AppendInt(append(dst, lineStart...), int64(format), 10), seqMember...)
}

// A formatError says that a file is of another format. It is not damaged.
type formatError string

func (e formatError) Error() string { return string(e) }

const (
	// ErrNewer is in the error for files of a format that this version does
	// not know yet.
	ErrNewer = formatError("written by a newer almanac; use that one")

	// ErrOlder is in the error for files of a format that this version does
	// not read any more.
	ErrOlder = formatError(
		"written by an older almanac; save the records as a file with that one (almanac export), and start this " +
			"one with a new directory and -seed (docs/upgrade.md)",
	)
)

// IsFormat reports whether an error is ErrNewer or ErrOlder.
func IsFormat(err error) bool { return errors.As(err, new(formatError)) }

// checkFormat refuses every format but those from least to newest.
func checkFormat(format, least, newest int) error {
	switch {
	case format < 1:
		return fmt.Errorf("format %d does not exist", format)
	case format > newest:
		return fmt.Errorf("format %d, and this almanac knows %d: %w", format, newest, ErrNewer)
	case format < least:
		return fmt.Errorf("format %d, and this almanac knows %d: %w", format, newest, ErrOlder)
	}
	return nil
}

// checkLineFormat refuses a line that names another format; format 1 has no number. A line that
// names none is damage.
func checkLineFormat(line []byte) error {
	rest, found := bytes.CutPrefix(line, []byte(lineStart))
	digits, _, _ := bytes.Cut(rest, []byte(","))
	format, err := strconv.Atoi(string(digits))
	switch {
	case bytes.HasPrefix(line, []byte(`{"seq":`)):
		format = 1
	case !found || err != nil || format < 1 || strconv.Itoa(format) != string(digits):
		return nil
	}
	return checkFormat(format, LeastLine, LineFormat)
}
