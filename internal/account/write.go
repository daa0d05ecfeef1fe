package account

// Writing of users files: creation and replacement.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"almanac/internal/lock"
)

// patience limits the wait for another writer, and pause is the interval between attempts. Changes
// take milliseconds.
const (
	patience = 10 * time.Second
	pause    = 20 * time.Millisecond
)

// NewToken returns a token of 256 random bits that a double click selects entirely.
func NewToken() string {
	secret, _ := newSecret()
	return "alm_" + secret
}

// Create creates a users file with the administrator "admin", and returns the administrator's
// token, which is stored nowhere. The administrator's id follows used, the highest id known as
// used; 0 is none. Only the owner can read the file, which appears atomically. If it exists, the
// error is fs.ErrExist and the file stays.
func Create(path string, now time.Time, used int64) (token string, err error) {
	err = start(context.Background(), path, now, func(u *Users) error {
		u.Reserve(used)
		if _, err := u.Add(Account{Login: "admin", Role: Administrator}); err != nil {
			return err
		}
		token, _, err = u.AddToken("admin", "first", time.Time{})
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// start creates a missing users file.
func start(ctx context.Context, path string, now time.Time, f func(*Users) error) error {
	return Alone(ctx, path, func() error {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("users file %s: %w", path, fs.ErrExist)
		}
		u := &Users{now: now, file: &object{}, list: []*object{}}
		if err := f(u); err != nil {
			return err
		}
		return u.write(path, false)
	})
}

// Change applies f to a users file, or creates a missing one. It waits some seconds for another
// writer. After an error nothing changed. The new file replaces the old one atomically and has its
// owner; no other user may read it. A server that watches the file uses it at once. A symbolic
// link stays and leads to the new file.
//
// A missing file must get an administrator first: the server creates one only if there is no file
// at all.
func Change(ctx context.Context, path string, now time.Time, f func(*Users) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err := start(ctx, path, now, func(u *Users) error {
			if err := f(u); err != nil {
				return err
			}
			if all := u.entries(); len(all) == 0 || all[0].Role != Administrator {
				return fmt.Errorf(
					"there is no users file %s: the first user must be an administrator",
					path,
				)
			}
			return nil
		})
		if !errors.Is(err, fs.ErrExist) {
			return err
		} // another process created it
	}
	return Alone(ctx, path, func() error {
		u, err := Read(path, now)
		if err != nil {
			return err
		}
		if err := f(u); err != nil {
			return err
		}
		return u.write(path, true)
	})
}

// Read reads a users file without a change.
func Read(path string, now time.Time) (*Users, error) {
	_, _, data, err := load(path)
	if err != nil {
		return nil, err
	}
	u := &Users{now: now}
	if err = json.Unmarshal(data, &u.file); err == nil {
		err = u.file.decode("users", &u.list)
	}
	if err != nil {
		return nil, fmt.Errorf("users file %s: %w", path, err)
	}
	return u, nil
}

// Alone runs f under the lock of writers, for which it waits some seconds. The lock is a separate
// file, because each change replaces the users file.
func Alone(ctx context.Context, path string, f func() error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("users file: %w", err)
	}
	defer root.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		locked, err := lock.File(root, filepath.Base(path)+".lock")
		if err == nil {
			keep(locked.File, path) // root's lock would exclude the owner
			return errors.Join(f(), locked.Close())
		}
		if !errors.Is(err, lock.ErrHeld) {
			return fmt.Errorf("users file: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("users file %s: %w, who changes it; try again", path, err)
		case <-time.After(pause):
		}
	}
}

// write creates the file, or replaces it if older is set.
func (u *Users) write(path string, older bool) error {
	if u.file.index(keyName) < 0 {
		var key [16]byte
		rand.Read(key[:])
		if err := u.file.set(keyName, hex.EncodeToString(key[:])); err != nil {
			return err
		}
	}
	data, roll, err := u.bytes()
	if err != nil {
		return err
	}
	if err := replaceFile(path, data); err != nil {
		return fmt.Errorf("users file: %w", err)
	}
	// A crash here could lose the name, but not a part of the file.
	if err := syncDir(filepath.Dir(path)); err != nil {
		if !older {
			os.Remove(path) // its token will never be shown
		}
		return fmt.Errorf("users file: %w", err)
	}
	if u.written != nil {
		u.written(roll)
	}
	return nil
}

// spareName is a file beside the files of accounts. It holds disk space for the next version of
// one of them: on a full disk it is given up, so that accounts can be disabled there. spareMore is
// how many bytes it has beyond that version, for those that are longer.
const (
	spareName = ".spare"
	spareMore = 64 << 10
)

// replaceFile writes a temporary file, syncs it, and then renames it to path. The caller has the
// lock.
func replaceFile(path string, data []byte) error {
	err := replaceOnce(path, data)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		if os.Remove(filepath.Join(filepath.Dir(path), spareName)) == nil {
			err = replaceOnce(path, data)
		}
	}
	if err == nil {
		keepSpare(path, int64(len(data)))
	}
	return err
}

// keepSpare makes the spare file anew if it has no room for so many bytes. On a full disk it gets
// what there is: the version that was replaced has just given its space back.
func keepSpare(path string, bytes int64) {
	spare := filepath.Join(filepath.Dir(path), spareName)
	if info, err := os.Lstat(spare); err == nil && info.Size() >= bytes+spareMore/2 {
		return
	}
	os.Remove(spare)
	f, err := os.OpenFile(spare, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return // a directory that only others may write to
	}
	defer f.Close()
	if keep(f, path) != nil {
		return
	}
	// Some file systems store no zeros.
	_, _ = io.CopyN(f, rand.Reader, bytes+spareMore)
}

func replaceOnce(path string, data []byte) error {
	aside := path + ".tmp"
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // from a crash, with unknown permissions
	}
	err := writeSynced(aside, path, data)
	if err == nil {
		err = os.Rename(aside, path)
	}
	if err != nil {
		os.Remove(aside)
	}
	return err
}

// writeSynced writes a new file with the owner of the file at place.
func writeSynced(path, place string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = keep(f, place); err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// keep sets the owner of a new file to that of the file at place, who could not read it otherwise:
// often the server's user, when root changes accounts. If that file is missing, it tries to give
// the new one to the owner of the directory.
func keep(f *os.File, place string) error {
	if older, err := os.Stat(place); err == nil {
		return giveTo(f, older)
	}
	if dir, err := os.Stat(filepath.Dir(place)); err == nil {
		_ = giveTo(f, dir) // only root may
	}
	return nil
}

func syncDir(path string) error {
	if runtime.GOOS == "windows" { // Windows cannot and need not sync directories
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
