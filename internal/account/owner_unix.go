//go:build unix

package account

import (
	"fmt"
	"os"
	"syscall"
)

// giveTo returns a new file to the owner of another one. A file that has another
// name or something in it is not new, and whoever can put it into the directory
// would come by it like this.
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
		return fmt.Errorf("the file belongs to user %d and must stay theirs; do this as that user, or as root: %w", was.Uid, err)
	}
	return nil
}
