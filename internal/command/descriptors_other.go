//go:build !unix

package command

// openFilesLimit returns how many files the process may have open; 0 is not
// known, as here.
func openFilesLimit() uint64 { return 0 }
