package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A directory that is open to everybody is served, and named with what closes it.
func TestOpenDirectory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	for _, tt := range []struct {
		name  string
		modes map[string]os.FileMode // below the directory of the test
		flags []string
		warns []string
	}{
		{"made by the server", nil, nil, nil},
		{"closed", map[string]os.FileMode{"data": 0o700}, nil, nil},
		{"shown to others", map[string]os.FileMode{"data": 0o755}, nil, nil},
		{"shared with a group", map[string]os.FileMode{"data": 0o770}, nil, nil},
		{"open", map[string]os.FileMode{"data": 0o777}, nil, []string{"data"}},
		{"open for writing", map[string]os.FileMode{"data": 0o702}, nil, []string{"data"}},
		{"open inside", map[string]os.FileMode{"data": 0o755, "data/log": 0o777}, nil, []string{"data/log"}},
		{"open accounts", map[string]os.FileMode{"accounts": 0o777}, []string{"-users", "accounts/users.json"}, []string{"accounts"}},
		{"open accounts of a calendar in memory", map[string]os.FileMode{"accounts": 0o777},
			[]string{"-memory", "-users", "accounts/users.json"}, []string{"accounts"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"data", "data/log", "accounts"} {
				mode, ok := tt.modes[name]
				if !ok {
					continue
				}
				path := filepath.Join(dir, name)
				if err := os.Mkdir(path, mode); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, mode); err != nil { // without the umask
					t.Fatal(err)
				}
			}
			flags := []string{"-data", filepath.Join(dir, "data")}
			for _, flag := range tt.flags {
				if strings.HasPrefix(flag, "accounts") {
					flag = filepath.Join(dir, flag)
				}
				flags = append(flags, flag)
			}
			s := startServer(t, flags...)
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			log := s.stderr.String()
			if got := strings.Count(log, "everybody on this machine may write"); got != len(tt.warns) {
				t.Errorf("%d warnings, want %d\n%s", got, len(tt.warns), log)
			}
			for _, path := range tt.warns {
				path = filepath.Join(dir, path)
				if !strings.Contains(log, "level=WARN") || !strings.Contains(log, `chmod o-w \"`+path+`\"`) {
					t.Errorf("no warning that names %s\n%s", path, log)
				}
			}
		})
	}
}
