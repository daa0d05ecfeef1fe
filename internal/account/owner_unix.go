//go:build unix

package account

import (
	"fmt"
	"os"
	"syscall"
)

// giveTo sets the owner of a new file to that of older. It refuses a file with a second name or
// with content: everyone who can write to the directory could link a foreign file there and would
// become its owner.
func giveTo(f *os.File, older os.FileInfo) error {
	made, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := older.Sys().(*syscall.Stat_t)
	is, ok2 := made.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || was.Uid == is.Uid || is.Nlink != 1 || made.Size() > 0 {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil {
		return fmt.Errorf(
			"the file belongs to user %d and must stay theirs; do this as that user, or as root: %w",
			was.Uid,
			err,
		)
	}
	return nil
}
