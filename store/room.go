// Disk space: the need of a transaction, and the free space.

package store

import (
	"errors"

	"almanac/store/wal"
)

// ErrNoRoom is returned by Reserve when the disk has too little left.
var ErrNoRoom = errors.New("the disk is nearly full")

// lineRoom is the maximum length, roughly, of a line of the log without its change.
const lineRoom = 256

// room is the disk space of an open batch.
type room struct {
	asked    bool
	free     int64 // at the start of the batch; 1<<62 if it is unknown
	reserved int64 // by transactions of the batch
}

// Free returns the bytes that the disk of the store has left. Where the system
// does not say it, and in memory, that is an error with errors.ErrUnsupported in
// it.
func (s *Store) Free() (int64, error) {
	if s.journal == nil {
		return 0, errors.ErrUnsupported
	}
	return s.journal.Files.Free()
}

// Reserve returns the bytes that the transaction, as it is by now, will add to
// the log: 0 in memory, and when it changes nothing. If the disk would have less
// than floor left after them, and after what others of the same batch have
// reserved, it is ErrNoRoom. Where nobody says how much is left there is always
// room.
func (tx *Tx) Reserve(floor int64) (bytes int64, err error) {
	change := tx.finish()
	if tx.disk == nil || change.Empty() {
		return 0, nil
	}
	into := changeTexts.Get().(*[]byte)
	text, err := appendJSON((*into)[:0], change)
	if err != nil {
		return 0, err
	}
	bytes = int64(len(text)) + lineRoom
	if cap(text) <= bufferKept {
		*into = text
		changeTexts.Put(into)
	}
	if floor > 0 && !tx.room.fits(tx.disk, bytes, floor) {
		return 0, ErrNoRoom
	}
	tx.room.reserved += bytes
	return bytes, nil
}

// fits reports whether bytes more leave as much as floor. It asks the system once
// for each batch.
func (r *room) fits(disk wal.Files, bytes, floor int64) bool {
	if !r.asked {
		var err error
		if r.free, err = disk.Free(); err != nil {
			r.free = 1 << 62
		}
		r.asked = true
	}
	return r.free-r.reserved-bytes >= floor
}
