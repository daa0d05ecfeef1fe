// Package lock keeps processes apart that would write the same files. A lock is
// a file: whoever has it open and locked may write.
//
//	held, err := lock.File(root, "lock")
//	if errors.Is(err, lock.ErrHeld) {
//		return errors.New("another process is at work")
//	}
//	defer held.Close()
package lock

import (
	"errors"
	"os"
)

// ErrHeld is in the error for a lock that somebody else has.
var ErrHeld = errors.New("locked by another process")

// What is locked may hold what is for its owner only.
const mode = 0o600

// A Held is a file that is locked until Close, or until the process ends.
type Held struct{ *os.File }

// Close gives the lock up.
func (h *Held) Close() error { return errors.Join(release(h.File), h.File.Close()) }
