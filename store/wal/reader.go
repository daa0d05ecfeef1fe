// Reading the log: the one way from its files to lines that are proven to be
// what was written.

package wal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A Reader reads the log of a directory, segment by segment and line by line.
//
// It holds every line to its checksum, to the form of its format, and to the line
// before it. The records in a line are no matter to it.
type Reader struct {
	Files  Files
	Rest   []uint64          // the first transactions of the segments that come next
	Decode func(*Line) error // called with each sound line; or nil

	// How the reader takes what is not as it should be. The zero values are for a caller that
	// has to know whether the log is sound.
	Alone bool        // neither lines nor segments are held to those before them
	one   bool        // no segment is read but the first
	Live  bool        // somebody may be writing: a line that is not whole ends it
	again bool        // the end is read the second time
	Wait  func() bool // waits at the end, and reports whether to read on; or nil

	Chain         // up to the line that was read last
	Next   Chain  // where the reading goes on after an error
	First  uint64 // the segment that is read; 0 before there is one
	Offset int64  // where the line begins that was read last
	End    int64  // where the next one begins
	Number int    // of the line that was read last, from 1
	Open   bool   // that line has no newline
	Tail   []byte // left by a crash at the end, from Offset on; or nil

	file  File
	lines *lineReader // of the segment; nil at its end
	err   error
}

// Follow reads the log to its end, or until take or damage returns an error. Take gets
// each line that follows the one before, good until it returns, and damage the error of any other
// line: when it returns nil the reading goes on behind that. Damage is a *CorruptError,
// another format IsFormat; any other error is of the files.
func (r *Reader) Follow(take func(*Line) error, damage func(error) error) error {
	defer r.close()
	for {
		for line := r.next(); line != nil; line = r.next() {
			if err := take(line); err != nil {
				return err
			}
		}
		switch {
		case r.err != nil:
			if err := damage(r.err); err != nil {
				return err
			}
			r.err = nil
			r.Chain = r.Next
		case r.one && r.First > 0:
			return nil
		case len(r.Rest) > 0:
			r.nextSegment()
		case r.Wait == nil || !r.Wait():
			return nil
		default:
			if err := r.List(); err != nil {
				return err
			}
		}
	}
}

// List finds the segments that come next. New lines of the present one are read before them; its
// last line is read again if it was not whole, since recovery may have put something else there.
func (r *Reader) List() error {
	segments, err := Segments(r.Files)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	i, _ := slices.BinarySearch(segments, r.First+1)
	r.Rest = segments[i:]
	if r.First == 0 && len(r.Rest) > 0 && r.Rest[0] > 1 {
		r.jump(r.Rest[0] - 1) // the segments before were pruned
	}
	r.readFrom(r.End, r.Number)
	return nil
}

// nextSegment goes on to the next segment, which has to begin where the one before
// has ended.
func (r *Reader) nextSegment() {
	r.close()
	first := r.Rest[0]
	r.Rest = r.Rest[1:]
	f, err := r.Files.Open(SegmentName(first))
	if err != nil {
		r.err = fmt.Errorf("store: %w", err)
		r.Next = r.Chain
		return
	}
	r.First = first
	r.file = f
	r.Open = false
	r.Tail = nil
	r.readFrom(0, 0)
	if first == r.Seq+1 {
		r.batch = 0
		r.doubtful = false // no batch goes on into another segment
	} else if r.Next = (Chain{Position: Position{Seq: first - 1}, Unknown: true}); r.Alone {
		r.Chain = r.Next
	} else {
		r.err = &CorruptError{File: SegmentName(first), Err: MissingBefore(first, r.Seq+1)}
	}
}

// MissingBefore says which transactions should be before a segment.
func MissingBefore(first, from uint64) error {
	return fmt.Errorf("transactions %d to %d are missing before it", from, first-1)
}

// readFrom goes to the end of a line in the segment, so that what was not there when it
// was read is read now. Without a segment it does nothing.
func (r *Reader) readFrom(end int64, number int) {
	r.End = end
	r.Number = number
	if r.file != nil {
		r.lines = newLineReader(io.NewSectionReader(r.file, end, math.MaxInt64-end))
	}
}

// next reads the next line of the segment, and returns nil when none follows the line before.
func (r *Reader) next() *Line {
	if r.err != nil {
		return nil
	}
	line := r.fetch()
	if line == nil {
		return nil
	}
	r.Offset = r.End
	r.Number = r.Number + 1
	if r.End += int64(len(line.Text)); line.whole {
		r.End++
	}
	if line.truncated {
		switch {
		case len(r.Rest) > 0:
			return r.fail(errors.New("torn, in a segment that others follow"), line)
		case r.Wait != nil || !isUnterminated(line):
			return r.truncated(line)
		}
		r.Open = true
		r.End = r.Offset + int64(len(line.Text))
		*line = readLine(line.Text, r.Decode)
	}
	if line.Seq == 0 {
		return r.fail(line.err, line)
	}
	if !r.Alone {
		if err := r.Check(line); err != nil {
			return r.fail(err, line)
		}
	}
	if line.err != nil {
		return r.fail(line.err, line)
	}
	r.Chain = line.After()
	return line
}

// fetch returns the next line of the segment, nil when there is none.
func (r *Reader) fetch() *Line {
	if r.lines == nil {
		return nil
	}
	text, err := r.lines.next()
	if err != nil {
		if r.lines = nil; err != io.EOF {
			r.err = fmt.Errorf("store: %w", err)
			r.Next = r.Chain
		}
		return nil
	}
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if !whole {
		r.lines = nil // the end: lines that a writer adds from now on are no part of a truncated one
	}
	if !whole ||
		bytes.IndexByte(
			text,
			0,
		) >= 0 { // JSON has no NUL in it: that is a sector that was never written
		return &Line{Text: text, whole: whole, truncated: true}
	}
	line := readLine(text, r.Decode)
	return &line
}

// fail ends the reading with what is wrong with a line, and says what is known of
// the log after it: the numbers in the line, if it has the form of a line.
func (r *Reader) fail(err error, line *Line) *Line {
	r.err = &CorruptError{File: SegmentName(r.First), Offset: r.Offset, Line: r.Number, Err: err}
	r.Next.jump(r.Seq + 1)
	if IsFormat(err) {
		r.err = fmt.Errorf("store: %s: %w", SegmentName(r.First), err)
	}
	if line.Seq > 0 {
		r.Next = line.After()
	}
	return nil
}

// truncated ends the log in front of a line that is torn, if the end from there on looks as
// a crash leaves it. While somebody writes, it looks twice, as lines come while it reads, and takes
// any NUL bytes for room that waits for them.
func (r *Reader) truncated(line *Line) *Line {
	var tail []byte
	for ; line != nil; line = r.fetch() {
		tail = append(tail, line.Text...)
		if line.whole {
			tail = append(tail, '\n')
		}
	}
	if r.err != nil {
		return nil
	}
	err := checkLater(tail, r.Seq+1, r.batch, r.Live)
	if !r.Live && err == nil {
		err = checkSectors(tail, r.Offset)
	}
	switch {
	case err == nil:
		r.lines = nil
		r.End = r.Offset
		r.Number = r.Number - 1
		if !r.Live {
			r.Tail = tail
		}
		return nil
	case r.Live && !r.again:
		r.again = true
		defer func() { r.again = false }()
		r.readFrom(r.Offset, r.Number-1)
		return r.next()
	}
	r.readFrom(r.End, r.Number) // the line after it may be good
	return r.fail(err, new(Line))
}

// close closes the segment.
func (r *Reader) close() {
	if r.lines = nil; r.file != nil {
		r.file.Close()
		r.file = nil
	}
}

// A lineReader reads lines of any length.
type lineReader struct {
	in   *bufio.Reader
	long []byte // a line that is longer than the buffer
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{
		in: bufio.NewReaderSize(in, 64<<10),
	}
}

// next returns the next line with its newline, which the very last may lack. It is good until the
// next call. The error is io.EOF at the end.
func (l *lineReader) next() ([]byte, error) {
	text, err := l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		for l.long = l.long[:0]; err == bufio.ErrBufferFull; text, err = l.in.ReadSlice('\n') {
			l.long = append(l.long, text...)
		}
		l.long = append(l.long, text...)
		text = l.long
	}
	if err == io.EOF && len(text) > 0 {
		err = nil
	}
	return text, err
}
