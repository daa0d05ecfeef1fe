package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A directory of an older format is refused with instructions, and following them gives the same records: the older
// program's export equals this program's export after seeding with it.
func TestOlderDirectory(t *testing.T) {
	t.Parallel()
	const older = "testdata/stores/older/"
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS(older+"store")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify"}, {"export"}, {"log"}, {"identity"}, {"backup", filepath.Join(t.TempDir(), "archive")},
		{"serve", "-addr", "127.0.0.1:0"}, {"import", older + "export.json"}} {
		exit, _, stderr := runCommand(t, append(append(args[:1:1], "-data", data), args[1:]...)...)
		if exit == 0 || !strings.Contains(stderr, "almanac export") || !strings.Contains(stderr, "-seed") || !strings.Contains(stderr, "log/0") {
			t.Errorf("%q: exit status %d, %s", args, exit, stderr)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	s := startServer(t, on(dir, append(still, "-seed", older+"export.json")...)...)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readFile(t, older+"export.json"), mustRun(t, "export", "-data", dir)); diff != "" {
		t.Errorf("(-exported +seeded):\n%s", diff)
	}
}
