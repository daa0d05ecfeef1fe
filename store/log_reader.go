// Reading the log: the one way from its files to lines that are proven to be
// what was written.

package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
)

// A logReader reads the log of a directory, segment by segment and line by line: follow
// all of it, NextSegment and Next a part.
//
// It holds every line to its checksum, to the form of its format, and to the line
// before it. The records in a line are no matter to it. Lines are parsed on
// several goroutines, ahead of the caller.
type logReader struct {
	fsys   files
	rest   []uint64             // the first transactions of the segments that come next
	decode func(*logLine) error // called with each sound line, on any goroutine; or nil

	// How the reader takes what is not as it should be. The zero values are for who
	// has to know whether the log is sound.
	alone   bool // lines are not held to those before them
	live    bool // somebody may be writing: a line that is not whole ends it
	waiting bool // and a last line without newline is not whole

	trail         // up to the line that was read last
	first  uint64 // the segment that is read; 0 before there is one
	offset int64  // where the line begins that was read last
	end    int64  // where the next one begins
	number int    // of the line that was read last, from 1
	open   bool   // that line has no newline
	tail   []byte // left by a crash at the end, from offset on; or nil

	file   file
	blocks *blockReader[[]logLine]
	lines  []logLine // of a block, not returned yet
	record *logLine
	err    error
	next   trail // where Skip goes on; of the lines after an error
}

// follow reads the log to its end, or until take or damage returns an error. Take gets
// each line that follows the one before, and damage what is wrong with others: when it
// returns nil the reading goes on behind that.
func (r *logReader) follow(take func(*logLine) error, damage func(error) error) error {
	defer r.Close()
	for len(r.rest) > 0 {
		for r.NextSegment(); ; r.Skip() {
			for r.Next() {
				if err := take(r.Record()); err != nil {
					return err
				}
			}
			if r.err == nil {
				break
			}
			if err := damage(r.err); err != nil {
				return err
			}
		}
	}
	return nil
}

// NextSegment goes on to the next segment, which has to begin where the one before
// has ended, and reports whether there is one.
func (r *logReader) NextSegment() bool {
	if r.err != nil || len(r.rest) == 0 {
		return false
	}
	r.Close()
	first := r.rest[0]
	r.rest = r.rest[1:]
	f, err := r.fsys.open(segmentName(first))
	if err != nil {
		r.err, r.next = fmt.Errorf("store: %w", err), r.trail
		return false
	}
	r.first, r.file, r.open, r.tail = first, f, false, nil
	r.readFrom(0, 0)
	if first != r.seq+1 {
		r.err, r.next = &CorruptError{File: segmentName(first), Err: missing(first, r.seq+1)}, trail{seq: first - 1}
		return false
	}
	r.enter()
	return true
}

// missing says which transactions should be before a segment.
func missing(first, from uint64) error {
	return fmt.Errorf("transactions %d to %d are missing before it", from, first-1)
}

// readFrom goes to the end of a line in the segment, so that what was not there when it
// was read is read now. Without a segment it does nothing.
func (r *logReader) readFrom(end int64, number int) {
	r.endBlocks()
	r.end, r.number = end, number
	if r.file != nil {
		in := io.NewSectionReader(r.file, end, math.MaxInt64-end)
		r.blocks = readBlocks(in, func(text []byte) []logLine { return readLines(text, r.decode) })
	}
}

// readLines parses the lines of a block.
func readLines(text []byte, decode func(*logLine) error) []logLine {
	lines := make([]logLine, 0, bytes.Count(text, []byte("\n"))+1)
	for len(text) > 0 {
		line, rest, newline := bytes.Cut(text, []byte("\n"))
		if isTorn(line, newline) {
			lines = append(lines, logLine{text: line, whole: newline, torn: true})
		} else {
			lines = append(lines, readLine(line, decode))
		}
		text = rest
	}
	return lines
}

// Next reads the next line of the segment, and reports whether there is a line that
// follows the line before.
func (r *logReader) Next() bool {
	if r.err != nil {
		return false
	}
	line := r.fetch()
	if line == nil {
		return false
	}
	r.offset, r.number = r.end, r.number+1
	r.end += line.size()
	if line.torn {
		switch {
		case len(r.rest) > 0:
			return r.fail(errors.New("torn, in a segment that others follow"), line)
		case r.waiting || !isUnterminated(line):
			return r.torn(line)
		}
		r.open, r.end = true, r.offset+int64(len(line.text))
		*line = readLine(line.text, r.decode)
	}
	if line.Seq == 0 {
		return r.fail(line.err, line)
	}
	if !r.alone {
		if err := r.check(line); err != nil {
			return r.fail(err, line)
		}
	}
	if line.err != nil {
		return r.fail(line.err, line)
	}
	r.record, r.trail = line, line.trail()
	return true
}

// fetch returns the next line of the segment, nil when there is none.
func (r *logReader) fetch() *logLine {
	for len(r.lines) == 0 {
		if r.blocks == nil {
			return nil
		}
		var more bool
		if r.lines, more = r.blocks.next(); more {
			continue
		}
		if err := r.endBlocks(); err != nil {
			r.err, r.next = fmt.Errorf("store: %w", err), r.trail
		}
		return nil
	}
	line := &r.lines[0]
	r.lines = r.lines[1:]
	return line
}

// fail ends the reading with what is wrong with a line, and says what is known of
// the log after it: the numbers in the line, if it has the form of a line.
func (r *logReader) fail(err error, line *logLine) bool {
	r.err = r.corrupt(err)
	r.next.jump(r.seq + 1)
	if IsFormat(err) {
		r.err = fmt.Errorf("store: %s: %w", segmentName(r.first), err)
	}
	if line.Seq > 0 {
		r.next = line.trail()
	}
	return false
}

// torn ends the log in front of a line that is torn, if the end from there on looks as
// a crash leaves it.
func (r *logReader) torn(line *logLine) bool {
	if r.live {
		r.endBlocks()
		r.end, r.number = r.offset, r.number-1
		return false
	}
	var tail []byte
	for ; line != nil; line = r.fetch() {
		tail = append(tail, line.text...)
		if line.whole {
			tail = append(tail, '\n')
		}
	}
	if r.err != nil {
		return false
	}
	if err := checkTorn(tail, r.offset, r.seq+1, r.batch); err != nil {
		r.readFrom(r.end, r.number) // for Skip: to the line after it
		return r.fail(err, new(logLine))
	}
	r.tail, r.end, r.number = tail, r.offset, r.number-1
	return false
}

// Record returns the line that Next has read. It is good until the next call of
// Next.
func (r *logReader) Record() *logLine { return r.record }

// Err returns why the reading ended before the end of the log, nil if it did not.
// Damage is a *CorruptError, another format IsFormat; any other error is of the
// files.
func (r *logReader) Err() error { return r.err }

// Skip goes on after an error: in the same segment, if that was opened.
func (r *logReader) Skip() { r.err, r.trail = nil, r.next }

// corrupt says where an error is: in the line that was read last.
func (r *logReader) corrupt(err error) error {
	return &CorruptError{File: segmentName(r.first), Offset: r.offset, Line: r.number, Err: err}
}

// Close closes the segment.
func (r *logReader) Close() {
	r.endBlocks()
	if r.file != nil {
		r.file.Close()
		r.file = nil
	}
}

// endBlocks ends what reads ahead, and returns why it could not read on.
func (r *logReader) endBlocks() error {
	b := r.blocks
	r.blocks, r.lines = nil, nil
	if b == nil {
		return nil
	}
	return b.close()
}
