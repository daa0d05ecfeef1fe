package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"almanac/store/disk"
)

func TestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	first, err := disk.Acquire(root, "lock")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if f, err := disk.Acquire(root, "lock"); !errors.Is(err, disk.ErrHeld) {
		t.Errorf("a second lock: %v, %v", f, err)
	}
	other, err := disk.Acquire(root, "other")
	if err != nil {
		t.Errorf("another file: %v", err)
	}
	other.Close()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := disk.Acquire(root, "lock")
	if err != nil {
		t.Errorf("after the first was given up: %v", err)
	}
	again.Close()
	if _, err := os.Stat(filepath.Join(dir, "lock")); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
	if _, err := disk.Acquire(root, filepath.Join("none", "lock")); err == nil ||
		errors.Is(err, disk.ErrHeld) {
		t.Errorf("a lock where there is no directory: %v", err)
	}
}
