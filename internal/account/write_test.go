package account_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/internal/account"
	"almanac/internal/lock"
)

// The first user of a file that is missing is an administrator.
func TestChangeNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users.json")
	add := func(role account.Role) error {
		return account.Change(t.Context(), path, noon, func(u *account.Users) error {
			_, err := u.Add(account.Account{Login: "ann", Role: role})
			return err
		})
	}
	if err := add(account.Editor); err == nil ||
		!strings.Contains(err.Error(), "must be an administrator") {
		t.Errorf("an editor: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	if err := add(account.Administrator); err != nil {
		t.Error(err)
	}
	if d, err := account.Open(path, clock, nil); err != nil || len(d.All()) != 1 {
		t.Errorf("%v, %v", d, err)
	}
	if err := account.Change(t.Context(), filepath.Join(path, "x"), noon, func(*account.Users) error { return nil }); err == nil {
		t.Error("a file was made where there is no directory")
	}
}

// Concurrent changes are all stored.
func TestChangesAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users.json")
	var all sync.WaitGroup
	const n = 20
	for i := range n {
		all.Go(func() {
			err := account.Change(t.Context(), path, noon, func(u *account.Users) error {
				_, err := u.Add(account.Account{
					Login: fmt.Sprint("user", i),
					Role:  account.Administrator,
				})
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d, err := account.Open(path, clock, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.All(); len(got) != n || got[len(got)-1].ID != n {
		t.Errorf("%d users, want %d: %v", len(got), n, got)
	}
}

// A writer that does not get the lock returns an error, also when its context ends.
func TestChangeWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users.json")
	write(t, path, odd)
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	locked, err := lock.File(root, "users.json.lock")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	remove := func(u *account.Users) error { _, err := u.Remove("zoe", false); return err }
	if err := account.Change(ctx, path, noon, remove); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("while somebody else changes it: %v", err)
	}
	ended := make(chan error)
	go func() { ended <- account.Change(t.Context(), path, noon, remove) }()
	locked.Close()
	if err := <-ended; err != nil {
		t.Errorf("after that: %v", err)
	}
}

// A symbolic link stays.
func TestChangeLink(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "accounts.json")
	link := filepath.Join(t.TempDir(), "users.json")
	write(t, target, odd)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	change(t, link, func(u *account.Users) error { _, err := u.Remove("zoe", false); return err })
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if data, _ := os.ReadFile(target); strings.Contains(string(data), "Zoe") {
		t.Errorf("the file it leads to was not changed: %s", data)
	}
}

// Every readable file can be changed, and keeps the rest of its content.
func FuzzChange(f *testing.F) {
	f.Add([]byte(odd))
	f.Add([]byte(users))
	f.Add([]byte(`{"users":[{"id":1,"login":"a","role":"editor","tokens":null}],"last_id":9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "users.json")
		write(t, path, string(data))
		d, err := account.Open(path, clock, nil)
		if err != nil {
			return
		}
		before := d.All()
		var added account.Account
		err = account.Change(t.Context(), path, noon, func(u *account.Users) (err error) {
			added, err = u.Add(account.Account{
				Login: "a login that is in no file",
				Role:  account.Editor,
			})
			return err
		})
		if err != nil {
			if now, _ := os.ReadFile(path); string(now) != string(data) {
				t.Errorf("refused with %v, and changed", err)
			}
			return
		}
		after, err := account.Open(path, clock, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range before {
			if added.ID == a.ID {
				t.Errorf("%v got the id of %v", added, a)
			}
			if got, _ := after.Account(a.ID); got != a {
				t.Errorf("%v has become %v", a, got)
			}
		}
		if len(after.All()) != len(before)+1 {
			t.Errorf("%v was added to %v, which gave %v", added, before, after.All())
		}
	})
}
