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
	By    int64    // account that made the change at the desk; 0: unknown
	Last  int64    // highest used id in the file beside those of users; 0: none
}

// A Listed is a user for display, without tokens and hashes. Its JSON leaves out times that there
// are not.
type Listed struct {
	Account
	Disabled bool          `json:"disabled"`
	Tokens   []ListedToken `json:"tokens"`
	Feeds    []ListedToken `json:"feeds,omitempty"`
}

// A ListedToken is the description of a token, or of a feed.
type ListedToken struct {
	Name    string    `json:"name"`              // "" in plain text
	Plain   bool      `json:"plain,omitempty"`   // in plain text, for tests
	Created string    `json:"created,omitempty"` // unchecked, may be empty
	Expires time.Time `json:"expires,omitzero"`  // zero: never
	Expired bool      `json:"expired"`
	Used    time.Time `json:"used,omitzero"`    // start of the hour of the last use; zero: unknown
	Filter  string    `json:"filter,omitempty"` // of a feed: query of a list

	// Fingerprint identifies the token: a hash under a secret key in the file. It reveals nothing
	// about the token without the file. It is "" if the file has no key.
	Fingerprint string `json:"-"`
}

// List returns all users in the order of the file. uses is the result of ReadUses.
func (u *Users) List(
	uses map[string]time.Time,
) []Listed {
	return list(u.entries(), uses, "", u.now)
}

func (u *Users) Roll() (Roll, error) {
	_, roll, err := u.bytes()
	return roll, err
}

// list lists checked users and their tokens, with Fingerprint if there is a key.
func list(all []userEntry, uses map[string]time.Time, key string, now time.Time) []Listed {
	identify := func(sum []byte) string {
		if key == "" {
			return ""
		}
		code := hmac.New(sha256.New, []byte(key))
		code.Write(sum)
		return hex.EncodeToString(code.Sum(nil)[:16])
	}
	describe := func(tokens []token, entries []tokenEntry) (shown []ListedToken) {
		for i, t := range tokens {
			one := ListedToken{
				Plain:       len(entries) == 0,
				Expires:     t.expires,
				Expired:     !t.expires.IsZero() && !now.Before(t.expires),
				Filter:      t.filter,
				Used:        uses[useKey(t.hash[:])],
				Fingerprint: identify(t.hash[:]),
			}
			if !one.Plain {
				one.Name = entries[i].Name
				one.Created = entries[i].Created
			}
			shown = append(shown, one)
		}
		return shown
	}
	listed := []Listed{}
	for _, e := range all {
		tokens, _ := e.tokens()
		feeds, _ := readTokens("feed", e.Feeds)
		listed = append(listed, Listed{
			Account:  e.account(),
			Disabled: e.Disabled,
			Tokens:   append([]ListedToken{}, describe(tokens, e.Tokens)...),
			Feeds:    describe(feeds, e.Feeds),
		})
	}
	return listed
}
