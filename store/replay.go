// Reading the log from a snapshot on. It changes no file.

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A replay follows the log, line by line and segment by segment.
type replay struct {
	fsys     files
	load     func(*Change) error
	read     *progress
	base     position // the snapshot's: what comes after it is loaded
	manifest string   // of that snapshot, its SHA-256; "" when it is not at hand
	same     uint64   // the line after it, if that is a checkpoint
	bad      error    // why a newer snapshot cannot be used; explains a log that begins too late

	named uint64 // the newest snapshot that the last checkpoint names; 0 for none

	// How far it came.
	position        // of the last good line
	batch    uint64 // of the last good line
	known    bool   // the hash of the line before is known; it is not when the log is entered in the middle
	first    uint64 // number of the segment
	size     int64  // its good bytes
	start    int64  // where in the segment the last batch begins
	loaded   int64  // bytes of log after the snapshot
	open     bool   // the last good line has no newline
	torn     int64  // bytes after the good ones, to be cut off
}

// run reads the segments that hold what comes after the snapshot, and the line
// of the snapshot itself when the log still has it. The log has to reach to a
// transaction at least: the one of the newest snapshot, whether or not that
// can be used. A snapshot is made from what is in the log, so that a shorter
// log has lost something.
func (r *replay) run(segments []uint64, least uint64) error {
	r.position = r.base
	from := segmentOf(segments, r.base.Seq)
	switch {
	case len(segments) == 0 && least == 0:
		return nil // a new directory
	case len(segments) == 0:
		return &CorruptError{File: segmentName(r.base.Seq + 1), Err: errors.New("the segment is missing")}
	case segments[from] > r.base.Seq+1 && r.bad != nil:
		return r.bad
	case segments[from] > r.base.Seq+1:
		return &CorruptError{File: segmentName(segments[from]), Err: fmt.Errorf("transactions %d to %d are missing before it",
			r.base.Seq+1, segments[from]-1)}
	case segments[from] <= r.base.Seq:
		r.Seq, r.Head = segments[from]-1, [sha256.Size]byte{}
	}
	if err := checkEnds(r.fsys, segments[:from+1]); err != nil {
		return err
	}
	r.known = r.Seq == 0 || r.Seq == r.base.Seq
	for i, first := range segments[from:] {
		if first != r.Seq+1 {
			return &CorruptError{File: segmentName(first), Err: fmt.Errorf("transactions %d to %d are missing before it", r.Seq+1, first-1)}
		}
		if err := r.segment(first, from+i == len(segments)-1); err != nil {
			return err
		}
	}
	if r.Seq < least {
		return &CorruptError{File: segmentName(r.first), Offset: r.size,
			Err: fmt.Errorf("the log ends with transaction %d, but there is a snapshot of %d", r.Seq, least)}
	}
	return nil
}

// segmentOf returns which of the segments is to be read first after a snapshot:
// the one that has its line.
func segmentOf(segments []uint64, seq uint64) (from int) {
	for i, first := range segments {
		if first <= max(seq, 1) {
			from = i
		}
	}
	return from
}

// segment reads one segment.
func (r *replay) segment(first uint64, last bool) error {
	name := segmentName(first)
	f, err := r.fsys.open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	r.first, r.size, r.start, r.batch = first, 0, 0, 0
	l := newLineReader(name, f)
	if err := r.quickly(l, f); err != nil {
		return l.corrupt(err)
	}
	for l.next() {
		switch {
		case !isTorn(l):
		case !last:
			return l.corrupt(errors.New("torn, in a segment that others follow"))
		case isUnterminated(l):
			r.open = true
		default:
			return r.tail(l)
		}
		if err := r.line(l); errors.Is(err, ErrNewer) {
			return fmt.Errorf("store: %s: %w", name, err)
		} else if err != nil {
			return l.corrupt(err)
		}
		r.size = l.end
	}
	if l.err != nil {
		return fmt.Errorf("store: %w", l.err)
	}
	return nil
}

// line checks a whole line and loads its change.
func (r *replay) line(l *lineReader) error {
	e, err := parseLine(l.text)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(l.text)
	if err := r.follows(&e, sum); err != nil {
		return err
	}
	if e.Seq > r.base.Seq {
		if e.Change, err = decodeChange(e.change); err != nil {
			return err
		}
	}
	return r.take(&e, sum, l)
}

// follows checks whether a line is the next one of the chain.
func (r *replay) follows(e *logLine, sum [sha256.Size]byte) error {
	before := trail{seq: r.Seq, batch: r.batch, head: r.Head, known: r.known}
	if err := before.check(e); err != nil {
		return err
	}
	if r.manifest != "" {
		if err := checkNamed(e, r.base.Seq, r.manifest); err != nil {
			return err
		}
	}
	return r.base.checkHead(e.Seq, sum)
}

// take goes on to a line that follows, and loads its change.
func (r *replay) take(e *logLine, sum [sha256.Size]byte, l *lineReader) error {
	if e.Batch == e.Seq {
		r.start = l.offset
	}
	r.Seq, r.Head, r.batch, r.known = e.Seq, sum, e.Batch, true
	r.read.add(int(l.end - l.offset))
	if r.Seq <= r.base.Seq {
		return nil
	}
	if e.Snapshots != nil && e.Seq == r.base.Seq+1 && r.base.Seq > 0 {
		r.same = e.Seq
	}
	if e.Snapshots != nil {
		r.named = e.Snapshots[len(e.Snapshots)-1].Seq
	}
	r.note(e.Change)
	r.loaded += l.end - l.offset
	return r.load(e.Change)
}

// tail decides about everything from a torn line on.
func (r *replay) tail(l *lineReader) error {
	tail := slices.Clone(l.text)
	if l.whole {
		tail = append(tail, '\n')
	}
	rest, err := io.ReadAll(l.in)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	tail = append(tail, rest...)
	if err := checkTorn(tail, l.offset, r.Seq+1, r.batch); err != nil {
		return l.corrupt(err)
	}
	r.torn = int64(len(tail))
	return nil
}
