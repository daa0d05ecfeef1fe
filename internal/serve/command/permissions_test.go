package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"open inside", map[string]os.FileMode{
			"data":     0o755,
			"data/log": 0o777,
		}, nil, []string{"data/log"}},
		{"open accounts", map[string]os.FileMode{
			"accounts": 0o777,
		}, []string{"-users", "accounts/users.json"}, []string{"accounts"}},
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
			if tt.modes["accounts"] != 0 {
				text := readFile(t, usersFile(t))
				replace(t, filepath.Join(dir, "accounts", "users.json"), text)
			}
			flags := []string{"-data", filepath.Join(dir, "data")}
			for _, flag := range tt.flags {
				if strings.HasPrefix(flag, "accounts") {
					flag = filepath.Join(dir, flag)
				}
				flags = append(flags, flag)
			}
			s := startServer(t, flags...)
			if err := s.Stop(); err != nil {
				t.Fatal(err)
			}
			log := s.Stderr.String()
			if got := strings.Count(log, "everybody on this machine may write"); got != len(
				tt.warns,
			) {
				t.Errorf("%d warnings, want %d\n%s", got, len(tt.warns), log)
			}
			for _, path := range tt.warns {
				path = filepath.Join(dir, path)
				if !strings.Contains(log, "level=WARN") ||
					!strings.Contains(log, `chmod o-w \"`+path+`\"`) {
					t.Errorf("no warning that names %s\n%s", path, log)
				}
			}
		})
	}
}

// A directory with files of others and without a log is refused before anything is made in it,
// whichever command would begin a calendar there. Files that almanac makes, hidden ones and those
// of file systems may be there, and any file beside a log.
func TestForeignDirectory(t *testing.T) {
	t.Parallel()
	begin := map[string][]string{
		// Without the certificate it would end too, but say something else.
		"serve": {
			"serve",
			"-addr",
			"127.0.0.1:0",
			"-access-log",
			"DIR/access.log",
			"-tls-cert",
			"none.pem",
		},
		"import": {"import", tempFile(t, "list.json", `{"events":[]}`)},
		"users":  {"users", "add", "-role", "administrator", "ann"},
	}
	foreign := map[string][]string{
		"a home directory": {
			".profile",
			"Documents/letter.txt",
			"photo.jpg",
			"report.txt",
			"video.mp4",
		},
		"logs of others":        {"log/syslog", "lib/x"},
		"accounts and a letter": {"users.json", "letter.txt"},
		"media of others":       {"media/holiday.2019/sub/a.jpg", "media/top.txt"},
		"snapshots of others":   {"snapshots/2019-06-01/disk"},
	}
	for what, files := range foreign {
		for name, command := range begin {
			dir := filepath.Join(t.TempDir(), "data")
			for _, file := range files {
				writeBelow(t, dir, file)
			}
			before := treeOf(t, dir)
			var args []string
			for _, arg := range command {
				args = append(args, strings.Replace(arg, "DIR", dir, 1))
			}
			exit, _, stderr := runCommand(t, append(args, "-data", dir)...)
			found := files[len(files)-1]
			if what == "a home directory" {
				found = `"Documents", "photo.jpg", "report.txt", 1 more`
			}
			if top, _, below := strings.Cut(found, "/"); below {
				found = top
			}
			if exit != 2 || !strings.Contains(stderr, "-data: ") ||
				!strings.Contains(stderr, found) {
				t.Errorf("%s in %s: exit status %d, %s", name, what, exit, stderr)
			}
			if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
				t.Errorf("%s in %s changed files:\n%s", name, what, diff)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "data")
	for _, file := range []string{"lost+found/x", ".hidden", "users-used.json"} {
		writeBelow(t, dir, file)
	}
	if exit, _, stderr := runCommand(t, append(begin["users"], "-data", dir)...); exit != 0 {
		t.Fatalf("an account: exit status %d, %s", exit, stderr)
	}
	for range 2 { // a log file is there at the second start
		s := startServer(t, "-data", dir, "-access-log", filepath.Join(dir, "access.log"))
		if err := s.Stop(); err != nil {
			t.Fatal(err)
		}
		writeBelow(t, dir, "notes.txt")
	}
}

// writeBelow writes a file below a directory.
func writeBelow(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
}
