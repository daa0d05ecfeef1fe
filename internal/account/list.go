package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A Roll is the content of a users file without the tokens themselves.
type Roll struct {
	Users []Listed // in the order of the file; without expiry and uses
	Last  int64    // highest used id in the file beside those of users; 0: none
}

// A Listed is a user for display, without tokens and hashes.
type Listed struct {
	Account
	Disabled bool
	Tokens   []ListedToken
}

// A ListedToken is the description of a token.
type ListedToken struct {
	Name    string    // "" in plain text
	Plain   bool      // in plain text, for tests
	Created string    // unchecked, may be empty
	Expires time.Time // zero: never
	Expired bool
	Used    time.Time // start of the hour of the last use; zero: unknown

	// Fingerprint identifies the token: a hash under a secret key in the file. It reveals nothing about the token without
	// the file. It is "" if the file has no key.
	Fingerprint string
}

// List returns all users in the order of the file. uses is the result of ReadUses.
func (u *Users) List(uses map[string]time.Time) ([]Listed, error) {
	all, err := u.entries()
	if err != nil {
		return nil, err
	}
	return list(all, uses, "", u.now)
}

func (u *Users) Roll() (Roll, error) {
	data, err := u.bytes()
	if err != nil {
		return Roll{}, err
	}
	users, err := parse(data)
	if err != nil {
		return Roll{}, err
	}
	return users.roll, nil
}

// list lists users and their tokens, with Fingerprint if there is a key.
func list(all []userEntry, uses map[string]time.Time, key string, now time.Time) ([]Listed, error) {
	identify := func(sum []byte) string {
		if key == "" {
			return ""
		}
		code := hmac.New(sha256.New, []byte(key))
		code.Write(sum)
		return hex.EncodeToString(code.Sum(nil)[:16])
	}
	var listed []Listed
	for _, e := range all {
		l := Listed{Account: e.account(), Disabled: e.Disabled}
		if e.Token != "" {
			sum := hash(e.Token)
			l.Tokens = append(l.Tokens, ListedToken{Plain: true, Used: uses[useKey(sum[:])], Fingerprint: identify(sum[:])})
		}
		for _, t := range e.Tokens {
			sum, err := hex.DecodeString(t.SHA256)
			if err != nil {
				return nil, err
			}
			shown := ListedToken{Name: t.Name, Created: t.Created, Used: uses[useKey(sum)], Fingerprint: identify(sum)}
			if t.Expires != "" {
				if shown.Expires, err = time.Parse(time.RFC3339, t.Expires); err != nil {
					return nil, err
				}
				shown.Expired = !now.Before(shown.Expires)
			}
			l.Tokens = append(l.Tokens, shown)
		}
		listed = append(listed, l)
	}
	return listed, nil
}
