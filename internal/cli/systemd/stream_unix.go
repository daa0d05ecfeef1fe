//go:build unix

package systemd

import (
	"fmt"
	"syscall"
)

// nameOf returns the device and the inode of a stream that is a file, as
// JOURNAL_STREAM has them; "" of another.
func nameOf(stream any) string {
	file, ok := fileOf(stream)
	if !ok {
		return ""
	}
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}
