// Files that keep processes from each other that would write the same files: the process that has
// one open and locked may write.

package disk

import (
	"errors"
	"os"
)

// ErrHeld is in the error for a lock that somebody else has.
var ErrHeld = errors.New("locked by another process")

// A locked file may have content that only its owner may read.
const mode = 0o600

// A Lock is a file that is locked until Close, or until the process ends.
type Lock struct{ *os.File }

// Close gives the lock up.
func (h *Lock) Close() error { return errors.Join(release(h.File), h.File.Close()) }
