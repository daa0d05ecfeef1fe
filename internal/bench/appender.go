// The log of L: the least that can be done to make a line durable.

package main

import (
	"bytes"
	"os"
	"sync"
)

// An appender appends lines to a file. One goroutine takes those that wait,
// writes them with one write and one sync, and lets their callers go on: the
// grouping of the store.
type appender struct {
	file  *os.File
	line  []byte
	queue chan chan error
	work  sync.WaitGroup
}

// groupLimit is how many lines share a sync at most, as in the store.
const groupLimit = 256

func newAppender(path string, line []byte) (*appender, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	a := &appender{file: file, line: line, queue: make(chan chan error)}
	a.work.Go(a.commits)
	return a, nil
}

// append returns when the line is on disk. Nobody may call it after close.
func (a *appender) append() error {
	done := make(chan error, 1)
	a.queue <- done
	return <-done
}

func (a *appender) commits() {
	for first := range a.queue {
		group := a.gather(first)
		_, err := a.file.Write(bytes.Repeat(a.line, len(group)))
		if err == nil {
			err = a.file.Sync()
		}
		for _, done := range group {
			done <- err
		}
	}
}

// gather takes what waits already.
func (a *appender) gather(first chan error) []chan error {
	group := []chan error{first}
	for len(group) < groupLimit {
		select {
		case next, ok := <-a.queue:
			if !ok {
				return group
			}
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}

func (a *appender) close() {
	close(a.queue)
	a.work.Wait()
	a.file.Close()
}
