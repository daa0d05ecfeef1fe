// Accounts: their history in the log, and the lines that tell of them. The file of the accounts
// alone gives rights.

package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"almanac/store/record"
	"almanac/store/wal"
)

// A Roll is the accounts that a file has at one moment.
type Roll struct {
	Accounts []*Account // with what the file has
	By       int64      // account that made the change; 0 is unknown
	Last     int64      // highest number that the file ever gave to an account
}

// tells reports whether two say the same of an account.
func tells(a *Account, b *Account) bool {
	return a.Login == b.Login && a.Role == b.Role && a.Email == b.Email && a.Disabled == b.Disabled && a.Removed == b.Removed &&
		slices.Equal(a.Tokens, b.Tokens) &&
		slices.Equal(a.Feeds, b.Feeds)
}

// changes returns what is to be put so that the log tells of a roll, and the accounts that it has
// told of, by number.
func (r Roll) changes(told []*Account, by string) (changed []*Account, known map[int64]*Account) {
	here := map[int64]bool{}
	last := int64(0)
	known = map[int64]*Account{}
	for _, a := range told {
		known[a.ID] = a
	}
	for _, a := range r.Accounts {
		here[a.ID] = true
		a := *a
		a.By = by
		if was := known[a.ID]; was == nil || !tells(was, &a) {
			changed = append(changed, &a)
		}
	}
	for id, was := range known {
		last = max(last, id)
		if !here[id] && !was.Removed {
			changed = append(changed, &Account{
				Meta: Meta{
					ID: id,
				},
				Login:   was.Login,
				Removed: true,
				By:      by,
			})
		}
	}
	if r.Last > last && !here[r.Last] {
		changed = append(changed, &Account{Meta: Meta{ID: r.Last}, Removed: true, By: by})
	}
	for _, a := range changed {
		if was := known[a.ID]; was != nil {
			a.More = was.More
		}
	}
	slices.SortFunc(changed, byNumber)
	return changed, known
}

// Differences returns what a file has otherwise than the log, as what happened to accounts
// since the log told of them last.
func (r Roll) Differences(told []*Account) (effects []Effect) {
	changed, known := r.changes(told, ByFound)
	for _, a := range changed {
		effects = append(effects, accountEffect(known[a.ID], a))
	}
	return effects
}

// accountEffect tells what became of an account; was is nil for a new account.
func accountEffect(was, is *Account) Effect {
	e := Effect{Kind: Accounts, ID: is.ID, Verb: "changed", Name: is.Login}
	if was == nil {
		was = new(Account)
		e.Verb = "created"
	}
	switch {
	case is.Removed:
		e.Verb = "removed"
		e.Name = cmp.Or(was.Login, is.Login)
		return e
	case was.Removed:
		e.Verb = "restored"
	case was.Login == "":
	case is.Disabled && !was.Disabled:
		e.Verb = "disabled"
	case was.Disabled && !is.Disabled:
		e.Verb = "enabled"
	}
	for _, m := range []struct{ name, was, is string }{
		{"email", was.Email, is.Email}, {"login", was.Login, is.Login}, {"role", was.Role, is.Role},
	} {
		switch {
		case m.was == m.is || m.name == "login" && m.was == "":
		case m.name == "role" && m.was == "":
			e.Members = append(e.Members, "role "+m.is)
		case m.name == "role":
			e.Members = append(e.Members, "role "+m.was+" to "+m.is)
		default:
			e.Members = append(e.Members, m.name)
		}
	}
	e.Members = append(e.Members, tokenChanges("token ", was.Tokens, is.Tokens)...)
	e.Members = append(e.Members, tokenChanges("feed ", was.Feeds, is.Feeds)...)
	return e
}

// tokenChanges tells what became of the tokens or the feeds of an account. Two may have one name.
func tokenChanges(kind string, were, are []AccountToken) (changes []string) {
	were = slices.Clone(were)
	tell := func(t AccountToken, what string) {
		name := kind + strconv.Quote(t.Name)
		if t.Plain {
			name = "token in plain text"
		}
		changes = append(changes, name+" "+what)
	}
	for pass, same := range []func(a, b AccountToken) bool{
		func(a, b AccountToken) bool { return a == b },
		func(a, b AccountToken) bool { a.Fingerprint = ""; b.Fingerprint = ""; return a == b },
		func(a, b AccountToken) bool { return a.Name == b.Name && a.Plain == b.Plain },
	} {
		are = slices.DeleteFunc(slices.Clone(are), func(t AccountToken) bool {
			i := slices.IndexFunc(were, func(w AccountToken) bool { return same(w, t) })
			if i < 0 {
				return false
			}
			switch {
			case pass == 1 && were[i].Fingerprint == "":
				tell(t, "can be told from others")
			case pass > 0:
				tell(t, "replaced")
			}
			were = slices.Delete(were, i, i+1)
			return true
		})
	}
	for _, t := range are {
		tell(t, "made")
	}
	for _, t := range were {
		tell(t, "revoked")
	}
	return changes
}

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
	err = wal.AttemptLog(fsys, func(all wal.Listing) error {
		note := func(r Record) { last = max(last, accountOf(r)) }
		var err error
		for _, seq := range slices.Backward(all.Snapshots) {
			// The log or an older snapshot has the records of a damaged snapshot.
			m, damage := wal.VerifySnapshot(fsys, seq, record.SnapshotFiles)
			if damage == nil {
				err = record.ReadSnapshot(fsys, m, nil, note)
				break
			}
		}
		return errors.Join(
			err,
			readHistory(fsys, record.DecodeLine, nil, func(t Transaction, _ error) bool {
				last = max(last, t.Account)
				t.Change.Each(note)
				return ctx.Err() == nil
			}),
			ctx.Err(),
		)
	})
	if err == wal.ErrNoLog {
		err = nil
	}
	return last, errors.Join(err, fsys.Close())
}

// accountOf returns the id of the account that a record is or is by; 0 is none.
func accountOf(r Record) int64 {
	if p := PostOf(r); p != nil {
		return p.Author
	} else if r.Kind() == Accounts {
		return r.Key()
	}
	return 0
}

// LastAccount returns the highest id of an account among the records.
func (r *Reader) LastAccount() (last int64) {
	for k := range kinds {
		for one := range r.Each(k) {
			last = max(last, accountOf(one))
		}
	}
	return last
}

// Accounts returns the accounts that the log tells of, by their numbers, those that were
// removed among them.
func (r *Reader) Accounts() (all []*Account) {
	for rec := range r.Each(Accounts) {
		all = append(all, rec.(*Account))
	}
	slices.SortFunc(all, byNumber)
	return all
}

func byNumber(a, b *Account) int { return cmp.Compare(a.ID, b.ID) }

// NoteAccounts writes into the log what a file of accounts has otherwise than the log, and
// returns what that is. It must not be called inside a transaction.
func (s *Store) NoteAccounts(by string, r Roll) (noted []Effect, err error) {
	if _ = s.View(func(v *View) error { noted = r.Differences(v.Accounts()); return nil }); noted == nil {
		return nil, nil // as nearly always
	}
	return noted, s.Update(r.By, func(tx *Tx) error {
		changed, _ := r.changes(tx.Accounts(), by)
		for _, a := range changed {
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
	var known map[int64]*Account
	err = wal.AttemptLog(fsys, func(wal.Listing) error {
		known = map[int64]*Account{}
		o := journalOptions{
			only: func(k Kind) bool { return k == Accounts },
			Options: wal.Options{
				Logger: slog.New(slog.DiscardHandler),
			},
		}
		_, err := new(journal).read(fsys, o, func(e *wal.Entry) {
			for _, a := range record.ChangeOf(e).Accounts {
				known[a.ID] = a
			}
		})
		return err
	})
	return slices.SortedFunc(maps.Values(known), byNumber), errors.Join(err, fsys.Close())
}

// OpenAccountLog opens the store of a directory to write about accounts and the identity. It
// returns nil for a directory that has no log: it makes no file, so that a server of another user
// can go on with all of them. A directory that a server has open is refused with ErrInUse.
func OpenAccountLog(dir string, now func() time.Time, log *slog.Logger) (*Store, error) {
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
	return Open(Options{Dir: dir, Now: now, Logger: log, Segment: math.MaxInt64, Snapshot: -1})
}
