// The history: every transaction as the log tells it, for those who ask who
// changed what.

package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"
)

// A Transaction is a line of the log.
type Transaction struct {
	Seq     uint64    // consecutive; 1 is the first ever
	Time    time.Time // when it was committed, UTC
	Account int64     // who asked for it
	Change  *Change   // the reader's
	Head    [sha256.Size]byte
	Line    []byte // as it is in the log, without the newline; until the next transaction
}

// History yields the transactions in the log of a data directory, the oldest
// first. It takes no lock and changes no file, so that it can read beside a
// server; a line that is just being written is not there yet, and a line that is
// there may be waiting for its sync.
//
// At the end of the log it calls wait and reads on, also into new segments, as
// long as that returns true. A nil wait is false.
//
// An error is the last thing it yields: damage is a *CorruptError, a later
// format ErrNewer.
func History(dir string, wait func() bool) iter.Seq2[Transaction, error] {
	return func(yield func(Transaction, error) bool) {
		fsys, err := readFiles(dir)
		if err == nil {
			h := historian{fsys: fsys, wait: wait, yield: yield, trail: newTrail()}
			err = errors.Join(h.run(), fsys.close())
			if h.left {
				return
			}
		}
		if err != nil {
			yield(Transaction{}, err)
		}
	}
}

// A historian reads the log for History.
type historian struct {
	fsys  files
	wait  func() bool
	yield func(Transaction, error) bool
	left  bool // yield returned false

	trail
	first  uint64 // number of the segment; 0 before there is one
	file   file   // of the segment
	end    int64  // of its last whole line
	number int    // of that line
}

func (h *historian) run() error {
	defer func() {
		if h.file != nil {
			h.file.Close()
		}
	}()
	for {
		// Listed before the segment is read: it has no more to come if others
		// follow already.
		segments, err := numbered(h.fsys, logDir, segmentSuffix)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		i, _ := slices.BinarySearch(segments, h.first+1)
		more := i < len(segments)
		if h.file != nil {
			if err := h.segment(!more); err != nil || h.left {
				return err
			}
		}
		switch {
		case more:
			if err := h.next(segments[i]); err != nil {
				return err
			}
		case h.wait == nil || !h.wait():
			return nil
		}
	}
}

// next opens a segment.
func (h *historian) next(first uint64) error {
	name := segmentName(first)
	if first != h.seq+1 {
		if h.first != 0 {
			return &CorruptError{File: name, Err: fmt.Errorf("transactions %d to %d are missing before it", h.seq+1, first-1)}
		}
		h.jump(first - 1) // what is before was pruned
	}
	f, err := h.fsys.open(name)
	if isAbsent(err) && h.first == 0 {
		h.trail = newTrail()
		return nil // pruned since it was listed
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if h.file != nil {
		h.file.Close()
	}
	h.first, h.file, h.end, h.number = first, f, 0, 0
	h.enter()
	return nil
}

// segment yields what is new in the segment. The rest of it, from a line on
// that is not whole, is read again the next time: recovery may have put
// something else there.
func (h *historian) segment(last bool) error {
	l := lineReaderAt(segmentName(h.first), h.file, h.end, h.number)
	for l.next() {
		if isTorn(l) {
			if !last {
				return l.corrupt(errors.New("torn, in a segment that others follow"))
			}
			if h.wait != nil || !isUnterminated(l) {
				return nil
			}
		}
		e, err := h.follow(l.text)
		if errors.Is(err, ErrNewer) {
			return fmt.Errorf("store: %s: %w", l.name, err)
		}
		if err == nil {
			e.Change, err = decodeChange(e.change)
		}
		if err != nil {
			return l.corrupt(err)
		}
		h.end, h.number = l.end, l.number
		if !h.yield(Transaction{e.Seq, e.Time, e.Account, e.Change, h.head, l.text}, nil) {
			h.left = true
			return nil
		}
	}
	if l.err != nil {
		return fmt.Errorf("store: %w", l.err)
	}
	return nil
}
