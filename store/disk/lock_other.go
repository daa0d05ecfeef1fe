// Systems without a lock that ends with the process that holds it.

//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package disk

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// Acquire refuses: nothing keeps two writers apart here.
func Acquire(*os.Root, string) (*Lock, error) {
	return nil, fmt.Errorf(
		"%s cannot lock files, so that nothing would keep two writers apart; keep the data in memory: %w",
		runtime.GOOS,
		errors.ErrUnsupported,
	)
}

func release(*os.File) error { return nil }
