//go:build unix

package socket

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkOwner refuses a socket that a stranger may have made, because everybody may write to the
// directory. The owner of the directory, root and the user of this process are no strangers.
func checkOwner(dir string) error {
	in, err := os.Stat(dir)
	if err != nil || in.Mode().Perm()&0o002 == 0 {
		return nil // the connection has its own error
	}
	name := filepath.Join(dir, Name)
	file, err := os.Lstat(name)
	if err != nil {
		return nil
	}
	switch owner := ownerOf(file); owner {
	case 0, ownerOf(in), os.Geteuid():
		return nil
	default:
		return fmt.Errorf(
			"%s belongs to the user with id %d, and everybody may write to %s: no command asks there; "+
				"chmod o-w %s, and remove the socket if it is not your server's",
			name,
			owner,
			dir,
			dir,
		)
	}
}

func ownerOf(file fs.FileInfo) int { return int(file.Sys().(*syscall.Stat_t).Uid) }
