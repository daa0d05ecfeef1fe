package account

// This file writes users files: the first one, and one in the place of another.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"almanac/internal/lock"
)

// patience is how long a writer waits for another one, and pause how long it
// waits before it looks again. Changes take milliseconds.
const (
	patience = 10 * time.Second
	pause    = 20 * time.Millisecond
)

// NewToken makes a token of 256 random bits that a double click selects whole.
func NewToken() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails, see crypto/rand
	return "alm_" + hex.EncodeToString(secret[:])
}

// Create makes a users file with the administrator "admin", and returns the
// administrator's token, which is stored nowhere. The administrator's id is the one
// after used, the highest that is known to have been used; 0 is none. The file is
// readable by its owner alone and appears whole or not at all. One that exists already
// is left alone, with an error that is fs.ErrExist.
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

// start makes a users file where there is none.
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

// Change changes a users file as f does, or makes it if it is missing. It waits
// for somebody else who does so, for some seconds at most. Nothing is changed when
// f or Change return an error. The new file has the place of the old one at once,
// and its owner; nobody else may read it. A server that watches the file takes it
// from then on. A symbolic link stays one, and leads to the new file.
//
// A missing file must get an administrator first: the server makes one only when
// there is no file at all.
func Change(ctx context.Context, path string, now time.Time, f func(*Users) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		err := start(ctx, path, now, func(u *Users) error {
			if err := f(u); err != nil {
				return err
			}
			all, err := u.entries()
			if err == nil && (len(all) == 0 || all[0].Role != Administrator) {
				err = fmt.Errorf("there is no users file %s: the first user must be an administrator", path)
			}
			return err
		})
		if !errors.Is(err, fs.ErrExist) {
			return err
		} // somebody else was faster
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

// Read reads a users file, to look at.
func Read(path string, now time.Time) (*Users, error) {
	if _, _, err := load(path); err != nil { // says best what is wrong
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("users file: %w", err)
	}
	u, err := readUsers(data, now)
	if err != nil {
		return nil, fmt.Errorf("users file %s: %w", path, err)
	}
	return u, nil
}

// Alone runs f while nobody else writes a users file, for whom it waits some seconds. The lock is a file of its own,
// since the users file is another one after each change.
func Alone(ctx context.Context, path string, f func() error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("users file: %w", err)
	}
	defer root.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		held, err := lock.File(root, filepath.Base(path)+".lock")
		if err == nil {
			keep(held.File, path) // root's lock would keep out the owner
			return errors.Join(f(), held.Close())
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

// write writes the file, in the place of an older one or where there is none.
func (u *Users) write(path string, older bool) error {
	if u.file.index(keyName) < 0 {
		var key [16]byte
		rand.Read(key[:])
		if err := u.file.set(keyName, hex.EncodeToString(key[:])); err != nil {
			return err
		}
	}
	data, err := u.bytes()
	if err != nil {
		return err
	}
	if err := replaceFile(path, data); err != nil {
		return fmt.Errorf("users file: %w", err)
	}
	// A crash here could lose the name, but never half the file.
	if err := syncDir(filepath.Dir(path)); err != nil {
		if !older {
			os.Remove(path) // its token will not be shown to anybody
		}
		return fmt.Errorf("users file: %w", err)
	}
	if u.written != nil {
		roll, err := u.Roll()
		if err != nil {
			return err
		}
		u.written(roll)
	}
	return nil
}

// replaceFile writes a file that has its name only when all of it is on disk. The
// one that writes is the only one who does.
func replaceFile(path string, data []byte) error {
	aside := path + ".tmp"
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // left by a crash, maybe with other permissions
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

// writeSynced writes a new file, for the owner of that whose place it takes.
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

// keep returns a new file to the owner of the file whose place it takes, who
// could not read it otherwise: often the server's user, when root changes
// accounts. Where there is no such file, it gives it to the owner of the
// directory if it may.
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
	if runtime.GOOS == "windows" { // cannot sync directories, and does not need to
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
