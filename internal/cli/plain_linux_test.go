package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// A document that is written to a terminal is plain text.
func TestTerminal(t *testing.T) {
	t.Parallel()
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
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	program := Program{Commands: Table{New("show", "", "", "", func(*struct{}, *FlagSet) {},
		func(_ context.Context, _ *struct{}, _ []string, p Process) error {
			_, err := io.WriteString(Raw(p.Stdout), "a\x1b[2Jb\n")
			return err
		})}}
	if err := program.Run(t.Context(), []string{"show"}, Process{
		Getenv: func(string) string { return "" },
		Stdout: terminal,
	}); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(people).ReadString('\n'); err != nil ||
		line != "a\\u001b[2Jb\r\n" {
		t.Errorf("%q, %v", line, err)
	}
}
