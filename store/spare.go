// Disk space that is kept for changes of accounts.

package store

import (
	"crypto/rand"
	"io"

	"almanac/store/wal"
)

// spareName is a file of so many bytes that is given up for a change of accounts on a full disk, so
// that they can be disabled there. Some hundred changes fit into it.
const (
	spareName  = ".spare"
	spareBytes = 128 << 10
)

// hasAccounts reports whether entries change an account.
func hasAccounts(entries []wal.Entry) bool {
	for i := range entries {
		if c, ok := entries[i].Value.(*Change); ok && c.Accounts != nil {
			return true
		}
	}
	return false
}

// spendSpare gives the space up if the disk has less left.
func (s *Store) spendSpare() {
	if free, err := s.journal.Files.Free(); err == nil && free < spareBytes {
		_ = s.journal.Files.Remove(spareName) // it may be gone already
	}
}

// keepSpare makes the file anew if the disk has room for more than it.
func (s *Store) keepSpare() {
	files := s.journal.Files
	if size, err := files.Size(spareName); err == nil && size >= spareBytes {
		return
	}
	if free, err := files.Free(); err != nil || free < 4*spareBytes {
		return
	}
	_ = files.Remove(spareName)
	_, _, err := wal.WriteFile(files, spareName, func(w io.Writer) error {
		_, err := io.CopyN(w, rand.Reader, spareBytes) // some file systems store no zeros
		return err
	})
	if err != nil {
		s.log.Warn("no disk space is kept for changes of accounts", "err", err)
	}
}
