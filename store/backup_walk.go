// Walking: following the log from one state to another.

package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
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
	lead     lead
	base     position           // the snapshot's, or zero
	manifest string             // SHA-256 of its manifest; "" for none
	until    uint64             // the last transaction; 0 is the end of the log
	each     func(logLine) bool // sees every line, and reports whether to go on; nil for none

	step
	start  step // as it was before the last batch; its size is -1 if that is not known
	pieces []stretch
	torn   int64 // bytes that are no line, at the end
	named  bool  // a line names the snapshot
	ended  bool  // each said so
}

// A step is how far a walk has come.
type step struct {
	at    position  // only with Seq and Head
	time  time.Time // of the last transaction
	known bool      // its head is known, not only its number
	batch uint64    // of the last line in the segment; 0 for none
	size  int64     // bytes of the segment up to here
}

// run follows the log. When that ends too early the error is ErrReach.
func (w *walk) run(fsys files, segments []uint64) error {
	from := segmentOf(segments, w.base.Seq)
	w.at, w.known = w.base, true
	if w.lead == fromBeginning {
		w.at = position{Seq: segments[from] - 1}
		w.known = w.at.Seq == 0
	}
	for i, first := range segments[from:] {
		if i > 0 && (w.ended || w.until > 0 && first > w.until) {
			break
		}
		if first > w.at.Seq+1 || i > 0 && first != w.at.Seq+1 {
			return &CorruptError{File: segmentName(first), Err: fmt.Errorf("transactions are missing before it, after %d", w.at.Seq)}
		}
		if err := w.segment(fsys, first, from+i == len(segments)-1); err != nil {
			return err
		}
	}
	// A snapshot may be of the last line of a segment.
	if len(w.pieces) > 1 && w.pieces[0].bytes == 0 {
		w.pieces = w.pieces[1:]
	}
	switch {
	case w.at.Seq < w.base.Seq:
		return &CorruptError{File: segmentName(segments[len(segments)-1]), Err: fmt.Errorf("transaction %d is not in the log", w.base.Seq)}
	case w.at.Seq < w.until:
		return ErrReach
	}
	return nil
}

// segment follows one segment.
func (w *walk) segment(fsys files, first uint64, last bool) error {
	name := segmentName(first)
	f, err := fsys.open(name)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer f.Close()
	l := newLineReader(name, f)
	if first <= w.base.Seq && len(w.pieces) == 0 && w.lead != fromBeginning {
		if l, err = w.enter(l, f); err != nil {
			return err
		}
	}
	begin := stretch{first: w.at.Seq + 1, segment: first, from: l.end}
	w.batch, w.size, w.start.size = 0, l.end, -1
	defer func() {
		begin.bytes = w.size - begin.from
		w.pieces = append(w.pieces, begin)
	}()
	for !w.ended && (w.until == 0 || w.at.Seq < w.until) && l.next() {
		if isTorn(l) && !(last && isUnterminated(l)) {
			if !last {
				return l.corrupt(errors.New("torn, in a segment that others follow"))
			}
			return w.tail(l)
		}
		if err := w.line(l); err != nil {
			return err
		}
	}
	if l.err != nil {
		return fmt.Errorf("store: %w", l.err)
	}
	return nil
}

// enter goes to where the walk begins in a segment that has the line of the snapshot:
// to its batch or to the line after it, or to the end of the segment if there is none.
// Nothing before that need be good.
func (w *walk) enter(l *lineReader, f file) (*lineReader, error) {
	next, err := find(l, f, w.base.Seq+1)
	if err != nil || w.lead == fromNext {
		return next, err
	}
	line, err := find(newLineReader(l.name, f), f, w.base.Seq)
	if err != nil || !line.next() {
		return next, err
	}
	e, err := parseLine(line.text)
	if err != nil {
		w.at.Seq-- // it is before the snapshot that something is wrong
		return nil, line.corrupt(err)
	}
	batch, err := find(newLineReader(l.name, f), f, e.Batch)
	if err != nil {
		return nil, err
	}
	w.at, w.known = position{Seq: e.Batch - 1}, false
	return batch, nil
}

// find goes to the line of a transaction, or to the end of the file.
func find(l *lineReader, f file, seq uint64) (*lineReader, error) {
	for l.next() {
		if startsLine(l.text, seq) {
			return lineReaderAt(l.name, f, l.offset, l.number-1), nil
		}
	}
	if l.err != nil {
		return nil, fmt.Errorf("store: %w", l.err)
	}
	return l, nil
}

// refuse says that the log has something against the snapshot.
func (w *walk) refuse(err error) error {
	return &CorruptError{File: snapshotName(w.base.Seq) + "/" + manifestName, Err: err}
}

// line takes a whole line.
func (w *walk) line(l *lineReader) error {
	e, err := parseLine(l.text)
	if err != nil {
		return l.corrupt(err)
	}
	before := trail{seq: w.at.Seq, batch: w.batch, head: w.at.Head, known: w.known}
	err = before.check(&e)
	if err != nil && w.at.Seq == w.base.Seq && w.manifest != "" {
		return w.refuse(fmt.Errorf("the log does not go on from it: %w", err))
	} else if err != nil {
		return l.corrupt(err)
	}
	if w.manifest != "" {
		if err := checkNamed(&e, w.base.Seq, w.manifest); err != nil {
			return err
		}
		w.named = w.named || e.naming(w.base.Seq) >= 0
	}
	if e.Batch == e.Seq {
		w.start = w.step
	}
	sum := sha256.Sum256(l.text)
	if e.Seq == w.base.Seq && sum != w.base.Head {
		return w.refuse(fmt.Errorf("its head is not the SHA-256 of transaction %d in the log, %x", e.Seq, sum))
	}
	w.at.Seq, w.at.Head = e.Seq, sum
	w.known, w.batch, w.time, w.size = true, e.Batch, e.Time, l.end
	w.ended = w.each != nil && !w.each(e)
	return nil
}

// tail decides about the end of the log from a torn line on, as recovery does.
// If the batch before goes on in the torn line that batch is not whole either,
// and nobody was told that it is stored.
func (w *walk) tail(l *lineReader) error {
	text := slices.Clone(l.text)
	if l.whole {
		rest, err := io.ReadAll(l.in)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		text = append(append(text, '\n'), rest...)
	}
	if err := checkTorn(text, l.offset, w.at.Seq+1, w.batch); err != nil {
		return l.corrupt(err)
	}
	end := l.offset + int64(len(text))
	if w.start.size >= 0 && bytes.HasPrefix(text, fmt.Appendf(nil, `{"seq":%d,"batch":%d,`, w.at.Seq+1, w.batch)) {
		w.step = w.start
	}
	w.torn = end - w.size
	return nil
}
