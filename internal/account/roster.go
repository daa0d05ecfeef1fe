package account

// The accounts of a version of the users file, and the rules for their combination.

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
)

// A roster is immutable once it is complete, except the times of use.
type roster struct {
	members []*member // by id
	ids     map[int64]*member
	names   map[string]*member            // by login and e-mail address, in lower case
	owners  map[[sha256.Size]byte]*member // by hash of a valid token or feed
	hashes  map[[sha256.Size]byte]bool    // of all tokens and feeds, those of disabled accounts too
	roll    Roll                          // content of the file
}

// A member is an account with its valid tokens, and the tokens in the addresses of its feeds.
type member struct {
	Account
	tokens   []token
	feeds    []token
	disabled bool
}

type token struct {
	hash    [sha256.Size]byte
	expires time.Time     // zero: never
	used    *atomic.Int64 // hour of the last recorded use, since 1970; 0: none
	filter  string        // of a feed: query of a list
}

func newToken(hash [sha256.Size]byte) token { return token{hash: hash, used: new(atomic.Int64)} }

func newRoster() *roster {
	return &roster{
		ids:    map[int64]*member{},
		names:  map[string]*member{},
		owners: map[[sha256.Size]byte]*member{},
		hashes: map[[sha256.Size]byte]bool{},
	}
}

// add adds a member. Logins and addresses share one namespace, so that no login is another
// account's address. A token has one owner, because a bearer sends no name.
func (r *roster) add(m *member) error {
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
	r.ids[m.ID] = m
	for _, name := range []string{m.Login, m.Email} {
		key := strings.ToLower(name)
		if other := r.names[key]; other != nil && other != m {
			return fmt.Errorf(
				"user %d: %q is the login or e-mail address of user %d already",
				m.ID,
				name,
				other.ID,
			)
		}
		if name != "" {
			r.names[key] = m
		}
	}
	for _, t := range slices.Concat(m.tokens, m.feeds) {
		if other := r.owners[t.hash]; other != nil && other != m {
			return fmt.Errorf("user %d: a token is that of user %d already", m.ID, other.ID)
		}
		r.owners[t.hash] = m
	}
	r.members = append(r.members, m)
	return nil
}

// isName reports whether Basic authentication can send a name: RFC 7617 forbids colons and control
// characters.
func isName(name string) bool {
	return !strings.Contains(name, ":") && !strings.ContainsFunc(name, unicode.IsControl) &&
		strings.TrimSpace(name) == name
}

func (r *roster) sort() {
	slices.SortFunc(r.members, func(a, b *member) int { return cmp.Compare(a.ID, b.ID) })
}
