package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is read whole, and is far larger than it can be, is refused by name.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]func(file string) []string{
		"accounts of a server": func(file string) []string {
			dir := filepath.Join(filepath.Dir(file), "data")
			mustUsers(t, "add", "-data", dir, "-role", "administrator", "ada")
			return []string{"serve", "-data", dir, "-users", file, "-addr", "127.0.0.1:0"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "large.json")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(file, 1<<30); err != nil { // sparse
				t.Fatal(err)
			}
			exit, _, stderr := runCommand(t, args(file)...)
			if exit == 0 || !strings.Contains(stderr, "large.json") ||
				!strings.Contains(stderr, "larger than") {
				t.Errorf("exit %d: %s", exit, stderr)
			}
		})
	}
}
