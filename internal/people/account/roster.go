package account

// The accounts of one moment, and the rules for their combination.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"almanac/store"
)

// A roster is immutable once it is complete, except the times of use.
type roster struct {
	members []*member // by id
	ids     map[int64]*member
	names   map[string]*member            // by login and e-mail address, in lower case
	owners  map[[sha256.Size]byte]*member // by hash of a token or feed, valid or not
}

// A member is an account with its tokens, and the tokens in the addresses of its feeds.
type member struct {
	Account
	record *store.Account
	tokens []token // none of a disabled account
	feeds  []token
}

type token struct {
	hash    [sha256.Size]byte
	expires time.Time     // zero: never
	used    *atomic.Int64 // hour of the last recorded use, since 1970; 0: none
	filter  string        // of a feed: query of a list
}

// newRoster makes a roster of accounts, which are ordered by their ids, and which it leaves alone.
// It has all that keep the rules; the error is about the first that does not.
func newRoster(all []*store.Account) (r *roster, err error) {
	r = &roster{
		ids:    map[int64]*member{},
		names:  map[string]*member{},
		owners: map[[sha256.Size]byte]*member{},
	}
	for _, a := range all {
		if a.Rev > 0 && !a.IsMember() {
			continue
		}
		if failed := r.add(a); failed != nil && err == nil {
			err = failed
		}
	}
	return r, err
}

// add adds an account. Logins and addresses share one namespace, so that no login is another
// account's address. A token has one owner, because a bearer sends no name.
func (r *roster) add(a *store.Account) error {
	m := &member{Account: accountOf(a), record: a}
	if err := r.check(m); err != nil {
		return err
	}
	tokens, err := readSecrets("token", a, a.Tokens)
	if err != nil {
		return fmt.Errorf("user %d: %w", m.ID, err)
	}
	feeds, err := readSecrets("feed", a, a.Feeds)
	if err != nil {
		return fmt.Errorf("user %d: %w", m.ID, err)
	}
	for _, t := range slices.Concat(tokens, feeds) {
		if other := r.owners[t.hash]; other != nil && other != m {
			return fmt.Errorf("user %d: a token is that of user %d already", m.ID, other.ID)
		}
		r.owners[t.hash] = m
	}
	if !a.Disabled {
		m.tokens = tokens
		m.feeds = feeds
	}
	r.ids[m.ID] = m
	for _, name := range []string{m.Login, m.Email} {
		if name != "" {
			r.names[strings.ToLower(name)] = m
		}
	}
	r.members = append(r.members, m)
	return nil
}

// check refuses an account that others cannot be told from, or that nobody can name.
func (r *roster) check(m *member) error {
	switch {
	case m.ID < 1:
		return fmt.Errorf("user %q: id is %d, want 1 or more", m.Login, m.ID)
	case r.ids[m.ID] != nil:
		return fmt.Errorf("user %q: id %d is that of %q already", m.Login, m.ID, r.ids[m.ID].Login)
	case m.Login == "":
		return fmt.Errorf("user %d: login is missing", m.ID)
	case !isName(m.Login):
		return fmt.Errorf(
			"user %d: login %q must not hold colons, control characters or outer spaces",
			m.ID,
			m.Login,
		)
	case m.Email != "" && (!isName(m.Email) || !strings.Contains(m.Email, "@")):
		return fmt.Errorf("user %d: email %q is no e-mail address", m.ID, m.Email)
	case m.Role.rank() == 0:
		return fmt.Errorf("user %d: role is %q, want %s", m.ID, m.Role, roleNames("or"))
	}
	for _, name := range []string{m.Login, m.Email} {
		if other := r.names[strings.ToLower(name)]; other != nil {
			return fmt.Errorf(
				"user %d: %q is the login or e-mail address of user %d already",
				m.ID,
				name,
				other.ID,
			)
		}
	}
	return nil
}

// isName reports whether Basic authentication can send a name: RFC 7617 forbids colons and control
// characters.
func isName(name string) bool {
	return !strings.Contains(name, ":") && !strings.ContainsFunc(name, unicode.IsControl) &&
		strings.TrimSpace(name) == name
}

// readSecrets reads the tokens or feeds of an account. It leaves out those that the log of an older
// program told of.
func readSecrets(
	kind string,
	a *store.Account,
	secrets []store.Secret,
) (tokens []token, err error) {
	for _, s := range secrets {
		if s.SHA256 == "" && a.Rev > 0 {
			continue
		}
		t := token{used: new(atomic.Int64), filter: s.Filter}
		sum, err := hex.DecodeString(s.SHA256)
		if err != nil || len(sum) != len(t.hash) {
			return nil, fmt.Errorf("%s %q: sha256 is %q, want 64 hex digits", kind, s.Name, s.SHA256)
		}
		copy(t.hash[:], sum)
		if s.Expires != "" {
			if t.expires, err = time.Parse(time.RFC3339, s.Expires); err != nil {
				return nil, fmt.Errorf(
					"%s %q: expires is %q, want a time like 2031-05-10T12:00:00Z",
					kind,
					s.Name,
					s.Expires,
				)
			}
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// accountOf returns what a record says of its account.
func accountOf(a *store.Account) Account { return Account{a.ID, a.Login, Role(a.Role), a.Email} }
