//go:build unix

package account_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"almanac/internal/account"
)

// A change by root leaves the file to its owner, who could not read it otherwise.
func TestChangeKeepsOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to somebody")
	}
	path := filepath.Join(t.TempDir(), "users.json")
	write(t, path, odd)
	const uid, gid = 12345, 54321
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
	remove := func(u *account.Users) error { _, err := u.Remove("zoe", false); return err }
	change(t, path, remove)
	isOwned := func(path string) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != uid || owner.Gid != gid ||
			info.Mode() != 0o600 {
			t.Errorf("%s belongs to %d:%d with mode %v", path, owner.Uid, owner.Gid, info.Mode())
		}
	}
	isOwned(path)
	isOwned(path + ".lock")

	// The first file belongs to the owner of the directory.
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	if _, err := account.Create(filepath.Join(dir, "users.json"), noon, 0); err != nil {
		t.Fatal(err)
	}
	isOwned(filepath.Join(dir, "users.json"))
	isOwned(filepath.Join(dir, "users.json.lock"))

	// A lock that is another file keeps its owner.
	secret := filepath.Join(dir, "secret")
	write(t, secret, "")
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(secret, path+".lock"); err != nil {
		t.Fatal(err)
	}
	change(t, path, func(*account.Users) error { return nil })
	info, err := os.Stat(secret)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
		t.Errorf("another file was given to %d", owner.Uid)
	}
}
