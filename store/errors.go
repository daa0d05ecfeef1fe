// The errors that somebody has to act upon: damage, a newer format, a latched
// journal, a directory in use.

package store

import "almanac/store/wal"

// The formats of lines and of snapshots that this program reads and writes.
const (
	LineFormat     = wal.LineFormat
	SnapshotFormat = wal.SnapshotFormat
)

// The errors of the files, which are documented there.
var (
	ErrLatched = wal.ErrLatched
	ErrNotOwn  = wal.ErrNotOwn
	ErrInUse   = wal.ErrInUse
	ErrNewer   = wal.ErrNewer
	ErrOlder   = wal.ErrOlder
)

// A CorruptError says that a file of the store does not hold what was written to it.
type CorruptError = wal.CorruptError

// IsFormat reports whether an error is ErrNewer or ErrOlder.
func IsFormat(err error) bool { return wal.IsFormat(err) }

// IsPassing reports whether an error is of a store that takes no changes now, and
// takes them again by itself as soon as the disk takes a write.
func IsPassing(err error) bool { return wal.IsPassing(err) }
