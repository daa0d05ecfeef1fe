//go:build !unix

package account

import "os"

// giveTo leaves a new file to who made it: there are no owners as on Unix here.
func giveTo(*os.File, os.FileInfo) error { return nil }
