// Peeking: the state of a directory that another process may have open.

package store

import (
	"errors"

	"almanac/store/wal"
)

// Peek returns the present state of a directory as a store in memory, to read and
// to change without consequences. It takes no lock and changes no file, so a
// server may have the directory open and go on writing: what it adds after Peek
// began may be left out. Of o the directory, the clock, the logger and Progress
// count. The store is the caller's to close.
//
// Damage that Open would refuse is refused with the same *CorruptError, and a
// directory without a log with an error that says so.
func Peek(o Options) (*Store, error) {
	fsys, err := wal.ReadDir(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := peek(o, fsys)
	return s, errors.Join(err, fsys.Close())
}

// peek reads, and starts over when the store that has the directory open has
// pruned meanwhile what was to be read.
func peek(o Options, fsys wal.Files) (*Store, error) {
	var s *Store
	err := beside(fsys, func(listing) error {
		s = newStore(o)
		var records loader
		var j journal
		_, err := j.read(fsys, journalOptions{Options: wal.Options{Logger: s.log}, progress: o.Progress}, records.take)
		if err == nil {
			s.begin(&records, j.at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}
