//go:build !unix

package command

import "errors"

// Tests that fill the disk are skipped here.
func limitFiles(int64) error { return errors.ErrUnsupported }
