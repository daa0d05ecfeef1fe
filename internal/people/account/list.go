package account

import (
	"time"

	"almanac/store"
)

// A Listed is an account for display, without hashes. Its JSON leaves out times that there are not.
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
}

// List describes the accounts among records. used is the result of ReadUses.
func List(all []*store.Account, used map[string]time.Time, now time.Time) []Listed {
	listed := []Listed{}
	for _, a := range all {
		if a.Rev > 0 && !a.IsMember() {
			continue
		}
		listed = append(listed, Listed{
			Account:  accountOf(a),
			Disabled: a.Disabled,
			Tokens:   append([]ListedToken{}, listSecrets(a.Tokens, used, now)...),
			Feeds:    listSecrets(a.Feeds, used, now),
		})
	}
	return listed
}

func listSecrets(
	secrets []store.Secret,
	used map[string]time.Time,
	now time.Time,
) (listed []ListedToken) {
	for _, s := range secrets {
		expires, _ := time.Parse(time.RFC3339, s.Expires)
		listed = append(listed, ListedToken{
			Name:    s.Name,
			Plain:   s.Plain,
			Created: s.Created,
			Expires: expires,
			Expired: !expires.IsZero() && !now.Before(expires),
			Used:    used[useKey(s.SHA256)],
			Filter:  s.Filter,
		})
	}
	return listed
}
