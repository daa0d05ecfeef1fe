package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A command that writes a file takes no device away from other programs.
func TestOutputIsNoDevice(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it has no devices among files")
	}
	dir := filepath.Join(t.TempDir(), "data")
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "ada")
	for _, name := range []string{"backup", "export"} {
		to := filepath.Join(t.TempDir(), "device")
		if err := os.Symlink(os.DevNull, to); err != nil {
			t.Fatal(err)
		}
		exit, _, stderr := runCommand(t, name, "-data", dir, to)
		info, err := os.Stat(to)
		if exit == 0 || !strings.Contains(stderr, "not a regular file") || err != nil ||
			info.Mode().IsRegular() {
			t.Errorf("%s: exit %d, %v: %s", name, exit, err, stderr)
		}
	}
}

// Records that a command brings belong to an administrator, whichever id it has.
func TestOwnerOfImport(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "ada")
	mustUsers(t, "add", "-data", dir, "-role", "administrator", "bob")
	mustUsers(t, "role", "-data", dir, "ada", "contributor")
	file := tempFile(t, "a.csv", "EVENT NAME,EVENT START DATE\nConcert,2031-05-10\n")
	mustImport(t, "-data", dir, file)
	out := mustRun(t, "export", "-data", dir, "-")
	if !strings.Contains(out, `"author": 2,`) || strings.Contains(out, `"author": 1,`) {
		t.Errorf("the event belongs to another one than 2:\n%s", out)
	}
}
