package main

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// makeRoom takes the limit off the files of another process.
func makeRoom(t *testing.T, pid int) {
	t.Helper()
	limit := syscall.Rlimit{Cur: math.MaxUint64, Max: math.MaxUint64}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Skip("prlimit:", errno)
	}
}

// A server whose disk was full goes on by itself when there is room again, also
// one that is confined: with all that was stored, and nothing that was refused.
func TestDiskFullForAWhile(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	cmd := childCommand(t, d.dir, d.users, limits{File: 20_000, Confine: true})
	var stderr lockedBuffer
	cmd.Stderr = &stderr
	ready := startProcess(t, cmd)
	d.caller = caller{ready.URL, "token of admin", http.DefaultClient}
	var a answer
	for a = d.create(t); a.status == http.StatusCreated; {
		a = d.create(t)
	}
	d.isUnavailable(t, "the first write too many", a)
	d.refused(t, "on a full disk")
	makeRoom(t, ready.PID)
	tries := 0
	for end := time.Now().Add(time.Minute); ; tries++ {
		if a = d.create(t); a.status == http.StatusCreated {
			break
		}
		d.isUnavailable(t, fmt.Sprintf("try %d with room again", tries), a)
		if time.Now().After(end) {
			t.Fatalf("a minute after there was room: %d %s\n%s", a.status, a.body, &stderr)
		}
	}
	for range 20 {
		if a := d.create(t); a.status != http.StatusCreated {
			t.Errorf("with room again, a write was answered %d %s", a.status, a.body)
		}
	}
	d.compare(t, "with room again")
	end(t, cmd)
	log := stderr.String()
	if n := strings.Count(log, "no change is taken"); n != 1 || !strings.Contains(log, "takes changes again") || strings.Contains(log, "confined=no") {
		t.Errorf("the log says %d times that no change is taken:\n%s", n, log)
	}
	d.start(t, limits{})
	d.compare(t, "after a restart")
}
