// Accounts: all of them at once, and their history in the log.

package store

import (
	"cmp"
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

// accountEffect tells what became of an account; was is nil for a new account.
func accountEffect(was, is *Account) Effect {
	e := Effect{Kind: Accounts, ID: is.ID, Verb: "changed", Name: is.Login}
	if was == nil {
		was = new(Account)
		e.Verb = "created"
	}
	switch {
	case is.Login == "" && !is.Removed:
		e.Verb = "changed" // of an account that a file has
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
	e.Members = slices.Concat(
		e.Members,
		secretChanges("token ", was.Tokens, is.Tokens),
		secretChanges("feed ", was.Feeds, is.Feeds),
		waysIn(was.SignIns, is.SignIns, signInHash, "signed in", "sign-in ended"),
		waysIn(was.Links, is.Links, linkHash, "link made", "link ended"),
	)
	return e
}

func signInHash(one SignIn) string { return one.SHA256 }

func linkHash(l Link) string { return l.SHA256 }

// secretChanges tells what became of the tokens or the feeds of an account. Two may have one name.
func secretChanges(kind string, were, are []Secret) (changes []string) {
	were = slices.Clone(were)
	tell := func(s Secret, what string) {
		name := kind + strconv.Quote(s.Name)
		if s.Plain {
			name = "token in plain text"
		}
		changes = append(changes, name+" "+what)
	}
	for pass, same := range []func(a, b Secret) bool{
		isSecret,
		func(a, b Secret) bool { return a.Name == b.Name && a.Plain == b.Plain },
	} {
		are = slices.DeleteFunc(slices.Clone(are), func(s Secret) bool {
			i := slices.IndexFunc(were, func(w Secret) bool { return same(w, s) })
			if i < 0 {
				return false
			}
			if pass > 0 {
				tell(s, "replaced")
			}
			were = slices.Delete(were, i, i+1)
			return true
		})
	}
	for _, s := range are {
		tell(s, "made")
	}
	for _, s := range were {
		tell(s, "revoked")
	}
	return changes
}

// isSecret reports whether two are the same secret. One that an older program told of has no hash.
func isSecret(a, b Secret) bool {
	if (a.SHA256 == "") != (b.SHA256 == "") {
		a.SHA256, b.SHA256 = "", ""
		a.Mark, b.Mark = "", ""
		a.Plain, b.Plain = false, false
	}
	return a == b
}

// waysIn tells what became of sign-ins or links, by their hashes.
func waysIn[T any](were, are []T, hash func(T) string, begun, ended string) (changes []string) {
	tell := func(of, others []T, what string) {
		for _, one := range of {
			same := func(other T) bool { return hash(other) == hash(one) }
			if !slices.ContainsFunc(others, same) {
				changes = append(changes, what)
			}
		}
	}
	tell(are, were, begun)
	tell(were, are, ended)
	return changes
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

// Accounts returns the accounts by their numbers, those that were removed among them.
func (r *Reader) Accounts() (all []*Account) {
	for rec := range r.Each(Accounts) {
		all = append(all, rec.(*Account))
	}
	slices.SortFunc(all, byNumber)
	return all
}

// noteAccounts notes the accounts of the index.
func (s *Store) noteAccounts() {
	all := (&Reader{base: s.index}).Accounts()
	s.accounts.Store(&all)
}

func byNumber(a, b *Account) int { return cmp.Compare(a.ID, b.ID) }

// Accounts returns the accounts by their numbers, as Reader.Accounts does. It waits for nobody, so
// that transactions may ask it too, and returns the same pointer until one of them changes.
func (s *Store) Accounts() *[]*Account { return s.accounts.Load() }

// ReadAccounts returns the accounts of a directory by their numbers, those that were removed among
// them. It takes no lock, so that it can read beside a server, and changes no file.
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
	if err == wal.ErrNoLog {
		err = nil
	}
	return slices.SortedFunc(maps.Values(known), byNumber), errors.Join(err, fsys.Close())
}

// OpenAccountLog opens the store of a directory to change accounts and the identity. It returns
// nil for a directory that has no log: it makes no file, so that a server of another user can go
// on with all of them. A directory that a server has open is refused with ErrInUse.
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
