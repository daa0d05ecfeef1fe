// Which accounts the log of a directory tells of, and the lines that do.

package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"almanac/store/wal"
)

// LastAccount returns the highest id of an account in a data directory: of the accounts in
// its log, of the account of each transaction there, and of the authors of all records in
// the log and in the newest snapshot. It is 0 for a directory that has
// no log. It takes no lock, so that it can read beside a server, and needs memory for a few
// records.
//
// An error names the unreadable file. The id is then the highest in the readable files.
func LastAccount(ctx context.Context, dir string) (last int64, err error) {
	fsys, err := wal.ReadDir(dir)
	if wal.IsAbsent(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	err = beside(fsys, func(all listing) error { return lastAccount(ctx, fsys, all, &last) })
	if err == errNoLog {
		err = nil
	}
	return last, errors.Join(err, fsys.Close())
}

// lastAccount raises last to the highest id that it finds.
func lastAccount(ctx context.Context, fsys wal.Files, all listing, last *int64) error {
	note := func(r Record) {
		if p := postOf(r); p != nil {
			*last = max(*last, p.Author)
		} else if r.Kind() == Accounts {
			*last = max(*last, r.Key())
		}
	}
	var err error
	for _, seq := range slices.Backward(all.snapshots) {
		// The log or an older snapshot has the records of a damaged snapshot.
		m, damage := verifySnapshot(fsys, seq)
		if damage == nil {
			err = readSnapshot(fsys, m, nil, note)
			break
		}
	}
	return errors.Join(err, readHistory(fsys, nil, func(t Transaction, _ error) bool {
		*last = max(*last, t.Account)
		t.Change.each(note)
		return ctx.Err() == nil
	}), ctx.Err())
}

// Accounts returns the accounts that the log tells of, by their numbers, those that were
// removed among them.
func (r *Reader) Accounts() []*Account {
	return slices.SortedFunc(maps.Values(r.accounts()), byNumber)
}

func (r *Reader) accounts() accountSet {
	known := accountSet{}
	for rec := range r.Each(Accounts) {
		known[rec.Key()] = rec.(*Account)
	}
	return known
}

func byNumber(a, b *Account) int { return cmp.Compare(a.ID, b.ID) }

// NoteAccounts writes into the log what a file of accounts has otherwise than the log, and
// returns what that is. It must not be called inside a transaction.
func (s *Store) NoteAccounts(by string, r Roll) (noted []Effect, err error) {
	if _ = s.View(func(v *View) error { noted = r.differences(v.accounts(), by); return nil }); noted == nil {
		return nil, nil // as nearly always
	}
	return noted, s.Update(0, func(tx *Tx) error {
		for _, a := range r.changes(tx.accounts(), by) {
			if err := tx.Put(a); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReadAccounts returns the accounts that the log of a directory tells of, by their numbers. It
// takes no lock, so that it can read beside a server, and changes no file.
func ReadAccounts(dir string) ([]*Account, error) {
	fsys, err := wal.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var known accountSet
	err = beside(fsys, func(listing) error {
		known = accountSet{}
		_, err := new(journal).read(fsys, accountOptions(slog.New(slog.DiscardHandler)), known.load)
		return err
	})
	return slices.SortedFunc(maps.Values(known), byNumber), errors.Join(err, fsys.Close())
}

// An accountSet is accounts by number.
type accountSet map[int64]*Account

// load takes the accounts of a line.
func (s accountSet) load(e *wal.Entry) {
	for _, a := range changeOf(e).Accounts {
		s[a.ID] = a
	}
}

// accountOptions are those of a journal that is read for its accounts alone, and begins no segment.
func accountOptions(log *slog.Logger) journalOptions {
	return journalOptions{Options: wal.Options{SegmentSize: math.MaxInt64, Logger: log}, only: func(k Kind) bool { return k == Accounts }}
}

// An AccountLog is the log of a directory that no server has open, to write about accounts and
// the identity.
type AccountLog struct {
	journal *journal
	known   accountSet
}

// OpenAccountLog opens the log of a directory, and recovers it as Open does. It returns nil for
// a directory that has none: it makes no file, so that a server of another user can go on with
// all of them. A directory that a server has open is refused with ErrInUse.
func OpenAccountLog(dir string, log *slog.Logger) (*AccountLog, error) {
	fsys, err := wal.ReadDir(dir)
	if wal.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	segments, err := wal.Segments(fsys)
	if err := errors.Join(err, fsys.Close()); err != nil || len(segments) == 0 {
		return nil, err
	}
	if fsys, err = wal.OpenDir(dir); err != nil {
		return nil, err
	}
	l := &AccountLog{known: accountSet{}}
	if l.journal, _, err = openJournal(fsys, accountOptions(log), l.known.load); err != nil {
		return nil, err
	}
	return l, nil
}

// Note does what NoteAccounts does.
func (l *AccountLog) Note(by string, r Roll, now time.Time) error {
	c := &Change{Accounts: r.changes(l.known, by)}
	if c.Empty() {
		return nil
	}
	seq := l.journal.at.Seq + 1
	for _, a := range c.Accounts {
		if err := checkForm(a); err != nil {
			return err
		}
		a.setKey(a.ID, seq)
	}
	e := wal.Entry{Seq: seq, Time: now.UTC(), Value: c}
	err := l.journal.commit([]wal.Entry{e})
	if err == nil {
		l.known.load(&e)
	}
	return err
}

// SetIdentity gives the calendar another identity, and returns the one before.
func (l *AccountLog) SetIdentity(host string, now time.Time) (before string, err error) {
	before = l.journal.at.Identity
	return before, l.journal.identify(host, now)
}

// Close leaves the directory to others.
func (l *AccountLog) Close() error { return l.journal.Close() }
