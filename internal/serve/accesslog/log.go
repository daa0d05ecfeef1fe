// Writing lines in the background, to a file that others move away.

package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"
)

const (
	mostWaiting = 1 << 20     // bytes of lines that wait to be written; more are missing
	closeTime   = time.Second // that the last lines have
)

// A Log is a file of lines. Its methods may be called by several goroutines; nil is a log without
// lines.
type Log struct {
	path   string // "" of a stream
	format func([]byte, *Entry) []byte
	log    *slog.Logger
	wake   chan struct{} // full when there is something to do
	done   chan struct{} // closed when all is written after Close

	mu      sync.Mutex // guards the fields below
	lines   []byte     // that wait
	missed  int        // lines for which there was no room
	reopen  bool
	closing bool

	// Of the goroutine that writes.
	out     io.Writer
	file    *os.File // out, if it is of a path
	failing bool     // the logger was told that lines are missing
	missing int      // how many since then
	partial bool     // a part of a line is the last that was written
}

// Open opens or creates a file for a log, and appends to it. Without a path it writes to stream.
// Without a format it takes lines by Write alone.
func Open(
	path string,
	stream io.Writer,
	format func([]byte, *Entry) []byte,
	log *slog.Logger,
) (*Log, error) {
	l := &Log{
		path:   path,
		format: format,
		log:    log,
		out:    stream,
		wake:   make(chan struct{}, 1),
		done:   make(chan struct{}),
	}
	if path != "" {
		if err := l.open(); err != nil {
			return nil, err
		}
	}
	go l.run()
	return l, nil
}

// open opens the file at the path, and closes the previous one. It refuses pipes, whose reader
// could block the server.
func (l *Log) open() error {
	if info, err := os.Stat(l.path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", l.path)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	if l.file != nil {
		_ = l.file.Close()
	}
	l.out = file
	l.file = file
	l.partial = l.isPartial()
	return nil
}

// isPartial reports whether the file ends with a part of a line, left by a killed process or a
// full disk. Without permission to read the file, it depends on the last write.
func (l *Log) isPartial() bool {
	info, err := l.file.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	file, err := os.Open(l.path)
	if err != nil {
		return l.partial
	}
	defer file.Close()
	last := []byte{'\n'}
	_, _ = file.ReadAt(last, info.Size()-1) // an unreadable file counts as whole
	return last[0] != '\n'
}

// Add writes a line, soon.
func (l *Log) Add(e *Entry) { l.add(func(lines []byte) []byte { return l.format(lines, e) }) }

// Write writes a line that ends with a newline, soon. It never fails.
func (l *Log) Write(line []byte) (int, error) {
	l.add(func(lines []byte) []byte { return append(lines, line...) })
	return len(line), nil
}

func (l *Log) add(to func(lines []byte) []byte) {
	l.mu.Lock()
	if len(l.lines) < mostWaiting && !l.closing {
		l.lines = to(l.lines)
	} else {
		l.missed++
	}
	l.mu.Unlock()
	l.signal()
}

// Reopen opens the file again at its path, where there may be none any more since it
// was moved. If that fails the lines go on into the old one.
func (l *Log) Reopen() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.reopen = true
	l.mu.Unlock()
	l.signal()
}

// Close writes what waits, unless that takes too long.
func (l *Log) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.closing = true
	l.mu.Unlock()
	l.signal()
	select {
	case <-l.done:
	case <-time.After(closeTime):
	}
}

func (l *Log) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run writes until the log is closed.
func (l *Log) run() {
	defer close(l.done)
	var buffer []byte
	for range l.wake {
		l.mu.Lock()
		lines := l.lines
		missed := l.missed
		reopen := l.reopen
		closing := l.closing
		l.lines = buffer[:0]
		l.missed = 0
		l.reopen = false
		l.mu.Unlock()
		l.write(lines, missed)
		buffer = lines
		if reopen && l.path != "" {
			if err := l.open(); err != nil {
				l.log.Warn("a log goes on in the file that was open", "err", err)
			}
		}
		if closing {
			if l.file != nil {
				_ = l.file.Close()
			}
			return
		}
	}
}

// write writes lines, and tells the logger when the first are missing, and when there
// is room again.
func (l *Log) write(lines []byte, missed int) {
	var err error
	if missed > 0 {
		err = errors.New("it takes lines more slowly than requests come")
	}
	if len(lines) > 0 {
		begin := 0
		if l.partial {
			lines = append([]byte{'\n'}, lines...)
			begin = 1
		}
		n, failed := l.out.Write(lines)
		if n > 0 {
			l.partial = lines[n-1] != '\n'
		}
		if failed != nil {
			missed = missed + bytes.Count(lines[max(n, begin):], []byte{'\n'})
			err = failed
		}
	}
	switch l.missing += missed; {
	case err != nil && !l.failing:
		l.failing = true
		l.log.Error("lines of a log are missing from now on", "file", l.path, "err", err)
	case err == nil && l.failing && len(lines) > 0:
		l.log.Warn("a log has all lines again", "file", l.path, "missing", l.missing)
		l.failing = false
		l.missing = 0
	}
}
