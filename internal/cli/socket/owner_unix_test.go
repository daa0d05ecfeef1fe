//go:build unix

package socket_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/cli/socket"
)

// In a directory to which everybody may write, a socket of a stranger is not asked. That of the
// server, of root or of the owner of the directory is.
func TestOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of others")
	}
	for _, test := range []struct {
		name                  string
		mode                  os.FileMode
		directoryOf, socketOf int
		asked                 bool
	}{
		{"own, open to all", 0o777, 0, 0, true},
		{"a stranger's, open to all", 0o777, 0, 65534, false},
		{"a stranger's, sticky", 0o777 | os.ModeSticky, 0, 65534, false},
		{"of the owner, open to all", 0o777, 65534, 65534, true},
		{"of another, open to a group", 0o770, 0, 65534, true},
	} {
		dir := short(t)
		serve(t, dir, socket.Operations{"POST /say": says("server")})
		name := filepath.Join(dir, socket.Name)
		for _, err := range []error{
			os.Chmod(dir, test.mode),
			os.Chown(dir, test.directoryOf, -1),
			os.Lchown(name, test.socketOf, -1),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := ask(t, dir, "POST /say", nil, says("alone"))
		if test.asked {
			wants(t, "server: "+query+" ", got, err)
		} else if got != "" || err == nil ||
			!strings.HasPrefix(err.Error(), name+" belongs to the user with id 65534") {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}
