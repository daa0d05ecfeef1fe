// A process for a test: from its start to its ready line, and what it takes then.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

const (
	readyName   = "q fixture process"
	readyStarts = 20
	// bareCommand is the argument of a process that is L: a handler that answers
	// everything alike, and a ready line.
	bareCommand = "bare-process"
)

// readyAll starts almanac as tests of other programs do, with nothing in it, and L
// by turns. The program is built before.
func readyAll(s settings, t *table) error {
	if !s.only.MatchString(readyName) {
		return nil
	}
	dir, err := os.MkdirTemp(s.dir, "almanac-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "almanac")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-trimpath", "-o", program, "almanac")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var ours, bare, ratio, size, bareSize, sizeRatio []float64
	for range min(readyStarts, 2*s.rounds+2) {
		took, memory, err := timeReady(program, "serve", "-memory", "-addr", "127.0.0.1:0", "-exit-with-parent")
		if err != nil {
			return err
		}
		bareTook, bareMemory, err := timeReady(self, bareCommand)
		if err != nil {
			return err
		}
		ours, bare, ratio = append(ours, took), append(bare, bareTook), append(ratio, took/bareTook)
		size, bareSize, sizeRatio = append(size, memory), append(bareSize, bareMemory), append(sizeRatio, memory/bareMemory)
	}
	t.heading("a process of its own, with nothing in it")
	t.add(row{name: readyName, what: "to the ready line, ms", ours: spreadOf(ours), bare: spreadOf(bare), ratio: spreadOf(ratio),
		goal: atMostItself(20)})
	if size[0] > 0 {
		t.add(row{name: readyName, what: "resident, MiB", ours: spreadOf(size), bare: spreadOf(bareSize), ratio: spreadOf(sizeRatio),
			goal: atMostItself(15)})
	}
	return nil
}

// timeReady starts a server that ends with its standard input, and returns the
// milliseconds until it was ready and the MiB that it had in memory then, 0 where
// the system does not tell.
func timeReady(program string, args ...string) (took, size float64, err error) {
	cmd := exec.Command(program, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	defer func() {
		in.Close()
		err = errors.Join(err, cmd.Wait())
	}()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	took = since(start)
	if err != nil {
		return 0, 0, fmt.Errorf("%s was never ready: %w", program, err)
	}
	var ready struct{ PID int }
	if err := json.Unmarshal(line, &ready); err != nil {
		return 0, 0, err
	}
	bytes, _ := residentOf(fmt.Sprint(ready.PID))
	return took, float64(bytes) / (1 << 20), nil
}

// serveBare is L as a process: it serves until its standard input ends.
func serveBare(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"events":[]}`)
	}))
	if err := json.NewEncoder(out).Encode(map[string]any{"url": "http://" + listener.Addr().String(), "pid": os.Getpid()}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}
