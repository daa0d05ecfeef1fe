// Systems without a lock that ends with the process that holds it.

//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package store

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// lockFile refuses: two writers would destroy a log, and nothing keeps them
// apart here. A store in memory works everywhere.
func lockFile(*os.Root, string) (*os.File, error) {
	return nil, fmt.Errorf("%s cannot lock a data directory; keep the data in memory: %w", runtime.GOOS, errors.ErrUnsupported)
}
