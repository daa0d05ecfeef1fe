// The history: every transaction as the log tells it, for those who ask who
// changed what.

package store

import (
	"crypto/sha256"
	"iter"
	"time"

	"almanac/store/wal"
)

// A Transaction is a line of the log.
type Transaction struct {
	Seq     uint64    // consecutive; 1 is the first ever
	Time    time.Time // when it was committed, UTC
	Account int64     // id of its author
	Change  *Change   // the reader's
	Note    *Note     // of a line that changes no record and says something; nil
	Head    [sha256.Size]byte
	Line    []byte // in the log, without newline; valid until the next transaction
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
		fsys, err := wal.ReadDir(dir)
		if err == nil {
			defer fsys.Close()
			err = readHistory(fsys, wait, yield)
		}
		if err != nil {
			yield(Transaction{}, err)
		}
	}
}

// readHistory reads the log for History, and gives it to yield without errors.
func readHistory(fsys wal.Files, wait func() bool, yield func(Transaction, error) bool) error {
	r := &wal.Reader{Files: fsys, Decode: decodeLine, Live: true, Wait: wait}
	if err := r.List(); err != nil {
		return err
	}
	err := r.Follow(func(l *wal.Line) error {
		note, _ := l.Value.(*Note)
		if !yield(Transaction{l.Seq, l.Time, l.Account, changeOf(&l.Entry), note, l.Head, l.Text}, nil) {
			return wal.ErrStop
		}
		return nil
	}, func(err error) error {
		if !wal.IsAbsent(err) || r.First > 0 {
			return err
		}
		r.Chain = wal.Chain{} // pruned since it was listed
		err = r.List()
		r.Next = r.Chain
		return err
	})
	if err == wal.ErrStop {
		return nil
	}
	return err
}
