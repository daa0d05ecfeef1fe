//go:build amd64 || arm64 || riscv64 || loong64

package confine

import (
	"encoding/binary"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// answer runs a filter as the kernel does.
func answer(t *testing.T, program []byte, arch, number uint32, arguments ...uint32) uint32 {
	t.Helper()
	seen := map[uint32]uint32{0: number, 4: arch, 16: 0, 24: 0, 32: 0}
	for i, value := range arguments {
		seen[uint32(16+8*i)] = value
	}
	var accumulator uint32
	for i := 0; i < len(program); i += 8 {
		code := binary.NativeEndian.Uint16(program[i:])
		k := binary.NativeEndian.Uint32(program[i+4:])
		so := false
		switch code {
		case load:
			value, ok := seen[k]
			if !ok {
				t.Fatalf("there is nothing to load at %d", k)
			}
			accumulator = value
			continue
		case ret:
			return k
		case equal:
			so = accumulator == k
		case least:
			so = accumulator >= k
		case set:
			so = accumulator&k != 0
		default:
			t.Fatalf("there is no instruction %#x", code)
		}
		if so {
			i += 8 * int(program[i+2])
		} else {
			i += 8 * int(program[i+3])
		}
	}
	t.Fatal("the filter ends without an answer")
	return 0
}

// goSource is a file of the Go distribution.
func goSource(t *testing.T, name string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(name))
}

// constants returns those of a file of the Go distribution that begin with a
// prefix, without it.
func constants(t *testing.T, name, prefix string) map[string]uint32 {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), goSource(t, name), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]uint32{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		number, err := strconv.ParseUint(spec.Values[0].(*ast.BasicLit).Value, 0, 32)
		if err != nil {
			t.Fatal(err)
		}
		found[strings.TrimPrefix(spec.Names[0].Name, prefix)] = uint32(number)
		return true
	})
	return found
}

// Numbers returns the system calls of a machine and their numbers, as the Go
// distribution has them from the kernel.
func Numbers(t *testing.T, machine string) map[string]int {
	t.Helper()
	numbers := map[string]int{}
	for name, number := range constants(t, "cmd/vendor/golang.org/x/sys/unix/zsysnum_linux_"+machine+".go", "SYS_") {
		numbers[strings.ToLower(name)] = int(number)
	}
	if len(numbers) < 300 {
		t.Fatalf("only %d system calls of %s were found", len(numbers), machine)
	}
	return numbers
}

// Allowed returns the names of the calls that pass, and whether within a limit.
func Allowed() map[string]bool {
	limited := map[string]bool{}
	for _, c := range calls(0) {
		limited[c.name] = c.limit != nil
	}
	return limited
}

// On each machine exactly those system calls pass that the list names: the filter
// is asked by number, and what a number is called is told by the Go distribution.
// Programs of other machines find no door.
func TestFilter(t *testing.T) {
	t.Parallel()
	const process = 4711
	kernelNames := map[string]string{
		"amd64":   "X86_64",
		"arm64":   "AARCH64",
		"riscv64": "RISCV64",
		"loong64": "LOONGARCH64",
	}
	arch := constants(t, "cmd/vendor/golang.org/x/sys/unix/zerrors_linux.go", "AUDIT_ARCH_")
	for name, m := range machines {
		if want := arch[kernelNames[name]]; m.arch != want {
			t.Errorf("the kernel calls %s %#x, not %#x", name, want, m.arch)
		}
		program := filter(m, process)
		names := map[uint32]string{}
		for call, number := range Numbers(t, name) {
			names[uint32(number)] = call
		}
		if m.common && names[38] == "" {
			names[38] = "renameat" // riscv64 and loong64 have renameat2 alone, and nothing there
		}
		limited := Allowed()
		missing := Allowed()
		ask := func(number uint32) {
			got := answer(t, program, m.arch, number, 1<<31, 1<<31, 1<<31)
			call, known := names[number]
			want := absent
			if limit, allowed := limited[call]; allowed && !limit {
				want = pass
			} else if number <= m.last || allowed {
				want = refuse
			}
			if got != want {
				t.Errorf("%s: %s, %d: %#x, want %#x", name, call, number, got, want)
			}
			if known {
				delete(missing, call)
			}
			if got := answer(t, program, m.arch+1, number); got != kill {
				t.Errorf(
					"%s: %s, %d of another machine: %#x, want %#x",
					name,
					call,
					number,
					got,
					uint32(kill),
				)
			}
		}
		for number := range uint32(2000) {
			ask(number)
			ask(0x40000000 + number) // amd64's, for programs of 32 bits
		}
		ask(1 << 31)
		ask(1<<32 - 1)
		for _, c := range calls(process) {
			if !m.common && c.amd64 < 0 || m.common && c.common < 0 {
				delete(missing, c.name)
			}
		}
		for call := range missing {
			t.Errorf("%s has no system call %s", name, call)
		}
		if got := names[m.last]; got != "process_vm_writev" {
			t.Errorf("%s: the last call of Linux 3.2 is process_vm_writev, not %s", name, got)
		}
		if len(program)/8 > 4096 {
			t.Errorf("%s: %d instructions, the kernel takes 4096", name, len(program)/8)
		}
	}
}

// Of calls with a limit, what is the process's own passes, and no more.
func TestLimits(t *testing.T) {
	t.Parallel()
	const process, thread = 4711, 4712
	within := map[string][][]uint32{
		"tgkill":     {{process, thread, 23}},
		"kill":       {{process, 6}},
		"clone":      {{0x50f00}, {0xd0f00}}, // as Go does it, and with CLONE_SETTLS
		"fcntl":      {{3, 0}, {3, 1}, {3, 2, 1}, {3, 3}, {3, 4, 2048}, {3, 1030}},
		"setsockopt": {{3, 1, 9}, {3, 1, 13}, {3, 6, 1}, {3, 6, 4}, {3, 6, 5}, {3, 6, 6}},
		"shutdown":   {{3, 1}},
		"prlimit64":  {{0, 7}},
		"prctl":      {{0x53564d41}},
	}
	beyond := map[string][][]uint32{
		"tgkill":     {{thread, thread, 23}, {0, thread, 23}, {1<<32 - 1, thread, 9}},
		"kill":       {{0, 9}, {1, 9}, {1<<32 - 1, 9}, {1<<32 - process, 9}},
		"clone":      {{0}, {17}, {0x4111}, {0x100}, {0x4000 | 0x100 | 17}, {0x7e020000}},
		"fcntl":      {{3, 8, 1}, {3, 15, 1}, {3, 10, 9}, {3, 1026, 1}, {3, 6}, {3, 1024, 1}},
		"setsockopt": {{3, 0, 4}, {3, 41, 1}, {3, 255, 1}, {3, 284, 1}},
		"shutdown":   {{3, 0}, {3, 2}},
		"prlimit64":  {{process, 7}, {1, 0}},
		"prctl":      {{22}, {1}, {0x59616d61}},
	}
	for name, m := range machines {
		numbers := Numbers(t, name)
		program := filter(m, process)
		ask := func(call string, arguments []uint32, want uint32) {
			if got := answer(t, program, m.arch, uint32(numbers[call]), arguments...); got != want {
				t.Errorf("%s: %s%v: %#x, want %#x", name, call, arguments, got, want)
			}
		}
		for call, limited := range Allowed() {
			if limited != (within[call] != nil) || limited != (beyond[call] != nil) {
				t.Errorf("%s: limited: %v; this test knows the other", call, limited)
			}
			for _, arguments := range within[call] {
				ask(call, arguments, pass)
			}
			for _, arguments := range beyond[call] {
				ask(call, arguments, refuse)
			}
		}
	}
}

// unused are calls in the source of Go's runtime that a server does without when
// it runs.
var unused = map[string]string{
	"socket":  "the log of Android",
	"connect": "the log of Android",
	"tkill":   "on riscv64, to die of a signal; what follows there is exit",
}

// All that Go's runtime calls is allowed. A new version of Go that calls more is
// found here before it is found by a server that stands still.
func TestRuntime(t *testing.T) {
	t.Parallel()
	inAssembly := regexp.MustCompile(`(?m)^#define SYS_(\w+)\s+(\d+)$`)
	inGo := regexp.MustCompile(`(?m)^\s*SYS_(\w+)\s*= (\d+)$`)
	for name, m := range machines {
		found := map[string]string{}
		for source, pattern := range map[string]*regexp.Regexp{
			"runtime/sys_linux_" + name + ".s":                          inAssembly,
			"internal/runtime/syscall/linux/defs_linux_" + name + ".go": inGo,
		} {
			text, err := os.ReadFile(goSource(t, source))
			if err != nil {
				t.Fatal(err)
			}
			all := pattern.FindAllStringSubmatch(string(text), -1)
			if len(all) < 10 {
				t.Fatalf("%s: only %d system calls were found", source, len(all))
			}
			for _, match := range all {
				found[strings.ToLower(match[1])] = match[2]
			}
		}
		byNumber := map[int]string{}
		for call, number := range Numbers(t, name) {
			byNumber[number] = call
		}
		program := filter(m, 1)
		limited := Allowed()
		for call, text := range found {
			number, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			call = byNumber[number] // the runtime writes some in another way
			_, allowed := limited[call]
			if unused[call] == "" && !allowed ||
				!limited[call] && allowed && answer(t, program, m.arch, uint32(number)) != pass {
				t.Errorf(
					"%s: the runtime calls %s, %d, which the filter refuses",
					name,
					call,
					number,
				)
			}
		}
	}
}
