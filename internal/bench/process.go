// Starting load processes, and what a round of load did to the server.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// A round is what one load process measured, and what the server used.
type round struct {
	report
	processor time.Duration // of this process, in all threads
}

// rate returns requests per second.
func (r round) rate() float64 { return float64(r.Requests) / r.Elapsed.Seconds() }

// perRequest returns the microseconds of processor time that a request cost.
func (r round) perRequest() float64 {
	return float64(r.processor.Microseconds()) / float64(r.Requests)
}

// run sends load from a process of its own: what it uses is not the server's.
// The garbage of the round before is collected first.
func run(p plan) (r round, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	cmd := exec.Command(program, loadCommand)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return r, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	if err := cmd.Start(); err != nil {
		return r, err
	}
	defer func() {
		in.Close() // a load process that has no more to do ends by this
		if ended := cmd.Wait(); err == nil {
			err = ended
		}
		if err != nil {
			err = fmt.Errorf("load: %w", err)
		}
	}()
	enc, dec := json.NewEncoder(in), json.NewDecoder(out)
	if err := enc.Encode(p); err != nil {
		return r, err
	}
	var connected string
	if err := dec.Decode(&connected); err != nil {
		return r, err
	}
	runtime.GC()
	before := processorTime()
	if err := enc.Encode("start"); err != nil {
		return r, err
	}
	if err := dec.Decode(&r.report); err != nil {
		return r, err
	}
	r.processor = processorTime() - before
	switch {
	case r.Error != "":
		return r, errors.New(r.Error)
	case r.Requests == 0:
		return r, errors.New("no request was answered in time")
	}
	return r, nil
}
