// The formats of lines and of snapshots that this program reads and writes. FORMAT.md
// describes them.

package wal

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// The formats. A directory in another one is refused as a whole. A next format gets its
// number here, and a reader of this one is called where checkFormat refuses it.
const (
	LineFormat     = 7
	SnapshotFormat = 5
)

// lineStart begins every line.
const lineStart = `{"v":7,"seq":`

// A formatError says that a file is of another format. It is not damaged.
type formatError string

func (e formatError) Error() string { return string(e) }

const (
	// ErrNewer is in the error for files of a format that this version does
	// not know yet.
	ErrNewer = formatError("written by a newer almanac; use that one")

	// ErrOlder is in the error for files of a format that this version does
	// not read any more.
	ErrOlder = formatError("written by an older almanac; save the records as a file with that one (almanac export), and start this " +
		"one with a new directory and -seed (docs/upgrade.md)")
)

// IsFormat reports whether an error is ErrNewer or ErrOlder.
func IsFormat(err error) bool { return errors.As(err, new(formatError)) }

// checkFormat refuses every format but the known one.
func checkFormat(format, known int) error {
	switch {
	case format < 1:
		return fmt.Errorf("format %d does not exist", format)
	case format > known:
		return fmt.Errorf("format %d, and this almanac knows %d: %w", format, known, ErrNewer)
	case format < known:
		return fmt.Errorf("format %d, and this almanac knows %d: %w", format, known, ErrOlder)
	}
	return nil
}

// checkLineFormat refuses a line that names another format; format 1 has no number. A line that
// names none is damage.
func checkLineFormat(line []byte) error {
	rest, found := bytes.CutPrefix(line, []byte(`{"v":`))
	digits, _, _ := bytes.Cut(rest, []byte(","))
	format, err := strconv.Atoi(string(digits))
	switch {
	case bytes.HasPrefix(line, []byte(`{"seq":`)):
		format = 1
	case !found || err != nil || format < 1 || strconv.Itoa(format) != string(digits):
		return nil
	}
	return checkFormat(format, LineFormat)
}
