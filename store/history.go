// The history: every transaction as the log tells it, its effects on records, and lines without
// passwords.

package store

import (
	"crypto/sha256"
	"iter"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// A Transaction is a line of the log.
type Transaction struct {
	Seq     uint64       // consecutive; 1 is the first ever
	Time    time.Time    // when it was committed, UTC
	Account int64        // id of its author
	Change  *Change      // the reader's
	Note    *record.Note // of a line that changes no record and says something; nil
	Line    []byte       // in the log, without newline; valid until the next transaction

	Head [sha256.Size]byte // hash that stands for this line and all before it
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
			err = readHistory(fsys, record.DecodeLine, wait, yield)
		}
		if err != nil {
			yield(Transaction{}, err)
		}
	}
}

// readHistory reads the log for History, and gives it to yield without errors.
func readHistory(
	fsys wal.Files,
	decode func(*wal.Line) error,
	wait func() bool,
	yield func(Transaction, error) bool,
) error {
	r := &wal.Reader{Files: fsys, Decode: decode, Live: true, Wait: wait}
	if err := r.List(); err != nil {
		return err
	}
	err := r.Follow(func(l *wal.Line) error {
		note, _ := l.Value.(*record.Note)
		if !yield(
			Transaction{l.Seq, l.Time, l.Account, record.ChangeOf(&l.Entry), note, l.Text, l.Head},
			nil,
		) {
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

// An Effect is the effect of a transaction on a record.
type Effect struct {
	Kind Kind
	ID   int64

	// Verb is created, changed, cancelled, postponed, published, trashed, restored or removed, of
	// accounts also disabled or enabled, or written for a record that may have been there before
	// the log begins.
	Verb string
	Name string // title, name or address; last one if removed, "" if unknown

	By string // Account.By

	// Members are the names on disk of the changed members, sorted, for tokens each with its
	// change; nil without a record before.
	Members []string
}

// A Past remembers every record as the last transaction left it. The zero value
// is the past of a log that is about to be read.
type Past struct {
	records map[Removal]Record
	whole   bool // from line 1 on
}

// Effects tells what a transaction did: records that others link to first,
// removals last. Transactions have to be given in their order, all of them.
func (p *Past) Effects(t Transaction) ([]Effect, error) {
	if p.records == nil {
		p.records = map[Removal]Record{}
		p.whole = t.Seq == 1
	}
	var effects []Effect
	var err error
	t.Change.Each(func(r Record) {
		key := Removal{Kind: r.Kind(), ID: r.Key()}
		e := Effect{Kind: key.Kind, ID: key.ID, Name: record.TitleOf(r)}
		old := p.records[key]
		was, _ := old.(*Account)
		now, isAccount := r.(*Account)
		switch {
		case isAccount && (was != nil || p.whole || now.Removed):
			e = accountEffect(was, now)
			e.By = now.By
		case old != nil:
			if e.Verb = record.VerbOf(old, r); e.Verb == "changed" {
				e.Verb = changeOf(old, r)
			}
			var failed error
			if e.Members, failed = record.ChangedMembers(old, r); failed != nil {
				err = failed
			}
		case p.whole:
			e.Verb = "created"
		default:
			e.Verb = "written"
		}
		p.records[key] = r
		effects = append(effects, e)
	})
	for _, gone := range t.Change.Removed {
		e := Effect{Kind: gone.Kind, ID: gone.ID, Verb: "removed"}
		if old := p.records[gone]; old != nil {
			e.Name = record.TitleOf(old)
		}
		delete(p.records, gone)
		effects = append(effects, e)
	}
	return effects, err
}

// changeOf tells whether a change cancelled or postponed an event.
func changeOf(old, r Record) string {
	was, _ := old.(*Event)
	is, _ := r.(*Event)
	switch {
	case is == nil || was.State == is.State:
	case is.State == Canceled:
		return "cancelled"
	case is.State == Postponed:
		return "postponed"
	}
	return "changed"
}

// Redacted returns the line without the passwords of events, whether they are hashes or, from
// older programs, plain texts, and without the hashes that let accounts in. The checksum in a line
// that had some does not match the result.
func (t Transaction) Redacted() []byte { return record.Redact(t.Line) }
