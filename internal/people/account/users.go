package account

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/store"
)

// Errors of changes that are valid but refused.
var (
	ErrNoUser    = errors.New("there is no such user")
	ErrNoToken   = errors.New("there is no such token")
	ErrNoFeed    = errors.New("there is no such feed")
	ErrLastAdmin = errors.New("it is the last administrator who is not disabled")
	ErrFeeds     = fmt.Errorf("an account has at most %d feeds: revoke one first", FeedsMost)
	ErrNoRight   = errors.New("the account may not change that any more")
	ErrFixed     = errors.New("the server may not change its accounts")
)

// FeedsMost is how many secret feeds an account has.
const FeedsMost = 20

// Users is the accounts of a store during a change; see Change. Users are named by login or e-mail
// address, in any letter case.
type Users struct {
	now time.Time
	tx  *store.Tx
}

// Change applies f to the accounts of a store, for nobody: for who may write to its files. After an
// error nothing changed.
func Change(st *store.Store, now time.Time, f func(*Users) error) error {
	return change(st, 0, now, f)
}

// change applies f for an account. The accounts that it leaves obey the rules of a roster.
func change(st *store.Store, by int64, now time.Time, f func(*Users) error) error {
	return st.Update(by, func(tx *store.Tx) error {
		if err := f(&Users{now, tx}); err != nil {
			return err
		}
		_, err := newRoster(tx.Accounts())
		return err
	})
}

// members returns the accounts with all changes, by their ids.
func (u *Users) members() []*store.Account {
	return slices.DeleteFunc(u.tx.Accounts(), func(a *store.Account) bool { return !a.IsMember() })
}

// find returns a copy of the account with a login or an address, to be changed and put.
func (u *Users) find(name string) (*store.Account, error) {
	var logins []string
	for _, a := range u.members() {
		if strings.EqualFold(a.Login, name) || a.Email != "" && strings.EqualFold(a.Email, name) {
			return copyOf(a), nil
		}
		logins = append(logins, a.Login)
	}
	return new(store.Account), fmt.Errorf(
		"%w: %q; there are %s",
		ErrNoUser,
		name,
		enumerate(logins),
	)
}

// copyOf returns a copy of an account, whose lists may be changed.
func copyOf(a *store.Account) *store.Account {
	next := *a
	next.By = ""
	next.Tokens = slices.Clone(a.Tokens)
	next.Feeds = slices.Clone(a.Feeds)
	next.SignIns = slices.Clone(a.SignIns)
	next.Links = slices.Clone(a.Links)
	return &next
}

// enumerate joins names; it shortens a long list.
func enumerate(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// Add adds an account and returns it with its id. An id is never reused, because records keep the
// id of a removed author. Without an id the account gets the next unused one; a given id must be
// higher than all used ones.
func (u *Users) Add(a Account) (Account, error) {
	last := u.tx.LastAccount()
	for _, other := range u.members() {
		if strings.EqualFold(other.Login, a.Login) {
			return a, fmt.Errorf(
				"there is a user %q already: id %d, %s",
				other.Login,
				other.ID,
				other.Role,
			)
		}
	}
	switch {
	case len(u.members()) == 0 && a.Role != Administrator:
		return a, errors.New("there is no account yet: the first one must be an administrator")
	case a.ID == 0 && last == math.MaxInt64:
		return a, errors.New("there is no higher id than the last one")
	case a.ID == 0:
		a.ID = last + 1
	case a.ID <= last:
		return a, fmt.Errorf(
			"id %d: ids up to %d have been used, and none is given twice; leave it out, or give a higher one",
			a.ID,
			last,
		)
	}
	added := &store.Account{Login: a.Login, Role: string(a.Role), Email: a.Email}
	added.ID = a.ID
	if err := check(a); err != nil {
		return a, err
	}
	return a, u.tx.Put(added)
}

// check refuses an account that no record can be of.
func check(a Account) error {
	return (&roster{}).check(&member{Account: a})
}

// Remove removes and returns an account with all ways into it. Its records keep its id as author.
func (u *Users) Remove(name string, force bool) (Account, error) {
	a, err := u.findSpare(name, force)
	if err != nil {
		return accountOf(a), err
	}
	gone := &store.Account{Meta: a.Meta, Login: a.Login, Removed: true}
	return accountOf(a), u.tx.Put(gone)
}

// Disable invalidates all tokens and feeds of an account until Enable, and ends its sessions. It
// returns the account.
func (u *Users) Disable(name string, force bool) (Account, error) {
	a, err := u.findSpare(name, force)
	if err != nil {
		return accountOf(a), err
	}
	a.Disabled = true
	signOut(a)
	return accountOf(a), u.tx.Put(a)
}

// Enable makes the tokens and feeds of an account valid again.
func (u *Users) Enable(name string) (Account, error) {
	a, err := u.find(name)
	if err != nil {
		return accountOf(a), err
	}
	a.Disabled = false
	return accountOf(a), u.tx.Put(a)
}

// SetRole changes the role of an account, and returns the account. The tokens stay, and sessions
// end with another role.
func (u *Users) SetRole(name string, role Role, force bool) (Account, error) {
	a, err := u.findSpare(name, force || role == Administrator)
	if err != nil {
		return accountOf(a), err
	}
	if a.Role != string(role) {
		signOut(a)
	}
	a.Role = string(role)
	return accountOf(a), u.tx.Put(a)
}

// signOut ends the sessions and the links of an account.
func signOut(a *store.Account) {
	a.SignIns = nil
	a.Links = nil
}

// Account returns the account with a login or an address, unless it is disabled.
func (u *Users) Account(name string) (Account, error) {
	a, err := u.find(name)
	if err == nil && a.Disabled {
		err = fmt.Errorf("user %q is disabled; enable it first", a.Login)
	}
	return accountOf(a), err
}

// findSpare is find for a user to remove, to disable or to give another role: it refuses the last
// administrator, unless force is set.
func (u *Users) findSpare(name string, force bool) (*store.Account, error) {
	a, err := u.find(name)
	isAdmin := func(a *store.Account) bool { return a.Role == string(Administrator) && !a.Disabled }
	if err != nil || force || !isAdmin(a) {
		return a, err
	}
	for _, other := range u.members() {
		if isAdmin(other) && other.ID != a.ID {
			return a, nil
		}
	}
	return a, fmt.Errorf("%q: %w", a.Login, ErrLastAdmin)
}

// NewToken returns a token of 256 random bits that a double click selects entirely.
func NewToken() string {
	secret, _ := newSecret()
	return "alm_" + secret
}

// newSecret returns a random secret with its hash.
func newSecret() (secret, sum string) {
	var bits [32]byte
	rand.Read(bits[:]) // never fails, see crypto/rand
	secret = hex.EncodeToString(bits[:])
	return secret, hexOf(secret)
}

// AddToken creates a token for an account and returns it with its name. The store does not contain
// it, so it cannot be shown again. The default name is token-1, or the next free number. A zero
// expires means never.
func (u *Users) AddToken(user, name string, expires time.Time) (token, called string, err error) {
	a, err := u.find(user)
	if err != nil {
		return "", "", err
	}
	token = NewToken()
	made, err := u.made("token", a, a.Tokens, store.Secret{Name: name}, token, expires)
	if err != nil {
		return "", "", err
	}
	a.Tokens = append(a.Tokens, made)
	return token, made.Name, u.tx.Put(a)
}

// AddLink makes a link for an account, and returns its secret. It works for 15 minutes.
func (u *Users) AddLink(user string) (secret string, err error) {
	a, err := u.find(user)
	if err != nil {
		return "", err
	}
	secret, made := newLink(accountOf(a), false, u.now)
	a.Links = append(a.Links, made)
	return secret, u.tx.Put(a)
}

// AddFeed creates a secret feed of an account, with the rights of that and a checked filter, and
// returns the secret of its address with its name. The rules are those of AddToken; the default
// name is feed-1.
func (u *Users) AddFeed(
	user, name, filter string,
	expires time.Time,
) (secret, called string, err error) {
	a, err := u.find(user)
	switch {
	case err != nil:
		return "", "", err
	case len(a.Feeds) >= FeedsMost:
		return "", "", fmt.Errorf("user %q: %w", a.Login, ErrFeeds)
	case utf8.RuneCountInString(name) > 100:
		return "", "", errors.New("the name of a feed has at most 100 characters")
	}
	secret, _ = newSecret()
	named := store.Secret{Name: name, Filter: filter}
	made, err := u.made("feed", a, a.Feeds, named, secret, expires)
	if err != nil {
		return "", "", err
	}
	a.Feeds = append(a.Feeds, made)
	return secret, made.Name, u.tx.Put(a)
}

// made completes a new secret of an account beside others of its kind.
func (u *Users) made(
	kind string,
	a *store.Account,
	others []store.Secret,
	s store.Secret,
	secret string,
	expires time.Time,
) (store.Secret, error) {
	for n := 1; s.Name == ""; n++ {
		if next := fmt.Sprintf("%s-%d", kind, n); !slices.ContainsFunc(others, isNamed(next)) {
			s.Name = next
		}
	}
	switch {
	case !isName(s.Name):
		return s, fmt.Errorf(
			"the name of the %s, %q, must not hold colons, control characters or outer spaces",
			kind,
			s.Name,
		)
	case slices.ContainsFunc(others, isNamed(s.Name)):
		return s, fmt.Errorf(
			"user %q has a %s %q already: revoke it, or choose another name",
			a.Login,
			kind,
			s.Name,
		)
	case !expires.IsZero() && !u.now.Before(expires):
		return s, fmt.Errorf(
			"the %s would have expired at %s; give a time that is ahead",
			kind,
			expires.Format(time.RFC3339),
		)
	}
	s.SHA256 = hexOf(secret)
	s.Created = u.now.UTC().Format(time.RFC3339)
	if !expires.IsZero() {
		s.Expires = expires.UTC().Format(time.RFC3339)
	}
	return s, nil
}

// isNamed returns whether a secret has a name.
func isNamed(name string) func(store.Secret) bool {
	return func(s store.Secret) bool { return s.Name == name }
}

// Revoke removes the tokens of an account with a name. It returns their number.
func (u *Users) Revoke(user, name string) (n int, err error) {
	a, err := u.find(user)
	if err == nil {
		n, err = drop(&a.Tokens, name, a.Login, ErrNoToken)
	}
	if err != nil {
		return 0, err
	}
	return n, u.tx.Put(a)
}

// RevokeFeed removes a secret feed of an account.
func (u *Users) RevokeFeed(user, name string) error {
	a, err := u.find(user)
	if err == nil {
		_, err = drop(&a.Feeds, name, a.Login, ErrNoFeed)
	}
	if err != nil {
		return err
	}
	return u.tx.Put(a)
}

// drop removes the secrets with a name, and returns their number.
func drop(secrets *[]store.Secret, name, login string, missing error) (int, error) {
	var names []string
	for _, s := range *secrets {
		names = append(names, s.Name)
	}
	*secrets = slices.DeleteFunc(*secrets, isNamed(name))
	n := len(names) - len(*secrets)
	if n == 0 {
		return 0, fmt.Errorf(
			"%w: %q of user %q; there are %s",
			missing,
			name,
			login,
			enumerate(names),
		)
	}
	return n, nil
}

// Ended counts ways into accounts.
type Ended struct{ Tokens, Feeds, SignIns, Links int }

// RevokeAll removes all tokens and secret feeds of an account, and ends its links and its sessions
// but the one with a hash. Without a name it does so for every account. It returns the named
// account, and the numbers.
func (u *Users) RevokeAll(user, but string) (of Account, n Ended, err error) {
	all := u.tx.Accounts()
	if user != "" {
		a, err := u.find(user)
		if err != nil {
			return of, n, err
		}
		of = accountOf(a)
		all = []*store.Account{a}
	}
	for _, a := range all {
		before := n
		a = copyOf(a)
		n.Tokens += len(a.Tokens)
		n.Feeds += len(a.Feeds)
		a.Tokens = nil
		a.Feeds = nil
		n.endSessions(a, but, u.now)
		if n == before {
			continue
		}
		if err := u.tx.Put(a); err != nil {
			return of, n, err
		}
	}
	return of, n, nil
}
