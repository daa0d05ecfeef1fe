// What the store keeps in memory.

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// memory measures this process with the store, a handler that was asked for
// nothing, and all else that the benchmark needs: nothing is subtracted. What
// the system has not been given back is given back first, so that resident is
// what remains and not what filling the store took for a while.
func (w *world) memory() error {
	h, _, err := product(w.store, mode{})
	if err != nil {
		return err
	}
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	perEvent := func(bytes uint64) spread { return single(float64(bytes) / 1000 / float64(w.n)) }
	var heap, all goal
	if w.n >= 1_000_000 { // of fewer events the program's own memory is a good part
		heap, all = atMostItself(1.55), atMostItself(2.3)
	}
	w.table.add(
		row{name: w.current, what: "heap, KB per event", ours: perEvent(m.HeapAlloc), goal: heap},
		row{name: w.current, what: "heap in use, KB", ours: perEvent(m.HeapInuse)})
	if size, ok := resident(); ok {
		w.table.add(row{name: w.current, what: "resident, KB", ours: perEvent(size), goal: all})
	}
	runtime.KeepAlive(h)
	return nil
}

// single is the spread of one number.
func single(number float64) spread { return spread{number, number, number} }

// resident returns the bytes of this process in memory, where the system has
// /proc.
func resident() (uint64, bool) { return residentOf("self") }

// residentOf is resident for the process with a number.
func residentOf(process string) (uint64, bool) {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(status, []byte("\nVmRSS:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var kibibytes string
	if _, err := fmt.Sscanf(string(line), "%s kB", &kibibytes); err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(kibibytes, 10, 64)
	return n << 10, err == nil
}
