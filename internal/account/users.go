package account

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/jsonout"
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

// Users is the content of a users file during a change; see Change. Users are named by login or
// e-mail address, in any letter case. Unknown content of the file stays.
type Users struct {
	now  time.Time
	file *object
	list []*object // member "users"
	used int64     // highest id known as used; see Reserve

	written func(Roll) // see Written
}

// Written sets a function that receives the written file before the lock is released.
func (u *Users) Written(f func(Roll)) { u.written = f }

// keyName is the member of the file with the key of Fingerprint.
const keyName = "mark_key"

// bytes returns the changed file, and its content. It must obey the rules of a users file.
func (u *Users) bytes() ([]byte, Roll, error) {
	if err := u.file.set("users", u.list); err != nil {
		return nil, Roll{}, err
	}
	data, err := indented(u.file)
	if err != nil {
		return nil, Roll{}, err
	}
	users, err := parse(data)
	if err != nil {
		return nil, Roll{}, err
	}
	return data, users.roll, nil
}

// entries returns the users with all changes. Read has checked the file, and changes keep it
// readable.
func (u *Users) entries() []userEntry {
	all := make([]userEntry, len(u.list))
	for i, o := range u.list {
		data, _ := json.Marshal(o)
		_ = json.Unmarshal(data, &all[i])
	}
	return all
}

// find returns the user with a login or an address.
func (u *Users) find(name string) (i int, e userEntry, err error) {
	var logins []string
	for i, e := range u.entries() {
		if strings.EqualFold(e.Login, name) || e.Email != "" && strings.EqualFold(e.Email, name) {
			return i, e, nil
		}
		logins = append(logins, e.Login)
	}
	return 0, e, fmt.Errorf("%w: %q; there are %s", ErrNoUser, name, enumerate(logins))
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

// Reserve marks ids up to last as used, so that Add skips them. Records and the log may have ids
// of accounts from a users file that was lost.
func (u *Users) Reserve(last int64) { u.used = max(u.used, last) }

// Add adds an account and returns it with its id. An id is never reused, because records keep the
// id of a removed author. Without an id the account gets the next unused one; a given id must be
// higher than all used ones.
func (u *Users) Add(a Account) (Account, error) {
	last, err := u.lastID()
	if err != nil {
		return a, err
	}
	if a.ID == 0 {
		if last == math.MaxInt64 {
			return a, errors.New("there is no higher id than the last one")
		}
		a.ID = last + 1
	}
	known := false
	for _, e := range u.entries() {
		if strings.EqualFold(e.Login, a.Login) {
			return a, fmt.Errorf("there is a user %q already: id %d, %s", e.Login, e.ID, e.Role)
		}
		known = known || e.ID == a.ID // the login's error names it
	}
	if a.ID > 0 && a.ID <= last && !known {
		return a, fmt.Errorf(
			"id %d: ids up to %d have been used, and none is given twice; leave it out, or give a higher one. "+
				"To give somebody an account back that was lost, write it into the users file",
			a.ID,
			last,
		)
	}
	text, err := jsonout.Marshal(a)
	if err != nil {
		return a, err
	}
	added := &object{}
	u.list = append(u.list, added)
	return a, added.UnmarshalJSON(text)
}

// lastID returns the highest id that was ever used: from the accounts, "last_id", which Remove
// writes, and Reserve.
func (u *Users) lastID() (last int64, err error) {
	if err := u.file.decode("last_id", &last); err != nil {
		return 0, fmt.Errorf("last_id: %w", err)
	}
	last = max(last, u.used)
	for _, e := range u.entries() {
		last = max(last, e.ID)
	}
	return last, nil
}

// Remove removes and returns an account with its tokens. Its records keep its id as author.
func (u *Users) Remove(name string, force bool) (Account, error) {
	i, e, err := u.findSpare(name, force)
	if err != nil {
		return e.account(), err
	}
	last, err := u.lastID()
	if err != nil {
		return e.account(), err
	}
	u.list = slices.Delete(u.list, i, i+1)
	if e.ID == last {
		err = u.file.set("last_id", last)
	}
	return e.account(), err
}

// Disable invalidates all tokens of an account until Enable, and returns the account.
func (u *Users) Disable(name string, force bool) (Account, error) {
	i, e, err := u.findSpare(name, force)
	if err == nil {
		err = u.list[i].set("disabled", true)
	}
	return e.account(), err
}

func (u *Users) Enable(name string) (Account, error) {
	i, e, err := u.find(name)
	if err == nil {
		u.list[i].remove("disabled")
	}
	return e.account(), err
}

// SetRole changes the role of an account, and returns the account. The tokens stay.
func (u *Users) SetRole(name string, role Role, force bool) (Account, error) {
	i, e, err := u.findSpare(name, force || role == Administrator)
	if err == nil {
		e.Role = role
		err = u.list[i].set("role", role)
	}
	return e.account(), err
}

// Account returns the account with a login or an address, unless it is disabled.
func (u *Users) Account(name string) (Account, error) {
	_, e, err := u.find(name)
	if err == nil && e.Disabled {
		err = fmt.Errorf("user %q is disabled; enable it first", e.Login)
	}
	return e.account(), err
}

// findSpare is find for a user to remove, to disable or to give another role: it refuses the last
// administrator, unless force is set.
func (u *Users) findSpare(name string, force bool) (i int, e userEntry, err error) {
	i, e, err = u.find(name)
	if err != nil || force || e.Role != Administrator || e.Disabled {
		return i, e, err
	}
	for _, other := range u.entries() {
		if other.Role == Administrator && !other.Disabled && other.ID != e.ID {
			return i, e, nil
		}
	}
	return i, e, fmt.Errorf("%q: %w", e.Login, ErrLastAdmin)
}

// A secretKind is a member of a user with a list of secrets.
type secretKind struct {
	member, word string
	missing      error
	of           func(userEntry) []tokenEntry
}

var (
	tokenKind = secretKind{
		"tokens",
		"token",
		ErrNoToken,
		func(e userEntry) []tokenEntry { return e.Tokens },
	}
	feedKind = secretKind{
		"feeds",
		"feed",
		ErrNoFeed,
		func(e userEntry) []tokenEntry { return e.Feeds },
	}
)

// AddToken creates a token for an account and returns it with its name. The file does not contain
// it, so it cannot be shown again. The default name is token-1, or the next free number. A zero
// expires means never.
func (u *Users) AddToken(user, name string, expires time.Time) (token, called string, err error) {
	i, e, err := u.find(user)
	if err != nil {
		return "", "", err
	}
	if e.Token != "" {
		return "", "", fmt.Errorf(
			"user %q has a token in plain text, which is for tests: revoke it first",
			e.Login,
		)
	}
	u.list[i].remove("token") // empty
	token = NewToken()
	called, err = u.addSecret(tokenKind, i, e, token, tokenEntry{Name: name}, expires)
	return token, called, err
}

// AddFeed creates a secret feed of an account, with the rights of that and a checked filter, and
// returns the secret of its address with its name. The rules are those of AddToken; the default
// name is feed-1.
func (u *Users) AddFeed(
	user, name, filter string,
	expires time.Time,
) (secret, called string, err error) {
	i, e, err := u.find(user)
	if err != nil {
		return "", "", err
	}
	switch {
	case len(e.Feeds) >= FeedsMost:
		return "", "", fmt.Errorf("user %q: %w", e.Login, ErrFeeds)
	case utf8.RuneCountInString(name) > 100:
		return "", "", errors.New("the name of a feed has at most 100 characters")
	}
	secret, _ = newSecret()
	called, err = u.addSecret(feedKind, i, e, secret, tokenEntry{
		Name:   name,
		Filter: filter,
	}, expires)
	return secret, called, err
}

// addSecret adds the entry of a secret to a user, and returns its name.
func (u *Users) addSecret(
	kind secretKind,
	i int,
	e userEntry,
	secret string,
	made tokenEntry,
	expires time.Time,
) (name string, err error) {
	taken := func(name string) bool {
		return slices.ContainsFunc(kind.of(e), func(t tokenEntry) bool { return t.Name == name })
	}
	for n := 1; made.Name == ""; n++ {
		if next := fmt.Sprintf("%s-%d", kind.word, n); !taken(next) {
			made.Name = next
		}
	}
	switch {
	case !isName(made.Name):
		return "", fmt.Errorf(
			"the name of the %s, %q, must not hold colons, control characters or outer spaces",
			kind.word,
			made.Name,
		)
	case taken(made.Name):
		return "", fmt.Errorf(
			"user %q has a %s %q already: revoke it, or choose another name",
			e.Login,
			kind.word,
			made.Name,
		)
	case !expires.IsZero() && !u.now.Before(expires):
		return "", fmt.Errorf(
			"the %s would have expired at %s; give a time that is ahead",
			kind.word,
			expires.Format(time.RFC3339),
		)
	}
	sum := hash(secret)
	made.SHA256 = hex.EncodeToString(sum[:])
	made.Created = u.now.UTC().Format(time.RFC3339)
	if !expires.IsZero() {
		made.Expires = expires.UTC().Format(time.RFC3339)
	}
	var all []json.RawMessage // keeps unknown members of other secrets
	if err := u.list[i].decode(kind.member, &all); err != nil {
		return "", err
	}
	value, err := jsonout.Marshal(made)
	if err != nil {
		return "", err
	}
	return made.Name, u.list[i].set(kind.member, append(all, value))
}

// Revoke removes the tokens of an account with a name. It returns their number.
func (u *Users) Revoke(user, name string) (int, error) {
	i, e, err := u.find(user)
	if err != nil {
		return 0, err
	}
	return u.dropSecrets(tokenKind, i, e, name)
}

// RevokeAll removes all tokens of an account, also one in plain text, and all secret feeds.
// Without a name it does so for every account. It returns the named account, and their numbers.
func (u *Users) RevokeAll(user string) (of Account, tokens, feeds int, err error) {
	if user != "" {
		_, named, err := u.find(user)
		if err != nil {
			return of, 0, 0, err
		}
		of = named.account()
	}
	for i, e := range u.entries() {
		if user != "" && e.ID != of.ID {
			continue
		}
		tokens += len(e.Tokens)
		if e.Token != "" {
			tokens++
		}
		feeds += len(e.Feeds)
		for _, member := range []string{"token", "tokens", "feeds"} {
			u.list[i].remove(member)
		}
	}
	return of, tokens, feeds, nil
}

// RevokeFeed removes a secret feed of an account.
func (u *Users) RevokeFeed(user, name string) error {
	i, e, err := u.find(user)
	if err == nil {
		_, err = u.dropSecrets(feedKind, i, e, name)
	}
	return err
}

// dropSecrets removes the secrets with a name, and returns their number.
func (u *Users) dropSecrets(kind secretKind, i int, e userEntry, name string) (int, error) {
	var all []json.RawMessage
	left := []json.RawMessage{}
	if err := u.list[i].decode(kind.member, &all); err != nil {
		return 0, err
	}
	var names []string
	for j, t := range kind.of(e) {
		if names = append(names, t.Name); t.Name != name {
			left = append(left, all[j])
		}
	}
	if len(left) == len(all) {
		return 0, fmt.Errorf(
			"%w: %q of user %q; there are %s",
			kind.missing,
			name,
			e.Login,
			enumerate(names),
		)
	}
	return len(all) - len(left), u.list[i].set(kind.member, left)
}
