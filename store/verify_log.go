// Verifying the log: every line of every segment, and the snapshots on the way.

package store

import (
	"errors"
	"fmt"
	"slices"
)

// segments verifies all segments.
func (v *verifier) segments() error {
	defer v.Close()
	looked := uint64(0) // the last segment that was looked at
	for {
		// Listed anew each time: a server adds segments, and prunes others.
		segments, err := numbered(v.fsys, logDir, segmentSuffix)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		i, _ := slices.BinarySearch(segments, looked+1)
		if i == len(segments) {
			break
		}
		looked, v.rest = segments[i], segments[i:]
		last := len(v.rest) == 1
		if err := v.segment(i == 0); err != nil {
			return err
		}
		if last && v.first == looked {
			break // else it was pruned just now, and there are later ones
		}
	}
	if v.begin == 0 {
		v.find(segmentName(1), errors.New("the segment is missing"))
	}
	return nil
}

// segment verifies the next segment, which was the oldest when the segments were
// listed, or was not.
func (v *verifier) segment(oldest bool) error {
	name := segmentName(v.rest[0])
	switch v.NextSegment(); {
	case isAbsent(v.Err()):
		v.Skip()
		return nil // pruned since; if not, a gap is found before the next
	case v.file == nil:
		v.find(name, errors.Unwrap(v.Err()))
		v.Skip()
		return nil
	}
	if v.oldest == 0 {
		v.oldest = v.first
	}
	if v.begin == 0 || v.Err() != nil {
		v.begin = v.first
	}
	v.report.Segments++
	if v.Err() != nil {
		// The log begins here, or begins anew after a gap.
		if !oldest {
			v.find(name, v.Err())
		}
		if err := v.goOn(); err != nil {
			return err
		}
	}
	for {
		for v.Next() {
			if err := v.ctx.Err(); err != nil {
				return err
			}
			if err := v.line(v.Record()); err != nil {
				return err
			}
		}
		err := v.Err()
		var corrupt *CorruptError
		switch {
		case err == nil:
			v.finish(name)
			return nil
		case IsFormat(err):
			return err
		case errors.As(err, &corrupt):
			v.find(name, err)
			err = v.goOn()
		default:
			v.find(name, &CorruptError{File: name, Offset: v.end, Err: errors.Unwrap(err)})
			v.lose(v.seq)
			v.Skip()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// finish notes how a segment ends.
func (v *verifier) finish(name string) {
	switch last := len(v.rest) == 0; {
	case v.tail != nil:
		v.report.Torn = &Torn{name, v.offset, int64(len(v.tail))}
	case v.open:
		v.report.Torn = &Torn{File: name, Offset: v.end}
	case last && v.number == 0:
		v.report.Empty = name
	}
}

// goOn goes on after damage, so that one mistake does not hide the next.
func (v *verifier) goOn() error {
	v.lose(v.seq)
	v.Skip()
	return v.snapshot()
}

// line verifies a line that follows the one before.
func (v *verifier) line(l *logLine) error {
	r := &v.report
	if r.Lines == 0 {
		r.First, r.FirstTime = l.Seq, l.Time
	}
	r.Last, r.LastTime = l.Seq, l.Time
	r.Lines++
	r.Bytes += v.end - v.offset
	v.noteHead(Ancestor{Seq: l.Seq, Head: l.Head, Time: l.Time})
	if v.state != nil {
		v.state.apply(l.Change)
		v.ids.note(l.Change)
	}
	if l.Snapshots != nil {
		v.checkpoint(l)
	}
	return v.snapshot()
}
