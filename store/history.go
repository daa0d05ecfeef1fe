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
	Note    *Note     // of a line that changes no record and says something; nil
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
// An error is the last thing it yields: damage is a *CorruptError, another
// format IsFormat.
func History(dir string, wait func() bool) iter.Seq2[Transaction, error] {
	return func(yield func(Transaction, error) bool) {
		fsys, err := readFiles(dir)
		if err == nil {
			h := newHistorian(fsys, wait, yield)
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
	logReader
	wait  func() bool
	yield func(Transaction, error) bool
	left  bool // yield returned false
}

func newHistorian(fsys files, wait func() bool, yield func(Transaction, error) bool) *historian {
	in := logReader{fsys: fsys, decode: decodeLine, live: true, waiting: wait != nil, trail: newTrail()}
	return &historian{logReader: in, wait: wait, yield: yield}
}

func (h *historian) run() error {
	defer h.Close()
	for {
		// Listed before the segment is read: it has no more to come if others
		// follow already.
		segments, err := numbered(h.fsys, logDir, segmentSuffix)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		i, _ := slices.BinarySearch(segments, h.first+1)
		h.rest = segments[i:]
		if h.first == 0 && i < len(segments) && segments[i] > 1 {
			h.jump(segments[i] - 1) // what is before was pruned
		}
		// The rest of the segment, from a line on that was not whole, is read again:
		// recovery may have put something else there.
		h.readFrom(h.end, h.number)
		for more := true; more && !h.left; more = h.NextSegment() {
			h.tell()
		}
		switch err := h.Err(); {
		case h.left:
			return nil
		case isAbsent(err) && h.first == 0:
			h.err, h.trail = nil, newTrail() // pruned since it was listed
		case err != nil:
			return err
		case h.wait == nil || !h.wait():
			return nil
		}
	}
}

// tell yields what is new in the segment.
func (h *historian) tell() {
	for !h.left && h.Next() {
		l := h.Record()
		h.left = !h.yield(Transaction{l.Seq, l.Time, l.Account, l.Change, l.Note, l.Head, l.text}, nil)
	}
}
