package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"almanac/internal/cli"
)

// On a terminal a first start speaks to a person, who opens an address; -json is for programs that
// have a terminal.
func TestReadyOnTerminal(t *testing.T) {
	t.Parallel()
	start := func(lines int, args ...string) (said string) {
		people, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
		if err != nil {
			t.Skip(err) // as in a container without /dev/pts
		}
		defer people.Close()
		var unlocked, number int32
		for request, value := range map[uintptr]*int32{
			syscall.TIOCSPTLCK: &unlocked,
			syscall.TIOCGPTN:   &number,
		} {
			if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, people.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
				t.Fatal(errno)
			}
		}
		terminal, err := os.OpenFile(
			fmt.Sprintf("/dev/pts/%d", number),
			os.O_RDWR|syscall.O_NOCTTY,
			0,
		)
		if err != nil {
			t.Fatal(err)
		}
		defer terminal.Close()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ended := make(chan error, 1)
		var stderr lockedBuffer
		go func() {
			args := append([]string{"-memory", "-addr", "127.0.0.1:0"}, args...)
			ended <- run(ctx, args, cli.Process{Getenv: none, Stdout: terminal, Stderr: &stderr})
		}()
		shown := bufio.NewReader(people)
		for range lines {
			line, err := shown.ReadString('\n')
			if err != nil {
				t.Fatalf("%v, and the server said %s", err, &stderr)
			}
			said += strings.TrimRight(line, "\r\n") + "\n"
		}
		if log := stderr.String(); !strings.Contains(log, "msg=ready") {
			t.Errorf("the log goes on behind it: %s", log)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		return said
	}
	want := regexp.MustCompile(
		`^The calendar is at (http://127\.0\.0\.1:\d+) until you press Ctrl-C\.
The token of the administrator, for programs, is shown this once: alm_\w+
Open this address to begin\. It signs you in, once and within 15 minutes:
http://127\.0\.0\.1:\d+/desk/link\?token=\w+
$`,
	)
	if said := start(4); !want.MatchString(said) {
		t.Errorf("said to a person:\n%s", said)
	}
	var ready map[string]any
	if said := start(1, "-json"); json.Unmarshal([]byte(said), &ready) != nil ||
		ready["token"] == "" {
		t.Errorf("said to a program: %s", said)
	}
}
