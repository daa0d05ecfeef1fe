// Verifying the log: every line of every segment, and the snapshots on the way.

package store

import (
	"errors"
	"fmt"

	"almanac/store/wal"
)

// errPruned says that a segment was removed before it was read.
var errPruned = errors.New("a segment was pruned")

// segments verifies all segments that there are when it begins.
func (v *verifier) segments() error {
	segments, err := wal.Segments(v.Files)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	v.Rest, v.report.Segments = segments, len(segments)
	if len(segments) == 0 {
		v.find(wal.SegmentName(1), errors.New("the segment is missing"))
		return nil
	}
	v.oldest, v.begin = segments[0], segments[0]
	err = v.Follow(v.line, func(err error) error { return v.damage(err, segments[len(segments)-len(v.Rest)-1]) })
	if err != nil {
		return err
	}
	switch name := wal.SegmentName(v.First); {
	case v.Tail != nil:
		v.report.Truncated = &Truncation{name, v.Offset, int64(len(v.Tail))}
	case v.Open:
		v.report.Truncated = &Truncation{File: name, Offset: v.End}
	case v.Number == 0:
		v.report.Empty = name
	}
	return nil
}

// damage notes what is wrong in a segment, and goes on behind it, so that one mistake does not
// hide the next.
func (v *verifier) damage(err error, segment uint64) error {
	var corrupt *CorruptError
	isCorrupt := errors.As(err, &corrupt)
	switch name := wal.SegmentName(segment); {
	case IsFormat(err):
		return err
	case isCorrupt && corrupt.Line == 0: // a gap before the segment; a log that was pruned begins with one
		if v.begin = segment; segment != v.oldest {
			v.find(name, err)
		}
	case isCorrupt:
		v.find(name, err)
	case v.First != segment && wal.IsAbsent(err):
		return errPruned
	case v.First != segment: // it cannot be opened
		v.report.Segments--
		v.find(name, errors.Unwrap(err))
		return nil // the next segment has a gap before it
	default:
		v.find(name, &CorruptError{File: name, Offset: v.End, Err: errors.Unwrap(err)})
	}
	v.lose(v.Seq)
	v.Chain = v.Next
	err = v.snapshot()
	v.Next = v.Chain // with the head of the snapshot
	return err
}

// line verifies a line that follows the one before.
func (v *verifier) line(l *wal.Line) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	r := &v.report
	if r.Lines == 0 {
		r.First, r.FirstTime = l.Seq, l.Time
	}
	r.Last, r.LastTime = l.Seq, l.Time
	r.Lines++
	r.Bytes += v.End - v.Offset
	v.noteHead(Ancestor{Seq: l.Seq, Head: l.Head, Time: l.Time})
	if v.state != nil {
		v.state.apply(changeOf(&l.Entry))
		v.ids.note(changeOf(&l.Entry))
	}
	if l.Snapshots != nil {
		v.checkpoint(l)
	}
	return v.snapshot()
}
