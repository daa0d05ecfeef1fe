// Terminals, as against the journal.

package systemd

import (
	"io"
	"os"
)

// fileOf returns the file of a stream, which may be wrapped.
func fileOf(stream any) (f *os.File, ok bool) {
	if wrapper, is := stream.(interface{ Unwrap() io.Writer }); is {
		stream = wrapper.Unwrap()
	}
	f, ok = stream.(*os.File)
	return f, ok
}

// IsTerminal reports whether people read what is written. The device that swallows
// everything is of the same kind.
func IsTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
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
