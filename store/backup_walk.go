// Walking: following the log from one state to another.

package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"
)

// A lead says where in the log a walk begins, which goes on from a snapshot.
type lead int

const (
	fromBeginning lead = iota // with the first line there is
	fromBatch                 // with the batch of the line of the snapshot
	fromNext                  // with the line after it; what is before it may be damaged
)

// A walk follows the log.
type walk struct {
	logReader
	lead     lead
	base     position            // the snapshot's, or zero
	manifest string              // SHA-256 of its manifest; "" for none
	until    uint64              // the last transaction; 0 is the end of the log
	each     func(*logLine) bool // sees every line, and reports whether to go on; nil for none

	at     step
	start  step // as it was before the last batch; its size is -1 if that is not known
	pieces []stretch
	torn   int64 // bytes that are no line, at the end
	named  bool  // a line names the snapshot
	ended  bool  // each said so
}

// A step is how far a walk has come.
type step struct {
	seq  uint64 // of the last transaction
	head [sha256.Size]byte
	time time.Time
	size int64 // bytes of the segment up to here
}

// run follows the log. When that ends too early the error is ErrReach.
func (w *walk) run(segments []uint64) error {
	defer w.Close()
	from := segmentOf(segments, w.base.Seq)
	w.rest = segments[from:]
	w.trail, w.at.seq, w.at.head = trailTo(w.base), w.base.Seq, w.base.Head
	if w.lead == fromBeginning || segments[from] <= w.base.Seq {
		w.trail = trail{seq: segments[from] - 1, known: segments[from] == 1}
	}
	if w.lead == fromBeginning {
		w.at.seq, w.at.head = w.seq, w.head
	}
	for w.NextSegment() {
		if err := w.segment(); err != nil {
			return err
		}
		if w.ended || w.until > 0 && len(w.rest) > 0 && w.rest[0] > w.until {
			break
		}
	}
	if err := w.Err(); err != nil {
		return err
	}
	// A snapshot may be of the last line of a segment.
	if len(w.pieces) > 1 && w.pieces[0].bytes == 0 {
		w.pieces = w.pieces[1:]
	}
	switch {
	case w.at.seq < w.base.Seq:
		return &CorruptError{File: segmentName(segments[len(segments)-1]), Err: fmt.Errorf("transaction %d is not in the log", w.base.Seq)}
	case w.at.seq < w.until:
		return ErrReach
	}
	return nil
}

// segment follows one segment.
func (w *walk) segment() error {
	if w.first <= w.base.Seq && len(w.pieces) == 0 && w.lead != fromBeginning {
		if err := w.enterMiddle(); err != nil {
			return err
		}
	}
	begin := stretch{first: w.seq + 1, segment: w.first, from: w.end}
	w.at.size, w.start.size = w.end, -1
	for !w.ended && (w.until == 0 || w.seq < w.until) && w.Next() {
		if err := w.take(w.Record()); err != nil {
			return err
		}
	}
	// If the batch before goes on in the torn line that batch is not whole either, and
	// nobody was told that it is stored.
	if w.tail != nil {
		if w.start.size >= 0 && bytes.HasPrefix(w.tail, fmt.Appendf(nil, `%s%d,"batch":%d,`, lineStart, w.seq+1, w.batch)) {
			w.at = w.start
		}
		w.torn = w.offset + int64(len(w.tail)) - w.at.size
	}
	begin.bytes = w.at.size - begin.from
	w.pieces = append(w.pieces, begin)
	var broken chainError
	if err := w.Err(); errors.As(err, &broken) && w.seq == w.base.Seq && w.manifest != "" {
		return w.refuse(fmt.Errorf("the log does not go on from it: %w", broken))
	}
	return nil
}

// enterMiddle goes to where the walk begins in a segment that has the line of the
// snapshot: to its batch or to the line after it, or to the end of the segment if there
// is none. Nothing before that need be good.
func (w *walk) enterMiddle() error {
	w.trail = trailTo(w.base)
	to, number, _, err := find(w.file, w.base.Seq+1)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if w.lead == fromBatch {
		at, lines, text, err := find(w.file, w.base.Seq)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		if text != nil {
			l, err := parseLine(text)
			if err != nil {
				w.at.seq-- // it is before the snapshot that something is wrong
				w.offset, w.number = at, lines+1
				return w.corrupt(err)
			}
			if to, number, _, err = find(w.file, l.Batch); err != nil {
				return fmt.Errorf("store: %w", err)
			}
			w.trail = trail{seq: l.Batch - 1}
			w.at.seq, w.at.head = w.seq, w.head
		}
	}
	w.readFrom(to, number)
	return nil
}

// refuse says that the log has something against the snapshot.
func (w *walk) refuse(err error) error {
	return &CorruptError{File: snapshotName(w.base.Seq) + "/" + manifestName, Err: err}
}

// take holds the next line to the snapshot.
func (w *walk) take(l *logLine) error {
	if w.manifest != "" {
		if err := checkNamed(l, w.base.Seq, w.manifest); err != nil {
			return err
		}
		w.named = w.named || l.naming(w.base.Seq) >= 0
	}
	if l.Batch == l.Seq {
		w.start = w.at
	}
	if l.Seq == w.base.Seq && l.Head != w.base.Head {
		return w.refuse(fmt.Errorf("its head is not the SHA-256 of transaction %d in the log, %x", l.Seq, l.Head))
	}
	w.at = step{l.Seq, l.Head, l.Time, w.end}
	w.ended = w.each != nil && !w.each(l)
	return nil
}
