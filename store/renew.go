// Making a copy anew, in the directory of one that cannot be continued.

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// renewName is where a new copy is made, in the directory that it is for.
const renewName = "copy" + tmpSuffix

// Renew makes a data directory of an archive, to be followed on, in the place of one that
// is there already. What that holds is kept as it is in a directory below it, aside, which
// must not exist yet: nobody can say whether all of it is in the archive. If dir does not
// exist, Renew is Restore.
//
// The new copy is made and checked below dir too, which may be a disk of its own, and
// takes its place at the end: an error before leaves everything as it was. Another process
// may not have the directory open: ErrInUse.
func Renew(ctx context.Context, dir, aside string, o RestoreOptions) (s Summary, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return Restore(ctx, dir, o)
	}
	to, err := openFiles(dir)
	if err != nil {
		return Summary{}, err
	}
	defer to.close()
	held, err := to.lock(lockName)
	if err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer held.Close()
	tmp := filepath.Join(dir, renewName)
	if err := os.RemoveAll(tmp); err != nil { // of a process that was killed
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if s, err = o.build(ctx, tmp); err != nil {
		return Summary{}, err
	}
	if ctx.Err() != nil {
		return Summary{}, context.Cause(ctx)
	}
	if err := exchange(to, aside); err != nil {
		return Summary{}, fmt.Errorf("store: %w", err)
	}
	return s, nil
}

// exchange puts the new copy into the place of what is there. On disk if the process dies at
// one of the steps:
func exchange(fsys files, aside string) error {
	there, err := fsys.readDir(".")
	if err != nil {
		return err
	}
	var steps []func() error
	move := func(from, to string) {
		steps = append(steps, func() error { return fsys.rename(from, to) })
	}
	sync := func(dirs ...string) {
		for _, dir := range dirs {
			steps = append(steps, func() error { return fsys.syncDir(dir) })
		}
	}

	// The former store, and then parts of it that are none: without a log there is no store,
	// and who follows begins anew.
	all := []string{logDir, snapshotDir, usersName}
	if slices.ContainsFunc(there, func(name string) bool { return slices.Contains(all, name) }) {
		steps = append(steps, func() error { return fsys.mkdir(aside) })
		sync(".")
		for _, name := range all {
			if slices.Contains(there, name) {
				move(name, aside+"/"+name)
			}
		}
		sync(aside, ".")
	}

	// Parts of the new one, and with the last step all of it.
	made, err := fsys.readDir(renewName)
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(all) {
		if name == logDir {
			sync(".")
		}
		if slices.Contains(made, name) {
			move(renewName+"/"+name, name)
		}
	}
	sync(".")
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
