//go:build unix

package command

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Where the socket may not be opened, healthcheck does not say that there is no server.
func TestHealthcheckOfStranger(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root asks as somebody else")
	}
	dir := t.TempDir()
	startServer(t, on(dir)...)
	cmd := exec.Command(program(t), "healthcheck", "-data", dir)
	cmd.Env = cleanEnvironment()
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.Is(err, os.ErrPermission) {
		t.Skip("the program is where others may not run it: ", err)
	}
	if !errors.As(err, &exit) || exit.ExitCode() != 1 ||
		!strings.Contains(string(out), "is not known: ") ||
		!strings.Contains(string(out), "permission denied; ask as the user of the server") {
		t.Errorf("%v: %s", err, out)
	}
}
