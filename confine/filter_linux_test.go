//go:build amd64 || arm64 || riscv64 || loong64

package confine

import (
	"encoding/binary"
	"runtime"
	"syscall"
	"testing"
)

// answer runs a filter as the kernel does.
func answer(t *testing.T, program []byte, arch, call uint32) uint32 {
	t.Helper()
	var accumulator uint32
	for i := 0; i < len(program); i += 8 {
		code, k := binary.NativeEndian.Uint16(program[i:]), binary.NativeEndian.Uint32(program[i+4:])
		so := false
		switch code {
		case load:
			accumulator = map[uint32]uint32{0: call, 4: arch}[k]
			continue
		case ret:
			return k
		case equal:
			so = accumulator == k
		case least:
			so = accumulator >= k
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

// On each machine the four calls are refused and others pass, and programs of
// other machines find no door.
func TestFilter(t *testing.T) {
	t.Parallel()
	for name, m := range machines {
		program := filter(m)
		want := map[uint32]uint32{0: pass, 1: pass, 40: pass, 43: pass, 59: pass, 199: pass, 204: pass, 424: pass, 426: pass, 1000: pass,
			otherNumber: refuse, otherNumber + m.calls[0]: refuse, otherNumber + 1: refuse, 0xffffffff: refuse}
		for _, call := range m.calls {
			want[call] = refuse
		}
		for call, result := range want {
			if got := answer(t, program, m.arch, call); got != result {
				t.Errorf("%s: call %d: %#x, want %#x", name, call, got, result)
			}
			if got := answer(t, program, m.arch+1, call); got != kill {
				t.Errorf("%s: call %d of another machine: %#x, want %#x", name, call, got, uint32(kill))
			}
		}
	}
	if m, ok := machines[runtime.GOARCH]; ok && (m.calls[1] != syscall.SYS_CONNECT || m.calls[2] != syscall.SYS_BIND) {
		t.Errorf("on %s, connect is %d and bind %d, not %v", runtime.GOARCH, syscall.SYS_CONNECT, syscall.SYS_BIND, m.calls)
	}
}
