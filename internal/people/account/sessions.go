package account

// Sessions of people who are signed in to the desk, and links that sign in once.

import (
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"time"

	"almanac/store"
)

// Lifetimes, and the sessions of one account: one more ends the oldest.
const (
	SessionTime  = 30 * 24 * time.Hour
	linkTime     = 15 * time.Minute
	inviteTime   = 7 * 24 * time.Hour
	sessionsMost = 50
)

// ErrNoLink is the error for a link that was used, has expired, or never was.
var ErrNoLink = errors.New("there is no such link, or it was used, or it has expired")

// A Session is one browser in which an account is signed in, and its hash is its name.
type Session = store.SignIn

// Sessions has the sessions and links in a store. It is safe for concurrent use.
type Sessions struct {
	store *store.Store
	now   func() time.Time
}

// NewSessions returns the sessions in a store, whether that has their accounts or not.
func NewSessions(in *store.Store, now func() time.Time) *Sessions { return &Sessions{in, now} }

// AddLink makes a link for an account, asked for by another one, and returns its secret, which is
// stored nowhere. It works for 15 minutes, or for 7 days if it invites.
func (s *Sessions) AddLink(
	by int64,
	of Account,
	invites bool,
) (secret string, expires time.Time, err error) {
	secret, made := newLink(of, invites, s.now())
	err = s.change(by, of.ID, func(a *store.Account) error {
		a.Links = append(a.Links, made)
		return nil
	})
	return secret, made.Expires, err
}

// newLink returns a link for an account, and its secret.
func newLink(of Account, invites bool, now time.Time) (secret string, made store.Link) {
	secret, sum := newSecret()
	return secret, store.Link{
		SHA256:  sum,
		Role:    string(of.Role),
		Email:   of.Email,
		Expires: now.UTC().Add(linkLives(invites)).Truncate(time.Second),
		Invites: invites,
	}
}

// linkLives returns how long a link signs in.
func linkLives(invites bool) time.Duration {
	if invites {
		return inviteTime
	}
	return linkTime
}

// change applies f to an account without what is over. Nobody signs in to an account that is
// disabled or removed.
func (s *Sessions) change(by, of int64, f func(*store.Account) error) error {
	return s.store.Update(by, func(tx *store.Tx) error {
		a := &store.Account{Meta: store.Meta{ID: of}}
		if old, ok := tx.Get(store.Accounts, of).(*store.Account); ok {
			a = copyOf(old)
		}
		if a.Disabled || a.Removed {
			return ErrNoLink
		}
		now := s.now()
		a.SignIns = slices.DeleteFunc(a.SignIns, func(one Session) bool { return isOver(one, now) })
		a.Links = slices.DeleteFunc(a.Links, func(l store.Link) bool { return isLinkOver(l, now) })
		if err := f(a); err != nil {
			return err
		}
		return tx.Put(a)
	})
}

// aheadMost is how far in the future a session or link may have been made: clocks are put right by
// seconds. A clock that was wrong by more and was set back would make what began meanwhile live
// for that much longer.
const aheadMost = time.Hour

// isBetween reports whether something that lives for some time and ends at a moment is alive, and
// not of a clock that was set back.
func isBetween(now, ends time.Time, lives time.Duration) bool {
	left := ends.Sub(now)
	return 0 < left && left <= lives+aheadMost
}

func isOver(one Session, now time.Time) bool {
	return !isBetween(now, one.Created.Add(SessionTime), SessionTime)
}

func isLinkOver(l store.Link, now time.Time) bool {
	return !isBetween(now, l.Expires, linkLives(l.Invites))
}

// Linked returns the account of a link without using it: programs that scan mail open links too.
// The error is ErrNoLink if it signs in nobody any more.
func (s *Sessions) Linked(secret string, in *Directory) (Account, error) {
	now := s.now()
	for _, of := range *s.store.Accounts() {
		i := slices.IndexFunc(of.Links, isLink(secret))
		if i < 0 || isLinkOver(of.Links[i], now) {
			continue
		}
		a, enabled := in.Enabled(of.ID)
		if enabled && isFor(of.Links[i], a) {
			return a, nil
		}
		if err := s.End(of.ID, of.Links[i].SHA256); err != nil {
			return Account{}, err
		}
	}
	return Account{}, ErrNoLink
}

// isLink returns whether a link has a secret.
func isLink(secret string) func(store.Link) bool {
	sum := hexOf(secret)
	return func(l store.Link) bool { return isSum(l.SHA256, sum) }
}

func isSum(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// isFor reports whether a link signs in an account as it is now.
func isFor(l store.Link, a Account) bool { return l.Role == string(a.Role) && l.Email == a.Email }

// Begin makes a session of an account with a language, a browser and an address, and returns the
// value of its cookie. A link that is given is used up by it.
func (s *Sessions) Begin(of Account, linked string, one Session) (cookie string, err error) {
	secret, sum := newSecret()
	one.Role = string(of.Role)
	one.SHA256 = sum
	one.Created = s.now().UTC().Truncate(time.Second)
	err = s.change(of.ID, of.ID, func(a *store.Account) error {
		if linked != "" {
			i := slices.IndexFunc(a.Links, isLink(linked))
			if i < 0 || !isFor(a.Links[i], of) {
				return ErrNoLink
			}
			a.Links = slices.Delete(a.Links, i, i+1)
		}
		if len(a.SignIns) >= sessionsMost {
			a.SignIns = a.SignIns[1:]
		}
		a.SignIns = append(a.SignIns, one)
		return nil
	})
	return secret, err
}

// Find returns the session of a cookie with the account, as it is now. A session ends when its
// account was removed or disabled, or has another role; the zero Session is none.
func (s *Sessions) Find(cookie string, in *Directory) (Session, Account, error) {
	secret := cookie[strings.LastIndex(cookie, ".")+1:] // older programs put a name before it
	sum := hexOf(secret)
	now := s.now()
	for _, of := range *s.store.Accounts() {
		i := slices.IndexFunc(of.SignIns, func(one Session) bool { return isSum(one.SHA256, sum) })
		if i < 0 || isOver(of.SignIns[i], now) {
			continue
		}
		one := of.SignIns[i]
		if a, enabled := in.Enabled(of.ID); enabled && string(a.Role) == one.Role {
			return one, a, nil
		}
		return Session{}, Account{}, s.End(of.ID, one.SHA256)
	}
	return Session{}, Account{}, nil
}

// Of returns the sessions and the links of an account, the newest first.
func (s *Sessions) Of(account int64) (own []Session, links []store.Link) {
	now := s.now()
	for _, of := range *s.store.Accounts() {
		if of.ID != account {
			continue
		}
		for _, one := range slices.Backward(of.SignIns) {
			if !isOver(one, now) {
				own = append(own, one)
			}
		}
		for _, l := range slices.Backward(of.Links) {
			if !isLinkOver(l, now) {
				links = append(links, l)
			}
		}
	}
	return own, links
}

// End ends a session or a link of an account by its hash. One that is over already is no error.
func (s *Sessions) End(account int64, sum string) error {
	return s.change(account, account, func(a *store.Account) error {
		a.SignIns = slices.DeleteFunc(a.SignIns, func(one Session) bool { return one.SHA256 == sum })
		a.Links = slices.DeleteFunc(a.Links, func(l store.Link) bool { return l.SHA256 == sum })
		return nil
	})
}

// EndAll ends the links of an account, and its sessions but the one with a hash. It returns their
// numbers.
func (s *Sessions) EndAll(account int64, but string) (n Ended, err error) {
	err = s.change(account, account, func(a *store.Account) error {
		n = Ended{}
		n.endSessions(a, but, s.now())
		return nil
	})
	return n, err
}

// endSessions ends the links of an account, and its sessions but the one with a hash. It counts
// those that were not over.
func (n *Ended) endSessions(a *store.Account, but string, now time.Time) {
	for _, l := range a.Links {
		if !isLinkOver(l, now) {
			n.Links++
		}
	}
	a.Links = nil
	a.SignIns = slices.DeleteFunc(a.SignIns, func(one Session) bool {
		if one.SHA256 == but {
			return false
		}
		if !isOver(one, now) {
			n.SignIns++
		}
		return true
	})
}

// SetLanguage keeps a language with a session of an account.
func (s *Sessions) SetLanguage(account int64, sum, tag string) error {
	return s.change(account, account, func(a *store.Account) error {
		for i := range a.SignIns {
			if a.SignIns[i].SHA256 == sum {
				a.SignIns[i].Language = tag
			}
		}
		return nil
	})
}
