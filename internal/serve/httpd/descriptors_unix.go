//go:build unix

package httpd

import "syscall"

// OpenFiles returns how many files the process may have open, connections
// among them; 0 is not known. Go has raised it as far as it may at the start.
func OpenFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return uint64(limit.Cur)
}
