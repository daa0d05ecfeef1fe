// Verifying the log: every line of every segment, and the snapshots on the way.

package store

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// missing says which transactions should be before a segment.
func missing(first, from uint64) error {
	return fmt.Errorf("transactions %d to %d are missing before it", from, first-1)
}

// segments verifies all segments.
func (v *verifier) segments() error {
	first := uint64(0)
	for {
		// Listed anew each time: a server adds segments, and prunes others.
		segments, err := numbered(v.fsys, logDir, segmentSuffix)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		i, _ := slices.BinarySearch(segments, first+1)
		if i == len(segments) {
			break
		}
		first = segments[i]
		last := i == len(segments)-1
		if err := v.segment(first, i == 0, last); err != nil {
			return err
		}
		if last && v.current == first {
			break // else it was pruned just now, and there are later ones
		}
	}
	if v.begin == 0 {
		v.find(segmentName(1), errors.New("the segment is missing"))
	}
	return nil
}

// segment verifies one segment, which was the oldest or the last when the
// segments were listed.
func (v *verifier) segment(first uint64, oldest, last bool) error {
	name := segmentName(first)
	f, err := v.fsys.open(name)
	if isAbsent(err) {
		return nil // pruned since; if not, a gap is found before the next
	}
	if err != nil {
		v.find(name, err)
		return nil
	}
	defer f.Close()
	if v.oldest == 0 {
		v.oldest = first
	}
	if first != v.seq+1 {
		if !oldest {
			v.find(name, missing(first, v.seq+1))
		}
		// The log begins here, or begins anew after a gap.
		v.lose(v.seq)
		v.begin = first
		v.jump(first - 1)
		if err := v.snapshot(); err != nil {
			return err
		}
	}
	if v.begin == 0 {
		v.begin = first
	}
	v.current = first
	v.report.Segments++
	v.enter()
	l := newLineReader(name, f)
	for l.next() {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		switch {
		case !isTorn(l):
			err = v.line(l)
		case last && isUnterminated(l):
			v.report.Torn = &Torn{File: name, Offset: l.end}
			err = v.line(l)
		case last:
			at, bytes, torn := v.tail(l)
			if torn == nil {
				v.report.Torn = &Torn{name, at, bytes}
				return nil
			}
			l = lineReaderAt(name, f, l.end, l.number)
			err = v.bad(name, torn)
		default:
			err = v.bad(name, l.corrupt(errors.New("torn, in a segment that others follow")))
		}
		if err != nil {
			return err
		}
	}
	if l.err != nil {
		v.find(name, &CorruptError{File: name, Offset: l.end, Err: l.err})
		v.lose(v.seq)
	}
	if last && l.number == 0 && l.err == nil {
		v.report.Empty = name
	}
	return nil
}

// tail reads the rest of the log from a torn line on, and says why it is not
// what a crash leaves, nor a server that is writing.
func (v *verifier) tail(l *lineReader) (at, size int64, err error) {
	tail := slices.Clone(l.text)
	if l.whole {
		tail = append(tail, '\n')
	}
	rest, err := io.ReadAll(l.in)
	if err != nil {
		return 0, 0, l.corrupt(err)
	}
	tail = append(tail, rest...)
	if err := checkTorn(tail, l.offset, v.seq+1, v.batch); err != nil {
		return 0, 0, l.corrupt(err)
	}
	return l.offset, int64(len(tail)), nil
}

// bad goes on after a line that could not be read.
func (v *verifier) bad(name string, err error) error {
	v.find(name, err)
	v.lose(v.seq)
	v.jump(v.seq + 1)
	return v.snapshot()
}

// line verifies a line.
func (v *verifier) line(l *lineReader) error {
	before := v.seq
	e, err := v.follow(l.text)
	if errors.Is(err, ErrNewer) {
		return fmt.Errorf("store: %s: %w", l.name, err)
	}
	if err == nil {
		e.Change, err = decodeChange(e.change)
	}
	if err != nil {
		v.find(l.name, l.corrupt(err))
		v.lose(before)
		return v.snapshot()
	}
	r := &v.report
	if r.Lines == 0 {
		r.First, r.FirstTime = e.Seq, e.Time
	}
	r.Last, r.LastTime = e.Seq, e.Time
	r.Lines++
	r.Bytes += l.end - l.offset
	v.noteHead(Ancestor{Seq: e.Seq, Head: v.head, Time: e.Time})
	if v.state != nil {
		v.state.apply(e.Change)
		v.ids.note(e.Change)
	}
	if e.Snapshots != nil {
		v.checkpoint(&e)
	}
	return v.snapshot()
}
