// Where segments end.

package wal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The last line of a segment is found however long it is.
func TestEndsWith(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"one line", `{"v":7,"seq":7,` + "\n", true},
		{"of format 8", `{"v":8,"seq":7,` + "\n", true},
		{"of no number", `{"v":x,"seq":7,` + "\n", false},
		{"another", `{"v":7,"seq":70,` + "\n", false},
		{"the last of two", `{"v":7,"seq":6,` + "\n" + `{"v":7,"seq":7,` + "\n", true},
		{"the first of two", `{"v":7,"seq":7,` + "\n" + `{"v":7,"seq":8,` + "\n", false},
		{"a long one", `{"v":7,"seq":7,` + long + "\n", true},
		{"a long one after another", long + "\n" + `{"v":7,"seq":7,` + long + "\n", true},
		{"within a long one", long + `{"v":7,"seq":7,` + long + "\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			files, err := ReadDir(dir)
			if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "f"), []byte(test.text), 0o600)); err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			if got, err := endsWith(files, "f", 7); got != test.want || err != nil {
				t.Errorf("got %t, error %v", got, err)
			}
		})
	}
}
