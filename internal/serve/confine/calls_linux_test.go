//go:build amd64 || arm64 || riscv64 || loong64

package confine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/serve/confine"
)

// This file makes every system call that a confined process should not have.

// callsVariable holds a list of attempts, as JSON, for a child to make.
const callsVariable = "TEST_OF_CONFINE_CALLS"

// An attempt is a system call with arguments; -1 is an absent argument.
type attempt struct {
	Name      string
	Number    int
	Arguments []int
	Errno     syscall.Errno // the answer
}

// kernel says what the kernel has, without the package: the version of Landlock,
// and seccomp.
func kernel() (landlock int, seccomp bool) {
	if version, _, errno := syscall.Syscall(444, 0, 0, 1); errno == 0 {
		landlock = int(version)
	}
	text, err := os.ReadFile("/proc/self/status")
	return landlock, err == nil && strings.Contains(string(text), "\nSeccomp:")
}

// callAll confines the child, makes the attempts and prints them.
func callAll(text string) {
	var attempts []attempt
	err := json.Unmarshal([]byte(text), &attempts)
	if err == nil {
		_, err = confine.Process(confine.Rights{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Where nothing is refused, one does not try to reboot.
	if _, _, errno := syscall.RawSyscall(syscall.SYS_GETPGID, 0, 0, 0); errno != syscall.EPERM {
		fmt.Fprintf(os.Stderr, "getpgid: %v, and so no filter is set\n", errno)
		os.Exit(1)
	}
	for i := range attempts {
		a := &attempts[i]
		arguments := [6]uintptr{
			^uintptr(0),
			^uintptr(0),
			^uintptr(0),
			^uintptr(0),
			^uintptr(0),
			^uintptr(0),
		}
		for n, value := range a.Arguments {
			arguments[n] = uintptr(value)
		}
		_, _, a.Errno = syscall.RawSyscall6(
			uintptr(a.Number),
			arguments[0],
			arguments[1],
			arguments[2],
			arguments[3],
			arguments[4],
			arguments[5],
		)
	}
	json.NewEncoder(os.Stdout).Encode(attempts)
}

// In a confined process the kernel refuses every system call that is not in the
// list, and arguments outside of the limits. System calls later than Linux 3.2 do
// not exist.
func TestCalls(t *testing.T) {
	t.Parallel()
	if _, seccomp := kernel(); !seccomp {
		t.Skip("the kernel has no seccomp")
	}
	numbers := confine.Numbers(t, runtime.GOARCH)
	allowed := confine.Allowed()
	parent := os.Getpid()
	attempts := []attempt{
		{Name: "kill", Arguments: []int{parent, 0}},
		{Name: "kill", Arguments: []int{-1, 0}},
		{Name: "tgkill", Arguments: []int{parent, parent, 0}},
		{Name: "clone", Arguments: []int{syscall.CLONE_SIGHAND}}, // the kernel itself says EINVAL
		{Name: "fcntl", Arguments: []int{1, syscall.F_SETOWN, parent}},
		{Name: "setsockopt", Arguments: []int{-1, syscall.IPPROTO_IP}},
		{Name: "shutdown", Arguments: []int{-1, syscall.SHUT_RD}},
		{Name: "shutdown", Arguments: []int{-1, syscall.SHUT_RDWR}},
		{Name: "prlimit64", Arguments: []int{parent, syscall.RLIMIT_NOFILE, 0, 0}},
		{Name: "prctl", Arguments: []int{syscall.PR_GET_DUMPABLE}},
	}
	for name := range numbers {
		// The kernel asks no filter for the two calls of its own probes. Others who
		// make them are sent SIGILL.
		if _, ok := allowed[name]; !ok && name != "uretprobe" && name != "uprobe" {
			attempts = append(attempts, attempt{Name: name})
		}
	}
	// They are named here since nothing may let them pass, whatever the list says.
	for _, name := range []string{"socket", "socketpair", "connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg", "recvmsg",
		"io_uring_setup", "io_uring_enter", "io_uring_register", "execve", "execveat", "clone3", "ptrace", "process_vm_readv",
		"process_vm_writev", "kcmp", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tkill",
		"setpriority", "sched_setaffinity", "shmget", "msgget", "semget", "mq_open", "request_key", "add_key", "keyctl", "mount", "fsopen", "bpf",
		"perf_event_open", "userfaultfd", "init_module", "finit_module", "setuid", "unshare", "setns", "chroot", "ioctl", "fchmod",
		"fchmodat", "truncate",
		"fchownat", "utimensat", "setxattr", "memfd_create", "seccomp", "open_by_handle_at", "reboot"} {
		if _, ok := allowed[name]; ok || numbers[name] == 0 {
			t.Errorf("%s, %d, passes", name, numbers[name])
		}
	}
	for i := range attempts {
		attempts[i].Number = numbers[attempts[i].Name]
	}
	if len(attempts) < 200 {
		t.Fatalf("only %d attempts", len(attempts))
	}

	text, err := json.Marshal(attempts)
	if err != nil {
		t.Fatal(err)
	}
	binary := withoutC(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // pause would wait
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), callsVariable+"="+string(text))
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &attempts); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, a := range attempts {
		want := syscall.EPERM
		if a.Number > numbers["process_vm_writev"] {
			want = syscall.ENOSYS
		}
		if !errors.Is(a.Errno, want) {
			t.Errorf("%s, %d, of %v: %v, want %v", a.Name, a.Number, a.Arguments, a.Errno, want)
		}
	}
}
