// Terminals, as against the journal.

package systemd

import (
	"io"
	"os"
)

// IsTerminal reports whether people read what is written. The device that swallows
// everything is of the same kind.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
