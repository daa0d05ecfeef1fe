package account

// This file holds the changes that can be made to a users file.

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// What refuses a change, beside mistakes in what is asked for.
var (
	ErrNoUser    = errors.New("there is no such user")
	ErrNoToken   = errors.New("there is no such token")
	ErrLastAdmin = errors.New("it is the last administrator who is not disabled")
)

// Users is the content of a users file while it is changed; see Change. Users are
// named by their login or e-mail address, in any letter case. Whatever else is in
// the file stays.
type Users struct {
	now  time.Time
	file *object
	list []*object // of its member "users"
	used int64     // the highest id that is known to have been used; see Reserve

	written func(Roll) // see Written
}

// Written says what is called with the file when it has been written, before somebody else may
// write it.
func (u *Users) Written(f func(Roll)) { u.written = f }

// keyName is the member of the file with the key of marks.
const keyName = "mark_key"

// readUsers takes a file apart that parse has found to be right.
func readUsers(data []byte, now time.Time) (*Users, error) {
	u := &Users{now: now}
	if err := json.Unmarshal(data, &u.file); err != nil {
		return nil, err
	}
	return u, u.file.decode("users", &u.list)
}

// bytes is the file as it is now. It is held to the rules of every users file.
func (u *Users) bytes() ([]byte, error) {
	if err := u.file.set("users", u.list); err != nil {
		return nil, err
	}
	data, err := indented(u.file)
	if err != nil {
		return nil, err
	}
	_, err = parse(data)
	return data, err
}

// entry returns a user as it is written.
func (u *Users) entry(i int) (e userEntry, err error) {
	data, err := json.Marshal(u.list[i])
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	return e, err
}

// entries returns all of them.
func (u *Users) entries() ([]userEntry, error) {
	var all []userEntry
	for i := range u.list {
		e, err := u.entry(i)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// find returns the user with a login or an address.
func (u *Users) find(name string) (i int, e userEntry, err error) {
	all, err := u.entries()
	if err != nil {
		return 0, e, err
	}
	var logins []string
	for i, e := range all {
		if strings.EqualFold(e.Login, name) || e.Email != "" && strings.EqualFold(e.Email, name) {
			return i, e, nil
		}
		logins = append(logins, e.Login)
	}
	return 0, e, fmt.Errorf("%w: %q; there are %s", ErrNoUser, name, enumerate(logins))
}

// enumerate names things, or the first of many.
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

// Reserve says that ids up to this one were used, whatever the file knows of them:
// Add gives none of them to anybody. Records and the log outlive a file that was
// lost, and the accounts that were in it.
func (u *Users) Reserve(last int64) { u.used = max(u.used, last) }

// Add adds an account and returns it with its id. An id is never given twice, so that
// nobody comes into the records of somebody who was removed: without an id the
// account gets the next one that no account ever had, and one that is asked for must
// be higher than all of those.
func (u *Users) Add(a Account) (Account, error) {
	all, err := u.entries()
	if err != nil {
		return a, err
	}
	last, err := u.lastID(all)
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
	for _, e := range all {
		if strings.EqualFold(e.Login, a.Login) {
			return a, fmt.Errorf("there is a user %q already: id %d, %s", e.Login, e.ID, e.Role)
		}
		known = known || e.ID == a.ID // which is told with the login
	}
	if a.ID > 0 && a.ID <= last && !known {
		return a, fmt.Errorf("id %d: ids up to %d have been used, and none is given twice; leave it out, or give a higher one. "+
			"To give somebody an account back that was lost, write it into the users file", a.ID, last)
	}
	added := &object{}
	for _, member := range []struct {
		name  string
		value any
	}{{"id", a.ID}, {"login", a.Login}, {"role", a.Role}, {"email", a.Email}} {
		if err := added.set(member.name, member.value); err != nil {
			return a, err
		}
	}
	u.list = append(u.list, added)
	return a, nil
}

// lastID is the highest id that any account has, or had: Remove notes that in
// "last_id", and Reserve says what else is known.
func (u *Users) lastID(all []userEntry) (last int64, err error) {
	if err := u.file.decode("last_id", &last); err != nil {
		return 0, fmt.Errorf("last_id: %w", err)
	}
	last = max(last, u.used)
	for _, e := range all {
		last = max(last, e.ID)
	}
	return last, nil
}

// Remove removes an account with its tokens, and returns it. Its records stay,
// with an author that nobody is.
func (u *Users) Remove(name string, force bool) (Account, error) {
	i, e, err := u.find(name)
	if err != nil {
		return Account{}, err
	}
	if err := u.spare(e, force); err != nil {
		return e.account(), err
	}
	all, err := u.entries()
	if err != nil {
		return e.account(), err
	}
	last, err := u.lastID(all)
	if err != nil {
		return e.account(), err
	}
	u.list = slices.Delete(u.list, i, i+1)
	if e.ID == last {
		err = u.file.set("last_id", last)
	}
	return e.account(), err
}

// Disable makes all tokens of an account worthless until it is enabled, and returns
// the account.
func (u *Users) Disable(name string, force bool) (Account, error) {
	i, e, err := u.find(name)
	if err != nil {
		return Account{}, err
	}
	if err := u.spare(e, force); err != nil {
		return e.account(), err
	}
	return e.account(), u.list[i].set("disabled", true)
}

// Enable is the opposite of Disable.
func (u *Users) Enable(name string) (Account, error) {
	i, e, err := u.find(name)
	if err == nil {
		u.list[i].remove("disabled")
	}
	return e.account(), err
}

// spare refuses to lose the last administrator, unless that is forced.
func (u *Users) spare(e userEntry, force bool) error {
	if force || e.Role != Administrator || e.Disabled {
		return nil
	}
	all, err := u.entries()
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.Role == Administrator && !other.Disabled && other.ID != e.ID {
			return nil
		}
	}
	return fmt.Errorf("%q: %w", e.Login, ErrLastAdmin)
}

// AddToken makes a token for an account and returns it, which is the only time
// that it is seen, with its name. Without a name it is called token-1, or the
// next that is free. Expires may be zero, for never.
func (u *Users) AddToken(user, name string, expires time.Time) (token, called string, err error) {
	i, e, err := u.find(user)
	if err != nil {
		return "", "", err
	}
	if e.Token != "" {
		return "", "", fmt.Errorf("user %q has a token in plain text, which is for tests: revoke it first", e.Login)
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(e.Tokens, func(t tokenEntry) bool { return t.Name == name })
	}
	for n := 1; name == ""; n++ {
		if next := fmt.Sprintf("token-%d", n); !taken(next) {
			name = next
		}
	}
	switch {
	case !isName(name):
		return "", "", fmt.Errorf("the name of the token, %q, must not hold colons, control characters or outer spaces", name)
	case taken(name):
		return "", "", fmt.Errorf("user %q has a token %q already: revoke it, or choose another name", e.Login, name)
	case !expires.IsZero() && !u.now.Before(expires):
		return "", "", fmt.Errorf("the token would have expired at %s; give a time that is ahead", expires.Format(time.RFC3339))
	}
	token = NewToken()
	sum := hash(token)
	made := tokenEntry{Name: name, SHA256: hex.EncodeToString(sum[:]), Created: u.now.UTC().Format(time.RFC3339)}
	if !expires.IsZero() {
		made.Expires = expires.UTC().Format(time.RFC3339)
	}
	var tokens []json.RawMessage // with whatever the others have
	if err := u.list[i].decode("tokens", &tokens); err != nil {
		return "", "", err
	}
	value, err := json.Marshal(made)
	if err != nil {
		return "", "", err
	}
	u.list[i].remove("token") // empty
	return token, name, u.list[i].set("tokens", append(tokens, value))
}

// Revoke removes the tokens of an account with a name, or all of them if the name
// is empty, one in plain text among them. It returns how many there were.
func (u *Users) Revoke(user, name string) (int, error) {
	i, e, err := u.find(user)
	if err != nil {
		return 0, err
	}
	if name == "" {
		n := len(e.Tokens)
		if e.Token != "" {
			n = 1
		}
		u.list[i].remove("token")
		u.list[i].remove("tokens")
		return n, nil
	}
	var tokens []json.RawMessage
	left := []json.RawMessage{}
	if err := u.list[i].decode("tokens", &tokens); err != nil {
		return 0, err
	}
	var names []string
	for j, t := range e.Tokens {
		if names = append(names, t.Name); t.Name != name {
			left = append(left, tokens[j])
		}
	}
	if len(left) == len(tokens) {
		return 0, fmt.Errorf("%w: %q of user %q; there are %s", ErrNoToken, name, e.Login, enumerate(names))
	}
	return len(tokens) - len(left), u.list[i].set("tokens", left)
}
