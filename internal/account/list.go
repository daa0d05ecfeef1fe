package account

// This file shows users to people.

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// A Roll is what a users file says, without what its tokens are.
type Roll struct {
	Users []Listed // in the order of the file; none has expired, and none was used
	Last  int64    // the highest id that it says was used, beside those of the users; 0: it says none
}

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

	// Mark is the same as long as the token is. It says nothing of the token to who does not have
	// the file, where the key is that it was made with; "" is that of a file that has none.
	Mark string
}

// List returns all users in the order of the file. Uses is what ReadUses gave.
func (u *Users) List(uses map[string]time.Time) ([]Listed, error) {
	all, err := u.entries()
	if err != nil {
		return nil, err
	}
	return list(all, uses, "", u.now)
}

// Roll returns what the file says as it is now.
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

// Roll returns what the file says, or said when it was last right. Of a directory in memory it
// is empty.
func (d *Directory) Roll() Roll { return d.refresh().roll }

// list lists users with their tokens, which have marks if there is a key.
func list(all []userEntry, uses map[string]time.Time, key string, now time.Time) ([]Listed, error) {
	mark := func(sum []byte) string {
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
			l.Tokens = append(l.Tokens, ListedToken{Plain: true, Used: uses[useKey(sum[:])], Mark: mark(sum[:])})
		}
		for _, t := range e.Tokens {
			sum, err := hex.DecodeString(t.SHA256)
			if err != nil {
				return nil, err
			}
			shown := ListedToken{Name: t.Name, Created: t.Created, Used: uses[useKey(sum)], Mark: mark(sum)}
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
