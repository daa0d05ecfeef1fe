package account

// This file shows users to people.

import (
	"encoding/hex"
	"time"
)

// A Listed is a user as it is shown. No token and no hash is in it.
type Listed struct {
	Account
	Disabled bool
	Tokens   []ListedToken
}

// A ListedToken is a token without what it is.
type ListedToken struct {
	Name    string    // empty if it is in plain text
	Plain   bool      // it is in plain text, for tests
	Created string    // as it is written, maybe empty
	Expires time.Time // zero: never
	Expired bool
	Used    time.Time // in the hour that begins then, for the last time; zero: not known
}

// List returns all users in the order of the file. Uses is what ReadUses gave.
func (u *Users) List(uses map[string]time.Time) ([]Listed, error) {
	all, err := u.entries()
	if err != nil {
		return nil, err
	}
	var listed []Listed
	for _, e := range all {
		l := Listed{Account: e.account(), Disabled: e.Disabled}
		if e.Token != "" {
			sum := hash(e.Token)
			l.Tokens = append(l.Tokens, ListedToken{Plain: true, Used: uses[useKey(sum[:])]})
		}
		for _, t := range e.Tokens {
			sum, err := hex.DecodeString(t.SHA256)
			if err != nil {
				return nil, err
			}
			shown := ListedToken{Name: t.Name, Created: t.Created, Used: uses[useKey(sum)]}
			if t.Expires != "" {
				if shown.Expires, err = time.Parse(time.RFC3339, t.Expires); err != nil {
					return nil, err
				}
				shown.Expired = !u.now.Before(shown.Expires)
			}
			l.Tokens = append(l.Tokens, shown)
		}
		listed = append(listed, l)
	}
	return listed, nil
}
