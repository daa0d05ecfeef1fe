//go:build unix

package account_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"almanac/account"
)

// Who changes accounts as root leaves the file to its owner, who could not read
// it otherwise.
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
	change(t, path, func(u *account.Users) error { _, err := u.Remove("zoe", false); return err })
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != uid || owner.Gid != gid || info.Mode() != 0o600 {
		t.Errorf("the file belongs to %d:%d with mode %v", owner.Uid, owner.Gid, info.Mode())
	}
}
